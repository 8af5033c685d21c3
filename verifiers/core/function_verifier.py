"""`@verifier`, what it makes of a function, and what a function's result is as a score."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import InitVar, dataclass, field
from decimal import Decimal
from numbers import Real
from typing import Any, ClassVar, overload

from ..errors import ConfigError
from .function_parameters import (
    arguments,
    check_parameters,
    check_vocabulary,
    columns_of,
    needs_reference,
    parameters_read,
    reads_reference,
)
from .held_functions import HoldsFunction, path_of, place_of
from .verdicts import Sample, Verdict
from .verifier_base import VERIFIERS, Verifier


def waited_for(result: Any) -> Any:
    """Return the awaited result of a coroutine function; of a plain one the result itself."""
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
"""Distance at which a value beside its range still is its end, as a share of it.

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
        value: Result of the function.
        low: Value that scores 0.
        high: Value that scores 1.

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


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class FunctionVerifier(HoldsFunction, Verifier):
    """Your function as a verifier; `@verifier` makes it.

    Two of them are equal only if their function is the same: one object, or one name at the top level of one
    file with the same code. Recipes find a function by `path`. A function without a path, such as a closure,
    works everywhere else and is sent to other processes as it is.

    Args:
        path: Import path of the function, ``"package.module:name"``.
        low: Value that the function returns for the worst answer.
        high: Value that it returns for the best answer; the score is linear between.

    Raises:
        ConfigError: There is nothing to import at that path, or its dependencies cannot be known.
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "passed": "the function returned true or 1",
        "failed": "the function returned false or 0",
        "partial": "the function returned a score between 0 and 1",
        "no_score": "the function returned None: the row is unscored",
    }
    needs_reference: ClassVar[bool] = False
    decorator: ClassVar[str] = "@verifier"

    path: str
    low: float = field(default=0.0, kw_only=True)
    high: float = field(default=1.0, kw_only=True)

    function: InitVar[Any] = None  # kept as an attribute, which `dataclasses.replace` hands on

    def __post_init__(self, function: Any) -> None:
        self._hold(function)
        super().__post_init__()
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ConfigError(
                f"{self._name()}: low must be smaller than high, got {self.low!r} and {self.high!r}"
            )
        check_parameters(self._judge, self._name())
        check_vocabulary(self._judge, self._name())
        object.__setattr__(self, "needs_reference", needs_reference(self._judge))

    def _adopt(self, found: FunctionVerifier) -> None:
        for name in ("low", "high", "version", "isolate"):
            if getattr(self, name) == getattr(type(self), name):
                object.__setattr__(self, name, getattr(found, name))

    def check(self, sample: Sample) -> Verdict:
        function = self._judge
        result = waited_for(function(**arguments(function, sample)))
        if isinstance(result, Verdict):
            return result
        if result is None:
            return self.unscored("no_score", "the function returned None")
        try:
            score, raw = score_of(result, self.low, self.high)
        except ResultError as problem:
            return self.fault("bad_verdict", f"{self._name()} {problem}{place_of(function)}")
        return self.scored(score, "passed" if score == 1.0 else "partial" if score else "failed", raw=raw)

    def fields_read(self) -> tuple[str, ...] | None:
        return parameters_read(self._judge)

    def reads_reference(self) -> bool:
        return reads_reference(self._judge)

    def columns_needed(self) -> tuple[str, ...]:
        return columns_of(self._judge)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function itself, as if it had not been decorated."""
        return self._judge(*args, **kwargs)

    def _name(self) -> str:
        return self._own_name()


@overload
def verifier(function: Callable[..., Any]) -> FunctionVerifier: ...
@overload
def verifier(
    *, isolate: bool = False, low: float = 0.0, high: float = 1.0, version: str = ""
) -> Callable[[Callable[..., Any]], FunctionVerifier]: ...
def verifier(function: Callable[..., Any] | None = None, **settings: Any) -> Any:
    """Turn a function into a verifier.

    The function names its inputs: ``response`` (the text outside thinking, where answers belong),
    ``completion`` (everything that the model wrote), ``thinking``, ``messages``, ``reference``, ``prompt``
    (the question), ``sample`` (all of these) or any column of the row. It returns a bool, a number, None for
    an unscored row, or a `Verdict`. Any callable works: a closure, a lambda, a bound method,
    `functools.partial`.

    Args:
        function: The function.
        **settings: ``isolate`` runs it in a worker process that can be killed. ``low`` and ``high`` are the
            ends of its range, which become 0 and 1. ``version`` covers anything that cannot be read from the
            code, such as a service: change it when verdicts change.

    Raises:
        ConfigError: A parameter has an old name (``answer``), or the dependencies cannot be known.

    Warns: CompletionWarning: The function reads ``completion`` and not ``response``; shown once.

    >>> @verifier
    ... def shouts(response):
    ...     return response.isupper()
    >>> shouts.verify("<think>quiet</think>LOUD").reason
    'passed'
    >>> at_most = [verifier(lambda response, most=most: len(response) <= most) for most in (3, 9)]
    >>> [each.verify("seven s").score for each in at_most]
    [0.0, 1.0]
    """
    known = ("isolate", "low", "high", "version")
    for name in settings:
        if name not in known:
            raise TypeError(f"verifier() has no argument {name!r}; it takes {', '.join(known)}")
    if function is None:
        return functools.partial(_decorate, **settings)
    return _decorate(function, **settings)


def _decorate(function: Callable[..., Any], **settings: Any) -> FunctionVerifier:
    if isinstance(function, FunctionVerifier):
        function = function._judge
    return FunctionVerifier(path_of(function), function=function, **settings)
