r"""The table of units (`table.toml`) as it is looked up, and the signs that stand for units after a number.

It is looked up by symbol and by name, with every prefix. ``\text{kg}\,\text{m}^{-3}``, ``kg m⁻³`` and
``kg m^-3`` become the same signs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..runtime.packages import deferred
from ..runtime.patterns import lazy
from ..runtime.records import dataclass

_TOML = deferred("tomllib")  # many answers are read without a unit
_TABLE = Path(__file__).with_name("table.toml")
_METRIC = {
    "T": ("tera", "테라", "太", 12), "G": ("giga", "기가", "吉", 9), "M": ("mega", "메가", "兆", 6),
    "k": ("kilo", "킬로", "千", 3), "h": ("hecto", "헥토", "百", 2), "da": ("deca", "데카", "十", 1),
    "d": ("deci", "데시", "分", -1), "c": ("centi", "센티", "厘", -2), "m": ("milli", "밀리", "毫", -3),
    "µ": ("micro", "마이크로", "微", -6), "u": ("micro", "마이크로", "微", -6), "n": ("nano", "나노", "纳", -9),
    "p": ("pico", "피코", "皮", -12), "f": ("femto", "펨토", "飞", -15),
}  # fmt: skip
_DATA = {
    "k": ("kilo", "킬로", "千", 10**3), "K": ("kilo", "킬로", "千", 10**3), "M": ("mega", "메가", "兆", 10**6),
    "G": ("giga", "기가", "吉", 10**9), "T": ("tera", "테라", "太", 10**12), "P": ("peta", "페타", "拍", 10**15),
    "Ki": ("kibi", "키비", "", 2**10), "Mi": ("mebi", "메비", "", 2**20), "Gi": ("gibi", "기비", "", 2**30),
    "Ti": ("tebi", "테비", "", 2**40),
}  # fmt: skip
PREFIXES: dict[str, dict[str, tuple[str, str, str, Fraction]]] = {
    "": {},
    "metric": {key: (*names, Fraction(10) ** power) for key, (*names, power) in _METRIC.items()},  # type: ignore[misc]
    "data": {key: (*names, Fraction(size)) for key, (*names, size) in _DATA.items()},  # type: ignore[misc]
}
"""Prefixes by class and symbol: English, Korean, Chinese, how much."""
_LANGUAGES = ("en", "ko", "zh")
_NUMBER = lazy(r"\d+(?:/\d+)?")
_PART = lazy(r"([a-z_]+)(?:\^(\d))?")

Dimension = tuple[tuple[str, int], ...]
"""Powers of the units that have no size of their own: ``(("metre", 1), ("second", -2))``."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Dimension of a unit, and its size in base units.

    Args:
        dimension: Powers of base units.
        size: Number of them.
    """

    dimension: Dimension
    size: Fraction

    def __mul__(self, other: Measure) -> Measure:
        powers = defaultdict(int, self.dimension)
        for name, power in other.dimension:
            powers[name] += power
        left = tuple(sorted((name, power) for name, power in powers.items() if power))
        return Measure(left, self.size * other.size)

    def __pow__(self, power: int) -> Measure:
        return Measure(tuple((name, each * power) for name, each in self.dimension), self.size**power)


@dataclass(frozen=True, slots=True)
class Table:
    """The file, with the lines of units by their symbols and names.

    Args:
        lines: The lines of units.
        symbols: The lines that have a symbol, by its exact spelling and without a prefix.
        names: The lines that have a name, in any language and without capitals.
        multiples: Values of words such as dozen, by name.
        counters: The group of a counter, or of a noun that stands for it, by name.
        kinds: The section of each line: "length", "money".
    """

    lines: Mapping[str, Mapping[str, str]]
    symbols: Mapping[str, tuple[str, ...]]
    names: Mapping[str, tuple[str, ...]]
    multiples: Mapping[str, Fraction]
    counters: Mapping[str, str]
    kinds: Mapping[str, str]


@lru_cache(maxsize=1)
def table() -> Table:
    """The table, read when it is first asked for."""
    sections = _TOML.loads(_TABLE.read_text(encoding="utf-8"))
    multiples = {
        name: Fraction(line["is"]) for line in sections.pop("multiples").values() for name in _names(line)
    }
    counters = {name: group for group, line in sections.pop("counters").items() for name in _names(line)}
    lines = {key: line for section in sections.values() for key, line in section.items()}
    symbols: dict[str, tuple[str, ...]] = {}
    names: dict[str, tuple[str, ...]] = {}
    for key, line in lines.items():
        for symbol in line.get("symbols", "").split():
            symbols[symbol] = (*symbols.get(symbol, ()), key)
        for name in _names(line):
            names[name.casefold()] = (*names.get(name.casefold(), ()), key)
    kinds = {key: kind for kind, section in sections.items() for key in section}
    return Table(lines, symbols, names, multiples, counters, kinds)


@lru_cache(maxsize=4096)
def by_symbol(text: str) -> tuple[Measure, ...]:
    """Return the possible meanings of a symbol, with or without a prefix; nothing if it has none.

    Its case counts, as in mW and MW; only where it tells nothing apart may it be another.

    >>> by_symbol("km")[0].size, by_symbol("KM") == by_symbol("km"), by_symbol("xm")
    (Fraction(1000, 1), True, ())
    """
    return _spelled(text) or (_recased(text) if len(text) > 1 and text.isascii() else ())


@lru_cache(maxsize=4096)
def by_name(text: str) -> tuple[Measure, ...]:
    """Return the possible meanings of a name without capitals, prefixed or not; nothing if it has none.

    >>> by_name("kilometre")[0].size, by_name("제곱"), len(by_name("pound"))
    (Fraction(1000, 1), (), 2)
    """
    known = table()
    found = [_measure(key) for key in known.names.get(text, ())]
    for kind, prefixes in PREFIXES.items():
        for *spoken, size in prefixes.values():
            for language, before in zip(_LANGUAGES, spoken, strict=True):
                if found or not before or not text.startswith(before):
                    continue
                keys = known.names.get(text[len(before) :], ())
                found = [
                    _larger(key, size)
                    for key in keys
                    if known.lines[key].get("prefixes") == kind
                    and text[len(before) :] in map(str.casefold, _split(known.lines[key].get(language, "")))
                ]
    return tuple(found)


def _spelled(text: str) -> tuple[Measure, ...]:
    known = table()
    if text in known.symbols:
        return tuple(map(_measure, known.symbols[text]))
    found = [
        _larger(key, prefixes[text[:length]][-1])
        for kind, prefixes in PREFIXES.items()
        for length in (1, 2)
        if text[:length] in prefixes
        for key in known.symbols.get(text[length:], ())
        if known.lines[key].get("prefixes") == kind
    ]
    return tuple(dict.fromkeys(found))


def _recased(text: str) -> tuple[Measure, ...]:
    """A symbol in another case, if only one is meant: KM, Kg, khz."""
    found = {each for spelling in _spellings().get(text.casefold(), ()) for each in _spelled(spelling)}
    return tuple(found) if len(found) == 1 else ()


@lru_cache(maxsize=1)
def _spellings() -> dict[str, set[str]]:
    """Symbols whose case may be another: those of small letters, and those of two letters and more."""
    known = table()
    found: dict[str, set[str]] = {}
    for symbol, keys in known.symbols.items():
        kinds = {known.lines[key].get("prefixes", "") for key in keys}
        for prefix in ("", *(prefix for kind in kinds for prefix in PREFIXES[kind])):
            spelling = prefix + symbol
            if len(spelling) > 1 and spelling.isascii() and (spelling.islower() or len(symbol) > 1):
                found.setdefault(spelling.casefold(), set()).add(spelling)
    return found


def _names(line: Mapping[str, str]) -> list[str]:
    return [name for language in _LANGUAGES for name in _split(line.get(language, ""))]


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _larger(key: str, size: Fraction) -> Measure:
    measure = _measure(key)
    return Measure(measure.dimension, measure.size * size)


@lru_cache(maxsize=1024)
def _measure(key: str) -> Measure:
    """Return the measure of a line of the file, by way of the units that it names."""
    said = table().lines[key].get("is")
    if said is None:
        return Measure(((key, 1),), Fraction(1))
    number = _NUMBER.match(said)
    found = Measure((), Fraction(number.group()) if number else Fraction(1))
    for place, part in enumerate(said[number.end() if number else 0 :].split("/")):
        for name, power in _PART.findall(part):
            found *= _measure(name) ** (int(power or 1) * (-1 if place else 1))
    return found


MAX_CHARS = 80
"""Longest text that is read as a unit."""
CURRENCIES = frozenset("$€£¥₩₹₽₺฿₫₪")
"""Signs of currencies, which stand before a number or after it."""
_SIGN = lazy(
    r"\\(?:text[a-z]*|mathrm|mathbf|mbox|operatorname|rm)\s*+\{(?P<text>(?:[^{}]++|\{[^{}]*+\})*+)\}"
    r"|\^\s*+(?:\{\s*+)?(?P<power>[-−+]?\s*+\d)\s*+\}?"
    r"|(?P<small>[⁺⁻]?[¹²³⁴⁵⁶]|(?<=[a-zA-Z])[23](?![\d\w]))"
    r"|(?:\^\s*+(?:\{\s*+)?\\circ(?:\s*+\})?|[°º])\s*(?:\\(?:text|mathrm)\s*+\{\s*+)?(?P<degree>[CF]?)(?![a-zA-Z])\s*\}?"
    r"|(?P<greek>\\(?:mu|Omega|AA)(?![a-zA-Z])\s*|[µμΩΩÅÅ])"
    r"|(?P<over>/|÷)"
    r"|(?P<currency>(?:(?:US|HK|NT|[ACRS])?\\?\$|[€£¥₩₹₽₺฿₫₪¢￥￦￠]))"
    r"|(?P<word>[a-zA-ZÀ-ÖØ-öø-ɏ]+(?:'s)?|[가-힣]+|每?[一-毎毐-鿿]+|[ℓ‰])"
    r"|(?P<gap>(?:\\cdot(?![a-zA-Z])|\\[,;:! ]|[\s~·⋅.*\-])+)"
    r"|(?P<bracket>[()])"
)
_LETTERS = {"\\mu": "µ", "μ": "µ", "\\Omega": "Ω", "Ω": "Ω", "\\AA": "Å", "Å": "Å"}
_RAISED = str.maketrans("⁺⁻¹²³⁴⁵⁶−", "+-123456-")
_WIDE = str.maketrans("￥￦￠", "¥₩¢")
_PREFIXES = frozenset("TGMkmnpµ")


class Sign(NamedTuple):
    """One sign.

    Args:
        kind: "word", "power", "over", "gap" or "bracket".
        text: The word, or the power as digits with their sign.
        quoted: Whether it was set as text, so that a letter alone is no unknown.
    """

    kind: str
    text: str
    quoted: bool


def signs(text: str, quoted: bool = False) -> list[Sign] | None:
    r"""The signs of what follows a number; None if there is anything else in it, or too much.

    Args:
        text: Text after a number, in LaTeX or not.
        quoted: Whether all of it was set as text.

    >>> [sign.text for sign in signs(r"\text{kg}\,\text{m}^{-3}")], signs("x + 1")
    (['kg', ' ', 'm', '-3'], None)
    """
    found: list[Sign] = []
    position = 0
    while position < len(text) <= MAX_CHARS:
        match = _SIGN.match(text, position)
        if match is None:
            return None
        position = match.end()
        kind = match.lastgroup or ""
        said = match[kind].strip()
        if kind == "text":
            inner = signs(match[kind], True)
            if inner is None:
                return None
            found += inner
        elif kind in ("power", "small"):
            found.append(Sign("power", said.translate(_RAISED).replace("+", "").replace(" ", ""), quoted))
        elif kind == "degree":
            found.append(Sign("word", f"°{said}", True))
        elif kind == "greek":
            found.append(Sign("word", _LETTERS.get(said, said), True))
        elif kind == "currency":
            found.append(Sign("word", said.replace("\\", "").translate(_WIDE), True))
        else:
            found.append(Sign(kind, " " if kind == "gap" else said, quoted))
    return _joined(found) if len(text) <= MAX_CHARS else None


def _joined(found: list[Sign]) -> list[Sign]:
    """With a prefix and its unit as one word where one of them is Greek: k and Ω, µ and m."""
    joined: list[Sign] = []
    for sign in found:
        last = joined[-1] if joined else None
        words = last is not None and sign.kind == last.kind == "word"
        if last and words and (last.text == "µ" or (sign.text == "Ω" and last.text in _PREFIXES)):
            joined[-1] = Sign("word", last.text + sign.text, True)
        else:
            joined.append(sign)
    return joined
