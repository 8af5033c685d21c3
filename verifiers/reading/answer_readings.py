r"""A cleaned answer with all that deciding asks of it: the way into this folder.

A decimal comma, ``0,5``, may be one number or two, and the other side shows which. Chemical formulas and
reactions have one spelling, whether ``\ce{H2O}``, ``\mathrm{H_2O}`` or H₂O: a text is chemistry if it holds
nothing but symbols of elements, counts, charges and what joins them. Source of the symbols: IUPAC, periodic
table of the elements (2022), https://iupac.org.
"""

from __future__ import annotations

import re

from ..formulas.answer_shapes import Shape
from ..formulas.cost_limits import UnreadableError
from ..formulas.formula_tree import Number
from ..runtime.forks import cached_property
from ..runtime.patterns import lazy
from .plain_numbers import read_number
from .spelling import wording
from .spelling.cost_bound import over_limit
from .spelling.tokens import tokens
from .spelling.wording import as_selections, selected_names
from .statements import GROUPED, read

_POINT = lazy(r"\d\.\d|(?<![\w.])\.\d")
_COMMA = lazy(r"(?<![\d,.])(\d+),(\d+)(?![\d,.])")
_THOUSANDS = lazy(r"[1-9]\d{0,2},\d{3}")
_SURE = lazy(r"(?<!\d)0,\d{3}|\d,\d+\s*(?:\\[,;: ]\s*)?(?:%|[$€£¥₩])")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def writes_point(text: str) -> bool:
    """Return whether a cleaned text writes a decimal with its point.

    >>> writes_point("0.5 cm"), writes_point("x = 5.")
    (True, False)
    """
    return _POINT.search(text) is not None


def is_sure_comma(text: str) -> bool:
    """Return whether a comma precedes what no list ends with, or three digits that are no thousands.

    >>> is_sure_comma("2,74 $"), is_sure_comma("0,111"), is_sure_comma("0,5")
    (True, True, False)
    """
    return _SURE.search(text) is not None


def points_for_commas(text: str) -> str | None:
    r"""A cleaned text with points for commas that may be decimal ones; None where there is none.

    ``1,234`` has a thousands separator, ``1, 5`` is a list, and ``(0,5)`` is a point, but not where
    semicolons divide it.

    >>> [points_for_commas(text) for text in ("2,74 $", "(0,5; 1)", "(0,5)", "1,234")]
    ['2.74 $', '(0.5; 1)', None, None]
    """
    if "," not in text or ", " in text or _POINT.search(text):
        return None
    commas = list(_COMMA.finditer(text))
    if not commas or len(commas) != text.count(",") or any(_THOUSANDS.fullmatch(each[0]) for each in commas):
        return None
    if ";" not in text and (len(commas) > 1 or _is_inside(text, commas[0].start())):
        return None
    return _COMMA.sub(r"\1.\2", text)


def _is_inside(text: str, place: int) -> bool:
    """Return whether a bracket is open at a place."""
    before = text[:place]
    return sum(before.count(sign) for sign in _OPENING) > sum(before.count(sign) for sign in _CLOSING)


_ELEMENTS = """
H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb
Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu
Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db
Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og
""".split()
_ELEMENT = "|".join(sorted(_ELEMENTS, key=len, reverse=True))
_CHARGE = r"\^(?:\d*[+-]|[+-]\d+)|[+-](?=\s*(?:>|$|\())|[+-](?=\s+\+)"
_SPECIES = lazy(
    rf"\s*+(?P<many>\d*+)\s*+(?P<what>(?:(?:{_ELEMENT}|[()\[\]])\d*+|e(?=\^?-)|\s*+(?:\\cdot|[.·*])\s*+\d*+\s*+(?=[A-Z]))+)"
    rf"(?P<charge>{_CHARGE})?\s*+(?:(?P<state>\((?:s|l|g|aq)\))\s*+)?"
)
_JOINED = lazy(r"[+>]")
_ARROW = lazy(r"(?:<|(?<![-=]))[-=]++>|\\(?:long)?rightarrow|\\to(?![a-z])|\\rightleftharpoons|→|⇌")
_CLOTHING = lazy(r"\\(?:mathrm|text|rm)(?![a-zA-Z])|\\[,;: ]|[{}_]")
_SHOWS = lazy(r"\d|\^|>|[+-]$")
_LONGEST = 300
"""Characters of the longest reaction that is read."""


