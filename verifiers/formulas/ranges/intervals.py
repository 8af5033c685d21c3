"""Bounds of a real function over an interval at whose end it breaks off, as x^x does at zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.packages import deferred
from ..formula_tree import Apply, Constant, Dummy, Node, Number, Power, Product, Root, Sum, walk
from .errors import NoEnclosureError

flint = deferred("flint")

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
        return _lower(sum(lows[1:], lows[0])), _upper(sum(highs[1:], highs[0]))
    if isinstance(node, Product):
        total = _bounds(node.factors[0], run, constant)
        for factor in node.factors[1:]:
            total = _times(total, _bounds(factor, run, constant))
        return total
    if isinstance(node, Power):
        return _power(node, run, constant)
    if isinstance(node, Root):
        low, high = _bounds(node.radicand, run, constant)
        if low < 0:
            raise NoEnclosureError("a root of a negative number")
        return _lower(low.root(node.degree)), high if _infinite(high) else _upper(high.root(node.degree))
    if isinstance(node, Apply) and len(node.arguments) == 1:
        return _applied(node.function, _bounds(node.arguments[0], run, constant))
    raise NoEnclosureError("no rule at an end")


def _power(node: Power, run: Interval, constant: Callable[[Node], Any]) -> Interval:
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
        return _exponential(above)
    return _exponential(_times(above, _logarithm(_bounds(node.base, run, constant))))


def _applied(name: str, inside: Interval) -> Interval:
    if name in ("sin", "cos"):
        return flint.arb(-1), flint.arb(1)
    if name == "exp":
        return _exponential(inside)
    if name == "ln":
        return _logarithm(inside)
    if name == "atan":
        half = flint.arb.pi() / 2
        return _lower(-half), _upper(half)
    raise NoEnclosureError(f"no rule for {name} at an end")


def _exponential(inside: Interval) -> Interval:
    low = flint.arb(0) if _infinite(inside[0]) else _lower(inside[0].exp())
    return low, inside[1] if _infinite(inside[1]) else _upper(inside[1].exp())


def _logarithm(inside: Interval) -> Interval:
    low, high = inside
    if low < 0 or not high > 0:
        raise NoEnclosureError("a logarithm of a negative number")
    bottom = _lower(low.log()) if low > 0 else flint.arb("-inf")
    return bottom, high if _infinite(high) else _upper(high.log())


def _inverse(inside: Interval) -> Interval:
    low, high = inside
    if not low >= 0:
        raise NoEnclosureError("a quotient whose denominator changes its sign")
    top = _upper(1 / low) if low > 0 else flint.arb("inf")
    return (flint.arb(0) if _infinite(high) else _lower(1 / high)), top


def _times(one: Interval, other: Interval) -> Interval:
    products = [_product(left, right) for left in one for right in other]
    low = high = products[0]
    for each in products[1:]:
        low = each if _lower(each) < _lower(low) else low
        high = each if _upper(each) > _upper(high) else high
    return _lower(low), _upper(high)


def _product(left: Any, right: Any) -> Any:
    """Where zero times infinity is zero: an end that is not reached times one that is."""
    if left == 0 or right == 0:
        return flint.arb(0)
    return left * right


def _infinite(end: Any) -> bool:
    return not end.is_finite()


def _lower(value: Any) -> Any:
    return value if _infinite(value) else value.lower()


def _upper(value: Any) -> Any:
    return value if _infinite(value) else value.upper()
