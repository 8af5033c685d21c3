"""Tokens cut into parts outside brackets, and what kind of part they make."""

from __future__ import annotations

from collections.abc import Sequence

from ...formulas.limits import UnreadableError
from .tokens import is_word

_OPEN = frozenset({"(", "[", "{", "\\{", "\\langle", "\\lfloor", "\\lceil"})
_CLOSE = frozenset({")", "]", "}", "\\}", "\\rangle", "\\rfloor", "\\rceil"})


def split(words: Sequence[str], at: frozenset[str]) -> list[list[str]]:
    """Tokens cut at some of them, but not inside brackets.

    Raises:
        UnreadableError: A bracket closes that was not opened, or the other way round.
    """
    return cut(words, at)[0]


def cut(words: Sequence[str], at: frozenset[str]) -> tuple[list[list[str]], list[str]]:
    """As `split`, and the tokens at which it cut.

    Raises:
        UnreadableError: A bracket closes that was not opened, or the other way round.
    """
    parts: list[list[str]] = [[]]
    found = []
    depth = 0
    for word in words:
        if word in _OPEN or word.startswith("\\begin:"):
            depth += 1
        elif word in _CLOSE or word.startswith("\\end:"):
            depth -= 1
            if depth < 0:
                raise UnreadableError(f"{word!r} closes a bracket that was not opened")
        if depth == 0 and word in at:
            parts.append([])
            found.append(word)
        else:
            parts[-1].append(word)
    if depth:
        raise UnreadableError("a bracket is not closed")
    return parts, found


def parts_at(words: list[str], at: str) -> list[list[str]]:
    """Tokens cut at one of them, without empty parts."""
    return [part for part in split(words, frozenset({at})) if part] if at in words else [words]


def encloses(words: Sequence[str]) -> bool:
    """Whether the first token is a bracket that the last one closes."""
    if len(words) < 2 or words[0] not in _OPEN or words[-1] not in _CLOSE:
        return False
    depth = 0
    for position, word in enumerate(words):
        depth += word in _OPEN
        depth -= word in _CLOSE
        if depth == 0:
            return position == len(words) - 1
    return False


def closings(words: Sequence[str]) -> dict[int, int]:
    """Where each bracket that is closed is closed, in one pass.

    >>> closings(["(", "1", ",", "(", "2", ")", ")"])
    {3: 5, 0: 6}
    """
    found: dict[int, int] = {}
    opened: list[int] = []
    for position, word in enumerate(words):
        if word in _OPEN:
            opened.append(position)
        elif word in _CLOSE and opened:
            found[opened.pop()] = position
    return found


def all_words(words: Sequence[str]) -> bool:
    """Whether tokens are text and not a formula."""
    return any(map(is_word, words)) and all(
        word[0] == '"' or word[0].isalpha() or word in ",'-" for word in words
    )
