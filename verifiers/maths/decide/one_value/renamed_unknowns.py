"""Unknowns under another name: in the other case, or where both letters stand for any integer."""

from __future__ import annotations

from ....formulas.formula_tree import Apply, Constant, Node, Power, Symbol, substitute, symbols, walk
from ...question import Question
from .policy import Policy

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
            _has_pi(node) and not _is_raised(node, letter) for node, letter in ((one, left), (other, right))
        )
        if _one_dummy(left, right) or (by_custom and not any(name[0] == "#" for name in names[0] | names[1])):
            return substitute(one, {left: Symbol(right)})
    return None


def runs(name: str) -> bool:
    """Whether a letter is said to stand for any number of a set, or does by custom."""
    return name[0] == "#" or name in _DUMMIES


def _may_fold(names: set[str], question: Question | None) -> bool:
    """Whether letters mean the same in either case: not R and r, unless the question has only one of them."""
    if question is not None:
        return not any(question.tells_apart(name, name.swapcase()) for name in names)
    return all(name.partition("_")[0] in _ARBITRARY for name in names)


def _one_dummy(one: str, other: str) -> bool:
    """Whether two letters stand for any number of one set; one side may leave it to custom to say so."""
    if one[0] != "#" and other[0] != "#":
        return False
    if one[0] == other[0] == "#":
        return one.partition(":")[0] == other.partition(":")[0]
    quantified, letter = (one, other) if one[0] == "#" else (other, one)
    return letter in _LETTERS or letter == quantified.partition(":")[2]


def _is_unsaid(one: Node, other: Node) -> bool:
    """Whether one value is an unknown alone, and not both are said to stand for any number."""
    alone = [node.name[0] == "#" for node in (one, other) if isinstance(node, Symbol)]
    return bool(alone) and alone != [True, True]


def _has_pi(node: Node) -> bool:
    return any(
        each == Constant("pi") or (isinstance(each, Apply) and each.function == "degrees")
        for each in walk(node)
    )


def _is_raised(node: Node, letter: str) -> bool:
    """Whether an unknown is in the base of a power, as no number of turns is."""
    return any(isinstance(each, Power) and letter in symbols(each.base) for each in walk(node))
