"""Shapes of an answer once read: a value, words, or several of these in some order and brackets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ..runtime.records import dataclass
from ..units.dates_and_times import Date
from .formula_tree import Node

Kind = Literal["list", "()", "[]", "{}", "(]", "[)"]
"""Brackets of a group; "list" has none, or braces that LaTeX does not show."""
Sign = Literal["=", "!=", "<", "<="]


@dataclass(frozen=True, slots=True)
class Value:
    """One value, and the unit after it ("" for none)."""

    node: Node
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Text, folded."""

    text: str


@dataclass(frozen=True, slots=True)
class Infinity:
    """Plus or minus infinity."""

    sign: int


@dataclass(frozen=True, slots=True)
class Items:
    """Several shapes in brackets, or in none."""

    kind: Kind
    items: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A set that has a name: R, Q, Z, N, C; "" is the empty set."""

    name: str


@dataclass(frozen=True, slots=True)
class Combined:
    """Two sets or more under one operation: union, intersection, or the first without the others."""

    operation: Literal["or", "and", "without"]
    parts: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of values, all of one length."""

    rows: tuple[tuple[Shape, ...], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Two sides; ``>`` is written the other way round."""

    sign: Sign
    left: Shape
    right: Shape


@dataclass(frozen=True, slots=True)
class Chain:
    """Three sides or more: ``a < b <= c``."""

    signs: tuple[Sign, ...]
    sides: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """``x = 5``, ``f(x) = 2x``, ``Paolo: 18``, ``x \\in (1, 2)``.

    Args:
        name: The left side, its tokens joined.
        shape: Its shape.
        node: The left side as a tree, where it is one.
        variable: Whether the name is one unknown.
        sign: ``=``, or ``in`` for a membership.
    """

    name: str
    shape: Shape
    node: Node | None = None
    variable: bool = True
    sign: str = "="


@dataclass(frozen=True, slots=True)
class Ratio:
    """``3:4:5``."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in seconds, and whether the half of the day is known."""

    seconds: int
    half: bool


@dataclass(frozen=True, slots=True)
class Numeral:
    """Digits in a base, as in ``204_5``."""

    digits: str
    base: int


@dataclass(frozen=True, slots=True)
class Cases:
    """Expressions, each with its condition."""

    rows: tuple[tuple[Shape, Shape], ...]


@dataclass(frozen=True, slots=True)
class Hedge:
    """Answer that offers several values for one, with the reason."""

    problem: str


Shape = (
    Value | Words | Infinity | Items | Numbers | Combined | Matrix | Relation | Chain | Named | Ratio | Clock
    | Date | Numeral | Cases | Hedge
)  # fmt: skip


def bare(shape: Shape) -> Shape:
    """A shape without its name."""
    while isinstance(shape, Named):
        shape = shape.shape
    return shape


def nodes(shape: Shape) -> list[Node]:
    """The trees of all values in a shape."""
    found: list[Node] = []

    def note(node: Node) -> Node:
        found.append(node)
        return node

    mapped(shape, note)
    return found


def mapped(shape: Shape, change: Callable[[Node], Node]) -> Shape:
    """A shape whose values are changed."""
    if isinstance(shape, Value):
        return Value(change(shape.node), shape.unit)
    if isinstance(shape, Items):
        return Items(shape.kind, tuple(mapped(item, change) for item in shape.items))
    if isinstance(shape, Combined):
        return Combined(shape.operation, tuple(mapped(part, change) for part in shape.parts))
    if isinstance(shape, Named):
        return Named(shape.name, mapped(shape.shape, change), shape.node, shape.variable, shape.sign)
    if isinstance(shape, Relation):
        return Relation(shape.sign, mapped(shape.left, change), mapped(shape.right, change))
    if isinstance(shape, Chain):
        return Chain(shape.signs, tuple(mapped(side, change) for side in shape.sides))
    if isinstance(shape, Matrix):
        return Matrix(tuple(tuple(mapped(cell, change) for cell in row) for row in shape.rows))
    if isinstance(shape, Cases):
        return Cases(
            tuple((mapped(value, change), mapped(condition, change)) for value, condition in shape.rows)
        )
    if isinstance(shape, Ratio):
        return Ratio(tuple(Value(change(part.node), part.unit) for part in shape.parts))
    return shape
