"""Solutions with arbitrary constants: antiderivatives up to ``C``, and linear combinations up to names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ....formulas.balls.ball_comparison import proportional
from ....formulas.balls.special_functions import SLOW
from ....formulas.formula_equality import decide, is_equal
from ....formulas.formula_tree import (
    Apply,
    Node,
    Number,
    Product,
    Sum,
    Symbol,
    functions,
    negative,
    substitute,
    symbols,
    walk,
)
from ....runtime.patterns import lazy

_SURE = lazy(r"C(?:_\w+)?|c_\w+")
"""Names that arbitrary constants have; ``C`` is hardly ever anything else beside an unknown such as x."""
_POSSIBLE = lazy(r"[ABDKck](?:_\w+)?|const")
"""Names that they have, too, and that other things have as often: one side has to have one of the others."""
_ADDED = frozenset({"c", "k", "K"})
_VARIABLES = frozenset("x t u y z s n w v r theta".split())
"""What such solutions are functions of. Capacitances and volumes multiply no functions of x."""
_MOST, _MOST_NODES = 4, 150
_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))


def same_family(one: Node, other: Node) -> bool:
    """Whether two formulas are one set of functions, when their arbitrary constants take all values.

    Both must be linear in their constants: a particular solution, and multiples of functions. Unknowns keep
    their names: only letters by which constants are called are renamed.

    >>> from verifiers.reading.formula_parser import parse
    >>> same_family(parse("C_1e^x + C_2e^{-x}"), parse("Ae^{-x} + Be^x"))
    True
    >>> same_family(parse("x_1 + 2x_2"), parse("x_2 + 2x_1"))
    False
    """
    names = _constants(one, other)
    if names is None or not (_is_cheap(one) and _is_cheap(other)):
        return False
    left, right = _family(one, names[0]), _family(other, names[1])
    if left is None or right is None:
        physical = any(name[0].isupper() for name in symbols(one) - set(names[0]))
        return (
            len(names[0]) == 1
            and not physical
            and _same(substitute(one, {names[0][0]: Symbol(names[1][0])}), other)
        )
    if len(names[0]) == 1:
        return _same_with_one(left, right)
    if sum(bool(proportional(each, _ONE)) for each in left.functions) > 1:
        return False  # one of them would do
    others = list(right.functions)
    for each in left.functions:
        match = next((place for place, theirs in enumerate(others) if proportional(each, theirs)), None)
        if match is None:
            return False
        others.pop(match)
    return _same(left.particular, right.particular) or any(
        proportional(_difference(left.particular, right.particular), each) for each in left.functions
    )


def is_arbitrary(name: str) -> bool:
    """Whether a name is hardly ever anything but that of an arbitrary constant.

    >>> is_arbitrary("C_1"), is_arbitrary("x_1")
    (True, False)
    """
    return _SURE.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class _Family:
    """A particular solution, and the functions whose multiples are added to it."""

    particular: Node
    functions: tuple[Node, ...]


def _is_cheap(node: Node) -> bool:
    """Whether a formula can be worked out dozens of times."""
    return sum(1 for _ in walk(node)) <= _MOST_NODES and functions(node).isdisjoint(SLOW)


def _constants(one: Node, other: Node) -> tuple[list[str], list[str]] | None:
    """The names of the arbitrary constants of both; None where there are none for sure."""
    names = symbols(one), symbols(other)
    found = [
        {name for name in mine if _SURE.fullmatch(name) or (name not in theirs and _POSSIBLE.fullmatch(name))}
        for mine, theirs in (names, names[::-1])
    ]
    if not any(_SURE.fullmatch(name) for name in found[0] | found[1]):
        # sin^2 x + c: in a polynomial c could be anything.
        shared = names[0] & names[1] & _ADDED
        curved = all(any(isinstance(each, Apply) for each in walk(node)) for node in (one, other))
        if names[0] != names[1] or len(shared) != 1 or not curved:
            return None
        found = [shared, shared]
    rest = names[0] - found[0], names[1] - found[1]
    variables = rest[0] & _VARIABLES
    if rest[0] != rest[1] or not variables or not 0 < len(found[0]) == len(found[1]) <= _MOST:
        return None
    if len(found[0]) > 1 and (len(variables) > 1 or any(name[0].isupper() for name in rest[0])):
        return None
    return sorted(found[0]), sorted(found[1])


def _family(node: Node, constants: Sequence[str]) -> _Family | None:
    """A formula as a family; None where it is not linear in its constants."""
    nothing: Mapping[str, Node] = dict.fromkeys(constants, _ZERO)
    particular = substitute(node, nothing)
    multiplied = tuple(
        _difference(substitute(node, {**nothing, name: _ONE}), particular) for name in constants
    )
    terms = (Product((Symbol(name), each)) for name, each in zip(constants, multiplied, strict=True))
    return _Family(particular, multiplied) if _same(node, Sum((particular, *terms))) else None


def _same_with_one(left: _Family, right: _Family) -> bool:
    """With one constant: added, the rest may differ by a number; as a factor, only its name may differ."""
    one, other = left.functions[0], right.functions[0]
    if _same(left.particular, right.particular) and _same(one, other):
        return True
    if not all(_same(each, _ONE) or _same(each, negative(_ONE)) for each in (one, other)):
        return False
    difference = _difference(left.particular, right.particular)
    return _same(left.particular, right.particular) or bool(proportional(difference, _ONE))


def _same(one: Node, other: Node) -> bool:
    return is_equal(decide(one, other))


def _difference(one: Node, other: Node) -> Node:
    return Sum((one, negative(other)))
