"""Deciding with sympy whether two formulas are equal. Runs in a worker process only.

The LaTeX parser (latex2sympy2_extended, ANTLR) builds expressions by itself; nothing here evaluates
text as Python.
"""

from __future__ import annotations

from typing import Any

import sympy
from latex2sympy2_extended import NormalizationConfig, latex2sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig

_NORMALIZE = NormalizationConfig(
    basic_latex=True, units=False, malformed_operators=True, nits=True, boxed="none", equations=False
)
_CONVERT = ConversionConfig(lowercase_symbols=False)
_DIGITS = 60
"""Digits to which two numbers are compared: they agree if no digit of the larger one differs."""
_POINTS = ((3, 7), (11, 13), (17, 5))
"""Rational points at which two expressions with variables are compared first."""


def warm_up() -> None:
    """Load what sympy loads late: the first integral alone takes more than a second."""
    decide(r"\int_0^1 x^2 dx", r"\sum_{n=0}^{\infty} \frac{1}{3^n} \lim_{x \to 0} \frac{\sin x}{x}")


def decide(reference: str, answer: str) -> str:
    """Compare two cleaned formulas.

    Returns:
        "equal", "unequal", "undecided", "reference" or "answer" (the one that cannot be read).
    """
    expected = _read(reference)
    if expected is None:
        return "reference"
    given = _read(answer)
    if given is None:
        return "answer"
    try:
        same = _same(expected, given)
    except MemoryError:
        raise
    except Exception:
        same = None
    return "undecided" if same is None else "equal" if same else "unequal"


def _read(text: str) -> Any:
    try:
        read = latex2sympy(text, normalization_config=_NORMALIZE, conversion_config=_CONVERT)
    except MemoryError:
        raise
    except Exception:
        return None
    return None if isinstance(read, str) else _exact(read)


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
    if isinstance(one, sympy.Tuple) or isinstance(other, sympy.Tuple):
        if not (isinstance(one, sympy.Tuple) and isinstance(other, sympy.Tuple)):
            return False
        return len(one) == len(other) and _all(zip(one, other, strict=True))
    if isinstance(one, sympy.core.relational.Relational) or isinstance(
        other, sympy.core.relational.Relational
    ):
        return _same_relation(one, other)
    if isinstance(one, sympy.Set) or isinstance(other, sympy.Set):
        return _same_set(one, other)
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


def _same_set(one: Any, other: Any) -> bool | None:
    if not (isinstance(one, sympy.Set) and isinstance(other, sympy.Set)):
        return False
    if isinstance(one, sympy.FiniteSet) and isinstance(other, sympy.FiniteSet):
        left = list(other.args)
        for item in one.args:
            match = next((index for index, each in enumerate(left) if _same(item, each)), None)
            if match is None:
                return False
            left.pop(match)
        return not left
    if isinstance(one, sympy.Interval) and isinstance(other, sympy.Interval):
        if (one.left_open, one.right_open) != (other.left_open, other.right_open):
            return False
        return _all([(one.start, other.start), (one.end, other.end)])
    difference = one.symmetric_difference(other)
    if difference is sympy.S.EmptySet:
        return True
    empty = difference.is_empty
    return None if empty is None else bool(empty)


def _same_relation(one: Any, other: Any) -> bool | None:
    if isinstance(one, sympy.Set) or isinstance(other, sympy.Set):
        relation, region = (other, one) if isinstance(one, sympy.Set) else (one, other)
        if len(relation.free_symbols) != 1:
            return None
        try:
            return _same_set(relation.as_set(), region)
        except (NotImplementedError, TypeError, ValueError):
            return None
    if type(one) is not type(other):
        one_turned = getattr(one, "reversed", None)
        if type(one_turned) is not type(other):
            return False
        one = one_turned
    left = sympy.expand(one.lhs - one.rhs)
    right = sympy.expand(other.lhs - other.rhs)
    if left == 0 or right == 0:
        return bool(left == right)
    ratio = sympy.simplify(left / right)
    if not ratio.is_number:
        return False
    # An equation may be scaled by anything but zero, an inequality by a positive number.
    if isinstance(one, sympy.Eq | sympy.Ne):
        return True
    return bool(ratio.is_positive)


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
    """Whether two numbers differ within `_DIGITS` digits; None when they cannot be evaluated."""
    difference = (one - other).evalf(_DIGITS, maxn=400)
    if not difference.is_number or difference.has(sympy.nan, sympy.zoo, sympy.oo):
        return None
    if difference == 0:
        return False
    # evalf gives precision 1 to a difference that it cannot tell from zero.
    parts = [part for part in difference.as_real_imag() if part != 0]
    return all(getattr(part, "_prec", 0) > 1 for part in parts)
