r"""Words around worked steps: titles of steps, words that compute, calculations in prose.

A fragment holds no unbounded repetition. ``{n}`` stands for a number with its unit in a pattern of prose.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ..runtime.patterns import lazy
from .language_patterns import ahead, linking, spoken

STEP_TITLES = (
    r"(?:step|part|stage)\s{0,2}\d{1,3}",
    r"(?:제\s?)?\d{1,3}\s?단계|단계\s?\d{1,3}|(?:첫|두|세|네|다섯)\s?번째\s?단계",
    r"第\s?[一二三四五六七八九十\d]{1,3}\s?步|步骤\s?[一二三四五六七八九十\d]{1,3}",
)
"""What opens a step by its name: Step 2, 2단계, 第二步."""
SENTENCE_ENDS = "。！？"
"""Stops that end a sentence without a space after them."""
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st no vs etc eg ie e.g i.e approx fig eq ft in oz lb lbs sq cu min max hr hrs sec vol jr sr"
    .split()
)  # fmt: skip
"""Words before a stop that ends no sentence."""
COMPUTING = frozenset(
    """
    times plus minus by over twice thrice double triple quadruple half halves third thirds quarter quarters
    percent squared cubed than modulo mod log ln sin cos tan sqrt root to remainder r
    divided multiplied added subtracted exponent power base to the and or
    am pm a.m p.m o'clock
    배 더하기 빼기 곱하기 나누기 절반 반 제곱 퍼센트 나머지 몫 대
    倍 加 减 乘 除 除以 乘以 一半 余
    """.split()
)
"""Words beside a formula that take part in the calculation, so that it does not end there for sure."""
BETWEEN = frozenset(
    "so then and thus hence therefore which is giving gives or but where with since while because if when after before"
    " from at as until than we are was were has have had get".split()
)
"""Words after a number that are no unit: what follows them is another clause."""
LINKING = BETWEEN - {"with", "after", "before", "from", "at", "until"} | frozenset(
    "be been being equals equal equaled has having gets got getting makes make made gave leaves leave left costs"
    " cost earns earned needs needed pays paid sells sold takes took uses used weighs holds held contains that this"
    " also only just exactly now about around approximately roughly nearly almost still already not all altogether"
    " overall precisely finally again say says said saying show shows find finds know see check checking indeed"
    " compute calculate of the a an its his her their our my your 총 모두 전부 즉".split()
)
"""Words before a number that is said to be equal to something; after any other the number is part of a name."""
NUMBERED = frozenset({"조"})
"""Names of sizes that name what is numbered as well: 1조 is a trillion, and the first team."""
JOINING = frozenset({"and", "or", "to", "through", "와", "과", "및", "和", "到"})
"""Between the numbers of a name: days 1 and 2."""
OF = frozenset({"of", "의", "的"})
"""Between a share and what it is taken of."""
MULTIPLES = frozenset("half third quarter fourth fifth sixth seventh eighth ninth tenth percent".split())
UNITS_OR_WORDS = frozenset({"in"})
"""Symbols of units that are other words before a word: 13 in total."""
SHORT_OF = frozenset(
    "less fewer lower short shorter smaller below behind under loss lost decrease down younger earlier owed"
    " 적다 적은 부족 손해 감소 少 亏".split()
)
"""Words after a result that say its minus sign."""
TIMES_WORDS = {
    "twice": 2, "double": 2, "doubles": 2, "doubled": 2, "both": 2, "pair": 2, "pairs": 2, "couple": 2, "twin": 2,
    "twins": 2, "half": 2, "halves": 2, "thrice": 3, "triple": 3, "triples": 3, "tripled": 3, "trio": 3,
    "quadruple": 4, "quarter": 4, "dozen": 12, "dozens": 12, "score": 20, "once": 1, "first": 1, "second": 2,
    "third": 3, "fourth": 4, "fifth": 5, "daily": 1, "weekly": 7, "week": 7, "weeks": 7, "weekend": 2, "weekends": 2,
}  # fmt: skip
"""Words of a question that name a number without being a numeral."""
OPTION_TITLES = lazy(
    r"(?:option|choice|statement|보기|선택지|选项)\s{0,2}\(?[A-Z\d①-⑤ㄱ-ㅎ]\)?[.:)]?[\s$\\(\[]{0,6}\Z",
    re.IGNORECASE,
)
"""Before what an option of the question says, which is not the writer's own claim."""


