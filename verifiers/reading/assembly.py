"""Several statements put together as one shape: what commas, "and" and "or" between them mean."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from ..formulas.answer_shapes import (
    Chain,
    Combined,
    Hedge,
    Infinity,
    Items,
    Named,
    Numbers,
    Relation,
    Shape,
    Value,
    bare,
    nodes,
)
from ..formulas.cost_limits import MAX_LIST, UnreadableError
from ..formulas.formula_tree import Symbol, symbols, walk
from ..formulas.regions import intersection, region


def assembled(items: list[Shape], kind: Literal["or", "and", "list"]) -> Shape:
    """Several statements as one shape.

    Args:
        items: Statements.
        kind: Separator between them: "or", "and", or "list" for commas.
    """
    hedge = next((item for item in items if isinstance(item, Hedge)), None)
    if hedge is not None:
        return hedge
    if kind == "list" and (kept := _without_exceptions(items)) is not None:
        return kept
    if any(_is_condition(item) for item in items):
        # Over the real numbers everything here is.
        items = [item for item in items if not _is_domain(item, "R")] or items
        operation = (
            kind if kind == "or" else _meant(items) if kind == "list" or _are_intervals(items) else "and"
        )
        if len(items) == 1:
            return items[0]
        if operation in ("or", "and") and not (kind == "list" and _is_list(items)):
            return Combined(operation, tuple(items))
    items = _named_alike(items)
    names = [item.name for item in items if isinstance(item, Named)]
    first = items[0]
    if len(names) == len(items) and len(set(names)) == 1:
        # x = 2, x = -3 are values of one unknown; tuples stay a list of points.
        items = [bare(item) for item in items]
        if all(isinstance(item, Value) for item in items):
            return _under_its_name(first, Items("{}", tuple(items)))
    elif len(set(names)) > 1 and kind == "or" and not all("_" in name for name in names):
        return Combined("or", tuple(items))
    elif (
        isinstance(items[0], Named) and len(names) == 1 and not any(map(_is_condition_or_equation, items[1:]))
    ):
        # x = 2, 3 and (x, y) = (1, 2) or (3, 4)
        items = [bare(items[0]), *items[1:]]
    choice = kind == "or" and all(isinstance(item, Value) for item in items)
    found = Items("{}" if choice else "list", tuple(spread(items)))  # 1 or 2 is not a point
    plain = first is not items[0] and all(isinstance(item, Value) for item in items)
    return _under_its_name(first, found) if plain else found


def _under_its_name(first: Shape, values: Items) -> Shape:
    """Several values under the one name that they have."""
    return replace(first, shape=values) if isinstance(first, Named) and first.variable else values


def _without_exceptions(items: list[Shape]) -> Shape | None:
    """A formula without where it has no value, ``x + 1, x != 3``; None for anything else."""
    head, *rest = items
    if not rest or not isinstance(rest[0], Relation):
        return None
    value, unknown = bare(head), rest[0].left
    # x != 1, 3 and x != 1, x != 3
    excluded = [each.right if isinstance(each, Relation) and each.sign == "!=" else each for each in rest]
    sides = [each.left for each in rest if isinstance(each, Relation) and each.sign == "!="]
    if (
        not sides
        or any(side != unknown for side in sides)
        or not all(isinstance(each, Value) for each in excluded)
    ):
        return None
    if not isinstance(value, Value) or any(
        symbols(each.node) for each in excluded if isinstance(each, Value)
    ):
        return None
    about = symbols(value.node) | ({head.name} if isinstance(head, Named) else set())
    names = {name for node in nodes(unknown) for name in symbols(node)}
    return head if names <= about and value not in excluded else None


def _named_alike(items: list[Shape]) -> list[Shape]:
    """``(x, y) = (1, 2), (3, 4)``: the names hold for the tuples that follow."""
    first = items[0]
    if not isinstance(first, Items) or first.kind != "()" or any(isinstance(item, Named) for item in items):
        return items
    names = [each for each in first.items if isinstance(each, Named)]
    if not names or len(names) != len(first.items):
        return items
    return [with_names(names, item) or item for item in items]


def with_names(names: Sequence[Named], shape: Shape) -> Shape | None:
    """A tuple, or a set or list of tuples, with names for the parts of each; None for anything else."""
    if not isinstance(shape, Items):
        return None
    if shape.kind == "()":
        if len(shape.items) != len(names) or any(isinstance(item, Named) for item in shape.items):
            return None
        pairs = zip(names, shape.items, strict=True)
        return Items("()", tuple(replace(name, shape=item, sign="=") for name, item in pairs))
    found = [with_names(names, item) for item in shape.items]
    return Items(shape.kind, tuple(each for each in found if each)) if None not in found else None


def _is_condition(item: Shape) -> bool:
    """Return whether a statement leaves a range of values."""
    if isinstance(item, Relation):
        return item.sign != "="
    if isinstance(item, Named) and item.sign == "in" and isinstance(item.shape, Items):
        return item.shape.kind != "list"
    endless = isinstance(item, Items) and any(isinstance(end, Infinity) for end in item.items)
    return endless or isinstance(item, Chain) or _is_region(item)


def _is_condition_or_equation(item: Shape) -> bool:
    return isinstance(item, Relation | Chain)


def _are_intervals(items: list[Shape]) -> bool:
    return all(isinstance(item, Items) and item.kind != "{}" for item in items)


def _is_domain(item: Shape, name: str = "") -> bool:
    inner = item.shape if isinstance(item, Named) and item.sign == "in" else None
    return isinstance(inner, Numbers) and (not name or inner.name == name)


def _meant(items: list[Shape]) -> Literal["or", "and", "list"]:
    """Conditions between commas: all hold, unless nothing fulfils all of them, as in x < 1, x > 3."""
    if _are_intervals(items):
        return "or"  # (-oo, 1), (3, oo): where a function rises
    if not all(_is_condition(item) for item in items) or any(isinstance(item, Items) for item in items):
        return "list"
    if any(_is_domain(item) for item in items):
        return "and"
    both = region(Combined("and", tuple(items)))
    if both is None:
        return "and" if all(isinstance(item, Relation) for item in items) else "list"
    return "and" if both else "or"


def _is_list(items: list[Shape]) -> bool:
    """Return whether sets between commas are several answers: parts of a union have no interval in common."""
    if not all(isinstance(item, Items | Numbers) or _is_element(item) for item in items):
        return False
    found = [region(item) for item in items]
    if None in found:
        return False
    pairs = itertools.combinations([each for each in found if each is not None], 2)
    common = [intersection(one, other) for one, other in pairs]
    return any(part.low.position < part.high.position for both in common for part in both or ())


def _is_element(item: Shape) -> bool:
    """Return whether an item is a set given by a condition."""
    return isinstance(item, Relation | Chain) and any(
        isinstance(node, Symbol) and node.name.startswith("@") for each in nodes(item) for node in walk(each)
    )


def _is_region(shape: Shape) -> bool:
    """Return whether a shape is a set of numbers, rather than a number."""
    if isinstance(shape, Named):
        return shape.sign == "in" and _is_region(shape.shape)
    return isinstance(shape, Numbers | Combined) or (
        isinstance(shape, Items) and shape.kind in ("(]", "[)", "{}")
    )


def spread(items: Iterable[Shape]) -> list[Shape]:
    """Items with what stands for several of them, such as ``\\pm 1``, in its parts."""
    found: list[Shape] = []
    for item in items:
        found.extend(item.items if isinstance(item, Items) and item.kind == "list" else (item,))
    if len(found) > MAX_LIST:
        raise UnreadableError("a list that is too long")
    return found
