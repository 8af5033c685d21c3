"""Words around an answer of mathematics, in the languages that are read: signs, sets, remaining cases, sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from ..runtime.patterns import lazy
from .language_patterns import may_match

HANGUL, HAN = "가-힣", "一-鿿"
"""The letters of Korean and Chinese, for a character class."""
SYLLABLE_LABELS = "가-하"
"""Labels of options: 가, 나 ... 하."""
CONNECTIVES = {
    **dict.fromkeys(("와", "과", "및", "그리고", "하고", "且", "和"), "and"),
    **dict.fromkeys(("또는", "혹은", "이거나", "或"), "or"),
}
"""Between parts of an answer."""
BETWEEN_WORDS = {"그리고": "and", "또는": "or"}
"""Of these, words of their own, with spaces around them."""
BETWEEN_BOXES = r"와|과|및|또는"
EITHER = "또는"
SPOKEN_SIGNS = {"는": "=", "은": "=", "무한대": "\\infty", "파이": "\\pi"}
"""Read aloud for a sign."""
NONE = ("none", "없다")
"""That, said alone."""
ALL_OF = {"모든 실수": "R", "모든 정수": "Z", "모든 자연수": "N"}
"""Sets of numbers."""
INTRODUCING = ("답", "정답", "답은", "정답은")
"""Before a value, as "the answer is"."""
TO = "比到至"
"""Between two numbers: a ratio, or a range."""
ENDINGS = "입니다|이다|이에요|예요"
"""After a value: what only ends the sentence."""
SIZES = "십백천만억조경百千万萬亿億兆"
"""Right after a number: how many of it, for a character class."""
LAUGHTER = "ㅋㅎㅠㅜ"
"""After a value: a smile, for a character class."""
ALL_TOLD = "총|모두|전부"
"""Before a number: in all."""
HOURS = frozenset({"시", "点", "时"})
"""After a number: o'clock."""
BELOW_ZERO = "零下|负"
"""Before a number: a minus sign in words."""


NO_SOLUTION, NO_VALUE, MANY = "no solution", "does not exist", "infinitely many"
"""Answers in words that sentences give, by the name that they are read under."""
_SOLUTIONS = r"(?:(?:real|valid|possible)\s)?(?:solutions?|roots?)"
_EQUATION = (
    r"(?:(?:the|this|given)\s){0,2}(?:equation|inequality|system|quadratic|problem)"
    r"(?:\sof\s(?:linear\s)?(?:equations|inequalities))?"
)
_AMONG = rf"(?:\s(?:to|for|of)\s{_EQUATION}|\s(?:in|over|among)\s(?:the\s)?reals?(?:\snumbers)?)?"
_HAS = rf"(?:there\s(?:is|are|exists?)|(?:{_EQUATION}|it)\s(?:has|have))\s"
_LIMIT = (
    r"(?:(?:the|this|that)\s)?(?:(?:one|two)-sided\s)?(?:limit|integral|derivative|sum|value|expression|it)"
    r"(?:\sas\s[a-z]\s(?:approaches|tends\sto|goes\sto)\s\S{1,12})?"
)
_KOREAN_EQUATION = r"(?:(?:이|주어진)\s)?(?:(?:연립)?방정식|연립부등식|부등식)(?:의|은|는)\s"
_NOT_THERE = r"(?:없(?:다|음|습니다|어요)|존재하지\s?않(?:는다|음|습니다|아요))"
_CHINESE_EQUATION = r"(?:(?:这个|原|该|此)?(?:方程组?|不等式组?))"
_SENTENCES = {
    NO_SOLUTION: (
        rf"(?:{_HAS})?no\s{_SOLUTIONS}(?:\s(?:exists?|is\spossible))?{_AMONG}"
        rf"|(?:{_EQUATION}|it)\s(?:does\snot|doesn['’]?t)\shave\s(?:a|any)\s{_SOLUTIONS}{_AMONG}"
        rf"|{_EQUATION}\sis\sinconsistent"
        rf"|(?:{_KOREAN_EQUATION})?(?:실수\s)?(?:해|실근|근)(?:[가는은이]\s?|\s){_NOT_THERE}"
        rf"|{_CHINESE_EQUATION}?(?:无(?:实数)?[解根]|没有(?:实数)?[解根])"
    ),
    NO_VALUE: (
        rf"{_LIMIT}\s(?:does\snot|doesn['’]?t)\sexist|{_LIMIT}\sis\s(?:undefined|not\sdefined)"
        rf"|(?:극한값?|미분계수|값)[은는이가]\s{_NOT_THERE}"
        r"|(?:这个|该|此)?(?:极限值?|导数)?不存在"
    ),
    MANY: (
        rf"(?:{_HAS})?(?:infinitely\smany|an\sinfinite\snumber\sof)\s{_SOLUTIONS}{_AMONG}"
        rf"|(?:{_KOREAN_EQUATION})?(?:해|근)[가는은이]\s무수히\s많(?:다|습니다|음)"
        rf"|{_CHINESE_EQUATION}?有无(?:数|穷多)[个组]?解"
    ),
}
"""Sentences without a number that give such an answer: nothing in one is left over."""
_SENTENCE = lazy("|".join(f"(?P<v{at}>{each})" for at, each in enumerate(_SENTENCES.values())), re.IGNORECASE)


