"""Formulas once read: small typed trees. Nothing in them is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from ..runtime.records import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A rational number, as it was written: 0.1 is 1/10."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Symbol:
    """An unknown, with its subscript: ``x``, ``x_1``, ``theta``."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """``pi``, ``e``, ``i``, or ``euler``: what the harmonic numbers are ahead of the logarithm."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms that are added."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors that are multiplied. A quotient has a factor with the exponent -1."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """A base with an exponent."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Root:
    """The root of a degree; of odd degree it is real for negative numbers too, as schools have it."""

    radicand: Node
    degree: int


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of its arguments: one of `FUNCTIONS`, by name."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Dummy:
    """The unknown that a range binds, by how many ranges are below it: its letter tells nothing apart."""

    level: int
    letter: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    """An integral of a body from one end to the other, a sum or product that is not written out, or a limit.

    Args:
        operation: "integral", "sum", "product" or "limit".
        body: Summand, with `dummy` in it.
        dummy: Variable that runs from `low` to `high`.
        low: A formula, or `INFINITY` with or without a minus sign; for a limit, where it is taken.
        high: The same; for a limit 1, -1 or 0: from above, from below, or as is usual there.
    """

    operation: str
    body: Node
    dummy: Dummy
    low: Node
    high: Node


Node = Number | Symbol | Constant | Sum | Product | Power | Root | Apply | Dummy | Range

FUNCTIONS = {
    "sin": 1, "cos": 1, "tan": 1, "cot": 1, "sec": 1, "csc": 1, "asin": 1, "acos": 1, "atan": 1,
    "sinh": 1, "cosh": 1, "tanh": 1, "ln": 1, "log": 1, "exp": 1, "abs": 1, "floor": 1, "ceil": 1,
    "factorial": 1, "double_factorial": 1, "binomial": 2,
    "log_base": 2, "max": 0, "min": 0, "gcd": 0, "lcm": 0, "percent": 1,
    "degrees": 1, "of": 2, "rounded": 2,
    "sech": 1, "csch": 1, "coth": 1, "asinh": 1, "acosh": 1, "atanh": 1, "acot": 1, "asec": 1, "acsc": 1,
    "gamma": 1, "zeta": 1, "digamma": 1, "beta": 2, "erf": 1, "erfc": 1, "lambertw": 1,
    "cis": 1, "re": 1, "im": 1, "arg": 1, "conjugate": 1, "sgn": 1, "sinc": 1,
    "mod": 2, "totient": 1, "divisors": 1, "sigma": 1, "subfactorial": 1,
}  # fmt: skip
"""Functions and how many arguments they take, 0 for any number. ``log`` is the logarithm whose base was
not written; ``percent`` divides by 100, and ``degrees`` makes radians. ``of`` is a letter with brackets
after it, as in ``A(x + 1)``: it has the value of the product, but a function could be meant. ``rounded``
is a decimal of a reference, and how far what it stands for may be from it."""

MINUS_ONE = Number(Fraction(-1))
INFINITY = Constant("infinity")
"""An end of a `Range`; it occurs nowhere else."""


_CHILDREN: dict[type, Callable[[Any], tuple[Node, ...]]] = {
    Sum: lambda node: node.terms,
    Product: lambda node: node.factors,
    Power: lambda node: (node.base, node.exponent),
    Root: lambda node: (node.radicand,),
    Apply: lambda node: node.arguments,
    Range: lambda node: (node.body, node.low, node.high),
}


def walk(node: Node) -> list[Node]:
    """A node and all below it; without recursion, however deep it is."""
    found = [node]
    kinds = _CHILDREN
    for each in found:  # which grows on the way
        below = kinds.get(type(each))
        if below is not None:
            found.extend(below(each))
    return found


def children(node: Node) -> tuple[Node, ...]:
    """The nodes right below a node."""
    below = _CHILDREN.get(type(node))
    return () if below is None else below(node)


def symbols(node: Node) -> set[str]:
    """The names of the unknowns."""
    return {each.name for each in walk(node) if type(each) is Symbol}


def negative(node: Node) -> Node:
    """The negated node."""
    return Number(-node.value) if isinstance(node, Number) else Product((MINUS_ONE, node))


def inverse(node: Node) -> Node:
    """One over the node."""
    return Power(node, MINUS_ONE)


def rebuild(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """A tree in which `change` replaced nodes; where it gives None, a node keeps its place.

    Children are changed before their parents.
    """
    new: Node = node
    if isinstance(node, Sum):
        new = Sum(tuple(rebuild(each, change) for each in node.terms))
    elif isinstance(node, Product):
        new = Product(tuple(rebuild(each, change) for each in node.factors))
    elif isinstance(node, Power):
        new = Power(rebuild(node.base, change), rebuild(node.exponent, change))
    elif isinstance(node, Root):
        new = Root(rebuild(node.radicand, change), node.degree)
    elif isinstance(node, Apply):
        new = Apply(node.function, tuple(rebuild(each, change) for each in node.arguments))
    elif isinstance(node, Range):
        body, low, high = (rebuild(each, change) for each in (node.body, node.low, node.high))
        new = Range(node.operation, body, node.dummy, low, high)
    return change(new) or new


def substitute(node: Node, values: Mapping[str, Node]) -> Node:
    """A tree with unknowns replaced; the ``i`` of a sum is read as the imaginary unit, and replaced too."""
    return rebuild(node, lambda each: values.get(each.name) if isinstance(each, Symbol | Constant) else None)


_FIRST_HAN = "\u2e80"
"""From here on stand the letters of languages whose words no formula has."""


def is_understood(node: Node) -> bool:
    """Return whether all of a tree is known: no letter that may be a function, no part kept only as text.

    Where something is not, differing values do not prove that what was meant differs.
    """
    for each in walk(node):
        kind = type(each)
        if kind is Apply and each.function == "of":  # type: ignore[union-attr]
            return False
        if kind is Symbol:
            name = each.name  # type: ignore[union-attr]
            if "(" in name or "/" in name or name == "\\dots" or name[:1] >= _FIRST_HAN:
                return False  # words of Korean and Chinese are no unknowns
    return True


def bind(operation: str, body: Node, letter: str, low: Node, high: Node) -> Range:
    """A range over a body in which a letter is what runs."""
    levels = (each.dummy.level for each in walk(body) if isinstance(each, Range))
    dummy = Dummy(1 + max(levels, default=0), letter)
    return Range(operation, substitute(body, {letter: dummy}), dummy, low, high)


def term(of: Range, value: Node) -> Node:
    """The body of a range with something in the place of what runs."""
    return rebuild(of.body, lambda each: value if each == of.dummy else None)


def functions(node: Node) -> set[str]:
    """The names of the functions that occur."""
    return {each.function for each in walk(node) if type(each) is Apply}


def is_finite(number: Number) -> bool:
    """Return whether a number is a finite decimal: no prime but 2 and 5 divides its denominator."""
    rest = number.value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def decimal_places(node: Node) -> int | None:
    """Digits after the point of a terminating decimal; None for whole numbers and anything else."""
    if not isinstance(node, Number) or node.value.denominator == 1:
        return None
    denominator, counts = node.value.denominator, []
    for prime in (2, 5):
        count = 0
        while denominator % prime == 0:
            denominator, count = denominator // prime, count + 1
        counts.append(count)
    return max(counts) if denominator == 1 else None
