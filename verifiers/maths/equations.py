"""Whether two equations or inequalities say the same: up to a factor, solved for an unknown, renamed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from . import algebra, balls
from .algebra import TooLargeError
from .decide import decide
from .policy import Policy
from .shapes import Named, Relation, Shape, Value, bare, mapped
from .tree import Node, Sum, Symbol, negative, substitute, symbols


def same_equation(one: Shape, other: Shape, policy: Policy) -> bool | None:
    """Two equations, or inequations with ``!=``, up to a factor other than zero."""
    if _sign(one) != _sign(other):
        return None if {_sign(one), _sign(other)} <= {"<", "<="} else False
    left, right = _difference(one), _difference(other)
    if left is None or right is None:
        return False
    if symbols(left) != symbols(right):
        return False
    if policy.relations == "as_written":
        return _as_written(one, other)
    try:
        found = algebra.same_zeros(left, right)
    except TooLargeError:
        found = None
    return found if found is not None else balls.proportional(left, right)


def same_inequality(one: Relation, other: Relation, policy: Policy) -> bool | None:
    """Two inequalities with one sign, up to a positive factor; None where their solutions may still agree."""
    left, right = _difference(one), _difference(other)
    if left is None or right is None:
        return False
    if policy.relations == "as_written":
        return _as_written(one, other)
    with contextlib.suppress(TooLargeError):
        ratio = algebra.ratio(left, right)
        if ratio is not None and ratio is not False:
            return bool(ratio > 0)
    if len(symbols(left)) == 1 and symbols(left) == symbols(right):
        return None
    return False if symbols(left) != symbols(right) else balls.proportional(left, right) and None


def solves(relation: Relation, value: Value) -> bool | None:
    """Whether a value is what an equation gives for the one unknown that the value has not."""
    difference = _difference(relation)
    if difference is None:
        return False
    missing = symbols(difference) - symbols(value.node)
    if len(missing) != 1 or not symbols(value.node) <= symbols(difference) or not symbols(value.node):
        return False
    with_value = substitute(difference, {missing.pop(): value.node})
    reason = decide(with_value, Sum((value.node, negative(value.node))))
    return reason is not None and reason.startswith("equal_")


def aligned(one: Named, other: Named) -> tuple[Shape, Shape]:
    """What two functions are, with one name for the argument of both: f(n) = 2n and f(m) = 2m."""
    mine, theirs = _argument(one.name), _argument(other.name)
    if not mine or not theirs or mine == theirs:
        return one.shape, other.shape
    argument = Symbol("@argument")
    return (
        mapped(one.shape, lambda node: substitute(node, {mine: argument})),
        mapped(other.shape, lambda node: substitute(node, {theirs: argument})),
    )


def _argument(name: str) -> str:
    inside = name.partition("(")[2].rstrip(")")
    return inside if len(inside) == 1 and inside.isalpha() else ""


def _sign(shape: Shape) -> str:
    return shape.sign if isinstance(shape, Relation | Named) else ""


def _difference(shape: Shape) -> Node | None:
    """One side minus the other."""
    if isinstance(shape, Relation):
        sides: Iterable[Shape | Node | None] = (shape.left, shape.right)
    elif isinstance(shape, Named):
        sides = (Value(shape.node) if shape.node is not None else None, bare(shape.shape))
    else:
        return None
    nodes = [side.node for side in sides if isinstance(side, Value)]
    return Sum((nodes[0], negative(nodes[1]))) if len(nodes) == 2 else None


def _as_written(one: Shape, other: Shape) -> bool:
    if not isinstance(one, Relation) or not isinstance(other, Relation):
        return one == other
    pairs = ((one.left, other.left), (one.right, other.right))
    same = [
        isinstance(left, Value)
        and isinstance(right, Value)
        and (decide(left.node, right.node) or "").startswith("equal_")
        for left, right in pairs
    ]
    return all(same)
