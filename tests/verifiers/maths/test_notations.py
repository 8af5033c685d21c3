r"""References in two notations, what follows a reference, and calculations that have to be true."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards.recipe.load import load_recipe
from tests.support import in_groups
from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.reading.spelling.cleaning import clean

JUDGE = MathEquivalence()
ROOT = Path(__file__).parents[3]
ROWS = [json.loads(line) for line in (ROOT / "fixtures/own_rows/readings.jsonl").read_text().splitlines()]
SMALL = st.integers(-9, 9)
COUNT = st.integers(2, 9)


def _score(answer: str, reference: str, prompt: str | None = None) -> float | None:
    return JUDGE.verify(rf"\boxed{{{answer}}}", reference, prompt=prompt).score


@settings(max_examples=examples(40), deadline=None)
@given(low=SMALL, width=COUNT, sign=st.sampled_from([":", ";", ",", r"\text{ or }"]))
def test_a_set_in_two_notations_is_met_by_either(low: int, width: int, sign: str) -> None:
    """Where both say the same; where they do not, it is no set."""
    high = low + width
    condition, interval = rf"{low} \le x < {high}", f"[{low}, {high})"
    for reference in (f"{condition} {sign} {interval}", f"{interval} {sign} {condition}"):
        assert JUDGE.judge_reference(reference).kind == "readable"
        assert _score(condition, reference) == _score(interval, reference) == 1.0
        assert _score(f"({low}, {high})", reference) == 0.0
        assert _score(rf"{low} \le x \le {high}", reference) == 0.0


@settings(max_examples=examples(40), deadline=None)
@given(top=st.integers(1, 400), places=st.integers(2, 4))
def test_a_decimal_beside_an_exact_value_is_for_decimals_alone(top: int, places: int) -> None:
    r"""``\sqrt7 \approx 2.65`` is met by both; what rounds to 2.65 as well is another value."""
    root = math.isqrt(top)
    if root * root == top:
        return
    decimal = f"{math.sqrt(top):.{places}f}"
    reference = rf"\sqrt{{{top}}} \approx {decimal}"
    assert _score(rf"\sqrt{{{top}}}", reference) == _score(decimal, reference) == 1.0
    assert _score(rf"\sqrt{{{top}}} + 10^{{-9}}", reference) == 0.0
    assert _score(f"{decimal}1", reference) == 0.0


@settings(max_examples=examples(40), deadline=None)
@given(one=SMALL, other=SMALL, at=SMALL)
def test_cases_in_words_are_cases(one: int, other: int, at: int) -> None:
    """With "if", "when" and "otherwise"; the other way round they are another function."""
    cases = rf"\begin{{cases}}{one} & x < {at}\\{other} & x \ge {at}\end{{cases}}"
    for words in (
        rf"{one} \text{{ if }} x < {at}, {other} \text{{ if }} x \ge {at}",
        rf"{one} \text{{ if }} x < {at} \text{{ and }} {other} \text{{ otherwise}}",
        rf"{one} \text{{ when }} x < {at}; {other} \text{{ when }} x \ge {at}",
    ):
        assert _score(words, cases) == _score(cases, words) == 1.0
        if one != other:
            swapped = rf"{other} \text{{ if }} x < {at}, {one} \text{{ otherwise}}"
            assert _score(swapped, words) == 0.0


@settings(max_examples=examples(30), deadline=None)
@given(step=st.integers(1, 6), shift=st.integers(0, 6), shown=st.integers(2, 4))
def test_a_sum_with_dots_is_the_sum_of_its_last_term(step: int, shift: int, shown: int) -> None:
    """The terms that are shown say where it begins."""
    terms = "+".join(str(step * at + shift) for at in range(1, shown + 1))
    written = rf"{terms}+\cdots+({step}n+{shift})"
    closed = rf"\frac{{{step}n(n+1)}}{{2}}+{shift}n"
    assert _score(written, closed) == 1.0
    assert _score(written, closed + "+1") == 0.0


@settings(max_examples=examples(30), deadline=None)
@given(degrees=st.integers(0, 89), minutes=st.integers(0, 59), seconds=st.integers(0, 59))
def test_minutes_and_seconds_of_arc_are_sixtieths(degrees: int, minutes: int, seconds: int) -> None:
    """They are no strokes behind a number."""
    value = Fraction(degrees) + Fraction(minutes, 60) + Fraction(seconds, 3600)
    written = rf"{degrees}^\circ {minutes}' {seconds}''"
    exact = rf"\frac{{{value.numerator}}}{{{value.denominator}}}^\circ"
    assert _score(written, exact) == 1.0
    assert _score(written, rf"({exact[:-6]} + 1)^\circ") == 0.0


@settings(max_examples=examples(40), deadline=None)
@given(base=st.integers(2, 5), power=st.integers(1, 5), said=st.integers(1, 6))
def test_what_a_calculation_is_said_to_be_has_to_be_so(base: int, power: int, said: int) -> None:
    """In front of the equality sign, too, stands a number."""
    for left in (rf"\log_{{{base}}} {base**power}", rf"\sqrt{{{power**2}}}", rf"\ln e^{{{power}}}"):
        assert _score(f"{left} = {said}", str(said)) == float(said == power)


def test_values_keep_the_name_of_their_unknown() -> None:
    """Values of x are no values of y, nor one of each."""
    for answer in ("y=1, y=2", "x=1, y=2", "y=1, 2"):
        assert _score(answer, "x=1, x=2") == 0.0
    for answer in ("x=2, x=1", "1, 2", "x_1=1, x_2=2", "x=1, 2"):
        assert _score(answer, "x=1, x=2") == 1.0
    assert _score("0<y<1", "0<x<1") == 0.0
    assert _score(r"[k\pi, l\pi+1]", r"[k\pi, k\pi+1]") == 0.0
    assert _score(r"[n\pi, n\pi+1]", r"[k\pi, k\pi+1]") == 1.0


def test_parameters_have_one_name_in_all_parts() -> None:
    """Whatever they are called; letters of the question stay what they are."""
    assert _score("(s+2t, s, t)", "(u+2v, u, v)") == 1.0
    assert _score("(s+2t, t, s)", "(u+2v, u, v)") == 0.0
    assert _score("(t, 2t)", "(s, 2s)", "Let $s$ and $t$ be the sides.") == 0.0
    assert _score("c_1(2,4)e^{t}+c_2(3,1)e^{-t}", "c_1(1,2)e^{t}+c_2(3,1)e^{-t}") == 1.0
    assert _score("c_1(2,5)e^{t}+c_2(3,1)e^{-t}", "c_1(1,2)e^{t}+c_2(3,1)e^{-t}") == 0.0


@in_groups(ROWS, lambda row: row["id"])
def test_cleaning_keeps_braces_and_signs(row: dict[str, str]) -> None:
    """Braces that match match after it, and a mark over a letter is no decimal."""
    for text in (row["completion"], row["reference"]):
        cleaned = clean(text)
        if text.count("{") == text.count("}"):
            assert cleaned.count("{") == cleaned.count("}")
        assert clean(cleaned) == cleaned
        for mark in (r"\bar", r"\hat", r"\dot", r"\tilde"):
            assert cleaned.count(mark) == text.count(mark)


def test_rows_of_readings_are_judged_rightly_and_none_is_paid_wrongly() -> None:
    """Of the rows that were written before the code, as many as then; nothing that is wrong is paid."""
    verdicts = [JUDGE.verify(row["completion"], row["reference"], prompt=row["prompt"]) for row in ROWS]
    paid = [
        row["id"] for row, verdict in zip(ROWS, verdicts, strict=True) if verdict.passed > row["expected"]
    ]
    proved = [
        row["id"]
        for row, verdict in zip(ROWS, verdicts, strict=True)
        if row["expected"] and verdict.reason == "proved_unequal"
    ]
    right = sum(verdict.score == row["expected"] for row, verdict in zip(ROWS, verdicts, strict=True))
    assert not paid
    assert len(proved) <= 1, proved
    assert right >= 460


def test_the_demonstration_pays_for_sums_and_not_for_their_question() -> None:
    """``23+77`` in the right tags has the form and no more."""
    reward = load_recipe(ROOT / "training/configs/recipes/demo.yaml")
    for answer, pays in (("100", 1.2), ("23+77", 0.2), ("77+23", 0.2), ("23+77+0", 0.2)):
        completion = f"<THINK>I add them</THINK><SOLUTION>{answer}</SOLUTION>"
        assert reward([completion], answer=["100"], prompt=["23+77=?\n"]) == pytest.approx([pays])
