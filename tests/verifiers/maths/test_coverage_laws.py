"""Laws of what the value engine covers, by generators whose labels come from elsewhere."""

from __future__ import annotations

import itertools
import math
import random
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest

from tests.support import in_groups
from verifiers import MathEquivalence
from verifiers.formulas.exact_values import exact
from verifiers.reading.formula_parser import parse
from verifiers.reading.statements import read

JUDGE = MathEquivalence()


def paid(answer: str, reference: str) -> bool:
    """Whether a boxed answer is."""
    return JUDGE.verify(f"\\boxed{{{answer}}}", reference).passed


@in_groups(range(40), str)
def test_remainders_are_those_of_whole_numbers(seed: int) -> None:
    """Of sums and products of powers, also where the powers themselves are too large to be built."""
    dice = random.Random(seed)
    base, exponent, other, modulus = (dice.randint(2, 10 ** dice.randint(1, 6)) for _ in range(4))
    right = (pow(base, exponent, modulus) * other - other) % modulus
    text = rf"({base}^{{{exponent}}}\cdot {other}-{other}) \bmod {modulus}"
    assert exact(parse(text)) == right
    assert paid(text, str(right))
    assert not paid(text, str(right + 1))


@pytest.mark.parametrize("number", [1, 2, 12, 97, 360, 1001])
def test_functions_of_number_theory(number: int) -> None:
    """Against counting."""
    divisors = [each for each in range(1, number + 1) if number % each == 0]
    coprime = sum(math.gcd(each, number) == 1 for each in range(1, number + 1))
    for text, right in (
        (rf"\varphi({number})", coprime),
        (rf"\tau({number})", len(divisors)),
        (rf"\sigma({number})", sum(divisors)),
    ):
        assert paid(text, str(right))
        assert not paid(text, str(right + 1))


def test_derangements() -> None:
    """Against counting, too."""
    for count in range(1, 7):
        right = sum(
            all(place != each for place, each in enumerate(order))
            for order in itertools.permutations(range(count))
        )
        assert exact(parse(f"!{count}")) == right


@pytest.mark.parametrize("whole", range(1, 12))
def test_gamma_of_whole_numbers_and_halves(whole: int) -> None:
    """The factorial, and a rational multiple of the root of pi."""
    assert paid(rf"\Gamma({whole})", str(math.factorial(whole - 1)))
    half = Fraction(math.factorial(2 * whole), 4**whole * math.factorial(whole))
    text = rf"\frac{{{half.numerator}}}{{{half.denominator}}}\sqrt\pi"
    assert paid(rf"\Gamma\left({whole}+\frac12\right)", text)
    assert not paid(rf"\Gamma\left({whole}+\frac32\right)", text)


@pytest.mark.parametrize(
    "letter", ["F", "G", "H", "P", "Q", r"\Lambda", r"\Phi", r"\lambda", "f", "g", r"\Psi"]
)
@pytest.mark.parametrize("right", ["24", r"\frac{\pi^2}{6}", "x+1", "(1, 2)"])
def test_nothing_is_proved_of_what_is_not_known(letter: str, right: str) -> None:
    """A letter with brackets after it may be a function, whose value nobody here knows."""
    for answer, reference in ((f"{letter}(5)", right), (right, f"{letter}(5)")):
        verdict = JUDGE.verify(f"\\boxed{{{answer}}}", reference)
        assert verdict.score == 0.0
        assert verdict.reason != "proved_unequal"


FUNCTIONS = ["e^x", "e^{-x}", r"\sin x", r"\cos x", "x e^x", "1", "x", r"\ln x", r"\sqrt{x}"]


@in_groups(range(30), str)
def test_arbitrary_constants_have_no_names(seed: int) -> None:
    """In any order, under any of the usual letters; but other functions are other solutions."""
    dice = random.Random(seed)
    one, other, third = dice.sample(FUNCTIONS, 3)
    particular = dice.choice(["", "+x^3", r"-\tan x"])
    names = dice.choice([("A", "B"), ("C_2", "C_1"), ("c_1", "c_2"), ("K_1", "K_2")])
    reference = f"C_1 {one} + C_2 {other}{particular}"
    assert paid(f"{names[0]} {other} + {names[1]} {one}{particular}", reference)
    assert not paid(f"{names[0]} {third} + {names[1]} {one}{particular}", reference)
    assert not paid(f"{names[0]} {other} + {names[0]} {one}{particular}", reference)
    assert not paid(f"{names[0]} {other} + {names[1]} {one}{particular}+x^5", reference)
    assert not paid(f"x_2 {one} + x_1 {other}{particular}", f"x_1 {one} + x_2 {other}{particular}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\frac12\sin^2 x", r"-\frac14\cos 2x"), (r"\ln|3x|", r"\ln|x|"), (r"\tan^2 x", r"\sec^2 x"), (r"\frac{x}{x+1}", r"-\frac{1}{x+1}"),
        (r"\arcsin x", r"-\arccos x"), (r"(x+2)^3", "x^3+6x^2+12x"), (r"\ln(e^x+1)-x", r"\ln(1+e^{-x})+3"), (r"\sinh^2 x", r"\frac12\cosh 2x"),
    ],
)  # fmt: skip
def test_antiderivatives_differ_by_a_constant(one: str, other: str) -> None:
    """And by nothing else; without the constant they are different functions."""
    assert paid(f"{one}+C", f"{other}+C")
    assert paid(f"{other}+K", f"{one}+C")
    assert not paid(f"{one}+x+C", f"{other}+C")
    assert not paid(f"2({one})+C", f"{other}+C")
    assert not paid(one, f"{other}+C")
    assert not paid(f"{one}+C", other)


