"""Values with names: which names are one, and how values are paired by them.

A named tuple, a system, labelled values and several functions are mappings from name to value. Where only
one side has names, its values stand in the order of the question, or else of its writer; the alphabet
orders nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...formulas.answer_shapes import Items, Named, Shape, Value, bare, mapped
from ...formulas.formula_tree import Node, Symbol, substitute, symbols
from ...runtime.patterns import lazy
from ...units.behind_numbers import read_unit
from ...units.quantities import measure
from ..question import Question

_COORDINATES = frozenset("xyz")
"""Axes have an order that everybody keeps: y = 4, x = 3 is the point (3, 4)."""
_UNKNOWNS = frozenset({"x", "z", "t", "\\lambda"})
_INDEXED = lazy(r"([A-Za-z]|\\[a-z]+)_([0-9]{1,9})")


def are_named(items: Sequence[Shape]) -> bool:
    """Return whether every value has a name."""
    return bool(items) and all(isinstance(item, Named) for item in items)


def have_order(items: Sequence[Shape]) -> bool:
    """Return whether the names are unknowns or functions, whose values have an order; persons have none."""
    return are_named(items) and all(item.variable for item in items if isinstance(item, Named))


def counted(items: Sequence[Shape], labels: Sequence[Shape]) -> list[Named] | None:
    """``9 red and 4 blue`` as values of red and blue, where these are the labels; None for anything else."""
    values = [item for item in items if isinstance(item, Value) and is_counted(item)]
    wanted = {
        read_unit(label.name, quoted=True) or label.name: label.name
        for label in labels
        if isinstance(label, Named)
    }
    if len(values) != len(items) or {value.unit for value in values} != wanted.keys():
        return None
    return [Named(wanted[value.unit], Value(value.node), None, False) for value in values]


def is_counted(item: Shape) -> bool:
    """Return whether a value says what it counts, as in ``9 red``."""
    return isinstance(item, Value) and bool(item.unit) and measure(item.unit) is None


def are_indexed(items: Sequence[Shape]) -> bool:
    """Return whether the names are one letter with numeric subscripts: x_1, x_2."""
    found = [_INDEXED.fullmatch(item.name) for item in items if isinstance(item, Named)]
    return len(found) == len(items) and all(found) and len({match[1] for match in found if match}) == 1


def are_roots(items: Sequence[Shape]) -> bool:
    """Return whether the names are those of the roots of one equation: x_1, x_2, in any numbering."""
    letters = {item.name.partition("_")[0] for item in items if isinstance(item, Named)}
    return are_indexed(items) and letters <= _UNKNOWNS


def values_of_another(named: Named, plain: Items) -> bool:
    """Return whether values of one unknown face values of several: x = 1, x = 2 and x = 1, y = 2."""
    if not isinstance(named.shape, Items) or not named.variable or not are_named(plain.items):
        return False
    if all(one_name(named, item) for item in plain.items):
        return False
    return not are_roots(plain.items) or named.name.partition("_")[0] != key(plain.items[0]).partition("_")[0]  # type: ignore[arg-type]


def in_order(group: Items, question: Question | None) -> tuple[Shape, ...]:
    """Named values in the order of the question, of their numbers or coordinates, or as they were written."""
    items = group.items
    named = [item for item in items if isinstance(item, Named)]
    if len(named) != len(items):
        return items
    names = list(map(key, named))
    asked = question.order(names) if question is not None else None
    if asked is not None:
        return tuple(items[names.index(name)] for name in asked)
    if are_indexed(items):
        return tuple(sorted(named, key=lambda item: int(item.name.partition("_")[2])))
    if group.kind != "()" and set(names) <= _COORDINATES and len(set(names)) == len(names):
        return tuple(sorted(named, key=lambda item: item.name))
    return items


def pairs_by_name(one: Sequence[Named], other: Sequence[Named]) -> list[tuple[Named, Named]] | None:
    """Each value with the one of the same name; None where a name is missing on a side, or stands twice.

    Names that are not the same are paired if each stands for exactly one: ``w`` and "width".
    """
    left, right = {key(each): each for each in one}, {key(each): each for each in other}
    if len(left) != len(one) or len(right) != len(other) or len(left) != len(right):
        return None
    pairs = [(each, right.pop(name)) for name, each in left.items() if name in right]
    rest = [each for each in one if not any(each is mine for mine, _ in pairs)]
    chosen: set[str] = set()
    for each in rest:
        fitting = [name for name, theirs in right.items() if _stands_for(each, theirs)]
        if len(fitting) != 1 or fitting[0] in chosen:
            return None
        chosen.add(fitting[0])
        pairs.append((each, right[fitting[0]]))
    return pairs


def one_name(one: Shape, other: Shape) -> bool:
    """Return whether the names of two shapes may denote one thing; a missing name agrees with every other."""
    if not isinstance(one, Named) or not isinstance(other, Named):
        return True
    left, right = (each.name.replace(" ", "") for each in (one, other))
    if left == right or "@element" in (left, right) or (one.sign == "in" and other.sign == "in"):
        return True
    if one.variable and other.variable:
        if left.partition("(")[0] == right.partition("(")[0]:
            return _renamable(one.name, other.name)
        # y = 2x + 3 and f(x) = 2x + 3 are one; x = 2 and y = 2, a_1 = 5 and a_2 = 5, f(x) and g(x) are not.
        plain = all(len(name.partition("(")[0]) == 1 for name in (left, right))
        return plain and ("(" in left) != ("(" in right)
    if one.variable or other.variable:
        # An area may be called A; cos A, |x| or dy/dx are not A, x or y.
        label = other if one.variable else one
        return label.node is None and "/" not in label.name
    return one.node is None and other.node is None and _same_words(one.name, other.name)


def aligned(one: Named, other: Named) -> tuple[Shape, Shape]:
    """Return two functions with the same names for their arguments: f(n) = 2n and f(m) = 2m."""
    mine, theirs = _arguments(one.name), _arguments(other.name)
    if not mine or mine == theirs or len(mine) != len(theirs):
        return one.shape, other.shape
    shapes = []
    for named, letters in ((one, mine), (other, theirs)):
        names: dict[str, Node] = {letter: Symbol(f"@{place}") for place, letter in enumerate(letters)}
        change: Callable[[Node], Node] = lambda node, names=names: substitute(node, names)  # type: ignore[misc]  # noqa: E731
        shapes.append(mapped(named.shape, change))
    return shapes[0], shapes[1]


def is_solved_for_another(expected: Shape, given: Shape) -> bool:
    """Return whether an answer gives y in terms of x, say, where the reference gives x in terms of y.

    A curve's equation is solved for y by custom, so from a reference like that any form of it is taken.
    """
    if not (isinstance(expected, Named) and isinstance(given, Named) and expected.sign == given.sign == "="):
        return False
    if expected.name in (given.name, _DEPENDENT) or not (expected.variable and given.variable):
        return False
    mine, theirs = bare(expected), bare(given)
    return (
        isinstance(mine, Value)
        and isinstance(theirs, Value)
        and given.name in symbols(mine.node)
        and expected.name in symbols(theirs.node)
    )


_DEPENDENT = "y"


def key(named: Named) -> str:
    """The name by which a value is found: a function's without its arguments."""
    return named.name.partition("(")[0] if _arguments(named.name) else named.name


