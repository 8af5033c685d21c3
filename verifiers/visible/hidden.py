"""What a rendered text does not say: comments, hidden elements, templates, link titles, struck-out words."""

from __future__ import annotations

import re

from ..runtime.patterns import lazy

_MOST_UNCLOSED = 20
"""Elements without an end that are looked at: a text with more is taken as it stands from there on."""
_ATTRIBUTE = (
    r"hidden(?=[\s=/>])|aria-hidden\s{0,2}=\s{0,2}[\"']?true"
    r"|style\s{0,2}=\s{0,2}[\"'][^\"'<>]{0,200}?(?:display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden|opacity\s{0,2}:\s{0,2}0(?![.\d])"
    r"|font-size\s{0,2}:\s{0,2}0(?![.\d])|(?<![-\w])color\s{0,2}:\s{0,2}(?:white|transparent|#fff(?:fff)?)(?![\w]))"
    r"|color\s{0,2}=\s{0,2}[\"']?(?:white|#fff(?:fff)?)(?![\w])"
)
_OPENING = lazy(
    r"(?P<comment><!--)"
    r"|(?P<struck>(?<![\w~\\}$])~~(?=[^\s~])[^~\n]{1,200}(?<=[^\s~])~~(?!~)|(?<=[^\s>])\s{0,2}<s>[^<>\n]{1,200}</s>)"
    r"|<(?P<never>template|script|style|noscript|datalist|del|strike)(?:\s[^<>]{0,300})?>"
    rf"|<(?P<name>[a-z][\w-]{{0,20}})\s(?:[^<>]{{0,200}}?[\s\"'])?(?:{_ATTRIBUTE})[^<>]{{0,200}}>"
    r"|(?P<note>(?<![^\n])[ ]{0,3}\[(?://|comment|_|[^\]\n]{1,30})\]:[ ]\S{1,200}[ ]{1,4}"
    r"(?:\([^()\n]{0,400}\)|\"[^\"\n]{0,400}\"|'[^'\n]{0,400}')[ ]*(?![^\n]))"
    r"|(?<=\]\()[^\s()<>]{1,200}(?P<title>\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))(?=\s{0,2}\))",
    re.IGNORECASE,
)
_FENCE = "```"


def may_hide(text: str) -> bool:
    """Whether a text may hold anything hidden, told in no time."""
    return "<!--" in text or "</" in text or "]: " in text or "](" in text or "~~" in text


def hidden(text: str) -> list[tuple[int, int]]:
    r"""The stretches of a text that are not shown where it is rendered, in order; nothing in code is hidden.

    >>> text = "41 <!-- 42 --> <span style='display:none'>43</span>"
    >>> [text[slice(*span)] for span in hidden(text)]
    ['<!-- 42 -->', "<span style='display:none'>43</span>"]
    >>> hidden("a <b>42</b> [x](y)")
    []
    """
    found: list[tuple[int, int]] = []
    if not may_hide(text):
        return found
    position = unclosed = 0
    while unclosed < _MOST_UNCLOSED and (opening := _OPENING.search(text, position)) is not None:
        fence = text.find(_FENCE, position, opening.start())
        if fence >= 0:
            closing = text.find(_FENCE, fence + len(_FENCE))
            position = closing + len(_FENCE) if closing >= 0 else len(text)
            continue
        position = opening.end()
        if opening["title"] is not None:
            found.append(opening.span("title"))
            continue
        end = _end(text, opening)
        if end is None:
            unclosed += 1
            continue
        found.append((opening.start(), end))
        position = end
    return found


def _end(text: str, opening: re.Match[str]) -> int | None:
    """Where what is hidden ends; None where nothing closes it."""
    if opening["note"] is not None or opening["struck"] is not None:
        return opening.end()
    if opening["comment"] is not None:
        end = text.find("-->", opening.end())
        if end >= 0:
            return end + 3
        starts_line = not text[text.rfind("\n", 0, opening.start()) + 1 : opening.start()].strip()
        return len(text) if starts_line else None
    name = opening["never"] or opening["name"]
    depth = 1
    tags = re.compile(rf"<(?P<closing>/?){re.escape(name)}(?=[\s>])[^<>]{{0,300}}>", re.IGNORECASE)
    for tag in tags.finditer(text, opening.end()):
        depth += -1 if tag["closing"] else 1
        if depth == 0:
            return tag.end()
    return None
