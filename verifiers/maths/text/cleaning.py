"""One spelling for the many ways to write the same mathematics; the meaning never changes."""

from __future__ import annotations

import re
import unicodedata

from ...language.normalization import clean as clean_spaces
from ...language.normalization import fold_width, strip_stop

_SYMBOLS = {
    "−": "-", "–": "-", "﹣": "-", "×": r"\times ", "·": r"\cdot ", "⋅": r"\cdot ", "÷": "/", "∕": "/",
    "⁄": "/", "π": r"\pi ", "∞": r"\infty ", "√": r"\sqrt ", "∪": r"\cup ", "∩": r"\cap ", "∈": r"\in ",
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
    "“": '"', "”": '"', "‘": "'", "’": "'", "′": "'",
}  # fmt: skip
_TABLE = str.maketrans(_SYMBOLS)
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SQUARE_UNIT = re.compile(r"(?<=\d)m(?=[²³])")
_ORNAMENT = re.compile("[\u2713\u2714\u2705\u2611\u25a0\u25a1\u220e\ufe0f\U0001f389\\s]+$")
_ENDING = re.compile(r"(?<=[\d가-힣%)}])\s*(?:입니다|이다|이에요|예요)$")
_SUBSCRIPT = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
_CIRCLED = re.compile("[\u2460-\u2473]+")
_COMPATIBLE = re.compile("[\u3380-\u33df\u2113\u2103\u2109]")  # unit signs of one character
_VULGAR = re.compile("[¼-¾⅐-⅞]")
_ROOT = re.compile(r"\\sqrt\s+(\d+|[a-zA-Z])(?![\w{])")

_TOTAL = re.compile(r"(?:총|모두|전부)\s*(?=\d)")
_COMMAND = re.compile(r"(?<!\\)\\[a-zA-Z]")
_ESCAPED = re.compile(r"\\\\+(?=[a-zA-Z{}!,;: %$\[\]()|])")
# A formula within text; "$5 and $6" are two prices.
_INLINE = re.compile(r"\$(?=[^\s$])([^$]*[^\s$])\$(?!\d)|\$ ([^$]+) \$")
_DELIMITERS = (
    ("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), ("**", "**"), ("__", "__"), ("*", "*"), ("`", "`"),
    (r"\text{", "}"), (r"\textbf{", "}"), (r"\mathbf{", "}"), ("{", "}"),
)  # fmt: skip
_BY_FIRST = {
    first: [pair for pair in _DELIMITERS if pair[0][0] == first]
    for first in {pair[0][0] for pair in _DELIMITERS}
}
_MARKS = frozenset(_BY_FIRST) | {" ", ""}
_STOPS = frozenset(". \u3002\uff0e")
# Each rule with texts of which one must occur before its pattern is worth trying.
_RULES = [
    (triggers, re.compile(pattern), replacement)
    for triggers, pattern, replacement in (
        (("frac",), r"\\[dtc]frac(?![a-zA-Z])", r"\\frac"),
        (
            ("{array}",),
            r"\\left\s*\\\{\s*\\begin\s*\{array\}(?:\s*\{[^{}]*\})?(.*?)\\end\s*\{array\}\s*\\right\s*\.?",
            r"\\begin{cases}\1\\end{cases}",
        ),
        (
            ("left", "right", "\\big", "\\Big", "style", "\\limits"),
            r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|limits|textstyle)(?![a-zA-Z])\s*(?:\.(?!\d))?",
            "",
        ),
        # thousands
        (("{", "\\"), r"(?<=\d)\s?(?:\{\s?,\s?\}|,?\\[!,;: ]|,\\!)\s?(?=\d{3}(?!\d))", ","),
        (("{.}",), r"(?<=\d)\{\.\}(?=\d)", "."),
        (("\\", "~"), r"(?<!\\)\\[!,;: ]|\\q?quad(?=[a-zA-Z]_|[^a-zA-Z]|$)|~", " "),
        (("\\(", "\\)", "\\[", "\\]"), r"(?<!\\)\\[()\[\]]", " "),  # a formula within text
        (
            ("C",),
            r"\{\s*\}\s*_\s*\{?(\w+)\}?\s*(?:\\mathrm\s*\{\s*)?C\s*\}?\s*_\s*\{?(\w+)\}?",
            r"\\binom{\1}{\2}",
        ),
        (
            ("P",),
            r"\{\s*\}\s*_\s*\{?(\w+)\}?\s*(?:\\mathrm\s*\{\s*)?P\s*\}?\s*_\s*\{?(\w+)\}?",
            r"\\frac{\1!}{(\1-\2)!}",
        ),
        (("C",), r"(?<![\w}])(?:C|\\mathrm\s*\{\s*C\s*\})_\{?(\d+)\}?\^\{?(\d+)\}?", r"\\binom{\1}{\2}"),
        (
            ("A", "P"),
            r"(?<![\w}])(?:[AP]|\\mathrm\s*\{\s*[AP]\s*\})_\{?(\d+)\}?\^\{?(\d+)\}?",
            r"\\frac{\1!}{(\1-\2)!}",
        ),
        (
            ("\\in",),
            r"\\in\s*(?:\\(?:mathbf|mathrm|text)\s*\{\s*([ZNRQ])\s*\}|([ZNRQ])(?![\w(]))",
            r"\\in \\mathbb{\1\2}",
        ),
        (("{",), r"\\(?:mathbf|boldsymbol|hat)\s*\{\s*([ijk])\s*\}", r"\\vec{\1}"),  # unit vectors
        (("\\math", "\\b"), r"\\(?:mathbf|mathit|boldsymbol|bf|bm)\s*\{([^{}]*)\}", r"\1"),
        (
            ("\\check", "square", "\\Box", "\\qed"),
            r"\\(?:check(?:mark)?|blacksquare|square|Box|qed)(?![a-zA-Z])\s*$",
            "",
        ),
        (("\\$", "\\pounds", "\\euro"), r"\\\$|\\pounds|\\euro", "$"),
        (("\\%",), r"\\%", "%"),
        (("box",), r"\\(?:boxed|fbox)(?=\s*\{)", ""),
        (
            ("\\circ", "\\degree"),
            r"\^\s*\{\s*\\(?:circ|degree)\s*\}|\^\s*\\circ(?![a-zA-Z])|\\degree(?![a-zA-Z])",
            r"^\\circ",
        ),
        (("  ",), r"\s+", " "),
    )
]