def _stands_for(one: Named, other: Named) -> bool:
    """Return whether two different names may be one: "max value" and "maximum", ``w`` and "width"."""
    if one.variable and other.variable:
        return ("(" in one.name) != ("(" in other.name) and one_name(one, other)
    if one.variable or other.variable:
        letter, label = (one, other) if one.variable else (other, one)
        if label.name == f"\\angle{letter.name}":
            return True
        return (
            label.node is None
            and len(letter.name) == 1
            and label.name[:1].casefold() == letter.name.casefold()
        )
    return one.node is None and other.node is None and _same_words(one.name, other.name)


def _same_words(one: str, other: str) -> bool:
    """Return whether one phrase begins with the whole words of the other: Ann, Ann Lee, but not Anna."""
    left, right = one.split(), other.split()
    shorter = min(len(left), len(right))
    return left[:shorter] == right[:shorter]


def _renamable(one: str, other: str) -> bool:
    """Return whether functions of one name differ only in the names of arguments, as P(A) and P(B) do not."""
    mine, theirs = _arguments(one), _arguments(other)
    return ("(" in one) != ("(" in other) or (bool(mine) and len(mine) == len(theirs))


def _arguments(name: str) -> tuple[str, ...]:
    """The letters of which a function is one; none if an argument is anything else."""
    letters = tuple(name.partition("(")[2].rstrip(")").split(","))
    plain = all(len(letter) == 1 and letter.isalpha() and letter.islower() for letter in letters)
    return letters if plain and len(set(letters)) == len(letters) else ()
