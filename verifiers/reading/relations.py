"""Relations as they are read: equations, inequalities and chains, memberships, names, approximations."""

from __future__ import annotations

import itertools
from fractions import Fraction

from ..formulas.answer_shapes import (
    Chain,
    Combined,
    Hedge,
    Infinity,
    Items,
    Matrix,
    Named,
    Ratio,
    Relation,
    Shape,
    Sign,
    Value,
    bare,
)
from ..formulas.ball_comparison import approximate
from ..formulas.cost_limits import UnreadableError
from ..formulas.formula_equality import decide, is_equal
from ..formulas.formula_tree import (
    Apply,
    Node,
    Number,
    Product,
    Range,
    Symbol,
    decimal_places,
    inverse,
    rebuild,
    symbols,
    walk,
)
from ..units.quantities import conversions
from .assembly import with_names
from .brackets import Level, read_group
from .spelling.tokens import cut, parts_at, split
from .value_names import name_of, names_of, point_of

_SIGNS: dict[str, Sign] = {"=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": "<", ">=": "<="}
RELATIONS = frozenset(_SIGNS)
"""The tokens of relations."""


def read_relation(words: list[str], level: Level) -> Shape:
    """One relation, chain or membership, or ``name = shape``; else what `read_group` reads."""
    near = parts_at(words, "\\approx")
    if near != [words]:
        return _approximated(near, level)
    inside = split(words, frozenset({"\\in"})) if "\\in" in words else []
    if len(inside) == 2:
        name = name_of(inside[0])
        if name is None:
            raise UnreadableError("an expression is in a set")
        shape = read_group(inside[1], level)
        return _tuples(inside[0], shape) or Named(name[0], shape, name[1], name[2], "in")
    sides, signs = cut(words, RELATIONS) if not RELATIONS.isdisjoint(words) else ([], [])
    if not signs:
        return read_point(words, level) or read_group(words, level)
    if not all(sides):
        if signs == ["="] and sides[1]:
            return read_group(sides[1], level)
        raise UnreadableError("a side of a relation is missing")
    if set(signs) == {"="}:
        return _equation(sides, level)
    shapes = tuple(read_group(side, level) for side in sides)
    return _inequality(shapes, signs)


def read_point(words: list[str], level: Level, among: bool = False) -> Shape | None:
    """``A(1, 2)``; None for anything else. Among other points ``C(5, 2)`` is one, too."""
    point = point_of(words, among)
    return None if point is None else Named(point[0], read_group(point[1], level), Symbol(point[0]), True)


def _inequality(shapes: tuple[Shape, ...], signs: list[str]) -> Shape:
    """Written with ``<``, whichever way round it came."""
    last = shapes[-1]
    if signs == ["!="] and isinstance(last, Items) and last.kind == "list":
        return Combined("and", tuple(_inequality((shapes[0], each), signs) for each in last.items))  # x != ±5
    if any(not isinstance(shape, Value | Infinity) for shape in shapes):
        raise UnreadableError("a relation between lists")
    if ("=" in signs or "!=" in signs) and len(signs) > 1:
        raise UnreadableError("a chain of mixed signs")
    if len({sign[0] for sign in signs}) > 1:
        raise UnreadableError("a chain that turns")
    if signs[0][0] == ">":
        shapes, signs = shapes[::-1], signs[::-1]
    plain = tuple(_SIGNS[sign] for sign in signs)
    return Relation(plain[0], *shapes) if len(plain) == 1 else Chain(plain, shapes)


def _equation(sides: list[list[str]], level: Level) -> Shape:
    """``x = 5``, ``17 + 24 = 41``, ``x + y = 1``; ``x = 41 = 42`` hedges."""
    if (
        sides[0][0].startswith("\\begin:")
        and len(sides) == 2
        and (vector := _vector(sides, level)) is not None
    ):
        return vector
    name = name_of(sides[0])
    if name is None and (last := name_of(sides[-1])) is not None and last[2]:
        name, sides = last, sides[::-1]  # 2 = x
    if any(one == other for one, other in itertools.pairwise(sides)):
        return Hedge(f"{''.join(sides[0])!r:.40} is said to equal itself")
    names = [name_of(side) for side in sides[:-1]]
    if name is not None and len(names) > 1 and all(map(_is_sole, names)):
        # x = y = 3 gives both.
        value = read_group(sides[-1], level)
        return Items("list", tuple(Named(each[0], value, each[1], each[2]) for each in names if each))
    shapes = [read_group(side, level) for side in (sides[1:] if name else sides)]
    if name is not None:
        shape = _one_of(shapes, sides[1:])
        if (named := _tuples(sides[0], shape)) is not None:
            return named
        if isinstance(shape, Ratio) and ":" in sides[0]:
            return _ratio(sides[0], shape)
        if _is_worth(name[1]) and isinstance(shape, Value) and _differ(Value(name[1]), shape):  # type: ignore[arg-type]
            return Hedge(f"{name[0]!r:.40} is another value")
        return shape if isinstance(shape, Hedge) else Named(name[0], shape, name[1], name[2])
    if len(shapes) > 1 and not any(isinstance(shape, Value) and symbols(shape.node) for shape in shapes):
        return _one_of(shapes, sides)
    shapes = [_as_value(shape) for shape in shapes]
    if all(isinstance(shape, Value) for shape in shapes) and _is_identity(shapes):
        return shapes[-1]  # (x + 1)^2 = x^2 + 2x + 1 is a calculation
    right = _one_of(shapes[1:], sides[1:])
    if isinstance(right, Hedge):
        return right
    if not isinstance(shapes[0], Value) or not isinstance(right, Value):
        raise UnreadableError("an equation between lists")
    return Relation("=", shapes[0], right)