@cache
def _may_be_said() -> Callable[[str], object]:
    """A quick test for what most sentences do not say."""
    return may_match(_SENTENCE.pattern)


def said_without_number(sentence: str, start: int = 0) -> tuple[str, int] | None:
    """Return the answer that a sentence ends with and that is no number, and the start of its clause.

    >>> said_without_number("Hence the equation has no real solutions"), said_without_number("해가 없습니다")
    (('no solution', 6), ('no solution', 0))
    >>> said_without_number("There is no solution but 3"), said_without_number("There are no other solutions")
    (None, None)
    """
    for found in _SENTENCE.finditer(sentence, start) if _may_be_said()(sentence) else ():
        before = sentence[found.start() - 1 : found.start()]
        if found.end() == len(sentence) and not (before.isalpha() and (before.isascii() or before >= "가")):
            return tuple(_SENTENCES)[int((found.lastgroup or "v0")[1:])], found.start()
    return None


_FRAME = lazy(r"(?P<subject>(?:[a-z]+ ){1,4}?)(?:is|are|was|were|has|have|must be|would be) (?P<core>.+)")
_PREPOSITIONS = frozenset("on in at by".split())
_SUBJECTS = frozenset("it this that series sequence integral limit sum function graph".split())
"""What may converge, diverge or exist."""
_DENYING = frozenset(
    """not no never neither nor none nobody nothing false wrong incorrect untrue opposite contrary unlike except
    without hardly if whether or either""".split()
)


def core(text: str) -> str:
    """Return the predicate of a sentence; any other text unchanged.

    Args:
        text: Folded words: no case, articles or punctuation.

    >>> core("it is even"), core("statement is not true"), core("it is not true that it is even")
    ('even', 'not true', 'not true that it is even')
    """
    words = text.split()
    if len(words) == 2 and words[0] in _PREPOSITIONS | _SUBJECTS:
        return words[1]
    framed = _FRAME.fullmatch(text)
    if framed is None or set(framed["subject"].split()) & _DENYING:
        return text
    return framed["core"]


REMAINDERS = frozenset(
    {"otherwise", "else", "elsewhere", "in all other cases", "all other cases", "other cases", "other"}
    | {"그 외", "그외", "그 외의 경우", "그밖의 경우", "그 밖의 경우", "나머지", "나머지 경우", "기타"}
    | {"其他", "其它", "否则"}
)
"""Folded texts, without punctuation."""
