"""Fields of a word table: a language's words by their bearing on a value. Omitted fields are empty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Table:
    r"""A language as words, separated by bars; a word may have blanks in it, and case does not count.

    A sentence counts only if each of its words is in the table, but for the value, what it counts and, before a
    verb of `verbs`, its subject. So a word that is missing costs an answer and never pays a wrong one.

    Args:
        name: Its English name.
        code: Its code, as in ISO 639-1.
        shown_by: Everyday words that no other language here has: they show the language.
        spaced: Whether blanks stand between words.
        decimal: The sign before the decimals; the other one of "," and "." groups thousands.
        answer: Nouns for the answer: "answer", "result".
        options: Nouns for an option: "option", "letter".
        right: Words that call it right: "correct".
        is_: Between the answer and its value, or after it: "is", "equals", です.
        choose: The writer chooses: "I choose".
        fill: Words that change nothing: articles, "therefore", "in total", "I think that".
        opening: Begins, or ends, a clause before the sentence proper that only says when or how: "after", した結果.
        verbs: After a subject, before or after what is counted: "has", "remain".
        counters: After a number: 個, 円.
        denied: "not", "wrong", "exclude".
        doubted: "maybe", "could be".
        offered: "or".
        supposed: "if", "suppose".
        reported: "says", "according to".
        reckoned: Verbs of coming to a value; the value is reported if the subject is no word of the table.
        bounded: "at least", "almost", "the double of".
        asked: Words of questions.
        instead: Between what is not so and what is: "not 3 but 4", ではなく.
        turns: Before a clause that says otherwise: "but".
        because: Between an answer and its reason.
        reason_first: Whether the reason stands before that word.
        retracting: Words that take back the answer before them: "sorry", "no, wait".
        numbers: Numerals in words with their values, "word=value"; multiplied ones as "word=*1000".
        joining: Words inside numerals that say nothing: "and".
        unit_first: Whether units stand before tens: zweiundvierzig.
        glued: Whether numerals are written in one word.
        minus: Before a negative number.
        parts: Denominators, "word=value".
        over: Between the parts of a fraction; with ``denominator_first`` 三分の二.
        denominator_first: See `over`.
        units: Units and currencies, "word=sign".
        clock: Patterns of clock times with the groups ``h``, ``m``, ``half``, ``quarter``, ``to`` (the hour that
            is not yet full) and ``pm``.
        refusals: Beginnings of sentences in which the writer declines to help.
    """

    name: str
    code: str
    shown_by: str
    spaced: bool = True
    decimal: str = "."
    answer: str = ""
    options: str = ""
    right: str = ""
    is_: str = ""
    choose: str = ""
    fill: str = ""
    opening: str = ""
    verbs: str = ""
    counters: str = ""
    denied: str = ""
    doubted: str = ""
    offered: str = ""
    supposed: str = ""
    reported: str = ""
    reckoned: str = ""
    bounded: str = ""
    asked: str = ""
    instead: str = ""
    turns: str = ""
    because: str = ""
    reason_first: bool = False
    retracting: str = ""
    numbers: str = ""
    joining: str = ""
    unit_first: bool = False
    glued: bool = False
    minus: str = ""
    parts: str = ""
    over: str = ""
    denominator_first: bool = False
    units: str = ""
    clock: tuple[str, ...] = ()
    refusals: str = ""
    pairs: Mapping[str, Mapping[str, str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        made = {name: _pairs(getattr(self, name)) for name in ("numbers", "parts", "units")}
        object.__setattr__(self, "pairs", MappingProxyType(made))


def words(field: str) -> list[str]:
    """The words of a field."""
    return [each.strip().lower() for each in field.split("|") if each.strip()]


def _pairs(field: str) -> dict[str, str]:
    pairs = (each.rpartition("=") for each in field.split("|") if each.strip())
    return {word.strip().lower(): value.strip() for word, _, value in pairs}
