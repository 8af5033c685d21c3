"""Public data sets whose rows need more than a column's name to become references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .config import Data
from .data import read_rows

MBPP_SPLITS = {
    "prompt": range(1, 11),
    "test": range(11, 511),
    "validation": range(511, 601),
    "train": range(601, 975),
}
"""The task ids of each split, by the paper."""


def mbpp(
    source: str = "google-research-datasets/mbpp", name: str | None = "full", split: str = "train"
) -> Iterator[dict[str, Any]]:
    """MBPP (arXiv:2108.07732): ``question``, ``example`` (its first test), ``answer`` (its tests), ``code``.

    Args:
        source: On the hub, or a file with rows as there.
        name: The hub data set's configuration.
        split: Its split.
    """
    for row in read_rows(Data(source=source, name=name, split=split)):
        if row.get("task_id") not in MBPP_SPLITS.get(split, (row.get("task_id"),)):
            continue  # a file holds them all
        tests = {
            key: row[key] for key in ("test_list", "test_setup_code", "challenge_test_list") if key in row
        }
        yield {
            "question": row["text"],
            "example": row["test_list"][0],
            "answer": {"mbpp": {**tests, "text": row["text"], "code": row["code"]}},
            # CRLF as the rows have it is not part of the program.
            "code": f"```python\n{row['code']}\n```".replace("\r\n", "\n"),
        }


def humaneval(
    source: str = "openai/openai_humaneval", name: str | None = None, split: str = "test"
) -> Iterator[dict[str, Any]]:
    """HumanEval (arXiv:2107.03374): ``question``, ``answer`` (its tests), ``code``; options as in `mbpp`."""
    for row in read_rows(Data(source=source, name=name, split=split)):
        yield {
            "question": f"Complete this function:\n```python\n{row['prompt']}```",
            "answer": {"humaneval": row},
            "code": f"```python\n{row['prompt']}{row['canonical_solution']}\n```",
        }
