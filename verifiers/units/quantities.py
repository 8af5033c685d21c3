"""Text after a number: a unit of measure, a thing counted, or a remark; and the agreement of two.

- A **measure** is in the table: it converts, or differs.
- A **thing counted** is a counter, or a noun by its shape. It may be missing, agrees with itself and with the
  counters of anything (개, 个, items), and with no other noun.
- A **remark** is any other word (rejected, too high): it agrees with itself alone, and may not be missing.
- Words of grammar (is, or, than) make it none of these.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache

from ..language.numerals import chinese_numerals, english_numerals
from ..language.numerals.chinese_numerals import ORDINAL
from ..language.numerals.korean_numerals import COUNTER
from ..runtime.patterns import lazy
from ..runtime.records import dataclass
from .behind_numbers import ANYTHING, BEHIND, DEGREE, MULTIPLE, PERCENT, REMARK, THING
from .expressions import expression
from .table import Measure, table

_LATIN = lazy(r"[a-zà-ɏ']+")


@dataclass(frozen=True, slots=True)
class Unit:
    """Meaning of a unit.

    Args:
        measures: Possible quantities; none for a counted thing or a remark.
        noun: The thing counted or the remark, in one spelling; "" for a measure.
        remark: Whether it is a remark.
        behind: Complement: of, for or towards something; "" without one.
        multiple: Value of a dozen.
    """

    measures: tuple[Measure, ...] = ()
    noun: str = ""
    remark: bool = False
    behind: str = ""
    multiple: Fraction = Fraction(1)


@lru_cache(maxsize=4096)
def understood(unit: str) -> Unit:
    """Return the meaning of a unit from `read_unit`.

    >>> understood("×dozen egg").multiple, understood("km |west").behind, understood("~rejected").remark
    (Fraction(12, 1), 'west', True)
    """
    if unit.startswith(REMARK):
        return Unit(noun=unit[1:], remark=True)
    text, _, behind = unit.partition(BEHIND)
    text = text.strip()
    if text.startswith(MULTIPLE):
        first, _, rest = text[1:].partition(" ")
        inner = understood(rest) if rest else Unit(noun=THING)
        return Unit(
            inner.measures,
            inner.noun,
            False,
            behind or inner.behind,
            table().multiples[first] * inner.multiple,
        )
    known = expression(text)
    return Unit(behind=behind, **({"noun": text} if known is None else {"measures": known.measures}))


def measure(unit: str) -> Measure | None:
    """Return a unit's dimension and its size in base units; None for a thing counted.

    >>> measure("km/hour") == measure("km/h"), measure("apple")
    (True, None)
    """
    said = understood(unit)
    return said.measures[0] if said.measures else None


def conversion(one: str, other: str) -> Fraction | None:
    """By what a number with one unit is multiplied to have the other; None if they are not comparable.

    >>> conversion("km", "cm"), conversion("apple", ""), conversion("apple", "pear"), conversion("~wrong", "")
    (Fraction(100000, 1), Fraction(1, 1), None, None)
    """
    return next(iter(conversions(one, other)), None)


def conversions(one: str, other: str) -> tuple[Fraction, ...]:
    """The same where a name has several meanings: a ton is 1000 kilograms, or 2000 pounds.

    >>> len(conversions("ton", "lb")), conversions("ton", "hour")
    (2, ())
    """
    if one == other:
        return (Fraction(1),)
    if not one or not other:
        factor = _plain_number(one or other)
        return () if factor is None else (factor if one else 1 / factor,)
    mine, theirs = understood(one), understood(other)
    if mine.behind and theirs.behind and mine.behind != theirs.behind:
        return ()
    multiple = mine.multiple / theirs.multiple
    if mine.measures and theirs.measures:
        pairs = itertools.product(mine.measures, theirs.measures)
        fitting = [(left, right) for left, right in pairs if left.dimension == right.dimension]
        return tuple(dict.fromkeys(multiple * left.size / right.size for left, right in fitting))
    if mine.measures or theirs.measures:
        return ()
    return (multiple,) if _same_noun(mine, theirs) else ()


def without_remark(unit: str) -> str:
    """A unit, or none in place of a remark."""
    return "" if unit.startswith(REMARK) else unit


def as_counted(unit: str, text: str) -> str:
    """A remark or a multiple as a thing counted, where a text has its words; any other unit as it is.

    >>> as_counted("~rejected", "How many were rejected?"), as_counted("×dozen", "How many dozens?")
    ('rejected', 'dozen')
    """
    if unit[:1] not in (REMARK, MULTIPLE):
        return unit
    said = unit[1:].partition(BEHIND)[0].split()
    words = _question_words(text)
    mentioned = all(
        word in words if word.isascii() else word in text for word in said[: None if unit[0] == REMARK else 1]
    )
    return unit[1:] if mentioned else unit


@lru_cache(maxsize=1024)
def _question_words(text: str) -> frozenset[str]:
    return frozenset(map(english_numerals.singular, _LATIN.findall(text.casefold())))


def is_sure(text: str, unit: str) -> bool:
    """Return whether a counter or a unit follows a numeral in words, rather than the rest of a word.

    >>> is_sure("명", "명"), is_sure("과", "과")
    (True, False)
    """
    if unit in (DEGREE, PERCENT) or unit.startswith(MULTIPLE) or understood(unit).measures:
        return True
    if text.startswith(ORDINAL):
        return bool(unit)
    return COUNTER.fullmatch(text) is not None or chinese_numerals.is_counted(text.replace(" ", ""))


def is_proof(one: str, other: str) -> bool:
    """Return whether two numbers with these units certainly differ if their sizes do.

    Nothing is known of things counted in dozens or by another name, and of words that nobody understands: of a
    Korean or Chinese word after a number only what the lists of counters and units have.

    >>> is_proof("km", "cm"), is_proof("", "×dozen"), is_proof("apple", "개")
    (True, False, False)
    >>> is_proof("명", ""), is_proof("뷁", "")
    (True, False)
    """
    if one == other:
        return True
    if "place" in (one, other):
        return False  # the third and three
    sides = [understood(unit) for unit in (one, other) if unit]
    return len(conversions(one, other)) == 1 and all(
        side.multiple == 1 and (side.measures or (len(sides) == 1 and _is_known(side))) for side in sides
    )


def _is_known(side: Unit) -> bool:
    """Return whether a thing counted is one for certain: a plural by its ending, a counter of the lists.

    Korean and Chinese nouns have no shape of their own: what follows a number there may change it.
    """
    if table().counters.get(side.noun) == "rank":
        return False  # a place in a row is no count
    if side.noun.isascii() and side.behind.isascii():
        return True
    return not side.behind and (
        side.noun in table().counters
        or COUNTER.fullmatch(side.noun) is not None
        or chinese_numerals.counted(side.noun) == (side.noun, "")
    )


_MOLAR_OR_MILLIONS = "M"


def _plain_number(unit: str) -> Fraction | None:
    """Return the multiple of a number whose unit the other side leaves out; None if it may not."""
    if unit.startswith("mod "):
        return Fraction(1)
    said = understood(unit)
    return (
        None
        if said.remark or unit == _MOLAR_OR_MILLIONS or any(map(_is_small_change, said.measures))
        else said.multiple
    )


def _is_small_change(size: Measure) -> bool:
    """Return whether a unit is a part of a currency: plain numbers are not known to be cents."""
    return size.size < 1 and len(size.dimension) == 1 and table().kinds.get(size.dimension[0][0]) == "money"


def _same_noun(one: Unit, other: Unit) -> bool:
    """Return whether two things counted are one."""
    if one.noun == other.noun:
        return True
    if one.remark or other.remark:
        return False
    groups = [table().counters.get(each.noun, "") for each in (one, other)]
    if groups[0] and groups[1]:
        return groups[0] == groups[1]
    if ANYTHING in groups:
        return True
    words = one.noun.split(), other.noun.split()
    return words[0][-1] == words[1][-1] and 1 in map(len, words)  # marbles, and red ones
