"""Deciding with sympy whether two formulas are equal. Runs in a worker process only.

Lists, sets and relations are not for here: the grammar reads them, and asks about nothing but values.
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
        # An integral or limit is worked out once, not again at every comparison.
        same = _same(_worked_out(expected), _worked_out(given))
    except MemoryError:
        raise
    except Exception:
        same = None
    return "undecided" if same is None else "equal" if same else "unequal"


def reads(text: str) -> bool:
    """Whether a cleaned formula is read at all."""
    return _read(text) is not None


def _read(text: str) -> Any:
    try:
        read = latex2sympy(text, normalization_config=_NORMALIZE, conversion_config=_CONVERT)
        return None if isinstance(read, str) else _exact(read)
    except MemoryError:
        raise
    except Exception:  # whatever its parser fails on, the text is not read
        return None


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
    """Whether two numbers differ within `_DIGITS` digits; None when they cannot be evaluated."""
    difference = (one - other).evalf(_DIGITS, maxn=400)
    if not difference.is_number or difference.has(sympy.nan, sympy.zoo, sympy.oo):
        return None
    if difference == 0:
        return False
    # evalf gives precision 1 to a difference that it cannot tell from zero.
    parts = [part for part in difference.as_real_imag() if part != 0]
    return all(getattr(part, "_prec", 0) > 1 for part in parts)
