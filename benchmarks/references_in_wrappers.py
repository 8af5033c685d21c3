"""Whether a reference earns 1.0 in whatever it is wrapped, for every usable reference of labelled data.

python -m benchmarks.references_in_wrappers DATA... [--show 20]

Each file is JSONL; a row's reference is in `reference`, `gold` or `answer`. A reference that a verifier calls
unusable asks for nothing.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from verifiers import ExactMatch, MathEquivalence, MultipleChoice, Verifier

WRAPPERS = {
    "tag": "<answer>{}</answer>",
    "lines": "So it is.\n\n<answer>\n{}\n</answer>",
    "box": "We get $\\boxed{{{}}}$.",
    "hash marks": "We add both.\n#### {}",
    "the answer is": "The answer is {}.",
    "final answer": "We add both.\n\n**Final answer:** {}",
    "정답은": "정답은 {}입니다.",
    "답:": "둘을 더한다.\n답: {}",
    "bold": "**{}**",
    "bare": "{}",
}
"""Ways to write an answer, by name."""
NAMES = ("reference", "gold", "answer")


def references(files: Iterable[Path], *, labels: bool = False) -> Iterator[str]:
    """Every reference of some files, once.

    Args:
        files: JSONL files.
        labels: Whether only labels of options are asked for: rows of the kind "choice", and the cases of
            `MultipleChoice`.
    """
    known: set[str] = set()
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if labels and row.get("kind") != "choice" and path.stem != "multiple_choice":
                continue
            found = next((row[name] for name in NAMES if name in row), None)
            for each in found if isinstance(found, list) else [found]:
                if isinstance(each, str) and each not in known:
                    known.add(each)
                    yield each


def lost(verifier: Verifier, references: Iterable[str]) -> dict[str, list[str]]:
    """The references that are not paid, by wrapper; those that are unusable are left out."""
    missing: dict[str, list[str]] = {name: [] for name in WRAPPERS}
    usable = [each for each in references if verifier.judge_reference(each).kind != "unusable"]
    for name, template in WRAPPERS.items():
        completions = [template.format(each) for each in usable]
        verdicts = verifier.verify_batch(completions, usable)
        missing[name] = [each for each, verdict in zip(usable, verdicts, strict=True) if not verdict.passed]
    return missing


def main() -> None:
    """Print, for each verifier and wrapper, how many references are lost, and some of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=10, help="how many of them to print")
    options = parser.parse_args()
    for verifier in (MathEquivalence(), ExactMatch(), MultipleChoice()):
        found = list(references(options.files, labels=isinstance(verifier, MultipleChoice)))
        usable = sum(verifier.judge_reference(each).kind != "unusable" for each in found)
        missing = lost(verifier, found)
        counts = Counter({name: len(each) for name, each in missing.items()})
        print(f"{verifier!r}: {usable:,} usable references of {len(found):,}; not paid:")
        for name, count in counts.items():
            print(f"  {name:14} {count:5}  {', '.join(map(_short, missing[name][: options.show]))}")


def _short(text: str) -> str:
    """A text on one line, at most 60 characters of it."""
    return repr(text if len(text) <= 60 else text[:59] + "…")


if __name__ == "__main__":
    main()
