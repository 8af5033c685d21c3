"""The declared policies of MathEquivalence: each field, both ways round."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import from_table, tables
from tests.verifiers.maths.deciding import compare, match
from verifiers import ConfigError, MathEquivalence
from verifiers.maths.decide.policy import DEFAULT, STRICT

# Field and value, then a pair that it makes equal or not, and whether the default agrees with it.


@from_table()
def test_policy(fields: dict[str, Any], one: str, other: str, equal: bool, by_default: bool) -> None:
    """In both directions, beside what the default says."""
    symmetric = {"reference_decimals": "exact"}
    for verifier, wanted in (
        (MathEquivalence(**{**symmetric, **fields}), equal),
        (MathEquivalence(**symmetric), by_default),
    ):
        for reference, answer in ((one, other), (other, one)):
            verdict = verifier.verify(f"\\boxed{{{answer}}}", reference)
            assert verdict.passed is wanted, verdict


@from_table()
def test_a_decimal_of_a_reference_may_be_a_rounding(answer: str, reference: str, equal: bool) -> None:
    """Of an exact answer that no finite decimal equals; a field turns it off, and so does `strict`."""
    assert MathEquivalence().verify(f"\\boxed{{{answer}}}", reference).passed is equal
    assert not MathEquivalence(reference_decimals="exact").verify(f"\\boxed{{{answer}}}", reference).passed
    assert not MathEquivalence(strict=True).verify(f"\\boxed{{{answer}}}", reference).passed


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"percent": "maybe"}, "percent must be 'either' or 'exact', got 'maybe'"),
        ({"tolerance": -0.1}, "tolerance must be a number of at least 0, got -0.1"),
        ({"tolerance": float("nan")}, "tolerance must be a number of at least 0, got nan; it must be finite"),
        ({"tolerance": "0.1"}, "tolerance must be a number of at least 0, got '0.1'"),
        ({"units": ["cm"]}, "units must be"),
    ],
)
def test_a_bad_field_is_refused(fields: dict[str, Any], message: str) -> None:
    """With its value, and what it may be."""
    with pytest.raises(ConfigError, match=message):
        MathEquivalence(**fields)


def test_readings_for_explain() -> None:
    """Both sides as they were read; text that is too long is not read."""
    judge = MathEquivalence()
    verdict = judge.verify(r"\boxed{x \le 3}", r"(-\infty, 3]")
    assert judge.readings(verdict) == {"extracted": "x <= 3", "expected": "(-infinity; 3]"}
    long = judge.verify(r"\boxed{" + "1+" * 4000 + "1}", "3")
    assert judge.readings(long) == {"expected": "3"}


FORMS = [text for [text] in tables(__file__)["forms"]]


def test_strict_equality_makes_classes() -> None:
    """Every triple: without that a majority vote depends on the order of its answers."""
    judge = MathEquivalence(strict=True)
    forms = list(dict.fromkeys(FORMS))
    later = {
        one: [other for other in forms[place:] if judge.verify(f"\\boxed{{{other}}}", one).passed]
        for place, one in enumerate(forms)
    }
    assert all(one in members for one, members in later.items())
    first: dict[str, str] = {}
    for one, members in later.items():
        for member in members:
            first.setdefault(member, one)
    for one, members in later.items():
        # What follows in its class are all that were found equal to the first of the class.
        follows = [other for other in forms[forms.index(one) :] if first[other] == first[one]]
        assert members == follows, one
        assert all(judge.verify(f"\\boxed{{{one}}}", member).passed for member in members), one
    assert len(set(first.values())) > 100


def test_a_comma_is_a_decimal_one_where_that_is_shown_and_no_policy_forbids_it() -> None:
    """By the reference, which writes a point; as it is written it parts two values."""
    for point, comma in (("3.5", "3,5"), ("0.25", "0,25")):
        assert match(point, comma, DEFAULT)[0] == "equal_text"
        assert match(point, comma, STRICT)[0] == "several_answers"
        assert match(comma, point, DEFAULT)[0] == match(comma, point, STRICT)[0] == "not_equal"


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("xy+C", "xy+K", True), ("x^2 y+C_1", "x^2 y+C", True), ("Cxy", "Kxy", True), ("x^2+C", "x^2+K", True),
        ("X+C", "X+K", False), ("C_1 x+C_2 y", "C_2 x+C_1 y", False), ("Cxy+D", "xy+D", False),
    ],
)  # fmt: skip
def test_one_constant_goes_with_several_unknowns_and_two_with_one(one: str, other: str, equal: bool) -> None:
    """Which is which can only be told of one unknown, in small letters."""
    assert (compare(one, other) or "").startswith("equal_") == equal
