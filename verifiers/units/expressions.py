"""Units of measure as they are written: symbols and names with powers, products and quotients of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..language.nouns.english import singular
from ..language.nouns.korean import is_bound
from .signs import Sign, signs
from .table import Measure, by_name, by_symbol

_SQUARED = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_SQUARED_AFTER = {"squared": 2, "cubed": 3}
_KOREAN_POWERS = (("세제곱", 3), ("입방", 3), ("제곱", 2), ("평방", 2), ("立方", 3), ("平方", 2))
_PER = frozenset({"per", "a", "an"})
_PER_CHINESE = "每"
_LONGEST_NAME = 3
"""Words: "brazilian real", "degree of work"."""
_BARE_BELOW = frozenset("shmL")
"""Letters below a stroke that make letters above it a unit though nothing was set as text: 5 m/s."""
_MAX_FACTORS = 6


@dataclass(frozen=True, slots=True)
class Expression:
    """A unit of measure.

    Args:
        text: One spelling of it: "kg/m^3".
        measures: What it may measure; several where a name stands for several units.
    """

    text: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class _Factor:
    name: str
    power: int
    measures: tuple[Measure, ...]
    sure: bool
    end: int
    """Where the signs go on."""


def is_symbol(text: str) -> bool:
    r"""Whether a text is the symbol of a unit, or symbols in a product or quotient: no word, and no name.

    Letters alone count, too: m, s, A. It is for running text, in which a unit is no foreign word.

    Args:
        text: A text without spaces around it, in LaTeX or not.

    >>> [is_symbol(text) for text in ("km", "m/s^2", "kWh", "°C", "㎡", "metre", "px1")]
    [True, True, True, True, True, False, False]
    """
    squared = text.replace("㎡", "m²").replace("㎥", "m³")
    found = signs(squared, quoted=True)
    if not found:
        return False
    words = [sign.text for sign in found if sign.kind == "word"]
    return all(map(by_symbol, words)) and read_expression(found) is not None


@lru_cache(maxsize=4096)
def expression(text: str) -> Expression | None:
    """A unit of measure that was set as text; None for anything else.

    >>> expression("square cm") == expression("cm^2"), expression("apples")
    (True, None)
    """
    found = signs(text, quoted=True)
    return None if found is None else read_expression(found)


def read_expression(found: Sequence[Sign], apart: bool = True) -> Expression | None:
    """A unit of measure from its signs; None if they are anything else, or may be unknowns.

    Args:
        found: Signs, see `signs`.
        apart: Whether there is a space between the number and them.
    """
    read = beginning(found)
    if read is None or any(sign.kind != "gap" for sign in found[read[1] :]):
        return None
    unit, _, factors = read
    return unit if _is_sure(factors, apart) else None


def beginning(found: Sequence[Sign]) -> tuple[Expression, int, list[_Factor]] | None:
    """The longest unit with which signs begin, where it ends, and its factors; None if there is none."""
    at = _after_gap(found, 0)
    per = 1
    factors: list[_Factor] = []
    end = 0
    while at < len(found) and len(factors) < _MAX_FACTORS:
        if found[at].kind == "bracket" and factors and per < 0:
            at = end = _after_gap(found, at + 1)
            continue
        factor = _factor(found, at)
        if factor is None:
            break
        factors.append(_Factor(factor.name, factor.power * per, factor.measures, factor.sure, factor.end))
        at = end = factor.end
        at = _after_gap(found, at)
        if at < len(found) and (found[at].kind == "over" or found[at].text in _PER):
            if found[at].text == "a" and found[at].quoted is False and not factor.sure:
                break
            per, at = -1, _after_gap(found, at + 1)
        elif at < len(found) and found[at].text.startswith(_PER_CHINESE) and len(found[at].text) > 1:
            per = -1
    if not factors:
        return None
    measures = tuple(each ** factors[0].power for each in factors[0].measures)
    for factor in factors[1:]:
        other = factor.measures[0] ** factor.power
        measures = tuple(each * other for each in measures)
    return Expression(_spelled(factors), measures), end, factors


def _spelled(factors: Sequence[_Factor]) -> str:
    above = [factor for factor in factors if factor.power > 0]
    below = [factor for factor in factors if factor.power < 0]
    if not above:
        return " ".join(f"{factor.name}^{factor.power}" for factor in below)
    return " ".join(map(_with_power, above)) + "".join(f"/{_with_power(factor)}" for factor in below)


def _with_power(factor: _Factor) -> str:
    return factor.name if abs(factor.power) == 1 else f"{factor.name}^{abs(factor.power)}"


def _is_sure(factors: Sequence[_Factor], apart: bool) -> bool:
    """Whether letters are a unit, rather than unknowns."""
    if any(factor.sure for factor in factors):
        return all(factor.sure or len(factor.name) == 1 for factor in factors)
    below = [factor.name for factor in factors if factor.power < 0]
    if not apart:  # 9.8m/s^2
        return [(factor.name, factor.power > 0) for factor in factors] == [("m", True), ("s", False)]
    return bool(below) and len(below) < len(factors) and _BARE_BELOW.issuperset(below)


def _factor(found: Sequence[Sign], at: int) -> _Factor | None:
    """A name or symbol with its power."""
    sign = found[at]
    if sign.kind != "word":
        return None
    power = _SQUARED.get(sign.text.casefold(), 1)
    if power > 1:
        at = _after_gap(found, at + 1)
        if at >= len(found) or found[at].kind != "word":
            return None
        sign = found[at]
    named = _named(found, at)
    if named is None:
        return None
    name, measures, end, mine = named
    power *= mine
    after = _after_gap(found, end)
    if after < len(found) and found[after].kind == "power":
        power, end = power * int(found[after].text), after + 1
    elif after < len(found) and found[after].text in _SQUARED_AFTER:
        power, end = power * _SQUARED_AFTER[found[after].text], after + 1
    if not power:
        return None
    sure = sign.quoted or len(name) > 1 or not name.isascii()
    return _Factor(name, power, measures, sure, end)


def _named(found: Sequence[Sign], at: int) -> tuple[str, tuple[Measure, ...], int, int] | None:
    """The longest name, or else a symbol, at a place: its spelling, what it measures, its end, its power."""
    words, ends = _run(found, at)
    for length in range(len(words), 0, -1):
        spelled = " ".join(map(singular, words[:length]))
        measures = by_name(spelled) or by_name(" ".join(words[:length]))
        if measures:
            symbol = by_symbol(found[at].text) if length == 1 else ()
            return spelled, tuple(dict.fromkeys((*symbol, *measures))), ends[length - 1], 1
    word = found[at].text
    if measures := by_symbol(word):
        return word, measures, at + 1, 1
    if measures := by_symbol(word.rstrip("s")) if len(word) > 3 else ():
        return word.rstrip("s"), measures, at + 1, 1  # lbs, yds, hrs
    if word[:1] == _PER_CHINESE and len(word) > 1 and (measures := by_name(word[1:])):
        return word[1:], measures, at + 1, 1
    for spelled, power in _KOREAN_POWERS:
        if word.startswith(spelled) and len(word) > len(spelled) and not is_bound(word):
            return (
                (name, measures, at + 1, power)
                if (measures := by_name(name := word[len(spelled) :]))
                else None
            )
    return None


def _run(found: Sequence[Sign], at: int) -> tuple[list[str], list[int]]:
    """Words in a row, with gaps between."""
    words: list[str] = []
    ends: list[int] = []
    while at < len(found) and found[at].kind == "word" and len(words) < _LONGEST_NAME:
        words.append(found[at].text.casefold())
        ends.append(at + 1)
        at = _after_gap(found, at + 1)
    return words, ends


def _after_gap(found: Sequence[Sign], at: int) -> int:
    while at < len(found) and found[at].kind == "gap":
        at += 1
    return at
