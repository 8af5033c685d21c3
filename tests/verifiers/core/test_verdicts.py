"""Verdict keeps its own invariants."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from verifiers import (
    ConfigError,
    Status,
    Verdict,
)
from verifiers.core.verdicts import scored_verdict

REASONS = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)


def verdicts() -> st.SearchStrategy[Verdict]:
    """Any valid verdict, with parts."""
    scored = st.builds(
        Verdict,
        verifier=st.from_regex(r"[A-Z][a-zA-Z]{0,9}", fullmatch=True),
        status=st.just(Status.SCORED),
        score=st.floats(0, 1),
        raw=st.none() | st.floats(allow_nan=False, allow_infinity=False),
        reason=REASONS,
        detail=st.text(),
        extracted=st.none() | st.text(),
        expected=st.none() | st.text(),
    )
    unscored = st.builds(
        Verdict,
        verifier=st.from_regex(r"[A-Z][a-zA-Z]{0,9}", fullmatch=True),
        status=st.sampled_from([Status.UNSCORED, Status.FAULT]),
        score=st.none(),
        reason=REASONS,
        detail=st.text(),
    )
    leaves = scored | unscored
    with_parts = st.builds(
        Verdict,
        verifier=st.just("Whole"),
        status=st.just(Status.SCORED),
        score=st.just(1.0),
        reason=st.just("whole"),
        parts=st.lists(leaves, max_size=3).map(tuple),
    )
    return leaves | with_parts


@given(verdicts())
def test_a_verdict_survives_json(verdict: Verdict) -> None:
    """to_dict is plain JSON, and from_dict is its inverse."""
    assert Verdict.from_dict(json.loads(json.dumps(verdict.to_dict()))) == verdict


@given(verdicts())
@example(
    Verdict(verifier="A", status=Status.FAULT, score=None, reason="crash", detail="one\r\ntwo\u2028three")
)
def test_a_verdict_prints_on_one_line(verdict: Verdict) -> None:
    """Whatever was extracted, and whatever an exception said."""
    assert len(str(verdict).splitlines()) == 1


def test_time_is_neither_compared_nor_written() -> None:
    """Scoring twice gives equal verdicts and equal bytes."""
    one = Verdict(verifier="V", status=Status.SCORED, score=1.0, reason="x", seconds=1.0)
    other = Verdict(verifier="V", status=Status.SCORED, score=1.0, reason="x", seconds=2.0)
    assert one == other
    assert one.to_dict() == other.to_dict()


def test_a_notebook_shows_the_score_or_why_there_is_none() -> None:
    """As a short number; the status stands where there is no score."""
    half = Verdict(verifier="V", status=Status.SCORED, score=0.5, reason="x")
    assert ">0.5</td>" in half._repr_html_()
    assert ">scored</td>" not in half._repr_html_()
    none = Verdict(verifier="V", status=Status.UNSCORED, score=None, reason="x")
    assert ">unscored</td>" in none._repr_html_()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"status": Status.SCORED, "score": None}, "needs a score"),
        ({"status": Status.SCORED, "score": 1.0001}, "needs a score"),
        ({"status": Status.SCORED, "score": -0.0001}, "needs a score"),
        ({"status": Status.SCORED, "score": float("nan")}, "needs a score"),
        ({"status": Status.SCORED, "score": float("inf")}, r"needs a score in \[0, 1\]"),
        ({"status": Status.UNSCORED, "score": 0.0}, "has no score"),
        ({"status": Status.FAULT, "score": 1.0}, "has no score"),
        ({"raw": float("inf")}, "raw must be finite"),
        ({"reason": "Not A Code"}, "snake_case"),
        ({"reason": ""}, "snake_case"),
        ({"reason": "1st"}, "snake_case"),
        ({"reason": "trailing "}, "snake_case"),
        ({"reason": "a-b"}, "snake_case"),
    ],
)
def test_a_verdict_that_contradicts_itself_cannot_be_made(given: dict[str, Any], message: str) -> None:
    """Each of its rules."""
    fields: dict[str, Any] = {"verifier": "V", "status": Status.SCORED, "score": 1.0, "reason": "ok", **given}
    with pytest.raises(ConfigError, match=message):
        Verdict(**fields)


def test_a_verdict_is_written_without_what_is_empty() -> None:
    """And read back as it was."""
    inner = Verdict(verifier="P", status=Status.UNSCORED, score=None, reason="none")
    full = Verdict(
        verifier="V", status=Status.SCORED, score=0.5, raw=-2.0, reason="ok", detail="d",
        extracted="", expected="", parts=(inner,), seconds=3.0,
    )  # fmt: skip
    assert full.to_dict() == {
        "verifier": "V", "status": "scored", "score": 0.5, "reason": "ok", "raw": -2.0, "detail": "d",
        "extracted": "", "expected": "", "parts": [inner.to_dict()],
    }  # fmt: skip
    assert inner.to_dict() == {"verifier": "P", "status": "unscored", "score": None, "reason": "none"}
    assert Verdict.from_dict(full.to_dict()) == full
    assert not full.passed
    assert not inner.passed
    text = str(
        Verdict(verifier="V", status=Status.SCORED, score=1.0, reason="ok", extracted="x" * 100, expected="y")
    )
    assert text == f"V 1.00 ok  '{'x' * 77}…' for 'y'"
    short = Verdict(verifier="V", status=Status.SCORED, score=1.0, reason="ok", extracted="x" * 78)
    assert str(short) == f"V 1.00 ok  '{'x' * 78}'"


def test_a_notebook_shows_the_parts_of_parts() -> None:
    def over(name: str, *parts: Verdict) -> Verdict:
        return Verdict(verifier=name, status=Status.SCORED, score=1.0, reason="so", parts=parts)

    shown = over("outer", over("middle", over("inner")))._repr_html_()
    assert shown.index("outer") < shown.index("middle") < shown.index("inner")


@given(
    st.floats(allow_nan=True), REASONS | st.just("No Code"), st.text(max_size=3), st.none() | st.text(max_size=3),
    st.none() | st.floats(),
)  # fmt: skip
def test_a_verdict_filled_in_one_step_is_the_same(
    score: float, reason: str, detail: str, extracted: str | None, raw: float | None
) -> None:
    span = (1, 2) if extracted else None

    def made(short: bool) -> object:
        try:
            if short:
                return scored_verdict("Demo", score, reason, detail, extracted, "x", (), span, raw)
            return Verdict(
                verifier="Demo", status=Status.SCORED, score=score, raw=raw, reason=reason, detail=detail,
                extracted=extracted, expected="x", span=span,
            )  # fmt: skip
        except ConfigError as error:
            return str(error)

    short, long = made(True), made(False)
    assert short == long
    if isinstance(short, Verdict) and isinstance(long, Verdict):
        assert (short.to_dict(), repr(short), short.seconds, short.trace, short.witness) == (
            *(long.to_dict(), repr(long), long.seconds, long.trace, long.witness),
        )
