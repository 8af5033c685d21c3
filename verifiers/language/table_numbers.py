"""Numbers of a table's language, in figures, in words and as times of the clock, as everybody writes them."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from ..runtime.patterns import lazy
from .spoken_languages.word_table import Table, words

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
