"""Fields of a word table, omitted ones empty; and how a text writes numbers in its language.

A field holds a language's words by their bearing on a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from ...runtime.patterns import lazy
from ...runtime.records import dataclass


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


_FIGURES = lazy(
    r"[-−]?\d+(?:(?:[.,'’:/\u00a0\u202f]|(?<=\d) (?=\d{3}(?!\d)))\d+)*"
    r"(?:\s?[-+*/×÷·^]\s?\d+(?:[.,]\d+)?)*"
)
_TIME = lazy(r"\d{1,2}:\d{2}")
_AND_TEENS = (60, 80)
"""Tens that teens are added to: soixante et onze."""


class Number(NamedTuple):
    """A number in a text: its end, and how everybody writes it."""

    end: int
    text: str


def number_at(table: Table, text: str, place: int) -> Number | None:
    """The number that begins at a place, in figures or in words; a clock time is one, too."""
    for pattern in _clocks(table):
        if (found := pattern.match(text, place)) is not None and (time := _time(table, found)):
            return Number(found.end(), time)
    if (spelled := _spelled_out(table, text, place)) is not None:
        return spelled
    found = _FIGURES.match(text, place)
    return Number(found.end(), figures(table, found.group())) if found else None


def figures(table: Table, text: str) -> str:
    """Figures with a point before the decimals and nothing between thousands.

    What could not be a number of that language stays as it is, and nobody reads it.
    """
    plain = re.sub(r"(?<=\d)[\u00a0\u202f '’](?=\d{3}(?!\d))", "", text)
    if _TIME.fullmatch(plain):
        return plain
    if table.decimal == ".":
        return plain.replace(",", "") if re.fullmatch(r"[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain) else plain
    if re.fullmatch(r"[-−]?\d{1,3}(?:\.\d{3})+(?:,\d+)?", plain):
        plain = plain.replace(".", "")
    return plain.replace(",", ".") if plain.count(",") == 1 else plain


def _spelled_out(table: Table, text: str, place: int) -> Number | None:
    """A numeral in words, with figures before a multiplier: 3万5千."""
    minus, at = False, place
    if (sign := _minus(table).match(text, at)) is not None:
        minus, at = True, sign.end()
    whole = _cardinal(table, text, at)
    if whole is None:
        plain = _FIGURES.match(text, at) if minus else None
        return Number(plain.end(), "-" + figures(table, plain.group())) if plain else None
    value, end = Fraction(whole[0]), whole[1]
    if (over := _over(table).match(text, end)) is not None:
        other = _cardinal(table, text, over.end())
        if other is None or not other[0] or not value:
            return None
        value = other[0] / value if table.denominator_first else value / other[0]
        end = other[1]
    elif (part := _part(table).match(text, end)) is not None:
        value, end = value / int(table.pairs["parts"][part["word"].lower()]), part.end()
    return Number(end, f"{'-' if minus else ''}{value}")


def _cardinal(table: Table, text: str, place: int) -> tuple[int, int] | None:
    parts: list[int] = []
    at, end, in_words = place, place, False
    joined = False
    while (found := _numeral(table).match(text, at)) is not None:
        at = found.end()
        if found["join"]:
            joined = True
            continue
        if found["figures"]:
            if parts and any(part < 1000 for part in parts[-1:]):
                return None
            value = int(found["figures"])
        else:
            in_words = True
            said = table.pairs["numbers"][re.sub(r"[\s-]+", " ", found["word"]).lower()]
            if said.startswith("*"):
                times = int(said[1:])
                below = 0
                while parts and parts[-1] < times:
                    below += parts.pop()
                product = times * (below or 1)
                if parts and parts[-1] % 10 ** len(str(product)):
                    return None
                parts.append(product)
                end = at
                continue
            value = int(said)
        if parts and not _follows(table, parts[-1], value, joined=joined):
            break
        parts.append(value)
        joined, end = False, at
    ends = not table.spaced or table.glued or not text[end : end + 1].isalpha()
    if not in_words or not ends or (table.glued and text[end : end + 1].isalpha()):
        return None
    return sum(parts), end


def _follows(table: Table, last: int, value: int, *, joined: bool) -> bool:
    if table.unit_first and joined and last % 100 < 10 and 20 <= value < 100:
        return True
    if value and last % 10 ** len(str(value)) == 0:
        return True
    return last % 100 in _AND_TEENS and 10 <= value < 20


def _time(table: Table, found: re.Match[str]) -> str:
    said = found.groupdict()
    hour, minute = _small(table, said["h"]), _small(table, said.get("m") or "0")
    if hour is None or minute is None:
        return ""
    minute += 30 * bool(said.get("half")) + 15 * bool(said.get("quarter"))
    total = hour * 60 + (-minute if said.get("to") else minute) + 720 * bool(said.get("pm") and hour < 12)
    return f"{total // 60}:{total % 60:02}"


def _small(table: Table, text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    found = _cardinal(table, text, 0)
    return found[0] if found and found[1] == len(text) else None


@cache
def _clocks(table: Table) -> list[re.Pattern[str]]:
    return [re.compile(each, re.IGNORECASE) for each in table.clock]


@cache
def _numeral(table: Table) -> re.Pattern[str]:
    gap = r"[\s-]{0,2}" if table.spaced else ""
    edge = r"(?!\w)" if table.spaced and not table.glued else ""
    known = _any(list(table.pairs["numbers"]))
    return re.compile(
        rf"{gap}(?:(?P<word>{known}){edge}|(?P<join>{_any(words(table.joining))}){edge}(?={gap}(?:{known}){edge})"
        rf"|(?P<figures>\d{{1,9}})(?={gap}(?:{_any([w for w, v in table.pairs['numbers'].items() if v[0] == '*'])}){edge}))",
        re.IGNORECASE,
    )


@cache
def _minus(table: Table) -> re.Pattern[str]:
    return re.compile(rf"(?:{_any(words(table.minus))})\s{{0,2}}", re.IGNORECASE)


@cache
def _over(table: Table) -> re.Pattern[str]:
    return re.compile(rf"\s{{0,2}}(?:{_any(words(table.over))})\s{{0,2}}", re.IGNORECASE)


@cache
def _part(table: Table) -> re.Pattern[str]:
    return re.compile(rf"[\s-]{{0,2}}(?P<word>{_any(list(table.pairs['parts']))})(?!\w)", re.IGNORECASE)


def _any(known: list[str]) -> str:
    ordered = sorted(known, key=len, reverse=True)
    return "|".join(re.escape(each).replace(r"\ ", r"[\s-]") for each in ordered) or "(?!)"
