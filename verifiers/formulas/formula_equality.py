"""Equality of two trees: exactly, as rational functions, then by balls; and points where they differ."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeGuard

from ..runtime.packages import deferred
from .ball_comparison import FIRST, KINDS, MAX_PEAK, SECOND, coordinate, equal, has_pieces, points_at_switches
from .ball_values import NoValueError, Point, at_precision, value_at
from .cost_limits import spend
from .exact_values import TooLargeError, exact
from .formula_tree import Apply, Node, Number, functions, is_understood, rebuild, symbols, walk
from .polynomials import same_function

flint = deferred("flint")


_COMPARISON = 60
"""Units that a comparison as rational functions takes at least."""
_TEN = Number(Fraction(10))


def decide(one: Node, other: Node, any_base: bool = True) -> str | None:
    r"""The reason code of `MathEquivalence` for two values; None where another stage must decide.

    Args:
        one: A value.
        other: Another.
        any_base: Whether ``log`` may have the base 10 as well, if then both agree; else it is the natural
            logarithm.

    >>> from verifiers.reading.formula_parser import parse
    >>> decide(parse(r"\sqrt{8}"), parse(r"2\sqrt{2}")), decide(parse("(x+1)(x-1)"), parse("x^2-1"))
    ('equal_numeric', 'equal_algebra')
    >>> decide(parse("1/2"), parse("1/3"))
    'proved_unequal'
    """
    if isinstance(one, Number) and isinstance(other, Number):
        return "equal_rational" if one.value == other.value else "proved_unequal"
    if one == other:
        return "equal_algebra"
    size = len(walk(one)) + len(walk(other))
    spend(size)
    with contextlib.suppress(TooLargeError):
        first, second = exact(one), exact(other)
        if first is not None and second is not None:
            return "equal_rational" if first == second else "proved_unequal"
    spend(_COMPARISON + size)
    reason = _decided(one, other)
    if any_base and not is_equal(reason) and "log" in functions(one) | functions(other):
        # It is unknown which base is meant: one under which both agree is enough.
        reason = _decided(to_base_ten(one), to_base_ten(other))
    if reason == "proved_unequal" and not (is_understood(one) and is_understood(other)):
        return "not_equal"
    return reason


def is_equal(reason: str | None) -> TypeGuard[str]:
    """Return whether a reason code means that two things are equal; None, for undecided, does not."""
    return reason is not None and reason.startswith("equal_")


def _decided(one: Node, other: Node) -> str | None:
    with contextlib.suppress(TooLargeError):
        identical = same_function(one, other)
        if identical is not None:
            return "equal_algebra" if identical else "proved_unequal"
    same = equal(one, other)
    return None if same is None else "equal_numeric" if same else "proved_unequal"


def to_base_ten(node: Node) -> Node:
    """A formula whose logarithms without a base are those to ten."""
    return _with_logarithms(node, "log_base", _TEN)


def to_natural(node: Node) -> Node:
    """A formula whose logarithms without a base are natural ones."""
    return _with_logarithms(node, "ln")


def _with_logarithms(node: Node, function: str, *base: Node) -> Node:
    def meant(each: Node) -> Node | None:
        if not isinstance(each, Apply) or each.function != "log":
            return None
        return Apply(function, (*base, *each.arguments))

    return rebuild(node, meant)


_COUNTING = frozenset("ijklmn")
"""Letters that stand for whole numbers by custom: (-1)^n and cos(n pi) differ nowhere else."""
_POSITIVE, _WHOLE = (
    tuple(number for number, kind in enumerate(KINDS) if kind == wanted) for wanted in ("positive", "whole")
)
_DIGITS = (20, 60, 300, 2_000)
"""Digits of an enclosure: the first number of them that tells two values apart."""


def apart(one: Node, other: Node) -> dict[str, Fraction] | None:
    """A point at which two formulas in the same unknowns certainly differ; None where none is known.

    All unknowns are positive there, and those that count are whole: a question may say as much of them.

    >>> from verifiers.reading.formula_parser import parse
    >>> apart(parse("x+1"), parse("x+2")) is None, apart(parse("(-1)^n"), parse(r"\\cos(n\\pi)")) is None
    (False, True)
    """
    names = sorted(symbols(one) | symbols(other))
    return next((at for at in _points(one, other, names) if _differ(one, other, at)), None)


def _points(one: Node, other: Node, names: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    if not names:
        yield {}
        return
    for number, whole in zip((*_POSITIVE, *_WHOLE), (*_WHOLE, *_WHOLE), strict=True):
        yield {name: coordinate(name, whole if name[0] in _COUNTING else number) for name in names}
    if has_pieces(one) or has_pieces(other):
        for at in points_at_switches(one, other, names):
            if all(
                value > 0 and (name[0] not in _COUNTING or value.denominator == 1)
                for name, value in at.items()
            ):
                yield at


def _differ(one: Node, other: Node, at: Mapping[str, Fraction]) -> bool:
    peak = 0
    for precision in (FIRST, SECOND):
        try:
            point = Point(at)
            difference = at_precision(precision + 2 * peak, _difference, one, other, point)
        except NoValueError:
            return False
        if difference.is_finite() and not difference.contains(0):
            return True
        peak = point.peak
        if peak > MAX_PEAK:
            return False
    return False


def _difference(one: Node, other: Node, point: Point) -> Any:
    return value_at(one, point) - value_at(other, point)


def ball_at(node: Node, at: Mapping[str, Fraction], precision: int = FIRST) -> Any:
    """The ball of a formula at a point.

    Raises:
        NoValueError: It has no certain value there.
    """
    return at_precision(precision, value_at, node, Point(at))


def enclosures(one: Node, other: Node, at: Mapping[str, Fraction]) -> tuple[list[str], list[str]] | None:
    """Two values as decimals with their errors, real and imaginary part, so many that they do not meet.

    >>> from verifiers.reading.formula_parser import parse
    >>> enclosures(parse("1/4"), parse(r"\\sqrt{2}"), {})[0]
    ['0.25000000000000000000', '0']
    """
    for digits in _DIGITS:
        try:
            values = [ball_at(each, at, FIRST + 4 * digits) for each in (one, other)]
        except NoValueError:
            return None
        texts = [[part.str(digits) for part in (value.real, value.imag)] for value in values]
        if at_precision(FIRST + 4 * digits, _are_apart, *texts):
            return texts[0], texts[1]
    return None


def _are_apart(one: list[str], other: list[str]) -> bool:
    read = [flint.acb(*map(flint.arb, each)) for each in (one, other)]
    return not (read[0] - read[1]).contains(0)
