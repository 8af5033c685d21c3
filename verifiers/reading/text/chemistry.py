r"""Chemical formulas and reactions in one spelling: ``\ce{H2O}``, ``\mathrm{H_2O}`` and H₂O are one thing.

A text is chemistry if it consists of nothing but symbols of elements, counts, charges and what joins them.
Source of the symbols: IUPAC, periodic table of the elements (2022), https://iupac.org.
"""

from __future__ import annotations

import re

from ...runtime.patterns import lazy

_ELEMENTS = """
H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb
Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu
Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db
Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og
""".split()
_ELEMENT = "|".join(sorted(_ELEMENTS, key=len, reverse=True))
_CHARGE = r"\^(?:\d*[+-]|[+-]\d+)|[+-](?=\s*(?:>|$|\())|[+-](?=\s+\+)"
_SPECIES = lazy(
    rf"\s*+(?P<many>\d*+)\s*+(?P<what>(?:(?:{_ELEMENT}|[()\[\]])\d*+|e(?=\^?-)|\s*+(?:\\cdot|[.·*])\s*+\d*+\s*+(?=[A-Z]))+)"
    rf"(?P<charge>{_CHARGE})?\s*+(?:(?P<state>\((?:s|l|g|aq)\))\s*+)?"
)
_JOINED = lazy(r"[+>]")
_ARROW = lazy(r"(?:<|(?<![-=]))[-=]++>|\\(?:long)?rightarrow|\\to(?![a-z])|\\rightleftharpoons|→|⇌")
_CLOTHING = lazy(r"\\(?:mathrm|text|rm)(?![a-zA-Z])|\\[,;: ]|[{}_]")
_SHOWS = lazy(r"\d|\^|>|[+-]$")
_LONGEST = 300
"""Characters of the longest reaction that is read."""


def chemical(text: str) -> str | None:
    r"""The one spelling of a chemical formula or a reaction; None for any other text.

    The order of what stands on one side of a reaction says nothing.

    Args:
        text: A cleaned answer.

    >>> chemical(r"\mathrm{H}_{2}\mathrm{O}"), chemical("SO_4^{2-}"), chemical("H_2x")
    ('H2O', 'SO4^2-', None)
    >>> chemical("O2 + 2H2 -> 2H2O") == chemical(r"2H_2 + O_2 \to 2H_2O")
    True
    """
    if len(text) > _LONGEST or not any(map(str.isupper, text)):
        return None
    bare = _CLOTHING.sub("", _ARROW.sub(">", text)).strip()
    if not _SHOWS.search(bare):
        return None  # letters alone may be a product, a segment or a word
    sides: list[list[str]] = [[]]
    place = 0
    while (found := _SPECIES.match(bare, place)) is not None and _is_closed(found["what"]):
        sides[-1].append(_spelled(found))
        place = found.end()
        if place == len(bare):
            return " > ".join(" + ".join(sorted(side)) for side in sides)
        joined = _JOINED.match(bare, place)
        if joined is None:
            return None
        place = joined.end()
        if joined[0] == ">":
            sides.append([])
    return None


def _spelled(found: re.Match[str]) -> str:
    what = re.sub(r"(?:(?<!\s)\s++)?(?:\\cdot|[.·*])\s*+", ".", found["what"])
    charge = (found["charge"] or "").lstrip("^")
    charge = charge[1:] + charge[0] if charge[:1] in ("+", "-") and charge[1:] else charge
    return found["many"] + what + ("^" + charge if charge else "") + (found["state"] or "")


def _is_closed(what: str) -> bool:
    """Whether the brackets of a formula match, and something stands in them."""
    depth = 0
    for sign in what:
        depth += (sign in "([") - (sign in ")]")
        if depth < 0:
            return False
    return depth == 0 and what[:1].isalpha() | (what[:1] in "([") and "()" not in what and "[]" not in what
