"""Deciding with sympy whether two formulas are equal. Runs in a worker process only.

Lists, sets and relations are not for here: the grammar reads them, and asks about nothing but values.
The LaTeX parser (latex2sympy2_extended, ANTLR) builds expressions by itself; nothing here evaluates
text as Python. Trees of the grammar become sympy's in a hundredth of that parser's time.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from fractions import Fraction
from typing import Any, Literal

import sympy
from latex2sympy2_extended import NormalizationConfig, latex2sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig

from ...formulas.answer_shapes import Value
from ...formulas.cost_limits import LIKELY, WORKER, Account, OverBudgetError
from ...formulas.formula_tree import (
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
from ...reading.answer_readings import Reading
from ...runtime.worker import limit_cpu
from .answer_match import judged
from .inquiries import Inquiry
from .policy import DEFAULT, Policy

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


SYMPY_SECONDS = 0.09
"""Processor time that sympy has for a question. Reading two formulas takes 0.04 s of that; 64 questions that
use it up take 2.9 s of two cores."""
LIKELY_SECONDS = 1.0
"""The same, where both values agree as far as they are known: then sympy's proof, most of which take less
than half a second, is worth waiting for, and nobody is there without knowing the value."""

_NORMALIZE = NormalizationConfig(
    basic_latex=True, units=False, malformed_operators=True, nits=True, boxed="none", equations=False
)
_HAS_CASE = "lowercase_symbols" in {option.name for option in fields(ConversionConfig)}
# Versions without this option (1.0.6) never change a symbol's case.
_CONVERT = ConversionConfig(**({"lowercase_symbols": False} if _HAS_CASE else {}))
_DIGITS = 60
"""Digits to which two numbers are compared: they agree if no digit of the larger one differs."""
_STEPS, _QUIET, _SLOWEST = 20_000, 0.004, 4.0
"""A piece of work, the processor seconds that it takes on a quiet core of a machine that is not fast, and how
many times slower a core may count as."""
_FAR, _ROUGHLY = 10_000, 8
"""Closeness to its place at which a limit is evaluated, and the digits of that."""
_NEARNESS, _FARNESS = 1e-3, 0.5
"""Up to which share of their size two values seem to be equal, and from which they do not."""
_POINTS = ((3, 7), (11, 13), (17, 5))
"""Rational points at which two expressions with variables are compared first."""


def warm_up() -> None:
    """Load what sympy loads late, and flint's tables: the first integral alone takes more than a second.

    To simplify anything sympy loads its units: as much work as an ordinary question.
    """
    importlib.import_module("sympy.physics.units")
    with _without_scipy():
        decide(r"\int_0^1 x^2 dx", r"\sum_{n=0}^{\infty} \frac{1}{3^n} \lim_{x \to 0} \frac{\sin x}{x}")
    judged(Reading(r"1 - e^{-8}"), Reading(r"\int_0^{8} e^{-x} dx"), DEFAULT)


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Let sympy find no scipy and no numpy that is not loaded yet.

    Where it makes a Python function of the terms of a series, it loads both to take their functions, not
    mpmath's: half a second and 60 MB in every worker, for nothing.
    """
    absent = [name for name in ("scipy", "numpy") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # None: the import fails
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def settle(expected: str, given: str, policy: Policy) -> tuple[str, str]:
    """The reason code of `MathEquivalence` for two cleaned answers, and a sentence for a person.

    Rigorous arithmetic goes first, with more units than in the process that asks; it refutes most of what
    sympy would take seconds for. How long sympy may take depends on whether it is likely that both are equal.
    """
    left, right = Reading(expected), Reading(given)
    account = Account(WORKER, LIKELY, lambda: limit_cpu(4 * LIKELY_SECONDS))
    try:
        found = account.run(judged, left, right, policy)
    except OverBudgetError:
        if not account.likely:
            return "over_limit", "it takes more work than an answer may"
        found = Inquiry(expected, given, policy)
    if not isinstance(found, Inquiry):
        return found
    slowness = _slowness()
    limit_cpu(slowness * (LIKELY_SECONDS if account.likely else SYMPY_SECONDS))
    left, right = Reading(found.expected), Reading(found.given)
    with _without_scipy():
        verdict = _verdict(left, right, lambda: limit_cpu(slowness * LIKELY_SECONDS))
    return _said(verdict, left, right)


def _verdict(expected: Reading, given: Reading, likely: Callable[[], None]) -> str:
    """Return sympy's verdict on two answers, of which the grammar has read none, one or both."""
    trees = [
        as_sympy(shape.node) if isinstance(shape, Value) else None for shape in (expected.shape, given.shape)
    ]
    if any(tree is not None and tree.free_symbols for tree in trees) and None in trees:
        trees = [None, None]  # the two readers do not name all unknowns alike
    one, other = trees
    if one is None and (one := _read(expected.text)) is None:
        return "reference"
    if other is None and (other := _read(given.text)) is None:
        return "answer"
    return compared(one, other, likely)


def _slowness() -> float:
    """Measure how many times slower than a quiet core this one is now.

    What shares a core slows every step on it, and a second of it must be worth as much work as on any other.
    """
    started = time.process_time()
    total = 0
    for number in range(_STEPS):
        total += number * number % 7
    return min(max(1.0, (time.process_time() - started) / _QUIET), _SLOWEST)


def _said(verdict: str, expected: Reading, given: Reading) -> tuple[str, str]:
    if verdict == "equal":
        return "equal_symbolic", ""
    if verdict == "unequal":
        return "not_equal", ""
    if verdict == "answer":
        return "unreadable", "the answer is not mathematics that can be read"
    if verdict == "undecided":
        return "undecided", "sympy could not decide"
    if expected.shape is not None or not expected.is_mathematical:
        return "not_equal", "compared as text"
    return "bad_reference", f"the reference is not mathematics that can be read: {expected.text!r:.80}"


def decide(reference: str, answer: str, likely: Callable[[], None] | None = None) -> str:
    """Compare two cleaned formulas.

    Args:
        reference: A formula.
        answer: Another.
        likely: Called where it seems that both are equal, before that is proved.

    Returns:
        "equal", "unequal", "undecided", "reference" or "answer" (the one that cannot be read).
    """
    expected = _read(reference)
    if expected is None:
        return "reference"
    given = _read(answer)
    return "answer" if given is None else compared(expected, given, likely)


def compared(expected: Any, given: Any, likely: Callable[[], None] | None = None) -> str:
    """Compare two expressions of sympy: "equal", "unequal" or "undecided"."""
    try:
        # An integral or limit is worked out once, not again at every comparison.
        seen = _roughly(expected, given)
        if seen == "far":
            return "unequal"
        if likely is not None and seen == "near":
            likely()
        same = _same(_worked_out(expected), _worked_out(given))
    except MemoryError:
        raise
    except Exception:
        same = None
    return "undecided" if same is None else "equal" if same else "unequal"


def reads(text: str) -> bool:
    """Return whether sympy reads a cleaned formula at all."""
    return _read(text) is not None


def _read(text: str) -> Any:
    try:
        read = latex2sympy(text, normalization_config=_NORMALIZE, conversion_config=_CONVERT)
        return None if isinstance(read, str) else _exact(read)
    except MemoryError:
        raise
    except Exception:  # whatever its parser fails on, the text is not read
        return None


def _roughly(one: Any, other: Any) -> Literal["near", "far", ""]:
    """Compare two values with limits taken from a place close to them; "" if that shows nothing.

    That proves nothing: more time is well spent on near values, and none on far ones.
    """
    if not any(isinstance(each, sympy.Expr) and each.has(sympy.Limit) for each in (one, other)):
        return ""
    try:
        symbols = sorted((one - other).free_symbols, key=str)
        point = {symbol: sympy.Rational(7 + 2 * place, 10) for place, symbol in enumerate(symbols)}
        left, right = (
            complex(_close_by(each).subs(point).evalf(_ROUGHLY, maxn=4 * _ROUGHLY)) for each in (one, other)
        )
    except MemoryError:
        raise
    except Exception:
        return ""
    difference, size = abs(left - right), max(abs(left), abs(right))
    if difference <= _NEARNESS * max(size, _NEARNESS):
        return "near"
    return "far" if difference > max(1, _FARNESS * size) else ""


def _close_by(read: Any) -> Any:
    def value(limit: Any) -> Any:
        inside, unknown, at, _ = limit.args
        infinite = at in (sympy.oo, -sympy.oo)
        return inside.subs(unknown, _FAR * sympy.sign(at) if infinite else at + 1 / sympy.Integer(_FAR))

    return read.replace(lambda each: isinstance(each, sympy.Limit), value)


def _worked_out(read: Any) -> Any:
    return read.doit() if hasattr(read, "doit") else read


def _exact(read: Any) -> Any:
    """With its decimals as the rationals that were written: 0.1 is 1/10, not the float next to it."""
    if isinstance(read, sympy.MatrixBase):
        return read.applyfunc(_exact)
    floats = read.atoms(sympy.Float) if hasattr(read, "atoms") else ()
    return read.xreplace({number: sympy.Rational(str(number)) for number in floats}) if floats else read


def _same(one: Any, other: Any) -> bool | None:
    if one == other:
        return True
    if isinstance(one, sympy.MatrixBase) or isinstance(other, sympy.MatrixBase):
        if not (isinstance(one, sympy.MatrixBase) and isinstance(other, sympy.MatrixBase)):
            return False
        return one.shape == other.shape and _all(zip(one, other, strict=True))
    if isinstance(one, sympy.Expr) and isinstance(other, sympy.Expr):
        return _same_value(one, other)
    return None


def _all(pairs: Any) -> bool | None:
    verdict: bool | None = True
    for one, other in pairs:
        same = _same(one, other)
        if same is False:
            return False
        if same is None:
            verdict = None
    return verdict


def _same_value(one: Any, other: Any) -> bool | None:
    difference = one - other
    symbols = sorted(difference.free_symbols, key=str)
    if one.free_symbols != other.free_symbols and not symbols:
        return bool(difference == 0)
    for point in _POINTS if symbols else ((1, 1),):
        values = {
            symbol: sympy.Rational(point[0] + index, point[1] + 2 * index)
            for index, symbol in enumerate(symbols)
        }
        separated = _separated(one.subs(values), other.subs(values))
        if separated:
            return False
        if separated is None:
            break
    proof = difference.equals(0)
    if proof is not None:
        return bool(proof)
    return bool(sympy.simplify(difference) == 0) or None


def _separated(one: Any, other: Any) -> bool | None:
    """Return whether two numbers differ within `_DIGITS` digits; None if they cannot be evaluated."""
    difference = (one - other).evalf(_DIGITS, maxn=400)
    if not difference.is_number or difference.has(sympy.nan, sympy.zoo, sympy.oo):
        return None
    if difference == 0:
        return False
    # evalf gives precision 1 to a difference that it cannot tell from zero.
    parts = [part for part in difference.as_real_imag() if part != 0]
    return all(getattr(part, "_prec", 0) > 1 for part in parts)
