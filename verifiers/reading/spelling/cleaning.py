"""One spelling for the many ways to write the same mathematics; the meaning never changes."""

from __future__ import annotations

import re
import unicodedata

from ...language.maths_words import ALL_TOLD, ENDINGS, HAN, HANGUL, LAUGHTER
from ...language.normalization import clean as clean_spaces
from ...language.normalization import fold_width, strip_stop
from ...language.numerals.korean_numerals import parse_number, without_particle
from ...language.numerals.spoken_formulas import in_signs
from ...language.signs import ROOTS, SUBSCRIPTS, SUPERSCRIPTS, VULGAR_FRACTIONS
from ...language.stance import closes, ending
from ...runtime.patterns import lazy
from ...units.behind_numbers import REMARK, read_unit
from ...units.quantities import is_sure
from ...visible.markup import without_markup
from .clothing import spelled, undressed

_SYMBOLS = {
    "−": "-", "–": "-", "﹣": "-", "×": r"\times ", "·": r"\cdot ", "⋅": r"\cdot ", "÷": "/", "∕": "/",
    "⁄": "/", "π": r"\pi ", "∞": r"\infty ", "∪": r"\cup ", "∩": r"\cap ", "∈": r"\in ",
    "∅": r"\emptyset ", "≤": r"\leq ", "≥": r"\geq ", "≠": r"\neq ", "°": r"^\circ ", "±": r"\pm ",
    "⩽": r"\leq ", "⩾": r"\geq ", "≈": r"\approx ", "≡": r"\equiv ", "→": r"\to ", "⇒": r"\Rightarrow ",
    "∖": r"\setminus ", "∉": r"\notin ", "∠": r"\angle ", "△": r"\triangle ", "∓": r"\mp ", "⋯": r"\cdots ",
    "∧": r"\land ", "∨": r"\lor ", "∫": r"\int ", "∑": r"\sum ", "∀": r"\forall ", "⟨": r"\langle ",
    "⟩": r"\rangle ", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "⌈": r"\lceil ", "⌉": r"\rceil ", "∣": "|",
    **{letter: rf"\mathbb{{{name}}}" for letter, name in zip("ℝℤℕℚℂ", "RZNQC", strict=True)},
    **{
        letter: rf"\{name} "
        for letter, name in zip(
            "αβγδεζηθκλμνξρστφχψωΓΔΘΛΞΣΦΨΩ",
            "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi rho sigma tau phi chi psi omega "
            "Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega".split(),
            strict=True,
        )
    },
    **{sign: rf"\sqrt[{degree}] " if degree else r"\sqrt " for sign, degree in ROOTS.items()},
    "￥": "¥", "￦": "₩", "￡": "£", "￠": "¢", "“": '"', "”": '"', "‘": "'", "’": "'", "′": "'",
}  # fmt: skip
_TABLE = str.maketrans(_SYMBOLS)
_SUPERSCRIPT = lazy(f"[{''.join(SUPERSCRIPTS)}]+")
_SUPERSCRIPTS, _SUBSCRIPTS = str.maketrans(SUPERSCRIPTS), str.maketrans(SUBSCRIPTS)
_SQUARE_UNIT = lazy(r"(?<=\d)m(?=[²³])")
_ORNAMENTS = f"[{LAUGHTER}~^\u25a0\u25a1\u2600-\u27bf\u220e\u2b50\ufe0f\U0001f300-\U0001faff\\s]"
_ORNAMENT = lazy(f"(?<!{_ORNAMENTS}){_ORNAMENTS}++$")
_POINTING = lazy(
    r"^(?:=>|=(?![=>])|->(?= )|[→⇒➜➤▶∴]|\\(?:therefore|Rightarrow|implies|to)(?![a-zA-Z]))\s*(?=\S)"
)
_ENDING = lazy(rf"(?<=[\d{HANGUL}%)}}])\s*(?:{ENDINGS})$")
_KOREAN_END = lazy(rf"(?P<said>[{HANGUL}{HAN}]{{1,16}})[ .!~]*$")
_SUBSCRIPT = lazy(f"[{''.join(SUBSCRIPTS)}]+")
_CIRCLED = lazy("[\u2460-\u2473]+")
_COMPATIBLE = lazy("[\u3380-\u33df\u2113\u2103\u2109]")  # unit signs of one character
_VULGAR = lazy(f"[{VULGAR_FRACTIONS}]")
_ROOT = lazy(r"\\sqrt(\[\d\])?\s+(\d+|[a-zA-Z])(?![\w{])")