def is_linked(text: str, word: int, end: int) -> bool:
    """Return whether the word ``text[word:end]`` links the next number to a sentence and names nothing.

    >>> is_linked("the total is 12", 10, 12), is_linked("Day 3", 0, 3), is_linked("합계는 12", 0, 3)
    (True, False, True)
    """
    if text[word:end].casefold() in LINKING:
        return True
    before = text[max(0, word - _NEAR) : end + (text[end : end + 1] == " ")]
    return any(
        (each.links and linking(each).search(before)) or ahead(each, "so").search(before)
        for each in spoken(before)
    )


_NEAR = 20
"""Characters before a word in which the rest of what links may stand."""


class Spoken(NamedTuple):
    """A calculation in prose: the pattern with the groups a, b and c, and the sign between a and b."""

    pattern: re.Pattern[str]
    sign: str


# A number as people write it in running Korean: digits with their separators, myriads, a unit or counter.
_N = r"(?<![\d.,])(?P<{0}>[-−]?\d[\d,]{{0,20}}(?:\.\d{{1,12}})?(?:\s?[만천백억](?![가-힣])|[%℃㎝㎏])?)(?P<{0}u>\s?[가-힣]{{0,6}}?|\s?[a-zA-Z]{{1,3}})"
_IS = r"[은는]?\s?(?:그러면|결과는|값은)?\s?"
_END = r"\s?(?:이다|입니다|이에요|예요|다(?![가-힣])|이고|이며|이므로|이\s?(?:된다|됩니다|되고|되며|나온다|나옵니다)|[가이]\s?(?:된다|됩니다|되고|나온다|나옵니다)|임|[.\s,]|\Z)"
_OF_IT = r"(?:(?:값|결과|것|수)[은는이]|면)"


def _pattern(a: str, middle: str, b: str, verb: str) -> re.Pattern[str]:
    first, second, result = (_N.format(name) for name in ("a", "b", "c"))
    return re.compile(rf"{first}{a}\s{{0,2}}{middle}{second}{b}\s{{0,2}}{verb}\s{{0,2}}{_IS}{result}{_END}")


@cache
def spoken_calculations() -> tuple[Spoken, ...]:
    """Calculations in Korean prose: 48을 2로 나누면 24이다."""
    division = _pattern("[을를]", "", "으?로", rf"(?:나누|나눈\s?){_OF_IT}")
    other = {
        "+": _pattern("(?:[과와]|에다?가?|에)", "", "[을를]", rf"(?:더하|더한\s?|합하|합한\s?){_OF_IT}"),
        "-": _pattern("에서", "", "[을를]", rf"(?:빼|뺀\s?){_OF_IT}"),
        "*": _pattern("(?:[과와]|에다?가?|에)", "", "[을를]", rf"(?:곱하|곱한\s?){_OF_IT}"),
        "%": _pattern("의", "", "[은는]", ""),
    }
    named = {
        sign: _pattern("", word + r"\s{0,2}", "[은는]", "")
        for sign, word in (("+", "더하기"), ("-", "빼기"), ("*", "곱하기"), ("/", "나누기"))
    }
    return (
        Spoken(division, "/"),
        *(Spoken(pattern, sign) for sign, pattern in other.items()),
        *(Spoken(pattern, sign) for sign, pattern in named.items()),
    )


SPOKEN_SIGNS = lazy("나누|나눈|더하|더한|합하|합한|[^가-힣]빼|[을를] ?[빼뺀]|곱하|곱한|%")
"""What occurs wherever one of these does."""
