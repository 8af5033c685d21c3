"""One row of each data set, written for these tests in exactly the shape of its card, with two programs each."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.support import FIXTURES, rows


class Sample(NamedTuple):
    """A row, the shape it has, and a right and a wrong program for it."""

    shape: str
    row: dict[str, Any]
    right: str
    wrong: str


SAMPLES = {row.pop("name"): Sample(**row) for row in rows(FIXTURES / "code_rows.jsonl")}
