"""Further readings of a pair: where a notation has two, what is equal under one has to be so under the other.

The grammar gives each text its most likely shape. What a pair leaves open is read again here, for both sides
at once, and `match` pays only what is equal each time. A reading that one side or the question rules out is
not asked about.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ...formulas.answer_shapes import Clock, Items, Matrix, Named, Ratio, Shape, Value, bare, mapped, nodes
from ...formulas.exact_values import TooLargeError, exact
from ...formulas.formula_equality import decide, is_equal
from ...formulas.formula_tree import Apply, Node, Number, Power, Product, Sum, Symbol, rebuild, symbols, walk
from ...reading.answer_readings import Reading
from ...units.dates_and_times import clock_time
from ..question import Question
from .allowances import is_arbitrary, runs

Pair = tuple[Shape, Shape]
_SEVERAL = 2
_MOST_APPLIED = 24
"""Letters before brackets of which it is asked whether their arguments are equal."""


def further_readings(one: Shape, other: Shape, question: Question | None) -> Iterator[tuple[str, Pair]]:
    """The other readings of a pair that it leaves open, each with what it takes the notation for.

    Args:
        one: The reference.
        other: The answer.
        question: The row's question, which may rule one out.

    >>> from verifiers.reading.statements import read
    >>> [name for name, _ in further_readings(read("I(0)e^t"), read("0"), None)]
    ['a letter before brackets is a function']
    >>> [name for name, _ in further_readings(read("A(x + 1)"), read("Ax + A"), None)]
    []
    """
    if (applied := _as_functions(one, other)) is not None:
        yield "a letter before brackets is a function", applied
    if (times := _as_times(one, other, question)) is not None:
        yield "two numbers with a colon are a time", times
    if (joined := _as_one_family(one, other)) is not None:
        yield "arbitrary constants are the same in all parts", joined


def admissible_pairs(
    expected: Reading, given: Reading, question: Question | None
) -> list[tuple[Reading, Reading]]:
    """The readings of two texts that are open: ``C_5^2`` as a square, as a number of selections, or both.

    A side that has C_5 alone shows that it is an unknown. Where everything else is a number, or the question
    asks about selections, they are counted.
    """
    plain = [(expected, given)]
    names = expected.selected_names | given.selected_names
    if not names or expected.text == given.text:
        return plain
    counted = []
    for each in (expected, given):
        selection = each.selection
        if each.selected_names and selection is None:
            return plain
        counted.append(selection or each)
    shapes = [each.shape for each in counted]
    others = {
        name for shape in shapes if shape is not None for node in nodes(shape) for name in symbols(node)
    }
    if None in shapes or names & others:
        return plain
    pair = (counted[0], counted[1])
    return [*plain, pair] if others and not (question and question.asks_selections) else [pair]


def _as_functions(one: Shape, other: Shape) -> Pair | None:
    """With letters before brackets as functions, unless the pair shows that they are factors."""
    sides = [[each for node in nodes(shape) for each in walk(node)] for shape in (one, other)]
    applied = [[each for each in side if isinstance(each, Apply) and each.function == "of"] for side in sides]
    if not any(applied):
        return None
    shown = [_bare_letters(shape) for shape in (one, other)]
    calls = {call: None for side in applied for call in side}
    factors = {
        _letter(call)
        for place, side in enumerate(applied)
        for call in side
        if is_arbitrary(_letter(call)) or _letter(call) in shown[1 - place] | symbols(call.arguments[1])
    }
    factors -= {_letter(call) for call in calls if not _needs_brackets(call.arguments[1])}
    factors -= _called_apart(applied, shown)
    called = [call for call in calls if _letter(call) not in factors]
    if not called:
        return None
    names = _names(called)

    def change(node: Node) -> Node:
        return rebuild(node, lambda each: names.get(each) if isinstance(each, Apply) else None)

    return mapped(one, change), mapped(other, change)


def _called_apart(applied: list[list[Apply]], shown: list[set[str]]) -> set[str]:
    """Letters that one side has before different brackets and none has alone: u(t) - u(t - 1)."""
    return {
        _letter(call)
        for side in applied
        for call in side
        if _letter(call) not in shown[0] | shown[1]
        and len({each for each in side if _letter(each) == _letter(call)}) > 1
        and not is_arbitrary(_letter(call))
    }


def _letter(call: Apply) -> str:
    head = call.arguments[0]
    return head.name if isinstance(head, Symbol) else ""


def _bare_letters(shape: Shape) -> set[str]:
    """The unknowns that stand somewhere other than before brackets."""

    def without_heads(each: Node) -> Node | None:
        return each.arguments[1] if isinstance(each, Apply) and each.function == "of" else None

    return {name for node in nodes(shape) for name in symbols(rebuild(node, without_heads))}


def _needs_brackets(argument: Node) -> bool:
    """Return whether a factor would need brackets: a + b does, 0 and x do not."""
    if not symbols(argument):
        try:
            return exact(argument) is None
        except TooLargeError:
            return False
    return isinstance(argument.base if isinstance(argument, Power) else argument, Sum | Product)


def _names(calls: list[Apply]) -> dict[Apply, Node]:
    """One name for what a function is of equal arguments."""
    found: dict[Apply, Node] = {}
    for place, call in enumerate(calls):
        for earlier in calls[: place if place < _MOST_APPLIED else 0]:
            if _letter(call) == _letter(earlier) and is_equal(
                decide(call.arguments[1], earlier.arguments[1])
            ):
                found[call] = found[earlier]
                break
        else:
            found[call] = Symbol(f"{_letter(call)}({place})")
    return found


def _as_times(one: Shape, other: Shape, question: Question | None) -> Pair | None:
    """Two ratios that may be times as such, unless one is no time or the question asks for no time."""
    pair = bare(one), bare(other)
    if not all(isinstance(each, Ratio) for each in pair) or (question is not None and question.asks_ratio):
        return None
    times = [_time(each) for each in pair if isinstance(each, Ratio)]
    if times[0] is None or times[1] is None:
        return None
    return times[0], times[1]


def _time(ratio: Ratio) -> Clock | None:
    """The time that 2:30 may be: hours, and minutes of two digits."""
    numbers = [part.node.value for part in ratio.parts if isinstance(part.node, Number) and not part.unit]
    if len(numbers) != len(ratio.parts) or any(each.denominator > 1 for each in numbers):
        return None
    if any(each < _TWO_DIGITS for each in numbers[1:]) or min(numbers) < 0:
        return None
    found = clock_time([int(each) for each in numbers])
    return None if found is None else Clock(*found)


_TWO_DIGITS = Fraction(10)


def _as_one_family(one: Shape, other: Shape) -> Pair | None:
    """The parts of two solutions as one value each, so that an arbitrary constant is one in all.

    Each part has a factor of its own, by which it stays apart. In a list without names each has constants
    of its own.
    """
    left, right = _parts(one), _parts(other)
    if left is None or right is None or left.keys() != right.keys() or len(left) < _SEVERAL:
        return None
    parts = left, right
    names = {name for side in parts for node in side.values() for name in symbols(node)}
    unnamed = all(key.isdecimal() for key in left)
    if not any(is_arbitrary(name) or (unnamed and runs(name)) for name in names):
        return None
    joined = [
        Value(Sum(tuple(Product((Symbol(f"@{key}"), node)) for key, node in sorted(side.items()))))
        for side in parts
    ]
    return joined[0], joined[1]


_ORDERED = frozenset({"()", "[]", "(]", "[)"})


def _parts(shape: Shape) -> dict[str, Node] | None:
    """The values of a vector, a matrix or a system by their place or name; None for anything else."""
    inner = bare(shape)
    found: dict[str, Shape] = {}
    if isinstance(inner, Matrix):
        found = {f"{place:03}": cell for place, cell in enumerate(cell for row in inner.rows for cell in row)}
    elif isinstance(inner, Items) and all(isinstance(item, Named) for item in inner.items):
        found = {item.name.partition("(")[0]: item.shape for item in inner.items if isinstance(item, Named)}
        if len(found) != len(inner.items):
            return None
    elif isinstance(inner, Items) and inner.kind in _ORDERED:
        found = {f"{place:03}": item for place, item in enumerate(inner.items)}
    plain = {key: value.node for key, item in found.items() if isinstance(value := bare(item), Value)}
    return plain if plain and len(plain) == len(found) else None
