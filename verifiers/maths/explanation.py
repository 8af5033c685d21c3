"""Explanations for a person: the reading of each side, and a witness of the verdict.

A witness is plain data by which a program that shares no code with this one can check a verdict. A refutation
is what `decide.refutation` found. What is equal is shown part by part: an identity with its normal form, two
sets, or one text. `benchmarks/witness_check.py` says what it takes to believe each of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction

from ..formulas import regions
from ..formulas.answer_shapes import (
    Cases,
    Chain,
    Clock,
    Combined,
    Hedge,
    Infinity,
    Items,
    Matrix,
    Named,
    Numbers,
    Numeral,
    Ratio,
    Relation,
    Shape,
    Value,
    Words,
    bare,
    nodes,
)
from ..formulas.cost_limits import LIKELY, Account, OverBudgetError
from ..formulas.exact_values import TooLargeError
from ..formulas.formula_equality import decide, enclosures, is_equal
from ..formulas.formula_tree import (
    MINUS_ONE,
    Apply,
    Dummy,
    Node,
    Number,
    Power,
    Product,
    Range,
    Root,
    Sum,
    Symbol,
    functions,
)
from ..formulas.polynomials import Terms, normal_form
from ..reading.answer_readings import Reading
from ..runtime.patterns import lazy
from ..runtime.records import dataclass
from ..units.dates_and_times import Date
from .decide.answer_match import judged
from .decide.inquiries import noted
from .decide.names import aligned, one_name, pairs_by_name
from .decide.policy import Policy
from .decide.reference_classes import read
from .decide.refutation import Apart, Refutation, refuted
from .decide.shape_agreement import same
from .decide.value_agreement import compared

Data = None | str | int | list["Data"] | dict[str, "Data"]
"""Data that JSON can hold."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text, up to what only sets it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Two formulas of one value everywhere.

    Args:
        left: The reference, in the unit and under the reading in which they agree.
        right: The answer.
        normal: Both as a quotient of polynomials: unknowns, terms above, terms below; None if they are only
            known to have the same value.
    """

    left: Node
    right: Node
    normal: tuple[list[Node], Terms, Terms] | None


@dataclass(frozen=True, slots=True)
class Parts:
    """Pairs of equal parts, among which each part of either side stands."""

    pairs: tuple[tuple[Shape, Shape, Agreement], ...]


@dataclass(frozen=True, slots=True)
class Sets:
    """The same real numbers."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Equal by an allowance of the policy or by custom (a rounding, a constant, a name), not by identity."""


Agreement = Text | Identity | Parts | Sets | Allowed


def witness(expected: str, given: str, reason: str, policy: Policy) -> dict[str, Data] | None:
    """Return evidence for a verdict, as plain data; None if nothing was proved or found equal.

    >>> found = witness(r"\\frac{1}{3}", r"\\frac{1}{2}", "proved_unequal", Policy())
    >>> found["shown"][0]["because"]["pairs"][0]["values"]
    [['[0.33333333333333333333 +/- 3.34e-21]', '0'], ['0.50000000000000000000', '0']]
    """
    if reason != "proved_unequal" and not is_equal(reason):
        return None
    shown = _shown(read(expected), read(given), reason, policy)
    if not shown:
        return None
    return {
        "claim": reason,
        "expected": expected,
        "given": given,
        "question": policy.question.text if policy.question is not None else "",
        "shown": [_data(each) for each in shown],
    }


@dataclass(frozen=True, slots=True)
class Shown:
    """Two readings, and what shows that they are what is claimed."""

    expected: Shape | None
    given: Shape | None
    because: Refutation | Agreement


def _shown(expected: Reading, given: Reading, reason: str, policy: Policy) -> list[Shown]:
    if reason == "equal_text":
        return [Shown(None, None, Text())]
    try:
        return Account(LIKELY).run(_compared, expected, given, reason, policy)
    except OverBudgetError:
        return []


def _compared(expected: Reading, given: Reading, reason: str, policy: Policy) -> list[Shown]:
    notes = noted(judged, expected, given, policy)
    wanted = [each for each in notes if each[3] == reason and not _is_marked(each[0])]
    if reason == "proved_unequal":
        found = [Shown(one, other, refuted(one, other, by)) for one, other, by, _ in wanted]  # type: ignore[arg-type]
        return [each for each in found if each.because is not None]
    one, other = expected.shape, given.shape
    if not wanted and one is not None and other is not None:
        wanted = [(one, other, policy, reason)]
    return [Shown(note[0], note[1], _agreement(*note[:3])) for note in wanted[-1:]]


