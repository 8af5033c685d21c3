"""Phrases and titles that an answer follows, in a text of any length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ...runtime.patterns import lazy
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
        start: Where it begins.
        end: Where the answer's sentence begins.
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
    places = {word: folded.rfind(word, 0, end) for word in _keywords(text.isascii()) if word in folded}
    places = {word: place for word, place in places.items() if place >= 0}
    for _ in range(_MOST if places else 0):
        word, place = max(places.items(), key=_place)
        if place < 0:
            return
        places[word] = folded.rfind(word, 0, place)
        if place < end and (mark := _mark(text, place)) is not None:
            end = mark.start
            yield mark


def _place(item: tuple[str, int]) -> tuple[int, int]:
    return item[1], len(item[0])


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
def _keywords(ascii_only: bool) -> tuple[str, ...]:
    words = dict.fromkeys(word for language in LANGUAGES for word in language.keywords)
    return tuple(word for word in words if word.isascii() or not ascii_only)


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
