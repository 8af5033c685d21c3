"""Every row of fixtures/cases/korean. A row is a bug report: adding one needs no code."""

from __future__ import annotations

from typing import Any

from benchmarks.korean import FOLDER, OPEN, verdicts
from tests.support import in_groups, rows
from verifiers.korean import josa

ROWS = [row for path in sorted(FOLDER.glob("*.jsonl")) for row in rows(path)]
KINDS = {
    "josa", "korean_number", "answer_extraction", "template_malpyeong", "em_spacing", "unicode",
    "language_mix",
}  # fmt: skip
FACTS = {"em_nfkc", "nfkc_changes"}
"""What rows say of Unicode itself, and not of us."""


def test_rows_are_of_known_kinds_and_have_their_own_ids() -> None:
    """So that none is passed over, and a failure names one."""
    assert {row["kind"] for row in ROWS} == KINDS
    assert len({row["id"] for row in ROWS}) == len(ROWS)


@in_groups(ROWS, lambda row: str(row["id"]))
def test_row(row: dict[str, Any]) -> None:
    """All that a row asks is answered as it says; `either` and `policy` are not expectations."""
    asked = dict(verdicts(row))
    assert [name for name, good in asked.items() if not good] == [], row["note"]
    expected = row["expected"]
    if isinstance(expected, dict):
        told = {name for name, value in expected.items() if value not in OPEN}
        assert {f"template {name}" for name in told - FACTS} == set(asked)
    else:
        assert len(asked) == (expected not in OPEN)


@in_groups(
    [row for row in ROWS if row["kind"] == "josa" and row["expected"] in OPEN], lambda row: str(row["id"])
)
def test_where_readers_differ_one_form_is_given_or_both(row: dict[str, Any]) -> None:
    """And never anything else."""
    one, other = row["gold"].split("/")
    assert josa(row["input"], row["gold"]) in (one, other, f"{one}({other})")
