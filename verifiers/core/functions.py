"""Functions as verifiers."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, overload

from ..errors import ConfigError
from .verdicts import Sample, Verdict
from .verifier_base import VERIFIERS, Verifier


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class FunctionVerifier(Verifier):
    """What `@verifier` makes of a function.

    Args:
        path: Where the function lives, as ``"package.module:name"``; this is how it travels.

    Raises:
        ConfigError: There is nothing to import at that path.
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "passed": "the function returned true or 1",
        "failed": "the function returned false or 0",
        "partial": "the function returned a score between 0 and 1",
        "no_score": "the function returned None: the row cannot be judged",
    }
    needs_reference: ClassVar[bool] = False

    path: str

    def __post_init__(self) -> None:
        # A function that asks for the reference cannot judge a row without one.
        needs = bool({"reference", "answer"} & set(required(self._function())))
        object.__setattr__(self, "needs_reference", needs)
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        function = self._function()
        result = function(**arguments(function, sample))
        if isinstance(result, Verdict):
            return result
        if result is None:
            return self.unscored("no_score", "the function returned None")
        if not isinstance(result, bool | int | float):
            return self.fault(
                "bad_verdict", f"{self.path} must return a bool, a float in [0, 1], None or a Verdict"
            )
        score = float(result)
        if not 0.0 <= score <= 1.0:
            return self.fault("bad_verdict", f"{self.path} returned {result!r}, which is not in [0, 1]")
        return self.scored(score, "passed" if score == 1.0 else "partial" if score else "failed")

    def fields_read(self) -> tuple[str, ...] | None:
        return parameters_read(self._function())

    def columns_needed(self) -> tuple[str, ...]:
        return columns_of(self._function())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function itself, as if it had not been decorated."""
        return self._function()(*args, **kwargs)

    def _function(self) -> Callable[..., Any]:
        known = _FUNCTIONS.get(self.path)
        if known is None:
            load(self.path)
            known = _FUNCTIONS.get(self.path)
        if known is None:
            raise ConfigError(f"FunctionVerifier: {self.path} is not decorated with @verifier")
        return known

    def _name(self) -> str:
        return self.path.rpartition(":")[2].rpartition(".")[2]


_FUNCTIONS: dict[str, Callable[..., Any]] = {}
_SAMPLE_FIELDS = {"sample", "completion", "answer", "thinking", "reference"}


@overload
def verifier(function: Callable[..., Any]) -> FunctionVerifier: ...
@overload
def verifier(*, isolate: bool = False) -> Callable[[Callable[..., Any]], FunctionVerifier]: ...
def verifier(function: Callable[..., Any] | None = None, *, isolate: bool = False) -> Any:
    """Turn a function into a verifier.

    The function names what it wants: ``completion`` (the text outside thinking), ``reference``,
    ``thinking``, ``sample`` (everything) or any column of the row. It returns a bool, a float in [0, 1],
    None for a row that cannot be judged, or a `Verdict`.

    Args:
        function: A function at a module's top level; elsewhere it works but cannot be pickled.
        isolate: Run it in a killable worker process.

    >>> @verifier
    ... def shouts(completion):
    ...     return completion.isupper()
    >>> shouts.verify("<think>quiet</think>LOUD").reason
    'passed'
    """
    if function is None:
        return functools.partial(_decorate, isolate=isolate)
    return _decorate(function, isolate=isolate)


def _decorate(function: Callable[..., Any], *, isolate: bool) -> FunctionVerifier:
    path = f"{function.__module__}:{function.__qualname__}"
    _FUNCTIONS[path] = function
    return FunctionVerifier(path, isolate=isolate)


def arguments(function: Callable[..., Any], sample: Sample) -> dict[str, Any]:
    """What a function wants of a sample, by the names of its parameters.

    Raises:
        ConfigError: A parameter that is neither a part of the sample nor a column of its row.
    """
    needed = required(function)
    return {
        name: _argument(name, sample)
        for name in _parameters(function)
        if name in needed or name in sample.fields or name in _SAMPLE_FIELDS
    }


@functools.lru_cache(maxsize=1024)
def required(function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters of a function that have no default."""
    given = inspect.signature(function).parameters.values()
    return tuple(each.name for each in given if each.default is inspect.Parameter.empty)


def columns_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The columns of the row that a function cannot do without, besides the reference."""
    return tuple(name for name in required(function) if name not in _SAMPLE_FIELDS)


def parameters_read(function: Callable[..., Any]) -> tuple[str, ...] | None:
    """The columns that a function asks for; None if it takes the whole sample."""
    names = _parameters(function)
    return None if "sample" in names else names


@functools.lru_cache(maxsize=1024)
def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def _argument(name: str, sample: Sample) -> Any:
    if name == "sample":
        return sample
    if name == "completion":
        return sample.answer
    if name in sample.fields:
        return sample.fields[name]
    if name in ("reference", "answer"):
        return sample.reference
    if name == "thinking":
        return sample.thinking
    raise ConfigError(f"the row has no column {name!r}; it has: {', '.join(sorted(sample.fields)) or 'none'}")


def load(path: str) -> Any:
    """The object at ``"package.module:name"``.

    Raises:
        ConfigError: There is none.
    """
    module, colon, name = path.partition(":") if isinstance(path, str) else ("", "", "")
    if not (module and colon and name):
        raise ConfigError(f"an import path is written 'package.module:name', got {path!r}")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"{path!r} cannot be imported: {error}") from error
    return found
