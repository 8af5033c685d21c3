r"""End of the sentence that holds an answer: stops count outside formulas, brackets, environments only.

``The answer is $(1,\; 2)$.`` has a semicolon and ``$34\text{ sq. units}$`` a full stop that end nothing.
"""

from __future__ import annotations

import re

from ..runtime.patterns import lazy
from ..visible.markup import TURN_MARK

# One token per match, so a scan is linear. Line breaks of TeX and escaped signs are taken whole, so that
# what they hold is no bracket and no stop.
_TOKEN = lazy(
    r"\\\\|\\(?P<edge>begin|end)\s*\{[a-zA-Z]{1,20}\*?\}|\\[a-zA-Z]+|\\(?P<escaped>.)|(?P<dollar>\$\$?)"
    r"|(?P<bracket>[(\[{}\])])"
    r"|(?P<stop>[.?](?=[\s*_\"'”’)]|\Z)|!(?=[\s*_\"'”’)]|\Z)(?!\s+[-+*/=^<>])|[。！？]|．(?!\d)"
    # "$(1,2)$; $(3,4)$" and "x=1; y=2" go on with a value, "$x=2$; the other root" does not.
    r"|;(?=\s)(?!\s+(?:[-+]?[$\\(\[{\d]|[a-zA-Z](?:_\{?\w{1,3}\}?)?\s*[=:<>])))"
    # What a chat template or a data set ends an answer with.
    rf"|(?P<turn>{TURN_MARK})"
    r"|(?P<line>\n)",
    re.DOTALL,
)
# What opens and what closes a stretch. Half-open intervals make round and square brackets one kind.
_OPENS = {"(": "round", "[": "round", "{": "brace", "\\(": "inline", "\\[": "display", "\\{": "set"}
_CLOSES = {")": "round", "]": "round", "}": "brace", "\\)": "inline", "\\]": "display", "\\}": "set"}
_SPANS_LINES = ("display", "$$", "environment")
_SPANS_A_LINE = (*_SPANS_LINES, "inline", "$", "brace")
_BARE_WORD = lazy(r"(?<![\\a-zA-Z])[a-zA-Z]{3,}")
_SET_AS_TEXT = lazy(r"\\[a-zA-Z]+\s*\{[^{}$]*\}")
# "34 sq. units": a stop that only shortens a word, where the sentence goes on.
_SHORTENED = lazy(
    r"\b(?:sq|cu|ft|in|yd|mi|lbs?|oz|gal|hr|min|sec|approx|no|vs|a\.m|p\.m|e\.g|i\.e)\Z", re.IGNORECASE
)
_GOES_ON = lazy(r"\.\s+[a-z\d]")
_LONGEST_SHORTENED = 8  # characters


def sentence_end(text: str, start: int) -> int:
    r"""Return the end of the sentence that goes on at `start`: its stop, or the end of line or text.

    Brackets and dollar signs that nothing closes are signs like any other.

    >>> text = r"It is $(1,\; 2)$. And then?"
    >>> text[: sentence_end(text, 0)]
    'It is $(1,\\; 2)$'
    >>> text = "It is $5. Or $6."
    >>> text[: sentence_end(text, 0)]
    'It is $5'
    """
    first = _TOKEN.search(text, start)
    if first is None:
        return len(text)
    if _ends(text, first):
        return first.start()
    position = first.start()
    regions = _regions(text, position)
    while (token := _TOKEN.search(text, position)) is not None:
        position = regions.get(token.start(), token.end())
        if token.start() not in regions and _ends(text, token):
            return token.start()
    return len(text)


def _ends(text: str, token: re.Match[str]) -> bool:
    if token["line"] or token["turn"]:
        return True
    if not token["stop"]:
        return False
    at = token.start()
    shortened = token["stop"] == "." and _GOES_ON.match(text, at)
    return not (shortened and _SHORTENED.search(text, max(0, at - _LONGEST_SHORTENED), at))


def _regions(text: str, start: int) -> dict[int, int]:
    """Map starts of formulas, brackets and environments to their ends, up to the sentence's end."""
    found: dict[int, int] = {}
    opened: list[tuple[str, int]] = []
    counts: dict[str, int] = {}

    def close(kind: str, end: int) -> None:
        # What was opened inside and not closed is dropped: each opening is passed once, so this is linear.
        while True:
            last, at = opened.pop()
            counts[last] -= 1
            if last == kind:
                break
        if end:
            found[at] = end

    for token in _TOKEN.finditer(text, start):
        sign = token.group()
        if not opened and _ends(text, token):
            break
        if token["line"]:
            blank = text[token.end() : token.end() + 1] in ("\n", "")
            lasting = _SPANS_LINES if blank else _SPANS_A_LINE
            if not any(counts.get(kind) for kind in lasting):
                break  # brackets that are still open are closed nowhere
        elif token["dollar"]:
            if counts.get(sign):
                opening = next(at for kind, at in reversed(opened) if kind == sign)
                closes = _is_formula(text, opening + len(sign), token.start(), token.end())
                close(sign, token.end() if closes else 0)
                if closes:
                    continue
            elif sign == "$$" and counts.get("$"):
                continue  # an empty formula inside of one: no such thing
            opened.append((sign, token.start()))
            counts[sign] = counts.get(sign, 0) + 1
        else:
            kind = _OPENS.get(sign) or ("environment" if token["edge"] == "begin" else "")
            closed = _CLOSES.get(sign) or ("environment" if token["edge"] == "end" else "")
            if kind:
                opened.append((kind, token.start()))
                counts[kind] = counts.get(kind, 0) + 1
            elif closed and counts.get(closed):
                close(closed, token.end())
    return found


def _is_formula(text: str, start: int, end: int, after: int) -> bool:
    """Return whether dollar signs enclose a formula: "$5. He pays $6" is money."""
    if start >= end or text[after : after + 1].isdigit():
        return False
    if not text[start].isspace() and not text[end - 1].isspace():
        return True
    return _BARE_WORD.search(_SET_AS_TEXT.sub(" ", text[start:end])) is None
