"""Phrases and titles that an answer follows, in a text of any length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ...runtime.patterns import lazy
from ...visible.markup import TURN_MARK
from ..language_patterns import fragments
from ..spoken_languages import LANGUAGES
from ..stance import is_denied_phrase

_BEFORE, _AFTER = 60, 120
"""Characters around a keyword in which its phrase stands, with room to spare."""
_MOST = 2_000
"""Keywords that are looked at, from the end: a text that says "answer" more often gives none."""


class Mark(NamedTuple):
    """A phrase that an answer follows.

    Args:
        start: Its start.
        end: Start of the answer's sentence.
        titled: Whether it is a title ("Answer:") and not the beginning of a sentence.
        clear: Whether it is a title that says "final", which no sentence further down undoes.
    """

    start: int
    end: int
    titled: bool
    clear: bool


def marks(text: str) -> Iterator[Mark]:
    """The phrases that an answer follows, the last one first.

    >>> [text[mark.end :] for text in ("The answer is 4.", "최종 정답: ③") for mark in marks(text)]
    ['4.', '③']
    """
    folded = text.replace("İ", "I").lower()  # the one letter that would change the length
    if len(folded) != len(text):
        folded = text
    end = len(text)
    last_line = text.rfind("\n", 0, len(text.rstrip())) + 1
    if (line := _LAST_LINE.match(text, last_line)) is not None:
        yield Mark(line.start(), line.end(), True, False)
        end = line.start()
    places = [found.start() for found in _keyword().finditer(folded, 0, end)]
    for place in reversed(places[-_MOST:]):
        if place < end and (mark := _mark(text, place)) is not None:
            end = mark.start
            yield mark


def _mark(text: str, place: int) -> Mark | None:
    """The phrase whose noun begins at a place."""
    pattern, heads = _phrases()
    found = pattern.match(text, place, place + _AFTER)
    if found is None:
        return None
    kind = found.lastgroup or ""
    before = text[max(0, place - _BEFORE) : place]
    final = False
    titled = kind in ("title", "bracket", "line")
    if titled:
        finals = _finals().search(before)
        before = before[: finals.start()] if finals else before
        starts = _LINE_START.search(before)
        is_round = found.group().rstrip(" :：").endswith((")", "）"))
        if not starts and (kind == "line" or (kind == "bracket" and is_round)):
            return None
        if kind == "bracket" and not is_round and not before.endswith(_OPEN_BRACKETS):
            return None
        final = finals is not None and starts is not None
    elif kind in heads and heads[kind].search(before) is None:
        return None
    spaces = _SPACE.match(text, found.end())
    end = spaces.end() if spaces else found.end()
    return None if is_denied_phrase(text, place, end) else Mark(place, end, titled, final)


@cache
def _keyword() -> re.Pattern[str]:
    """Finds the first letter of every keyword, also where one begins inside another."""
    rests: dict[str, list[str]] = {}
    for word in (word for language in LANGUAGES for word in language.keywords):
        rests.setdefault(word[0], []).append(re.escape(word[1:]))
    return re.compile("|".join(f"{re.escape(first)}(?={'|'.join(each)})" for first, each in rests.items()))


_SPACE = lazy(r"(?:(?<=\n)[ \t]*[>*•-][ \t]|\.{2,6}(?=\s)|…|\s|\*\*|__|[:：]|</?(?:b|strong)>)*")
_LAST_LINE = lazy(r"[ \t>*_]{0,12}(?:A[*_]{0,4}[:：]|∴)(?=[^\n]{0,80}\s*\Z)(?:\s|\*\*|__|[:：])*")
"""How the last line of a "Q: ... A: ..." text begins, or that of a derivation."""
_LINE_START = lazy(r"(?:\A|\n)[ \t>*_#\[【(（-]{0,12}\Z")
_OPEN_BRACKETS = ("[", "【", "[ ", "【 ", "(", "（")


@cache
def _finals() -> re.Pattern[str]:
    return re.compile(
        "(?:"
        + "|".join(each for language in LANGUAGES for each in fragments(language, "final"))
        + r")\s{0,2}\Z",
        re.I,
    )


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, re.Pattern[str]]]:
    """Compile the phrases that may begin at a keyword, and the required words before them by group name."""
    sentences, titles, heads = [], [], {}
    for number, language in enumerate(LANGUAGES):
        for place, (head, core) in enumerate(language.marks):
            name = f"of{number}_{place}"
            sentences.append(f"(?P<{name}>{core.replace(' ', language.blank)})")
            if head:
                heads[name] = re.compile(f"(?:{head.replace(' ', language.blank)})\\Z", re.IGNORECASE)
        labels = sorted(fragments(language, "labels"), key=len, reverse=True)
        titles.append(f"{language.edges[0]}(?:{'|'.join(labels)})")
    title = f"(?:{'|'.join(titles)})"
    return re.compile(
        rf"(?P<line>{title}[ \t*_:：]{{0,8}}\n)|(?P<bracket>{title}\s{{0,2}}[\]】)）]\s{{0,2}}[:：]?)"
        rf"|(?P<title>{title}\s{{0,2}}(?:(?:\*\*|__)\s{{0,2}})?(?:[:：=→⇒]|[-=]>|\s[-–]\s|\s(?=[①-⑮])))"
        rf"|{'|'.join(sentences)}",
        re.IGNORECASE,
    ), heads


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
