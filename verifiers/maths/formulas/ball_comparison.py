"""Comparison in rigorous ball arithmetic (Arb, through python-flint).

A value is known to lie in a ball. Balls that do not meet prove that two values differ. Balls that meet
when both are known to hundreds of digits are taken as equality: nothing is rounded to some decimals, and
1/2004! differs from 1/2006! however small both are.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from ...runtime.packages import deferred
from .ball_values import NoValueError, OverLimitError, Point, ball, value_at
from .exact_values import TooLargeError, exact
from .formula_tree import Apply, Node, Root, symbols, walk

flint = deferred("flint")

FIRST, SECOND = 128, 2_048
"""Bits: the first precision separates what differs, the second confirms what agrees."""
SPARE = 500
"""Bits of the second precision that rounding may cost before two values count as known."""
MAX_PEAK = 100_000
"""Largest size, in bits, of a value on the way: a term that small next to the others must still be seen.
It is divided among the functions, since each costs more the more bits are asked for."""
_KINDS = ("positive", "mixed", "large", "negative", "positive", "mixed", "whole", "large", "whole")
POINTS, ENOUGH = len(_KINDS), 4
"""Points that are tried for formulas with unknowns, and points that must agree."""
_PLACES = 20
"""Digits behind the point to which a value is looked at, to tell whether it is a decimal."""
_PIECEWISE = frozenset({"abs", "floor", "ceil", "max", "min"})
"""Functions of which several pieces must be seen: formulas that hold one are compared at every point."""


def equal(one: Node, other: Node) -> bool | None:
    """Whether two formulas have one value everywhere; False is proved, None is not decided."""
    names = sorted(symbols(one) | symbols(other))
    if not names:
        try:
            return _equal_at(one, other, {})
        except NoValueError:
            return None
    agreed = 0
    enough = POINTS if _pieces(one) or _pieces(other) else ENOUGH
    for number in range(POINTS):
        point = {name: _coordinate(name, number) for name in names}
        try:
            # Where a side is not real, roots and logarithms may differ by convention: no verdict from there.
            same = _equal_at(one, other, point, real_only=_KINDS[number] not in ("positive", "whole"))
        except NoValueError:
            continue
        if same is False:
            return False
        agreed += same is True
        if agreed >= enough:
            break
    return True if agreed >= min(enough, ENOUGH) else None


def _pieces(node: Node) -> bool:
    """Whether a formula is made of pieces: absolute values, and even roots, which hide a sign."""
    return any(
        (isinstance(each, Apply) and each.function in _PIECEWISE)
        or (isinstance(each, Root) and each.degree % 2 == 0)
        for each in walk(node)
    )


def within(one: Node, other: Node, absolute: Fraction | None, relative: Fraction = Fraction(0)) -> bool:
    """Whether two values without unknowns certainly differ by no more than a bound.

    Args:
        one: A value.
        other: Another.
        absolute: The bound; None for a relative one.
        relative: The bound as a share of the larger of both sizes.
    """
    if symbols(one) or symbols(other):
        return False
    before = flint.ctx.prec
    try:
        flint.ctx.prec = FIRST
        left, right = value_at(one, Point({})), value_at(other, Point({}))
        size = (
            ball(absolute).real if absolute is not None else ball(relative).real * max(abs(left), abs(right))
        )
        return bool(abs(left - right) <= size)
    except NoValueError:
        return False
    finally:
        flint.ctx.prec = before


def is_decimal(node: Node) -> bool:
    """Whether a value without unknowns is a decimal of up to `_PLACES` places, or may be one."""
    with contextlib.suppress(TooLargeError):
        if (value := exact(node)) is not None:
            rest = int(value.q)
            for prime in (2, 5):
                while rest % prime == 0:
                    rest //= prime
            return rest == 1
    before = flint.ctx.prec
    try:
        flint.ctx.prec = FIRST
        scaled = value_at(node, Point({})) * 10**_PLACES
        return not scaled.imag.is_zero() or bool(scaled.real.contains_integer())
    except NoValueError:
        return True
    finally:
        flint.ctx.prec = before


def proportional(one: Node, other: Node) -> bool | None:
    """Whether the ratio of two formulas with unknowns is one number everywhere; False is proved."""
    names = sorted(symbols(one) | symbols(other))
    first: tuple[Any, Any] | None = None
    agreed = 0
    before = flint.ctx.prec
    try:
        flint.ctx.prec = SECOND
        for number in range(POINTS):
            point = Point({name: _coordinate(name, number) for name in names})
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
    finally:
        flint.ctx.prec = before
    return None


def without_value(node: Node) -> Literal["too large", "undefined", ""]:
    """Why a formula has no value that could be compared; "" if it has one.

    A formula with unknowns is only asked at one point, and is not called undefined for that.
    """
    before = flint.ctx.prec
    try:
        flint.ctx.prec = FIRST
        names = symbols(node)
        point = Point({name: _coordinate(name, 0) for name in names})
        if not value_at(node, point).is_finite():
            raise NoValueError
    except OverLimitError:
        return "too large"
    except NoValueError:
        return "" if names else "undefined"
    finally:
        flint.ctx.prec = before
    return "too large" if point.peak > MAX_PEAK // (1 + _functions(node)) else ""


def approximate(node: Node) -> float | None:
    """The value of a formula without unknowns as a float; None if it has no real, certain value."""
    if symbols(node):
        return None
    before = flint.ctx.prec
    try:
        flint.ctx.prec = FIRST
        value = value_at(node, Point({}))
    except NoValueError:
        return None
    finally:
        flint.ctx.prec = before
    return float(value.real.mid()) if value.imag.is_zero() and value.is_finite() else None


def _coordinate(name: str, number: int) -> Fraction:
    """A coordinate that looks random but is the same each time; what it is like depends on the point.

    Two points are moderate and positive, two of mixed signs, one negative, two large and of mixed signs,
    two whole: |a + b| is |a| + |b| where the signs agree, and floor functions agree nearly everywhere.
    """
    digest = hashlib.blake2b(f"{name}:{number}".encode(), digest_size=8).digest()
    share = Fraction(int.from_bytes(digest[:4], "big"), 1 << 32)
    # Opposite signs for about half of the unknowns, and the other half at the next such point.
    opposite = hashlib.blake2b(name.encode(), digest_size=1).digest()[0] & 1
    kind = _KINDS[number]
    sign = -1 if kind == "negative" or (kind in ("mixed", "large") and (opposite + number) % 2) else 1
    if kind == "large":
        return sign * (120 + 500 * share) * 1_000
    if kind == "whole":
        return Fraction(2 + int(7 * share))
    return sign * (Fraction(1, 7) + 3 * share)


def _equal_at(one: Node, other: Node, at: Mapping[str, Fraction], real_only: bool = False) -> bool | None:
    before = flint.ctx.prec
    try:
        flint.ctx.prec = FIRST
        point = Point(at)
        if not _meet(value_at(one, point), value_at(other, point), real_only):
            return False
        if point.peak > MAX_PEAK // (1 + _functions(one) + _functions(other)):
            return None
        # Other threads may change the precision in between: the balls stay right, and this bound is ours.
        precision = SECOND + 2 * point.peak
        flint.ctx.prec = precision
        left, right = value_at(one, point), value_at(other, point)
        if not _meet(left, right, real_only):
            return False
        size = max(abs(left).abs_lower(), abs(right).abs_lower())
        allowed = (size if size > 0 else flint.arb(1)) * flint.arb(2) ** (SPARE - precision)
        return True if abs(left - right).abs_upper() < allowed else None
    finally:
        flint.ctx.prec = before


def _functions(node: Node) -> int:
    return sum(isinstance(each, Apply) for each in walk(node))


def _meet(left: Any, right: Any, real_only: bool) -> bool:
    """Whether two balls meet.

    Raises:
        NoValueError: One is unbounded, or not real where only real values count.
    """
    if real_only and not (left.imag.is_zero() and right.imag.is_zero()):
        raise NoValueError
    difference = left - right
    if not difference.is_finite():
        raise NoValueError
    return bool(difference.contains(0))
