"""With which characters a match of a pattern can begin, read off the pattern: an index over many of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from re import _parser  # type: ignore[attr-defined]  # what `re` itself reads patterns with
from typing import Any

_CLASSES = {"CATEGORY_SPACE": r"\s", "CATEGORY_DIGIT": r"\d", "CATEGORY_WORD": r"\w",
            "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_NOT_WORD": r"\W"}  # fmt: skip
_NO_WIDTH = frozenset({"AT", "ASSERT", "ASSERT_NOT"})
_REPEATED = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_ANY = r"[\s\S]"


def beginning(pattern: str) -> re.Pattern[str]:
    """A pattern for one character (or none) such that no match of the given one begins with any other.

    Capitals do not matter.

    >>> [beginning(r"(?:is|was)?\\s{0,2}(?:not|no)").match(char) is not None for char in "iwn x"]
    [True, True, True, True, False]
    """
    found: set[str] = set()
    may_be_empty = _first(_parser.parse(pattern), found)
    return re.compile("|".join(sorted(found)) + ("|" if may_be_empty else "") or "(?!)", re.IGNORECASE)


def _first(sequence: Iterable[tuple[Any, Any]], found: set[str]) -> bool:
    """Collect what may begin a sequence of the parser's; whether it may match nothing at all."""
    for operator, argument in sequence:
        name = str(operator)
        if name in _NO_WIDTH:
            continue
        if name == "FAILURE":
            return False
        if name == "LITERAL":
            found.add(re.escape(chr(argument)))
        elif name == "IN":
            found.add(f"[{''.join(_items(argument))}]")
        elif name == "BRANCH":
            empty = [_first(branch, found) for branch in argument[1]]
            if any(empty):
                continue
        elif name == "SUBPATTERN":
            if _first(argument[3], found):
                continue
        elif name == "ATOMIC_GROUP":
            if _first(argument, found):
                continue
        elif name in _REPEATED:
            if _first(argument[2], found) or argument[0] == 0:
                continue
        else:
            found.add(_ANY)
        return False
    return True


def _items(items: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    for operator, argument in items:
        name = str(operator)
        if name == "NEGATE":
            yield "^"
        elif name == "LITERAL":
            yield re.escape(chr(argument))
        elif name == "RANGE":
            yield "-".join(re.escape(chr(each)) for each in argument)
        else:
            yield _CLASSES[str(argument)]
