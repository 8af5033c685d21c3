"""One text in its spellings: full width, years in Chinese digits, simplified and traditional characters."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ..runtime.patterns import lazy

_NARROW = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_YEAR = lazy("[〇零一二三四五六七八九]{4}(?=\\s?年)")
_MANGLED = lazy(
    "[\u00c2\u00c3\u00e2][\u0080-\u00bf\u20ac\u2013-\u2022\u0152\u0153\u0160\u0161\u017d\u017e\u0178\u0192\u02c6\u02dc\u2026\u2030\u2039\u203a\u2122]"
)


def plain(text: str) -> str:
    """A text of the same length without full width, and with the digits of years.

    >>> plain("３６平方公里"), plain("二〇〇八年")
    ('36平方公里', '2008年')
    """
    if text.isascii():
        return text
    return _YEAR.sub(lambda found: found.group().translate(_DIGITS), text.translate(_NARROW))


def unmangled(text: str) -> str:
    """A text whose bytes were read in the wrong alphabet on their way into a data set, as it was meant.

    >>> unmangled("10â€“12 years"), unmangled("Dáin"), unmangled("30Â\\xa0km")
    ('10–12 years', 'Dáin', '30 km')
    """
    if not _MANGLED.search(text):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8").replace("\xa0", " ")
        except UnicodeError:
            continue
    return text


@cache
def _tables() -> tuple[dict[str, str], dict[str, str]]:
    """The traditional characters of each simplified one, and the simplified one of each."""
    text = files(__package__).joinpath("variants.txt").read_text(encoding="utf-8")
    groups = [word for line in text.splitlines() if not line.startswith("#") for word in line.split()]
    return {word[0]: word[1:] for word in groups}, {each: word[0] for word in groups for each in word[1:]}


def variants(char: str) -> str:
    """The other ways to write a Chinese character; two that simplification merged are not the same.

    >>> variants("国"), variants("國"), variants("髮"), variants("a")
    ('國', '国', '发', '')
    """
    if char < "㐀":
        return ""
    traditional, simplified = _tables()
    return simplified.get(char) or traditional.get(char, "")


def simplified(text: str) -> str:
    """A text in simplified characters, to look words of two texts up."""
    if text.isascii():
        return text
    table = _tables()[1]
    return "".join(table.get(char, char) for char in text)
