"""One spelling of characters that look alike or like nothing: composition (NFC), invisible characters, width.

With a map back to the text as it was. All of it takes time linear in the text, and half a surrogate pair is a
character like others.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from ..runtime.patterns import lazy


class Stretches:
    """A changed text as a row of stretches, each with its length in the new and in the old text.

    A place in a stretch of one length in both is counted off; elsewhere a place stands for the whole stretch.

    Args:
        lengths: The lengths of each stretch, in characters: in the new text, and in the old one.

    >>> Stretches([(2, 2), (0, 3), (4, 4)]).span(2, 4)
    (5, 7)
    """

    def __init__(self, lengths: Iterable[tuple[int, int]]) -> None:
        self.new, self.old = [0], [0]
        for new, old in lengths:
            self.new.append(self.new[-1] + new)
            self.old.append(self.old[-1] + old)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the new text to the old one, without what is left out around it."""
        last = len(self.new) - 2
        if last < 0:
            return 0, 0
        first = min(bisect_right(self.new, start) - 1, last)
        begin = self.within(first, start - self.new[first])[0]
        if end <= start:
            return begin, begin
        final = min(bisect_left(self.new, end) - 1, last)
        return begin, self.within(final, end - 1 - self.new[final])[1]

    def within(self, stretch: int, place: int) -> tuple[int, int]:
        """Map the character at a place of a stretch to its span in the old text."""
        start, end = self.old[stretch], self.old[stretch + 1]
        length = self.new[stretch + 1] - self.new[stretch]
        if length == end - start and place < length:
            return start + place, start + place + 1
        return (start, end) if place < length else (end, end)


_NEAR = (
    "\u00ad\u034f\u061c\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\N{HANGUL FILLER}"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)
_FAR = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
_IGNORED = _NEAR + _FAR
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_UNSEEN = lazy(f"[{_NEAR}]+")
_UNSEEN_FAR = lazy(f"[{_FAR}]+")
_BEYOND = lazy("[\U00010000-\U0010ffff]")
INVISIBLE = lazy(f"[{_CONTROLS}{_IGNORED}]+")
"""Characters unseen by a reader: Default_Ignorable_Code_Point of the Unicode Character Database
(zero-width and bidirectional characters, Hangul fillers, soft hyphens, variation selectors, tags), marks of
interlinear annotation, and control characters that are no white space."""

# What may compose with a character before it: combining marks, and the conjoining letters of Hangul (and of
# Kirat Rai). Signs, which are no word characters either, pass for marks: that only makes pieces longer.
_MARK = (
    r"[^\w\s\x00-\x7f]|[\N{HANGUL JUNGSEONG FILLER}-\N{HANGUL JONGSEONG SSANGNIEUN}"
    r"\N{HANGUL JUNGSEONG O-YEO}-\N{HANGUL JONGSEONG PHIEUPH-THIEUTH}\U00016d63-\U00016d6a]"
)
MOST_MARKS = 64
"""Marks on one letter that are composed with it. To order a run of them takes time quadratic in its length;
Unicode's Stream-Safe Text Format (UAX #15, section 13) allows 30."""
# No piece looks through a run of invisible characters without taking it: pieces in it would look again.
_LETTER = lazy(rf"[{_IGNORED}]++|(?s:.)(?:[{_IGNORED}]*+(?:{_MARK})){{0,{MOST_MARKS}}}+")
_REST = rf"[{_IGNORED}]*+(?:(?:{_MARK})[{_IGNORED}]*+){{0,{MOST_MARKS}}}+"
_CHUNK = lazy(rf"(?s:.{{1,192}}){_REST}")
_OVERLONG = lazy(rf"[^\w\s\x00-\x7f]{{{MOST_MARKS}}}")
_QUICK = 2_000
"""Characters up to which no run of marks takes long."""

# Full-width ASCII (U+FF01-FF5E) to ASCII. NFKC would do it too, but it also turns … into ... and
# compatibility jamo into conjoining ones, which hides differences that Korean graders look for.
_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
# Stops of full width end a sentence or a clause with no space after them, which their ASCII twins do not, so
# they stay, but for those between digits, which belong to a number.
_STOPS = "！，．：；？"
_WIDE = lazy("[" + "".join(chr(code) for code in _WIDTH if chr(code) not in _STOPS) + "]+")
_WIDE_STOP = lazy(r"(?<=\d)[，．：](?=\d)")
_WIDE_STOP_SIGN = lazy("[，．：]")
_NARROW = bytes((code + 0x20) % 256 for code in range(256))
_NEAR_ROWS = bytes((0x00, 0x03, 0x06, 0x11, 0x17, 0x18, 0x20, 0x31, 0xFE, 0xFF))
"""The rows of 256 codes in which `_NEAR` lies."""
_WIDE_ROW = b"\xff"
_FAR_ROWS = bytes(range(0xD8, 0xE0))
"""Rows of surrogates, pairs of which stand for all beyond 16 bits."""


