"""Text normalisation, each step with what it may and may not change."""

from __future__ import annotations

import string
import unicodedata
from typing import Literal

from ..runtime.patterns import lazy
from ..visible.characters import INVISIBLE, characters, fold_width, nfc

__all__ = [
    "INVISIBLE",
    "Normalization",
    "clean",
    "fold_jamo",
    "fold_width",
    "nfc",
    "normalize",
    "strip_stop",
    "without_surrogates",
]

Normalization = Literal["none", "text", "squad", "korquad", "unicode"]
"""How two texts are made comparable: see `normalize`."""

_SPACES = lazy(r"\s+")
_ARTICLES = lazy(r"\b(?:a|an|the)\b")
_SQUAD = dict.fromkeys(map(ord, string.punctuation))
# What the KorQuAD script turns into spaces first: the end of a word, which lower case depends on (Σ).
_KORQUAD = dict.fromkeys(map(ord, "'\"《》<>〈〉()‘’"), " ")
# Conjoining letters (U+1100 ..., U+1161 ..., U+11A8 ...) to the letters by themselves (U+3131 ...).
_JAMO = {
    first + place: letter
    for first, letters in (
        (0x1100, "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"),
        (0x1161, "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"),
        (0x11A8, "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"),
    )
    for place, letter in enumerate(letters)
}


def fold_jamo(text: str) -> str:
    """Conjoining jamo, which some models write for a letter itself, to that letter; syllables stay.

    >>> fold_jamo("ᄆ 자") == "ㅁ 자"
    True
    """
    return text if text.isascii() else text.translate(_JAMO)


def clean(text: str) -> str:
    r"""NFC, no invisible characters, runs of any white space as one space, stripped.

    >>> clean(" two\u00a0\u00a0words\u200b ")
    'two words'
    """
    return _SPACES.sub(" ", characters(text)).strip()


_STOPS, _ELLIPSES = (".", "。", "．"), ("..", "…")


def strip_stop(text: str) -> str:
    """Without one closing full stop; an ellipsis stays.

    >>> strip_stop("368."), strip_stop("wait...")
    ('368', 'wait...')
    """
    if text.endswith(_STOPS) and not text.endswith(_ELLIPSES):
        return text[:-1].rstrip()
    return text


def _without_stops(text: str) -> str:
    """A cleaned text without the full stops that `strip_stop` takes off one after the other, in linear time."""
    start = len(text.rstrip("".join(_STOPS) + "… "))
    closing = text[start:]
    kept = max(closing.rfind(each) + len(each) if each in closing else 0 for each in _ELLIPSES)
    return text[: start + kept]


def _without_bold(text: str) -> str:
    """Without the marks that set all of a text in bold."""
    mark = text[:2]
    is_bold = mark in ("**", "__") and len(text) > 4 and text.find(mark, 2) == len(text) - 2
    return text[2:-2].strip() if is_bold else text


def normalize(text: str, how: Normalization) -> str:
    """Make a text comparable.

    Args:
        text: Any text.
        how: ``none`` leaves it alone; ``text`` cleans it (see `clean`) and drops one closing full stop and the
            marks of bold type around all of it. ``squad`` is the SQuAD evaluation's to the letter (Rajpurkar et
            al., 2016, arXiv:1606.05250): lower case, without ASCII punctuation and the articles a, an, the.
            ``korquad`` is KorQuAD 1.0's (Lim et al., 2019, arXiv:1909.07005): a few quotes and brackets become
            spaces, lower case, without ASCII punctuation; articles stay. ``unicode`` is no published one: as
            ``squad``, of the cleaned text, with case folded and without the punctuation of every script, where
            ``squad`` keeps “quotes” and dashes. Symbols (√, ℃, €) stay in all of them.

    >>> normalize("The  Answer!", "squad")
    'answer'
    >>> normalize("“√2”", "squad"), normalize("“√2”", "unicode")
    ('“√2”', '√2')
    >>> normalize(" 정답이다. ", "text")
    '정답이다'
    """
    if how == "none":
        return text
    if how == "squad":
        return " ".join(_ARTICLES.sub(" ", text.lower().translate(_SQUAD)).split())
    if how == "korquad":
        return " ".join(text.translate(_KORQUAD).lower().translate(_SQUAD).split())
    text = clean(text)
    if how == "text":
        while (shorter := _without_bold(_without_stops(text))) != text:
            text = shorter
        return text
    text = "".join(char for char in text.casefold() if unicodedata.category(char)[0] != "P")
    return clean(_ARTICLES.sub(" ", text))


def without_surrogates(text: str) -> str:
    r"""Text that every encoder takes: half a surrogate pair, which no UTF-8 has, becomes a question mark.

    >>> without_surrogates("a\ud83d")
    'a?'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
