"""What may follow a number without changing it: units, counters and things counted."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from ..language.korean_counters import COUNTERS

_DIMENSIONS: dict[str, dict[str, str]] = {
    "length": {
        "mm": "1/1000", "cm": "1/100", "dm": "1/10", "m": "1", "km": "1000", "nm": "1/1000000000",
        "millimeter": "1/1000", "millimetre": "1/1000", "centimeter": "1/100", "centimetre": "1/100", "meter": "1",
        "metre": "1", "kilometer": "1000", "kilometre": "1000", "inch": "127/5000", "in": "127/5000",
        "ft": "381/1250", "foot": "381/1250", "feet": "381/1250", "yard": "1143/1250", "yd": "1143/1250",
        "mile": "201168/125", "mi": "201168/125",
        "밀리미터": "1/1000", "센티미터": "1/100", "센티": "1/100", "미터": "1", "킬로미터": "1000",
    },
    "mass": {
        "mg": "1/1000", "g": "1", "kg": "1000", "gram": "1", "milligram": "1/1000", "kilogram": "1000",
        "tonne": "1000000", "그램": "1", "킬로그램": "1000", "톤": "1000000",
    },
    "imperial mass": {"oz": "1", "ounce": "1", "lb": "16", "pound": "16"},
    "volume": {
        "ml": "1/1000", "dl": "1/10", "l": "1", "kl": "1000", "liter": "1", "litre": "1", "milliliter": "1/1000",
        "millilitre": "1/1000", "cc": "1/1000", "리터": "1", "밀리리터": "1/1000",
    },
    "imperial volume": {"cup": "1", "pint": "2", "quart": "4", "qt": "4", "gallon": "16", "gal": "16"},
    "time": {
        "second": "1", "sec": "1", "s": "1", "minute": "60", "min": "60", "hour": "3600", "hr": "3600", "h": "3600",
        "day": "86400", "week": "604800", "초": "1", "분": "60", "시간": "3600", "일": "86400", "주": "604800",
        "주일": "604800",
    },
    "month": {"month": "1", "year": "12", "yr": "12", "달": "1", "개월": "1", "년": "12"},
    "area": {"hectare": "10000", "acre": "316160658/78125", "평": "400/121"},
    "money": {
        "dollar": "1", "usd": "1", "buck": "1", "cent": "1/100", "dime": "1/10", "nickel": "1/20", "penny": "1/100", "달러": "1", "센트": "1/100",
    },
    "euro": {"euro": "1", "eur": "1", "유로": "1"}, "won": {"won": "1", "원": "1"}, "yen": {"yen": "1", "엔": "1"},
    "yuan": {"yuan": "1", "위안": "1"}, "sterling": {"sterling": "1"}, "celsius": {"°c": "1"}, "fahrenheit": {"°f": "1"},
}  # fmt: skip
UNITS = {
    name: (dimension, Fraction(factor))
    for dimension, names in _DIMENSIONS.items()
    for name, factor in names.items()
}
"""Unit: (what it measures, how many of the base unit it is)."""
CURRENCIES = {"$": "dollar", "€": "euro", "₩": "won", "¥": "yen", "£": "sterling"}
_JOINED = {"mph": "mile/hour", "kph": "km/hour", "kmh": "km/hour", "mps": "m/s"}

_ABBREVIATIONS = set("mph kmh km/h kph sq cu rpm bps hz khz kw kwh pa kpa ev pts fps".split())
# These say something about the number: after them it is another number, or no answer at all.
_CHANGING = set(
    """is are was were be isn not no never nor wrong incorrect false minus plus times divided multiplied by squared
    cubed half third quarter fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twentieth hundredth
    thousandth millionth ten thousand million billion trillion hundred dozen gross lakh crore score root and or to
    mod more less than fewer least most about approximately negative positive point over under between either maybe
    perhaps possibly if but except exclude excluded excluding exclusive unless only upward downward twice thrice
    double triple one two three four five six seven eight nine ten pi sqrt sin cos tan cot sec csc sinh cosh tanh log ln exp
    choose factorial infinity base where when for with from off remainder each other actually wait guess lie fail
    failed otherwise else instead rather every none halve doubled reciprocal inverse opposite
    imaginary below debt overdrawn loss short behind binary octal hex hexadecimal roughly approx ish probably minimum
    maximum many bn unknown answer option choice""".split()
)
_MULTIPLES = set(
    """half halve third quarter fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twentieth hundredth
    thousandth millionth ten hundred thousand million billion trillion dozen gross lakh crore factorial guess lie
    root""".split()
)
"""The same in the singular or plural: 40 points are 40, five sixths are not 5."""
# Two of one group say opposite things about a number.
_OPPOSITES = tuple(
    frozenset(group.split())
    for group in (
        "east west north south", "above below", "loss profit gain", "ago later after before", "late early",
        "left right", "up down", "clockwise counterclockwise anticlockwise", "boy girl", "man men woman women",
        "head tail", "win loss draw", "increase decrease", "forward backward", "inside outside", "am pm", "hot cold",
        "debit credit", "ascending descending", "more less", "odd even", "rise fall", "higher lower", "older younger",
    )
)  # fmt: skip
_DEGREE = re.compile(r"\^\s*\\circ\s*(?:\\?(?:text|mathrm)?\s*\{?\s*([CF])\s*\}?)?|degrees?|도")
_PERCENT = frozenset({"percent", "per cent", "pct", "퍼센트", "프로"})
_HANGUL = re.compile(
    r"(?:(?:제곱|세제곱|평방|입방)?(?:"
    + "|".join(sorted([*COUNTERS, *(unit for unit in UNITS if not unit.isascii())], key=len, reverse=True))
    + r")|(?:대|권|장|통)의\s*[가-힣]{1,4})"
)
_WORDS = re.compile(r"[a-z]+(?:(?:[ /.·-]|\\cdot)+[a-z]+)*(?:(?:\s*\^\s*\{?\s*|(?<=[a-z]))[23²³]\s*\}?)?\.?")
_POWER = re.compile(r"(?:\s*\^\s*\{?\s*|(?<=[a-z]))([23²³])\s*\}?\.?$")
_SET = re.compile(r"\\(?:text\w*|mathrm|mbox|operatorname)\s*\{([^{}]*)\}\s*((?:\^\s*\{?\d\}?)?)")
_ORDINAL = re.compile(r"^(?:st|nd|rd|th)\b\s*")
_LONE = {"m", "g", "s", "h", "l"}
_SI = re.compile(r"([TGMkhdcmµunp]?)(J|N|W|Pa|Hz|V|A|C|F|K|mol|eV|Wh|cal|B|bit|L|rad)")
_SI_PREFIXES = {
    "": 0, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "d": -1, "c": -2, "m": -3, "µ": -6, "u": -6, "n": -9, "p": -12,
}  # fmt: skip
_SHORTEST_SI = 2  # letters: one alone is a variable unless it is set as text
_MAX_UNIT_CHARS = 80
_PREFIXES = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}


def read_unit(text: str, quoted: bool = False) -> str | None:
    """The unit in what follows a number: "" for none, None when it is something else.

    A lone letter is a variable unless it is set as text, and letters that touch the number are a unit
    only if they are a known one: ``3xy`` is a product. ``percent`` and ``degree`` come back as these words.

    >>> read_unit(" dollars per day"), read_unit(" cm^2"), read_unit(" is wrong"), read_unit("xy")
    ('dollar per day', 'cm^2', None, None)
    """
    apart = text[:1].isspace()
    text = text.strip()
    if not text:
        return ""
    if len(text) > _MAX_UNIT_CHARS:
        return None
    if text in CURRENCIES:
        return CURRENCIES[text]
    if degree := _DEGREE.fullmatch(text):
        return f"°{degree.group(1).lower()}" if degree.group(1) else "degree"
    if set_as_text := _SET.fullmatch(text):
        return read_unit(set_as_text[1] + set_as_text[2].replace("{", "").replace("}", ""), quoted=True)
    if _HANGUL.fullmatch(text):
        return text
    if _SI.fullmatch(text) and text not in ("L", "rad") and (quoted or len(text) >= _SHORTEST_SI):
        return f"SI {text}"
    folded = text.casefold()
    if folded in ("rad", "radian", "radians"):
        return "radian"
    if text == "L" and not apart:
        return "l"
    if folded.rstrip(".") in _PERCENT:
        return "percent"
    folded = _ORDINAL.sub("", folded)
    if not folded:
        return "place"  # 12th
    if not _WORDS.fullmatch(folded):
        return None
    words = re.findall(r"[a-z]+", folded)
    if words == ["times"]:
        return "time"
    if any(word in _CHANGING or _singular(word) in _MULTIPLES for word in words):
        return None
    power = _POWER.search(folded)
    body = folded[: power.start()] if power else folded.rstrip(".")
    singular = _spelling(body) + (f"^{power.group(1).replace('²', '2').replace('³', '3')}" if power else "")
    if len(words) == 1 and len(words[0]) == 1:
        return singular if quoted and text.strip(".")[0] in _LONE else None
    first = _singular(words[0])
    if (
        quoted
        or first in UNITS
        or first in _ABBREVIATIONS
        or first in _PREFIXES
        or (apart and len(words[0]) > 2)
    ):
        return singular
    return None


def _spelling(text: str) -> str:
    """Words in the singular; a slash is kept, other marks between words are spaces."""
    spaced = re.sub(r"\\cdot|[ .·-]+", " ", text)
    return "/".join(" ".join(_singular(word) for word in part.split()) for part in spaced.split("/"))


def _singular(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word in ("inches", "boxes", "matches", "dishes", "glasses", "classes", "buses"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=1024)
def measure(unit: str) -> tuple[tuple[tuple[str, int], ...], Fraction] | None:
    """What a unit measures, as powers of dimensions, and how many base units it is; None for a thing counted.

    >>> measure("km/hour") == measure("km per h"), measure("square cm") == measure("cm^2"), measure("apple")
    (True, True, None)
    """
    unit = _JOINED.get(unit, unit)
    if si := _SI.fullmatch(unit.removeprefix("SI ")):
        dimension = "volume" if si[2] == "L" else si[2]
        return ((dimension, 1),), Fraction(10) ** _SI_PREFIXES[si[1]]
    dimensions: dict[str, int] = {}
    factor = Fraction(1)
    for place, part in enumerate(re.split(r"/| per ", unit)):
        words = part.split()
        power = _PREFIXES.get(words[0], 1) if words else 1
        if power > 1:
            words = words[1:]
        # Only "per cent" makes sense after a second stroke; a/b/c is left alone.
        if len(words) != 1 or place > 1:
            return None
        name, _, exponent = words[0].partition("^")
        power = int(exponent) if exponent else power
        for korean, each in (("제곱", 2), ("평방", 2), ("세제곱", 3), ("입방", 3)):
            if name.startswith(korean) and name != korean:
                name, power = name.removeprefix(korean), each
        if name not in UNITS:
            return None
        dimension, size = UNITS[name]
        power = -power if place else power
        dimensions[dimension] = dimensions.get(dimension, 0) + power
        factor *= size**power
    return tuple(sorted((name, power) for name, power in dimensions.items() if power)), factor


def conversion(one: str, other: str) -> Fraction | None:
    """By what a number with one unit is multiplied to have the other; None if they are not comparable.

    A unit that is missing agrees with every other, and so do two things counted: 15 ways are 15 paths.
    """
    if one == other or not one or not other:
        return Fraction(1)
    measures = measure(one), measure(other)
    if measures[0] and measures[1]:
        return measures[0][1] / measures[1][1] if measures[0][0] == measures[1][0] else None
    # "dollar per day" may stand for "dollar"; an hour is not an apple.
    found = [re.findall(r"\w+", unit) for unit in (one, other)]
    words = [{*map(_singular, each), "".join(each)} for each in found]  # a.m. is am
    if any(
        words[0] & group and words[1] & group and words[0] & group != words[1] & group for group in _OPPOSITES
    ):
        return None
    heads = [re.split(r"[ /^]", unit)[0] for unit in (one, other)]
    if heads[0] != heads[1] and (measures[0] or measures[1]):
        return None
    return Fraction(1)