_ENCIRCLED = lazy(r"\\textcircled\s*\{\s*(?:\\[a-zA-Z]+\s*)?([1-9]|1\d|20)\s*\}")
_BARRED = lazy("(?:\\d[\u0304\u0305])+")  # 0.3 with a bar over it repeats; so it does with a dot
_MARK = lazy("[\u0304\u0305]")
_DOTTED = lazy("(\\d)\u0307")
_PRICE = lazy(r"\\{1,2}\$")
_DOLLAR = "\ue000"
_BEHIND_FORMULA = lazy(r"(?:(?<=[\d}]\$)|(?<=[\d}]\\\))|(?<=[\d}] \\\)))\s+([A-Zmgshl])\Z")
_RECURRING_COMMA = lazy(r"(?<![\d,.(])(\d+),(\d*\(\d+\))\Z")
# A chemical formula, whose digits are lowered by hand or by the package that sets it.
_CHEMICAL = lazy(
    r"\\(?:ce|mathrm)\s*+\{\s*+((?=[^{}]*[\d_])(?:[A-Z][a-z]?|[()]|_?\d|_\{\d{1,3}\})++)\s*+\}(?!\s*+[_^])"
)
_LOWERED = lazy("[_{}]")
_TOTAL = lazy(rf"(?:{ALL_TOLD})\s*(?=\d)")
_COMMAND = lazy(r"(?<!\\)\\[a-zA-Z]")
_ESCAPED = lazy(r"(?<!\\)\\\\++(?=[a-zA-Z{}!,;: %$\[\]()|])")
# A formula within text; "$5 and $6" are two prices.
_INLINE = lazy(r"\$(?=[^\s$])([^$]*[^\s$])\$(?!\d)|\$ ([^$]+) \$")
# Two equations, each set by itself, one after the other; and a wide space before a named value.
_SIDE_BY_SIDE = lazy(r"\$((?:[^$=])*+=[^$]*+)\$\s++(?=\$[^$=]*+=)")
_WIDE = lazy(r"\\q?quad\s*+(?=(?:[A-Za-z]|\\[a-z]++)'*+(?:\s?_(?:\w|\{\w{1,6}\}))?(?:\([a-z]\))?\s*+=)")
_UNFINISHED = lazy(r"(?:\b(?:and|or)\s*+\}?|[,;:&\\]|\\[a-zA-Z]++)\Z")
_DELIMITERS = (
    ("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), ("**", "**"), ("__", "__"), ("*", "*"), ("`", "`"),
    ('"', '"'), ("'", "'"), ("「", "」"), ("『", "』"), ("《", "》"),
    (r"\text{", "}"), (r"\textbf{", "}"), (r"\mathbf{", "}"), ("{", "}"),
)  # fmt: skip
_BY_FIRST = {
    first: [pair for pair in _DELIMITERS if pair[0][0] == first]
    for first in {pair[0][0] for pair in _DELIMITERS}
}
_MARKS = frozenset(_BY_FIRST) | {" ", ""}
_STOPS = frozenset(". \u3002\uff0e")


def _compiled(*rules: tuple[tuple[str, ...], str, str]) -> list[tuple[tuple[str, ...], re.Pattern[str], str]]:
    """Rules, each with texts of which one must occur before its pattern is worth trying."""
    return [(triggers, lazy(pattern), replacement) for triggers, pattern, replacement in rules]


# These need what is taken off after them: \left, and the bold letters of sets and unit vectors.
_DRESSED_RULES = _compiled(
    # what TeX takes without braces: \mathrm B
    (
        ("\\math", "\\text"),
        r"\\(mathrm|mathbf|mathit|mathsf|mathcal|mathscr|mathfrak|text|textbf)\s+([A-Za-z\d])",
        r"\\\1{\2}",
    ),
    (
        ("{array}",),
        r"\\left\s*\\\{\s*\\begin\s*\{array\}(?:\s*\{[^{}]*\})?(.{0,4000}?)\\end\s*\{array\}\s*\\right\s*\.?",
        r"\\begin{cases}\1\\end{cases}",
    ),
    (
        ("\\in",),
        r"\\in\s*(?:\\(?:mathbf|mathrm|text)\s*\{\s*([ZNRQ])\s*\}|([ZNRQ])(?![\w(]))",
        r"\\in \\mathbb{\1\2}",
    ),
    (("{",), r"\\(?:mathbf|boldsymbol|hat)\s*\{\s*([ijk])\s*\}", r"\\vec{\1}"),  # unit vectors
    (
        ("\\overset", "\\stackrel"),
        r"\\(?:overset|stackrel)\s*\{[^{}]*\}\s*\{\s*([=<>])\s*\}",
        r"\1",
    ),
)
_RULES = _compiled(
    # a decimal comma as TeX writes it, then thousands, which have three digits after it
    (
        ("{,", "{ ,", ",\\"),
        r"(?<![\d,.}])(?:(0)\{\s?,\s?\}(?=\d)|(\d+)\{\s?,\s?\}(?=(?:\d\d?|\d{4,})(?![\d{,]))"
        r"|(\d+)(?:,|\{\s?,\s?\})(?=\\(?:overline|dot|bar)(?![a-z])\s?(?:\{\s?)?\d))",
        r"\1\2\3.",
    ),
    (("{", "\\"), r"(?<=\d)\s?(?:\{\s?,\s?\}|,?\\[!,;: ]|,\\!|\\!\s?,)\s?(?=\d{3}(?!\d))", ","),
    (("{.}",), r"(?<=\d)\{\.\}(?=\d|\\(?:overline|dot|bar)(?![a-z]))", "."),
    (("\\", "~"), r"(?<!\\)\\[!,;: ]|\\q?quad(?=[a-zA-Z]_|[^a-zA-Z]|$)|~", " "),
    (("\\(", "\\)", "\\[", "\\]"), r"(?<!\\)\\[()\[\]]", " "),  # a formula within text
    (
        ("\\check", "square", "\\Box", "\\qed"),
        r"\\(?:check(?:mark)?|blacksquare|square|Box|qed)(?![a-zA-Z])\s*$",
        "",
    ),
    (("\\pounds",), r"\\pounds(?![a-zA-Z])\s*", "£"),
    (("\\euro",), r"\\euro(?![a-zA-Z])\s*", "€"),
    (("\\%",), r"\\%", "%"),
    (("box",), r"\\(?:boxed|fbox)(?=\s*\{)", ""),
    (
        ("\\circ", "\\degree"),
        r"\^\s*\{\s*\\(?:circ|degree)\s*\}|\^\s*\\circ(?![a-zA-Z])|\\degree(?![a-zA-Z])",
        r"^\\circ",
    ),
    (("  ",), r"\s+", " "),
)

# TeX's space at the end of a group: {42\ } without its braces would end in a lone backslash. A run begins once only.
_CLOSING_SPACE = lazy(r"(?<!\\)(?<!\\ )(?:\\ )+(?=\})")


def clean(text: str) -> str:
    r"""A mathematical answer in one spelling: linear in its length, and applying it twice changes nothing.

    >>> clean(r"$\left( \dfrac{1}{2}, \; 10\,000 \right)$.")
    '(\\frac{1}{2}, 10,000)'
    >>> clean("√2 ≤ x²")
    '\\sqrt{2} \\leq x^{2}'
    """
    return text if _PLAIN.fullmatch(text) is not None else _cleaned(text)


_PLAIN = lazy(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?")
"""A number that has one spelling."""


def _cleaned(text: str) -> str:
    text = _CLOSING_SPACE.sub("", fold_width(clean_spaces(text)).rstrip("\\ "))
    if "<" in text or "&" in text:
        text = clean_spaces(without_markup(text))
    if "\\textcircled" in text:
        text = _ENCIRCLED.sub(lambda number: chr(0x245F + int(number[1])), text)
    if not text.isascii():
        text = _of_ascii(text)
    if "$" in text or "\\)" in text:
        # The dollar of a price is no mark of a formula until the end; a letter after a formula is a unit.
        text = _BEHIND_FORMULA.sub(r" \\text{\1}", _PRICE.sub(_DOLLAR, text))
        text = _SIDE_BY_SIDE.sub(r"$\1$, ", text)
    text = _undelimited(text)
    if "\\\\" in text:  # JSON escaping that was left in
        if not _COMMAND.search(text):
            text = text.replace("\\\\", "\\")
        elif "\\begin" not in text:
            text = _ESCAPED.sub(r"\\", text)
    if "\\" in text or "~" in text or "_" in text or "{," in text or "{ ," in text or "{." in text:
        if "quad" in text:
            text = _WIDE.sub(_between, text)
        text = _replaced(spelled(text), _DRESSED_RULES)
        if "\\" in text:
            text = undressed(text)
        text = _replaced(text, _RULES).replace("( ", "(").replace(" )", ")")
        if "\\mathrm" in text or "\\ce" in text:
            text = _CHEMICAL.sub(lambda part: rf"\text{{{_LOWERED.sub('', part[1])}}}", text)
    text = _POINTING.sub("", text.strip())
    if "," in text and text.endswith(")"):
        text = _RECURRING_COMMA.sub(r"\1.\2", text)
    if "$" in text:
        text = _INLINE.sub(r"\1\2", text)
    return _undelimited(text.rstrip("^_")).replace(_DOLLAR, "$")


def _between(space: re.Match[str]) -> str:
    """A comma for a wide space after one equation and before the next."""
    before = space.string[: space.start()]
    return ", " if "=" in before and _UNFINISHED.search(before[-_NEAR:]) is None else space.group()


_NEAR = 24
"""Characters before a wide space that say whether something goes on there."""


def _replaced(text: str, rules: list[tuple[tuple[str, ...], re.Pattern[str], str]]) -> str:
    for triggers, pattern, replacement in rules:
        for trigger in triggers:
            if trigger in text:
                text = pattern.sub(replacement, text)
                break
    return text


def _of_ascii(text: str) -> str:
    """Signs that TeX has a command for as this command."""
    text = _TOTAL.sub("", text.replace(_DOLLAR, ""))
    text = in_signs(_VULGAR.sub(_fraction, text))
    text = _SQUARE_UNIT.sub(r"\\text{\g<0>}", text)
    text = _COMPATIBLE.sub(_unit_sign, text)
    text = _CIRCLED.sub(lambda run: ", ".join(str(ord(char) - 0x245F) for char in run.group()), text)
    text = _SUBSCRIPT.sub(lambda part: "_{" + part.group().translate(_SUBSCRIPTS) + "}", text)
    text = _SUPERSCRIPT.sub(lambda power: "^{" + power.group().translate(_SUPERSCRIPTS) + "}", text)
    text = _BARRED.sub(lambda digits: rf"\overline{{{_MARK.sub('', digits.group())}}}", text)
    text = _DOTTED.sub(r"\\dot{\1}", text)
    text = text.translate(_TABLE)
    text = _without_ending(_ORNAMENT.sub("", text) or text)
    return _ROOT.sub(r"\\sqrt\1{\2}", text)


def _without_ending(text: str) -> str:
    """A value without the ending that only makes a sentence of it, as Korean and Chinese put one after it."""
    run = _KOREAN_END.search(text)
    if run is None:
        return text
    last = run["said"]
    said = ending(text, len(text[: run.start()].rstrip()))
    if said is not None and said.kind != "stated":
        return text  # 42 is wrong
    for place in range(len(last)):
        before = text[: run.start() + place]
        if not before.strip() or not closes(last[place:]):
            continue
        # A counter may end in the syllables of an ending.
        if not place or (not _is_unit(last) and (_is_unit(last[:place]) or parse_number(before) is not None)):
            return before
    return _ENDING.sub("", text).rstrip("!~")


def _is_unit(word: str) -> bool:
    unit = read_unit(word) if without_particle(word) == word else None
    return unit is not None and unit != "" and not unit.startswith(REMARK) and is_sure(word, unit)


def _undelimited(text: str) -> str:
    """Without the marks around a whole formula, and without one closing full stop."""
    if text[:1] not in _MARKS and text[-1:] not in _STOPS:
        return text
    while True:
        before = text
        text = strip_stop(text.strip())
        for opening, closing in _BY_FIRST.get(text[:1], ()):
            inner = text[len(opening) : len(text) - len(closing)]
            if (
                len(text) > len(opening) + len(closing)
                and text.startswith(opening)
                and text.endswith(closing)
                and opening not in inner
                and closing not in inner
            ):
                text = inner.strip()
        if text == before:
            return text


def _fraction(match: re.Match[str]) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", match.group()).partition("⁄")
    return rf"\frac{{{top}}}{{{bottom}}}"


def _unit_sign(match: re.Match[str]) -> str:
    """``㎠`` as cm^2; ``㎡`` as m^2 that is set as text, since m alone is an unknown."""
    spelled = "L" if match.group() == "ℓ" else unicodedata.normalize("NFKC", match.group())
    raised = re.sub(r"([a-z])([23])$", r"\1^\2", spelled)
    return f" \\text{{{raised}}}" if len(spelled.rstrip("23")) == 1 else f" {raised}"
