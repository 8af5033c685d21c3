"""The last number of a text, for completions without any mark."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..language.korean_counters import COUNTER
from ..language.korean_numerals import parse_number

_DIGITS = r"(?:\d{1,3}(?:(?:,|\{,\}|\\,|\\!,|,\\!)\d{3})+(?!\d)|\d+)"
_DECIMAL = rf"(?:{_DIGITS}(?:\.\d+)?|\.\d+)"
# A minus belongs to the number unless it follows something that it could be subtracted from.
_NUMBER = re.compile(
    rf"(?:(?<![\w)\]}}%])(?:[-−+]\s?\$?|\$[-−]))?(?<![\w.])"
    rf"(?:{_DECIMAL}(?:[eE][-+]?\d+)?(?:\s?/\s?\d+(?![\d.]))?|\\[dt]?frac\s*(?:\{{[^{{}}]{{1,64}}\}}|\d)\s*(?:\{{[^{{}}]{{1,64}}\}}|\d))"
    r"(?:\s?\\?%)?"
)
_MIXED = re.compile(r"(?<![\d.,/])(?:[-−]\s?)?\d+\s+\d+\s?/\s?\d+(?![\d.])")
# An inline formula by Pandoc's rule: "$5 and $6" is money. Only formulas that hold more than a number.
_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]{1,2000})\$\$|\\\((?P<paren>.{1,2000}?)\\\)|\\\[(?P<bracket>.{1,2000}?)\\\]"
    r"|(?P<matrix>(?:\\left\s*[\[(|.]\s*)?\\begin\{(?P<name>[a-z]*matrix|array|cases)\}.{1,2000}?\\end\{(?P=name)\}"
    r"(?:\s*\\right\s*[\])|.])?)"
    r"|(?<![\\$])\$(?P<inline>[^\s$](?:[^$\n]{0,1000}[^\s$\\])?)\$(?!\d)",
    re.DOTALL,
)
_FORMULAS = ("display", "paren", "bracket", "matrix", "inline")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LATEX_WORDS = re.compile(r"\\(?:text|textbf|mathrm|mathbf|operatorname|mbox)\s*\{[^{}]*\}|\\[a-zA-Z]+")
_BARE_WORDS = 3
# "costs 5", but neither "cos 5" nor "xy=0" nor "Option B: 12".
_STARTS_AS_PROSE = re.compile(
    r"(?!(?:(?:arc|a)?(?:sin|cos|tan|cot|sec|csc)h?|log|ln|lg|exp|sqrt|pi|max|min|mod|gcd|lcm|undefined|infinity)\b)"
    r"(?!(?:option|choice)\s+\(?[A-J]\b|[^\W\d_]{2,}\s*[=<>^*/+_(-])[^\W\d_]{2,}\b",
    re.IGNORECASE,
)
# 12개의 사과가 남습니다 is prose; 12개입니다 is not.
_KOREAN_SENTENCE = re.compile(
    r"[가-힣]+(?:은|는)\s+\S*\d|\s[가-힣]+(?:습니다|는다|한다|된다|있다|없다|었다|았다|해요|어요|아요)\s*[.!]?\s*\Z"
)
_DENIED = re.compile(r"(?:\bnot|n't|\bcannot|\bnever)(?:\s+be)?\s+\$?\Z")
# What makes a number part of something else, directly before it ...
_PART_BEFORE = re.compile(r"(?:[\^√/\\_]|\d,|\d\s?[*×·:]|[a-zA-Z)]\(|[(\[]\s*-?[\d.]+\s*,\s*)\Z")
# ... or directly after it.
_PART_AFTER = re.compile(
    r"\s?(?:million|billion|trillion|thousand|hundred|dozen)\b|\s?[²³!^π]|\s?\\pi"
    r"|[a-fi-ln-rt-z](?![a-zA-Z])|[:/]\d"
)
_CHANGING = re.compile(
    r"\b(?:less|more|greater|fewer|at most|at least|negative|minus|plus|twice|thrice|half|double|triple|"
    r"between|not|cannot|never|either|or|maybe|perhaps|than|squared|cubed|wrong|under|over|except)\b|n't\b"
    r"|영하|마이너스|음수|루트|제곱근|아마|절대|아니|아닌|아닙|없|틀|오후|또는|혹은",
    re.IGNORECASE,
)
# Korean sizes, fractions, signs and units belong to the number: 3만 5천, 3분의 2, 영하 5, 2시간 30분.
_KOREAN = re.compile(
    r"(?:(?:영하|마이너스)\s*)?(?<![\d.,])"
    r"(?:(?:\d[\d,]*+(?:\.\d+)?\s?[십백천만억조경]+\s?)++(?:\d[\d,]*+(?:\.\d+)?)?"
    r"|\d[\d,]*+\s?분의\s?\d[\d,]*+|\d+\s?할(?:\s?\d\s?푼)?(?:\s?\d\s?리)?"
    r"|(?:\d++\s?(?:시간|분|초|년|개월|주|일)\s)++\d+\s?(?:분|초|개월|주|일))"
    r"|(?:영하|마이너스)\s*\d[\d,]*+(?:\.\d+)?"
)
# What makes a Korean number part of something else, or takes it back.
_KOREAN_PART_BEFORE = re.compile(r"(?:루트|음수|또는|혹은|이거나|아니면|거나)\s*\Z")
_KOREAN_PART_AFTER = re.compile(
    r"\s?분의|[가-힣]{0,2}\s?(?:이상|이하|미만|초과)|\s?의?\s?(?:제곱|세제곱|배수|역수|절반)"
    r"|[가-힣]{0,2}?\s?(?:이|가|은|는)\s(?:아니|아닙|아닌|될 수 없)"
)
_AROUND = 40
"""Characters before and after a number in which the rest of a Korean numeral is looked for."""
_WINDOW = 4096
"""Characters at the end of a text that are searched: answers are found there, and this bounds the work."""


def is_bare(text: str) -> bool:
    """Whether a text is an answer rather than prose.

    An answer has hardly any words outside LaTeX, and "costs $5" leads up to a number where "5 dollars"
    starts with it.
    """
    plain = _LATEX_WORDS.sub(" ", text).strip()
    if _STARTS_AS_PROSE.match(plain) and any(map(str.isdigit, plain)):
        return False
    if not plain.isascii() and _KOREAN_SENTENCE.search(plain):
        return False
    return len(_WORDS.findall(plain)) <= _BARE_WORDS


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class LastNumber(Extractor):
    r"""The last number, with its sign, fraction and percent sign.

    A number inside a formula stands for the whole formula: from ``so $x=\frac{3}{2}$`` comes the
    fraction and never its 2.

    >>> LastNumber().extract("He pays $1,234.50 in all.").text
    '1,234.50'
    >>> LastNumber().extract("so that $x=\\frac{3}{2}$.").text
    'x=\\frac{3}{2}'
    >>> LastNumber().extract("7 - 4 gives 3, not -3").text
    '3'
    """

    def extract(self, text: str) -> Extraction | None:
        base = max(0, len(text) - _WINDOW)
        tail = text[base:]
        number = None
        for candidate in _NUMBER.finditer(tail):
            # "3, not -3" and "it is not 42" deny what they name.
            if not _DENIED.search(tail, max(0, candidate.start() - 20), candidate.start()):
                number = candidate
        if number is None:
            return _korean_words(text)
        for formula in _FORMULA.finditer(tail):
            kind = next(name for name in _FORMULAS if formula.group(name) is not None)
            inside = formula.start(kind) <= number.start() and number.end() <= formula.end(kind)
            if inside and any(mark in formula.group(kind) for mark in "\\^_="):
                start, end = formula.span(kind)
                return Extraction(formula.group(kind).strip(), (base + start, base + end), "last_number")
        start, end = number.span()
        for korean in _KOREAN.finditer(tail, max(0, start - _AROUND), end + _AROUND):
            if korean.start() <= start and end <= korean.end():
                start, end = korean.span()
                while tail[end - 1].isspace():
                    end -= 1
                return Extraction(tail[start:end], (base + start, base + end), "last_number")
        if _KOREAN_PART_BEFORE.search(tail, max(0, start - 10), start) or _KOREAN_PART_AFTER.match(tail, end):
            return Extraction(
                None, (base + start, base + end), "last_number", "the last number is part of more"
            )
        if _PART_BEFORE.search(tail, max(0, start - 40), start) or _PART_AFTER.match(tail, end):
            # sqrt(42), (1, 42), 42! and 42 million are not 42: the answer is the whole of it.
            start = max(tail.rfind(" ", 0, start), tail.rfind("\n", 0, start)) + 1
            after = _PART_AFTER.match(tail, end)
            end = max(end, after.end() if after else end)
            stop = re.compile(r"\s|\Z").search(tail, end)
            end = stop.start() if stop else end
            return trimmed(tail, start, end, "last_number", "no number").shifted(base)
        for mixed in _MIXED.finditer(tail):
            if mixed.end() == end:
                start = mixed.start()
        found = tail[start:end].replace("$", "")
        return Extraction(found, (base + start, base + end), "last_number")


def _korean_words(text: str) -> Extraction | None:
    """A counted numeral in words at the end of a text without any digit: 따라서 모두 열두 명입니다."""
    ending = _KOREAN_END.search(text, max(0, len(text) - _AROUND))
    if ending is None:
        return None
    words = list(_HANGUL_WORD.finditer(text, max(0, ending.start() - _AROUND), ending.start()))
    for word in words[-4:]:
        said = text[word.start() : ending.start()]
        if word.group() not in _ALL_TOLD and COUNTER.search(said) and parse_number(said) is not None:
            return Extraction(said, (word.start(), ending.start()), "last_number")
    return None


_KOREAN_END = re.compile(r"(?:입니다|이다|이에요|예요|임)\s*[.!]?\s*\Z")
_ALL_TOLD = frozenset({"모두", "총", "전체", "약", "대략"})
_HANGUL_WORD = re.compile("[가-힣]+")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class OnlyNumber(Extractor):
    """The number of a sentence that holds just one, however often; nothing where it holds several.

    "Janet makes $18 a day" says 18; "either 41 or it could be 42" says nothing that could be paid.

    >>> OnlyNumber().extract("Janet makes $18 every day").text
    '18'
    >>> OnlyNumber().extract("it is either 41 or perhaps it is 42")
    """

    def extract(self, text: str) -> Extraction | None:
        if len(text) > _WINDOW or "\\" in text or is_bare(text) or _CHANGING.search(text):
            return None
        numbers = list(_NUMBER.finditer(text))
        if len({number.group().replace("$", "").strip() for number in numbers}) != 1:
            return None
        return LastNumber().extract(text)
