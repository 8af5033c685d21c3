"""Answers that choose an option: its letter, its text, or both."""

from __future__ import annotations

from collections.abc import Callable

from ...formulas.formula_equality import is_equal
from ...reading.readings import Reading
from ...runtime.patterns import lazy
from .inquiries import Found, Inquiry
from .one_value.policy import Policy

_FEW = 10
"""Characters that letters of options have."""
_NAMED = lazy(r"[A-J]\s*[=:(_]")
"""What has one of these letters for its name, and not for its option."""
_OTHER = ("not_equal", "another choice")


def match_options(
    expected: Reading,
    given: Reading,
    policy: Policy,
    compare: Callable[[Reading, Reading, Policy], Found],
) -> Found | None:
    """The verdict on two answers of which one has letters of options; None where letters decide nothing.

    ``B) 12`` is B, and it is 12; against another option with its letter, letter and text must agree.

    Args:
        expected: The reference.
        given: The answer.
        policy: What counts as the same.
        compare: How texts without letters are compared.
    """
    if policy.options == "as_written":
        return None
    if len(expected.text) <= _FEW or len(given.text) <= _FEW:
        for short, other in ((expected, given), (given, expected)):
            if short.letter_run and other.letter_list:
                same = short.letter_run == other.letter_list
                return ("equal_text", "") if same else ("not_equal", "other choices")
    one, other_option = expected.option, given.option
    if one and other_option:
        if one[0] != other_option[0]:
            return _OTHER
        return compare(one[1], other_option[1], policy)
    for short, other in ((expected, given), (given, expected)):
        letter = other.option[0] if other.option else other.chosen_letter
        if short.lone_letter and letter:
            return ("equal_text", "") if short.lone_letter == letter else _OTHER
    if other_option and not _NAMED.match(expected.text):
        verdict = compare(expected, other_option[1], policy)
        return verdict if isinstance(verdict, Inquiry) or is_equal(verdict[0]) else None
    if one and not _NAMED.match(given.text):
        return compare(one[1], given, policy)
    return None
