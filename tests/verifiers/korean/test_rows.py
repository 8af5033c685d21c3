"""Every row of fixtures/cases/korean. A row is a bug report: adding one needs no code."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.support import FIXTURES, rows
from verifiers import KoreanAnswerTemplate, LanguageConsistency, MathEquivalence, MultipleChoice, Rouge
from verifiers.korean import josa, parse_number

FOLDER = FIXTURES / "cases" / "korean"
OPEN = ("either", "policy")
"""Expectations that are no expectation: both are right, or a documented choice."""


def _rows(name: str) -> Any:
    found = rows(FOLDER / f"{name}.jsonl")
    return pytest.mark.parametrize("row", found, ids=[row["id"] for row in found])


@_rows("josa")
def test_josa(row: dict[str, Any]) -> None:
    """The form that readers write; where they differ, one of the two."""
    found = josa(row["input"], row["gold"])
    expected = row["gold"].split("/") if row["expected"] in OPEN else [row["expected"]]
    if row["expected"] in OPEN:
        expected.append("을(를)")  # nobody can tell
    assert found in expected, row["note"]


@_rows("numerals")
def test_numerals(row: dict[str, Any]) -> None:
    """The number, or none."""
    found = parse_number(row["input"])
    if row["expected"] == "none":
        assert found is None, row["note"]
    elif row["expected"] not in OPEN:
        assert found == Fraction(row["gold"]), row["note"]


@_rows("answers")
def test_answers(row: dict[str, Any]) -> None:
    """By MultipleChoice or MathEquivalence, as fits the reference: neither pays what is wrong."""
    if row["expected"] in OPEN:
        return
    verdicts = [judge.verify(row["input"], row["gold"]) for judge in (MathEquivalence(), MultipleChoice())]
    assert any(verdict.passed for verdict in verdicts) == row["expected"], [*map(str, verdicts), row["note"]]


@_rows("languages")
def test_languages(row: dict[str, Any]) -> None:
    """0.9 and above is in the language."""
    if row["expected"] not in OPEN:
        verdict = LanguageConsistency(row["gold"]).verify(row["input"])
        assert ((verdict.score or 0.0) >= 0.9) == row["expected"], [str(verdict), row["note"]]


@_rows("templates")
def test_templates(row: dict[str, Any]) -> None:
    """What a row says of a part is what the verdict says."""
    said = {name: value for name, value in row["expected"].items() if value not in OPEN}
    found = _found(row["input"], row["gold"])
    assert {name: found[name] for name in said if name in found} == {
        name: value for name, value in said.items() if name in found
    }, row["note"]
    assert said.keys() - found.keys() <= {"em_nfkc", "nfkc_changes"}  # facts about Unicode, not about us


def _found(text: str, gold: str) -> dict[str, Any]:
    parts = {part.verifier: part for part in KoreanAnswerTemplate().verify(text, gold).parts}
    official = KoreanAnswerTemplate(mode="official").verify(text, gold)
    folded = {
        f"em_{fold}_fold": KoreanAnswerTemplate(fold=(fold,)).verify(text, gold).parts[1].passed
        for fold in ("width", "middot", "jamo")
    }
    rouge = Rouge(tokenizer="nikl").verify(official.parts[1].extracted or "", official.parts[1].expected)
    return {
        "format_ok": parts["format"].passed,
        "em": parts["answer"].passed,
        "josa_ok": parts["josa"].passed,
        "reason_ok": parts["reason"].passed,
        "claims_ok": parts["claims"].passed,
        "lang_ok": (parts["language"].score or 0.0) >= 0.9,
        "repetition": parts["reason"].reason == "repeated",
        "em_official": official.passed,
        "rouge1_official": rouge.score,
        **folded,
    }
