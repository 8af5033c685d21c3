"""Comparison in rigorous ball arithmetic (Arb, through python-flint), and the points at which it is done.

A value is known to lie in a ball. Balls that do not meet prove that two values differ. Balls that meet
when both are known to hundreds of digits are taken as equality: nothing is rounded to some decimals, and
1/2004! differs from 1/2006! however small both are.

Nine points that look random but are the same each time see an analytic formula from all sides: moderate and
large values, whole ones, both signs. A formula that is made of pieces (absolute values, largest and smallest
values, whole parts, even roots) may be another one elsewhere, so it is also looked at

* where an argument that is linear in one unknown is zero, and closely and loosely on both sides of that;
* below, above and far beyond every constant that it is written with, with either sign,

in each unknown by itself and in all of them together.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from ..runtime.packages import deferred
from .ball_values import NoValueError, OverLimitError, Point, at_precision, ball, precise, value_at
from .cost_limits import may_add, note_likely
from .exact_values import TooLargeError, rational_value
from .formula_tree import (
    Apply,
    Constant,
    Dummy,
    Node,
    Number,
    Range,
    Root,
    Sum,
    Symbol,
    children,
    is_finite,
    negative,
    symbols,
    walk,
)
from .polynomials import linear

flint = deferred("flint")


KINDS = ("positive", "mixed", "large", "negative", "positive", "mixed", "whole", "large", "whole")
"""Kind of each of the ordinary points."""
PIECEWISE = frozenset({"abs", "floor", "ceil", "max", "min"})
"""Functions of which several pieces must be seen."""
_MOST = 12
"""Constants and switches, each, that are looked at: more than any answer has."""
_CLOSE = Fraction(1, 1 << 40)
_LOOSE = Fraction(1, 7)
_AROUND = (Fraction(8, 9), Fraction(10, 9), Fraction(31, 10))
"""Below, above and beyond a constant, as multiples of it."""
_SEEN = (Fraction(1, 3), Fraction(3))
"""Sizes on both sides of which the ordinary points lie."""
_SQUARINGS, _FARTHEST = 2, 10**36
"""Squarings of the largest constant for a point, and the farthest result: a root brings it back."""


def has_pieces(node: Node) -> bool:
    """Return whether a formula has pieces: absolute values, and even roots, which hide a sign."""
    return any(_switches(each) for each in walk(node))


def coordinate(name: str, number: int) -> Fraction:
    """A coordinate that looks random but is the same each time; what it is like depends on the point.

    Two points are moderate and positive, two of mixed signs, one negative, two large and of mixed signs,
    two whole: |a + b| is |a| + |b| where the signs agree, and floor functions agree nearly everywhere.
    """
    digest = hashlib.blake2b(f"{name}:{number}".encode(), digest_size=8).digest()
    share = Fraction(int.from_bytes(digest[:4], "big"), 1 << 32)
    # Opposite signs for about half of the unknowns, and the other half at the next such point.
    opposite = hashlib.blake2b(name.encode(), digest_size=1).digest()[0] & 1
    kind = KINDS[number]
    sign = -1 if kind == "negative" or (kind in ("mixed", "large") and (opposite + number) % 2) else 1
    if kind == "large":
        return sign * (120 + 500 * share) * 1_000
    if kind == "whole":
        return Fraction(2 + int(7 * share))
    return sign * (Fraction(1, 7) + 3 * share)


def points_at_switches(one: Node, other: Node, names: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    """The points that only formulas made of pieces are compared at."""
    ordinary = {name: coordinate(name, 0) for name in names}
    for value in _interesting(one, other):
        if len(names) > 1:
            yield dict.fromkeys(names, value)
        for name in names:
            yield {**ordinary, name: value}


def _interesting(one: Node, other: Node) -> list[Fraction]:
    found: dict[Fraction, None] = {}
    for zero in _spread(_zeros(one) | _zeros(other)):
        close = _CLOSE * max(Fraction(1), abs(zero))
        for value in (zero, zero - close, zero + close, zero - _LOOSE, zero + _LOOSE, 2 * zero):
            found[value] = None
    sizes: set[Fraction] = _sizes(one) | _sizes(other)
    sizes |= {1 / size for size in sizes}
    sizes = {size for size in sizes if not _SEEN[0] <= size <= _SEEN[1]}
    for size in _spread(sizes):
        for share in _AROUND:
            found[size * share] = found[-size * share] = None
    largest = max(sizes, default=Fraction(1))
    for _ in range(_SQUARINGS):
        largest *= largest
        if 1 < largest < _FARTHEST:
            found[largest] = found[-largest] = None
    return list(found)


def _spread(values: set[Fraction]) -> list[Fraction]:
    """The smallest and the largest of many."""
    ordered = sorted(values)
    return ordered if len(ordered) <= _MOST else [*ordered[: _MOST // 2], *ordered[-_MOST // 2 :]]


def _switches(node: Node) -> bool:
    """Return whether a node is a piecewise function of something that varies."""
    named = (isinstance(node, Apply) and node.function in PIECEWISE) or (
        isinstance(node, Root) and node.degree % 2 == 0
    )
    return named and any(isinstance(each, Symbol) for each in walk(node))


def _zeros(node: Node) -> set[Fraction]:
    """Return the zeros of pieces' arguments linear in one unknown, and where two of them are the same."""
    found = set()
    for each in walk(node):
        if not _switches(each):
            continue
        arguments = each.arguments if isinstance(each, Apply) else (each.radicand,)  # type: ignore[union-attr]
        several = len(arguments) > 1
        for place, argument in enumerate(arguments):
            others = arguments[place + 1 :] if several else (None,)
            for beside in others[:_MOST]:
                difference = argument if beside is None else Sum((argument, negative(beside)))
                if any(isinstance(inner, Range | Dummy) for inner in walk(difference)):
                    continue
                with contextlib.suppress(TooLargeError):
                    line = linear(difference)
                    if line is not None:
                        zero = -line[2] / line[1]
                        found.add(Fraction(int(zero.p), int(zero.q)))
    return found


