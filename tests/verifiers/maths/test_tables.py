"""Tables and conditions of the mathematics, each entry and each operand by itself."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from fractions import Fraction
from typing import Any

import pytest

import verifiers.formulas
import verifiers.maths
import verifiers.reading
from tests.support import FIXTURES, from_table, in_groups, rows
from verifiers.formulas.answer_shapes import Value
from verifiers.formulas.cost_limits import UnreadableError
from verifiers.formulas.exact_values import TooLargeError, exact, multiplied
from verifiers.formulas.formula_tree import FUNCTIONS, Apply, Node, Number, Power, Product, walk
from verifiers.formulas.polynomials import linear, same_function
from verifiers.maths.decide.value_agreement import _number
from verifiers.reading.answer_readings import Reading
from verifiers.reading.formula_parser import parse
from verifiers.reading.plain_numbers import read_number
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.statements import read


def _classes() -> list[type[Any]]:
    """The dataclasses that formulas, their reading and mathematics define."""
    found: dict[type[Any], None] = {}
    for package in (verifiers.formulas, verifiers.reading, verifiers.maths):
        for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            for _, kind in inspect.getmembers(importlib.import_module(info.name), inspect.isclass):
                if dataclasses.is_dataclass(kind) and kind.__module__ == info.name:
                    found[kind] = None
    return list(found)


CLASSES = _classes()
CHANGES = {"Account", "Point"}
"""What keeps count of work done, and of what was seen."""


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__qualname__)
def test_trees_shapes_and_policies_are_frozen(kind: Any) -> None:
    """They are keys of caches, parts of one another and shared between answers."""
    own = vars(kind).get("__dataclass_params__")
    assert own is not None, "a base's decorator says nothing of its fields"
    assert own.frozen or kind.__name__ in CHANGES
    assert own.eq
    assert kind.__hash__ is not None or kind.__name__ in CHANGES


MADE = {
    "sin": r"\sin x", "cos": r"\cos x", "tan": r"\tan x", "cot": r"\cot x", "sec": r"\sec x", "csc": r"\csc x",
    "asin": r"\arcsin x", "acos": r"\arccos x", "atan": r"\arctan x", "sinh": r"\sinh x", "cosh": r"\cosh x",
    "tanh": r"\tanh x", "ln": r"\ln x", "log": r"\log x", "abs": "|x|", "floor": r"\lfloor x \rfloor",
    "ceil": r"\lceil x \rceil", "factorial": "n!", "double_factorial": "n!!", "binomial": r"\binom{n}{k}",
    "log_base": r"\log_2 x", "max": r"\max(1, x, 3)", "min": r"\min(1, x)", "gcd": r"\gcd(n, 4)",
    "lcm": r"\operatorname{lcm}(n, 4, 6)", "degrees": r"30^\circ", "of": "A(x + 1)",
    "sech": r"\operatorname{sech} x", "csch": r"\operatorname{csch} x", "coth": r"\coth x",
    "asinh": r"\operatorname{arsinh} x", "acosh": r"\operatorname{arcosh} x", "atanh": r"\operatorname{artanh} x",
    "acot": r"\operatorname{arccot} x", "asec": r"\operatorname{arcsec} x", "acsc": r"\operatorname{arccsc} x",
    "gamma": r"\Gamma(x)", "zeta": r"\zeta(3)", "erf": r"\operatorname{erf}(x)", "erfc": r"\operatorname{erfc}(x)",
    "cis": r"\operatorname{cis} x", "re": r"\operatorname{Re} z", "im": r"\operatorname{Im} z",
    "arg": r"\arg z", "sgn": r"\operatorname{sgn} x", "mod": r"7 \bmod 3",
}  # fmt: skip


@in_groups(sorted(MADE), str)
def test_a_function_takes_as_many_arguments_as_its_table_says(function: str) -> None:
    """What reads a formula makes no other."""
    calls = [each for each in walk(parse(MADE[function])) if isinstance(each, Apply)]
    assert [each.function for each in calls] == [function]
    assert len(calls[0].arguments) == FUNCTIONS[function] or FUNCTIONS[function] == 0


def test_every_call_in_every_row_has_the_arguments_of_the_table() -> None:
    """Of all references and answers of the case rows."""
    seen = set()
    for row in rows(FIXTURES / "cases" / "math_equivalence.jsonl"):
        for text in (row["completion"], row["reference"]):
            shape = read(clean(text)) if isinstance(text, str) and len(text) < 200 else None
            for node in walk(shape.node) if isinstance(shape, Value) else ():
                if isinstance(node, Apply):
                    seen.add(node.function)
                    assert FUNCTIONS[node.function] in (0, len(node.arguments)), text
    assert len(seen) > 20
    assert {name for name, count in FUNCTIONS.items() if count == 0} == {"max", "min", "gcd", "lcm"}


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("half", 2), ("third", 3), ("fourth", 4), ("quarter", 4), ("fifth", 5), ("sixth", 6), ("seventh", 7),
        ("eighth", 8), ("ninth", 9), ("tenth", 10), ("hundredth", 100), ("thousandth", 1000),
    ],
)  # fmt: skip
def test_each_share_is_its_own(word: str, parts: int) -> None:
    """In digits and in words."""
    assert read_number(f"3 {word}s") == Value(Number(Fraction(3, parts)))
    assert read_number(f"7-{word}s") == Value(Number(Fraction(7, parts)))


@pytest.mark.parametrize(
    ("word", "size"), [("hundred", 2), ("thousand", 3), ("million", 6), ("billion", 9), ("trillion", 12)]
)
def test_each_size_is_its_own(word: str, size: int) -> None:
    """After a decimal, too."""
    for text in (f"2.5 {word}", rf"2.5 \text{{ {word}}}"):
        assert read_number(text) == Value(Number(Fraction(5, 2) * 10**size))


@from_table()
def test_a_rational_value_is_exact(text: str, value: str | None) -> None:
    """At the edges of each function; None where it is not certain to be one."""
    found = exact(parse(text))
    assert (None if found is None else str(Fraction(int(found.p), int(found.q)))) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("2x/3 - 1", (Fraction(2, 3), -1)), ("x", (1, 0)), ("-x/4 + 5", (Fraction(-1, 4), 5)), ("x/(x + 1)", None), ("1/x", None),
        ("x^2", None), ("x + y", None), ("3", None), (r"x + \sqrt{x}", None),
    ],
)  # fmt: skip
def test_a_line_has_one_unknown_and_no_denominator(text: str, line: tuple[Any, Any] | None) -> None:
    """Else nothing is solved."""
    found = linear(parse(text))
    if found is None or line is None:
        assert (found is None) == (line is None)
        return
    name, slope, rest = found
    assert (name, Fraction(int(slope.p), int(slope.q)), Fraction(int(rest.p), int(rest.q))) == ("x", *line)


def test_the_table_of_functions_is_what_parse_knows() -> None:
    """A word with brackets after it that is in no table is no function."""
    with pytest.raises(UnreadableError):
        parse(r"\operatorname{nothing}(x)")


def test_parts_of_a_number_are_multiplied_and_signs_kept() -> None:
    """A share of a whole; minus before a number, and a product that is none."""
    assert exact(Apply("of", (Number(Fraction(2)), Number(Fraction(3))))) == 6
    assert _number(Product((Number(Fraction(-1)), Number(Fraction(5))))) == -5
    assert _number(Product((Number(Fraction(0)), Number(Fraction(5))))) == 0


def _node(text: str) -> Node:
    shape = Reading(text).shape
    assert isinstance(shape, Value)
    return shape.node


def test_what_would_be_too_large_is_not_worked_out() -> None:
    """A cell of a matrix stays as it is; a power of a sum is given up before its terms are written."""
    tower = Power(Number(Fraction(10)), Power(Number(Fraction(10)), Number(Fraction(9))))
    one = [[Number(Fraction(1))]]
    assert multiplied([[tower]], one)
    power = _node("(a+b+c+d+f+g+h+k+m+n)^{14}")
    with pytest.raises(TooLargeError):
        same_function(power, Number(Fraction(1)))
