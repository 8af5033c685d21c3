"""A text as words that can be compared: case, accents, plurals, numerals, width and Chinese characters are settled."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from ..runtime.patterns import lazy
from .numerals.english_numerals import is_numeral, ordinal, read_words, singular, size

SYLLABLES, IDEOGRAPHS = "가-힣", "㐀-鿿豈-﫿ぁ-ヿ"
"""Letters of scripts whose words are searched for letter by letter, as ranges of a pattern."""
EASTERN = lazy(rf"[{SYLLABLES}{IDEOGRAPHS}]")
EASTERN_NUMERALS = lazy(
    r"(?:\d[\d,.]*|[영공일이삼사오육칠팔구십백천만억조한두세네다섯여섯일곱덟아홉열스물서른마흔쉰예순흔]{1,12}"
    r"|[零〇一二两兩三四五六七八九十百千万萬亿億]{1,12})(?=[\s가-힣一-鿿]|\Z|[.,。，])"
)
"""Where a number in Korean or Chinese may begin."""
YES, NO = (
    frozenset(("yes", "true", "yeah", "correct", "예", "네", "그렇다", "맞다", "참", "是", "是的", "对")),
    frozenset(
        ("no", "false", "nope", "incorrect", "아니오", "아니요", "아니다", "거짓", "不是", "否", "不", "错")
    ),
)
"""What an answer to a question of yes or no is said by."""
_FLAT = "|".join(sorted((re.escape(each) for each in YES | NO), key=len, reverse=True))
SAID_FLATLY = lazy(
    rf"(?<![^\W_])(?P<word>{_FLAT})(?:입니다|이다|요)?(?=\s{{0,3}}(?:[.,!;:?，。！；\n)*_\"'</–—-]|\Z|\b(?:and|or|but)\b))",
    re.IGNORECASE,
)
"""Yes or no as an answer, and not as a word of a sentence: "There is no doubt"."""
PLACE_ENDINGS = ("특별시", "광역시", "시", "군", "구", "도", "역", "씨", "님", "市", "省", "县", "区")
"""What names of places and persons are said with."""
CHINESE_TIES = "[是为叫]"
"""What ties a Chinese name to what has it, as a pattern."""
CHINESE_GRAMMAR = frozenset("是在的了为有由被把与和及或也就不没")
"""Characters that make a sentence of a Chinese phrase."""
CHINESE_PERSONS = tuple("师家员者长手生王士")
"""What words for persons end in: 建筑师, 作家."""
OWNER = lazy("의\\s|的(?=\\S)")
"""Whose the next word is: 한소라의 동생, 李晓梅的妹妹."""
CHINESE_KINDS = frozenset(
    "大小老新古市省县区国州城山河江湖海岛島村镇鎮街路人氏年月日号號级級树樹花鸟鳥鱼魚书書"
)
"""Characters beside a name that say what kind of thing it is."""
_KOREAN_ENDINGS = (*"다요은는을를의에서와과인한된고며", "으로")
SAYING_SO = frozenset(
    (
        "바로",
        "물론",
        "역시",
        "당연히",
        "아마도",
        "정답",
        "정답은",
        "답",
        "답은",
        "것",
        "이름",
        "다음에",
        "그다음",
        "그다음에",
        "이어서",
    )
)
"""Korean words beside an answer that say nothing else."""
YEAR_SIGN = r"\s?[년年]"
YEAR = lazy(
    r"(?:in |the year |c\. ?|circa |around |about )?([12]\d{3})(?:\s?(?:AD|CE|년|年))?", re.IGNORECASE
)
"""A year and nothing else."""
_WORD = lazy(
    rf"(?P<dotted>(?<![^\W_])(?:[A-Za-z]\.){{2,8}})|(?P<number>(?<![^\W_])\d{{1,3}}(?:,\d{{3}})++(?:\.\d++)?|(?<![^\W_])\d++(?:\.\d++)?(?![^\W\d_]))"
    rf"|(?P<glued>[A-Z]?[a-z]{{2,20}}(?=[A-Z][a-z]))|(?P<word>[^\W_가-힣{IDEOGRAPHS}]++(?:['’][^\W\d_가-힣{IDEOGRAPHS}]{{1,3}}(?![^\W_]))?)|(?P<other>[가-힣]++|[{IDEOGRAPHS}])"
)
_ROMAN = {"I": 1, "V": 5, "X": 10}
_IS_ROMAN = lazy("(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})")
_DIGITS = lazy(r"(\d{1,15})(st|nd|rd|th|[a-z]{6,12})?")
_MOST_NUMERALS = 8
"""Words of one number."""
_ARTICLES = frozenset(("a", "an", "the"))


class Word(NamedTuple):
    """A word of a text.

    Args:
        form: Form for comparisons; "#" and the value for a number.
        start: Its start.
        end: Its end.
        value: The number that it is.
    """

    form: str
    start: int
    end: int
    value: Fraction | None = None


def words(text: str) -> list[Word]:
    """The words of a text, without articles; a number is one word, however it is written.

    >>> [word.form for word in words("The Müllers' twenty-five cats, Elizabeth II, 2.5 million, the ninth")]
    ['muller', '#25', 'cat', 'elizabeth', '#2', '#2500000', '9th']
    """
    found = [_word(each) for each in _WORD.finditer(text)]
    return [each for each in _joined(text, found) if len(found) == 1 or not _is_article(text, each)]


def _is_article(text: str, word: Word) -> bool:
    return word.form in _ARTICLES and not (text[word.start] == "A" and text[word.end : word.end + 1] == ".")


def _word(found: re.Match[str]) -> Word:
    said, (start, end) = found.group(), found.span()
    if found.lastgroup == "number":
        return _number(Fraction(said.replace(",", "")), start, end)
    if found.lastgroup == "dotted":
        return Word(said.replace(".", "").casefold(), start, end)
    form, value = _form(said)
    return Word(form, start, end, value)


def _number(value: Fraction, start: int, end: int) -> Word:
    return Word(f"#{value}", start, end, value)


@lru_cache(maxsize=65536)
def _form(said: str) -> tuple[str, Fraction | None]:
    """Return the compared form of a word, and its number if it is one."""
    if _IS_ROMAN.fullmatch(said):
        value = Fraction(_roman(said))
        return f"#{value}", value
    folded = said.replace("’", "'").casefold()
    folded = folded.removesuffix("'s").removesuffix("'")
    if not folded.isascii():
        folded = "".join(
            char for char in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(char)
        )
        folded = unicodedata.normalize("NFC", folded)
    if (digits := _DIGITS.fullmatch(folded)) is not None:
        behind = digits[2]
        times = 1 if behind is None else size(behind)
        if times is not None:
            value = Fraction(int(digits[1]) * times)
            return f"#{value}", value
        return folded, None
    if (place := ordinal(folded)) is not None:
        return _nth(place), None
    return _one_spelling(singular(folded) if len(folded) > 3 else folded), None


def _one_spelling(word: str) -> str:
    """A word in one of its spellings: colour and color, organise and organize, theatre and theater, BCE and BC.

    What it makes of other words is no word, and the same for both sides.
    """
    if word in _SPELLED:
        return _SPELLED[word]
    if len(word) < _SHORTEST_SPELLED:
        return word
    if word.endswith(("tre", "bre")):
        return f"{word[:-2]}er"
    return _OTHERWISE.sub(lambda found: "or" if found[1] else "iz", word)


_SPELLED = {
    "grey": "gray",
    "bce": "bc",
    "tyre": "tire",
    "defence": "defense",
    "programme": "program",
    "aluminium": "aluminum",
}
_SHORTEST_SPELLED = 5
_OTHERWISE = lazy(r"(our)(?=\Z|ed\Z|ing\Z|ful\Z|ite\Z|able\Z)|(?<=[a-z]{2})is(?=(?:e|ed|er|ing|ation)\Z)")


def _nth(place: int) -> str:
    special = {1: "st", 2: "nd", 3: "rd"}.get(place % 10 if place % 100 not in (11, 12, 13) else 0, "th")
    return f"{place}{special}"


def _roman(said: str) -> int:
    values = [_ROMAN[each] for each in said]
    return sum(-each if each < after else each for each, after in zip(values, [*values[1:], 0], strict=True))


def _joined(text: str, found: list[Word]) -> Iterator[Word]:
    """Words with numbers in words, sizes behind digits, and initials put together."""
    place = 0
    while place < len(found):
        word = found[place]
        if word.value is not None and place + 1 < len(found):
            after = found[place + 1]
            times = size(after.form) or size(text[after.start : after.end])
            if times is not None and text[word.end : after.start] in (" ", "-"):
                yield _number(word.value * times, word.start, after.end)
                place += 2
                continue
        if word.value is None and is_numeral(word.form) and not word.form[0].isdigit():
            end = _numeral_end(text, found, place)
            if end is not None:
                last = found[end - 1]
                value = read_words(text[word.start : last.end])
                yield word if value is None else _number(value, word.start, last.end)
                place = end
                continue
        if len(word.form) == 1 and text[word.start].isupper():
            end = place + 1
            while (
                end < len(found)
                and len(found[end].form) == 1
                and text[found[end].start].isupper()
                and text[found[end - 1].end : found[end].start] in (" ", ".", ". ")
            ):
                end += 1
            last = found[end - 1]
            yield Word("".join(each.form for each in found[place:end]), word.start, last.end)
            place = end
            continue
        yield word
        place += 1


def _numeral_end(text: str, found: list[Word], place: int) -> int | None:
    """Behind which word the longest number ends that begins at a word; None if none does."""
    end = place + 1
    while end < len(found) and end - place < _MOST_NUMERALS:
        said = text[found[end].start : found[end].end].casefold()
        between = text[found[end - 1].end : found[end].start]
        if between not in (" ", "-", "‑") or not (is_numeral(said) or said == "and"):
            break
        end += 1
    for last in range(end, place, -1):
        if read_words(text[found[place].start : found[last - 1].end]) is not None:
            return last
    return None


_ENDINGS = tuple(
    sorted(
        "isms ism ians ian ans an ings ing ed ers er ese es ish ic al ly ion ions ive ment s e y a n".split(),
        key=len,
        reverse=True,
    )
)
_SHORTEST_STEM = 5
"""Letters that a stem has at least."""


@lru_cache(maxsize=65536)
def stem(form: str) -> str:
    """Return the common stem of the forms of one word.

    >>> stem("evolution") == stem("evolutions"), stem("teaching"), stem("#25")
    (True, 'teach', '#25')
    """
    for ending in () if form.startswith("#") else _ENDINGS:
        if form.endswith(ending) and len(form) - len(ending) >= _SHORTEST_STEM:
            return form[: -len(ending)]
    return form


def is_bare_noun(word: str) -> bool:
    """Return whether a Korean word lacks the ending or particle that would make a sentence of it."""
    return word in SAYING_SO or word.endswith(PLACE_ENDINGS) or not word.endswith(_KOREAN_ENDINGS)


_NARROW = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
_YEAR_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
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
    return _YEAR.sub(lambda found: found.group().translate(_YEAR_DIGITS), text.translate(_NARROW))


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
