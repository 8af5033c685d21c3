"""Comparison in rigorous ball arithmetic (Arb, through python-flint).

A value is known to lie in a ball. Balls that do not meet prove that two values differ. Balls that meet
when both are known to hundreds of digits are taken as equality: nothing is rounded to some decimals, and
1/2004! differs from 1/2006! however small both are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from flint import acb, arb, ctx, fmpq

from ..read.formula_tree import (
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Root,
    Sum,
    Symbol,
    symbols,
    walk,
)
from .algebra import TooLargeError, exact

FIRST, SECOND = 128, 2_048
"""Bits: the first precision separates what differs, the second confirms what agrees."""
SPARE = 500
"""Bits of the second precision that rounding may cost before two values count as known."""
MAX_PEAK = 100_000
"""Largest size, in bits, of a value on the way: a term that small beside the others must still be seen.
It is divided among the functions, since each costs more the more bits are asked for."""
_KINDS = ("positive", "mixed", "large", "negative", "positive", "mixed", "whole", "large", "whole")
POINTS, ENOUGH = len(_KINDS), 4
"""Points that are tried for formulas with unknowns, and points that must agree."""
_PIECEWISE = frozenset({"abs", "floor", "ceil", "max", "min"})
"""Functions of which several pieces must be seen: formulas that hold one are compared at every point."""
SMALL = 1 << 60
"""Numbers up to this need no more precision than there is to spare."""
MAX_ARGUMENT = 100_000
"""Largest exponent, and largest argument of a function that grows as fast."""
MAX_ANGLE = 10**40
"""Largest argument of any other function: its digits before the point are lost precision."""
_GROWING = frozenset({"exp", "sinh", "cosh", "factorial", "binomial"})


class NoValueError(Exception):
    """A formula has no certain value at a point."""


class OverLimitError(NoValueError):
    """A value would be larger, or need more digits, than the limits allow."""


@dataclass(slots=True)
class _Point:
    """Where formulas are evaluated, and how large or small values became on the way."""

    coordinates: Mapping[str, Fraction]
    peak: int = 0

    def see(self, value: Any) -> Any:
        """Note the size of a value that may be far from 1."""
        size = abs(value)
        if not size.contains(0):
            self.peak = max(self.peak, abs(int(float((size.log() / arb(2).log()).mid()))))
        return value


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
    before = ctx.prec
    try:
        ctx.prec = FIRST
        left, right = _value(one, _Point({})), _value(other, _Point({}))
        size = (
            _ball(absolute).real
            if absolute is not None
            else _ball(relative).real * max(abs(left), abs(right))
        )
        return bool(abs(left - right) <= size)
    except NoValueError:
        return False
    finally:
        ctx.prec = before


def proportional(one: Node, other: Node) -> bool | None:
    """Whether the ratio of two formulas with unknowns is one number everywhere; False is proved."""
    names = sorted(symbols(one) | symbols(other))
    first: tuple[Any, Any] | None = None
    agreed = 0
    before = ctx.prec
    try:
        ctx.prec = SECOND
        for number in range(POINTS):
            point = _Point({name: _coordinate(name, number) for name in names})
            try:
                left, right = _value(one, point), _value(other, point)
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
        ctx.prec = before
    return None


def without_value(node: Node) -> Literal["too large", "undefined", ""]:
    """Why a formula has no value that could be compared; "" if it has one.

    A formula with unknowns is only asked at one point, and is not called undefined for that.
    """
    before = ctx.prec
    try:
        ctx.prec = FIRST
        names = symbols(node)
        point = _Point({name: _coordinate(name, 0) for name in names})
        if not _value(node, point).is_finite():
            raise NoValueError
    except OverLimitError:
        return "too large"
    except NoValueError:
        return "" if names else "undefined"
    finally:
        ctx.prec = before
    return "too large" if point.peak > MAX_PEAK // (1 + _functions(node)) else ""


def approximate(node: Node) -> float | None:
    """The value of a formula without unknowns as a float; None if it has no real, certain value."""
    if symbols(node):
        return None
    before = ctx.prec
    try:
        ctx.prec = FIRST
        value = _value(node, _Point({}))
    except NoValueError:
        return None
    finally:
        ctx.prec = before
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
    before = ctx.prec
    try:
        ctx.prec = FIRST
        point = _Point(at)
        if not _meet(_value(one, point), _value(other, point), real_only):
            return False
        if point.peak > MAX_PEAK // (1 + _functions(one) + _functions(other)):
            return None
        # Other threads may change the precision in between: the balls stay right, and this bound is ours.
        precision = SECOND + 2 * point.peak
        ctx.prec = precision
        left, right = _value(one, point), _value(other, point)
        if not _meet(left, right, real_only):
            return False
        size = max(abs(left).abs_lower(), abs(right).abs_lower())
        allowed = (size if size > 0 else arb(1)) * arb(2) ** (SPARE - precision)
        return True if abs(left - right).abs_upper() < allowed else None
    finally:
        ctx.prec = before


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


def _value(node: Node, point: _Point) -> Any:
    if isinstance(node, Number):
        value = _ball(node.value)
        return point.see(value) if abs(node.value) > SMALL or abs(node.value) * SMALL < 1 else value
    if isinstance(node, Symbol):
        return _ball(point.coordinates[node.name])
    if isinstance(node, Constant):
        return acb.pi() if node.name == "pi" else acb(1).exp() if node.name == "e" else acb(0, 1)
    if isinstance(node, Sum):
        total = acb(0)
        for term in node.terms:
            total += _value(term, point)
        return total
    if isinstance(node, Product):
        product = acb(1)
        for factor in node.factors:
            product *= _value(factor, point)
        return product
    if isinstance(node, Power):
        return _power(node, point)
    if isinstance(node, Root):
        return _root(_value(node.radicand, point), node.degree)
    return _function(node, point)


def _ball(value: Fraction) -> Any:
    return acb(arb(fmpq(value.numerator, value.denominator)))


def _power(node: Power, point: _Point) -> Any:
    base = _value(node.base, point)
    try:
        exponent = exact(node.exponent)
    except TooLargeError:
        raise OverLimitError from None
    if exponent is not None and exponent.q == 1:
        if abs(exponent) > MAX_ARGUMENT:
            raise OverLimitError
        if exponent < 0 and base.contains(0):
            raise NoValueError
        return point.see(base ** int(exponent.p))
    if exponent is not None and exponent.q % 2 == 1 and base.imag.is_zero() and not base.real > 0:
        raise NoValueError  # a cube root of a negative number is real in schools and complex in books
    if isinstance(node.base, Constant) and node.base.name == "e":
        return point.see(_limited(_value(node.exponent, point)).exp())
    if base.contains(0):
        raise NoValueError
    return point.see(base ** _limited(_value(node.exponent, point)))


def _root(value: Any, degree: int) -> Any:
    if degree % 2 and value.imag.is_zero() and value.real < 0:
        return -((-value).root(degree))
    return value.sqrt() if degree == 2 else value.root(degree)


def _limited(value: Any, limit: int = MAX_ARGUMENT) -> Any:
    if not abs(value) < limit:
        raise OverLimitError
    return value


def _function(node: Apply, point: _Point) -> Any:
    name = node.function
    limit = MAX_ARGUMENT if name in _GROWING else MAX_ANGLE
    values = [_limited(_value(argument, point), limit) for argument in node.arguments]
    first = values[0]
    if name == "abs":
        return acb(abs(first))
    if name == "percent":
        return first / 100
    if name == "degrees":
        return first * acb.pi() / 180
    if name in ("max", "min"):
        return _extreme(name, values)
    if name in ("gcd", "lcm", "double_factorial"):
        raise NoValueError
    if name in ("ln", "log"):
        return _logarithm(first)
    if name == "log_base":
        return _logarithm(values[1]) / _logarithm(first)
    if name == "factorial":
        return point.see((first + 1).gamma())
    if name == "binomial":
        return (first + 1).gamma() * (values[1] + 1).rgamma() * (first - values[1] + 1).rgamma()
    if name in ("floor", "ceil"):
        if not first.imag.is_zero():
            raise NoValueError
        return acb(first.real.floor() if name == "floor" else first.real.ceil())
    value = getattr(first, name)()
    if not value.is_finite():
        raise NoValueError
    return point.see(value) if name in ("exp", "sinh", "cosh") else value


def _extreme(name: str, values: list[Any]) -> Any:
    """The largest or smallest of real values that balls tell apart."""
    best = values[0]
    for value in values[1:]:
        if not (value.imag.is_zero() and best.imag.is_zero()) or (value - best).contains(0):
            raise NoValueError
        if (value.real > best.real) == (name == "max"):
            best = value
    return best


def _logarithm(value: Any) -> Any:
    if value.contains(0):
        raise NoValueError
    return value.log()
