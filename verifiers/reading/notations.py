r"""Several notations of one answer, ``x > 4 : (4, \infty)``, and expressions by cases in words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from ..formulas.limits import UnreadableError
from ..formulas.sets import intervals
from ..formulas.sets.regions import region
from ..formulas.shapes import Cases, Chain, Combined, Items, Named, Numbers, Relation, Shape
from .text.token_splitting import parts_at, split

_CONDITIONAL = frozenset({"if", "when", "for", "whenever"})
_ELSE = frozenset({"otherwise", "else", "elsewhere"})
_SEPARATORS = frozenset({",", ";", "and"})
_WRITTEN = (Relation, Chain, Combined, Items, Numbers)
"""What a set of numbers is written as."""


def one_set(shapes: Sequence[Shape]) -> Shape | None:
    """The first of several notations of one set of numbers; None where they are several sets, or no sets.

    An inequality beside its interval says the same twice; two intervals are two answers, even if they agree.
    """
    if len(shapes) < 2 or not all(isinstance(each, _WRITTEN) or _is_membership(each) for each in shapes):
        return None
    if all(each == Numbers("") for each in shapes):
        return shapes[0]
    if len({_kind(each) for each in shapes}) < len(shapes):
        return None
    found = [region(each) for each in shapes]
    same = (
        one is not None and other is not None and intervals.same(one, other)
        for one, other in itertools.pairwise(found)
    )
    return shapes[0] if all(same) else None


def _is_membership(shape: Shape) -> bool:
    return isinstance(shape, Named) and shape.sign == "in"


def _kind(shape: Shape) -> str:
    """How a set is written: by a condition, or with brackets."""
    if isinstance(shape, Combined):
        return _kind(shape.parts[0])
    return "condition" if isinstance(shape, Relation | Chain) else "brackets"


def read_notations(words: list[str], read: Callable[[list[str]], Shape]) -> Shape | None:
    """A set that a colon or semicolon parts from another notation of it; None for anything else.

    Args:
        words: Tokens.
        read: Reads what is between the colons.
    """
    for sign in (":", ";"):
        if sign not in words:
            continue
        try:
            parts = parts_at(words, sign)
            found = one_set([read(part) for part in parts]) if len(parts) > 1 else None
        except UnreadableError:
            continue
        if found is not None:
            return found
    return None


def read_cases(
    words: list[str], value: Callable[[list[str]], Shape], condition: Callable[[list[str]], Shape]
) -> Cases | None:
    """``1 if x > 0, 0 otherwise`` as an expression by cases; None for anything else.

    Args:
        words: Tokens.
        value: Reads what stands before "if".
        condition: Reads what stands after it.
    """
    if not any(_folded(word) in _CONDITIONAL | _ELSE for word in words):
        return None
    rows: list[list[str]] = [[]]
    for part in (each for each in split(words, _SEPARATORS) if each):
        marked = any(_folded(word) in _CONDITIONAL | _ELSE for word in part)
        if marked or not rows[-1]:
            rows.append(part)
        else:
            rows[-1] = [*rows[-1], ",", *part]
    rows = [row for row in rows if row]
    places = [
        next((at for at, word in enumerate(row) if _folded(word) in _CONDITIONAL | _ELSE), 0) for row in rows
    ]
    if len(rows) < 2 or not all(places) or _folded(rows[0][places[0]]) in _ELSE:
        return None
    found = []
    for row, at in zip(rows, places, strict=True):
        said = row[at].strip('" ').partition(" ")[2]
        if _folded(row[at]) in _ELSE:
            if row is not rows[-1] or len(row) > at + 1 or said:
                return None
            found.append((value(row[:at]), condition(['"otherwise'])))
        else:
            rest = [*([f'"{said}'] if said else []), *row[at + 1 :]]
            if not rest:
                return None
            found.append((value(row[:at]), condition(rest)))
    return Cases(tuple(found))


def _folded(word: str) -> str:
    return word.strip('" ,').casefold().partition(" ")[0]
