"""Comparison: laws over random values, and the edges."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import in_groups
from tests.timing import examples
from verifiers import CodePassRate
from verifiers.code.jail.codec import UnreadableError, decode, encode
from verifiers.code.suites.run_verdicts import same_output, same_value
from verifiers.code.suites.spec import CodeTests

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


@pytest.mark.parametrize(
    ("said", "wanted", "mode", "same"),
    [
        ("1\r\n2\r\n", "1\n2", "trailing", True),
        ("\n1", "1", "trailing", False),
        ("1e3", "1000", "floats", True),
        ("1000.0", "1000", "floats", True),
        ("1000.1", "1000", "floats", False),
        ("1_000", "1000", "floats", False),
        ("9" * 5000, "9" * 5000, "floats", True),
        ("9" * 5000, "8" * 5000, "floats", False),
        ("1e999", "1.5", "floats", False),
        ("-0.0", "0.0", "floats", True),
        ("+5", "5", "floats", True),
        ("YES", "yes", "tokens", False),
    ],
)
def test_outputs(said: str, wanted: str, mode: str, same: bool) -> None:
    assert same_output(said.encode(), wanted, mode, 1e-6) is same


def test_what_cannot_cross() -> None:
    """Objects, functions, and nesting without end."""
    endless: list[Any] = []
    endless.append(endless)
    for value in (object(), test_outputs, endless):
        with pytest.raises(UnreadableError):
            encode(value)


def test_one_answer_to_everything_is_named() -> None:
    """The warning says what hard-coding would be paid."""
    tests = {"stdio": [{"input": str(n), "output": "YES" if n else "NO"} for n in range(4)]}
    assert CodeTests.model_validate(tests).constant_score() == 0.75
    verdict = CodePassRate().verify("```python\nprint('YES')\n```", tests)
    assert verdict.score == 0.75
    assert "one answer to all tests would score 0.75" in verdict.detail


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


def test_public_and_hidden_tests_are_kept_apart() -> None:
    tests = {"stdio": [{"input": "2\n", "output": "4\n", "public": True}, {"input": "3\n", "output": "6\n"}]}
    verdict = CodePassRate().verify("```python\nprint(4)\n```", tests)
    assert [(part.verifier, part.score) for part in verdict.parts] == [("public", 1.0), ("hidden", 0.0)]
    assert [part.reason for part in verdict.parts[1].parts] == ["wrong_output"]
