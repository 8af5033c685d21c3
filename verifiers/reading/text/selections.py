"""``C_5^2`` counts selections, or is the square of ``C_5``: both readings, on tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_LETTERS = frozenset("CAP")
_MOST_DIGITS = 4


def as_selections(words: Sequence[str]) -> list[str] | None:
    r"""Tokens with every ``C_n^k``, ``A_n^k`` and ``P_n^k`` as the number that it counts; None without any.

    None, too, where one of them selects more than there is: then they are powers of unknowns.

    Args:
        words: Tokens.

    >>> "".join(as_selections(["C", "_", "{", "5", "}", "^", "2"]))
    '\\binom{5}{2}'
    >>> as_selections(["C", "_", "1", "^", "2"]) is None
    True
    """
    found: list[str] = []
    done = 0
    for start, end, of, chosen in _selections(words):
        if int(chosen) > int(of):
            return None
        found += words[done:start]
        if words[start].strip('"') == "C":
            found += ["\\binom", "{", of, "}", "{", chosen, "}"]
        else:
            rest = str(int(of) - int(chosen))
            found += ["\\frac", "{", of, "!", "}", "{", rest, "!", "}"]
        done = end
    return [*found, *words[done:]] if done else None


def selected_names(words: Sequence[str]) -> set[str]:
    """The unknowns, such as ``C_5``, of which the selections would be powers."""
    return {f"{words[start].strip(chr(34))}_{of}" for start, _, of, _ in _selections(words)}


def _selections(words: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """Where each begins and ends, of how many it selects, and how many."""
    for start, word in enumerate(words):
        if word.strip('"') not in _LETTERS:
            continue
        below = _number(words, start + 1, "_")
        above = _number(words, below[1], "^") if below else None
        if below and above:
            yield start, above[1], below[0], above[0]


def _number(words: Sequence[str], at: int, sign: str) -> tuple[str, int] | None:
    """The whole number below or above a letter, and where it ends."""
    if at >= len(words) or words[at] != sign:
        return None
    braced = list(words[at + 1 : at + 2]) == ["{"]
    end = at + 4 if braced else at + 2
    inside = list(words[at + 2 : end] if braced else words[at + 1 : end])
    if inside[1:] != (["}"] if braced else []) or not inside or not inside[0].isdecimal():
        return None
    return (inside[0], end) if len(inside[0]) <= _MOST_DIGITS else None
