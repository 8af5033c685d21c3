"""Verdict keeps its own invariants."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from verifiers import ConfigError, Status, Verdict

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


@pytest.mark.parametrize("score", [None, -0.1, 1.1, math.nan, math.inf])
def test_a_scored_verdict_has_a_score_between_0_and_1(score: float | None) -> None:
    """Anything else is refused where it is made."""
    with pytest.raises(ConfigError, match=r"needs a score in \[0, 1\]"):
        Verdict(verifier="V", status=Status.SCORED, score=score, reason="x")


@pytest.mark.parametrize("status", [Status.UNSCORED, Status.FAULT])
def test_other_verdicts_have_none(status: Status) -> None:
    """A zero would be read as wrong."""
    with pytest.raises(ConfigError, match="has no score"):
        Verdict(verifier="V", status=status, score=0.0, reason="x")


@pytest.mark.parametrize("reason", ["", "Not Snake", "trailing ", "1st"])
def test_a_reason_is_a_code(reason: str) -> None:
    """Reports count by it."""
    with pytest.raises(ConfigError, match="snake_case"):
        Verdict(verifier="V", status=Status.UNSCORED, score=None, reason=reason)


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
