"""What a function returned, as a score."""

from __future__ import annotations

import inspect
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from numbers import Real
from typing import Any


def waited_for(result: Any) -> Any:
    """What a coroutine function returns in the end; of a plain one the result itself."""
    if not inspect.iscoroutine(result):
        return result
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(result)
    # This thread has a loop that waits for us, as in a notebook.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, result).result()


ROUNDING = 1e-6
"""How far a value may lie beside its range, as a share of it, and still be its end.

The cosine of a vector with itself may be 1 + 1e-16 in Python's floats, and 1 + 1e-7 in those of 32 bits,
which most models have.
"""


class ResultError(Exception):
    """A function returned what is no score. The message goes on after the function's name."""


def number_of(value: Any) -> float | None:
    """A number of any kind as a float; None for what is none.

    A number is a bool, int, float, Decimal or Fraction, or an array of NumPy, torch or the like with one
    element. None of these packages is imported: what has one of their arrays has loaded it.

    >>> from fractions import Fraction
    >>> number_of(Fraction(1, 4)), number_of(True), number_of("1")
    (0.25, 1.0, None)
    """
    if isinstance(value, bool | int | float | Decimal | Real):
        try:
            return float(value)
        except (OverflowError, ValueError):  # 10**400, or a signalling NaN
            return math.nan
    shape, item = getattr(value, "shape", None), getattr(value, "item", None)
    if not isinstance(shape, tuple) or any(size != 1 for size in shape) or not callable(item):
        return None
    inner = item()
    return float(inner) if isinstance(inner, bool | int | float) else None


def score_of(value: Any, low: float, high: float) -> tuple[float, float | None]:
    """A result as a score in [0, 1], and as it was where it has a range of its own.

    A value that is outside by `ROUNDING` of the range's width at most is paid as its end: a completion must
    not have its row left out by the last bits of a cosine.

    Args:
        value: What a function returned.
        low: What is paid 0.
        high: What is paid 1.

    Raises:
        ResultError: It is no number, or not in the range.
    """
    number = number_of(value)
    if number is None:
        raise ResultError(
            f"returned {_shown(value)}; it must return a bool, a number, None for an "
            "unscored row, or a Verdict"
        )
    if isinstance(value, bool) or _is_numpy_bool(value):
        return number, None
    if math.isnan(number):
        raise ResultError(f"returned {_shown(value)}, which is not a number")
    slack = ROUNDING * (high - low)
    if low - slack <= number <= high + slack:
        number = float(min(max(number, low), high))
    else:
        range_given = (low, high) != (0.0, 1.0)
        cure = (
            "return what lies in it, or widen it"
            if range_given
            else "declare the range of its values: @verifier(low=..., high=...)"
        )
        raise ResultError(f"returned {_shown(value)}, which is not in [{low:g}, {high:g}]; {cure}")
    if (low, high) == (0.0, 1.0):
        return number, None
    return (number - low) / (high - low), number


def _is_numpy_bool(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.bool_)


def _shown(value: Any) -> str:
    shown = f"{value!r:.80}"
    kind = type(value).__name__
    return shown if kind in shown or isinstance(value, int | float) else f"{shown} ({kind})"
