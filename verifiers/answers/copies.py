"""Where a text only repeats the question."""

from __future__ import annotations

from collections.abc import Sequence

from ..language.compared_words import Word

_SHARE = 0.6
"""The share of a question's words that, in a row, make a copy."""
_FEWEST = 4
"""Words of a copy: fewer in a row are how anybody answers."""


def copies(text: Sequence[Word], question: Sequence[Word]) -> list[tuple[int, int]]:
    """The spans in which a text says the words of the question in their order."""
    asked = [word.form for word in question]
    least = max(_FEWEST, int(_SHARE * len(asked)))
    if len(asked) < _FEWEST or len(text) < _FEWEST:
        return []
    starts: dict[tuple[str, ...], list[int]] = {}
    for place in range(len(asked) - _FEWEST + 1):
        starts.setdefault(tuple(asked[place : place + _FEWEST]), []).append(place)
    found = []
    place = 0
    said = [word.form for word in text]
    while place <= len(said) - _FEWEST:
        longest = 0
        for start in starts.get(tuple(said[place : place + _FEWEST]), ())[:_FEWEST]:
            length = _FEWEST
            while (
                place + length < len(said)
                and start + length < len(asked)
                and said[place + length] == asked[start + length]
            ):
                length += 1
            longest = max(longest, length)
        if longest >= least:
            found.append((text[place].start, text[place + longest - 1].end))
        place += max(longest, 1)
    return found
