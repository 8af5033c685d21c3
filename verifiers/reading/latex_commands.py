r"""Meanings of LaTeX commands in a formula: fractions, roots, functions, sums, determinants."""

from __future__ import annotations

import math
from fractions import Fraction

from ..errors import ConfigError
from ..formulas.cost_limits import MAX_CELLS, UnreadableError
from ..formulas.exact_values import determinant
from ..formulas.formula_tree import (
    FUNCTIONS,
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Root,
    Symbol,
    inverse,
    negative,
    symbols,
)
from ..language.signs import FUNCTION_NAMES, GREEK, INVERSES
from ..runtime.patterns import lazy
from .grammar import Grammar, applied, decimal_number
from .range_notation import integral, limit, series
from .spelling.tokens import DIVIDED, TIMES

_BRACKETS = {"lfloor": ("\\rfloor", "floor"), "lceil": ("\\rceil", "ceil")}
_MANY = frozenset({"max", "min", "gcd", "lcm"})
# Marks that make another name of what is below them.
_ACCENTS = frozenset(
    """
    vec overline bar hat widehat tilde overrightarrow overleftarrow overset dot ddot angle
    """.split()
)
_SAME_MARKS = {"overrightarrow": "vec", "overline": "bar", "widehat": "hat"}
_NAMING = frozenset(["angle", "triangle", "parallelogram", "odot"])
_BETWEEN_RAYS = frozenset(["angle", "widehat"])
_ANGLE = lazy(r"[A-Z]{3}")

_UNKNOWN = sorted(set(FUNCTION_NAMES.values()) - FUNCTIONS.keys() - {"lg"})
if _UNKNOWN:
    raise ConfigError(
        f"language.signs.FUNCTION_NAMES reads {_UNKNOWN}, which nothing works out: add it to "
        "formulas.formula_tree.FUNCTIONS, or name a function that stands there"
    )


def read_command(reader: Grammar, name: str) -> Node:
    """The value of a command whose name was taken.

    Raises:
        UnreadableError: It is not known, or its arguments are not.
    """
    if name == "frac":
        if derivative := _derivative(reader):
            return Symbol(derivative)
        top = reader.argument()
        return Product((top, inverse(reader.argument())))
    if name in ("sqrt", "cbrt"):
        return _root(reader, 3 if name == "cbrt" else 2)
    if name == "pi":
        return Constant("pi")
    if name == "binom":
        upper = reader.argument()
        return Apply("binomial", (upper, reader.argument()))
    if name in _BRACKETS:
        closing, function = _BRACKETS[name]
        node = reader.sum()
        reader.expect(closing)
        return Apply(function, (node,))
    if name in GREEK:
        letter = name + _primes(reader) + reader.subscript()
        known = applied(reader, letter) if reader.peek() == "(" else None
        return Symbol(letter) if known is None else known
    if name in _MANY and reader.peek() in ("(", "{", "\\{"):
        return Apply(name, reader.arguments())
    if name in FUNCTION_NAMES and name not in _MANY:
        return _function(reader, FUNCTION_NAMES[name])
    if name in ("sum", "prod"):
        return series(reader, name)
    if name == "int":
        return integral(reader)
    if name == "lim":
        return limit(reader)
    if name == "begin:vmatrix":
        return determinant(_cells(reader))
    if name == "overline" and (letters := _segment(reader)):
        return Symbol(letters)
    if name in ("overline", "bar") and (literal := _conjugated(reader)) is not None:
        return literal
    if name in _ACCENTS | _NAMING:
        mark, marked = _SAME_MARKS.get(name, name), _marked(reader)
        if name in _BETWEEN_RAYS and _ANGLE.fullmatch(marked):
            marked = min(marked, marked[::-1])  # which ray comes first makes no other angle
        letter = marked.lstrip("\\").removesuffix("math")
        return Symbol(
            f"vec{letter}" if mark in ("hat", "vec") and letter in ("i", "j", "k") else mark + marked
        )
    raise UnreadableError(f"\\{name} is not read here")


def _primes(reader: Grammar) -> str:
    count = 0
    while reader.peek() == "'":
        reader.take()
        count += 1
    return "'" * count


