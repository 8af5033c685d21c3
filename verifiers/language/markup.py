"""HTML around and inside a formula: tags that only set it, raised and lowered digits, named signs."""

from __future__ import annotations

import html
import re

_SIGN = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,5});")
_TAG = re.compile(
    r"<(?P<closing>/?)(?P<name>b|strong|i|em|u|span|font|p|div|small|big|center|mark|code|var|sub|sup)"
    r"(?:\s[^<>]{0,200})?>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<(?:br|hr)\s*/?>", re.IGNORECASE)
_OPENING = {"sub": "_{", "sup": "^{", "p": " ", "div": " ", "center": " "}
_CLOSING = {"sub": "}", "sup": "}", "p": " ", "div": " ", "center": " "}


def without_markup(text: str) -> str:
    r"""A text without HTML, in linear time. A tag counts only if it is closed: ``a<b>c`` is a chain.

    >>> without_markup("<b>x</b><sup>2</sup> &le; 4&nbsp;cm"), without_markup("a<b>c")
    ('x^{2} ≤ 4\xa0cm', 'a<b>c')
    """
    if "<" in text:
        if "</" in text:
            text = _without_tags(text)
        text = _BREAK.sub(" ", text)
    if "&" in text and ";" in text:
        text = _SIGN.sub(_named, text)
    return text


def _without_tags(text: str) -> str:
    opened: list[re.Match[str]] = []
    replaced: dict[int, tuple[int, str]] = {}
    waiting: dict[str, int] = {}
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if not tag["closing"]:
            opened.append(tag)
            waiting[name] = waiting.get(name, 0) + 1
            continue
        while waiting.get(name):
            opening = opened.pop()
            own = opening["name"].lower()
            waiting[own] -= 1
            if own == name:
                replaced[opening.start()] = (opening.end(), _OPENING.get(name, ""))
                replaced[tag.start()] = (tag.end(), _CLOSING.get(name, ""))
                break
    pieces = []
    position = 0
    for start, (end, sign) in sorted(replaced.items()):
        pieces += [text[position:start], sign]
        position = end
    return "".join(pieces) + text[position:]


def _named(match: re.Match[str]) -> str:
    return html.unescape(match.group())
