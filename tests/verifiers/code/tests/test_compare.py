"""Comparison: laws over random values, and the edges."""

from __future__ import annotations

import ast
import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table, in_groups
from tests.timing import examples
from verifiers import CodePassRate
from verifiers.code.jail.codec import UnreadableError, decode, encode
from verifiers.code.suites.run_verdicts import difference, same_output, same_value, shown

KEYS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.floats(allow_nan=False))
HASHABLE = st.recursive(
    KEYS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4
)
VALUES = st.recursive(
    st.one_of(KEYS, st.binary(max_size=4), st.complex_numbers(allow_nan=False)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.sets(HASHABLE, max_size=4),
        st.dictionaries(HASHABLE, inner, max_size=4),
    ),
    max_leaves=12,
)


def _sent(value: Any) -> Any:
    return json.loads(json.dumps(encode(value)))


@given(VALUES)
@settings(max_examples=examples(200))
def test_a_value_comes_back(value: Any) -> None:
    """With its type, and equal to itself."""
    back = decode(_sent(value))
    assert back == value
    assert type(back) is type(value)
    assert same_value(_sent(value), value, json_types=False, tolerance=0.0)


@given(VALUES, VALUES)
@settings(max_examples=examples(200))
def test_equal_means_what_python_means(one: Any, other: Any) -> None:
    """Except that a value of another type that Python holds equal, such as a set and a frozenset, may differ."""
    said = same_value(_sent(one), other, json_types=False, tolerance=0.0)
    assert said == (one == other)


ZEROS = [0, False, 0.0, -0.0, 0j, -0j, Fraction(0), Decimal(0), Decimal("0.00")]
ONES = [1, True, 1.0, 1 + 0j, 1j, Fraction(1), Decimal("1.00")]
NUMBERS = [
    *ZEROS, *ONES, 0.5, 0.5 + 0j, Fraction(1, 2), Decimal("0.5"), Fraction(1, 3), 1 / 3, math.inf, -math.inf,
    complex(math.inf), Decimal("inf"), 2**70, 2.0**70, Fraction(2**70), Decimal(2**70), Decimal("1e999999999"),
]  # fmt: skip


@in_groups(NUMBERS, repr)
def test_numbers_are_equal_across_their_types(expected: Any) -> None:
    for answer in NUMBERS:
        said = same_value(_sent(answer), expected, json_types=False, tolerance=0.0)
        assert said == (answer == expected), answer


@pytest.mark.parametrize("number", [math.nan, complex(math.nan, 1), Decimal("nan")], ids=repr)
def test_what_is_no_number_is_itself_and_no_other(number: Any) -> None:
    assert not same_value(0.0, number, json_types=False, tolerance=0.1)
    for other in (math.nan, complex(math.nan, 1), Decimal("nan")):
        said = same_value(_sent(other), number, json_types=False, tolerance=0.1)
        assert said == (type(other) is type(number)), other


def test_a_complex_number_has_the_tolerance_of_a_float() -> None:
    near = {"json_types": False, "tolerance": 1e-6}
    assert same_value(_sent(1 + 1e-9j), 1 + 0j, **near)
    assert same_value(1.000000001, 1 + 0j, **near)
    assert not same_value(_sent(1 + 1e-3j), 1 + 0j, **near)
    assert not same_value(_sent(1 + 1e-9j), 1.0, **near)  # what should be real is not complex
    assert not same_value(_sent(Decimal("1.000000001")), 1 + 0j, **near)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.floats(allow_nan=False)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=10,
)


@given(JSON)
@settings(max_examples=examples(120))
def test_json_values_equal_themselves_as_tuples_too(value: Any) -> None:
    def tuples(each: Any) -> Any:
        if isinstance(each, list):
            return tuple(map(tuples, each))
        return {key: tuples(item) for key, item in each.items()} if isinstance(each, dict) else each

    for same in (value, tuples(value)):
        assert same_value(_sent(same), value, json_types=True, tolerance=0.0)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.floats(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*"itszdbfcrTovqg", "of", "is", "zz"]), inner, max_size=2)
        ),
        max_leaves=8,
    ),
    VALUES,
)
@settings(max_examples=examples(200))
def test_forged_answers_never_raise(answer: Any, expected: Any) -> None:
    """Whatever a program writes."""
    for json_types in (True, False):
        assert same_value(answer, expected, json_types=json_types, tolerance=1e-9) in (True, False)


