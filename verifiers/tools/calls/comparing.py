"""Whether calls are those that are expected: values, one call with another, and many with many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from .call import Call, CallError, Untyped, strict_json

Weight = Callable[[int, int], float]
"""How well the call that was made at one place fits the one that is expected at another."""


def same_value(made: Any, expected: Any, text: Callable[[str], str] = str) -> bool:
    """Whether a value is the expected one, of the same type.

    A whole number stands for a number with a point, as in JSON schemas (5 for 5.0), and never the other way
    round; True is no number. Lists are ordered, keys of objects are not.

    Args:
        made: What the call has; an `Untyped` one is read as what is expected.
        expected: What it should be.
        text: What texts are brought to before they are compared.

    >>> same_value(5, 5.0), same_value(5.0, 5), same_value(True, 1), same_value("-5", "5")
    (True, False, False, False)
    """
    if isinstance(made, Untyped) and not isinstance(expected, str):
        try:
            made = strict_json(made)
        except CallError:
            return False
    if isinstance(expected, bool) or isinstance(made, bool) or expected is None or made is None:
        return made is expected
    if isinstance(expected, str):
        return isinstance(made, str) and text(str(made)) == text(expected)
    if isinstance(expected, int):
        return isinstance(made, int) and made == expected
    if isinstance(expected, float):
        return isinstance(made, int | float) and made == expected
    if isinstance(expected, list | tuple):
        return (
            isinstance(made, list | tuple)
            and len(made) == len(expected)
            and all(same_value(one, other, text) for one, other in zip(made, expected, strict=True))
        )
    if isinstance(expected, dict):
        return (
            isinstance(made, dict)
            and made.keys() == expected.keys()
            and all(same_value(made[name], value, text) for name, value in expected.items())
        )
    return False


def same_call(made: Call, expected: Call, text: Callable[[str], str] = str) -> bool:
    """Whether a call has the expected name and arguments."""
    return made.name == expected.name and same_value(made.arguments, expected.arguments, text)


def paired(made: int, expected: int, weight: Weight) -> tuple[float, list[int | None]]:
    """Pair calls so that the sum of weights is the largest there is, each call at most once.

    A greedy pairing can take away what another call needs. The Hungarian method, in the cube of the number.

    Args:
        made: Number of calls that were made.
        expected: Number of those that are expected.
        weight: Of a pair, by their places.

    Returns:
        The sum, and for each expected call the place of its partner; None where the pair weighs nothing.
    """
    size = max(made, expected)
    if size == 0:
        return 0.0, []
    weights = [[0.0] * size for _ in range(size)]
    for row in range(expected):
        for column in range(made):
            weights[row][column] = weight(column, row)
    partners = _assignment(weights)
    found: list[int | None] = [
        partners[row] if weights[row][partners[row]] > 0 else None for row in range(expected)
    ]
    return sum(weights[row][column] for row, column in enumerate(found) if column is not None), found


def _assignment(weights: list[list[float]]) -> list[int]:
    """The column of each row in an assignment of the largest weight."""
    size = len(weights)
    of_row, of_column = [0.0] * (size + 1), [0.0] * (size + 1)
    row_of = [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        column = 0
        least = [float("inf")] * (size + 1)
        came_from = [0] * (size + 1)
        used = [False] * (size + 1)
        while row_of[column]:
            used[column] = True
            current, step, following = row_of[column], float("inf"), 0
            for other in range(1, size + 1):
                if used[other]:
                    continue
                slack = -weights[current - 1][other - 1] - of_row[current] - of_column[other]
                if slack < least[other]:
                    least[other], came_from[other] = slack, column
                if least[other] < step:
                    step, following = least[other], other
            for other in range(size + 1):
                if used[other]:
                    of_row[row_of[other]] += step
                    of_column[other] -= step
                else:
                    least[other] -= step
            column = following
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    found = [0] * size
    for column in range(1, size + 1):
        found[row_of[column] - 1] = column - 1
    return found


def overlap(made: Sequence[str], expected: Sequence[str]) -> float:
    """What two lists have in common, as a share of what is in either; each item as often as it stands there.

    >>> overlap(["add", "add"], ["add"]), overlap([], [])
    (0.5, 1.0)
    """
    common = sum((Counter(made) & Counter(expected)).values())
    either = len(made) + len(expected) - common
    return common / either if either else 1.0


def toolrl_score(made: Sequence[Call], expected: Sequence[Call], text: Callable[[str], str] = str) -> float:
    """ToolRL's correctness, brought from [-3, 3] to [0, 1]: 1.0 for exactly the expected calls.

    ``(names + sum over expected calls of (parameters + values)) / (1 + sum of (1 + number of parameters))``:
    names and parameters are the `overlap` of names, values the number of equal ones, of calls of the same
    name that are paired for the largest sum, where its code pairs greedily.
    Source: ToolRL, https://arxiv.org/abs/2504.13958, section 3.2.
    """

    def weight(place: int, wanted_place: int) -> float:
        call, wanted = made[place], expected[wanted_place]
        if call.name != wanted.name:
            return 0.0
        equal = sum(
            name in call.arguments and same_value(call.arguments[name], value, text)
            for name, value in wanted.arguments.items()
        )
        return overlap(list(call.arguments), list(wanted.arguments)) + equal

    names = overlap([call.name for call in made], [call.name for call in expected])
    most = 1 + sum(1 + len(call.arguments) for call in expected)
    return (names + paired(len(made), len(expected), weight)[0]) / most
