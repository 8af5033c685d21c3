"""Special functions of balls: gamma, zeta, error functions, inverse hyperbolic ones, parts of numbers."""

from __future__ import annotations

from typing import Any

from ...runtime.packages import deferred

flint = deferred("flint")

SLOW = frozenset({"gamma", "zeta", "digamma", "beta", "erf", "erfc", "lambertw"})
"""Those that take milliseconds."""
_PARTS = frozenset({"re", "im", "arg", "conjugate", "sgn"})
_OTHERS = frozenset({"cis", "asec", "acsc", "acot", "sech", "csch", "coth", "asinh", "acosh", "atanh"})
SPECIAL = SLOW | _PARTS | _OTHERS
"""The functions that are worked out here."""
_MAX_PRECISION = 10_000
"""Bits to which the slow ones are worked out: a hundred thousand would take seconds."""
_MAX_SIZE = 1_000
"""Largest argument of the slow ones."""


def special_value(name: str, values: list[Any], is_literal: bool) -> Any | None:
    """The ball of a function of balls; None where it has none, or conventions differ.

    Args:
        name: One of `SPECIAL`.
        values: Its arguments.
        is_literal: Whether there are no unknowns in them. At the points that are tried unknowns are real, so
            that of what distinguishes complex numbers nothing can be learned there.
    """
    first = values[0]
    if name in SLOW:
        if flint.ctx.prec > _MAX_PRECISION or not all(abs(value) < _MAX_SIZE for value in values):
            return None
        if name == "beta":
            return first.gamma() * values[1].gamma() * (first + values[1]).rgamma()
        return getattr(first, name)()
    if name in _PARTS:
        return _part(name, first) if is_literal else None
    if name == "cis":
        return (first * flint.acb(0, 1)).exp()
    if name in ("asec", "acsc"):
        return None if first.contains(0) else (1 / first).acos() if name == "asec" else (1 / first).asin()
    if name == "acot":
        # Of negative numbers it is between -pi/2 and 0 for some, between pi/2 and pi for others.
        return (1 / first).atan() if first.imag.is_zero() and first.real > 0 else None
    return getattr(first, name)()


def _part(name: str, value: Any) -> Any | None:
    if name == "re":
        return flint.acb(value.real)
    if name == "im":
        return flint.acb(value.imag)
    if name == "conjugate":
        return flint.acb(value.real, -value.imag)
    if value.contains(0):
        return None
    if name == "arg":
        return flint.acb(value.arg())
    return flint.acb(value.real.sgn()) if value.imag.is_zero() else None
