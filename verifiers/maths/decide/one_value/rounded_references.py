"""A decimal in a reference may be the rounding of an exact answer that no decimal equals: 6.67 of 20/3."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ....formulas.balls.ball_comparison import is_decimal, within
from ....formulas.exact_values import TooLargeError, exact
from ....formulas.formula_tree import Apply, Node, Number, Sum, negative, rebuild, symbols
from ....formulas.shapes import Shape, mapped
from ....reading.roundings import written_decimals


def marked(shape: Shape, text: str) -> Shape | None:
    """A reference whose decimals are marked with how far what they stand for may be; None for one without.

    Args:
        shape: The reference.
        text: What it was read from, since 2.50 says more than 2.5.
    """
    halves = dict(written_decimals(text))
    if not halves:
        return None
    found: list[Node] = []

    def mark(node: Node) -> Node:
        inner = node.arguments[0] if isinstance(node, Apply) and node.function == "percent" else node
        half = halves.get(abs(inner.value)) if isinstance(inner, Number) else None
        if half is None:
            return node
        found.append(node)
        rounded = Apply("rounded", (inner, Number(half)))
        return rounded if inner is node else Apply("percent", (rounded,))

    changed = mapped(shape, mark)
    return changed if found else None


def unmarked(node: Node, shift: int = 0) -> Node:
    """A value with its decimals as they were written, or moved by half a unit of the last place."""

    def plain(each: Node) -> Node | None:
        if not isinstance(each, Apply) or each.function != "rounded":
            return None
        value, half = each.arguments
        if not isinstance(value, Number) or not isinstance(half, Number):
            return None
        return Number(value.value + shift * half.value)

    return rebuild(node, plain)


def rounds_to(value: Node, decimal: Node, ends: Mapping[int, Node]) -> bool:
    """Whether an exact value, which no finite decimal equals, rounds to a decimal.

    Args:
        value: The exact value.
        decimal: The decimal.
        ends: The decimal moved by half a unit of its last place: down under -1, up under 1.
    """
    if symbols(value) or symbols(decimal) or is_decimal(value):
        return False
    try:
        width = exact(Sum((ends[1], negative(ends[-1]))))
    except TooLargeError:
        return False
    if width is None:
        return False
    return within(value, decimal, Fraction(int(abs(width).p), int(width.q)) / 2)
