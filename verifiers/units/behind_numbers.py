r"""Text after a number, read: a unit of measure, a thing counted, or a remark.

A unit comes back in one spelling: "km/h"; "apple"; "cup |of sugar" with what it is of or for; "×dozen egg" for a
multiple; "~rejected" for a remark. `quantities` says what it means.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..language.numerals import chinese_numerals, english_numerals, korean_numerals
from ..language.numerals.korean_numerals import COUNTER
from ..runtime.patterns import lazy
from .expressions import beginning, expression, read_expression
from .table import MAX_CHARS, Sign, signs, table

PERCENT, DEGREE, RADIAN = "percent", "degree", "radian"
"""These are part of the value, or how an angle is measured."""
REMARK, BEHIND, MULTIPLE = "~", "|", "×"
"""Marks in the spelling of a unit: before a remark, before what it is of, before a multiple."""
THING = "thing"
"""Noun that is counted where only a multiple or a time is written."""
ANYTHING = "any"
"""The group of the counters that count anything."""
_PERCENT = lazy(r"\\?%|(?:percent|per cent|pct)\.?|퍼센트|프로", re.IGNORECASE)
_DEGREE = lazy(r"°|degs?\.?|degrees?|도|度", re.IGNORECASE)
ORDINAL = lazy(r"(?:(?:st|nd|rd|th)\b|번\s?째|第)\s*", re.IGNORECASE)
_KOREAN = lazy("[가-힣]")
_OF = lazy(rf"(?!분의)(?:([가-힣]{{1,3}})의\s*|({COUNTER.pattern}) )([가-힣]+)")
_SHORTEST_WORD = 4
"""Letters of a remark that was not set as text: shorter ones may be unknowns."""


@lru_cache(maxsize=8192)
def read_unit(text: str, quoted: bool = False, one: bool = False) -> str | None:
    r"""The unit in what follows a number: "" for none, None when it is something else.

    A lone letter is a variable unless it is set as text, and letters that touch the number are a unit only if
    they are a known one: ``3xy`` is a product. What is no unit and no thing counted comes back as a remark, with
    a tilde. ``percent``, ``degree`` and ``radian`` come back as these words.

    Args:
        text: Text after the number, with the space between.
        quoted: Whether it was set as text.
        one: Whether the number is 1, so that a noun is in its singular.

    >>> [read_unit(text) for text in (" dollars per day", r"\text{cm}^2", " red marbles", "xy")]
    ['dollar/day', 'cm^2', 'red marble', None]
    >>> read_unit(" rejected"), read_unit(" is wrong")
    ('~rejected', None)
    """
    stripped = text.strip()
    if not stripped:
        return ""
    if len(text) > MAX_CHARS or (
        len(stripped) == 1 and stripped.isalpha() and stripped.isascii() and not quoted
    ):
        return "L" if text == "L" else None
    if _PERCENT.fullmatch(_plain(stripped)):
        return PERCENT
    found = signs(stripped, quoted)
    if not found:
        return None
    words = _words(found)
    if words is not None and (ordinal := ORDINAL.match(words)):
        return _place(words[ordinal.end() :])
    apart = text[:1].isspace() or found[0].quoted
    if (known := read_expression(found, apart)) is not None:
        return RADIAN if known.measures[0].dimension == ((RADIAN, 1),) else known.text
    if words is None:
        return _raised_noun(found) if apart else None
    if _DEGREE.fullmatch(words):
        return DEGREE
    if not words.isascii():
        return _counted_elsewhere(words)
    if words.casefold() in english_numerals.ALL_TOLD:
        return ""
    return _counted(words, found, one) if apart else None


def _place(words: str) -> str | None:
    """A place in a row: 7th, 3rd floor, 第3天; the 7th prime is another number than 7."""
    if not words or words.casefold() in table().counters:
        return words.casefold() or "place"
    unit = read_unit(f" {words}", True, True)
    return unit if unit in table().counters or (unit and expression(unit) is not None) else None


def _raised_noun(found: list[Sign]) -> str | None:
    """``units^2`` as square units."""
    words = _words(found[:-1])
    power = {"2": "squared", "3": "cubed"}.get(found[-1].text if found[-1].kind == "power" else "")
    noun = english_numerals.counted(f"{words} {power}") if words and power and words.isascii() else None
    return None if noun is None else _with(*noun)


def _plain(text: str) -> str:
    return _TEXT.sub(lambda found: found[1].strip(), text)


_TEXT = lazy(r"\\text\s*+\{([^{}]*+)\}")


def _words(found: list[Sign]) -> str | None:
    """The words of signs that are nothing else."""
    if any(sign.kind not in ("word", "gap") for sign in found):
        return None
    return " ".join("".join(sign.text for sign in found).split())


def _counted(words: str, found: list[Sign], one: bool) -> str | None:
    """A multiple of something, a measure with a complement, a thing counted, or a remark."""
    first, _, rest = words.casefold().partition(" ")
    multiple = english_numerals.singular(first) if first.endswith(("ns", "les")) else first
    if multiple in table().multiples:
        rest = rest.removeprefix("of ")
        inner = read_unit(f" {rest}", True) if rest else ""
        return None if inner is None or inner[:1] == REMARK else f"{MULTIPLE}{multiple} {inner}".strip()
    measured = beginning(found)
    if measured is not None and len(measured[0].text) > 1 and first != "in":
        said = (_words(found[measured[1] :]) or "").casefold()
        if (behind := english_numerals.complement(said.split())) is not None:
            return _with(measured[0].text, behind)
    if first == "per" and (behind := english_numerals.complement(words.casefold().split())):
        return _with(THING, behind)  # 60 per hour
    if not found[0].quoted and len(first) < _SHORTEST_WORD - 1:
        return None
    if (noun := english_numerals.counted(words, one)) is not None:
        return _with(*noun)
    remark = english_numerals.remark(words)
    if remark is None or (not found[0].quoted and len(first) < _SHORTEST_WORD):
        return None
    return REMARK + remark


def _counted_elsewhere(words: str) -> str | None:
    """A thing counted in Korean or Chinese."""
    if _KOREAN.search(words):
        if words in table().multiples:
            return MULTIPLE + words
        counter = korean_numerals.without_particle(words)
        if counter != words and (known := expression(counter)) is not None:
            return known.text
        if of := _OF.fullmatch(words):
            both = korean_numerals.noun(of[1] or of[2]), korean_numerals.noun(of[3], in_digits=False)
            return None if both[0] is None or both[1] is None else _of_counter(both[0], both[1])
        if korean_numerals.is_denial(words):
            return REMARK + words
        return korean_numerals.noun(words)
    if words in table().multiples:
        return MULTIPLE + words
    found = chinese_numerals.counted(words.replace(" ", ""))
    return None if found is None else _of_counter(*found)


def _of_counter(counter: str, noun: str) -> str:
    """8개의 사과 are apples; 8권의 책 are books that are counted in 권."""
    return noun if noun and table().counters.get(counter) == ANYTHING else _with(counter, noun)


def _with(unit: str, behind: str) -> str:
    return f"{unit} {BEHIND}{behind}" if behind else unit