def _sizes(node: Node) -> set[Fraction]:
    """The sizes of the rational constants of a formula, as large as they can be read: 10^7, not 10 and 7."""
    found: set[Fraction] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        is_constant = not any(isinstance(inner, Symbol | Constant | Dummy) for inner in walk(each))
        if is_constant and (value := rational_value(each)) is not None:
            found.add(abs(Fraction(int(value.p), int(value.q))))
        else:
            waiting.extend(children(each))
    return found - {Fraction(0)}


FIRST, SECOND = 128, 2_048
"""Bits: the first precision separates what differs, the second confirms what agrees."""
SPARE = 500
"""Bits of the second precision that rounding may cost before two values count as known."""
MAX_PEAK = 100_000
"""Largest size, in bits, of a value on the way: a term that small next to the others must still be seen.
It is divided among the functions, since each costs more the more bits are asked for."""
RANGE_SECOND = 1_024
"""The second precision where there are integrals or sums over ranges, which cost more with every bit."""
CLOSE = 6
"""Bits to which two values that meet are known for it to be likely that they are equal."""
_SEEMING = 1e-3
"""Up to which share of their size two guesses seem to be equal."""
POINTS, ENOUGH = len(KINDS), 4
"""Points that are tried for formulas with unknowns, and points that must agree."""
_PLACES = 20
"""Digits after the point to which a value is looked at, to tell whether it is a decimal."""


def equal(one: Node, other: Node) -> bool | None:
    """Return whether two formulas have one value everywhere; False is proved, None is not decided.

    Values without unknowns agree where their balls meet when both are known to hundreds of digits; terms that
    are small beside the others, and functions that come as near to a limit as tanh does, are given as
    many digits more. With unknowns they must agree so at four points at least, and differ at none of those
    of the points: small, large and whole values of both signs, and for formulas made of pieces
    their switches, and both sides of every constant and far beyond it. A point there that is too large to be
    evaluated leaves it undecided.

    Raises:
        OverBudgetError: Comparing them is more work than is allowed.
    """
    names = sorted(symbols(one) | symbols(other))
    if not names:
        try:
            return _equal_at(one, other, {})
        except NoValueError:
            _guess(one, other, {})
            return None
    agreed = 0
    pieces = has_pieces(one) or has_pieces(other)
    enough = POINTS if pieces else ENOUGH
    for number in range(POINTS):
        point = {name: coordinate(name, number) for name in names}
        try:
            # Where a side is not real, roots and logarithms may differ by convention: no verdict from there.
            same = _equal_at(one, other, point, real_only=KINDS[number] not in ("positive", "whole"))
        except NoValueError:
            continue
        if same is False:
            return False
        agreed += same is True
        if agreed >= enough:
            break
    if agreed < ENOUGH:
        _guess(one, other, {name: coordinate(name, 0) for name in names})
        return None
    return _agree_at_switches(one, other, names) if pieces else True


@precise(2 * FIRST)
def _agree_at_switches(one: Node, other: Node, names: Sequence[str]) -> bool | None:
    """Return whether formulas that agree at ordinary points do so where one of them may switch pieces."""
    agreed: bool | None = True
    for at in points_at_switches(one, other, names):
        # Far out and closely beside a switch, small differences of large values count.
        point = Point(at)
        try:
            if not _meet(value_at(one, point), value_at(other, point), real_only=True):
                return False
        except OverLimitError:
            agreed = None
        except NoValueError:
            continue
    return agreed


@precise(FIRST)
def within(one: Node, other: Node, absolute: Fraction | None, relative: Fraction = Fraction(0)) -> bool:
    """Return whether two values without unknowns certainly differ by no more than a bound.

    Args:
        one: A value.
        other: Another.
        absolute: The bound; None for a relative one.
        relative: The bound as a share of the larger of both sizes.
    """
    if symbols(one) or symbols(other):
        return False
    try:
        left, right = value_at(one, Point({})), value_at(other, Point({}))
        size = (
            ball(absolute).real if absolute is not None else ball(relative).real * max(abs(left), abs(right))
        )
        return bool(abs(left - right) <= size)
    except NoValueError:
        return False


