"""Many words as one pattern that shares their beginnings, so that trying all of them is cheap."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator


class Later:
    """A fragment that is put together when the first text asks for it: a string of one piece, as `join` sees it.

    Args:
        made: Makes the fragment.
    """

    def __init__(self, made: Callable[[], str]) -> None:
        self._made = made
        self._text: str | None = None

    def __iter__(self) -> Iterator[str]:
        if self._text is None:
            self._text = self._made()
        yield self._text


_Node = dict[str, "_Node"]


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first; a blank in a word stays a blank.

    >>> any_of(["다", "답", "다면"])
    '(?:다(?:면)?|답)'
    """
    root: _Node = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _pattern(root)


def _pattern(node: _Node) -> str:
    branches = []
    ends = False
    for first, after in node.items():
        if not first:
            ends = True
            continue
        run, below = first, after
        while len(below) == 1 and "" not in below:  # a run without a fork
            (char,) = below
            run, below = run + char, below[char]
        start = run if run.isalnum() else re.escape(run).replace("\\ ", " ")
        branches.append(start + (_pattern(below) if set(below) != {""} else ""))
    if not branches:
        return ""
    inside = "|".join(branches)
    return f"(?:{inside})?" if ends else f"(?:{inside})" if len(branches) > 1 else inside
