"""Integrals, sums and products over ranges, enclosed rigorously.

Between finite ends integrals are flint's (Gauss and Legendre on pieces that are shown to be analytic); a
piece at an end where the integrand breaks off is bounded instead, and so is what lies beyond a far point of
an infinite range. A range that is known to a few digits refutes nearly every wrong value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.packages import deferred
from ..formula_tree import INFINITY, MINUS_ONE, Node, Product, Range, negative, term
from . import growth
from .calls import charge, integrated, size, whole
from .errors import NoEnclosureError
from .integrands import compiled
from .intervals import bounds

flint = deferred("flint")

_END = 40
"""Bits by which the piece at an end is shorter than the range: it adds that little to what is unknown."""
_FAR = (8, 32, 128, 1_024)
"""Where what is left out of an infinite integral begins; the first at which it is small enough."""
_TERMS = (16, 64, 256, 512, 1_024, 2_048)
"""Terms of an infinite sum that are added up; as few as leave out little enough."""
_WORTHWHILE = 0.1
"""How much less four times the terms must leave out: what falls as a power of n is not worth them."""
_MOST_TERMS = 20_000
"""Terms of the longest finite sum that is added up."""

Constants = Callable[[Node], Any]


def enclosed(of: Range, constant: Constants) -> Any:
    """A ball that holds the value of a range, at the precision that is set.

    Args:
        of: The range.
        constant: The value of a formula that holds no dummy.

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
            tail = _tail(growth.tail_of_integral, of, far, constant)
            found = (far, tail) if tail is not None else found
            if tail is not None and tail <= precise:
                break
    if found is None:
        raise NoEnclosureError("what lies far out is not bounded")
    return _between(of, low, flint.arb(found[0]), constant) + _about_zero(found[1])


def _tail(bound: Callable[..., float], of: Range, start: int, constant: Constants) -> float | None:
    charge(size(of.body))
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
        charge(cost)
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
    charge(cost * (last - first + 1))
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
        tail = _tail(growth.tail_of_sum, of, last, constant)
        if tail is not None and tail <= precise:
            return last, tail
        if tail is not None and (found is None or tail < found[1] * _WORTHWHILE):
            found = last, tail
    if found is None:
        raise NoEnclosureError("what follows is not bounded")
    return found
