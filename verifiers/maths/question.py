"""Facts that a question's text settles where an answer or a reference leaves something open.

Only the row's own question is read here, never anything that a completion writes. Where the question does
not say, or says two things, it settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeVar

from ..language.numerals.english_numerals import read_words
from ..language.question_words import ASKS_CHOOSING, ASKS_RATIO, ASKS_SELECTING
from ..language.signs import NUMERAL, TEXT_COMMAND
from ..reading.prose import formulas_in
from ..runtime.forks import cached_property
from ..runtime.patterns import lazy
from ..runtime.records import dataclass
from ..units.behind_numbers import read_unit
from ..units.dates_and_times import asks_time
from ..units.quantities import measure

_Found = TypeVar("_Found")
MAX_QUESTION = 20_000
"""Characters that are read: a question is not a book."""
_NAME = r"(?:\\[a-z]+|[A-Za-z])(?:_(?:\{\w{1,3}\}|\w))?'*"
_TUPLE = lazy(rf"(?<![\w\\])\(\s*({_NAME}(?:\s*,\s*{_NAME})+)\s*\)")
# Names in a row: "a, b, and c", and in other languages with a short word between.
_ROW = lazy(
    rf"(?<![\w\\])({_NAME}(?:(?:\s*+,\s*+|\s*+,?\s*+(?:and|&)\s++|\s*+[^\x00-\x7f\s]{{1,2}}\s*+"
    rf"|(?=[ \t]{{0,4}}[^\x00-\x7f])\s++){_NAME})+)(?![a-zA-Z])"
)
_EACH, _AND = re.compile(_NAME), re.compile(r"\band\b")
_SETTING = lazy(r"\\(?:(?:left|right|displaystyle|quad)(?![a-zA-Z])|[,;!:])|[$]|\\[()\[\]]")
_LETTER = lazy(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_BASE = lazy(r"\b(in|to|into|as a)?\s*base[- ]?\s*\{?(\d{1,2}|[a-z]+)\b", re.IGNORECASE)
_NAMED_BASES = {"binary": 2, "octal": 8, "hexadecimal": 16}
_ASKED = lazy(r"\b(?:in|how many)\s+(?:units of\s+)?(?:the\s+)?\{?([A-Za-z]+(?:\s+per\s+[A-Za-z]+)?)", re.I)
# What is sought: one name, and not a part of a longer expression.
_SOUGHT = lazy(
    r"(?:find|determine|compute|calculate|solve for|what is|what's|give)\s+(?:the\s+)?(?:value\s+of\s+)?"
    rf"({_NAME})"
    rf"(?=\s*(?:[?.;]|,(?!\s*{_NAME}\b)|$|(?:if|given|in|such|so|when|where|or)\b|and\b(?!\s+{_NAME}\b)))"
    rf"|\b({_NAME})\s*-\s*(?:coordinate|intercept|value|component)\b",
    re.IGNORECASE,
)
_DIGITS = lazy(NUMERAL)
_GROUPS = lazy(r"(?<=\d),(?=\d{3}(?!\d))")
_SOUGHT_LENGTH = 120
_SEEKING = lazy(
    r"\b(?:find|determine|compute|calculate|evaluate|what is|what's|give|express)\s+"
    r"(?:the\s+)?(?:(?:\w+\s+)?value\s+of\s+)?",
    re.IGNORECASE,
)
_OPTION = lazy(
    r"(?:^|(?<=\s))(?:\(([A-J])\)|([A-J])[.)](?=\s))\s*(.+?)(?=\s+(?:\([A-J]\)|[A-J][.)]\s)|\s*$)", re.DOTALL
)
_AROUND_OPTIONS = lazy(rf"{TEXT_COMMAND}\{{\s*(\([A-J]\))\s*\}}|\\(?:qquad|quad|\\)")
_DEGREES = lazy(r"\b(?:in|how many) degrees\b|\bdegree measure", re.IGNORECASE)
_RADIANS = lazy(r"\bin radians?\b|\bradian measure", re.IGNORECASE)
_COMMON_LOG = lazy(r"\\log_\{?10|common logarithm|base[- ]10 logarithm|\\lg\b", re.IGNORECASE)
_NATURAL_LOG = lazy(r"natural log|\\ln\b|\\log_\{?e\b", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    r"""A question, and what it settles.

    >>> question = Question("Find the ordered pair $(m, b)$ with $m > 0$, in base 7.")
    >>> question.order(["b", "m"]), question.base, question.tells_apart("M", "m")
    (('m', 'b'), 7, False)
    """

    text: str

    def order(self, names: Sequence[str]) -> tuple[str, ...] | None:
        """The order in which the question has these names; None where it has none, or two."""
        for found in (self._tuples, self._rows):
            fitting = {each for each in found if len(each) == len(names) and set(each) == set(names)}
            if len(fitting) == 1:
                return fitting.pop()
            if fitting:
                return None
        return None

    def tells_apart(self, one: str, other: str) -> bool:
        """Return whether two letters, such as ``R`` and ``r``, both occur in its formulas."""
        return {one, other} <= self._letters

    @cached_property
    def asked(self) -> str | None:
        """The one unknown whose value is asked for."""
        found = {match[1] or match[2] for match in _SOUGHT.finditer(self._plain)}
        return _only({name.replace("{", "").replace("}", "") for name in found})

    def mentions(self, name: str) -> bool:
        """Return whether a name occurs in its formulas."""
        return name in self._letters or (len(name) > 1 and name in self._plain)

    @cached_property
    def base(self) -> int | None:
        """The base in which the answer is asked for."""
        found = [(match[1], _base(match[2])) for match in _BASE.finditer(self._plain)]
        found += [("", base) for word, base in _NAMED_BASES.items() if word in self._plain.casefold()]
        asked = {base for lead, base in found if lead} or {base for _, base in found}
        return _only(asked - {None})

    @cached_property
    def unit(self) -> str | None:
        """The unit in which the answer is asked for."""
        said = {match[1].replace(" per ", "/") for match in _ASKED.finditer(self._plain)}
        units = {unit for each in said if (unit := read_unit(f" {each}"))}
        return _only({unit for unit in units if measure(unit) is not None})

    @cached_property
    def asks_time(self) -> bool:
        """Whether it asks for a time of day, so that 1:15 is no ratio."""
        return asks_time(self._plain)

    @cached_property
    def asks_ratio(self) -> bool:
        """Whether it asks for a ratio, so that 1:15 is no time."""
        return ASKS_RATIO.search(self._plain) is not None and not self.asks_time

    def asks_for(self, expression: str) -> bool:
        """Return whether it asks for the value of an expression: ``Find $m + n$``."""
        wanted = _tight(expression)
        return len(wanted) > 1 and any(
            each.startswith(wanted)
            and not (each[len(wanted) : len(wanted) + 1] or ".").isalnum()
            and each[len(wanted) : len(wanted) + 1] not in ("=", "<", ">", "+", "-", "^", "(", "*", "/")
            for each in self._sought
        )

    def gives(self, formula: str) -> bool:
        """Return whether it contains a formula, ignoring spaces and typesetting."""
        wanted = _tight(formula)
        return bool(wanted) and wanted in self._tightened

    def repeats(self, formula: str) -> bool:
        """Return whether it contains a formula as a whole, or asks for it at once."""
        wanted = _tight(formula)
        if len(wanted) < 3 or wanted not in self._tightened:
            return False
        whole = (_tight(each).strip(".,;:?") for each in formulas_in(self.words))
        return wanted in whole or any(each.strip(".,;:?") == wanted for each in self._sought)

    @cached_property
    def numbers(self) -> frozenset[Fraction]:
        """The numbers that it gives in digits."""
        return frozenset(Fraction(each) for each in _DIGITS.findall(_GROUPS.sub("", self.words)))

    @cached_property
    def has_choices(self) -> bool:
        """Whether it names the choices, so that an answer repeats some of it."""
        return bool(self.options) or ASKS_CHOOSING.search(self._plain) is not None

    @cached_property
    def _tightened(self) -> str:
        return _tight(self.words)

    @cached_property
    def _sought(self) -> list[str]:
        """Texts that follow its requests, tightened."""
        return [
            _tight(self._plain[found.end() : found.end() + _SOUGHT_LENGTH])
            for found in _SEEKING.finditer(self._plain)
        ]

    @cached_property
    def asks_selections(self) -> bool:
        """Whether it concerns numbers of selections, so that C_5^2 is one."""
        return ASKS_SELECTING.search(self._plain) is not None

    @cached_property
    def angle(self) -> Literal["degrees", "radians"] | None:
        """Unit of angles."""
        degrees, radians = _DEGREES.search(self._plain), _RADIANS.search(self._plain)
        if (degrees is None) == (radians is None):
            return None
        return "degrees" if degrees else "radians"

    @cached_property
    def logarithm(self) -> Literal["10", "e"] | None:
        """The base of a logarithm whose base is not written."""
        common, natural = _COMMON_LOG.search(self.text), _NATURAL_LOG.search(self.text)
        if (common is None) == (natural is None):
            return None
        return "10" if common else "e"

    @cached_property
    def options(self) -> dict[str, str]:
        """Texts of the letters of a multiple choice; none unless they run from A on."""
        text = _AROUND_OPTIONS.sub(r" \1 ", self.text[:MAX_QUESTION])
        found = [(match[1] or match[2], match[3].strip(" \n~")) for match in _OPTION.finditer(text)]
        letters = "".join(letter for letter, _ in found)
        return dict(found) if len(found) > 1 and "ABCDEFGHIJ".startswith(letters) else {}

    @cached_property
    def words(self) -> str:
        """The text that is searched for the words of an answer."""
        return self.text[:MAX_QUESTION]

    @cached_property
    def _plain(self) -> str:
        return _SETTING.sub(" ", self.text[:MAX_QUESTION])

    @cached_property
    def _tuples(self) -> set[tuple[str, ...]]:
        return {_names(match[1]) for match in _TUPLE.finditer(self._plain)}

    @cached_property
    def _rows(self) -> set[tuple[str, ...]]:
        return {_names(match[1]) for match in _ROW.finditer(self._plain)}

    @cached_property
    def _letters(self) -> set[str]:
        formulas = list(formulas_in(self.text[:MAX_QUESTION]))
        return set(_LETTER.findall(" ".join(formulas) if formulas else self._plain))


@lru_cache(maxsize=4096)
def question(text: str) -> Question:
    """One question for all completions of its group."""
    return Question(text)


def _tight(text: str) -> str:
    """Without spaces and what only sets a formula."""
    return "".join(_SETTING.sub(" ", text.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")).split())


def _names(row: str) -> tuple[str, ...]:
    return tuple(name.replace("{", "").replace("}", "") for name in _EACH.findall(_AND.sub(",", row)))


def _base(said: str) -> int | None:
    number = int(said) if said.isdecimal() else read_words(said.casefold())
    return int(number) if number is not None and 2 <= number <= 36 else None


def _only(found: Collection[_Found | None]) -> _Found | None:
    return next(iter(found)) if len(found) == 1 else None
