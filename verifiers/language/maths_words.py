"""Words that stand for signs and sets in an answer of mathematics, in the languages that are read."""

from __future__ import annotations

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
