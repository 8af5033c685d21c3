"""Appearance of a text before it is read: prose, no formula, the letter of an option, or selections.

``C_5^2`` counts selections, or is the square of ``C_5``; "(B) 12" chooses B.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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


def normalized_prose(text: str) -> str:
    """Prose without what does not matter in it: case, articles and punctuation.

    >>> normalized_prose("The Evelyn!")
    'evelyn'
    """
    return " ".join(_FOLDED.sub(" ", text.casefold()).split())


def without_idle_spaces(text: str) -> str:
    """Without the spaces that mean nothing: 1 2 is not 12, but x + 1 is x+1.

    >>> without_idle_spaces("x + 1"), without_idle_spaces("1 2")
    ('x+1', '1 2')
    """
    return _FREE_SPACE.sub("", text)


def without_text_commands(text: str) -> str:
    r"""A text in which words stand as they are, whether they were set as text or not.

    >>> without_text_commands(r"5\text{ left over}") == without_text_commands("5 left over")
    True
    """
    return " ".join(_SET_AS_TEXT.sub(r" \1 ", text).split())


def is_mathematical(text: str) -> bool:
    """Return whether there is a digit, a command or a sign that prose does not have."""
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
    """Return whether letters are a pronounceable word, rather than a product of unknowns or a sign.

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
    """Return whether a text has words, a time, dots or an interval, as ``10 + John's age``: no formula.

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
    """Return whether every bracket is closed by one of its kind."""
    open_ones: list[str] = []
    for char in text:
        if char in "([{":
            open_ones.append(char)
        elif char in ")]}" and (not open_ones or open_ones.pop() + char not in ("()", "[]", "{}")):
            return False
    return not open_ones


_LETTERS = frozenset("CAP")
_MOST_DIGITS = 4


def as_selections(words: Sequence[str]) -> list[str] | None:
    r"""Tokens with every ``C_n^k``, ``A_n^k`` and ``P_n^k`` as the number that it counts; None without any.

    None, too, where one of them selects more than there is: then they are powers of unknowns.

    >>> "".join(as_selections(["C", "_", "{", "5", "}", "^", "2"]))
    '\\binom{5}{2}'
    >>> as_selections(["C", "_", "1", "^", "2"]) is None
    True
    """
    found: list[str] = []
    done = 0
    for start, end, of, chosen in _selections(words):
        if int(chosen) > int(of):
            return None
        found += words[done:start]
        if words[start].strip('"') == "C":
            found += ["\\binom", "{", of, "}", "{", chosen, "}"]
        else:
            rest = str(int(of) - int(chosen))
            found += ["\\frac", "{", of, "!", "}", "{", rest, "!", "}"]
        done = end
    return [*found, *words[done:]] if done else None


def selected_names(words: Sequence[str]) -> set[str]:
    """The unknowns, such as ``C_5``, of which the selections would be powers."""
    return {f"{words[start].strip(chr(34))}_{of}" for start, _, of, _ in _selections(words)}


def _selections(words: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """Yield the start and end of each, the number to select from, and the number selected."""
    for start, word in enumerate(words):
        if word.strip('"') not in _LETTERS:
            continue
        below = _number(words, start + 1, "_")
        above = _number(words, below[1], "^") if below else None
        if below and above:
            yield start, above[1], below[0], above[0]


def _number(words: Sequence[str], at: int, sign: str) -> tuple[str, int] | None:
    """The whole number below or above a letter, and where it ends."""
    if at >= len(words) or words[at] != sign:
        return None
    braced = list(words[at + 1 : at + 2]) == ["{"]
    end = at + 4 if braced else at + 2
    inside = list(words[at + 2 : end] if braced else words[at + 1 : end])
    if inside[1:] != (["}"] if braced else []) or not inside or not inside[0].isdecimal():
        return None
    return (inside[0], end) if len(inside[0]) <= _MOST_DIGITS else None


_CHOICE = lazy(r"\(?[A-J]\)?")
# "(B) 12", "(b)", "b)" and "Option B" choose B, if no other letter is offered as well.
_CHOSEN = lazy(
    r"(?:\\text(?:bf)?\s*\{\s*)?(?:\(([A-J])\)(?!.*\([A-J]\)).{0,40}"
    r"|(?:option|choice|answer)\s*+:?\s*+\(?([A-J])\)?|([A-J])[).]?)\s*\}?",
    re.IGNORECASE,
)
# "B) 12", "(B) 12", "B. 12", "B: 12", "Option B: 12", the letter set as text or all of it.
_OPTION = lazy(
    r"""
    (?P<set>\\(?:text(?:bf|rm|it)?|mathrm)\s*\{\s*)? (?P<word>(?:[Oo]ption|[Cc]hoice|[Aa]nswer)\s*+:?\s*+)?
    (?: \((?P<round>[A-J])\) | (?P<half>[A-J])\) | (?P<stop>[A-J])[.:](?=[\s}]) )
    [.:]?(?P<end>\s*\})? (?P<space>\s*) (?P<rest>\S.{0,200})
    """,
    re.VERBOSE | re.DOTALL,
)
# What makes the letter a part of a formula or of a list: (A) + 3, (A)(B), (A), (B).
_CONTINUED = lazy(
    r"(?:[+*/^_=<>|,;.!)}]|'(?![\w ])|-\s"
    r"|\\(?:cdot|times|div|leq?|geq?|neq?|cup|cap|in|pm|mp|to|equiv)(?![a-zA-Z]))"
)
_OTHER_OPTION = lazy(
    r"\([A-J]\)|(?<![\w\\])[A-J](?:\)|[.:]\s)|\b(?:option|choice|or|maybe|perhaps)\b", re.IGNORECASE
)
# What makes a text with a letter in brackets no choice of it: (A) + 1, (A)7, (A) or 17, (A), 17.
_NO_CHOICE = lazy(
    r"[\d-]|[a-z](?![a-z])|[\s}]*+(?:[+*/^_=<>|!']|,?\s*+(?:or|and|but)\b|[,;]\s*[-\d\\(]|-\s+[\d\\(]"
    r"|\\text\s*+\{\s*+,?\s*+(?:or|and|but)\b|\\(?:cdot|times|div|pm|mp)(?![a-z]))",
    re.IGNORECASE,
)
_DENIED = lazy(r"\b(?:wrong|incorrect|is not|isn't|is false|cannot|can't)(?!\w)", re.IGNORECASE)
_LETTER_RUN, _LETTER_LIST = lazy("[A-J]{2,8}"), lazy(r"\(?[A-J]\)?(?:\s*,\s*\(?[A-J]\)?)+")


def letter_run(text: str) -> list[str]:
    """The letters of ``ACD`` in their order; none for anything else."""
    return sorted(text) if _LETTER_RUN.fullmatch(text) else []


def letter_list(text: str) -> list[str]:
    """The letters of "A, C, D" in their order; none for anything else.

    >>> letter_list("(C), A")
    ['A', 'C']
    """
    return sorted(re.findall("[A-J]", text)) if _LETTER_LIST.fullmatch(text) else []


def lone_letter(text: str) -> str:
    """The letter of ``B`` or ``(B)``, folded; "" for anything else."""
    return text.strip("()").casefold() if _CHOICE.fullmatch(text) else ""


def chosen_letter(text: str) -> str:
    """The letter that "(B) 12" or "Option B" chooses, folded; "" for anything else.

    >>> chosen_letter("(B) 12"), chosen_letter("(B) or (C)")
    ('b', '')
    """
    chosen = _CHOSEN.fullmatch(text)
    if chosen is None or _DENIED.search(text):
        return ""
    if chosen[1]:
        behind = text[chosen.end(1) + 1 :]
        if _NO_CHOICE.match(behind.removeprefix("}") if text.startswith("\\text") else behind):
            return ""
    return (chosen[1] or chosen[2] or chosen[3]).casefold()


def option(text: str) -> tuple[str, str] | None:
    r"""The letter of an option, folded, and its text; None for anything else, and for several options.

    >>> option("B) 12"), option(r"\textbf{(B)} 12"), option(r"\text{C. the Nile}")
    (('b', '12'), ('b', '12'), ('c', '\\text{the Nile}'))
    >>> option("A(1,2)"), option("(A) + 3"), option("B) 12, C) 13")
    (None, None, None)
    """
    found = _OPTION.fullmatch(text)
    if found is None or _CONTINUED.match(found["rest"]) or _OTHER_OPTION.search(found["rest"]):
        return None
    if _DENIED.search(found["rest"]):
        return None
    rest = found["rest"]
    if bool(found["set"]) < bool(found["end"]):
        return None
    if found["set"] and not found["end"]:
        rest = r"\text{" + rest
    elif found["round"] and not (found["set"] or found["word"] or found["space"]):
        return None  # (A)5 is a product
    letter = found["round"] or found["half"] or found["stop"]
    return letter.casefold(), rest
