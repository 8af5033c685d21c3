"""What a cleaned text shows before it is read: that it is prose, or not a formula, whatever its spaces."""

from __future__ import annotations

from ...runtime.patterns import lazy
from .tokens import COMMON_WORDS

_COMMAND = lazy(r"\\[a-zA-Z]+")
_WORD = lazy(r"[^\W\d_]{3,}|[^\W\d_a-zA-Z]+")
_NUMERIC_WORDS = frozenset(
    """
    sin cos tan sec csc cot arcsin arccos arctan asin acos atan sinh cosh tanh log exp sqrt cbrt root max min
    gcd lcm mod choose floor ceil abs deg degrees rad frac dfrac tfrac times cdot inf infinity and text
    mathrm
    """.split()
)
_ENVIRONMENT = lazy(r"\\(?:begin|end)\s*\{[a-zA-Z*]*\}")
_MARKUP = lazy(r"\\(?:text(?:bf|it|rm|normal)?|mathrm|mbox)\s*(?=\{)|[{}$]|\\[,;:! ]")
_MATHEMATICAL = lazy(r"[\d\\^=<>+*/_|]")
_PROSE = lazy(r"[\s\"]*[^\W\d_]{2,}(?:[\s'\-]+[^\W\d_]+)*[\s.\"]*")
_SET_AS_TEXT = lazy(r"\\(?:text|mathrm|mbox)\s*+\{((?=[^{}]*[^\W\d_]{3})[^{}]*+)\}")
_FREE_SPACE = lazy(r"\s+(?![0-9A-Za-z])|(?<![0-9A-Za-z,])\s+|(?<=,)\s+(?!\d)")
_NO_VALUE = lazy(
    r":|\d\s*_|\.\.\.|…|\\(?:[lc]?dots|forall|exists|Rightarrow|implies|to|subset|text\s*\{)|\$"
    r"|(?<!frac )(?<!binom )(?<![\d.])(?=\.?\d)[\d.]+\s+\.?\d|\d\.\d+\.\d"
)
"""Times, dots, statements, text, intervals, rows of numbers, dates: nothing that a formula parser makes a
value of. It would take 2 5 4 for a product, in which the order does not matter."""
_LONGEST_PRODUCT = 3
"""Letters that are read as a product of unknowns at most."""
_VOWEL = lazy("[aeiouyAEIOUY]")
_FOREIGN = lazy(r"[?#@\"'`~;]|[^\x00-\x7f]")
_FOLDED = lazy(r"\b(?:the|a|an)\b|[^\w\s]")


def folded(text: str) -> str:
    """Prose without what does not matter in it: case, articles and punctuation.

    >>> folded("The Evelyn!")
    'evelyn'
    """
    return " ".join(_FOLDED.sub(" ", text.casefold()).split())


def tightened(text: str) -> str:
    """Without the spaces that mean nothing: 1 2 is not 12, but x + 1 is x+1.

    >>> tightened("x + 1"), tightened("1 2")
    ('x+1', '1 2')
    """
    return _FREE_SPACE.sub("", text)


def unset(text: str) -> str:
    r"""A text in which words stand as they are, whether they were set as text or not.

    >>> unset(r"5\text{ left over}") == unset("5 left over")
    True
    """
    return " ".join(_SET_AS_TEXT.sub(r" \1 ", text).split())


def is_mathematical(text: str) -> bool:
    """Whether there is a digit, a command or a sign that prose does not have."""
    return _MATHEMATICAL.search(text) is not None


def prose(text: str) -> str | None:
    r"""Words without what sets them; None for what is not prose.

    -x and n! are not: whatever is dropped from prose could mean something in a formula.

    >>> prose(r"\text{the Nile}"), prose("-x")
    ('the Nile', None)
    """
    plain = _MARKUP.sub("", text)
    return plain if _PROSE.fullmatch(plain) else None


def is_word(text: str) -> bool:
    """Whether letters are a word that can be said, rather than a product of unknowns or a sign.

    >>> [is_word(each) for each in ("Tom", "odd", "the Nile", "mgh", "kT", "CO")]
    [True, True, True, False, False, False]
    """
    letters = text.strip(' ".')
    if len(letters) > _LONGEST_PRODUCT or not letters.isascii() or not letters.isalpha():
        return True
    if letters.casefold() in COMMON_WORDS:
        return True
    return len(letters) == _LONGEST_PRODUCT and _VOWEL.search(letters) is not None


def is_no_formula(text: str) -> bool:
    """Whether a text holds words, a time, dots or an interval: ``10 + John's age`` is nothing for sympy.

    Models give such answers often, and sympy takes longer over one than all else over a thousand.
    """
    if "\\lim" not in text and _NO_VALUE.search(text):
        return True
    if not _paired(text):
        return True
    plain = _COMMAND.sub(" ", _ENVIRONMENT.sub(" ", text))
    if not any(map(str.isalnum, plain)) or _FOREIGN.search(plain):
        return True
    return any(word.casefold() not in _NUMERIC_WORDS for word in _WORD.findall(plain))


def _paired(text: str) -> bool:
    """Whether every bracket is closed by one of its kind."""
    open_ones: list[str] = []
    for char in text:
        if char in "([{":
            open_ones.append(char)
        elif char in ")]}" and (not open_ones or open_ones.pop() + char not in ("()", "[]", "{}")):
            return False
    return not open_ones
