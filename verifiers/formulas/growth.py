"""Growth of a formula far out, tails of its sum or integral there, and bounds at a broken end.

The size of a formula for every x from N on lies between two terms ``L x^p r^x``. What has no such bounds,
or does not fall fast enough, is not decided here. `bounds` encloses a real function over an interval at whose
end it breaks off, as x^x does at zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..runtime.packages import deferred
from ..runtime.records import dataclass
from .formula_tree import Apply, Constant, Dummy, Node, Number, Power, Product, Root, Sum, walk

flint = deferred("flint")


class NoEnclosureError(Exception):
    """A range has no value, or none that is enclosed here."""


_SLACK = 1e-9
"""Relatively, how much each step widens its bounds: a million times what floats may lose there."""
_NEAR_ONE = 1e-6
_LARGEST = 600.0
"""Largest logarithm that becomes a float again."""

Constants = Callable[[Node], complex]
"""The value of what holds no dummy."""


@dataclass(frozen=True, slots=True)
class Term:
    """``exp(log) * x^power * exp(rate * x)``."""

    log: float
    power: float
    rate: float

    def times(self, other: Term) -> Term:
        return Term(self.log + other.log, self.power + other.power, self.rate + other.rate)

    def to_the(self, exponent: float) -> Term:
        return Term(self.log * exponent, self.power * exponent, self.rate * exponent)

    def widened(self, sign: int) -> Term:
        return Term(
            *(each + sign * _SLACK * (abs(each) + (each != 0)) for each in (self.log, self.power, self.rate))
        )


_ONE = Term(0.0, 0.0, 0.0)


def tail_of_sum(node: Node, start: int, constants: Constants) -> float:
    """A bound of the sum of all sizes from `start` + 1 on.

    Raises:
        NoEnclosureError: There is none.
    """
    return _tail(_upper(node, start, constants), start, summed=True)


def tail_of_integral(node: Node, start: int, constants: Constants) -> float:
    """A bound of the integral of the size from `start` on.

    Raises:
        NoEnclosureError: There is none.
    """
    return _tail(_upper(node, start, constants), start, summed=False)


def _tail(term: Term, start: int, *, summed: bool) -> float:
    # x^p is at most N^p exp(p (x - N) / N), for p > 0, and at most N^p otherwise.
    rate = term.rate + max(term.power, 0.0) / start
    if rate < -_SLACK:
        log = term.log + term.power * math.log(start) + term.rate * start
        log += (rate - math.log(-math.expm1(rate))) if summed else -math.log(-rate)
    elif term.rate <= 0 and term.power < -1 - 1e-6:
        log = term.log + (term.power + 1) * math.log(start) - math.log(-term.power - 1)
    else:
        raise NoEnclosureError("it does not fall fast enough")
    if log > _LARGEST:
        raise NoEnclosureError("what is left out is too large")
    return math.exp(max(log, -_LARGEST)) * (1 + 1e-6)


def _upper(node: Node, start: int, constants: Constants) -> Term:
    return _bound(node, start, constants, 1).widened(1)


def _lower(node: Node, start: int, constants: Constants) -> Term:
    return _bound(node, start, constants, -1).widened(-1)


def _bound(node: Node, start: int, constants: Constants, side: int) -> Term:
    """The upper (1) or lower (-1) bound of the size."""
    if isinstance(node, Dummy):
        return Term(0.0, 1.0, 0.0)
    if _is_constant(node):
        size = abs(constants(node))
        if size == 0:
            if side < 0:
                raise NoEnclosureError("nothing above zero is below it")
            return Term(-1e6, 0.0, 0.0)
        return Term(math.log(size), 0.0, 0.0)
    if isinstance(node, Product):
        found = _ONE
        for factor in node.factors:
            found = found.times(_both(factor, start, constants, side))
        return found
    if isinstance(node, Sum):
        return _sum(node, start, constants, side)
    if isinstance(node, Root):
        return _both(node.radicand, start, constants, side).to_the(1 / node.degree)
    if isinstance(node, Power):
        return _power(node, start, constants, side)
    if isinstance(node, Apply):
        return _applied(node, start, constants, side)
    raise NoEnclosureError("no rule for it far out")


def _both(node: Node, start: int, constants: Constants, side: int) -> Term:
    return _upper(node, start, constants) if side > 0 else _lower(node, start, constants)


def _is_constant(node: Node) -> bool:
    return not any(isinstance(each, Dummy) for each in walk(node))


def _sum(node: Sum, start: int, constants: Constants, side: int) -> Term:
    uppers = [_upper(each, start, constants) for each in node.terms]
    leading = max(range(len(uppers)), key=lambda place: (uppers[place].rate, uppers[place].power))
    if side > 0:
        shares = [_largest_quotient(each, uppers[leading], start) for each in uppers]
        return Term(uppers[leading].log + math.log(sum(shares)), uppers[leading].power, uppers[leading].rate)
    if all(_is_not_negative(each, constants) for each in node.terms):
        return _lower(node.terms[leading], start, constants)
    below = _lower(node.terms[leading], start, constants)
    rest = sum(_largest_quotient(each, below, start) for place, each in enumerate(uppers) if place != leading)
    if rest >= 1 - 1e-6:
        raise NoEnclosureError("terms that may cancel")
    return Term(below.log + math.log1p(-rest), below.power, below.rate)


def _largest_quotient(one: Term, other: Term, start: int) -> float:
    """The most that one term can be of another, for every x from `start` on."""
    power, rate = one.power - other.power, one.rate - other.rate
    at = float(start)
    if rate < 0 < power:
        at = max(at, power / -rate)
    elif rate > _SLACK or (rate > -_SLACK and power > 1e-6):
        raise NoEnclosureError("it outgrows the other")
    # What is left of a rate or a power here was put there by widening both.
    log = one.log - other.log + power * math.log(at) + rate * at
    if rate > 0 or (rate == 0 and power > 0):
        raise NoEnclosureError("it outgrows the other")
    if log > _LARGEST:
        raise NoEnclosureError("too far apart")
    return math.exp(max(log, -_LARGEST)) * (1 + 1e-6)


def _power(node: Power, start: int, constants: Constants, side: int) -> Term:
    if _is_constant(node.exponent):
        exponent = constants(node.exponent)
        if exponent.imag or abs(exponent.real) > 10_000:
            raise NoEnclosureError("an exponent that is not real, or large")
        whole = exponent.real == int(exponent.real)
        if not whole and not _is_not_negative(node.base, constants):
            raise NoEnclosureError("a root of what may be negative")
        falling = exponent.real < 0
        return _both(node.base, start, constants, -side if falling else side).to_the(exponent.real)
    if _is_constant(node.base):
        base = constants(node.base)
        if base == 0:
            raise NoEnclosureError("a power of zero")
        alternating = base.imag or base.real < 0
        if alternating and not isinstance(node.exponent, Dummy):
            raise NoEnclosureError("a power of a negative number")
        factor = math.log(abs(base))
        if abs(factor) < _NEAR_ONE and not (isinstance(node.base, Number) and abs(node.base.value) == 1):
            raise NoEnclosureError("a base that floats do not tell from one")
        return _exponential(node.exponent, factor, start, constants, side)
    if side < 0 and node.base == node.exponent and isinstance(node.base, Dummy):
        return Term(0.0, 0.0, math.log(start))  # x^x is at least N^x
    raise NoEnclosureError("no rule for a power far out")


def _applied(node: Apply, start: int, constants: Constants, side: int) -> Term:
    name, argument = node.function, node.arguments[0]
    if name == "exp":
        return _exponential(argument, 1.0, start, constants, side)
    if name in ("sin", "cos") and side > 0 and _is_real(argument, constants):
        return _ONE
    if name == "atan" and side > 0 and _is_real(argument, constants):
        return Term(math.log(math.pi / 2), 0.0, 0.0)
    if name == "abs":
        return _both(argument, start, constants, side)
    if name in ("ln", "log") and isinstance(argument, Dummy) and start > 2:
        # ln x is at most x^p / p for every p > 0.
        return Term(math.log(10.0), 0.1, 0.0) if side > 0 else Term(math.log(math.log(start)), 0.0, 0.0)
    if name == "factorial" and side < 0 and isinstance(argument, Dummy):
        return Term(0.0, 0.0, math.log(start) - 1)  # n! is at least (n / e)^n
    raise NoEnclosureError(f"no rule for {name} far out")


def _exponential(node: Node, factor: float, start: int, constants: Constants, side: int) -> Term:
    """``exp(factor * node)`` for a real exponent that a straight line bounds."""
    sign = side if factor >= 0 else -side
    height, slope = _line(node, start, constants, sign)
    return Term(factor * height, 0.0, factor * slope)


def _line(node: Node, start: int, constants: Constants, side: int) -> tuple[float, float]:
    """The a and b of a line a + b x that is above (1) or below (-1) a real formula from `start` on."""
    if isinstance(node, Dummy):
        return 0.0, 1.0
    if _is_constant(node):
        value = constants(node)
        if value.imag:
            raise NoEnclosureError("an exponent that is not real")
        return value.real + side * _SLACK * abs(value), 0.0
    if isinstance(node, Sum):
        lines = [_line(each, start, constants, side) for each in node.terms]
        # What cancels in floats need not cancel.
        heights, slopes = zip(*lines, strict=True)
        return tuple(sum(each) + side * _SLACK * sum(map(abs, each)) for each in (heights, slopes))
    factors = node.factors if isinstance(node, Product) else (node,)
    sign = 1.0
    rest = []
    for factor in factors:
        if _is_constant(factor):
            value = constants(factor)
            if value.imag:
                raise NoEnclosureError("an exponent that is not real")
            sign *= -1.0 if value.real < 0 else 1.0
        elif not _is_not_negative(factor, constants):
            raise NoEnclosureError("an exponent whose sign is not known")
        rest.append(factor)
    above = sign * side > 0
    term = _both(Product(tuple(rest)), start, constants, 1 if above else -1)
    if above and (term.rate > 0 or term.power > 1 + 1e-6):
        raise NoEnclosureError("no line is above it")
    if not above and term.rate < 0:
        raise NoEnclosureError("a line below it would fall")
    straight = term.power >= 1 - 1e-6
    log = term.log + (term.power - (1 if straight else 0)) * math.log(start)
    if log > _LARGEST:
        raise NoEnclosureError("too steep")
    if not above and term.power < 0:
        return 0.0, 0.0  # it is positive, however small
    if above and not straight and term.power > 0:
        log = term.log + (term.power - 1) * math.log(start)
        straight = True
    size = math.exp(max(log, -_LARGEST)) * (1 + (1e-6 if above else -1e-6))
    return (0.0, sign * size) if straight else (sign * size, 0.0)


def _is_not_negative(node: Node, constants: Constants) -> bool:
    """Return whether a formula is certainly real, and not below zero, for every positive x."""
    if isinstance(node, Dummy):
        return True
    if _is_constant(node):
        value = constants(node)
        return not value.imag and value.real >= 0
    if isinstance(node, Sum | Product):
        return all(
            _is_not_negative(each, constants)
            for each in (node.terms if isinstance(node, Sum) else node.factors)
        )
    if isinstance(node, Root):
        return _is_not_negative(node.radicand, constants)
    if isinstance(node, Power):
        even = isinstance(node.exponent, Number) and node.exponent.value.denominator == 1
        return (_is_not_negative(node.base, constants) and _is_real(node.exponent, constants)) or (
            even and node.exponent.value.numerator % 2 == 0 and _is_real(node.base, constants)  # type: ignore[union-attr]
        )
    return isinstance(node, Apply) and node.function == "exp" and _is_real(node.arguments[0], constants)


def _is_real(node: Node, constants: Constants) -> bool:
    """Return whether a formula is certainly real for every positive x."""
    if isinstance(node, Dummy):
        return True
    if _is_constant(node):
        return not constants(node).imag
    if isinstance(node, Sum | Product):
        return all(
            _is_real(each, constants) for each in (node.terms if isinstance(node, Sum) else node.factors)
        )
    if isinstance(node, Power):
        whole = isinstance(node.exponent, Number) and node.exponent.value.denominator == 1
        positive = _is_not_negative(node.base, constants) or node.base == Constant("e")
        return (whole and _is_real(node.base, constants)) or (positive and _is_real(node.exponent, constants))
    if isinstance(node, Root):
        return _is_not_negative(node.radicand, constants)
    return (
        isinstance(node, Apply)
        and node.function in ("sin", "cos", "exp", "atan", "abs")
        and all(_is_real(each, constants) for each in node.arguments)
    )


Interval = tuple[Any, Any]
"""The lowest and the highest value, as numbers of flint; they may be infinite."""


def bounds(node: Node, low: Any, high: Any, constant: Callable[[Node], Any]) -> Interval:
    """Bounds of a body that holds one dummy, which runs from `low` to `high`.

    Raises:
        NoEnclosureError: It may not be real or not be bounded there, or no rule is known for it.
    """
    found = _bounds(node, (low, high), constant)
    if not all(end.is_finite() for end in found):
        raise NoEnclosureError("not bounded at an end")
    return found


def _bounds(node: Node, run: Interval, constant: Callable[[Node], Any]) -> Interval:
    if isinstance(node, Dummy):
        return run
    if not any(isinstance(each, Dummy) for each in walk(node)):
        value = constant(node)
        if not (value.imag.is_zero() and value.is_finite()):
            raise NoEnclosureError("a constant that is not real")
        return value.real.lower(), value.real.upper()
    if isinstance(node, Sum):
        parts = [_bounds(each, run, constant) for each in node.terms]
        lows, highs = [low for low, _ in parts], [high for _, high in parts]
        return _lower_end(sum(lows[1:], lows[0])), _upper_end(sum(highs[1:], highs[0]))
    if isinstance(node, Product):
        total = _bounds(node.factors[0], run, constant)
        for factor in node.factors[1:]:
            total = _times(total, _bounds(factor, run, constant))
        return total
    if isinstance(node, Power):
        return _power_bounds(node, run, constant)
    if isinstance(node, Root):
        low, high = _bounds(node.radicand, run, constant)
        if low < 0:
            raise NoEnclosureError("a root of a negative number")
        return _lower_end(low.root(node.degree)), high if _infinite(high) else _upper_end(
            high.root(node.degree)
        )
    if isinstance(node, Apply) and len(node.arguments) == 1:
        return _applied_bounds(node.function, _bounds(node.arguments[0], run, constant))
    raise NoEnclosureError("no rule at an end")


def _power_bounds(node: Power, run: Interval, constant: Callable[[Node], Any]) -> Interval:
    exponent = node.exponent
    if isinstance(exponent, Number) and exponent.value.denominator == 1 and abs(exponent.value) <= 100:
        base, count = _bounds(node.base, run, constant), abs(int(exponent.value))
        found = (flint.arb(1), flint.arb(1))
        for _ in range(count):
            found = _times(found, base)
        if count % 2 == 0 and found[0] < 0:
            found = flint.arb(0), found[1]
        return _inverse(found) if exponent.value < 0 else found
    above = _bounds(exponent, run, constant)
    if node.base == Constant("e"):
        return _exponential_bounds(above)
    return _exponential_bounds(_times(above, _logarithm(_bounds(node.base, run, constant))))


def _applied_bounds(name: str, inside: Interval) -> Interval:
    if name in ("sin", "cos"):
        return flint.arb(-1), flint.arb(1)
    if name == "exp":
        return _exponential_bounds(inside)
    if name == "ln":
        return _logarithm(inside)
    if name == "atan":
        half = flint.arb.pi() / 2
        return _lower_end(-half), _upper_end(half)
    raise NoEnclosureError(f"no rule for {name} at an end")


def _exponential_bounds(inside: Interval) -> Interval:
    low = flint.arb(0) if _infinite(inside[0]) else _lower_end(inside[0].exp())
    return low, inside[1] if _infinite(inside[1]) else _upper_end(inside[1].exp())


def _logarithm(inside: Interval) -> Interval:
    low, high = inside
    if low < 0 or not high > 0:
        raise NoEnclosureError("a logarithm of a negative number")
    bottom = _lower_end(low.log()) if low > 0 else flint.arb("-inf")
    return bottom, high if _infinite(high) else _upper_end(high.log())


def _inverse(inside: Interval) -> Interval:
    low, high = inside
    if not low >= 0:
        raise NoEnclosureError("a quotient whose denominator changes its sign")
    top = _upper_end(1 / low) if low > 0 else flint.arb("inf")
    return (flint.arb(0) if _infinite(high) else _lower_end(1 / high)), top


def _times(one: Interval, other: Interval) -> Interval:
    products = [_product(left, right) for left in one for right in other]
    low = high = products[0]
    for each in products[1:]:
        low = each if _lower_end(each) < _lower_end(low) else low
        high = each if _upper_end(each) > _upper_end(high) else high
    return _lower_end(low), _upper_end(high)


def _product(left: Any, right: Any) -> Any:
    """Multiply ends, with zero times infinity zero: an end that is not reached times one that is."""
    if left == 0 or right == 0:
        return flint.arb(0)
    return left * right


def _infinite(end: Any) -> bool:
    return not end.is_finite()


def _lower_end(value: Any) -> Any:
    return value if _infinite(value) else value.lower()


def _upper_end(value: Any) -> Any:
    return value if _infinite(value) else value.upper()
