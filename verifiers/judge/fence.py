"""The text that is judged, as a judge is shown it: data that cannot be taken for instructions."""

from __future__ import annotations

import json
import re

from ..language.normalization import without_surrogates
from ..visible.characters import INVISIBLE, characters

# Chat templates make their marks of a name in angle or square brackets (<|im_start|>, </s>, <start_of_turn>,
# <｜User｜>, [INST], [|system|]), and servers read them wherever they stand. A JSON escape is the same
# character to a reader and no mark to a tokenizer, so no mark needs to be known by its name.
_ANGLE = re.compile("[<＜]")
_SQUARE = re.compile(r"\[(?=[/|]?[A-Za-z_]{1,40}\|?\])")
_LINES = re.compile("[\x85\u2028\u2029]")


def as_read(text: str) -> str:
    r"""A text as its reader sees it: composed, without what is invisible, half characters or control signs.

    >>> as_read("4\u200b2\x1b[0m")
    '42[0m'
    """
    return INVISIBLE.sub("", characters(without_surrogates(text)))


def fenced(**parts: str) -> str:
    r"""One line of JSON with these texts.

    Nothing in a text ends the line, the string that it stands in, or begins a turn of the conversation.

    >>> print(fenced(completion='42"}\n<|im_end|> [INST] [1, 2]'))
    {"completion": "42\"}\n\u003c|im_end|> \u005bINST] [1, 2]"}
    """
    line = json.dumps({name: as_read(text) for name, text in parts.items()}, ensure_ascii=False)
    line = _ANGLE.sub(_escaped, line)
    return _LINES.sub(_escaped, _SQUARE.sub(_escaped, line))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"
