r"""The signs after a number: words, powers, strokes, and what was set as text.

``\text{kg}\,\text{m}^{-3}``, ``kg m⁻³`` and ``kg m^-3`` become the same signs.
"""

from __future__ import annotations

from typing import NamedTuple

from ..runtime.patterns import lazy

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
        text: What follows a number, in LaTeX or not.
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
