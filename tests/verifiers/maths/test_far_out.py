"""Formulas made of pieces are compared at their switches and far out; saturated functions with digits enough."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import examples
from tests.verifiers.maths.deciding import compare
from verifiers import MathEquivalence
from verifiers.formulas.answer_shapes import Value
from verifiers.formulas.formula_equality import decide
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.statements import read


def decided(one: str, other: str) -> str | None:
    """What is found of two formulas as functions, before it is asked whether that says anything of answers."""
    left, right = read(clean(one)), read(clean(other))
    assert isinstance(left, Value)
    assert isinstance(right, Value)
    return decide(left.node, right.node)


@from_table()
def test_what_differs_far_out_is_not_equal(one: str, other: str) -> None:
    """In either order."""
    assert decided(one, other) == "proved_unequal"
    assert decided(other, one) == "proved_unequal"


@pytest.mark.parametrize("size", [400, 2_000, 20_000, 90_000, 10**7])
def test_a_saturated_function_is_not_its_limit(size: int) -> None:
    """Refuted, or not decided; never paid."""
    for answer, reference in (
        (rf"\tanh {size}", "1"),
        (rf"\tanh(-{size})", "-1"),
        (f"{size}", rf"{size}\tanh {size}"),
    ):
        assert compare(reference, answer) in ("proved_unequal", None)
        assert not MathEquivalence().verify(rf"\boxed{{{answer}}}", reference).passed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("|x-y|", "|y-x|"), (r"\sqrt{x^2}", "|x|"), (r"\sqrt{x^2+1}", r"\sqrt{1+x^2}"),
        (r"\frac{|x-10^7|}{2}", r"|\frac{x-10^7}{2}|"), (r"\min(x,y)", r"\frac{x+y-|x-y|}{2}"),
        (r"\max(x,10^6)", r"\frac{x+10^6+|x-10^6|}{2}"), (r"\lfloor x+3\rfloor", r"\lfloor x\rfloor+3"),
    ],
)  # fmt: skip
def test_what_is_equal_everywhere_stays_equal(one: str, other: str) -> None:
    """Where a value jumps, too."""
    assert (compare(one, other) or "").startswith("equal")


@given(st.integers(-(10**12), 10**12), st.integers(1, 50), st.sampled_from(["abs", "max", "min", "root"]))
@settings(max_examples=examples(40), deadline=None)
def test_a_switch_anywhere_is_seen(place: int, slope: int, kind: str) -> None:
    """Both pieces of a formula with one switch are told from the formula, wherever the switch is."""
    inside = rf"{slope}x-({place})"
    pieces = {
        "abs": (f"|{inside}|", inside, f"-({inside})"),
        "root": (rf"\sqrt{{({inside})^2}}", inside, f"-({inside})"),
        "max": (rf"\max({inside},0)", inside, "0"),
        "min": (rf"\min({inside},0)", inside, "0"),
    }[kind]
    for piece in pieces[1:]:
        assert decided(pieces[0], piece) == "proved_unequal"