@precise(FIRST)
def is_decimal(node: Node) -> bool:
    """Return whether a value without unknowns is, or may be, a decimal of up to `_PLACES` places."""
    if (value := rational_value(node)) is not None:
        return is_finite(Number(Fraction(int(value.p), int(value.q))))
    try:
        scaled = value_at(node, Point({})) * 10**_PLACES
        return not scaled.imag.is_zero() or bool(scaled.real.contains_integer())
    except NoValueError:
        return True


@precise(SECOND)
def proportional(one: Node, other: Node) -> bool | None:
    """Return whether the ratio of two formulas with unknowns is one number everywhere; False is proved."""
    names = sorted(symbols(one) | symbols(other))
    first: tuple[Any, Any] | None = None
    agreed = 0
    for number in range(POINTS):
        point = Point({name: coordinate(name, number) for name in names})
        try:
            left, right = value_at(one, point), value_at(other, point)
            if first is None:
                if not (left.contains(0) or right.contains(0)):
                    first = left, right
                continue
            if not _meet(left * first[1], right * first[0], real_only=False):
                return False
        except NoValueError:
            continue
        agreed += 1
        if agreed >= ENOUGH:
            return True
    return None


@precise(FIRST)
def without_value(node: Node) -> Literal["too large", "undefined", ""]:
    """Why a formula has no value that could be compared; "" if it has one.

    A formula with unknowns is only asked at one point, and is not called undefined for that.
    """
    try:
        names = symbols(node)
        point = Point({name: coordinate(name, 0) for name in names})
        if _has_range(node) or not value_at(node, point).is_finite():
            raise NoValueError
    except OverLimitError:
        return "too large"
    except NoValueError:
        return "" if names or _has_range(node) else "undefined"
    return "too large" if point.peak > MAX_PEAK // (1 + _functions(node)) else ""


def approximate(node: Node) -> float | None:
    """The value of a formula without unknowns as a float; None if it has no real, certain value."""
    if symbols(node):
        return None
    try:
        value = at_precision(FIRST, value_at, node, Point({}))
    except NoValueError:
        return None
    return float(value.real.mid()) if value.imag.is_zero() and value.is_finite() else None


@precise(FIRST)
def _equal_at(one: Node, other: Node, at: Mapping[str, Fraction], real_only: bool = False) -> bool | None:
    point = Point(at)
    if not _meet(value_at(one, point), value_at(other, point), real_only):
        return False
    if point.peak > MAX_PEAK // (1 + _functions(one) + _functions(other)):
        return None
    ranges = _has_range(one) or _has_range(other)
    if ranges:
        _note_closeness(one, other, point)
    precision = (RANGE_SECOND if ranges else SECOND) + 2 * point.peak
    return at_precision(precision, _agree_well, one, other, point, real_only, SPARE - precision)


def _agree_well(one: Node, other: Node, point: Point, real_only: bool, exponent: int) -> bool | None:
    left, right = value_at(one, point), value_at(other, point)
    if not _meet(left, right, real_only):
        return False
    size = max(abs(left).abs_lower(), abs(right).abs_lower())
    allowed = (size if size > 0 else flint.arb(1)) * flint.arb(2) ** exponent
    return True if abs(left - right).abs_upper() < allowed else None


def _has_range(node: Node) -> bool:
    return any(isinstance(each, Range) for each in walk(node))


def _note_closeness(one: Node, other: Node, point: Point) -> None:
    """Note that two values that meet are known well: that they are equal is likely."""
    left, right = value_at(one, point), value_at(other, point)
    if min(left.rel_accuracy_bits(), right.rel_accuracy_bits()) > CLOSE:
        note_likely()


def _guess(one: Node, other: Node, at: Mapping[str, Fraction]) -> None:
    """Note that two values with ranges seem to be equal, if they do: a worker has more time for such ones."""
    if not may_add() or not (_has_range(one) or _has_range(other)):
        return
    try:
        left, right = (
            complex(at_precision(FIRST, value_at, each, Point(at, guess=True)).mid()) for each in (one, other)
        )
    except (NoValueError, OverflowError):
        return
    if abs(left - right) <= _SEEMING * max(abs(left), abs(right), _SEEMING):
        note_likely()


def _functions(node: Node) -> int:
    return sum(isinstance(each, Apply) for each in walk(node))


def _meet(left: Any, right: Any, real_only: bool) -> bool:
    """Return whether two balls meet.

    Raises:
        NoValueError: One is unbounded, or not real where only real values count.
    """
    if real_only and not (left.imag.is_zero() and right.imag.is_zero()):
        raise NoValueError
    difference = left - right
    if not difference.is_finite():
        raise NoValueError
    return bool(difference.contains(0))
