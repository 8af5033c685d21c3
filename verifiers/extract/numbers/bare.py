"""Whether a text is an answer by itself, rather than prose around one."""

from __future__ import annotations

import re

from ...language.answers.leads import after_so
from ...language.numerals.in_words import in_words
from ...language.patterns import is_silent, prose, spoken
from ...language.stance import ending

_WORDS = re.compile(r"[^\W\d_]{2,}")

_LATEX_WORDS = re.compile(r"\\(?:text|textbf|mathrm|mathbf|operatorname|mbox)\s*\{[^{}]*\}|\\[a-zA-Z]+")

_BARE_WORDS = 3

# "costs 5", but neither "cos 5" nor "xy=0" nor "Option B: 12".
_STARTS_AS_PROSE = re.compile(
    r"(?!(?:(?:arc|a)?(?:sin|cos|tan|cot|sec|csc)h?|log|ln|lg|exp|sqrt|pi|max|min|mod|gcd|lcm|undefined|infinity)\b)"
    r"(?!(?:option|choice)\s+\(?[A-J]\b|[^\W\d_]{2,}\s*[=<>^*/+_(-])[^\W\d_]{2,}\b",
    re.IGNORECASE,
)


def is_bare(text: str) -> bool:
    """Whether a text is an answer rather than prose.

    An answer has hardly any words outside LaTeX, and "costs $5" leads up to a number where "5 dollars"
    starts with it.
    """
    if is_silent(text):
        return True
    plain = _LATEX_WORDS.sub(" ", text).strip()
    if _STARTS_AS_PROSE.match(plain) and any(map(str.isdigit, plain)):
        return False
    if not plain.isascii() and any(prose(language).search(plain) for language in spoken(plain)):
        return False
    if any(after_so(plain, clause, len(plain)) > clause for clause in _clauses(plain)):
        return False
    if _is_judged(text):
        return False
    return len(_WORDS.findall(plain)) <= _BARE_WORDS or in_words(plain) is not None


def _is_judged(text: str) -> bool:
    """Whether a text is a value and the sentence that judges it: "12 is the answer"."""
    for value in list(_VALUE_END.finditer(text))[-_MOST_ENDS:]:
        said = ending(text, value.end())
        if said is not None and said.end - value.end() >= _LONGER_THAN_COPULAS:
            return not text[said.end :].strip(" .!*。！")
    return False


_VALUE_END = re.compile(r"[\d)\]}$%°]")
_MOST_ENDS = 8
_LONGER_THAN_COPULAS = 4
"""Characters: an ending that is shorter is cut off the value where it is read."""


def _clauses(text: str) -> list[int]:
    """Where the clauses of a text begin."""
    return [0, *(comma.end() for comma in _COMMA.finditer(text))]


_COMMA = re.compile("[,，]")
