"""Values of ranges as a good guess, without any bound of their error.

They decide nothing: where both sides seem to be equal, more work is allowed on proving it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...runtime.packages import deferred
from ..formula_tree import INFINITY, MINUS_ONE, Node, Number, Product, Range, negative, term
from .calls import charge, size, whole
from .errors import NoEnclosureError
from .integrands import Function, compiled

flint = deferred("flint")

_STEPS, _STEP = 40, 0.08
"""Places on each side at which an integrand is looked at, and how far apart they are before spreading."""
_TERMS = 24
_CLOSE, _FAR = 1e-5, 1e5

Constants = Callable[[Node], Any]


def guessed(of: Range, constant: Constants) -> Any:
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
    charge(size(of.body) * 2 * _STEPS)
    if of.operation == "limit":
        return _limit(of, function, level, constant)
    if of.operation == "sum":
        first = whole(constant(of.low))
        if first is None or of.high != INFINITY:
            raise NoEnclosureError("no series")
        return _extrapolated(function, level, first)
    return _integral(of, function, level, constant)


def _mirrored(of: Range, constant: Constants) -> Any:
    if of.high == negative(INFINITY):
        raise NoEnclosureError("a range that runs backwards")
    zero = Number(Fraction(0))
    low = zero if of.high == INFINITY else Product((MINUS_ONE, of.high))
    body = term(of, Product((MINUS_ONE, of.dummy)))
    left = guessed(Range(of.operation, body, of.dummy, low, INFINITY), constant)
    if of.high != INFINITY:
        return left
    return left + guessed(Range(of.operation, of.body, of.dummy, zero, INFINITY), constant)


def _integral(of: Range, function: Function, level: int, constant: Constants) -> Any:
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
    for number in range(first, first + _TERMS):
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
        place = flint.acb(_FAR if of.low == INFINITY else -_FAR)
    else:
        below = of.high == MINUS_ONE
        place = constant(of.low) + (-_CLOSE if below else _CLOSE)
    return function({level: place}, False)