def chemical(text: str) -> str | None:
    r"""The one spelling of a chemical formula or a reaction; None for any other text.

    The order of what stands on one side of a reaction says nothing.

    >>> chemical(r"\mathrm{H}_{2}\mathrm{O}"), chemical("SO_4^{2-}"), chemical("H_2x")
    ('H2O', 'SO4^2-', None)
    >>> chemical("O2 + 2H2 -> 2H2O") == chemical(r"2H_2 + O_2 \to 2H_2O")
    True
    """
    if len(text) > _LONGEST or not any(map(str.isupper, text)):
        return None
    bare = _CLOTHING.sub("", _ARROW.sub(">", text)).strip()
    if not _SHOWS.search(bare):
        return None  # letters alone may be a product, a segment or a word
    sides: list[list[str]] = [[]]
    place = 0
    while (found := _SPECIES.match(bare, place)) is not None and _is_closed(found["what"]):
        sides[-1].append(_spelled(found))
        place = found.end()
        if place == len(bare):
            return " > ".join(" + ".join(sorted(side)) for side in sides)
        joined = _JOINED.match(bare, place)
        if joined is None:
            return None
        place = joined.end()
        if joined[0] == ">":
            sides.append([])
    return None


def _spelled(found: re.Match[str]) -> str:
    what = re.sub(r"(?:(?<!\s)\s++)?(?:\\cdot|[.·*])\s*+", ".", found["what"])
    charge = (found["charge"] or "").lstrip("^")
    charge = charge[1:] + charge[0] if charge[:1] in ("+", "-") and charge[1:] else charge
    return found["many"] + what + ("^" + charge if charge else "") + (found["state"] or "")


def _is_closed(what: str) -> bool:
    """Return whether the brackets of a formula match and are not empty."""
    depth = 0
    for sign in what:
        depth += (sign in "([") - (sign in ")]")
        if depth < 0:
            return False
    return depth == 0 and what[:1].isalpha() | (what[:1] in "([") and "()" not in what and "[]" not in what


_ZERO_FIRST = lazy(r"\d,0\d\d")
_ABOUT = lazy(r"(?:\\text\s*\{\s*)?(?:about|approximately|roughly|around)\b", re.IGNORECASE)
LONG = 10
"""Digits from which a decimal stands for the exact value that rounds to it."""


