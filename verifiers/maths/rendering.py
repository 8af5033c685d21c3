"""Shapes and trees as text for a person: what an answer was read as."""

from __future__ import annotations

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
)
from ..formulas.shapes import (
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
)
from ..runtime.patterns import lazy
from ..units.dates import Date

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
