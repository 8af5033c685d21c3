"""Rewards that are functions, and rows without a text."""

from __future__ import annotations

from rewards import Batch, TagCount, from_callable


def _compared(response: str, reference: str) -> float:
    return float(response == reference)


def _perhaps(response: str, reference: str | None = None) -> float:
    return float(response == reference)


def _length(response: str) -> float:
    return float(len(response))


def test_a_function_needs_a_reference_only_where_it_cannot_do_without() -> None:
    """One that has a default for it reads it, and is called where there is none."""
    asked = [
        (list(reward.needs()), list(reward.reads()))
        for reward in map(from_callable, (_compared, _perhaps, _length))
    ]
    assert asked == [(["answer"], ["answer"]), ([], ["answer"]), ([], [])]


def test_what_is_no_text_is_not_judged_and_is_logged() -> None:
    """As a part of its own, like every other row; None masks it."""
    without, given = TagCount(("a",)).pay(Batch([None, "<a>x</a>"]))
    assert (without.value, without.note, without.logged) == (None, "not text", True)
    assert (given.value, given.note, given.logged) == (1.0, "2 of 2 tags once", True)
