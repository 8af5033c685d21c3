"""Mathematics as people type it, debris around answers, titles in steps: one row, one verdict."""

from __future__ import annotations

from typing import Any

from tests.support import in_groups, rows
from tests.verifiers.reading.materials import FOLDER
from verifiers import from_spec

ROWS = rows(FOLDER / "rows.jsonl")


def test_ids_are_unique() -> None:
    """So that a failure names one row."""
    assert len({row["id"] for row in ROWS}) == len(ROWS)


@in_groups(ROWS, lambda row: str(row["id"]), size=60)
def test_row(row: dict[str, Any]) -> None:
    """The score is what a careful reader says; which reason is given, the cases fix."""
    verdict = from_spec(row["spec"]).verify(row["completion"], row["reference"])
    assert verdict.score == row["score"], (
        f"{row['completion']!r} for {row['reference']!r}: {verdict} {row['note']}"
    )
