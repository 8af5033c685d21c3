"""What every host is shown: the same rows, and what `verify-cli score` pays for them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewards import Pay, Rank, Reward, load_recipe
from verifiers import MathEquivalence, verifier

RECIPE = "gsm8k_tags"
"""The recipe that hosts are tested with: an answer and a format, each completion by itself."""


def _tagged(answer: str, thought: str = "50 + 25") -> str:
    return f"<THINK>{thought}</THINK><SOLUTION>{answer}</SOLUTION>"


RIGHT, WRONG, HOSTILE = map(_tagged, ("75", "3", "9^{9^{9^{9}}}"))
ROWS: tuple[Mapping[str, str], ...] = (
    {"prompt": "What is 50 + 25?", "completion": RIGHT, "answer": "75"},
    {"prompt": "What is 50 + 25?", "completion": WRONG, "answer": "75"},
    {"prompt": "What is 50 + 25?", "completion": "75, I think", "answer": "75"},
    {"prompt": "What is 50 + 25?", "completion": HOSTILE, "answer": "75"},
    # No reward can be told of these: nobody said what is right.
    {"prompt": "What did they pay?", "completion": RIGHT, "answer": ""},
    {"prompt": "What did they pay?", "completion": _tagged("12"), "answer": ""},
    {"prompt": "50과 25를 더하면?", "completion": _tagged("75", "더합니다"), "answer": "75"},
    {"prompt": "50과 25를 더하면?", "completion": _tagged("정답은 74입니다", "더합니다"), "answer": "75"},
)
"""Right, wrong, without a format, an undecidable answer, rows without a usable reference, Korean."""

EXPLODES = "it explodes"


@verifier
def unbroken(response: str) -> bool:
    """A verifier of somebody's own, which breaks on some completions."""
    if EXPLODES in response:
        raise RuntimeError(EXPLODES)
    return True


def breaking_reward() -> Reward:
    """A reward whose verifier breaks where a completion says so."""
    return Pay(unbroken).named("unbroken") + 0.5 * Pay(MathEquivalence())


def comparing_reward() -> Reward:
    """A reward that compares the completions of a prompt, so that no row can be paid by itself."""
    return Rank(load_recipe(RECIPE))


def paid_in_a_batch() -> list[float | None]:
    """What the recipe pays the rows; None for those whose reward cannot be told."""
    return load_recipe(RECIPE)([row["completion"] for row in ROWS], answer=[row["answer"] for row in ROWS])


def scored_by_cli(
    rows: Sequence[Mapping[str, Any]], folder: Path, recipe: str = RECIPE, *options: str
) -> list[float | None]:
    """What `verify-cli score` pays for rows; None where a row has no reward.

    Args:
        rows: With ``completion`` and the columns that the recipe reads.
        folder: For the files.
        recipe: Its name or file.
        options: More of the command's.
    """
    source, output = folder / "rows.jsonl", folder / "scored.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    command = [str(Path(sys.executable).parent / "verify-cli"), "score", str(source), "-o", str(output)]
    subprocess.run([*command, "--recipe", recipe, *options], check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line)["reward"] for line in output.read_text(encoding="utf-8").splitlines()]
