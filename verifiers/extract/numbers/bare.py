"""Whether a text is an answer by itself, rather than prose around one."""

from __future__ import annotations

import re

from ...language.answers.leads import after_so
from ...language.patterns import prose, spoken

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
    plain = _LATEX_WORDS.sub(" ", text).strip()
    if _STARTS_AS_PROSE.match(plain) and any(map(str.isdigit, plain)):
        return False
    if not plain.isascii() and any(prose(language).search(plain) for language in spoken(plain)):
        return False
    if any(after_so(plain, clause, len(plain)) > clause for clause in _clauses(plain)):
        return False
    return len(_WORDS.findall(plain)) <= _BARE_WORDS


def _clauses(text: str) -> list[int]:
    """Where the clauses of a text begin."""
    return [0, *(comma.end() for comma in _COMMA.finditer(text))]


_COMMA = re.compile("[,，]")
