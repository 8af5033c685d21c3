"""A thing is known in one place: what a table lists is known in a box, in a sentence and in a calculation."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support import in_groups
from verifiers import MathEquivalence
from verifiers.formulas.formula_equality import decide
from verifiers.formulas.formula_tree import FUNCTIONS, Apply, Number
from verifiers.language.signs import FUNCTION_NAMES, ROOTS, SUBSCRIPTS, SUPERSCRIPTS, TEXT_COMMANDS, THOUSANDS
from verifiers.reading.formula_parser import parse
from verifiers.reading.prose import formula_around, numbers
from verifiers.reading.spelling.cleaning import clean

SEVERAL = {"max", "min", "gcd", "lcm"}


@in_groups(sorted(FUNCTION_NAMES), str, 20)
def test_a_function_is_known_everywhere(name: str) -> None:
    """Each name of the table is a function in a box and in a sentence, and has a value that is worked out."""
    argument = (
        "(0.3, 0.2)" if name in SEVERAL else "(2.5)" if name in ("arcsec", "arccsc", "arccosec") else "(0.3)"
    )
    for written in (
        f"{name}{argument}",
        rf"\operatorname{{{name}}}{argument}",
        rf"\mathrm{{{name}}}{argument}",
    ):
        node = parse(clean(written))
        assert isinstance(node, Apply), written
        assert node.function in FUNCTIONS
        text = f"so it equals {written}"
        assert text[slice(*formula_around(text, *numbers(text)[0].span()))] == written
        judge = MathEquivalence()
        assert judge.verify(rf"\boxed{{{written}}}", f"{name}{argument}").score == 1.0
        verdict = judge.verify(rf"\boxed{{{written}}}", "7123.5")
        assert (verdict.score, verdict.reason) != (None, "exception"), verdict


def test_each_function_can_be_worked_out() -> None:
    """A name without a way to its value would be a fault on a row."""
    judge = MathEquivalence()
    for name in sorted(set(FUNCTION_NAMES.values()) - {"lg"}):
        verdict = judge.verify(rf"\boxed{{\operatorname{{{name}}}(0.25)}}", rf"\operatorname{{{name}}}(0.75)")
        assert verdict.score == 0.0 or name in ("ceil", "floor", "arg", "im", "sgn", *SEVERAL), (
            name,
            verdict,
        )


def test_raised_and_lowered_signs_are_known() -> None:
    """In a box and in a sentence."""
    for sign, plain in SUPERSCRIPTS.items():
        if plain.isdigit():
            assert parse(clean(f"3{sign}")) == parse(f"3^{{{plain}}}")
            text = f"It is 3{sign}."
            assert text[slice(*formula_around(text, 6, 7))] == f"3{sign}"
    for sign, plain in SUBSCRIPTS.items():
        if plain.isdigit():
            assert clean(f"x{sign}") == f"x_{{{plain}}}"
    for sign, degree in ROOTS.items():
        text = f"It is {sign}8."
        assert text[slice(*formula_around(text, 7, 8))] == f"{sign}8"
        assert parse(clean(f"{sign}8")) == parse(rf"\sqrt[{degree}]{{8}}" if degree else r"\sqrt{8}")


def test_each_way_to_group_thousands_is_read() -> None:
    """A number is the same in a box and in a sentence."""
    judge = MathEquivalence()
    for sign in (*THOUSANDS, " "):
        for said in (rf"\boxed{{12{sign}345}}", f"It equals 12{sign}345."):
            assert judge.verify(said, "12345").score == 1.0, said


@pytest.mark.parametrize("command", TEXT_COMMANDS)
def test_text_that_is_set_is_text(command: str) -> None:
    """Whatever command sets it."""
    judge = MathEquivalence()
    assert judge.verify(rf"\boxed{{5\ \{command}{{cm}}}}", r"5\text{ cm}").score == 1.0


def test_a_typed_cross_is_a_product() -> None:
    """Between two numbers, however it is spaced; beside a letter it stays an unknown."""
    for written in ("3x4", "3 x 4", "3 X 4", "3 * 4"):
        assert decide(parse(clean(written)), Number(Fraction(12)), True) == "equal_rational"
