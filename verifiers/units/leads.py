"""What stands before a number and belongs to its unit: 시속 80km, 섭씨 25도, 每小时60千米, 사과 8개, USD 18.90."""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..language.nouns import korean
from ..language.nouns.korean_counters import COUNTER
from ..runtime.patterns import lazy
from .expressions import expression
from .table import by_symbol, table

_PER = {
    "시속": "h", "분속": "min", "초속": "s", "时速": "h", "每小时": "h", "每时": "h", "每分钟": "min", "每分": "min",
    "秒速": "s", "每秒": "s", "每天": "day", "매시": "h", "매초": "s", "매분": "min",
}  # fmt: skip
_SCALES = {"섭씨": "°C", "화씨": "°F", "摄氏": "°C", "华氏": "°F", "零下": ""}
_PER_LEAD = lazy(rf"({'|'.join(_PER)})\s*(?:약|约)?\s*")
_SCALE_LEAD = lazy(r"(섭씨|화씨|摄氏|华氏)\s*")
_SCALE_END = lazy(r"(?:(?<!\s)\s++)?(?:도|度|°|\^\\circ)\s*+\Z")
_NOUN_LEAD = lazy(rf"([가-힣]{{1,8}}) (\d[\d,.]*\s*(?:{COUNTER.pattern}))")
_MONEY_LEAD = lazy(r"([A-Z]{1,3}\s?\\?\$|[A-Z]{3})\s*(?=[\d.])")
_TOLD = frozenset(
    "답 정답 모두 전부 합계 총 약 값 결과 제 단 각 매 또 만 한 영상 영하 마이너스 플러스 루트".split()
)
"""No things: they introduce a number, or are a part of it."""


class Lead(NamedTuple):
    """What a text begins with.

    Args:
        kind: What it says: a unit of time under a stroke, a scale, a currency, or the noun that is counted.
        text: The unit of time, the scale's unit, the currency, or the noun.
        rest: The number with its own unit.
    """

    kind: Literal["per", "scale", "money", "noun"]
    text: str
    rest: str


def lead(text: str) -> Lead | None:
    """What stands before a number; None where nothing of this kind does.

    >>> lead("시속 80km"), lead("섭씨 25도").rest, lead("약 20명")
    (Lead(kind='per', text='h', rest='80km'), '25', None)
    """
    if match := _PER_LEAD.match(text):
        return Lead("per", _PER[match[1]], text[match.end() :])
    if match := _SCALE_LEAD.match(text):
        rest = _SCALE_END.sub("", text[match.end() :])
        return Lead("scale", _SCALES[match[1]], rest) if rest else None
    if (match := _MONEY_LEAD.match(text)) and is_currency(symbol := match[1].replace("\\", "")):
        return Lead("money", symbol, text[match.end() :])
    if (match := _NOUN_LEAD.fullmatch(text)) and match[1] not in _TOLD:
        noun = korean.noun(match[1], in_digits=False)
        return None if noun is None else Lead("noun", noun, match[2])
    return None


def may_lead(text: str, start: int) -> bool:
    """Whether a unit of time, a scale or a currency may stand at a place before its number, told in one look.

    >>> may_lead("시속 80km", 0), may_lead("약 20명", 0)
    (True, False)
    """
    return _LEADING.match(text, start) is not None


BEGINNING = "|".join((*_PER, *_SCALES))
"""Words before a number, as a pattern."""
_LEADING = lazy(rf"{BEGINNING}|[A-Z]{{1,3}}\s?\\?\$|[A-Z]{{3}}")


def is_currency(symbol: str) -> bool:
    """Whether a symbol is that of a currency, and of nothing else.

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
