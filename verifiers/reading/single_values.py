"""One item that holds no others: infinities, named sets, numerals, words, times, values with units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from ..formulas.answer_shapes import Clock, Infinity, Items, Numbers, Numeral, Shape, Value, Words
from ..formulas.cost_limits import UnreadableError
from ..formulas.formula_tree import Number, Power, Product, symbols
from ..language.maths_words import ALL_OF, MANY, NO_SOLUTION, NO_VALUE, NONE, core, said_without_number
from ..language.numerals.english_numerals import read_words
from ..runtime.patterns import lazy
from ..units.behind_numbers import read_unit
from ..units.dates_and_times import Date, clock_time, read_clock_time, read_date
from ..units.quantities import measure
from ..units.table import CURRENCIES
from .formula_parser import scalar
from .plain_numbers import read_number, with_unit
from .spelling.tokens import all_words, is_word
from .spelling.wording import normalized_prose

_ONE = Number(Fraction(1))
_HALVES = {"am": 0, "pm": 12}
_TEXT = lazy(r"\\(?:text|mathrm)\s*\{([^{}]*)\}")
_HEXADECIMAL = 16
_PREFIXED = lazy(r"0(?:x(?P<x>[0-9a-f]+)|b(?P<b>[01]+)|o(?P<o>[0-7]+))", re.IGNORECASE)
_BASES = {"x": _HEXADECIMAL, "b": 2, "o": 8}
_DIGITS = lazy(r"[0-9][0-9A-Za-z]*|[0-9A-F]{2,}")
_SYNONYMS: dict[str, Shape] = {
    MANY: Infinity(1), "infinite": Infinity(1),
    "all real numbers": Numbers("R"), "all reals": Numbers("R"), "real numbers": Numbers("R"),
    NO_SOLUTION: Numbers(""), "empty set": Numbers(""), **dict.fromkeys(NONE, Numbers("")),
    **{words: Numbers(name) for words, name in ALL_OF.items()},
    "all integers": Numbers("Z"), "all positive integers": Numbers("N"), "positive integers": Numbers("N"),
    "all natural numbers": Numbers("N"),
    "inconsistent": Numbers(""), "infinite number of solutions": Infinity(1),
    "half": Value(Number(Fraction(1, 2))),
    **dict.fromkeys(
        (
            NO_VALUE, "dne", "undefined", "not defined", "is undefined", "doesnt exist", "doesn t exist",
            "limit dne",
        ),
        Words(NO_VALUE),
    ),
}  # fmt: skip


def read_special(words: Sequence[str]) -> Shape | None:
    """Infinities, named sets, numerals with a base, and words that stand for these."""
    if words[-1] == "\\infty" and len(words) <= 2:
        return Infinity(-1 if words[0] == "-" else 1) if words[0] in ("-", "+", "\\infty") else None
    if words[0].startswith("\\mathbb"):
        after = "".join(words[1:])
        if not after:
            return Numbers(words[0][7:])
        if words[0] == "\\mathbbZ" and after.replace("{", "").replace("}", "") in ("^+", "_+", "_>0"):
            return Numbers("N")
        if words[0] == "\\mathbbR" and after.replace("{", "").replace("}", "") in ("^+", "_+", "_>0"):
            return Items("()", (Value(Number(Fraction(0))), Infinity(1)))
    if list(words) in (["\\varnothing"], ["\\{", "\\}"]):
        return Numbers("")
    if not "".join(words).isascii():
        number = read_number(" ".join(word.strip('"') for word in words))
        if number is not None:
            return number
    if all_words(words):
        text = " ".join(word.strip('"') for word in words)
        if (spelled := read_number(text)) is not None:
            return spelled
        said = said_without_number(text.strip())
        plain = said[0] if said is not None and not said[1] else normalized_prose(text)
        return _SYNONYMS.get(plain) or _SYNONYMS.get(core(plain)) or Words(plain)
    return _numeral(words)


def _numeral(words: Sequence[str]) -> Shape | None:
    """Digits whose base was written: ``1010_2``, ``2A_{16}``, ``0x2A``."""
    if words[0] == "0" and (prefixed := _PREFIXED.fullmatch("".join(words))) is not None:
        kind = prefixed.lastgroup or ""
        return Numeral(prefixed[kind].upper(), _BASES[kind])
    if "_" not in words:
        return None
    at = list(words).index("_")
    head = words[1 : at - 1] if at > 2 and words[0] == "(" and words[at - 1] == ")" else words[:at]
    written = "".join(head)
    base = [word for word in words[at + 1 :] if word.strip('" ') not in ("{", "}", "(", ")", "base")]
    if len(base) == 1 and (said := read_words("".join(base).strip('{}"'))) is not None:
        base = [str(said)]  # 4210_{\\text{five}}
    if len(base) != 1 or not base[0].isdecimal() or _DIGITS.fullmatch(written) is None:
        return None
    if not written[0].isdecimal() and int(base[0]) != _HEXADECIMAL:
        return None
    return Numeral(written.upper(), int(base[0]))


def read_clock(parts: list[list[str]]) -> Clock | None:
    """A time, if seconds, a half of the day or a leading zero say so."""
    half = "".join(parts[-1][1:]).strip('" ').casefold().replace(".", "").replace('"', "")
    numbers = [part[0] for part in parts if part]
    if len(numbers) != len(parts) or len(parts) > 3 or any(len(part) > 1 for part in parts[:-1]):
        return None
    if not all(number.isdecimal() and len(number) <= 2 for number in numbers):
        return None
    if any(len(number) != 2 or int(number) >= 60 for number in numbers[1:]):
        return None
    if half not in _HALVES and (half or not (len(parts) == 3 or any(number[0] == "0" for number in numbers))):
        return None
    time = clock_time([int(number) for number in numbers], _HALVES.get(half))
    return None if time is None else Clock(*time)


def read_moment(text: str) -> Clock | Date | None:
    """A time of day or a date; None for anything else.

    >>> read_moment("3:30 PM") == read_moment("3:30 p.m."), read_moment("3:30")
    (True, None)
    """
    if (time := read_clock_time(text)) is not None:
        return Clock(*time)
    return read_date(_TEXT.sub(r"\1", text).strip())


def read_quantity(words: list[str]) -> Shape:
    """A value, with a currency before or a unit after it."""
    currency = ""
    kept = list(words)
    if len(kept) > 3 and kept[-3] == "(" and kept[-1] == ")" and is_word(kept[-2]):
        kept[-3:] = [kept[-2]]  # 5 (cm)
    for at in (0, 1):
        if (
            kept[at : at + 1]
            and kept[at] in CURRENCIES
            and (at == 0 or kept[0] in "+-")
            and len(kept) > at + 1
        ):
            currency = kept.pop(at)
            break
    if (measured := _in_greek_unit(kept)) is not None:
        return measured
    try:
        node, rest = scalar(kept)
        unit = _unit(rest, node == _ONE)
        if unit is not None:
            return with_unit(node, unit or currency)
    except UnreadableError:
        rest = []
    node, rest = scalar(kept, spelled=True)
    unit = _unit(rest, node == _ONE)
    if unit is None:
        raise UnreadableError(f"{rest[0]!r} is left over")
    return with_unit(node, unit or currency)


def _in_greek_unit(words: list[str]) -> Shape | None:
    """A plain number before an ohm or a unit with mu; None for anything else, where they are unknowns."""
    at = next((place for place, word in enumerate(words) if word in _GREEK_UNITS), 0)
    if not at:
        return None
    try:
        node, rest = scalar(words[:at])
    except UnreadableError:
        return None
    if rest or symbols(node) or not isinstance(node, Number | Product | Power):
        return None
    unit = read_unit(
        " " + " ".join(rf"\text{{{word[1:]}}}" if word[0] == '"' else word for word in words[at:])
    )
    return with_unit(node, unit) if unit and measure(unit) is not None else None


_GREEK_UNITS = frozenset({"\\Omega", "\\mu"})


def _unit(words: Sequence[str], one: bool) -> str | None:
    if not words:
        return ""
    if words[0] == "(" and words[-1] == ")":
        words = words[1:-1]
    if len(words) > 1 and words[0] in ("mod", "\\bmod"):
        return "mod " + "".join(words[1:]).strip("{}()")
    if not words or not (is_word(words[0]) or words[0] in CURRENCIES):
        return None
    text = " ".join(rf"\text{{{word[1:].strip()}}}" if word[0] == '"' else word for word in words)
    return read_unit(f" {text}", one=one)
