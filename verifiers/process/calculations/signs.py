"""Running text as the signs that calculations are written with; all else only says where one cannot go on."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ...formulas.formula_tree import Apply, Number
from ...language.numerals.english import size
from ...reading.plain_numbers import read_number
from ...units.quantities import understood

MAX_NUMBER = 40
"""Characters of a number that is worked with here; longer ones are left to the engine, or out."""


class Sign(NamedTuple):
    """One sign of running text.

    Args:
        kind: ``n`` a number, ``o`` an operator, ``(`` and ``)``, ``=``, ``~`` (about equal), ``%``, ``w`` a
            word, ``c`` a command of TeX, ``f`` a fraction's command, ``b`` where nothing goes on.
        text: What it says: an operator in one spelling, a word, the digits of a number.
        start: Where it begins.
        end: Where it ends.
    """

    kind: str
    text: str
    start: int
    end: int


_OPERATORS = {
    **dict.fromkeys(("×", "·", "⋅", "∗", "✕", "✖", "*", "\\times", "\\cdot", "\\ast"), "*"),
    **dict.fromkeys(("÷", "∕", "⁄", "/", "➗", "\\div"), "/"),
    **dict.fromkeys(("+", "＋", "➕"), "+"),
    **dict.fromkeys(("-", "−", "–"), "-"),
    **dict.fromkeys(("^", "**"), "^"),
}  # fmt: skip
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SCAN = re.compile(
    r"""
    (?P<space>(?:[ \t\r]|\\[,;!: ](?!\d)|\\q?quad(?![a-zA-Z])|&(?!\w))+)
  | (?P<word>[^\W\d_]+(?:[-'’][^\W\d_]+)*)
  | (?P<number>(?:\d{1,3}(?:(?:,|\{,\}|\\[,!]|,\\!)\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?
      |(?<![\d.])\.\d+)
  | (?P<equal>(?<![=<>!:+*/−-])=(?![=>]))
  | (?P<bold>(?=[*_`])(?:(?!(?<=[\d)])\*\*[\d(]|(?<=\s)\*\*\s)\*\*|__|`))
  | (?P<operator>\*\*|[×·⋅∗✕✖*÷∕⁄/＋+−–^➕➗-](?![=>])|\\(?:times|cdot|ast|div)(?![a-zA-Z]))
  | (?P<open>[(\[{])
  | (?P<close>[)\]}])
  | (?P<price>\\?\$(?!\$)|[€£¥₩₹])
  | (?P<percent>\\?%)
  | (?P<quoted>\\(?:text(?:bf|it|rm)?|mathrm|mbox|operatorname)\s?\{[^{}\n]{0,60}\})
  | (?P<fraction>\\[dtc]?frac(?![a-zA-Z]))
  | (?P<dress>\\(?:left|right|displaystyle|bf|mathbf|boxed|fbox|[bB]igg?[lr]?)(?![a-zA-Z])|\\[()])
  | (?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
  | (?P<about>≈|≒|≃|\\approx(?![a-zA-Z])|\\simeq(?![a-zA-Z]))
  | (?P<command>\\[a-zA-Z]+|[√π!|°_])
  | (?P<other>\\.|.|\n)
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {
    "number": "n", "word": "w", "quoted": "w", "fraction": "f", "operator": "o", "percent": "%", "equal": "=",
    "about": "~", "open": "(", "close": ")", "command": "c", "other": "b",
}  # fmt: skip
_TEXT = re.compile(r"\\\w+\s?\{([^{}\n]*)\}")
_SEPARATORS = re.compile(r"[,{}\\!]")


def scan(text: str, start: int, end: int) -> list[Sign]:
    """The signs of ``text[start:end]``, without what only dresses them, signs of currencies among it."""
    found: list[Sign] = []
    add = found.append
    for match in _SCAN.finditer(text, start, end):
        group = match.lastgroup
        if group in ("space", "bold", "dress", "price"):
            continue
        said, at, behind = match.group(), match.start(), match.end()
        if group == "number":
            if not said.isdecimal():
                said = _SEPARATORS.sub("", said)
        elif group == "operator":
            said = _OPERATORS[said]
        elif group == "quoted":
            said = _TEXT.fullmatch(said)[1].strip()  # type: ignore[index]
        elif group == "power":
            add(Sign("o", "^", at, at))
            add(Sign("n", said.translate(_POWERS), at, behind))
            continue
        add(Sign(_KINDS[group or "other"], said, at, behind))
    return found


def number(text: str) -> Fraction | None:
    """The number that digits write; None where it is too long to be worked with here."""
    if len(text) > MAX_NUMBER or "e" in text or "E" in text:
        return None
    return Fraction(int(text)) if text.isdecimal() else Fraction(text if text[0] != "." else "0" + text)


class Meaning(NamedTuple):
    """What a word after a number says.

    Args:
        factor: How many one of it is: a million, a dozen.
        is_thing: Whether that is a thing, too, which may be what is counted: a dozen, a quarter.
        unit: What the units' table calls it; "" for a thing that is only counted.
        is_share: Whether it says percent.
        is_known: Whether anything is known of it; words that are no unit may take part in the sentence.
    """

    factor: Fraction
    unit: str
    is_share: bool
    is_known: bool
    is_thing: bool = False


_UNKNOWN = Meaning(Fraction(1), "", False, False)
_SEVEN = Fraction(7)


@lru_cache(maxsize=8192)
def meaning(word: str, is_glued: bool = False) -> Meaning:
    """What a word after a number says of it.

    >>> meaning("million").factor, meaning("hours").unit, meaning("apples").unit
    (Fraction(1000000, 1), 'hour', '')
    """
    if len(word) > MAX_NUMBER:
        return _UNKNOWN
    value = read_number(f"7{word}" if is_glued or not word.isascii() else f"7 {word}")
    if value is None:
        return _UNKNOWN
    if isinstance(value.node, Apply):
        return Meaning(Fraction(1), "", value.node.function == "percent", True)
    if not isinstance(value.node, Number):
        return _UNKNOWN
    said = understood(value.unit) if value.unit else None
    many = value.node.value / _SEVEN * (said.multiple if said else 1)
    is_thing = many != 1 and word.isascii() and size(word.removesuffix("s")) is None
    return Meaning(many, value.unit if said and said.measures else "", False, True, is_thing)
