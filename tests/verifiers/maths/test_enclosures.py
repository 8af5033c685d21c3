"""Laws of balls and intervals: each holds the value that Python's own mathematics gives, and hardly more."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import examples
from verifiers.formulas.answer_shapes import Value
from verifiers.formulas.ball_comparison import _meet, equal
from verifiers.formulas.ball_values import NoValueError, Point, special_value, value_at
from verifiers.formulas.formula_tree import (
    Apply,
    Constant,
    Dummy,
    Node,
    Number,
    Power,
    Product,
    Range,
    Root,
    Sum,
    Symbol,
)
from verifiers.formulas.growth import NoEnclosureError, bounds
from verifiers.formulas.integrands import _MEROMORPHIC, _RULES, compiled
from verifiers.reading.answer_readings import Reading

RUN = Dummy(0, "x")
OWN: dict[str, Callable[..., complex]] = {
    **{name: getattr(cmath, name) for name in ("sin", "cos", "tan", "exp", "sinh", "cosh", "tanh")},
    **{name: getattr(cmath, name) for name in ("asin", "acos", "atan")},
    "cot": lambda x: 1 / cmath.tan(x),
    "sec": lambda x: 1 / cmath.cos(x),
    "csc": lambda x: 1 / cmath.sin(x),
    "ln": cmath.log,
    "log": cmath.log,
    "log_base": lambda base, x: cmath.log(x) / cmath.log(base),
    "abs": lambda x: abs(x),
    "floor": lambda x: math.floor(x.real),
    "ceil": lambda x: math.ceil(x.real),
    "max": lambda *given: max(each.real for each in given),
    "min": lambda *given: min(each.real for each in given),
    "percent": lambda x: x / 100,
    "degrees": lambda x: x * math.pi / 180,
    "factorial": lambda x: math.gamma(x.real + 1),
    "binomial": lambda n, k: (
        math.gamma(n.real + 1) / math.gamma(k.real + 1) / math.gamma(n.real - k.real + 1)
    ),
}
"""Every function of a body, by another hand."""
PLACES = (Fraction(1, 3), Fraction(5, 7), Fraction(2, 9))


def constant(node: Node) -> Any:
    return value_at(node, Point({}))


def ball(value: Fraction) -> Any:
    return flint.acb(flint.fmpq(value.numerator, value.denominator))


def is_close(found: Any, wanted: complex) -> bool:
    """Whether a ball is a point, nearly, and that of a floating-point value."""
    size = max(1.0, abs(wanted))
    return (
        bool(found.is_finite())
        and abs(complex(found) - wanted) < 1e-9 * size
        and float(found.rad()) < 1e-9 * size
    )


@pytest.mark.parametrize("name", sorted(OWN))
def test_a_function_of_what_runs_is_that_function(name: str) -> None:
    """At several places, with one argument or two."""
    counts = {"log_base": (2,), "binomial": (2,), "max": (1, 2, 3), "min": (1, 2, 3)}.get(name, (1,))
    for place in PLACES:
        for count in counts:
            given = [place, place + 2, place - 3][:count] if name != "binomial" else [place + 3, place]
            nodes = [Sum((RUN, Number(each - place))) for each in given]
            found = compiled(Apply(name, tuple(nodes)), constant)({0: ball(place)}, False)
            assert is_close(found, OWN[name](*(complex(each) for each in given))), (name, given, found)


def test_every_function_has_its_oracle() -> None:
    """So that one that is added is tested."""
    assert {*OWN} == {*_RULES} | _MEROMORPHIC


@pytest.mark.parametrize(("operation", "wanted"), [("sum", sum), ("product", math.prod)])
def test_a_range_inside_a_body_is_added_up(operation: str, wanted: Callable[..., Any]) -> None:
    """From its first number to its last, each once."""
    inner = Dummy(1, "k")
    for first, last in ((0, 0), (1, 4), (2, 3)):
        node = Range(operation, Sum((RUN, inner)), inner, Number(Fraction(first)), Number(Fraction(last)))
        found = compiled(node, constant)({0: ball(PLACES[0])}, False)
        assert is_close(found, wanted(float(PLACES[0]) + number for number in range(first, last + 1)))


BODIES = st.recursive(
    st.one_of(
        st.just(RUN),
        st.builds(Number, st.sampled_from([Fraction(2), Fraction(-3), Fraction(1, 2), Fraction(7, 3)])),
        st.just(Constant("pi")),
    ),
    lambda inner: st.one_of(
        st.builds(lambda *terms: Sum(terms), inner, inner),
        st.builds(lambda *factors: Product(factors), inner, inner),
        st.builds(lambda base, count: Power(base, Number(Fraction(count))), inner, st.integers(-3, 4)),
        st.builds(lambda above: Power(Constant("e"), above), inner),
        st.builds(Root, inner, st.integers(2, 4)),
        st.builds(lambda name, inside: Apply(name, (inside,)), st.sampled_from(["sin", "cos", "exp", "ln", "atan"]), inner),
    ),
    max_leaves=5,
)  # fmt: skip


def by_floats(node: Node, place: float) -> float:
    """The value of a body, which need not be real or exist."""
    if isinstance(node, Dummy):
        return place
    if isinstance(node, Number):
        return float(node.value)
    if isinstance(node, Constant):
        return {"pi": math.pi, "e": math.e}[node.name]
    if isinstance(node, Sum):
        return sum(by_floats(each, place) for each in node.terms)
    if isinstance(node, Product):
        return math.prod(by_floats(each, place) for each in node.factors)
    if isinstance(node, Power):
        value = by_floats(node.base, place) ** by_floats(node.exponent, place)
        return float(value)
    if isinstance(node, Root):
        return float(by_floats(node.radicand, place) ** (1 / node.degree))
    assert isinstance(node, Apply)
    return float(OWN[node.function](complex(by_floats(node.arguments[0], place))).real)


@settings(max_examples=examples(80))
@given(BODIES, st.fractions(-2, 2, max_denominator=5), st.fractions(Fraction(1, 5), 2, max_denominator=5))
def test_bounds_hold_every_value_between(body: Node, low: Fraction, width: Fraction) -> None:
    """Or none are given."""
    try:
        bottom, top = bounds(body, ball(low).real, ball(low + width).real, constant)
    except (NoEnclosureError, NoValueError):
        return
    for share in (0, Fraction(1, 7), Fraction(1, 2), Fraction(5, 6), 1):
        try:
            value = by_floats(body, float(low + share * width))
        except (ArithmeticError, ValueError, TypeError):
            continue
        slack = 1e-6 * max(1.0, abs(value))
        assert float(bottom) <= value + slack, (share, value)
        assert float(top) >= value - slack, (share, value)


HALF = Number(Fraction(1, 2))


@pytest.mark.parametrize(
    ("body", "bottom", "top"),
    [
        (RUN, 0.5, 2), (Sum((RUN, HALF)), 1, 2.5), (Product((RUN, HALF)), 0.25, 1), (Product((RUN, RUN)), 0.25, 4),
        (Product((Number(Fraction(-1)), RUN)), -2, -0.5), (Power(RUN, Number(Fraction(3))), 0.125, 8),
        (Power(RUN, Number(Fraction(-1))), 0.5, 2), (Power(RUN, Number(Fraction(0))), 1, 1), (Root(RUN, 2), 0.5**0.5, 2**0.5),
        (Power(Sum((RUN, Number(Fraction(-1)))), Number(Fraction(2))), 0, 1),
        (Power(Constant("e"), RUN), math.exp(0.5), math.exp(2)), (Apply("exp", (RUN,)), math.exp(0.5), math.exp(2)),
        (Apply("ln", (RUN,)), math.log(0.5), math.log(2)), (Power(HALF, RUN), 0.25, 0.5**0.5), (Apply("sin", (RUN,)), -1, 1),
        (Apply("atan", (RUN,)), -math.pi / 2, math.pi / 2), (Power(Number(Fraction(2)), RUN), 2**0.5, 4),
    ],
)  # fmt: skip
def test_bounds_are_no_wider_than_the_rule(body: Node, bottom: float, top: float) -> None:
    """From a half to two, where each of these is as large as is said."""
    found = bounds(body, flint.arb("0.5"), flint.arb(2), constant)
    assert [float(end) for end in found] == pytest.approx([bottom, top], abs=1e-9)


@pytest.mark.parametrize(
    "body",
    [
        Root(RUN, 2), Root(RUN, 3), Apply("ln", (RUN,)), Power(RUN, Number(Fraction(-1))), Power(RUN, HALF),
        Power(RUN, Number(Fraction(-2))), Apply("tan", (RUN,)), Product((RUN, Root(Number(Fraction(-1)), 2))), Symbol("y"),
        Apply("sin", (Root(RUN, 2),)), Apply("atan", (Apply("ln", (RUN,)),)), Apply("cos", (Power(RUN, HALF),)),
    ],
)  # fmt: skip
def test_what_may_not_be_real_has_no_bounds(body: Node) -> None:
    """Around zero, however little of it is below."""
    for low in ("-0.5", "-0.001"):
        with pytest.raises((NoEnclosureError, NoValueError, KeyError)):
            bounds(body, flint.arb(low), flint.arb(1), constant)


@pytest.mark.parametrize("exponent", [-2, -1, 0, 1, 2, 5])
def test_a_power_of_what_may_be_zero(exponent: int) -> None:
    """A quotient by zero has no value; zero to the zero is one, as for Python."""
    for value in (Fraction(0), Fraction(2), Fraction(-3, 2)):
        node = Power(Symbol("x"), Number(Fraction(exponent)))
        if value == 0 and exponent < 0:
            with pytest.raises(NoValueError):
                value_at(node, Point({"x": value}))
        else:
            assert is_close(value_at(node, Point({"x": value})), float(value) ** exponent)


def _node(text: str) -> Node:
    shape = Reading(text).shape
    assert isinstance(shape, Value)
    return shape.node


@from_table()
def test_values_and_functions(one: str, other: str, same: bool) -> None:
    """Those made of pieces agree at every point that is looked at; sums and integrals are told apart."""
    assert equal(_node(one), _node(other)) is same


def test_a_series_that_is_not_enclosed_is_guessed() -> None:
    """From its first terms, to many digits; between ends that are not real nothing is."""
    half = _node(r"\sum_{n=0}^\infty \frac{(-1)^n}{2n+1}")
    assert abs(complex(value_at(half, Point({}, guess=True)).mid()) - 0.78539816339745) < 1e-10
    with pytest.raises((NoValueError, NoEnclosureError)):
        value_at(_node(r"\int_0^i x^2 dx"), Point({}))


def test_an_inverse_cotangent_has_a_value_where_all_agree_on_it() -> None:
    """Of a positive number; not of a negative one, nor of one that is not real."""
    assert special_value("acot", [flint.acb(2)], True).contains(flint.acb("0.5").atan().mid())
    assert special_value("acot", [flint.acb(-2)], True) is None
    assert special_value("acot", [flint.acb(1, 1)], True) is None


@pytest.mark.parametrize(("left", "right"), [((1, 0), (1, 1)), ((1, 1), (1, 0)), ((1, 1), (1, 1))])
def test_only_real_balls_meet_where_only_real_ones_count(
    left: tuple[int, int], right: tuple[int, int]
) -> None:
    """Each of the two."""
    with pytest.raises(NoValueError):
        _meet(flint.acb(*left), flint.acb(*right), True)
    assert _meet(flint.acb(*left), flint.acb(*right), False) == (left == right)
    assert _meet(flint.acb(1), flint.acb(1), True)
