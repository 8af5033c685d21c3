"""A cleaned answer with all that deciding asks of it: the way into this folder."""

from __future__ import annotations

import re

from ..formulas.formula_tree import Number
from ..formulas.limits import UnreadableError
from ..formulas.shapes import Shape
from ..runtime.forks import cached_property
from ..runtime.patterns import lazy
from .plain_numbers import read_number
from .statements import GROUPED, read
from .text import decimal_commas, option_letters, wording
from .text.chemistry import chemical
from .text.cost_bound import over_limit
from .text.selections import as_selections, selected_names
from .text.tokens import tokens

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
        """Whether a word says that it is only about that."""
        return _ABOUT.match(self.text) is not None

    @cached_property
    def shape(self) -> Shape | None:
        """What it most likely is; None where it is not mathematics that can be read."""
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
        return wording.tightened(self.text)

    @cached_property
    def unset(self) -> str:
        """The text without what sets words as text."""
        return wording.unset(self.text)

    @cached_property
    def prose(self) -> str | None:
        """The words, if there is nothing else."""
        return wording.prose(self.text)

    @cached_property
    def folded(self) -> str:
        """The words without case, articles and punctuation."""
        return wording.folded(self.prose or "")

    @cached_property
    def is_word(self) -> bool:
        """Whether it is text, whose case says nothing, rather than a product of letters such as ``mgh``."""
        return self.prose is None or wording.is_word(self.prose)

    @cached_property
    def is_mathematical(self) -> bool:
        """Whether there is anything that prose does not have."""
        return wording.is_mathematical(self.text)

    @cached_property
    def is_no_formula(self) -> bool:
        """Whether it holds what no formula parser makes a value of."""
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
        found = option_letters.option(self.text)
        return None if found is None else (found[0], Reading(found[1]))

    @cached_property
    def shows_point(self) -> bool:
        """Whether it writes a decimal with its point."""
        return decimal_commas.shows_point(self.text)

    @cached_property
    def with_points(self) -> Reading | None:
        """With points for commas that may be decimal ones; None where none may."""
        text = decimal_commas.with_points(self.text)
        return None if text is None else Reading(text)

    @property
    def has_sure_comma(self) -> bool:
        """Whether a comma of it can hardly be anything but a decimal one."""
        return decimal_commas.is_sure(self.text)

    @property
    def letter_run(self) -> list[str]:
        """The letters of ``ACD``, sorted."""
        return option_letters.letter_run(self.text)

    @property
    def letter_list(self) -> list[str]:
        """The letters of "A, C, D", sorted."""
        return option_letters.letter_list(self.text)

    @property
    def lone_letter(self) -> str:
        """The letter of ``B`` or ``(B)``, folded."""
        return option_letters.lone_letter(self.text)

    @property
    def chosen_letter(self) -> str:
        """The letter that "(B) 12" chooses, folded."""
        return option_letters.chosen_letter(self.text)