_SAFE_ROWS = bytes(
    (
        0x00,
        0x01,
        0x02,
        0x22,
        *range(0x24, 0x28),
        0x29,
        0x2B,
        0x32,
        0x33,
        *range(0x34, 0xA0),
        *range(0xAC, 0xD8),
    )
)
"""Rows of 256 codes that nothing here changes, but for the soft hyphen: Latin, signs, Han, Hangul."""
_SPARSE_ROWS = bytes((0x03, 0x20, 0x21, 0x30, 0x31))
"""Rows in which `_UNSURE` lies, and that texts are full of: Greek, quotes, letter-like signs, kana."""
_ASCII = bytes(range(128))
_UNSURE = lazy(
    "[\u0300-\u036f\u0374\u037e\u0387\u2000\u2001\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff"
    "\u2126\u212a\u212b\u302a-\u302f\u3099\u309a" + chr(0x3164) + "]"
)
"""Characters of these rows that are invisible, or are composed with or into something else."""


def is_plain(text: str) -> bool:
    r"""Check quickly whether `characters` and `fold_width_but_stops` surely leave a text as it is.

    >>> is_plain("“it’s” 4 ≤ π — ⅓"), is_plain("4\u200b2"), is_plain("ｘ"), is_plain("e\u0301")
    (True, False, False, False)
    """
    if text.isascii():
        return True
    rows = text.encode("utf-16-le", "surrogatepass")[1::2].translate(None, _SAFE_ROWS)
    if not rows:
        return "\u00ad" not in text
    if rows.translate(None, _SPARSE_ROWS) or "\u00ad" in text:
        return False
    # The bytes of UTF-8 without those of ASCII are UTF-8, too.
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return _UNSURE.search(rest) is None


def fold_width(text: str) -> str:
    """Full-width ASCII forms to ASCII, and nothing else.

    >>> fold_width("Ａ１２％…")
    'A12%…'
    """
    return text if text.isascii() else text.translate(_WIDTH)


def fold_width_but_stops(text: str) -> str:
    """Full-width ASCII forms to ASCII, but for stops that end a sentence or a clause.

    >>> fold_width_but_stops("ｘ＝１．５，ｙ＝２，３４５。")
    'x=1.5，y=2,345。'
    """
    if text.isascii():
        return text
    if not _lies_in(_rows(text), _WIDE_ROW):
        return text
    if _WIDE.search(text):
        text = _WIDE.sub(lambda run: _narrow(run.group()), text)
    if _WIDE_STOP_SIGN.search(text):
        text = _WIDE_STOP.sub(lambda stop: chr(_WIDTH[ord(stop.group())]), text)
    return text


def _narrow(run: str) -> str:
    """A run of full-width forms in ASCII, as `fold_width` gives it, in a fraction of the time."""
    return run.encode("utf-16-le")[::2].translate(_NARROW).decode("latin-1")


def _rows(text: str) -> bytes | None:
    """The upper byte of each character's code in UTF-16, for a long text; None for a short one.

    In which rows of 256 codes a text lies is told ten times as fast as which characters it has.
    """
    return None if len(text) <= _QUICK else text.encode("utf-16-le", "surrogatepass")[1::2]


def _lies_in(rows: bytes | None, looked_for: bytes) -> bool:
    """Return whether a text may have a character of these rows."""
    return rows is None or any(row in rows for row in looked_for)


def nfc(text: str) -> str:
    """NFC in linear time: of more than `MOST_MARKS` marks on one letter only the first are composed with it.

    >>> nfc("e\u0301") == "\u00e9"
    True
    """
    if len(text) > _QUICK and _OVERLONG.search(text):
        return "".join(unicodedata.normalize("NFC", chunk) for chunk in _CHUNK.findall(text))
    return unicodedata.normalize("NFC", text)


def characters(text: str) -> str:
    r"""A text without invisible characters, in NFC; applying it twice changes nothing.

    Control characters stay: nobody writes them, and what has them is not what it looks like.

    >>> characters("4\u200b2 e\u200b\u0301") == "42 \u00e9"
    True
    """
    if text.isascii():
        return text
    # Invisible characters go first: one between a letter and its mark must not keep them apart.
    rows = _rows(text)
    if _lies_in(rows, _NEAR_ROWS) and _UNSEEN.search(text):
        text = _UNSEEN.sub("", text)
    if _lies_in(rows, _FAR_ROWS) and _BEYOND.search(text):
        text = _UNSEEN_FAR.sub("", text)
    return nfc(text)


class CharacterStretches(Stretches):
    """The stretches of ``characters(text)``, found letter by letter only where a span is asked for.

    Args:
        text: The text as it was.
    """

    def __init__(self, text: str) -> None:
        self.chunks = _CHUNK.findall(text)
        self.cleaned = list(map(characters, self.chunks))
        lengths = zip(map(len, self.cleaned), map(len, self.chunks), strict=True)
        super().__init__(lengths)

    def within(self, stretch: int, place: int) -> tuple[int, int]:
        """See `Stretches.within`."""
        chunk, cleaned = self.chunks[stretch], self.cleaned[stretch]
        if chunk != cleaned:
            letters = [(len(characters(letter)), len(letter)) for letter in _LETTER.findall(chunk)]
            inner = Stretches(letters)
            if inner.new[-1] == len(cleaned):
                start, end = inner.span(place, place + 1)
                return self.old[stretch] + start, self.old[stretch] + end
        return super().within(stretch, place)
