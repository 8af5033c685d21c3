"""Whether two equations or inequalities mean the same: up to a factor, solved for an unknown, renamed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from ..formulas.ball_comparison import proportional
from ..formulas.exact_values import TooLargeError
from ..formulas.formula_equality import decide, is_equal
from ..formulas.formula_tree import Node, Sum, Symbol, negative, substitute, symbols
from ..formulas.polynomials import ratio, same_zeros
from ..formulas.shapes import Named, Relation, Shape, Value, bare, mapped
from .policy import Policy


def same_equation(one: Shape, other: Shape, policy: Policy) -> bool | None:
    """Two equations, or inequations with ``!=``, up to a factor other than zero."""
    if _sign(one) != _sign(other):
        return None if {_sign(one), _sign(other)} <= {"<", "<="} else False
    left, right = _difference(one), _difference(other)
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
    left, right = _difference(one), _difference(other)
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
    difference = _difference(relation)
    if difference is None:
        return False
    missing = symbols(difference) - symbols(value.node)
    if len(missing) != 1 or not symbols(value.node) <= symbols(difference) or not symbols(value.node):
        return False
    with_value = substitute(difference, {missing.pop(): value.node})
    return is_equal(decide(with_value, Sum((value.node, negative(value.node)))))


def one_name(one: Shape, other: Shape) -> bool:
    """Whether what two shapes are called may be one thing. A name that is missing agrees with every other."""
    if not isinstance(one, Named) or not isinstance(other, Named):
        return True
    left, right = (name.replace(" ", "") for name in (one.name.casefold(), other.name.casefold()))
    if left == right or "@element" in (left, right) or (one.sign == "in" and other.sign == "in"):
        return True
    if one.variable and other.variable:
        if left.partition("(")[0] == right.partition("(")[0]:
            return _renamable(one.name, other.name)
        # y = 2x + 3 and f(x) = 2x + 3 are one; x = 2 and y = 2, a_1 = 5 and a_2 = 5 are not.
        plain = all(len(name.partition("(")[0]) == 1 for name in (left, right))
        return plain and ("(" in left or "(" in right)
    if one.variable or other.variable:
        # An area may be called A; cos A, |x| or dy/dx are not A, x or y.
        label = other if one.variable else one
        return label.node is None and "/" not in label.name
    # "Max" and "maximum" are one, Alice and Bob, AB and BC are not.
    return one.node is None and other.node is None and (left.startswith(right) or right.startswith(left))


def aligned(one: Named, other: Named) -> tuple[Shape, Shape]:
    """What two functions are, with one name for the arguments of both: f(n) = 2n and f(m) = 2m."""
    mine, theirs = _arguments(one.name), _arguments(other.name)
    if not mine or mine == theirs or len(mine) != len(theirs):
        return one.shape, other.shape
    shapes = []
    for named, letters in ((one, mine), (other, theirs)):
        names: dict[str, Node] = {letter: Symbol(f"@{place}") for place, letter in enumerate(letters)}
        shapes.append(mapped(named.shape, lambda node, names=names: substitute(node, names)))  # type: ignore[misc]
    return shapes[0], shapes[1]


def _renamable(one: str, other: str) -> bool:
    """Whether functions of one name differ only in the names of arguments, as P(A) and P(B) do not."""
    mine, theirs = _arguments(one), _arguments(other)
    return ("(" in one) != ("(" in other) or (bool(mine) and len(mine) == len(theirs))


def _with_element(node: Node, other: Node) -> Node:
    """With the unknown of a set by a condition under the name that the other side has for it."""
    names = symbols(other) - symbols(node)
    return substitute(node, {"@element": Symbol(names.pop())}) if len(names) == 1 else node


def _arguments(name: str) -> tuple[str, ...]:
    """The letters of which a function is one; none if an argument is anything else."""
    letters = tuple(name.partition("(")[2].rstrip(")").split(","))
    plain = all(len(letter) == 1 and letter.isalpha() and letter.islower() for letter in letters)
    return letters if plain and len(set(letters)) == len(letters) else ()


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
        isinstance(left, Value) and isinstance(right, Value) and is_equal(decide(left.node, right.node))
        for left, right in pairs
    ]
    return all(same)
