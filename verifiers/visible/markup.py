"""HTML around and inside an answer, and what a rendered text does not say.

Tags that only set it, raised and lowered digits and named signs; comments, hidden elements, templates, link
titles and struck-out words.
"""

from __future__ import annotations

import html
import html.entities
import re
from collections.abc import Container, Iterable

from ..runtime.patterns import lazy

_MOST_UNCLOSED = 20
"""Elements without an end that are looked at: a text with more is taken as it stands from there on."""
_ATTRIBUTE = (
    r"hidden(?=[\s=/>])|aria-hidden\s{0,2}=\s{0,2}[\"']?true"
    r"|style\s{0,2}=\s{0,2}[\"'][^\"'<>]{0,200}?(?:display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden|opacity\s{0,2}:\s{0,2}0(?![.\d])"
    r"|font-size\s{0,2}:\s{0,2}0(?![.\d])|(?<![-\w])color\s{0,2}:\s{0,2}(?:white|transparent|#fff(?:fff)?)(?![\w]))"
    r"|color\s{0,2}=\s{0,2}[\"']?(?:white|#fff(?:fff)?)(?![\w])"
)
_HIDDEN_OPENING = lazy(
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
    """Check quickly whether a text may hold anything hidden."""
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
    while unclosed < _MOST_UNCLOSED and (opening := _HIDDEN_OPENING.search(text, position)) is not None:
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
    """Return the end of a hidden part; None if nothing closes it."""
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


_SIGN = lazy(r"&(?:[a-zA-Z]{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,5});")
_BLOCKS = ("p", "div", "center", "li", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6")
_INLINE = ("b", "strong", "i", "em", "u", "span", "font", "small", "big", "mark", "code", "var", "sub", "sup")
DRESS = frozenset((*_BLOCKS, *_INLINE, "br", "hr"))
"""Tags that change how a text looks and not what it says."""
_TAG = lazy(
    rf"<(?P<closing>/?)(?P<name>{'|'.join(_BLOCKS + _INLINE)})(?:\s[^<>]{{0,200}})?>"
    r"|<(?P<single>br|hr)\s*/?>",
    re.IGNORECASE,
)
_OPENING = {"sub": "_{", "sup": "^{"}
_CLOSING = {"sub": "}", "sup": "}"}
MOST = 20_000
"""Signs that may open a tag, and as many named signs: a text with more is taken as it stands."""
# A sign for a sign of markup must not make up a tag: &lt;answer&gt; shows a tag and is none.
_BEFORE_TAG = lazy(r"[/&a-zA-Z!?]")

TURN_MARK = (
    r"(?:<[|｜][^<>|｜\n]{1,40}[|｜]>|</?s>|<(?:bos|eo[a-z]|pad|end_of_turn|start_of_turn)>"
    r"|\[/?INST\]|<PRM [+-]>)"
)
"""A token of a chat template or of a data set, which ends a text or a turn, as a pattern."""
_TOKENS_AT_END = lazy(rf"(?:(?<!\s)\s++)?{TURN_MARK}(?:\s*+{TURN_MARK}){{0,15}}\s*+(?:\.\s*+)?\Z")
_TAIL = 400
"""Characters at the end of a text where such tokens are looked for."""

Edit = tuple[int, int, str]
"""Start and end of a stretch of the text, and what stands for it."""


def without_markup(text: str) -> str:
    r"""A text without HTML, in linear time. A tag counts only if it is closed: ``a<b>c`` is a chain.

    >>> without_markup("<b>x</b><sup>2</sup> &le; 4&nbsp;cm"), without_markup("a<b>c")
    ('x^{2} ≤ 4\xa0cm', 'a<b>c')
    """
    text = applied(text, [(*span, "") for span in hidden(text)])
    text = applied(text, tag_edits(text, block=" "))
    return _SIGN.sub(lambda sign: html.unescape(sign.group()), text) if "&" in text and ";" in text else text


def has_markup(text: str) -> bool:
    """Check whether there may be any markup, quickly for most texts."""
    return (
        may_hide(text) or _has_tags(text) or ("&" in text and ";" in text) or tokens_at_end(text) < len(text)
    )


def tokens_at_end(text: str, *, goes_on: bool = False) -> int:
    """Return where a model's unseen stop tokens begin; the text's length without any.

    Args:
        text: Any text.
        goes_on: Whether something stands before it: a token that opens a text opens none then.

    >>> text = "64</s><|im_end|>"
    >>> text[: tokens_at_end(text)]
    '64'
    """
    if not text.rstrip(". \n").endswith((">", "]")):
        return len(text)
    found = _TOKENS_AT_END.search(text, max(0, len(text) - _TAIL))
    if found is None or (found.group().count("</s>") == 1 and text.rfind("<s>", 0, found.start()) > -goes_on):
        return len(text)  # <s>42</s> is struck out
    return found.start()


def _has_tags(text: str) -> bool:
    return "<" in text and ("</" in text or "<br" in text or "<hr" in text or "<BR" in text or "<HR" in text)


def markup_edits(text: str, *, keep: Container[str] = (), goes_on: bool = False) -> list[Edit]:
    r"""Return the edits that strip markup from a text: closed tags, line breaks, named signs; in order.

    Signs for ``&``, and for ``<`` and ``>`` where they might make a tag, stay as they are written.

    Args:
        text: Any text.
        keep: Names of tags that somebody looks for, in lower case.
        goes_on: See `tokens_at_end`.

    >>> applied(text := "<p>a&nbsp;<i>b</i></p>c<br>&lt;i&gt; 1 &lt; 2", markup_edits(text))
    '\na\xa0b\nc\n&lt;i&gt; 1 < 2'
    """
    edits = tag_edits(text, block="\n", keep=keep)
    if "&" in text and ";" in text and text.count("&") <= MOST:
        signs = [edit for sign in _SIGN.finditer(text) if (edit := _sign_edit(text, sign)) is not None]
        if signs and edits:
            # A tag's attributes may hold signs; the tag goes as a whole.
            edits = _apart(sorted([*edits, *signs], key=lambda edit: edit[0]))
        else:
            edits = edits or signs
    if spans := hidden(text):
        edits = _apart(
            sorted([*((*span, "") for span in spans), *edits], key=lambda edit: (edit[0], -edit[1]))
        )
    if (end := tokens_at_end(text, goes_on=goes_on)) < len(text):
        edits = [*(edit for edit in edits if edit[1] <= end), (end, len(text), "")]
    return edits


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with its edits, which are in order and do not meet."""
    pieces, position = [], 0
    for start, end, sign in edits:
        pieces += [text[position:start], sign]
        position = end
    return "".join([*pieces, text[position:]]) if pieces else text


def tag_edits(text: str, *, block: str, keep: Container[str] = ()) -> list[Edit]:
    """The edits for tags, in order.

    Args:
        text: Any text.
        block: Replacement for the end of a paragraph or a line.
        keep: Names of tags that stay, in lower case.
    """
    if not _has_tags(text) or text.count("<") > MOST:
        return []
    opened: list[re.Match[str]] = []
    edits: list[Edit] = []
    waiting: dict[str, int] = {}
    for tag in _TAG.finditer(text):
        name = (tag["name"] or tag["single"]).lower()
        if name in keep:
            continue
        if tag["single"]:
            edits.append((*tag.span(), block))
        elif not tag["closing"]:
            opened.append(tag)
            waiting[name] = waiting.get(name, 0) + 1
        while tag["closing"] and waiting.get(name):
            opening = opened.pop()
            own = opening["name"].lower()
            waiting[own] -= 1
            if own == name:
                around = block if name in _BLOCKS else ""
                edits.append((*opening.span(), _OPENING.get(name, around)))
                edits.append((*tag.span(), _CLOSING.get(name, around)))
                break
    edits.sort(key=lambda edit: edit[0])
    return edits


def _sign_edit(text: str, sign: re.Match[str]) -> Edit | None:
    written = sign.group()
    if written[1] != "#" and written[1:] not in html.entities.html5:
        return None
    meant = html.unescape(written)
    if meant in "&<>" and (meant != "<" or _BEFORE_TAG.match(text, sign.end())):
        return None
    return (*sign.span(), meant)


def _apart(edits: list[Edit]) -> list[Edit]:
    kept: list[Edit] = []
    for edit in edits:
        if not kept or edit[0] >= kept[-1][1]:
            kept.append(edit)
    return kept
