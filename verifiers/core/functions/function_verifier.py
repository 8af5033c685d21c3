"""`@verifier`, and what it makes of a function."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any, ClassVar, overload

from ...errors import ConfigError
from ..verdicts import Sample, Verdict
from ..verifier_base import VERIFIERS, Verifier
from .held import HoldsFunction, path_of, place_of
from .parameters import (
    arguments,
    check_parameters,
    check_vocabulary,
    columns_of,
    needs_reference,
    parameters_read,
    reads_reference,
)
from .results import ResultError, score_of, waited_for


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class FunctionVerifier(HoldsFunction, Verifier):
    """What `@verifier` makes of a function: the function object itself, whatever its name.

    Two of them are equal only if they are of one function: one object, or what one file defines at its top
    under one name with the same code, however often it was loaded. A recipe finds it by `path`; a function
    that no path leads to, such as a closure, works everywhere else, and goes to other processes as it is.

    Args:
        path: Where the function lives, as ``"package.module:name"``.
        low: What the function returns for the worst answer.
        high: What it returns for the best one; what lies between is paid in proportion.

    Raises:
        ConfigError: There is nothing to import at that path, or what it depends on cannot be known.
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

    The function names what it wants: ``response`` (the text outside thinking, where answers belong),
    ``completion`` (everything that the model wrote), ``thinking``, ``messages``, ``reference``, ``prompt``
    (the question), ``sample`` (all of these) or any column of the row. It returns a bool, a number, None for
    a row that cannot be judged, or a `Verdict`. Any callable will do: a closure, a lambda, a method of an
    object, `functools.partial`.

    Args:
        function: The function.
        **settings: ``isolate``: run it in a killable worker process. ``low`` and ``high``: the range of its
            values, which is paid from 0 to 1. ``version``: what stands for what cannot be read of it, such as
            compiled code or a service; change it when verdicts change.

    Raises:
        ConfigError: It has a parameter whose name went (``answer``), or what it depends on cannot be known.

    Warns:
        CompletionWarning: It takes ``completion`` and not ``response``; told once.

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
