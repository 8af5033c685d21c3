"""Values of formulas at a point as balls (Arb, through python-flint): a value is known to lie in its ball.

First the special functions: gamma, zeta, error functions, inverse hyperbolic ones, parts of complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ..runtime.forks import new_rlock
from ..runtime.packages import deferred
from .cost_limits import spend
from .exact_values import WHOLE, TooLargeError, exact
from .formula_tree import (
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
    symbols,
)
from .growth import NoEnclosureError
from .range_values import approximation, enclosure

P = ParamSpec("P")
T = TypeVar("T")

flint = deferred("flint")


SLOW = frozenset({"gamma", "zeta", "digamma", "beta", "erf", "erfc", "lambertw"})
"""Those that take milliseconds."""
_PARTS = frozenset({"re", "im", "arg", "conjugate", "sgn"})
_OTHERS = frozenset({"cis", "asec", "acsc", "acot", "sech", "csch", "coth", "asinh", "acosh", "atanh"})
SPECIAL = SLOW | _PARTS | _OTHERS
"""The functions that are worked out here."""
_MAX_PRECISION = 10_000
"""Bits to which the slow ones are worked out: a hundred thousand would take seconds."""
_MAX_SIZE = 1_000
"""Largest argument of the slow ones."""


def special_value(name: str, values: list[Any], is_literal: bool) -> Any | None:
    """The ball of a function of balls; None where it has none, or conventions differ.

    Args:
        name: One of `SPECIAL`.
        values: Its arguments.
        is_literal: Whether there are no unknowns in them. At the points that are tried unknowns are real, so
            that of what distinguishes complex numbers nothing can be learned there.
    """
    first = values[0]
    if name in SLOW:
        if flint.ctx.prec > _MAX_PRECISION or not all(abs(value) < _MAX_SIZE for value in values):
            return None
        if name == "beta":
            return first.gamma() * values[1].gamma() * (first + values[1]).rgamma()
        return getattr(first, name)()
    if name in _PARTS:
        return _part(name, first) if is_literal else None
    if name == "cis":
        return (first * flint.acb(0, 1)).exp()
    if name in ("asec", "acsc"):
        return None if first.contains(0) else (1 / first).acos() if name == "asec" else (1 / first).asin()
    if name == "acot":
        # Of negative numbers it is between -pi/2 and 0 for some, between pi/2 and pi for others.
        return (1 / first).atan() if first.imag.is_zero() and first.real > 0 else None
    return getattr(first, name)()


def _part(name: str, value: Any) -> Any | None:
    if name == "re":
        return flint.acb(value.real)
    if name == "im":
        return flint.acb(value.imag)
    if name == "conjugate":
        return flint.acb(value.real, -value.imag)
    if value.contains(0):
        return None
    if name == "arg":
        return flint.acb(value.arg())
    return flint.acb(value.real.sgn()) if value.imag.is_zero() else None


SMALL = 1 << 60
"""Numbers up to this need no more precision than there is to spare."""
MAX_ARGUMENT = 100_000
"""Largest exponent, and largest argument of a function that grows as fast."""
MAX_ANGLE = 10**40
"""Largest argument of any other function: its digits before the point are lost precision."""
_GROWING = frozenset({"exp", "sinh", "cosh", "factorial", "binomial", "gamma", "zeta"})


class NoValueError(Exception):
    """A formula has no certain value at a point."""


class OverLimitError(NoValueError):
    """A value would be larger, or need more digits, than the limits allow."""


@dataclass(slots=True)
class Point:
    """Point for the evaluation of formulas, with the extreme size of values on the way.

    Args:
        coordinates: The values of the unknowns.
        peak: Bits of the largest or smallest value that was seen.
        guess: Whether ranges are guessed rather than enclosed: then no ball proves anything.
    """

    coordinates: Mapping[str, Fraction]
    peak: int = 0
    guess: bool = False

    def see(self, value: Any) -> Any:
        """Note the size of a value that may be far from 1."""
        size = abs(value)
        if not size.contains(0):
            self.peak = max(self.peak, abs(int(float((size.log() / flint.arb(2).log()).mid()))))
        return value


def value_at(node: Node, point: Point) -> Any:
    """The ball of a formula at a point, at the precision that is set.

    Raises:
        NoValueError: It has no certain value there.
        OverLimitError: It, or something on the way to it, is larger than the limits allow.
    """
    spend(1 + flint.ctx.prec // 512)
    if isinstance(node, Number):
        value = ball(node.value)
        return point.see(value) if abs(node.value) > SMALL or abs(node.value) * SMALL < 1 else value
    if isinstance(node, Symbol):
        return ball(point.coordinates[node.name])
    if isinstance(node, Constant):
        return _constant(node.name)
    if isinstance(node, Sum):
        total = flint.acb(0)
        for term in node.terms:
            total += value_at(term, point)
        return total
    if isinstance(node, Product):
        product = flint.acb(1)
        for factor in node.factors:
            product *= value_at(factor, point)
        return product
    if isinstance(node, Power):
        return _power(node, point)
    if isinstance(node, Root):
        return _root(value_at(node.radicand, point), node.degree)
    if isinstance(node, Range):
        try:
            evaluate = approximation if point.guess else enclosure
            return point.see(evaluate(node, lambda each: value_at(each, point)))
        except NoEnclosureError:
            raise NoValueError from None
    if isinstance(node, Dummy):
        raise NoValueError
    return _function(node, point)


def _constant(name: str) -> Any:
    if name == "pi":
        return flint.acb.pi()
    if name == "euler":
        return flint.acb(flint.arb.const_euler())
    return flint.acb(1).exp() if name == "e" else flint.acb(0, 1)


def ball(value: Fraction) -> Any:
    """The ball around a fraction."""
    return flint.acb(flint.arb(flint.fmpq(value.numerator, value.denominator)))


def _power(node: Power, point: Point) -> Any:
    base = value_at(node.base, point)
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
    if exponent is not None and exponent.q % 2 == 1 and base.imag.contains(0) and not base.real > 0:
        raise NoValueError  # a cube root of a negative number is real in schools and complex in books
    if isinstance(node.base, Constant) and node.base.name == "e":
        return point.see(_limited(value_at(node.exponent, point)).exp())
    if base.contains(0):
        raise NoValueError
    return point.see(base ** _limited(value_at(node.exponent, point)))


def _root(value: Any, degree: int) -> Any:
    if degree % 2 and value.imag.contains(0) and not value.imag.is_zero() and not value.real > 0:
        raise NoValueError  # an integral may be real without its ball being so
    if degree % 2 and value.imag.is_zero() and value.real < 0:
        return -((-value).root(degree))
    return value.sqrt() if degree == 2 else value.root(degree)


def _limited(value: Any, limit: int = MAX_ARGUMENT) -> Any:
    if not abs(value) < limit:
        raise OverLimitError
    return value


def _function(node: Apply, point: Point) -> Any:
    spend((flint.ctx.prec // 512) ** 2 // 16)  # functions cost more than in proportion
    name = node.function
    limit = MAX_ARGUMENT if name in _GROWING else MAX_ANGLE
    if name in WHOLE:
        return _whole(node)
    if name == "of":
        return value_at(Product(node.arguments), point)
    values = [_limited(value_at(argument, point), limit) for argument in node.arguments]
    first = values[0]
    if name in SPECIAL:
        value = special_value(name, values, is_literal=not symbols(node))
        if value is None or not value.is_finite():
            raise NoValueError
        return point.see(value)
    if name == "abs":
        return flint.acb(abs(first))
    if name == "percent":
        return first / 100
    if name == "degrees":
        return first * flint.acb.pi() / 180
    if name in ("max", "min"):
        return _extreme(name, values)
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
        return flint.acb(first.real.floor() if name == "floor" else first.real.ceil())
    value = getattr(first, name)()
    if not value.is_finite():
        raise NoValueError
    if name == "tanh":
        point.see((-2 * abs(first.real)).exp())  # so far it is from 1 or -1
    return point.see(value) if name in ("exp", "sinh", "cosh") else value


def _whole(node: Apply) -> Any:
    """A function of whole numbers, where its arguments are."""
    try:
        value = exact(node)
    except TooLargeError:
        raise OverLimitError from None
    if value is None:
        raise NoValueError
    return ball(Fraction(int(value.p), int(value.q)))


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


def at_precision(bits: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function with so many bits, and leave as many as before behind it.

    Flint has one precision for all threads, so one works at a time: no thread changes another's
    bits or calls. This is no context manager: an interrupt at its exit would leave the lock taken.
    """
    with _ALONE:
        before = flint.ctx.prec
        try:
            flint.ctx.prec = bits
            return function(*args, **kwargs)
        finally:
            flint.ctx.prec = before


def precise(bits: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function that always works with so many bits."""

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            return at_precision(bits, function, *args, **kwargs)

        return called

    return decorated


_ALONE = new_rlock()