@in_groups(range(40), str)
def test_solutions_over_all_integers_are_sets(seed: int) -> None:
    """Shifted, reversed or cut into residues it is the same set; with another step or start it is not."""
    dice = random.Random(seed)
    start, step = Fraction(dice.randint(1, 11), 12), Fraction(dice.choice([1, 2, 3]), dice.choice([1, 2, 3]))
    parts, shift = dice.randint(2, 4), dice.randint(-3, 3)

    def written(begin: Fraction, by: Fraction, letter: str = "k") -> str:
        return (
            rf"\frac{{{begin.numerator}\pi}}{{{begin.denominator}}}"
            rf"+\frac{{{by.numerator}{letter}\pi}}{{{by.denominator}}}"
        )

    reference = written(start, step) + r", k\in\mathbb{Z}"
    assert paid(written(start + shift * step, -step, "n") + r", n\in\mathbb{Z}", reference)
    pieces = [written(start + each * step, parts * step) for each in range(parts)]
    assert paid(", ".join(pieces) + r", k\in\mathbb{Z}", reference)
    assert not paid(", ".join(pieces[1:]) + r", k\in\mathbb{Z}", reference)
    assert not paid(written(start, 2 * step) + r", k\in\mathbb{Z}", reference)
    assert not paid(written(start + step / 5, step) + r", k\in\mathbb{Z}", reference)


@in_groups(range(60), str)
def test_an_exact_answer_rounds_to_a_decimal_reference(seed: int) -> None:
    """As the decimal module rounds it; the decimal does not stand for the exact value in turn."""
    dice = random.Random(seed)
    value = Fraction(dice.randint(1, 9999), dice.choice([3, 7, 9, 11, 13, 17, 30, 700]))
    places = dice.randint(2, 5)
    quotient = Decimal(value.numerator) / Decimal(value.denominator)
    unit = Decimal(1).scaleb(-places)
    right = quotient.quantize(unit, ROUND_HALF_UP)
    answer = rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    finite = all(value.denominator % prime for prime in (3, 7, 11, 13, 17))
    enough = len(str(right).replace(".", "").lstrip("0")) >= 3
    assert paid(answer, str(right)) is ((enough and not finite) or Fraction(right) == value)
    if Fraction(right) != value:
        assert not paid(str(right), answer)
    for wrong in (right + unit, right - unit):
        assert paid(answer, str(wrong)) is (Fraction(wrong) == value)
        assert not paid(str(right), str(wrong))


@pytest.mark.parametrize("seed", range(20))
def test_a_matrix_times_its_inverse(seed: int) -> None:
    """Is the identity, whatever is in it; powers are products."""
    dice = random.Random(seed)
    size = dice.choice([2, 2, 3])
    rows = [[dice.randint(-4, 4) for _ in range(size)] for _ in range(size)]
    matrix = r"\begin{pmatrix}" + r"\\".join("&".join(map(str, row)) for row in rows) + r"\end{pmatrix}"
    ones = [[int(row == column) for column in range(size)] for row in range(size)]
    identity = r"\begin{pmatrix}" + r"\\".join("&".join(map(str, row)) for row in ones) + r"\end{pmatrix}"
    singular = exact(parse(matrix.replace("pmatrix", "vmatrix"))) == 0
    assert paid(f"{matrix}{matrix}^{{-1}}", identity) is not singular
    assert paid(f"{matrix}^3", f"{matrix}{matrix}{matrix}")
    assert paid(f"{matrix}^{{-2}}", f"{matrix}^{{-1}}{matrix}^{{-1}}") or singular


@pytest.mark.parametrize("base", [2, 3, 5, 8, 16])
def test_a_base_belongs_to_the_value(base: int) -> None:
    """The digits alone are another number, and so are they to another base; the value is another answer."""
    for number in (5, 42, 255):
        digits, rest = "", number
        while rest:
            digits, rest = "0123456789ABCDEF"[rest % base] + digits, rest // base
        if number < base:
            continue
        reference = f"{digits}_{{{base}}}"
        assert paid(f"{digits}_{base}" if base < 10 else f"({digits})_{{{base}}}", reference)
        assert not paid(digits, reference)
        assert not paid(str(number), reference)
        assert not paid(f"{digits}_{{{base + 1}}}", reference)
    assert read("0x2A") == read("2a_{16}")
    assert read("0b101") == read("101_2")
