"""Where formulas with unknowns are compared.

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
from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..exact_values import TooLargeError, exact
from ..formula_tree import (
    Apply,
    Constant,
    Dummy,
    Node,
    Range,
    Root,
    Sum,
    Symbol,
    children,
    negative,
    walk,
)
from ..polynomials import linear

KINDS = ("positive", "mixed", "large", "negative", "positive", "mixed", "whole", "large", "whole")
"""What each of the ordinary points is like."""
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
"""How often the largest constant is squared for a point, and how far that may lead: a root brings it back."""


def has_pieces(node: Node) -> bool:
    """Whether a formula is made of pieces: absolute values, and even roots, which hide a sign."""
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
    """The points that only formulas made of pieces are compared at.

    Args:
        one: A formula.
        other: Another.
        names: The unknowns of both.
    """
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
    """Whether a node is a piecewise function of something that varies."""
    named = (isinstance(node, Apply) and node.function in PIECEWISE) or (
        isinstance(node, Root) and node.degree % 2 == 0
    )
    return named and any(isinstance(each, Symbol) for each in walk(node))


def _zeros(node: Node) -> set[Fraction]:
    """Where arguments of pieces that are linear in one unknown are zero, or two of them are the same."""
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
        if not any(isinstance(inner, Symbol | Constant | Dummy) for inner in walk(each)):
            with contextlib.suppress(TooLargeError):
                value = exact(each)
                if value is not None:
                    found.add(abs(Fraction(int(value.p), int(value.q))))
                    continue
        waiting.extend(children(each))
    return found - {Fraction(0)}