def clean(text: str) -> str:
    r"""A mathematical answer in one spelling: linear in its length, and applying it twice changes nothing.

    >>> clean(r"$\left( \dfrac{1}{2}, \; 10\,000 \right)$.")
    '(\\frac{1}{2}, 10,000)'
    >>> clean("√2 ≤ x²")
    '\\sqrt{2} \\leq x^{2}'
    """
    text = fold_width(clean_spaces(text)).rstrip("\\ ")
    if not text.isascii():
        text = _TOTAL.sub("", text)
        text = _VULGAR.sub(_fraction, text)
        text = _SQUARE_UNIT.sub(r"\\text{\g<0>}", text)
        text = _COMPATIBLE.sub(_unit_sign, text)
        text = _CIRCLED.sub(lambda run: ", ".join(str(ord(char) - 0x245F) for char in run.group()), text)
        text = _SUBSCRIPT.sub(lambda part: f"_{{{unicodedata.normalize('NFKC', part.group())}}}", text)
        text = _SUPERSCRIPT.sub(lambda power: "^{" + power.group().translate(_SUPERSCRIPTS) + "}", text)
        text = _ENDING.sub("", _ORNAMENT.sub("", text.translate(_TABLE)))
        text = _ROOT.sub(r"\\sqrt{\1}", text)
    text = _undelimited(text)
    if "\\\\" in text:  # JSON escaping that was left in
        if not _COMMAND.search(text):
            text = text.replace("\\\\", "\\")
        elif "\\begin" not in text:
            text = _ESCAPED.sub(r"\\", text)
    if "\\" in text or "~" in text or "_" in text or "{," in text or "{ ," in text or "{." in text:
        for triggers, pattern, replacement in _RULES:
            for trigger in triggers:
                if trigger in text:
                    text = pattern.sub(replacement, text)
                    break
        text = text.replace("( ", "(").replace(" )", ")")
    if "$" in text:
        text = _INLINE.sub(r"\1\2", text)
    return _undelimited(text.strip().rstrip("^_"))


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
    """``㎠`` as cm^2."""
    spelled = unicodedata.normalize("NFKC", match.group())
    return " " + re.sub(r"([a-z])([23])$", r"\1^\2", spelled)
