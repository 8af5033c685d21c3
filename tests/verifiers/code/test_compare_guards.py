"""Each thing that an answer must have to be equal, taken away one at a time: none of these may be paid."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from tests.support import in_groups
from verifiers.code.jail.codec import encode
from verifiers.code.tests.compare import same_value, shown
from verifiers.code.tests.outputs import difference, same_output

DEEP: Any = 1
for _ in range(25):
    DEEP = (DEEP,)


def _same(
    answer: Any, expected: Any, *, json_types: bool = False, tolerance: float = 0.0, **more: Any
) -> bool:
    return same_value(answer, expected, json_types=json_types, tolerance=tolerance, **more)


@pytest.mark.parametrize("json_types", [True, False])
@pytest.mark.parametrize(
    ("forged", "expected"),
    [
        ({"d": [["a", 1], ["a", 1]]}, {"a": 1, "b": 2}),  # one key twice in place of two
        ({"d": [["a", 1]]}, {"a": 1, "b": 2}),
        ({"d": [["a", 1], ["b", 2], ["a", 1]]}, {"a": 1, "b": 2}),
        ({"d": [["a", 1], ["c", 2]]}, {"a": 1, "b": 2}),
        ({"d": [["a", 1], ["b", 3]]}, {"a": 1, "b": 2}),
        ({"d": [["a", 2], ["b", 1]]}, {"a": 1, "b": 2}),
        ({"d": {"a": 1, "b": 2}}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}),  # not as the codec writes it
        ([["a", 1], ["b", 2]], {"a": 1, "b": 2}),
        ({"d": [[["a"], 1]]}, {"a": 1}),
        ({"s": [1, 1]}, {1, 2}),
        ({"s": [1]}, {1, 2}),
        ({"s": [1, 2, 2]}, {1, 2}),
        ({"s": [1, 3]}, {1, 2}),
        ({"s": [1, [2]]}, {1, 2}),
        ({"s": {"1": 1}}, {1}),
        ([1, 2], {1, 2}),
        ([1], [1, 2]),
        ([1, 2, 3], [1, 2]),
        ([2, 1], [1, 2]),
        ({"t": "ab"}, ("a", "b")),
        ({"t": {"0": 1}}, (1,)),
        ("12", ["1", "2"]),
        ({}, []),
        ({}, {}),
        (None, []),
        (None, 0),
        (None, ""),
        (None, math.nan),
        (0, None),
        (False, None),
        ("", None),
        ("1", 1),
        (1, "1"),
        ([1], 1),
        ({"t": [1]}, 1),
        (1.5, math.nan),
        ("nan", math.nan),
        (1e308, math.inf),
        ({"f": "-inf"}, math.inf),
        (2, True),
        ({"x": 1}, 1),
    ],
)
def test_a_forged_or_wrong_value_is_not_paid(forged: Any, expected: Any, json_types: bool) -> None:
    """Whatever a program writes in place of what the codec would have written."""
    assert _same(forged, expected, json_types=json_types) is False


@in_groups(
    [
        ({"t": [1, 2]}, [1, 2], True, False),
        ([1, 2], (1, 2), True, False),
        ({"t": [1, 2]}, (1, 2), True, True),
        ([1, 2], [1, 2], True, True),
        (True, 1, False, True),
        (1, True, False, True),
        (True, True, True, True),
        (1.0, 1, True, True),
        (1, 1.0, True, True),
        (False, 0.0, False, True),
        ({"d": [[1, "x"]]}, {"1": "x"}, True, False),
        ({"d": [[None, "x"]]}, {"null": "x"}, True, False),
        ({"d": [[True, "x"]]}, {"true": "x"}, True, False),
        ({"d": [[1.5, "x"]]}, {"1.5": "x"}, True, False),
        ({"d": [["1", "x"]]}, {"1": "x"}, True, True),
        ({"d": [["1", "x"]]}, {1: "x"}, False, False),
        ({"d": [[1, "x"]]}, {1: "x"}, True, True),
        ({"c": ["1.0", "0.0"]}, 1, False, True),
        (encode(Fraction(1, 2)), 0.5, False, True),
        (encode(Decimal("0.5")), 0.5, False, True),
        ({"f": "nan"}, math.nan, True, True),
        ({"f": "inf"}, math.inf, True, True),
        ({"i": "ff"}, 255, True, True),
        ({"d": []}, {}, True, True),
        ({"s": []}, set(), True, True),
        ({"z": [1]}, frozenset({1}), True, True),
        ({"s": [{"t": [1, 2]}]}, {(1, 2)}, True, True),
        ({"s": [{"z": [1]}]}, {frozenset({1})}, True, True),
        ({"s": [{"t": [{"t": [1]}, 2]}]}, {((1,), 2)}, True, True),
        ({"s": [{"t": [[1]]}]}, {(1,)}, False, False),
    ],
    repr,
)
def test_what_counts_as_equal_in_json_and_in_python(
    answer: Any, expected: Any, in_json: bool, in_python: bool
) -> None:
    """JSON has no tuples, no keys but strings, and a boolean is not a number in it."""
    assert _same(answer, expected, json_types=True) is in_json
    assert _same(answer, expected) is in_python


def test_a_tolerance_is_for_expected_fractions_only() -> None:
    """Absolute or relative, and for an integer only where that is asked for."""
    assert _same(0.3000001, 0.3, tolerance=1e-6)
    assert not _same(0.30001, 0.3, tolerance=1e-6)
    assert not _same(0.3000001, 0.3)
    assert _same(1e-7, 0.0, tolerance=1e-6), "absolute, near zero"
    assert _same(1e9 + 100, 1e9, tolerance=1e-6), "relative, far from it"
    assert not _same(10.000001, 10, tolerance=1e-6), "an integer is meant exactly"
    assert _same(10.000001, 10, tolerance=1e-6, exact_integers=False)
    assert not _same(11, 10, tolerance=1e-6, exact_integers=False)
    assert not _same(None, 10, tolerance=100.0, exact_integers=False)
    assert not _same("10", 10, tolerance=100.0, exact_integers=False)


def test_decimals_are_equal_by_value_and_only_to_decimals() -> None:
    """1.0 and 1.00 are one number; a text or a fraction is not that decimal."""
    assert _same(encode(Decimal("1.00")), Decimal("1.0"))
    assert not _same(encode(Decimal("1.01")), Decimal("1.0"))
    assert not _same("1.0", Decimal("1.0"))
    assert not _same(encode(Fraction(2, 1)), Decimal(1))
    assert not _same(encode(Decimal("1.0")), Fraction(2))
    assert _same(encode(Fraction(2, 4)), Fraction(1, 2))
    long = Decimal("1." + "0" * 500)
    assert not _same(encode(long), Decimal(1)), "no test expects one so long, and reading it costs time"
    assert _same(encode(long), long)
    assert not _same(encode(Fraction(1, 2**2000)), 2.0**-2000 + 1)


def test_members_that_nest_without_end_are_not_read() -> None:
    """Hashing them is work that a program chose."""
    assert _same(encode({(1, (2, (3,)))}), {(1, (2, (3,)))})
    assert not _same(encode({DEEP}), {DEEP})
    large = frozenset(range(1001))
    assert not _same(encode({large}), {large})
    small = frozenset(range(1000))
    assert _same(encode({small}), {small})


@in_groups(
    [
        ("1 ", "1", "exact", False),
        ("1", "1", "exact", True),
        ("1", "1\n", "exact", False),
        ("1 \n2\t\n\n\n", "1\n2", "trailing", True),
        ("1\n\n2", "1\n2", "trailing", False),
        (" 1", "1", "trailing", False),
        ("", "\n\n", "trailing", True),
        ("1\n2", "1", "trailing", False),
        ("2\n1\n\n", "1\n2", "unordered_lines", True),
        ("1\n1\n2", "1\n2\n2", "unordered_lines", False),
        ("1\n2\n2", "1\n2", "unordered_lines", False),
        ("1\n  2", "1\n2", "unordered_lines", False),
        ("1\n2", "1 2", "tokens", True),
        ("1 2 3", "1 2", "tokens", False),
        ("2 1", "1 2", "tokens", False),
        ("1.0", "1", "tokens", False),
        ("0.30000001 x", "0.3 x", "floats", True),
        ("0.30000001 y", "0.3 x", "floats", False),
        ("0.31", "0.3", "floats", False),
        ("0.3 0.3", "0.3", "floats", False),
        ("0.0000001", "0.0", "floats", True),
        ("1000000000.5", "1000000000.0", "floats", True),
        ("1000000000000000001", "1000000000000000000", "floats", False),
        ("1e18", "1000000000000000000", "floats", True),
        ("nan", "0.5", "floats", False),
        ("0.5", "nan", "floats", False),
        ("nan", "nan", "floats", True),
        ("1e400", "1e500", "floats", False),
        ("1e400", "1.5", "floats", False),
        ("1e400", "1", "floats", False),
        ("inf", "1e400", "floats", False),
        ("0x10", "16.0", "floats", False),
        ("-.5", "-0.5", "floats", True),
        ("5.", "5.0", "floats", True),
        ("+1e-1", "0.1", "floats", True),
        ("٣.0", "3.0", "floats", False),
        ("0." + "3" * 3990, "0.333333333", "floats", True),
        ("0." + "3" * 4000, "0.333333333", "floats", False),
        ("0.333333333", "0." + "3" * 4000, "floats", False),
    ],
    repr,
)
def test_outputs_that_differ_in_one_thing(said: str, wanted: str, mode: str, same: bool) -> None:
    """Order, number, white space, signs and size of what was printed."""
    assert same_output(said.encode(), wanted, mode, 1e-6) is same


def test_bytes_that_are_no_text_equal_nothing() -> None:
    """And raise nothing."""
    for mode in ("exact", "trailing", "tokens", "floats", "unordered_lines"):
        assert same_output(b"\xff", "?", mode, 1.0) is False


@pytest.mark.parametrize(
    ("output", "expected", "shown_difference"),
    [
        (b"", "4", "expected '4', got no output"),
        (b"\n\n", "", "expected '', got no output"),
        (b"1\n3\n", "1\n2", "line 2: expected '2', got '3'"),
        (b"1", "1\n2", "expected 2 lines, got 1"),
        (b"1\n2", "1", "expected 1 lines, got 2"),
        (b"1 ", "1", "expected '1', got '1 '"),
        (b"x" * 61, "y", f"line 1: expected 'y', got '{'x' * 60}…'"),
        (b"x" * 60, "y", f"line 1: expected 'y', got '{'x' * 60}'"),
    ],
)
def test_a_difference_names_its_line(output: bytes, expected: str, shown_difference: str) -> None:
    """The first one, cut to what a person reads."""
    assert difference(output, expected) == shown_difference


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"t": [1, 2]}, "(1, 2)"),
        ({"d": [["a", 1]]}, "{'a': 1}"),
        ({"g": [1]}, "a generator of [1]"),
        ({"t": 5}, "something that cannot be shown"),
        ("x" * 100, "'" + "x" * 59 + "…"),
    ],
)
def test_an_answer_is_shown_as_python_writes_it(answer: Any, text: str) -> None:
    """Forged ones too, without raising."""
    assert shown(answer) == text
    long = shown([1] * 5000)
    assert len(long) <= 61
    assert json.loads(json.dumps(long)) == long


@pytest.mark.parametrize("json_types", [True, False])
def test_members_and_keys_may_be_decimals_and_fractions(json_types: bool) -> None:
    """Of up to 200 signs as they are written; longer ones are not read."""
    for number in (Decimal("1.5"), Fraction(1, 3), 2**70, math.inf, 1 + 2j):
        assert _same(encode({number}), {number}, json_types=json_types)
        assert _same(encode({number: 1}), {number: 1}, json_types=json_types)
        assert not _same(encode({number: 1}), {number: 2}, json_types=json_types)
    long = Decimal("1." + "1" * 200)
    assert not _same(encode({long}), {long}, json_types=json_types)
