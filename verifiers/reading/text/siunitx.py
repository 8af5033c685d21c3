r"""The commands of TeX's package for quantities, such as ``\SI{5}{\meter}``; and fractions of units."""

from __future__ import annotations

import re

from ...runtime.patterns import lazy

_MACRO = lazy(r"\\(SI|qty|num|ang|si|unit)\s*+(?:\[[^\]\\]{0,60}\]\s*+)?\{([^{}]{0,200})\}")
_UNIT = lazy(r"\s*+(?:\[[^\]]{0,60}\]\s*+)?\{((?:[^{}]|\{[^{}]{0,60}\}){0,200})\}")
_SCIENTIFIC = lazy(r"\s*([-+]?[\d.,]*\d)\s*[eE]\s*([-+]?\d+)\s*")
_NAMES = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol",
    "candela": "cd", "newton": "N", "joule": "J", "watt": "W", "pascal": "Pa", "hertz": "Hz", "volt": "V",
    "ohm": r"\Omega ", "coulomb": "C", "farad": "F", "tesla": "T", "weber": "Wb", "henry": "H",
    "siemens": "S",
    "liter": "L", "litre": "L", "minute": "min", "hour": "h", "day": "day", "degreeCelsius": r"^\circ C",
    "celsius": r"^\circ C", "percent": "%", "degree": r"^\circ", "electronvolt": "eV", "bar": "bar",
    "tonne": "t",
    "kilogram": "kg", "kg": "kg", "km": "km", "cm": "cm", "mm": "mm", "m": "m", "s": "s", "g": "g",
}  # fmt: skip
_PREFIXES = {
    "kilo": "k", "milli": "m", "micro": "µ", "centi": "c", "deci": "d", "nano": "n", "mega": "M", "giga": "G",
    "pico": "p", "tera": "T", "hecto": "h",
}  # fmt: skip
_COMMAND = lazy(r"\\([a-zA-Z]+)")
_FRACTION = lazy(
    r"(?<=[\d}])(?:\\[,;: !]|\s|~)*\\[dt]?frac\s*"
    r"\{\s*((?:\\(?:text|mathrm)\s*\{[A-Za-z]{1,4}\}(?:\^(?:\{\d\}|\d))?(?:\s|\\cdot|\\,)*){1,4})\}\s*"
    r"\{\s*((?:\\(?:text|mathrm)\s*\{[A-Za-z]{1,4}\}(?:\^(?:\{\d\}|\d))?(?:\s|\\cdot|\\,)*){1,4})\}"
)
_SET = lazy(r"\\(?:text|mathrm)\s*\{([A-Za-z]+)\}")


def spelled(text: str) -> str:
    r"""A text with these commands as the number, and the unit as text.

    Args:
        text: An answer in TeX.

    >>> spelled(r"\SI{5}{\meter\per\second\squared}"), spelled(r"\num{5e3}"), spelled(r"\ang{30}")
    ('5\\text{ m/s^2}', '5\\times 10^{3}', '30^\\circ')
    >>> spelled(r"9.8\,\frac{\text{m}}{\text{s}^2}")
    '9.8\\text{ m/s^2}'
    """
    pieces: list[str] = []
    at = 0
    while (found := _MACRO.search(text, at)) is not None:
        name, argument = found[1], found[2]
        unit = _UNIT.match(text, found.end()) if name in ("SI", "qty") else None
        if name in ("SI", "qty") and unit is None:
            break
        pieces.append(text[at : found.start()])
        if name == "ang":
            pieces.append(_angle(argument))
        elif name in ("si", "unit"):
            pieces.append(_unit(argument))
        else:
            pieces.append(_number(argument) + (_unit(unit[1]) if unit is not None else ""))
        at = found.end() if unit is None else unit.end()
    return _FRACTION.sub(_over, "".join([*pieces, text[at:]]))


def _number(text: str) -> str:
    scientific = _SCIENTIFIC.fullmatch(text)
    return text if scientific is None else rf"{scientific[1]}\times 10^{{{scientific[2]}}}"


def _angle(text: str) -> str:
    degrees, *rest = text.split(";")
    marks = zip(rest, ("'", "''"), strict=False)
    return rf"{degrees or 0}^\circ" + "".join(f" {part}{mark}" for part, mark in marks if part)


def _unit(text: str) -> str:
    """Names of units as symbols, with a slash before each that is divided by."""
    out = ""
    prefix = ""
    for part in _COMMAND.findall(text) if "\\" in text else ():
        if part in _PREFIXES:
            prefix = _PREFIXES[part]
        elif part == "per":
            out = f"{out}/" if out else "1/"
        elif part in ("squared", "cubed"):
            out += "^2" if part == "squared" else "^3"
        else:
            gap = " " if out and out[-1] != "/" else ""
            out += f"{gap}{prefix}{_NAMES.get(part, part)}"
            prefix = ""
    return rf"\text{{ {out or text.strip()}}}"


def _over(found: re.Match[str]) -> str:
    above, below = (
        " ".join(_SET.sub(r"\1 ", part).replace("\\cdot", " ").replace("\\,", " ").split())
        for part in found.groups()
    )
    above, below = (re.sub(r" ?\^ ?\{?(\d)\}?", r"^\1", part) for part in (above, below))
    return rf"\text{{ {above}/{below}}}" if " " not in below else rf"\text{{ {above}/({below})}}"
