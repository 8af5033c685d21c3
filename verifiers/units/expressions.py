"""Units of measure as they are written: symbols and names with powers, products and quotients of them.

Quantities in several units are sums (2시간 30분, 5 ft 3 in), and a lead before a number belongs to its unit
(시속 80km, 섭씨 25도, 每小时60千米, USD 18.90).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from ..language.numerals import korean_numerals
from ..language.numerals.english_numerals import singular
from ..language.numerals.in_words import SMALL, small
from ..language.numerals.korean_numerals import COUNTER, is_bound
from ..runtime.patterns import lazy
from ..runtime.records import dataclass
from .table import MAX_CHARS, Measure, Sign, by_name, by_symbol, signs, table

_SQUARED = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_SQUARED_AFTER = {"squared": 2, "cubed": 3}
_KOREAN_POWERS = (("세제곱", 3), ("입방", 3), ("제곱", 2), ("평방", 2), ("立方", 3), ("平方", 2))
_PER = frozenset({"per", "a", "an"})
_PER_CHINESE = "每"
_LONGEST_NAME = 3
"""Words: "brazilian real", "degree of work"."""
_BARE_BELOW = frozenset("shmL")
"""Letters below a stroke that make letters above it a unit though nothing was set as text: 5 m/s."""
_MAX_FACTORS = 6


@dataclass(frozen=True, slots=True)
class Expression:
    """A unit of measure.

    Args:
        text: One spelling of it: "kg/m^3".
        measures: Possible quantities; several if a name stands for several units.
    """

    text: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class _Factor:
    name: str
    power: int
    measures: tuple[Measure, ...]
    sure: bool
    end: int
    """Place where the signs go on."""


def is_symbol(text: str) -> bool:
    r"""Return whether a text is a unit's symbol, or a product or quotient of symbols: no word, no name.

    Letters alone count, too: m, s, A. It is for running text, in which a unit is no foreign word.

    Args:
        text: A text without spaces around it, in LaTeX or not.

    >>> [is_symbol(text) for text in ("km", "m/s^2", "kWh", "°C", "㎡", "metre", "px1")]
    [True, True, True, True, True, False, False]
    """
    squared = text.replace("㎡", "m²").replace("㎥", "m³")
    found = signs(squared, quoted=True)
    if not found:
        return False
    words = [sign.text for sign in found if sign.kind == "word"]
    return all(map(by_symbol, words)) and read_expression(found) is not None


@lru_cache(maxsize=4096)
def expression(text: str) -> Expression | None:
    """A unit of measure that was set as text; None for anything else.

    >>> expression("square cm") == expression("cm^2"), expression("apples")
    (True, None)
    """
    found = signs(text, quoted=True)
    return None if found is None else read_expression(found)


def read_expression(found: Sequence[Sign], apart: bool = True) -> Expression | None:
    """A unit of measure from its signs; None if they are anything else, or may be unknowns.

    Args:
        found: Signs, see `signs`.
        apart: Whether there is a space between the number and them.
    """
    read = beginning(found)
    if read is None or any(sign.kind != "gap" for sign in found[read[1] :]):
        return None
    unit, _, factors = read
    return unit if _is_sure(factors, apart) else None


def beginning(found: Sequence[Sign]) -> tuple[Expression, int, list[_Factor]] | None:
    """The longest unit with which signs begin, where it ends, and its factors; None if there is none."""
    at = _after_gap(found, 0)
    per = 1
    factors: list[_Factor] = []
    end = 0
    while at < len(found) and len(factors) < _MAX_FACTORS:
        if found[at].kind == "bracket" and factors and per < 0:
            at = end = _after_gap(found, at + 1)
            continue
        factor = _factor(found, at)
        if factor is None:
            break
        factors.append(_Factor(factor.name, factor.power * per, factor.measures, factor.sure, factor.end))
        at = end = factor.end
        at = _after_gap(found, at)
        if at < len(found) and (found[at].kind == "over" or found[at].text in _PER):
            if found[at].text == "a" and found[at].quoted is False and not factor.sure:
                break
            per, at = -1, _after_gap(found, at + 1)
        elif at < len(found) and found[at].text.startswith(_PER_CHINESE) and len(found[at].text) > 1:
            per = -1
    if not factors:
        return None
    measures = tuple(each ** factors[0].power for each in factors[0].measures)
    for factor in factors[1:]:
        other = factor.measures[0] ** factor.power
        measures = tuple(each * other for each in measures)
    return Expression(_spelled(factors), measures), end, factors


def _spelled(factors: Sequence[_Factor]) -> str:
    above = [factor for factor in factors if factor.power > 0]
    below = [factor for factor in factors if factor.power < 0]
    if not above:
        return " ".join(f"{factor.name}^{factor.power}" for factor in below)
    return " ".join(map(_with_power, above)) + "".join(f"/{_with_power(factor)}" for factor in below)


def _with_power(factor: _Factor) -> str:
    return factor.name if abs(factor.power) == 1 else f"{factor.name}^{abs(factor.power)}"


def _is_sure(factors: Sequence[_Factor], apart: bool) -> bool:
    """Return whether letters are a unit, rather than unknowns."""
    if any(factor.sure for factor in factors):
        return all(factor.sure or len(factor.name) == 1 for factor in factors)
    below = [factor.name for factor in factors if factor.power < 0]
    if not apart:  # 9.8m/s^2
        return [(factor.name, factor.power > 0) for factor in factors] == [("m", True), ("s", False)]
    return bool(below) and len(below) < len(factors) and _BARE_BELOW.issuperset(below)


def _factor(found: Sequence[Sign], at: int) -> _Factor | None:
    """A name or symbol with its power."""
    sign = found[at]
    if sign.kind != "word":
        return None
    power = _SQUARED.get(sign.text.casefold(), 1)
    if power > 1:
        at = _after_gap(found, at + 1)
        if at >= len(found) or found[at].kind != "word":
            return None
        sign = found[at]
    named = _named(found, at)
    if named is None:
        return None
    name, measures, end, mine = named
    power *= mine
    after = _after_gap(found, end)
    if after < len(found) and found[after].kind == "power":
        power, end = power * int(found[after].text), after + 1
    elif after < len(found) and found[after].text in _SQUARED_AFTER:
        power, end = power * _SQUARED_AFTER[found[after].text], after + 1
    if not power:
        return None
    sure = sign.quoted or len(name) > 1 or not name.isascii()
    return _Factor(name, power, measures, sure, end)


def _named(found: Sequence[Sign], at: int) -> tuple[str, tuple[Measure, ...], int, int] | None:
    """The longest name, or else a symbol, at a place: its spelling, what it measures, its end, its power."""
    words, ends = _run(found, at)
    for length in range(len(words), 0, -1):
        spelled = " ".join(map(singular, words[:length]))
        measures = by_name(spelled) or by_name(" ".join(words[:length]))
        if measures:
            symbol = by_symbol(found[at].text) if length == 1 else ()
            return spelled, tuple(dict.fromkeys((*symbol, *measures))), ends[length - 1], 1
    word = found[at].text
    if measures := by_symbol(word):
        return word, measures, at + 1, 1
    if measures := by_symbol(word.rstrip("s")) if len(word) > 3 else ():
        return word.rstrip("s"), measures, at + 1, 1  # lbs, yds, hrs
    if word[:1] == _PER_CHINESE and len(word) > 1 and (measures := by_name(word[1:])):
        return word[1:], measures, at + 1, 1
    for spelled, power in _KOREAN_POWERS:
        if word.startswith(spelled) and len(word) > len(spelled) and not is_bound(word):
            return (
                (name, measures, at + 1, power)
                if (measures := by_name(name := word[len(spelled) :]))
                else None
            )
    return None


def _run(found: Sequence[Sign], at: int) -> tuple[list[str], list[int]]:
    """Words in a row, with gaps between."""
    words: list[str] = []
    ends: list[int] = []
    while at < len(found) and found[at].kind == "word" and len(words) < _LONGEST_NAME:
        words.append(found[at].text.casefold())
        ends.append(at + 1)
        at = _after_gap(found, at + 1)
    return words, ends


def _after_gap(found: Sequence[Sign], at: int) -> int:
    while at < len(found) and found[at].kind == "gap":
        at += 1
    return at


_TEXT = lazy(r"\\(?:text|mathrm)\s*+\{([^{}\d]*+)\}")
SUM_BEGINNING = rf"an?(?=\s)|(?!\d){SMALL}"
"""With what a quantity in several units begins that does not begin with a digit, as a pattern."""
_NUMBER = rf"(?:(?:\d{{1,3}}(?:,\d{{3}}){{1,20}}|\d{{1,9}})(?:\.\d{{1,9}})?|{SUM_BEGINNING})"
_COUNT = lazy(rf"({_NUMBER})\s*", re.IGNORECASE)
_NAME = lazy(r"[a-zA-Zµ℃]{1,12}(?![a-zA-Z])\.?|[가-힣]{1,5}|[一-鿿]{1,5}")
_AND = lazy(r"[\s,]*(?:(?:and|和|又|하고|과|와)\s*)?")
_FEW, _MANY = 2, 4
"""Parts of a quantity."""
_FEET = lazy(r"(\d{1,4})\s*'\s*(?:(\d{1,2}(?:\.\d{1,3})?)\s*(?:''|\"))?")


def total(text: str) -> tuple[Fraction, str] | None:
    """A quantity in several units as one number of the last of them; None for anything else.

    Each is a part of the one before it: 3 hours 5 hours are two quantities.

    >>> total("2 hours 30 minutes"), total("1L 200mL"), total("3 hours 5 hours")
    ((Fraction(150, 1), 'minute'), (Fraction(1200, 1), 'mL'), None)
    """
    if len(text) > MAX_CHARS:
        return None
    text = _TEXT.sub(r" \1 ", text).strip().rstrip(".")
    if feet := _FEET.fullmatch(text):
        return Fraction(feet[1]) * 12 + Fraction(feet[2] or 0), "in"
    if _COUNT.match(text) is None or (parts := _parts(text, 0, ())) is None:
        return None
    smallest = parts[-1][2].size
    return sum((number * size.size / smallest for number, _, size in parts), Fraction(0)), parts[-1][1]


def may_be_sum(text: str) -> bool:
    """Return whether a text may begin with a quantity in several units: it has the first one, at least.

    >>> may_be_sum("2시간 30분"), may_be_sum("다시 세어 보면")
    (True, False)
    """
    if "\\" in text or _FEET.match(text) is not None:
        return True
    count = _COUNT.match(text)
    name = _NAME.match(text, count.end()) if count else None
    return name is not None and any(
        expression(text[name.start() : end]) is not None for end in range(_shortest(name), name.end() + 1)
    )


_Part = tuple[Fraction, str, Measure]


def _parts(text: str, at: int, before: tuple[_Part, ...]) -> tuple[_Part, ...] | None:
    """The numbers from a place on, each with its unit; None where they are no parts of one quantity."""
    if at == len(text):
        return before if len(before) >= _FEW else None
    count = _COUNT.match(text, at) if len(before) < _MANY else None
    name = _NAME.match(text, count.end()) if count else None
    if count is None or name is None or (number := _said(count[1])) is None:
        return None
    for end in range(name.end(), _shortest(name) - 1, -1):
        known = expression(text[name.start() : end])
        if known is None or not _goes_on(before, known.measures[0]):
            continue
        joined = _AND.match(text, end)
        part = (number, known.text, known.measures[0])
        if joined and (found := _parts(text, joined.end(), (*before, part))) is not None:
            return found
    return None


def _shortest(name: re.Match[str]) -> int:
    """Return the earliest end of a unit: Korean and Chinese append the next number at once, 두시간삼십분."""
    return name.start() + 1 if name.group()[0] >= _HAN else name.end()


_HAN = "一"
"""From here on the signs of Chinese and Korean stand."""


def _goes_on(before: tuple[_Part, ...], size: Measure) -> bool:
    """Return whether a unit measures what those before it do, and is smaller."""
    return not before or (size.dimension == before[0][2].dimension and size.size < before[-1][2].size)


def _said(number: str) -> Fraction | None:
    """A number in digits or words, or an article."""
    if number[0].isdigit():
        return Fraction(number.replace(",", ""))
    said = 1 if number.casefold() in ("a", "an") else small(number)
    return None if said is None else Fraction(said)


_PER_SAID = {
    "시속": "h", "분속": "min", "초속": "s", "时速": "h", "每小时": "h", "每时": "h", "每分钟": "min", "每分": "min",
    "秒速": "s", "每秒": "s", "每天": "day", "매시": "h", "매초": "s", "매분": "min",
}  # fmt: skip
_SCALES = {"섭씨": "°C", "화씨": "°F", "摄氏": "°C", "华氏": "°F", "零下": ""}
_PER_LEAD = lazy(rf"({'|'.join(_PER_SAID)})\s*(?:약|约)?\s*")
_SCALE_LEAD = lazy(r"(섭씨|화씨|摄氏|华氏)\s*")
_SCALE_END = lazy(r"(?:(?<!\s)\s++)?(?:도|度|°|\^\\circ)\s*+\Z")
_NOUN_LEAD = lazy(rf"([가-힣]{{1,8}}) (\d[\d,.]*\s*(?:{COUNTER.pattern}))")
_MONEY_LEAD = lazy(r"([A-Z]{1,3}\s?\\?\$|[A-Z]{3})\s*(?=[\d.])")
_TOLD = frozenset(
    "답 정답 모두 전부 합계 총 약 값 결과 제 단 각 매 또 만 한 영상 영하 마이너스 플러스 루트".split()
)
"""No things: they introduce a number, or are a part of it."""


class Lead(NamedTuple):
    """Lead of a text: its words or signs before a number.

    Args:
        kind: Kind of remark: a unit of time under a stroke, a scale, a currency, or the counted noun.
        text: The unit of time, the scale's unit, the currency, or the noun.
        rest: The number with its own unit.
    """

    kind: Literal["per", "scale", "money", "noun"]
    text: str
    rest: str


def lead(text: str) -> Lead | None:
    """Return the lead before a number; None if there is none of this kind.

    >>> lead("시속 80km"), lead("섭씨 25도").rest, lead("약 20명")
    (Lead(kind='per', text='h', rest='80km'), '25', None)
    """
    if match := _PER_LEAD.match(text):
        return Lead("per", _PER_SAID[match[1]], text[match.end() :])
    if match := _SCALE_LEAD.match(text):
        rest = _SCALE_END.sub("", text[match.end() :])
        return Lead("scale", _SCALES[match[1]], rest) if rest else None
    if (match := _MONEY_LEAD.match(text)) and is_currency(symbol := match[1].replace("\\", "")):
        return Lead("money", symbol, text[match.end() :])
    if (match := _NOUN_LEAD.fullmatch(text)) and match[1] not in _TOLD:
        noun = korean_numerals.noun(match[1], in_digits=False)
        return None if noun is None else Lead("noun", noun, match[2])
    return None


def may_lead(text: str, start: int) -> bool:
    """Check quickly whether a unit of time, a scale or a currency may precede its number at a place.

    >>> may_lead("시속 80km", 0), may_lead("약 20명", 0)
    (True, False)
    """
    return _LEADING.match(text, start) is not None


LEAD_BEGINNING = "|".join((*_PER_SAID, *_SCALES))
"""Words before a number, as a pattern."""
LEADING = rf"{LEAD_BEGINNING}|[A-Z]{{1,3}}\s?\\?\$|[A-Z]{{3}}"
"""What `may_lead` looks for, as a pattern."""
_LEADING = lazy(LEADING)


def is_currency(symbol: str) -> bool:
    """Return whether a symbol is that of a currency, and of nothing else.

    >>> is_currency("USD"), is_currency("US$"), is_currency("kg")
    (True, True, False)
    """
    found = by_symbol(symbol)
    return bool(found) and all(
        table().kinds.get(name) == "money" for measure in found for name, _ in measure.dimension
    )


def counted_before(text: str) -> str | None:
    """The thing that a text says it counts, right before the number: 배는 모두 8개. None where it names none.

    >>> counted_before("배는 모두 "), counted_before("정답은 ")
    ('배', None)
    """
    found = _TOPIC.search(text)
    return None if found is None or found[1] in _TOLD | _AMOUNTS else found[1]


_TOPIC = lazy(r"(?<![가-힣])([가-힣]{1,8})(?:은|는)\s(?:(?:모두|총|전부)\s)?\Z")
_AMOUNTS = frozenset("개수 수 것 합 총합 나머지 차 전체 총수 해 해답 이 그 결론 몫 곱 크기 평균".split())


def led(found: Lead, unit: str) -> str | None:
    """The unit that a lead and the unit after the number make together; None if they do not fit.

    >>> led(lead("시속 80km"), "km"), led(lead("사과 8개"), "개")
    ('km/h', '사과')
    """
    if found.kind in ("scale", "money"):
        return found.text if not unit else None
    if found.kind == "per":
        said = f"{unit}/{found.text}"
        return said if unit and expression(unit) is not None and expression(said) is not None else None
    if expression(unit) is not None:
        return unit
    return found.text if table().counters.get(unit) == "any" else f"{unit} |{found.text}"
