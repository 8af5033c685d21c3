r"""Laws of looks: what changes no value changes no verdict, and decimals and options mean one thing in all their forms."""

from __future__ import annotations

import functools
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import FIXTURES, rows
from tests.timing import SOAK, examples, timed
from verifiers import MathEquivalence
from verifiers.reading.spelling.cleaning import _PLAIN, _cleaned, clean

_BOX = re.compile(r"\\boxed\{(.*)\}", re.DOTALL)
PAIRS = [
    (box[1], row["reference"], row["score"])
    for row in rows(FIXTURES / "cases" / "math_equivalence.jsonl")
    if "spec" not in row
    and row["score"] is not None
    and row["reason"] not in ("undecided", "equal_symbolic")  # sympy's answers, which take long
    and isinstance(row["reference"], str)
    and isinstance(row["completion"], str)
    and (box := _BOX.fullmatch(row["completion"]))
    and box[1].isascii()
    and box[1].count("{") == box[1].count("}")
    and not any(mark in box[1] for mark in ("boxed", "$", "**", "\\(", "<", "\\rm"))
]
DRESSES = [
    r"\color{{red}}{{{}}}", r"{{\color{{blue}} {}}}", r"\textcolor[RGB]{{1,2,3}}{{{}}}",
    r"\displaystyle {}", r"{{\displaystyle {}}}", r"\mathbf{{{}}}", r"{{\bf {}}}", r"\underline{{{}}}",
    r"\underbrace{{{}}}_{{\text{{so}}}}", r"{}\hspace{{2mm}}", r"\vphantom{{\frac12}}{}", r"{} \tag{{7}}",
    r"{} \label{{eq:7}}", r"\large {}", r"<b>{}</b>", r"<span class='x'>{}</span><br>",
]  # fmt: skip


@functools.cache
def _passed(answer: str, reference: str) -> bool:
    return MathEquivalence().verify(f"\\boxed{{{answer}}}", reference).passed


@pytest.mark.parametrize(("number", "dress"), list(enumerate(DRESSES)), ids=DRESSES)
def test_looks_change_no_verdict(number: int, dress: str) -> None:
    """Neither a right answer's nor a wrong one's; every other pair wears one of them; in ``make soak`` each wears all."""
    verifier = MathEquivalence()
    changed = []
    for answer, reference, _ in PAIRS if SOAK else PAIRS[2 * number :: 2 * len(DRESSES)]:
        dots = "dots" in answer or ".." in answer or "…" in answer
        if dots and "underbrace" in dress:  # it would count what the dots stand for
            continue
        plain = _passed(answer, reference)
        if verifier.verify(f"\\boxed{{{dress.format(answer)}}}", reference).passed != plain:
            changed.append((answer, reference, plain))
    assert not changed


LAYERS = st.recursive(
    st.sampled_from(["7", "x", "x+1", r"\frac12", "(1,2)", "", r"\pi", "12", "cm"]),
    lambda inner: st.one_of(
        st.builds(lambda dress, text: dress.format(text), st.sampled_from(DRESSES), inner),
        st.builds(lambda one, other: one + other, inner, inner),
        inner.map(lambda text: "{" + text),
        inner.map(lambda text: text + "}"),
        inner.map(lambda text: text + "^"),
        inner.map(lambda text: "&lt;" + text + "$"),
    ),
    max_leaves=8,
)


@settings(max_examples=examples(60), deadline=None)
@given(LAYERS)
def test_cleaning_twice_changes_no_verdict(text: str) -> None:
    """What was cleaned is the same answer, whatever is wrong with it."""
    once = clean(text)
    verifier = MathEquivalence()
    if once and verifier.verify(f"<answer>{text}</answer>", "x+1").passed:
        assert verifier.verify(f"<answer>{once}</answer>", "x+1").passed


@given(st.from_regex(_PLAIN.pattern, fullmatch=True))
def test_a_plain_number_is_clean(text: str) -> None:
    """The short way, which is taken first, says what the long one does."""
    assert _cleaned(text) == text == clean(text)


@pytest.mark.parametrize(
    "piece",
    [r"\mathbf{", r"{\bf ", r"\color{", r"\color", "}", r"\underbrace{x}_", "<b>", "<b></b>", "</b>", "&lt;", r"\rm ",
     r"\kern", r"\textcircled{", r"\hspace{1}", r"\left.", "<b ", r"\ce{", "0,(", r"\color[", "\\$", "1{,}"],
)  # fmt: skip
def test_cleaning_takes_linear_time(piece: str) -> None:
    """Eight times as much takes some eight times as long, and a quadratic pass would take sixty-four times."""
    short, long = piece * 1_000, piece * 8_000
    clean(short)
    quick = min(timed(clean, short)[1] for _ in range(5))
    slow = min(timed(clean, long)[1] for _ in range(3))
    assert slow < 24 * max(quick, 0.0005)