class Reading:
    r"""A cleaned answer and what it may be. Each part is read when it is first asked for, and kept.

    Args:
        text: A cleaned answer.
        selections: Whether ``C_5^2`` counts selections, rather than being a square.

    >>> Reading("1,234").number, Reading(r"\text{(A)} 5").option[1].number
    (Number(value=Fraction(1234, 1)), Number(value=Fraction(5, 1)))
    """

    def __init__(self, text: str, selections: bool = False) -> None:
        self.text = text
        self._selections = selections

    @cached_property
    def number(self) -> Number | None:
        """A plain number without a unit, which takes no grammar; None for anything else."""
        value = read_number(self.text)
        return value.node if value is not None and isinstance(value.node, Number) and not value.unit else None

    @cached_property
    def is_long(self) -> bool:
        """Whether it may be a decimal of so many digits that it stands for what rounds to it."""
        return len(self.text) > LONG and "." in self.text and sum(map(str.isdecimal, self.text)) >= LONG

    @property
    def is_rounded(self) -> bool:
        """Whether a word marks it as approximate."""
        return _ABOUT.match(self.text) is not None

    @cached_property
    def shape(self) -> Shape | None:
        """Most likely shape; None if it is not readable mathematics."""
        return read(self.text, selections=self._selections)

    @cached_property
    def selection(self) -> Reading | None:
        """The same text with ``C_5^2`` and the like as numbers of selections; None where it has none."""
        if "_" not in self.text or self.tokens is None or as_selections(self.tokens) is None:
            return None
        return Reading(self.text, selections=True)

    @cached_property
    def selected_names(self) -> set[str]:
        """The unknowns, such as ``C_5``, of which its selections would be powers."""
        return selected_names(self.tokens) if "_" in self.text and self.tokens is not None else set()

    @cached_property
    def shapes(self) -> tuple[Shape | None, ...]:
        """The shape, and another where 70,110 may be two numbers.

        (1,200) is not a number: the reading that joins within brackets is for what cannot be read otherwise.
        Nobody lists 320 and 000.
        """
        may_be_two = GROUPED.search(self.text) and not _ZERO_FIRST.search(self.text)
        return (self.shape, read(self.text, "nowhere", self._selections)) if may_be_two else (self.shape,)

    @cached_property
    def tokens(self) -> list[str] | None:
        """The signs it is written with; None where one means nothing here."""
        try:
            return tokens(self.text)
        except UnreadableError:
            return None

    @cached_property
    def tightened(self) -> str:
        """The text without spaces that mean nothing."""
        return wording.without_idle_spaces(self.text)

    @cached_property
    def unset(self) -> str:
        """The text without what sets words as text."""
        return wording.without_text_commands(self.text)

    @cached_property
    def prose(self) -> str | None:
        """The words, if there is nothing else."""
        return wording.prose(self.text)

    @cached_property
    def folded(self) -> str:
        """The words without case, articles and punctuation."""
        return wording.normalized_prose(self.prose or "")

    @cached_property
    def is_word(self) -> bool:
        """Whether it is text, whose case means nothing, rather than a product of letters such as ``mgh``."""
        return self.prose is None or wording.is_word(self.prose)

    @cached_property
    def is_mathematical(self) -> bool:
        """Whether it has anything that prose does not have."""
        return wording.is_mathematical(self.text)

    @cached_property
    def is_no_formula(self) -> bool:
        """Whether it holds something from which no formula parser makes a value."""
        return wording.is_no_formula(self.text)

    @property
    def has_open_braces(self) -> bool:
        """Whether its braces do not match."""
        return self.text.count("{") != self.text.count("}")

    @cached_property
    def over_limit(self) -> str | None:
        """Why it is too expensive for a formula parser; None where it is not."""
        return over_limit(self.text)

    @cached_property
    def chemical(self) -> str | None:
        """The one spelling of a chemical formula; None for anything else."""
        return chemical(self.text)

    @cached_property
    def option(self) -> tuple[str, Reading] | None:
        """The letter, folded, and the text of ``B) 12``; None for anything else."""
        found = wording.option(self.text)
        return None if found is None else (found[0], Reading(found[1]))

    @cached_property
    def shows_point(self) -> bool:
        """Whether it writes a decimal with its point."""
        return writes_point(self.text)

    @cached_property
    def with_points(self) -> Reading | None:
        """With points for commas that may be decimal ones; None where none may."""
        text = points_for_commas(self.text)
        return None if text is None else Reading(text)

    @property
    def has_sure_comma(self) -> bool:
        """Whether one of its commas can hardly be anything but a decimal one."""
        return is_sure_comma(self.text)

    @property
    def letter_run(self) -> list[str]:
        """The letters of ``ACD``, sorted."""
        return wording.letter_run(self.text)

    @property
    def letter_list(self) -> list[str]:
        """The letters of "A, C, D", sorted."""
        return wording.letter_list(self.text)

    @property
    def lone_letter(self) -> str:
        """The letter of ``B`` or ``(B)``, folded."""
        return wording.lone_letter(self.text)

    @property
    def chosen_letter(self) -> str:
        """The letter that "(B) 12" chooses, folded."""
        return wording.chosen_letter(self.text)
