"""Every row of fixtures/cases and fixtures/attacks. A row is a bug report: adding one needs no code."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from tests.support import FIXTURES, ROOT, in_groups, rows, tables
from verifiers import Verifier, from_spec, verifier_names


def _class_name(stem: str) -> str:
    folded = stem.replace("_", "")
    return next(name for name in verifier_names() if name.casefold() == folded)


CASES = [
    (row, row["spec"] if "spec" in row else _class_name(path.stem))
    for path in sorted((FIXTURES / "cases").glob("*.jsonl"))
    for row in rows(path)
]
OWN = {"id", "spec", "completion", "reference", "score", "reason", "note"}
"""What a case says of itself; the rest are columns of the row, as `verify-cli test` takes them."""
ATTACKS = rows(FIXTURES / "attacks" / "text.jsonl")


def test_case_ids_are_unique() -> None:
    """So that a failure names one row."""
    ids = [row["id"] for row, _ in CASES] + [row["id"] for row in ATTACKS]
    assert len(ids) == len(set(ids))


@in_groups(CASES, lambda case: str(case[0]["id"]))
def test_case(case: tuple[dict[str, Any], Any]) -> None:
    """The verdict is what the row says, and its reason is documented."""
    row, spec = case
    verifier: Verifier = from_spec(spec)
    fields = {name: value for name, value in row.items() if name not in OWN}
    verdict = verifier.verify(row["completion"], row["reference"], **fields)
    assert (verdict.score, verdict.reason) == (
        row["score"] if row["score"] is None else pytest.approx(row["score"]),
        row["reason"],
    ), f"{row['note']}: {verdict}  {verdict.detail}"
    assert verdict.reason in verifier.all_reasons()


def test_a_case_is_selected_by_its_id() -> None:
    """Wherever it stands in its group, as CONTRIBUTING says for whoever has added one."""
    chosen = ["--collect-only", "-q", "-k", CASES[7][0]["id"], "-p", "no:cacheprovider", __file__]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *chosen], capture_output=True, text=True, check=True
    )
    assert len(re.findall(r"::test_case\[", done.stdout)) == 1


@in_groups(ATTACKS, lambda row: str(row["id"]))
def test_attack_is_not_paid(row: dict[str, Any]) -> None:
    """0.0, and not None: a masked row would be better for the policy than a wrong one."""
    verdict = from_spec(row["spec"]).verify(row["completion"], row["reference"])
    assert verdict.score == 0.0, f"{row['note']}: {verdict}"


def test_every_row_of_a_table_is_tried() -> None:
    """A table that no test of its file reads would say nothing."""
    for path in (FIXTURES / "tables").rglob("*.jsonl"):
        file = ROOT / "tests" / path.relative_to(FIXTURES / "tables").with_name(f"test_{path.stem}.py")
        text = file.read_text(encoding="utf-8")
        unread = [
            name
            for name in tables(str(file))
            if f"def test_{name}(" not in text and f'["{name}"]' not in text
        ]
        assert not unread, path
