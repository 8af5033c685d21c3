"""Notation of mathematics: signs, names of functions, digits, and the markup that sets a formula.

A thing is known here and nowhere else: whoever looks at signs of formulas takes them from these tables, so
that what a box understands a sentence understands as well.
"""

from __future__ import annotations

import re

FUNCTION_NAMES = {
    "sin": "sin", "cos": "cos", "tan": "tan", "tg": "tan", "cot": "cot", "ctg": "cot", "sec": "sec",
    "csc": "csc", "cosec": "csc", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctg": "atan",
    "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "ln": "ln", "log": "log", "lg": "lg", "exp": "exp", "abs": "abs", "floor": "floor", "ceil": "ceil",
    "max": "max", "min": "min", "gcd": "gcd", "lcm": "lcm", "sech": "sech", "csch": "csch", "coth": "coth",
    "arcsec": "asec", "arccsc": "acsc",
    "arccot": "acot", "arcctg": "acot", "arccosec": "acsc", "erf": "erf", "erfc": "erfc", "cis": "cis",
    "Re": "re", "Im": "im", "arg": "arg", "sgn": "sgn", "sinc": "sinc",
    **{
        prefix + name: "a" + name
        for name in ("sinh", "cosh", "tanh") for prefix in ("a", "ar", "arc")
    },
}  # fmt: skip
"""Functions as they are written, and what the evaluator calls them."""
INVERSES = {
    "sin": "asin", "cos": "acos", "tan": "atan", "cot": "acot", "sec": "asec", "csc": "acsc", "sinh": "asinh",
    "cosh": "acosh", "tanh": "atanh",
}  # fmt: skip
"""What a function with the exponent -1 is."""
GREEK = frozenset(
    """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho varrho
    sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega ell
    aleph hbar""".split()
)
"""Greek letters and letters like them, by the names of their commands."""
NAMED_SIGNS = frozenset("pi sqrt cbrt infty infinity inf oo frac cdot times choose".split())
"""Names of constants and signs that are read without a backslash, too."""
DIFFERENTIALS = frozenset(f"d{letter}" for letter in "xyztuvwrs")
"""What an integral ends with."""
PLAIN_SIGNS = frozenset("mod det dim lim".split())
"""Words that stand in formulas only."""
TEXT_COMMANDS = (
    "text", "textbf", "textit", "textrm", "textnormal", "textsf", "texttt", "mbox", "mathrm", "mathbf", "mathsf",
    "mathit", "operatorname", "hbox", "rm",
)  # fmt: skip
"""Commands of TeX that set words as text, or a name upright."""
TEXT_COMMAND = rf"\\(?:{'|'.join(sorted(TEXT_COMMANDS, key=len, reverse=True))})(?![a-zA-Z])\*?\s*"
"""One of them, as a pattern: before the brace of what it sets."""
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
"""Raised signs, and what they raise."""
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₓₙₖₘ", "0123456789+-=()aexnkm", strict=True))
"""Lowered signs, and what they lower."""
VULGAR_FRACTIONS = "¼-¾⅐-⅞↉"
"""Fractions of one character, for a character class."""
ROOTS = {"√": "", "∛": "3", "∜": "4"}
"""Signs of roots, and which."""
MINUS = "-−–﹣－"
"""Signs that are a minus before a number, for a character class: the hyphen first."""
OPERATORS = {
    **dict.fromkeys(("*", "×", "·", "⋅", "∗", "✕", "✖", "\\times", "\\cdot", "\\ast"), "*"),
    **dict.fromkeys(("/", "÷", "∕", "⁄", "➗", "\\div"), "/"),
    **dict.fromkeys(("+", "＋", "➕"), "+"),
    **dict.fromkeys(MINUS, "-"),
    **dict.fromkeys(("^", "**"), "^"),
}
"""Signs and commands between numbers, and which operation each is."""
ABOUT = ("≈", "≒", "≃", "\\approx", "\\simeq")
"""Signs and commands that say: about equal."""
DISPLAYS = {"\\[": "\\]", "$$": "$$"}
"""What opens a formula on a line of its own, and what closes it."""
FRACTION_COMMAND = r"\\[dtc]?frac(?![a-zA-Z])"
"""The command of a fraction, as a pattern."""
CURRENCIES = "$€£¥₩₹₽₺฿₫₪￥￦￡"
"""Signs of currencies."""
THOUSANDS = (",", "'", "’", "{,}", "\\,", "\\!,", ",\\!", "\u00a0", "\u2009", "\u202f", "\u2008")
"""What stands between groups of three digits, a plain space aside."""
_GROUP = "|".join(map(re.escape, THOUSANDS))
# A number after a blank goes on with three digits only where all its groups have three: 25 000, but 2024 100.
DIGITS = (
    rf"(?:\d{{1,3}}(?:(?:{_GROUP})\d{{3}})+(?!\d)|(?!0)\d{{1,3}}(?: \d{{3}})+(?:,\d{{1,2}})?(?!\d)"
    r"|(?!0)\d{1,3}(?:\.\d{3}){2,}(?!\d)|\d+)"
)
"""The digits of a whole number, with what separates thousands, as a pattern."""
POINTED = rf"(?:{DIGITS}(?:\.\d+)?[{VULGAR_FRACTIONS}]?|(?<![\d.])\.\d+|[{VULGAR_FRACTIONS}])(?:(?<=\d)[eE][{MINUS}+]?\d+)?"
"""The same where brackets multiply: 2.5(4) is ten, and no period."""
DECIMAL = (
    rf"(?:\d+(?:\.\d+){{2,}}|{DIGITS}(?:\.\d*\(\d{{1,9}}\)|\.\d+)?[{VULGAR_FRACTIONS}]?|\.\d+|[{VULGAR_FRACTIONS}])"
    rf"(?:(?<=\d)[eE][{MINUS}+]?\d+)?"
)
"""A number without a sign, as a pattern."""
NUMERAL = r"\d{1,40}(?:\.\d{1,40})?"
"""Digits with a point or without, of bounded length, as a pattern."""
