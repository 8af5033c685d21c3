"""Regular expressions that compile when they are first used: most verdicts use few of them."""

from __future__ import annotations

import re
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
