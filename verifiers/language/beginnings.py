"""With which visible characters a match of a pattern can begin, read off the pattern: an index over many of them."""

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
    """A pattern for one character (or none): behind its white space, no match of the given one has another first.

    Capitals do not matter.

    >>> [beginning(r"(?:is|was)?\\s{0,2}(?:not|no)").match(char) is not None for char in "iwn x"]
    [True, True, True, False, False]
    """
    found: set[str] = set()
    may_be_empty = _first(_parser.parse(pattern), found)
    return re.compile("|".join(sorted(found)) + ("|" if may_be_empty else "") or "(?!)", re.IGNORECASE)


def _first(sequence: Iterable[tuple[Any, Any]], found: set[str]) -> bool:
    """Collect what may begin a sequence of the parser's; whether it may match nothing, or white space alone."""
    for operator, argument in sequence:
        name = str(operator)
        if name in _NO_WIDTH:
            continue
        if name == "FAILURE":
            return False
        if name == "LITERAL":
            if chr(argument).isspace():
                continue
            found.add(re.escape(chr(argument)))
        elif name == "IN":
            blank = [_is_blank(*item) for item in argument]
            if not all(blank):
                found.add(f"[{''.join(_items(argument))}]")
            if any(each is not False for each in blank):
                continue
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
            continue
        return False
    return True


def _is_blank(operator: Any, argument: Any) -> bool | None:
    """Whether an item of a set is white space; None for what may be."""
    name = str(operator)
    if name == "LITERAL":
        return chr(argument).isspace()
    if name == "RANGE":
        return None if any(chr(each).isspace() for each in range(argument[0], argument[1] + 1)) else False
    kind = str(argument)
    return (
        True if kind == "CATEGORY_SPACE" else False if kind in ("CATEGORY_DIGIT", "CATEGORY_WORD") else None
    )


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
