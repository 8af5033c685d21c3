"""Calls of an integrand: what they cost, and an integral of as many of them as the budget allows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.packages import deferred
from ..formula_tree import Node, walk
from ..meter import left, spend

flint = deferred("flint")

_MOST_UNITS = 1_000_000
_SHARE = 3
"""One integral may take a third of what is left: there may be two sides, and a second precision."""
_FEWEST_CALLS = 40
_TABLES = 12_000
"""Units of what flint does besides calls at a high precision: more than the process that asks has."""
_REFUTING = 2 * 128
"""Bits up to which a value is wanted for what it differs from."""


def size(node: Node) -> int:
    """The nodes of a body: what one call of it costs."""
    return sum(1 for _ in walk(node))


def charge(units: int) -> None:
    """Spend work that is done at the precision that is set."""
    spend(units * (1 + flint.ctx.prec // 256))


def integrated(call: Callable[[Any, bool], Any], low: Any, high: Any, cost: int) -> Any:
    """The integral of a function between two finite ends, at the precision that is set.

    Args:
        call: The function, of a ball and whether it must be analytic there.
        low: An end.
        high: The other.
        cost: Units of one call.
    """
    over: list[BaseException] = []

    def charged(value: Any, analytic: bool) -> Any:
        # An exception must not pass through flint: what follows it gets balls without bounds.
        if not over:
            try:
                charge(cost)
                return call(value, analytic)
            except BaseException as error:  # Ctrl-C among them
                over.append(error)
        return flint.acb("nan")

    precision = flint.ctx.prec
    if precision > _REFUTING:
        spend(_TABLES)
    calls = left(_MOST_UNITS) // (_SHARE * cost * (1 + precision // 256))
    charge(cost * _FEWEST_CALLS)
    # The first precision only has to refute; and the widest pieces go first, as long as there are calls.
    goal = flint.arb(2) ** -(precision if precision > _REFUTING else precision // 2)
    found = flint.acb.integral(
        charged, low, high, rel_tol=goal, abs_tol=goal, eval_limit=max(calls, _FEWEST_CALLS), use_heap=True
    )
    if over:
        raise over[0]
    return found


def whole(value: Any) -> int | None:
    """The whole number that a ball is, if it is one exactly."""
    if not (value.imag.is_zero() and value.real.is_exact()):
        return None
    number = value.real.unique_fmpz()
    return None if number is None or value.real != number else int(number)
