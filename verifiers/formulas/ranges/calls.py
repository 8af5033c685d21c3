"""Calls of an integrand: what they cost, and an integral of as many of them as the budget allows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.packages import deferred
from ..formula_tree import Node, walk
from ..meter import left, spend

ctypes, flint = deferred("ctypes"), deferred("flint")

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
    unknown = flint.acb("nan")

    def charged(value: Any, analytic: bool) -> Any:
        # An exception must not pass through flint: what follows it gets balls without bounds.
        if not over:
            try:
                _raise_left()
                charge(cost)
                return call(value, analytic)
            except BaseException as error:  # Ctrl-C among them
                over.append(error)
        return unknown

    precision = flint.ctx.prec
    if precision > _REFUTING:
        spend(_TABLES)
    calls = left(_MOST_UNITS) // (_SHARE * cost * (1 + precision // 256))
    charge(cost * _FEWEST_CALLS)
    # The first precision only has to refute; and the widest pieces go first, as long as there are calls.
    goal = flint.arb(2) ** -(precision if precision > _REFUTING else precision // 2)
    limit = max(calls, _FEWEST_CALLS)
    try:
        found = flint.acb.integral(
            charged, low, high, rel_tol=goal, abs_tol=goal, eval_limit=limit, use_heap=True
        )
        _raise_left()
    except BaseException as error:
        over.append(error)
    if over:
        raise _meant(over)
    return found


def _raise_left() -> None:
    """Raise what met the very beginning of a call, where nothing can catch it: flint goes on regardless."""
    ctypes.pythonapi.PyErr_Occurred()  # `ctypes` raises what it finds


def _meant(errors: list[BaseException]) -> BaseException:
    """What is to be raised: an interrupt, even where another error was made of it; else the first."""
    for error in errors:
        cause: BaseException | None = error
        while cause is not None:
            if not isinstance(cause, Exception):
                return cause
            cause = cause.__cause__ or cause.__context__
    return errors[0]


def whole(value: Any) -> int | None:
    """The whole number that a ball is, if it is one exactly."""
    if not (value.imag.is_zero() and value.real.is_exact()):
        return None
    number = value.real.unique_fmpz()
    return None if number is None or value.real != number else int(number)