def _is_sole(name: tuple[str, Node | None, bool] | None) -> bool:
    """Return whether a side names one thing, so that ``x = y = 3`` gives both."""
    return name is not None and (name[2] or isinstance(name[1], Symbol))


def _is_worth(node: Node | None) -> bool:
    """Return whether a name has a number for its value, whatever the unknowns are: the sine of 0 has."""
    return node is not None and not symbols(node)


def _tuples(words: list[str], shape: Shape) -> Shape | None:
    """``(x, y) = (1, 2)`` names every value, of every tuple where there are several."""
    names = [Named(name[0], shape, name[1], name[2]) for name in names_of(words)]
    return with_names(names, shape) if names else None


def _vector(sides: list[list[str]], level: Level) -> Shape | None:
    """A column of unknowns that is said to be a column of values; None for anything else."""
    found = [read_group(side, level) for side in sides]
    cells = [[cell for row in each.rows for cell in row] for each in found if isinstance(each, Matrix)]
    if len(cells) != 2 or len(cells[0]) != len(cells[1]):
        return None
    names = [cell.node for cell in cells[0] if isinstance(cell, Value) and isinstance(cell.node, Symbol)]
    if len(names) != len(cells[0]):
        return None
    pairs = zip(names, cells[1], strict=True)
    return Items("()", tuple(Named(name.name, value, name) for name, value in pairs))


def _ratio(words: list[str], shape: Ratio) -> Shape:
    """``b:a = 9:7`` as ``a:b = 7:9``: each part under its name."""
    names = ["".join(part) for part in split(words, frozenset({":"}))]
    if len(names) != len(shape.parts):
        raise UnreadableError("a ratio of other length than its names")
    parts = sorted(zip(names, shape.parts, strict=True), key=lambda part: part[0])
    return Named(":".join(sorted(names)), Ratio(tuple(part for _, part in parts)), None, False)


def _one_of(shapes: list[Shape], sides: list[list[str]]) -> Shape:
    """The last of several shapes that are said to be one; a hedge if they are not."""
    values = [shape for shape in shapes if isinstance(shape, Value)]
    if len(values) == len(shapes):
        for value, side in zip(values[:-1], sides, strict=False):
            if _differ(value, values[-1]):
                return Hedge(f"{''.join(side)!r:.40} and {''.join(sides[-1])!r:.40} are two values")
    elif len(shapes) > 1:
        kept = [shape for shape in shapes if not isinstance(shape, Ratio)]
        if len(kept) != 1 and any(shape != shapes[-1] for shape in shapes):
            raise UnreadableError("several lists are said to be equal")
    return shapes[-1]


def _differ(one: Value, last: Value) -> bool:
    """Return whether two values differ, as far as is known: 3 m are 300 cm, a decimal may be rounded."""
    if any(isinstance(each, Range) and each.operation == "integral" for each in walk(one.node)):
        return False  # too much work for a reader: what it is said to be counts
    measured = one.unit and last.unit and one.unit != last.unit
    for factor in conversions(one.unit, last.unit) if measured else (Fraction(1),):
        node = one.node if factor == 1 else Product((Number(factor), one.node))
        for each in (node, rebuild(node, _in_degrees)):
            reason = decide(each, last.node)
            if is_equal(reason) or reason is None or _is_near(each, last):
                return False
    return True


def _in_degrees(node: Node) -> Node | None:
    """The cosine of 60 as that of 60 degrees, which is left unsaid."""
    plain = isinstance(node, Apply) and node.function in _OF_ANGLES and isinstance(node.arguments[0], Number)
    return Apply(node.function, (Apply("degrees", node.arguments),)) if plain else None  # type: ignore[union-attr]


_OF_ANGLES = frozenset({"sin", "cos", "tan", "cot", "sec", "csc"})


def _is_near(node: Node, last: Value) -> bool:
    """Return whether a value rounds to a decimal with places behind the point."""
    if not decimal_places(last.node):
        return False
    first, second = approximate(node), approximate(last.node)
    return first is not None and second is not None and abs(first - second) < _last_place(last)


def _as_value(shape: Shape) -> Shape:
    """A ratio of two before or after an equality sign is a division."""
    if isinstance(shape, Ratio) and len(shape.parts) == 2:
        return Value(Product((shape.parts[0].node, inverse(shape.parts[1].node))))
    return shape


def _is_identity(shapes: list[Shape]) -> bool:
    nodes = [shape.node for shape in shapes if isinstance(shape, Value)]
    return all(is_equal(decide(node, nodes[-1])) for node in nodes[:-1])


def _approximated(parts: list[list[str]], level: Level) -> Shape:
    """The exact side of ``1/3 = 0.333``, if the sides are near one another; after a name, what is there."""
    if not parts:
        raise UnreadableError("an approximation lacks a side")
    if len(parts) == 1:
        return read_relation(parts[0], level)
    name = name_of(parts[0])
    if name is not None:
        return Named(name[0], _approximated(parts[1:], level), name[1], name[2])
    shapes = [read_relation(part, level) for part in parts]
    inner = [bare(shape) for shape in shapes]
    numbers = [approximate(shape.node) if isinstance(shape, Value) else None for shape in inner]
    first = numbers[0]
    for number, shape in zip(numbers[1:], inner[1:], strict=True):
        if first is None or number is None or not abs(first - number) < _last_place(shape):
            return Hedge("the approximation is of another value")
    return shapes[0]


def _last_place(shape: Shape) -> float:
    """One unit of the last digit of what was written, from which a rounding is less far away."""
    places = decimal_places(shape.node) if isinstance(shape, Value) else None
    return 10.0 ** -(places or 0)
