"""Where the tokens of a completion are in its text, and which of its steps each belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

Decode = Callable[[Sequence[int]], str]
"""From tokens to their text; as a tokenizer decodes without special tokens, or with them."""
_BROKEN = "\N{REPLACEMENT CHARACTER}"
_WINDOW = 64
"""Tokens that are decoded together at most; a character of more tokens than that is none."""
NO_STEP = -1


def token_ends(tokenizer: Any, ids: Sequence[int], text: str, decode: Decode) -> list[int] | None:
    """How many characters of a text are written once each of its tokens is there.

    A token that is but a part of a character ends where the character before it ends. The text is encoded
    again, which gives exact places where it gives the same tokens; where a model wrote others, the tokens
    are decoded one by one, and their pieces must make up the text.

    Args:
        tokenizer: With `is_fast`, encodes with places.
        ids: The completion's tokens, with special ones.
        text: What `decode` makes of them.
        decode: See `Decode`.

    Returns:
        One number for each token, never falling, the last of them the text's length; None where the pieces
        do not make up the text.
    """
    return _encoded_again(tokenizer, ids, text) or _decoded(ids, text, decode)


def steps_of_tokens(ends: Sequence[int], spans: Sequence[tuple[int, int]]) -> list[int]:
    """The step that each token belongs to: the first that ends with it or after it.

    White space before a step is the step's. A token that holds the ends of several steps is the first one's.

    Args:
        ends: As `token_ends` gives them.
        spans: Where the steps are in the text, in order, without overlaps.

    Returns:
        For each token the position of its step; `NO_STEP` after the last one.

    >>> steps_of_tokens([2, 4, 5, 7, 9], [(0, 4), (5, 7)])
    [0, 0, 1, 1, -1]
    """
    found, step, before = [], 0, 0
    for end in ends:
        # A step is over with the token that reaches its end.
        while step < len(spans) and spans[step][1] <= before:
            step += 1
        found.append(step if step < len(spans) else NO_STEP)
        before = end
    return found


def _encoded_again(tokenizer: Any, ids: Sequence[int], text: str) -> list[int] | None:
    if not getattr(tokenizer, "is_fast", False):
        return None
    again = tokenizer(text=text, add_special_tokens=False, return_offsets_mapping=True)
    special = set(tokenizer.all_special_ids)
    plain = [each not in special for each in ids]
    if again["input_ids"] == list(ids):
        plain = [True] * len(ids)
    elif again["input_ids"] != [each for each, kept in zip(ids, plain, strict=True) if kept]:
        return None
    places: list[tuple[int, int]] = again["offset_mapping"]
    ends = []
    for at, (_, end) in enumerate(places):
        following = places[at + 1][0] if at + 1 < len(places) else len(text)
        # Tokens that share a character all have its place; it is written with the last of them.
        ends.append(min(end, following) if at + 1 < len(places) else end)
    if ends != list(accumulate(ends, max)) or (ends and ends[-1] != len(text)) or (text and not ends):
        return None
    found: list[int] = []
    taken = iter(ends)
    for kept in plain:
        found.append(next(taken) if kept else (found[-1] if found else 0))
    return found


def _decoded(ids: Sequence[int], text: str, decode: Decode) -> list[int] | None:
    """The same from the pieces, each decoded after the tokens before it: some tokenizers need these."""
    found: list[int] = []
    length = first = done = 0
    for at in range(len(ids)):
        before, now = decode(ids[first:done]), decode(ids[first : at + 1])
        whole = not now.endswith(_BROKEN) or at + 1 - done >= _WINDOW or at + 1 == len(ids)
        if whole and len(now) >= len(before):
            if not text.startswith(now[len(before) :], length):
                return None
            length += len(now) - len(before)
            first, done = done, at + 1
        found.append(length)
    return found if length == len(text) else None