def _is_marked(shape: Shape) -> bool:
    """Return whether decimals of a shape stand for all that rounds to them, and so are no values to show."""
    return any("rounded" in functions(node) for node in nodes(shape))


def _agreement(one: Shape, other: Shape, policy: Policy) -> Agreement:
    if isinstance(one, Named) and isinstance(other, Named) and one_name(one, other):
        one, other = aligned(one, other)
    left, right = bare(one), bare(other)
    if isinstance(left, Value) and isinstance(right, Value):
        return _identity(left, right, policy)
    parts = _items(left), _items(right)
    if parts[0] and parts[1] and (pairs := _paired(*parts, policy)):
        return Parts(tuple((mine, theirs, _agreement(mine, theirs, policy)) for mine, theirs in pairs))
    if regions.region(one) is not None and regions.region(other) is not None:
        return Sets()
    return Allowed()


def _identity(one: Value, other: Value, policy: Policy) -> Agreement:
    for left, right in compared(one, other, policy):
        if not is_equal(reason := decide(left, right, any_base=False)):
            continue
        try:
            normal = None if reason == "equal_numeric" else normal_form(left)
        except TooLargeError:
            normal = None
        return Identity(left, right, normal)
    return Allowed()


def _items(shape: Shape) -> tuple[Shape, ...]:
    if isinstance(shape, Matrix):
        return tuple(cell for row in shape.rows for cell in row)
    return shape.items if isinstance(shape, Items) else ()


def _paired(
    one: tuple[Shape, ...], other: tuple[Shape, ...], policy: Policy
) -> list[tuple[Shape, Shape]] | None:
    """Equal parts, so that each part of either side is among them: of one place or name, or anywhere."""
    named = [[item for item in each if isinstance(item, Named)] for each in (one, other)]
    if named[0] and named[1]:
        return [*(pairs_by_name(*named) or ())] or None
    if len(one) == len(other) and all(map(same, one, other, [policy] * len(one))):
        return list(zip(one, other, strict=True))
    found = []
    for these, those, turned in ((one, other, False), (other, one, True)):
        for item in map(bare, these):
            pairs = [(each, item) if turned else (item, each) for each in map(bare, those)]
            if (pair := next((each for each in pairs if same(*each, policy)), None)) is None:
                return None
            found.append(pair)
    return list(dict.fromkeys(found))


