"""Words around an answer of mathematics, in the languages that are read: signs, sets, remaining cases, sentences."""

from __future__ import annotations

from ..runtime.patterns import lazy

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
EMPTY = ("해가 없다", "해 없음", "없다")
"""That there is no solution."""
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
