"""Text normalisation, each step with what it may and may not change."""

from __future__ import annotations

import re
import string
import unicodedata
from typing import Literal

Normalization = Literal["none", "text", "squad", "korquad"]
"""How two texts are made comparable: see `normalize`."""

INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
"""What no reader sees: zero-width and control characters, fillers, variation selectors."""
# Neither letters nor spaces, so possibly combining marks: to order a run of them takes quadratic time.
_RUN = re.compile(r"([^\w\s\x00-\x7f]{64})")
_QUICK = 2_000
"""Characters up to which a run cannot take long."""
_SPACES = re.compile(r"\s+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
# What the KorQuAD script turns into spaces, and what it deletes.
_KORQUAD: dict[int, str | None] = {
    **dict.fromkeys(map(ord, string.punctuation)),
    **dict.fromkeys(map(ord, "'\"《》<>〈〉()‘’"), " "),
}
# Full-width ASCII (U+FF01-FF5E) to ASCII. NFKC would do it too, but it also turns … into ... and
# compatibility jamo into conjoining ones, which hides differences that Korean graders look for.
_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


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


def fold_width(text: str) -> str:
    """Full-width ASCII forms to ASCII, and nothing else.

    >>> fold_width("Ａ１２％…")
    'A12%…'
    """
    return text if text.isascii() else text.translate(_WIDTH)


def nfc(text: str) -> str:
    """NFC in linear time: runs of more than 64 signs are composed piece by piece.

    >>> nfc("\u1112\u1161\u11ab") == "한"
    True
    """
    if len(text) > _QUICK and _RUN.search(text):
        return "".join(unicodedata.normalize("NFC", piece) for piece in _RUN.split(text))
    return unicodedata.normalize("NFC", text)


def clean(text: str) -> str:
    r"""NFC, no invisible characters, runs of any white space as one space, stripped.

    >>> clean(" two\u00a0\u00a0words\u200b ")
    'two words'
    """
    if not text.isascii():
        text = INVISIBLE.sub("", nfc(text))
    return _SPACES.sub(" ", text).strip()


def strip_stop(text: str) -> str:
    """Without one closing full stop; an ellipsis stays.

    >>> strip_stop("368."), strip_stop("wait...")
    ('368', 'wait...')
    """
    if text.endswith((".", "。", "．")) and not text.endswith(("..", "…")):
        return text[:-1].rstrip()
    return text


def normalize(text: str, how: Normalization) -> str:
    """Make a text comparable.

    Args:
        text: Any text.
        how: ``none`` leaves it alone; ``text`` cleans it (see `clean`) and drops one closing full stop;
            ``squad`` also folds case and drops punctuation, symbols and the articles a, an, the, as the
            SQuAD evaluation does (Rajpurkar et al., 2016, arXiv:1606.05250); ``korquad`` folds case and drops
            ASCII punctuation and a few quotes and brackets, and no article, as the KorQuAD 1.0 evaluation does
            (Lim et al., 2019, arXiv:1909.07005). Applying one twice changes nothing more.

    >>> normalize("The  Answer!", "squad")
    'answer'
    >>> normalize(" 정답이다. ", "text")
    '정답이다'
    """
    if how == "none":
        return text
    text = clean(text)
    if how == "text":
        while (shorter := strip_stop(text)) != text:
            text = shorter
        return text
    if how == "korquad":
        return clean(text.translate(_KORQUAD).lower())
    text = clean(text.casefold())
    text = "".join(char for char in text if unicodedata.category(char)[0] not in "PS")
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
