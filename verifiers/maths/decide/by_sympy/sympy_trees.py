"""Trees of the grammar as sympy has them, which takes a hundredth of the time of its LaTeX parser."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from ....formulas.formula_tree import (
    INFINITY,
    MINUS_ONE,
    Apply,
    Constant,
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

_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I}
_FUNCTIONS = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot, "sec": sympy.sec,
    "csc": sympy.csc, "asin": sympy.asin, "acos": sympy.acos, "atan": sympy.atan, "sinh": sympy.sinh,
    "cosh": sympy.cosh, "tanh": sympy.tanh, "ln": sympy.log, "exp": sympy.exp, "abs": sympy.Abs,
    "floor": sympy.floor, "ceil": sympy.ceiling, "factorial": sympy.factorial, "binomial": sympy.binomial,
    "max": sympy.Max, "min": sympy.Min,
}  # fmt: skip
_RANGES = {"integral": sympy.Integral, "sum": sympy.Sum, "product": sympy.Product}


def as_sympy(node: Node) -> Any | None:
    """The expression that a tree stands for, ranges not worked out; None where that is not certain."""
    try:
        return _expression(node)
    except KeyError:
        return None


def _expression(node: Node) -> Any:
    if isinstance(node, Number):
        return sympy.Rational(node.value.numerator, node.value.denominator)
    if isinstance(node, Symbol):
        return sympy.Symbol(node.name)
    if isinstance(node, Constant):
        return sympy.oo if node == INFINITY else _CONSTANTS[node.name]
    if isinstance(node, Dummy):
        return sympy.Symbol(f"@{node.level}", real=True)
    if isinstance(node, Sum):
        return sympy.Add(*map(_expression, node.terms))
    if isinstance(node, Product):
        return sympy.Mul(*map(_expression, node.factors))
    if isinstance(node, Power):
        return sympy.Pow(_expression(node.base), _expression(node.exponent))
    if isinstance(node, Root):
        if node.degree % 2:
            raise KeyError("a root that may be real or complex")
        return sympy.root(_expression(node.radicand), node.degree)
    if isinstance(node, Apply):
        return _applied(node.function, [_expression(each) for each in node.arguments])
    return _range(node)


def _applied(name: str, arguments: list[Any]) -> Any:
    if name == "percent":
        return arguments[0] / 100
    if name == "degrees":
        return arguments[0] * sympy.pi / 180
    if name == "log_base":
        return sympy.log(arguments[1]) / sympy.log(arguments[0])
    return _FUNCTIONS[name](*arguments)


def _range(node: Range) -> Any:
    if node.operation == "limit":
        unknown = sympy.Symbol(f"@{node.dummy.level}")
        body = _expression(node.body).subs(sympy.Symbol(f"@{node.dummy.level}", real=True), unknown)
        side = (
            {Number(Fraction(1)): "+", MINUS_ONE: "-"}.get(node.high, "")
            if isinstance(node.high, Number)
            else ""
        )
        at = _expression(node.low)
        return sympy.Limit(body, unknown, at, side or ("+-" if at.is_finite else "+"))
    running = sympy.Symbol(f"@{node.dummy.level}", real=True)
    body, low, high = map(_expression, (node.body, node.low, node.high))
    if node.operation != "integral":
        # Sympy knows more series of integers than of real numbers.
        counting = sympy.Symbol(f"@{node.dummy.level}", integer=True)
        body, running = body.subs(running, counting), counting
    return _RANGES[node.operation](body, (running, low, high))
