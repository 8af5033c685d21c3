"""Regular expressions that compile when they are first used: most verdicts use few of them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, cast

_KEPT = (
    *("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"),
    *("scanner", "groupindex"),
)


class LazyPattern:
    """Stands for a compiled pattern, and becomes as fast as one with its first use.

    Args:
        pattern: The regular expression.
        flags: As for `re.compile`.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    def compiled(self) -> re.Pattern[str]:
        """The pattern itself, which Python keeps."""
        found = re.compile(self.pattern, self.flags)
        self.__dict__.update({name: getattr(found, name) for name in _KEPT})
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.compiled(), name)

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyPattern, (self.pattern, self.flags)

    def __repr__(self) -> str:
        return f"lazy({self.pattern!r})"


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    r"""A pattern that is compiled when it is first used; it has the methods and attributes of a compiled one.

    Args:
        pattern: The regular expression.
        flags: As for `re.compile`.

    Raises:
        re.error: At the first use, where the expression is none.

    >>> lazy(r"\d+").search("So it's 672.").group()
    '672'
    """
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


_SPECIMEN = r"a(?:b|\s)(?:cd|e)(c[^\dx-z])*+(?>.+?)(?=\w)(?<!\S\W\D)\1?[^q]$"
_READ_AS = (
    "[(LITERAL, 97), (IN, [(LITERAL, 98), (CATEGORY, CATEGORY_SPACE)]), (BRANCH, (None, [[(LITERAL, 99), "
    "(LITERAL, 100)], [(LITERAL, 101)]])), (POSSESSIVE_REPEAT, (0, MAXREPEAT, [(SUBPATTERN, (1, 0, 0, "
    "[(LITERAL, 99), (IN, [(NEGATE, None), (CATEGORY, CATEGORY_DIGIT), (RANGE, (120, 122))])]))])), "
    "(ATOMIC_GROUP, [(MIN_REPEAT, (1, MAXREPEAT, [(ANY, None)]))]), (ASSERT, (1, [(IN, [(CATEGORY, "
    "CATEGORY_WORD)])])), (ASSERT_NOT, (-1, [(IN, [(CATEGORY, CATEGORY_NOT_SPACE)]), (IN, [(CATEGORY, "
    "CATEGORY_NOT_WORD)]), (IN, [(CATEGORY, CATEGORY_NOT_DIGIT)])])), (MAX_REPEAT, (0, 1, [(GROUPREF, 1)])), "
    "(NOT_LITERAL, 113), (AT, AT_END)]"
)


def parsed(pattern: str) -> Any:
    """A pattern as ``re`` itself reads it, operators with their arguments; None where it cannot be asked.

    Its parser is private to CPython, so who asks has an answer for None that is right without it.

    Raises:
        re.error: The expression is none.
    """
    parser = _parser()
    return None if parser is None else parser.parse(pattern)


@cache
def _parser() -> Any:
    """The parser of ``re``, if this interpreter has one that reads the specimen as it is read here."""
    private: Any = getattr(re, "_parser", None)
    try:
        return private if repr(private.parse(_SPECIMEN)) == _READ_AS else None
    except (AttributeError, TypeError, re.error):
        return None
