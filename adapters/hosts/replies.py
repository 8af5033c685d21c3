"""The model's reply in a host's text, and the row's columns in its label."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any
from unicodedata import normalize

from reward_verifiers.verifiers.visible.markup import TURN_MARK

_BEFORE = re.compile(TURN_MARK + r"{1,4}")
_AFTER = re.compile(rf"(?:{TURN_MARK}\s*){{1,8}}\Z")
_TAIL = 400
"""Characters at the end of a reply where special tokens are looked for."""


def without_tokens(text: str) -> str:
    """Return a reply without the special tokens at its end, which a model writes to stop.

    >>> without_tokens("<answer>4</answer><|im_end|>"), without_tokens("see </s> there")
    ('<answer>4</answer>', 'see </s> there')
    """
    while found := _AFTER.search(text, max(len(text) - _TAIL, 0)):
        text = text[: found.start()]
    return text


def reply_after(query: str, prompt: str) -> str | None:
    """Return the reply in a text of prompt and reply, decoded from tokens; None if it is unclear.

    Only special tokens can precede the prompt, such as the one that begins every text. Decoded prompts may
    differ from the original in white space and Unicode composition (NFC), and in nothing else. If the prompt
    is not found, for example because a trainer cut it, nothing is guessed: the words of a prompt must never
    earn reward.

    >>> reply_after("<s>2+2=?<answer>4</answer></s>", "2+2=?"), reply_after("+2=?<answer>4</answer>", "2+2=?")
    ('<answer>4</answer>', None)
    """
    before = _BEFORE.match(query)
    starts = [0, *([before.end()] if before else [])]
    for start in starts:
        if query.startswith(prompt, start):
            return without_tokens(query[start + len(prompt) :])
    for words in dict.fromkeys(_words(prompt)):
        for start in starts:
            end = _end_of(words, query, start)
            if end is not None:
                return without_tokens(query[end:])
    return None


def labelled(columns: Collection[str], label: Any) -> dict[str, Any]:
    """Return a label as columns of a row.

    An object that has all that the reward reads is those columns; else the label is the reference, and the
    one column that the reward reads, if it is one.

    Args:
        columns: Columns that the reward reads.
        label: As the data have it.

    >>> labelled(["answer", "unit"], {"answer": "4", "unit": "m"}), labelled(["answer"], "4")
    ({'answer': '4', 'unit': 'm'}, {'answer': '4'})
    """
    if isinstance(label, dict) and len(columns) > 1 and all(name in label for name in columns):
        return {name: value for name, value in label.items() if name != "completion"}
    return {"answer": label, **(dict.fromkeys(columns, label) if len(columns) == 1 else {})}


def _words(prompt: str) -> Iterator[str]:
    """Yield the certain characters of a decoded prompt: all but the white space."""
    yield "".join(prompt.split())
    yield "".join(normalize("NFC", prompt).split())


def _end_of(words: str, query: str, start: int) -> int | None:
    """Return the end of `words` in the query, white space aside; None where it does not begin with them."""
    if not words:
        return None
    found = 0
    for place in range(start, len(query)):
        letter = query[place]
        if letter == words[found]:
            found += 1
            if found == len(words):
                return place + 1
        elif not letter.isspace():
            return None
    return None