@settings(max_examples=examples(50), deadline=None)
@given(
    st.integers(1, 400), st.integers(2, 60), st.sampled_from(["bar", "dots", "brackets", "unicode", "comma"])
)
def test_a_recurring_decimal_is_its_fraction(top: int, bottom: int, notation: str) -> None:
    """However its period is marked; the neighbours of the fraction are others."""
    value = Fraction(top, bottom)
    whole, rest = divmod(value.numerator, value.denominator)
    digits, seen = "", {}
    while rest and rest not in seen:
        seen[rest] = len(digits)
        digits += str(rest * 10 // value.denominator)
        rest = rest * 10 % value.denominator
    if not rest:
        return
    start = seen[rest]
    head, period = digits[:start], digits[start:]
    dotted = rf"\dot{{{period[0]}}}" + (rf"{period[1:-1]}\dot{{{period[-1]}}}" if len(period) > 1 else "")
    text = {
        "bar": rf"{whole}.{head}\overline{{{period}}}",
        "dots": f"{whole}.{head}{dotted}",
        "brackets": f"{whole}.{head}({period})",
        "unicode": f"{whole}.{head}" + "".join(f"{digit}\u0305" for digit in period),
        "comma": rf"{whole},{head}\overline{{{period}}}"
        if not head
        else rf"{whole}.{head}\overline{{{period}}}",
    }[notation]
    verifier = MathEquivalence()
    assert verifier.verify(f"\\boxed{{{text}}}", f"{top}/{bottom}").passed
    assert not verifier.verify(f"\\boxed{{{text}}}", f"{top + 1}/{bottom}").passed
    # A decimal of ten digits stands for what rounds to it.
    short = len(f"{whole}{digits}") < 10
    assert not verifier.verify(f"\\boxed{{{whole}.{head}{period}}}", f"{top}/{bottom}").passed or not short


@settings(max_examples=examples(50), deadline=None)
@given(
    st.integers(0, 9_999),
    st.integers(0, 999),
    st.integers(1, 3),
    st.sampled_from(["", r" \$", " €", r"\%", " kg"]),
)
def test_a_comma_is_decimal_where_the_reference_has_a_point(
    whole: int, part: int, length: int, unit: str
) -> None:
    """And only there: against anything but this number it is a list, or what divides thousands."""
    digits = f"{part:0{length}d}"[:length]
    verifier = MathEquivalence()
    answer = f"The result is \\boxed{{{whole},{digits}{unit}}}."
    thousands = length == 3 and 0 < whole < 1000
    assert verifier.verify(answer, f"{whole}.{digits}{unit}").passed is not thousands
    assert not verifier.verify(answer, f"{whole}.{digits}1{unit}").passed
    assert not verifier.verify(answer, f"{whole + 1}.{digits}{unit}").passed
    assert not verifier.verify(f"\\boxed{{({whole},{digits})}}", f"{whole}.{digits}").passed
    if not thousands:
        assert not verifier.verify(answer, f"{whole}{digits}{unit}").passed or not whole
    if not unit and length < 3 and int(digits):
        # The list of two numbers is not this decimal.
        assert not verifier.verify(f"\\boxed{{{whole}.{digits}}}", f"{whole},{digits}").passed or whole > 999


FORMS = [
    "{}) {}", "({}) {}", "{}. {}", "{}: {}", r"\textbf{{({})}}\ {}", r"\text{{{})}} {}", "Option {}: {}",
    r"\mathrm{{({})}}\ {}",
]  # fmt: skip


@settings(max_examples=examples(50), deadline=None)
@given(
    st.sampled_from("ABCDE"), st.sampled_from("ABCDE"), st.sampled_from(FORMS), st.sampled_from(FORMS),
    st.sampled_from(["12", r"\frac{1}{2}", "-3", "x+1", r"\text{the Nile}", "(1,2)"]),
    st.sampled_from(["12", r"\frac{1}{2}", "-3", "x+1", r"\text{the Nile}", "(1,2)"]),
)  # fmt: skip
def test_an_option_is_its_letter_and_its_text(
    letter: str, other: str, form: str, other_form: str, text: str, other_text: str
) -> None:
    """Neither another letter nor another text is paid; in strict mode nothing is added to either."""
    verifier = MathEquivalence()

    def paid(answer: str, reference: str) -> bool:
        return verifier.verify(f"\\boxed{{{answer}}}", reference).passed

    one, two = form.format(letter, text), other_form.format(other, other_text)
    assert all((paid(one, letter), paid(one, text), paid(letter, one), paid(text, one)))
    assert paid(one, other) == paid(other, one) == (letter == other)
    assert paid(one, other_text) == (text == other_text)
    assert paid(one, two) == (letter == other and text == other_text)
    strict = MathEquivalence(strict=True)
    assert not strict.verify(f"\\boxed{{{one}}}", letter).passed
