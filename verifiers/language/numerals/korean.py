"""Korean numerals: native (스물셋), Sino-Korean (이백오십만), with digits (3만 5천), 분의, 할푼리."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ...runtime.patterns import lazy
from ..normalization import clean, fold_width
from ..nouns.korean import is_particle, noun, without_particle
from ..nouns.korean_counters import COUNTER, JOINED
from . import spoken_formulas

SCRIPT = lazy("[가-힣]")
"""A character without which there is nothing to read here."""
MAX_CHARS = 200
"""Longest text that is read as a numeral."""
_DIGITS = {
    char: value
    for value, chars in enumerate(("영공", "일", "이", "삼", "사", "오", "육륙", "칠", "팔", "구"))
    for char in chars
}
_MULTIPLES = {"다스": 12}
_SMALL = {"십": 10, "백": 100, "천": 1_000}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12, "경": 10**16}
_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80,
    "아흔": 90,
}  # fmt: skip
_ONES = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "서": 3, "넷": 4, "네": 4, "넉": 4,
    "너": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_FEW = "".join(_DIGITS)
SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:{'|'.join(sorted(_ONES, key=len, reverse=True))})?|{'|'.join(sorted(_ONES, key=len, reverse=True))}"
    rf"|[{_FEW}]?십[{_FEW}]?|[{_FEW}])"
)
"""A number below a hundred as a pattern: of hours, minutes and days."""
_TOKEN = lazy(
    r"\s*(?:(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"|(?P<tens>{'|'.join(_TENS)})|(?P<ones>{'|'.join(_ONES)})"
    rf"|(?P<digit>[{''.join(_DIGITS)}])|(?P<small>[십백천])|(?P<large>[만억조경]))"
)
_NEGATIVE = lazy(r"\s*(?:마이너스|영하|[-−–])\s*")
_WORDS = {"반": Fraction(1, 2), "절반": Fraction(1, 2), "제로": Fraction(0)} | dict.fromkeys(
    ("첫째", "첫 번째", "첫번째"), Fraction(1)
)
# What may surround a number without changing it: 약 3만 원, 만 19세, 제3회, 20명쯤.
_BEFORE = lazy(
    r"(?:[₩$€£¥]|약|대략|총|모두|전체|섭씨|영상|[+＋]|제(?!곱|\s*영하|\s*마이너스)|한(?=\s*\d))\s*"
)
# Full years, and no ten thousands: 만 3년, 만 세 살. What belongs to the number is written with it: 만삼천 일.
_SPAN = "년|개월|달|주|일|시간|세|살"
_FULL = lazy(
    rf"만\s*(?=\d+\s*(?:{_SPAN}))|만\s+(?=(?:(?:{'|'.join(_TENS)})(?:{'|'.join(_ONES)})?|{'|'.join(_ONES)}|[일이삼사오육칠팔구십]{{1,3}})\s*(?:{_SPAN}))"
)
_AFTER = lazy(r"(?:(?<!\s)\s++)?(?:쯤|정도|가량)\Z")
_DAYS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "열하루": 11, "열이틀": 12, "열사흘": 13, "열나흘": 14, "보름": 15, "스무날": 20,
}  # fmt: skip
"""Words that count days."""
BEGINNING = "|".join(
    (
        *("약", "대략", "총", "모두", "전체", "섭씨", "영상", "제", "만", "마이너스", "영하"),
        *(*_WORDS, *_DAYS, *_TENS, *_ONES, *_DIGITS, *_SMALL, *_LARGE),
    )
)
"""With what every numeral begins that is written in words alone, and what may stand before it, as a pattern."""
_DAY_WORD = lazy(rf"({'|'.join(_DAYS)})(?:간|\s*동안)?(\s*반)?")
_HALF_UNIT = lazy(r"반\s*(시간|년|개년)\Z")
_WHOLE_ONES = ("하나", "둘", "셋", "넷", "스물")
"""Numerals that stand by themselves: what is written with them is no counter."""
_IN_DIGITS = lazy(r"\A\D{0,12}\d")
_THIS = lazy(
    r"이\s*(?:사람|학생|책|집|곳|문제|그림|방|팀)|이\s+(?:개|마리|번|배|점|표|자리|편|달|시간|글자|조각|곡|도|칸|줄|알|층|모)"
)
"""이 as "this", before what is counted in native numerals (두 사람)."""
_SLASHED = lazy(r"([-−–])?\s*(?:(\d+)\s*(?:\s|과\s|와\s))?(\d+)\s*/\s*(\d+)")
_MIXED = lazy(r"\s*[와과]\s*")
_JOINED_WORD = lazy("[가-힣]+")
_PARTS = {"할": 10, "푼": 100, "리": 1_000}
_SHARES = lazy(
    r"(?:(\d+|[일이삼사오육칠팔구])\s*할)?\s*(?:(\d+|[일이삼사오육칠팔구])\s*푼)?\s*(?:(\d+|[일이삼사오육칠팔구])\s*리)?"
)
_COUNTED = frozenset({"일", "세", "열"})
"""Counters that are numerals, too."""
_POINT = lazy(rf"\s*점\s*([{''.join(_DIGITS)}]+)")
_HALF = lazy(
    r"(시간|년|개월|달|주|일|배|개|분|초|바퀴|판|장|잔|컵|병|쪽|평|리터|미터|킬로미터|그램|킬로그램|톤|근|되|말|큰술|작은술|인분|학기)\s*반"
)


def parse_number(text: str) -> int | Fraction | None:
    """The number of a Korean numeral, with or without a counter word after it; None if it is not a numeral.

    A whole number is an int, any other an exact `Fraction`.

    >>> parse_number("3만 5천 원"), parse_number("이백오십만 삼천"), parse_number("스물세 개")
    (35000, 2503000, 23)
    >>> parse_number("약 3만 원"), parse_number("이와 삼분의 일"), parse_number("영하 5도")
    (30000, Fraction(7, 3), -5)
    >>> parse_number("삼분의 일"), parse_number("3할 5푼"), parse_number("사과")
    (Fraction(1, 3), Fraction(7, 20), None)
    >>> parse_number("2의 10제곱"), parse_number("8팩"), parse_number("3다스")
    (1024, 8, 36)
    """
    for number, behind in quantities(text):
        multiple = next((each for each in _MULTIPLES if behind.startswith(each)), "")
        value, rest = number * _MULTIPLES.get(multiple, 1), behind.removeprefix(multiple).strip()
        if not rest or COUNTER.fullmatch(rest) or (in_digits(text) and " " not in rest and noun(rest)):
            return int(value) if value.denominator == 1 else value
    return None


def quantities(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers that a text may say, the likeliest first, and what is counted or measured.

    What surrounds a number without changing it is left out: 약 20명쯤 are 20명.

    >>> next(quantities("약 20명쯤")), next(quantities("만 14세"))
    ((Fraction(20, 1), '명'), (Fraction(14, 1), '세'))
    """
    text = fold_width(clean(text))
    if len(text) > MAX_CHARS:
        return
    while (before := _BEFORE.match(text) or _FULL.match(text)) and text not in _WORDS:
        text = text[before.end() :]
    for value, rest in (*_exactly(text), *readings(text)):
        yield value, _AFTER.sub("", rest)


