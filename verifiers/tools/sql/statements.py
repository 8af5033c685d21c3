"""What the text of a query says of itself."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<skip>\s++|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z))
    |(?P<text>'(?:[^']|'')*+'?|"(?:[^"]|"")*+"?|`[^`]*+`?|\[[^\]]*+\]?)
    |(?P<word>[^\W\d]\w*+)
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def orders(query: str) -> bool:
    """Whether a query's outermost SELECT orders its rows; one inside brackets orders nothing that is seen.

    >>> orders("SELECT a FROM t ORDER BY a"), orders("SELECT * FROM (SELECT a FROM t ORDER BY a)")
    (True, False)
    """
    depth, before = 0, ""
    for token in _TOKEN.finditer(query):
        if token.lastgroup == "skip":
            continue
        text = token.group()
        depth += (text == "(") - (text == ")")
        word = text.upper() if token.lastgroup == "word" else ""
        if depth == 0 and word == "BY" and before == "ORDER":
            return True
        before = word
    return False