def _derivative(reader: Grammar) -> str:
    """``\\frac{dy}{dx}`` is not a quotient whose d could be canceled."""
    words = reader.words[reader.position : reader.position + 6]
    if words[0:1] + words[2:4] + words[5:6] != ["{", "}", "{", "}"]:
        return ""
    parts = words[1], words[4]
    if not all(len(part) == 2 and part[0] == "d" for part in parts):
        return ""
    reader.position += 6
    return "/".join(parts)


def _segment(reader: Grammar) -> str:
    r"""``\overline{AB}`` is the length AB."""
    letters = reader.peek(1) or ""
    if reader.peek() == "{" and letters.isupper() and len(letters) == 2 and reader.peek(2) == "}":
        reader.position += 3
        return letters
    return ""


def _conjugated(reader: Grammar) -> Node | None:
    r"""``\overline{3+4i}``; None for a mark above a name."""
    start = reader.position
    if reader.peek() != "{":
        return None
    try:
        node = reader.argument()
    except UnreadableError:
        node = None
    if node is None or symbols(node) or isinstance(node, Number | Constant):
        reader.position = start
        return None
    return Apply("conjugate", (node,))


def _marked(reader: Grammar) -> str:
    r"""The name below a mark: ``\vec{a}``, ``\angle ABC``."""
    if reader.peek() != "{":
        return reader.take() + reader.subscript()
    reader.take()
    parts = []
    while (token := reader.take()) != "}":
        if token in ("{", "}") or token[0].isdecimal():
            raise UnreadableError("a mark above a formula or number")
        parts.append(token)
    return "".join(parts) + reader.subscript()


def _root(reader: Grammar, degree: int) -> Node:
    if reader.peek() == "[":
        reader.take()
        index = reader.sum()
        reader.expect("]")
        if not isinstance(index, Number) or index.value.denominator != 1 or not 2 <= index.value <= 100:
            return Power(reader.argument(), inverse(index))
        degree = int(index.value)
    if (reader.peek() or "").isdecimal():
        return Root(decimal_number(reader.take()), degree)  # \\sqrt12 is meant as the root of 12
    return Root(reader.argument(), degree)


def _function(reader: Grammar, name: str) -> Node:
    power: Node | None = None
    base: Node | None = None
    while reader.peek() in ("^", "_"):
        if reader.take() == "^":
            power = reader.argument() if reader.peek() != "-" else reader.exponent()
        elif name == "log":
            base = reader.argument()
        else:
            raise UnreadableError(f"a subscript of {name}")
    if power == Number(Fraction(-1)) and name in INVERSES:
        name, power = INVERSES[name], None
    node = _applied(name, base, _function_argument(reader))
    return node if power is None else Power(node, power)


def _function_argument(reader: Grammar) -> Node:
    """A bracketed argument, or the factors up to the next function or sign: ``sin 2x cos x``."""
    if reader.peek() in ("(", "{", "[", "|"):
        return reader.atom()
    minus = reader.peek() == "-"
    if minus:
        reader.take()
    factors = [reader.power()]
    while True:
        word = reader.peek()
        name = (word or "")[1:] if (word or "").startswith("\\") else ""
        if word == "/" and isinstance(factors[-1], Number | Constant):
            reader.take()
            factors.append(inverse(reader.power()))
            continue
        if not reader.starts_factor(word) or word in TIMES | DIVIDED or name in FUNCTION_NAMES:
            break
        if word in ("(", "[", "{"):
            raise UnreadableError("a bracket after an argument without brackets")
        factors.append(reader.implicit(factors[-1]))
    node: Node = factors[0] if len(factors) == 1 else Product(tuple(factors))
    return negative(node) if minus else node


def _applied(name: str, base: Node | None, argument: Node) -> Node:
    if name == "lg":
        return Apply("log_base", (Number(Fraction(10)), argument))
    if base is not None:
        return Apply("log_base", (base, argument))
    return Apply(name, (argument,))


def _cells(reader: Grammar) -> list[list[Node]]:
    rows: list[list[Node]] = [[]]
    while not (reader.peek() or "").startswith("\\end"):
        rows[-1].append(reader.sum())
        if reader.peek() == "&":
            reader.take()
        elif reader.peek() == "\\\\":
            reader.take()
            rows.append([])
    reader.take()
    rows = [row for row in rows if row]
    if (
        not rows
        or any(len(row) != len(rows[0]) for row in rows)
        or math.prod((len(rows), len(rows[0]))) > MAX_CELLS
    ):
        raise UnreadableError("rows of different lengths")
    return rows