@given(st.binary(max_size=60), st.text(max_size=60))
@settings(max_examples=examples(120))
def test_outputs_never_raise_and_equal_themselves(output: bytes, text: str) -> None:
    for mode in ("trailing", "exact", "tokens", "floats", "unordered_lines"):
        assert same_output(output, text, mode, 1e-6) in (True, False)
        assert same_output(text.encode("utf-8", "surrogatepass"), text, mode, 1e-6) or max(text) >= "\ud800"


def test_what_cannot_cross() -> None:
    """Objects, functions, and nesting without end."""
    endless: list[Any] = []
    endless.append(endless)
    for value in (object(), test_what_cannot_cross, endless):
        with pytest.raises(UnreadableError):
            encode(value)


def test_long_programs_and_long_answers() -> None:
    """A program of 10 MB is refused; an expected answer of 3 MB fits whatever the limit."""
    tests = {"stdio": [{"output": "x" * 3_000_000}]}
    assert CodePassRate().verify("```python\nprint('x' * 3_000_000)\n```", tests).passed
    verdict = CodePassRate().verify("```python\nx = '" + "a" * 10_000_000 + "'\n```", tests)
    assert (verdict.score, verdict.reason) == (0.0, "over_limit")


def test_a_long_answer_fits_in_every_form() -> None:
    """Whatever the limit on output is."""
    long = "x" * 1_200_000
    program = "```python\ndef f():\n    return 'x' * 1_200_000\n```"
    assert CodePassRate().verify(program, {"asserts": [f"assert f() == '{long}'"]}).passed
    assert CodePassRate().verify(program, {"calls": [{"function": "f", "args": (), "expected": long}]}).passed


def test_a_generator_is_shown_without_its_address() -> None:
    """Scoring twice gives the same bytes."""
    tests = {"calls": [{"function": "f", "expected": [1]}]}
    verdict = CodePassRate().verify("```python\ndef f():\n    yield 1\n```", tests)
    assert "expected [1], got a generator of [1]" in verdict.detail


DEEP: Any = 1
for _ in range(25):
    DEEP = (DEEP,)


def _written(value: Any) -> Any:
    """Tables write values as Python does."""
    return ast.literal_eval(value) if isinstance(value, str) else value


def _same(
    answer: Any, expected: Any, *, json_types: bool = False, tolerance: float = 0.0, **more: Any
) -> bool:
    return same_value(answer, expected, json_types=json_types, tolerance=tolerance, **more)


@from_table(
    (None, math.nan), (1.5, math.nan), ("nan", math.nan), (1e308, math.inf), ({"f": "-inf"}, math.inf)
)
def test_a_forged_or_wrong_value_is_not_paid(forged: Any, expected: Any) -> None:
    """Whatever a program writes in place of what the codec would have written."""
    assert _same(forged, _written(expected), json_types=True) is False
    assert _same(forged, _written(expected), json_types=False) is False


@from_table(
    ({"f": "nan"}, math.nan, True, True),
    ({"f": "inf"}, math.inf, True, True),
    ({"z": [1]}, frozenset({1}), True, True),
    ({"s": [{"z": [1]}]}, {frozenset({1})}, True, True),
)
def test_what_counts_as_equal_in_json_and_in_python(
    answer: Any, expected: Any, in_json: bool, in_python: bool
) -> None:
    """JSON has no tuples, no keys but strings, and a boolean is not a number in it."""
    assert _same(answer, _written(expected), json_types=True) is in_json
    assert _same(answer, _written(expected)) is in_python


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


@from_table(
    ("0." + "3" * 3990, "0.333333333", "floats", True),
    ("0." + "3" * 4000, "0.333333333", "floats", False),
    ("0.333333333", "0." + "3" * 4000, "floats", False),
    ("9" * 5000, "9" * 5000, "floats", True),
    ("9" * 5000, "8" * 5000, "floats", False),
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


@from_table()
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