def in_digits(text: str) -> bool:
    """Whether a number begins with digits; after one in words, 천사 would be a thousand of something."""
    return _IN_DIGITS.search(fold_width(text)) is not None


def _exactly(text: str) -> Iterator[tuple[Fraction, str]]:
    """Words that are a number by themselves, and fractions in digits."""
    if text in _WORDS:
        yield _WORDS[text], ""
    if (spoken := spoken_formulas.value(text)) is not None:
        yield spoken, ""
    if (half := _HALF_UNIT.match(text)) is not None:
        yield _WORDS["반"], half[1]
    elif text.startswith("반 ") and COUNTER.fullmatch(text[2:]):
        yield _WORDS["반"], text[2:]
    if days := _DAY_WORD.fullmatch(text):
        yield _DAYS[days[1]] + (_WORDS["반"] if days[2] else Fraction(0)), "일"
    if (slashed := _SLASHED.match(text)) and int(slashed[4]):
        whole, top, bottom = (int(each or 0) for each in slashed.groups()[1:])
        yield (-1 if slashed[1] else 1) * (whole + Fraction(top, bottom)), text[slashed.end() :].strip()


def readings(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers with which a text may begin, longest first, and what follows each.

    ``백 사람`` is 104 of an unknown thing, and then 100 people. Words around a number (약, 제, 만 19세) are left
    to `parse_number`.

    >>> [(int(value), rest) for value, rest in readings("백 사람")]
    [(104, '람'), (100, '사람')]
    """
    text = fold_width(clean(text))
    if len(text) > MAX_CHARS or _THIS.fullmatch(text):
        return
    negative = _NEGATIVE.match(text)
    if negative:
        text = text[negative.end() :]
    sign = -1 if negative else 1
    if shares := _share(text):
        yield sign * shares[0], shares[1]
        return
    for value, rest in reversed(list(_prefixes(text))):
        if _is_word(text[: len(text) - len(rest)], rest):
            continue
        if rest.lstrip().startswith("분의"):
            for part, after in _over(value, rest):
                yield sign * part, after
        elif (joined := _MIXED.match(rest)) is not None:
            for part, after in _fractions(rest[joined.end() :]):
                yield sign * (value + part), after
        elif (point := _POINT.match(rest)) is not None:
            digits = "".join(str(_DIGITS[char]) for char in point[1])
            yield sign * (value + Fraction(int(digits), 10 ** len(digits))), rest[point.end() :].strip()
        elif half := _HALF.fullmatch(rest.strip()):
            yield sign * (value + Fraction(1, 2)), half[1].strip()
            continue
        yield sign * value, rest.strip()


def _is_word(said: str, rest: str) -> bool:
    """Whether a numeral begins a word, rather than to count what follows it without a blank: 칠판, 둘리."""
    joined = _JOINED_WORD.match(rest)
    if joined is None or is_particle(joined.group()) or rest.startswith("분의"):
        return False
    if said.endswith(_WHOLE_ONES):
        return True
    counter = without_particle(joined.group())
    if len(said) > 1 or len(counter) > 1 or said.isdigit():
        return False
    return not any(said in each and counter in counters.split() for each, counters in JOINED.items())


def _fractions(text: str) -> Iterator[tuple[Fraction, str]]:
    """The fractions (삼분의 일) with which a text may begin, longest first."""
    for bottom, rest in reversed(list(_prefixes(text))):
        if rest.lstrip().startswith("분의"):
            yield from _over(bottom, rest)


def _over(bottom: Fraction, rest: str) -> Iterator[tuple[Fraction, str]]:
    """What follows 분의 over what comes before it."""
    for top, after in reversed(list(_prefixes(rest.lstrip().removeprefix("분의")))):
        if bottom:
            yield top / bottom, after.strip()


def _share(text: str) -> tuple[Fraction, str] | None:
    """할푼리: tenths, hundredths, thousandths."""
    match = _SHARES.match(text)
    if match is None or not (match[1] or (match[2] and match[3])):
        return None
    value = sum(
        (Fraction(int(each) if each.isdigit() else _DIGITS[each], size)
         for each, size in zip(match.groups(), _PARTS.values(), strict=True) if each),
        Fraction(0),
    )  # fmt: skip
    return value, text[match.end() :].strip()


def _prefixes(text: str) -> Iterator[tuple[Fraction, str]]:
    """Every beginning that is a numeral, shortest first."""
    total, section = Fraction(0), Fraction(0)  # finished sections of four places; the current section
    current: Fraction | None = None  # a digit or number that a place may follow
    small, large = 10_000, 10**20  # the last places, which only fall
    native = 0  # 1 after native tens, 2 after native ones
    empty = True  # nothing is in the current section
    position = 0
    while match := _TOKEN.match(text, position):
        kind, token = match.lastgroup, match.group().strip()
        if (
            token in _COUNTED
            and match.end() == len(text)
            and text[position : position + 1].isspace()
            and position
        ):
            return  # 백 일, 백 세: days and years, not ones
        if kind in ("number", "digit"):
            if current is not None or native:
                return
            current = Fraction(token.replace(",", "")) if kind == "number" else Fraction(_DIGITS[token])
            if current >= small and not (empty and not total):
                return  # 3천 1234 is not a number
        elif kind == "small":
            if _SMALL[token] >= small or native or (current is not None and not 0 < current < 10):
                return
            small = _SMALL[token]
            section += (Fraction(1) if current is None else current) * small
            current = None
        elif kind == "large":
            section += current or 0
            # 만 alone begins a number; 0만, 하나만 and 억만 are not numbers.
            if _LARGE[token] >= large or native or (not section and (total or not empty)):
                return
            large = _LARGE[token]
            total += (section or Fraction(1)) * large
            section, current, small, native, empty = Fraction(0), None, 10_000, 0, True
        else:
            step = 1 if kind == "tens" else 2
            if current is not None or native >= step or small <= 10:  # after the tens place
                return
            section += (_TENS if kind == "tens" else _ONES)[token]
            native = step
        if kind != "large":
            empty = False
        position = match.end()
        yield total + section + (current or 0), text[position:]