def _data(value: object) -> Data:
    """Plain data: of an object its class under "is", and its fields."""
    if isinstance(value, Apart):
        return {"is": "Apart", "pairs": [_pair(*each) for each in value.pairs]}
    if dataclasses.is_dataclass(value):
        fields = {each.name: _data(getattr(value, each.name)) for each in dataclasses.fields(value)}
        return {"is": type(value).__name__, **fields}
    if isinstance(value, Mapping):
        return {str(name): _data(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_data(each) for each in value]
    return str(value) if isinstance(value, Fraction) else value  # type: ignore[return-value]  # text, number, None


def _pair(left: Node, right: Node, at: Mapping[str, Fraction]) -> Data:
    values = enclosures(left, right, at)
    return {"left": _data(left), "right": _data(right), "at": _data(at), "values": _data(values)}


_OPERATIONS = {"or": " united with ", "and": " intersected with ", "without": " without "}
_SETS = {"": "the empty set", "R": "the real numbers", "Z": "the integers", "N": "the natural numbers"}
_KINDS = {
    "list": ("a list of ", ""), "{}": ("a set of ", ""), "()": ("(", ")"), "[]": ("[", "]"), "(]": ("(", "]"),
    "[)": ("[", ")"),
}  # fmt: skip
_LONGEST = 400
_MARKS = lazy("[~|×]")


def show(shape: Shape | None) -> str:
    r"""A shape in words and plain formulas.

    >>> from verifiers.reading.statements import read
    >>> show(read(r"x = \frac{3}{2}, y = 50%")), show(read("-1 < x <= 3"))
    ('a list of x = 3/2; y = percent(50)', '-1 < x <= 3')
    >>> show(read(r"(-\infty, 2\sqrt{3}] \cup \{4\}")), show(read("5 cm^2"))
    ('(-infinity; 2*sqrt(3)] united with a set of 4', '5 in cm^2')
    """
    text = "text, compared as it is" if shape is None else _shape(shape)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"


def _shape(shape: Shape) -> str:
    if isinstance(shape, Value):
        return formula(shape.node) + (f" in {_MARKS.sub('', shape.unit)}" if shape.unit else "")
    if isinstance(shape, Words):
        return f"the words {shape.text!r}"
    if isinstance(shape, Infinity):
        return "infinity" if shape.sign > 0 else "-infinity"
    if isinstance(shape, Items):
        opening, closing = _KINDS[shape.kind]
        return opening + "; ".join(map(_shape, shape.items)) + closing
    if isinstance(shape, Numbers):
        return _SETS.get(shape.name, f"the set {shape.name}")
    if isinstance(shape, Combined):
        return _OPERATIONS[shape.operation].join(map(_shape, shape.parts))
    if isinstance(shape, Matrix):
        return "a matrix of " + " / ".join("; ".join(map(_shape, row)) for row in shape.rows)
    if isinstance(shape, Relation):
        return f"{_shape(shape.left)} {shape.sign} {_shape(shape.right)}"
    if isinstance(shape, Chain):
        pairs = zip(shape.signs, shape.sides[1:], strict=True)
        return _shape(shape.sides[0]) + "".join(f" {sign} {_shape(side)}" for sign, side in pairs)
    return _rarer(shape)


def _rarer(shape: Named | Ratio | Clock | Date | Numeral | Cases | Hedge) -> str:
    if isinstance(shape, Named):
        return f"{shape.name} {shape.sign} {_shape(shape.shape)}"
    if isinstance(shape, Ratio):
        return "the ratio " + " : ".join(map(_shape, shape.parts))
    if isinstance(shape, Clock):
        minutes, seconds = divmod(shape.seconds, 60)
        return f"the time {minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    if isinstance(shape, Date):
        written = "-".join(f"{part:02}" for part in (shape.year, shape.month, shape.day) if part is not None)
        return f"the date {written}"
    if isinstance(shape, Numeral):
        return f"the digits {shape.digits} in base {shape.base}"
    if isinstance(shape, Cases):
        return "; ".join(f"{_shape(value)} if {_shape(condition)}" for value, condition in shape.rows)
    return f"several values for one: {shape.problem}"


def formula(node: Node) -> str:
    """A tree as a plain formula with few brackets.

    >>> from verifiers.reading.formula_parser import parse
    >>> formula(parse(r"\\frac{x+1}{2} - \\sin^2 y"))
    '(x + 1)/2 - sin(y)^2'
    """
    if isinstance(node, Number):
        return str(node.value)
    if isinstance(node, Symbol):
        return node.name
    if isinstance(node, Sum):
        terms = [formula(term) for term in node.terms]
        return " ".join(
            [terms[0], *(f"- {term[1:]}" if term[0] == "-" else f"+ {term}" for term in terms[1:])]
        )
    if isinstance(node, Product):
        return _product(node)
    if isinstance(node, Power):
        return f"{_tight(node.base)}^{_tight(node.exponent)}"
    if isinstance(node, Root):
        name = {2: "sqrt", 3: "cbrt"}.get(node.degree, f"root{node.degree}")
        return f"{name}({formula(node.radicand)})"
    if isinstance(node, Apply):
        return f"{node.function}({', '.join(map(formula, node.arguments))})"
    if isinstance(node, Range):
        low, high = formula(node.low), formula(node.high)
        return f"{node.operation}({formula(node.body)}, {node.dummy.letter} = {low} .. {high})"
    return node.letter if isinstance(node, Dummy) else node.name


def _product(node: Product) -> str:
    if node.factors[0] == MINUS_ONE and len(node.factors) > 1:
        rest = node.factors[1] if len(node.factors) == 2 else Product(node.factors[1:])
        return "-" + (formula(rest) if isinstance(rest, Product) else _tight(rest))
    text = ""
    for factor in node.factors:
        if isinstance(factor, Power) and factor.exponent == MINUS_ONE:
            text = f"{text or '1'}/{_tight(factor.base)}"
        else:
            text = f"{text}*{_tight(factor)}" if text not in ("", "1") else _tight(factor)
    return text


def _tight(node: Node) -> str:
    text = formula(node)
    loose = isinstance(node, Sum) or (
        isinstance(node, Product) and ("/" in text or "*" in text or text[0] == "-")
    )
    negative = isinstance(node, Number) and (node.value < 0 or node.value.denominator != 1)
    return f"({text})" if loose or negative else text
