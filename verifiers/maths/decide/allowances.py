"""Equality of values beyond arithmetic: arbitrary constants, unknowns renamed, roundings.

Antiderivatives agree up to ``C``, linear combinations up to names; letters are renamed in the other case, or
where both stand for any integer. A decimal in a reference may be the rounding of an exact answer that no
decimal equals: 6.67 of 20/3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ...formulas.answer_shapes import Shape, mapped
from ...formulas.ball_comparison import is_decimal, proportional, within
from ...formulas.ball_values import SLOW
from ...formulas.exact_values import rational_value
from ...formulas.formula_equality import decide, is_equal
from ...formulas.formula_tree import (
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    functions,
    negative,
    rebuild,
    substitute,
    symbols,
    walk,
)
from ...reading.plain_numbers import written_decimals
from ...runtime.patterns import lazy
from ...runtime.records import dataclass
from ..question import Question
from .policy import Policy

_SURE = lazy(r"C(?:_\w+)?|c_\w+")
"""Names that arbitrary constants have; ``C`` is hardly ever anything else beside an unknown such as x."""
_POSSIBLE = lazy(r"[ABDKck](?:_\w+)?|const")
"""Names that they have, too, and that other things have as often: one side has to have one of the others."""
_ADDED = frozenset({"c", "k", "K"})
_VARIABLES = frozenset("x t u y z s n w v r theta".split())
"""Variables of such solutions. Capacitances and volumes multiply no functions of x."""
_MOST, _MOST_NODES = 4, 150
_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))


def same_family(one: Node, other: Node) -> bool:
    """Return whether two formulas are one set of functions, when their arbitrary constants take all values.

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
    """Return whether a name almost always means an arbitrary constant.

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
    """Return whether a formula can be evaluated dozens of times."""
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


_DUMMIES = frozenset(["k", "n", "m", "l"])
"""Letters that by custom stand for any integer in the solution of a trigonometric equation."""
_ARBITRARY = frozenset("cCkK")
"""Letters of constants that nobody chose: a c for a C says the same."""
_LETTERS = _DUMMIES | frozenset(["t", "s", "r", "p", "q", "j", "a", "c"])
"""Those that may where the other side says that its own letter does."""


def renamed(one: Node, other: Node, policy: Policy) -> Node | None:
    """The first value with the unknowns of the second: in their case, or where they stand for any integer."""
    names = symbols(one), symbols(other)
    mine, theirs = names[0] - names[1], names[1] - names[0]
    if policy.case == "ignored":
        folded = {name.casefold(): name for name in theirs}
        latin = all(len(name) == 1 or name[1] in "_'" for name in mine | theirs)
        if (
            latin
            and len(folded) == len(theirs)
            and {name.casefold() for name in mine} == folded.keys()
            and not ({name.casefold() for name in names[0] & names[1]} & folded.keys())
            and _may_fold({*mine, *theirs}, policy.question)
        ):
            return substitute(one, {name: Symbol(folded[name.casefold()]) for name in mine})
    if len(mine) == len(theirs) == 1 and not _is_unsaid(one, other):
        (left,), (right,) = mine, theirs
        by_custom = {left, right} <= _DUMMIES and all(
            has_angle(node) and not _is_raised(node, letter) for node, letter in ((one, left), (other, right))
        )
        if _one_dummy(left, right) or (by_custom and not any(name[0] == "#" for name in names[0] | names[1])):
            return substitute(one, {left: Symbol(right)})
    return None


def runs(name: str) -> bool:
    """Return whether a letter stands for any number of a set, as stated or by custom."""
    return name[0] == "#" or name in _DUMMIES


def _may_fold(names: set[str], question: Question | None) -> bool:
    """Return whether letters mean the same in either case: not R and r, unless the question has only one."""
    if question is not None:
        return not any(question.tells_apart(name, name.swapcase()) for name in names)
    return all(name.partition("_")[0] in _ARBITRARY for name in names)


def _one_dummy(one: str, other: str) -> bool:
    """Return whether two letters stand for any number of one set; one side may leave that to custom."""
    if one[0] != "#" and other[0] != "#":
        return False
    if one[0] == other[0] == "#":
        return one.partition(":")[0] == other.partition(":")[0]
    quantified, letter = (one, other) if one[0] == "#" else (other, one)
    return letter in _LETTERS or letter == quantified.partition(":")[2]


def _is_unsaid(one: Node, other: Node) -> bool:
    """Return whether one value is an unknown alone, and not both are quantified over a set."""
    alone = [node.name[0] == "#" for node in (one, other) if isinstance(node, Symbol)]
    return bool(alone) and alone != [True, True]


def has_angle(node: Node) -> bool:
    """Return whether a value is measured in pi or degrees."""
    return "degrees" in functions(node) or Constant("pi") in walk(node)


def _is_raised(node: Node, letter: str) -> bool:
    """Return whether an unknown is in the base of a power, as no number of turns is."""
    return any(isinstance(each, Power) and letter in symbols(each.base) for each in walk(node))


def with_marked_decimals(shape: Shape, text: str) -> Shape | None:
    """A reference whose decimals are marked with how far what they stand for may be; None for one without.

    Args:
        shape: The reference.
        text: Original text, since 2.50 says more than 2.5.
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


def without_marks(node: Node, shift: int = 0) -> Node:
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
    """Return whether an exact value, which no finite decimal equals, rounds to a decimal.

    Args:
        value: The exact value.
        decimal: The decimal.
        ends: The decimal moved by half a unit of its last place: down under -1, up under 1.
    """
    if symbols(value) or symbols(decimal) or is_decimal(value):
        return False
    width = rational_value(Sum((ends[1], negative(ends[-1]))))
    return width is not None and within(value, decimal, Fraction(int(abs(width).p), int(width.q)) / 2)
