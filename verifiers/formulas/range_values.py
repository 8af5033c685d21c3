"""Integrals, sums and products over ranges, enclosed rigorously.

Between finite ends integrals are flint's (Gauss and Legendre on pieces that are shown to be analytic); a
piece at an end where the integrand breaks off is bounded instead, and so is what lies beyond a far point of
an infinite range. A range that is known to a few digits refutes nearly every wrong value.

An `approximation` has no bound of its error and decides nothing: where both sides seem to be equal, more work
is allowed on proving it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..runtime.packages import deferred
from .formula_tree import INFINITY, MINUS_ONE, Node, Number, Product, Range, negative, term
from .growth import NoEnclosureError, bounds, tail_of_integral, tail_of_sum
from .integrands import Function, compiled, integrated, size, spend_at_precision, whole

flint = deferred("flint")


_END = 40
"""Bits by which the piece at an end is shorter than the range: it adds that little to what is unknown."""
_FAR = (8, 32, 128, 1_024)
"""Starts of the rest that an infinite integral leaves out; the first with a small enough rest counts."""
_TERMS = (16, 64, 256, 512, 1_024, 2_048)
"""Terms of an infinite sum that are added up; as few as leave out little enough."""
_WORTHWHILE = 0.1
"""Share to which four times the terms must cut the rest: one like a power of n is not worth them."""
_MOST_TERMS = 20_000
"""Terms of the longest finite sum that is added up."""

Constants = Callable[[Node], Any]


def enclosure(of: Range, constant: Constants) -> Any:
    """A ball that holds the value of a range, at the precision that is set.

    Raises:
        NoEnclosureError: It has no value, or none that is enclosed here.
        OverBudgetError: That would be too much work.
    """
    if of.operation == "limit":
        raise NoEnclosureError("a limit")
    value = _integral(of, constant) if of.operation == "integral" else _series(of, constant)
    if not value.is_finite():
        raise NoEnclosureError("without bounds")
    return value


def _is_infinite(end: Node) -> bool:
    return end in (INFINITY, negative(INFINITY))


def _real_end(end: Node, constant: Constants) -> Any:
    value = constant(end)
    if not (value.is_finite() and value.imag.is_zero()):
        raise NoEnclosureError("an end that is not real")
    return value.real


def _integral(of: Range, constant: Constants) -> Any:
    if of.low == of.high:
        return flint.acb(0)
    if of.low == INFINITY or of.high == negative(INFINITY):
        return -_integral(Range(of.operation, of.body, of.dummy, of.high, of.low), constant)
    if not _is_infinite(of.low) and not _is_infinite(of.high):
        return _between(of, _real_end(of.low, constant), _real_end(of.high, constant), constant)
    if not _is_infinite(of.low):
        return _outward(of, _real_end(of.low, constant), constant)
    middle = flint.arb(0) if _is_infinite(of.high) else _real_end(of.high, constant)
    mirrored = Range(of.operation, term(of, Product((MINUS_ONE, of.dummy))), of.dummy, of.low, of.high)
    left = _outward(mirrored, -middle, constant)
    return left + _outward(of, middle, constant) if _is_infinite(of.high) else left


def _outward(of: Range, low: Any, constant: Constants) -> Any:
    """From an end to infinity."""
    precise = 2.0 ** -min(flint.ctx.prec, 1_000)
    found: tuple[int, float] | None = None
    for far in _FAR:
        if low < far / 2:
            tail = _tail(tail_of_integral, of, far, constant)
            found = (far, tail) if tail is not None else found
            if tail is not None and tail <= precise:
                break
    if found is None:
        raise NoEnclosureError("what lies far out is not bounded")
    return _between(of, low, flint.arb(found[0]), constant) + _about_zero(found[1])


def _tail(bound: Callable[..., float], of: Range, start: int, constant: Constants) -> float | None:
    spend_at_precision(size(of.body))
    try:
        return bound(of.body, start, lambda each: _as_complex(constant(each)))
    except NoEnclosureError:
        return None


def _as_complex(value: Any) -> complex:
    if not value.is_finite():
        raise NoEnclosureError("a constant without a value")
    parts = []
    for part in (value.real, value.imag):
        number = float(part.mid())
        if not part.is_zero() and not (abs(number) > 1e-300 and part.rel_accuracy_bits() > 60):
            raise NoEnclosureError("a constant that is not known well")
        parts.append(number)
    return complex(*parts)


def _about_zero(radius: float) -> Any:
    ball = flint.arb(0, radius)
    return flint.acb(ball, ball)


def _between(of: Range, low: Any, high: Any, constant: Constants) -> Any:
    """Between two finite ends, each of which the integrand may break off at."""
    if low.overlaps(high):
        if low == high:
            return flint.acb(0)
        raise NoEnclosureError("ends that may be one")
    if low > high:
        return -_between(of, high, low, constant)
    function, cost, level = compiled(of.body, constant), size(of.body), of.dummy.level
    total, length = flint.acb(0), (high - low) * flint.arb(2) ** -_END
    ends = [low, high]
    for place, inward in ((0, length), (1, -length)):
        inner = ends[place] + inward
        spend_at_precision(cost)
        piece = ends[place].union(inner)
        if function({level: flint.acb(piece)}, False).is_finite():
            continue
        left, right = sorted((ends[place], inner), key=lambda each: float(each.mid()))
        if not left < right:
            raise NoEnclosureError("ends that may be one")
        lowest, highest = bounds(of.body, left.lower(), right.upper(), constant)
        total += flint.acb(lowest.union(highest) * length)
        ends[place] = inner
    return total + integrated(
        lambda run, analytic: function({level: run}, analytic), flint.acb(ends[0]), flint.acb(ends[1]), cost
    )


def _series(of: Range, constant: Constants) -> Any:
    if _is_infinite(of.low) or of.high == negative(INFINITY):
        raise NoEnclosureError("a series without a beginning")
    first = whole(constant(of.low))
    if first is None:
        raise NoEnclosureError("a beginning that is not whole")
    function, level, cost = compiled(of.body, constant), of.dummy.level, size(of.body)
    left_out = 0.0
    if of.high == INFINITY:
        if of.operation != "sum":
            raise NoEnclosureError("an infinite product")
        last, left_out = _terms(of, first, constant)
    else:
        end = whole(constant(of.high))
        if end is None or end < first or end - first > _MOST_TERMS:
            raise NoEnclosureError("an end that is not whole, or far away")
        last = end
    spend_at_precision(cost * (last - first + 1))
    total = flint.acb(0 if of.operation == "sum" else 1)
    for number in range(first, last + 1):
        part = function({level: flint.acb(number)}, False)
        total = total + part if of.operation == "sum" else total * part
    return total + _about_zero(left_out)


def _terms(of: Range, first: int, constant: Constants) -> tuple[int, float]:
    """The number of the last term that is added up, and a bound of what follows it."""
    precise = 2.0 ** -min(flint.ctx.prec, 1_000)
    found: tuple[int, float] | None = None
    for count in _TERMS:
        last = max(first, 0) + count
        tail = _tail(tail_of_sum, of, last, constant)
        if tail is not None and tail <= precise:
            return last, tail
        if tail is not None and (found is None or tail < found[1] * _WORTHWHILE):
            found = last, tail
    if found is None:
        raise NoEnclosureError("what follows is not bounded")
    return found


_STEPS, _STEP = 40, 0.08
"""Places on each side at which an integrand is looked at, and how far apart they are before spreading."""
_FIRST_TERMS = 24
_CLOSE, _FARTHEST = 1e-5, 1e5


def approximation(of: Range, constant: Constants) -> Any:
    """About the value of a range.

    Raises:
        NoEnclosureError: There is nothing to guess it from.
        OverBudgetError: That would be too much work.
    """
    if of.operation == "product":
        raise NoEnclosureError("a product")
    if of.operation == "integral" and (of.low == negative(INFINITY) or of.high == negative(INFINITY)):
        return _mirrored(of, constant)
    function, level = compiled(of.body, constant), of.dummy.level
    spend_at_precision(size(of.body) * 2 * _STEPS)
    if of.operation == "limit":
        return _limit(of, function, level, constant)
    if of.operation == "sum":
        first = whole(constant(of.low))
        if first is None or of.high != INFINITY:
            raise NoEnclosureError("no series")
        return _extrapolated(function, level, first)
    return _guessed_integral(of, function, level, constant)


def _mirrored(of: Range, constant: Constants) -> Any:
    if of.high == negative(INFINITY):
        raise NoEnclosureError("a range that runs backwards")
    zero = Number(Fraction(0))
    low = zero if of.high == INFINITY else Product((MINUS_ONE, of.high))
    body = term(of, Product((MINUS_ONE, of.dummy)))
    left = approximation(Range(of.operation, body, of.dummy, low, INFINITY), constant)
    if of.high != INFINITY:
        return left
    return left + approximation(Range(of.operation, of.body, of.dummy, zero, INFINITY), constant)


def _guessed_integral(of: Range, function: Function, level: int, constant: Constants) -> Any:
    """By the substitutions of Takahasi and Mori, which ends that are infinite or break off do not disturb."""
    low, infinite = constant(of.low), of.high == INFINITY
    length = flint.acb(1) if infinite else constant(of.high) - low
    total = flint.acb(0)
    for step in range(-_STEPS, _STEPS + 1):
        place = step * _STEP
        power = math.exp(math.pi / 2 * math.sinh(place))
        slope = math.pi / 2 * math.cosh(place)
        if infinite:
            share, weight = power, slope * power
        else:
            share, weight = power / (power + 1 / power), 2 * slope / (power + 1 / power) ** 2
        value = function({level: low + length * share}, False)
        if value.is_finite():
            total += value * weight
    return total * length * _STEP


def _extrapolated(function: Function, level: int, first: int) -> Any:
    """By Wynn's epsilon algorithm."""
    total, sums = flint.acb(0), []
    for number in range(first, first + _FIRST_TERMS):
        total += function({level: flint.acb(number)}, False)
        sums.append(flint.acb(total.mid()))
    before, now = [flint.acb(0)] * (len(sums) + 1), sums
    best = now[-1]
    for row in range(len(sums) - 1):
        steps = [now[place + 1] - now[place] for place in range(len(now) - 1)]
        if any(step.contains(0) for step in steps):
            break
        before, now = (
            now,
            [flint.acb((before[place + 1] + 1 / step).mid()) for place, step in enumerate(steps)],
        )
        if row % 2:
            best = now[-1]
    return best


def _limit(of: Range, function: Function, level: int, constant: Constants) -> Any:
    if of.low in (INFINITY, negative(INFINITY)):
        place = flint.acb(_FARTHEST if of.low == INFINITY else -_FARTHEST)
    else:
        below = of.high == MINUS_ONE
        place = constant(of.low) + (-_CLOSE if below else _CLOSE)
    return function({level: place}, False)
