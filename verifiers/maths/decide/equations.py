"""Whether two equations or inequalities mean the same: up to a factor, solved for an unknown, renamed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from ...formulas.balls.ball_comparison import proportional
from ...formulas.exact_values import TooLargeError
from ...formulas.formula_equality import decide, is_equal
from ...formulas.formula_tree import Node, Sum, Symbol, negative, substitute, symbols
from ...formulas.polynomials import ratio, same_zeros
from ...formulas.shapes import Named, Relation, Shape, Value, bare
from .one_value.policy import Policy


def same_equation(one: Shape, other: Shape, policy: Policy) -> bool | None:
    """Two equations, or inequations with ``!=``, up to a factor other than zero."""
    if _sign(one) != _sign(other):
        return None if {_sign(one), _sign(other)} <= {"<", "<="} else False
    left, right = difference(one), difference(other)
    if left is None or right is None:
        return False
    left, right = _with_element(left, right), _with_element(right, left)
    if symbols(left) != symbols(right):
        return False
    if policy.relations == "as_written":
        return _as_written(one, other)
    try:
        found = same_zeros(left, right)
    except TooLargeError:
        found = None
    return found if found is not None else proportional(left, right)


def same_inequality(one: Relation, other: Relation, policy: Policy) -> bool | None:
    """Two inequalities with one sign, up to a positive factor; None where their solutions may still agree."""
    left, right = difference(one), difference(other)
    if left is None or right is None:
        return False
    if "@element" in symbols(left) | symbols(right):
        return None  # a set by a condition: its numbers are compared, not its unknown
    if policy.relations == "as_written":
        return _as_written(one, other)
    with contextlib.suppress(TooLargeError):
        factor = ratio(left, right)
        if factor is not None and factor is not False:
            return bool(factor > 0)
    if len(symbols(left)) == 1 and symbols(left) == symbols(right):
        return None
    return False if symbols(left) != symbols(right) else proportional(left, right) and None


def solves(relation: Relation, value: Value) -> bool | None:
    """Whether a value is what an equation gives for the one unknown that the value has not."""
    zero = difference(relation)
    if zero is None:
        return False
    missing = symbols(zero) - symbols(value.node)
    if len(missing) != 1 or not symbols(value.node) <= symbols(zero) or not symbols(value.node):
        return False
    with_value = substitute(zero, {missing.pop(): value.node})
    return is_equal(decide(with_value, Sum((value.node, negative(value.node)))))


def _with_element(node: Node, other: Node) -> Node:
    """With the unknown of a set by a condition under the name that the other side has for it."""
    names = symbols(other) - symbols(node)
    return substitute(node, {"@element": Symbol(names.pop())}) if len(names) == 1 else node


def _sign(shape: Shape) -> str:
    return shape.sign if isinstance(shape, Relation | Named) else ""


def difference(shape: Shape) -> Node | None:
    """One side of an equation minus the other; None for anything else."""
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
        isinstance(left, Value) and isinstance(right, Value) and is_equal(decide(left.node, right.node))
        for left, right in pairs
    ]
    return all(same)
