"""`@verifier`, and what it makes of a function."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import InitVar, dataclass, field
from types import FunctionType
from typing import Any, ClassVar, overload

from ...errors import ConfigError
from ..identity.import_paths import load
from ..identity.reading import Reader, code_digest
from ..identity.taken import digest_of
from ..identity.tokens import token_of
from ..identity.travel import found_by_name, importable, packed, unpacked
from ..verdicts import Sample, Verdict
from ..verifier_base import VERIFIERS, Verifier
from .parameters import arguments, check_parameters, columns_of, parameters_read, required
from .results import ResultError, score_of, waited_for


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class FunctionVerifier(Verifier):
    """What `@verifier` makes of a function: the function object itself, whatever its name.

    Two of them are equal only if they are of one function. A recipe finds it by `path`; a function that no
    path leads to, such as a closure, works everywhere else, and goes to other processes as what it is.

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
        "no_score": "the function returned None: the row cannot be judged",
    }
    needs_reference: ClassVar[bool] = False

    path: str
    low: float = field(default=0.0, kw_only=True)
    high: float = field(default=1.0, kw_only=True)

    function: InitVar[Any] = None  # kept as an attribute, which `dataclasses.replace` hands on

    def __post_init__(self, function: Any) -> None:
        if function is None:
            self._adopt()
        else:
            self.__dict__.update(function=function, _mark=token_of(function))
        super().__post_init__()
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ConfigError(
                f"{self._name()}: low must be smaller than high, got {self.low!r} and {self.high!r}"
            )
        check_parameters(self._judge, self._name())
        # A function that asks for the reference cannot judge a row without one.
        needs = bool({"reference", "answer"} & set(required(self._judge)))
        object.__setattr__(self, "needs_reference", needs)

    def _adopt(self) -> None:
        """Take what is decorated at the path; what is given beside the path goes first."""
        found = load(self.path)
        if not isinstance(found, FunctionVerifier):
            raise ConfigError(f"FunctionVerifier: {self.path} is not decorated with @verifier")
        self.__dict__.update(function=found._judge, _mark=found._token)
        for name in ("low", "high", "version", "isolate"):
            if getattr(self, name) == getattr(type(self), name):
                object.__setattr__(self, name, getattr(found, name))

    @property
    def _judge(self) -> Callable[..., Any]:
        """The function itself, which type checkers do not know as an attribute."""
        found: Callable[..., Any] = self.__dict__["function"]
        return found

    @property
    def _token(self) -> str:
        """What tells this very function from others of the same code."""
        return str(self.__dict__["_mark"])

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
            return self.fault("bad_verdict", f"{self._name()} {problem}{_where(function)}")
        return self.scored(score, "passed" if score == 1.0 else "partial" if score else "failed", raw=raw)

    def fields_read(self) -> tuple[str, ...] | None:
        return parameters_read(self._judge)

    def columns_needed(self) -> tuple[str, ...]:
        return columns_of(self._judge)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function itself, as if it had not been decorated."""
        return self._judge(*args, **kwargs)

    def _name(self) -> str:
        name = self.path.rpartition(":")[2].rpartition(".")[2]
        return "function" if name == "<lambda>" else name

    # What it is, and how it travels -----------------------------------------------------------

    def to_spec(self) -> Any:
        """See `Component.to_spec`.

        Raises:
            ConfigError: No import path leads to this function.
        """
        if not self._is_at_its_path():
            raise ConfigError(
                f"{self.path} cannot stand in a recipe: that path does not lead to this function; define it "
                "with @verifier at the top level of a module"
            )
        return super().to_spec()

    def describe(self) -> str:
        return self.described(super().to_spec())

    def _is_at_its_path(self) -> bool:
        try:
            found = load(self.path)
        except ConfigError:
            return False
        return isinstance(found, FunctionVerifier) and found._token == self._token

    def _holds_own(self) -> bool:
        return True

    def _own_name(self) -> str:
        return self._name()

    def _version_hint(self) -> str:
        return '@verifier(version="1")'

    def _further(self, reader: Reader) -> list[bytes]:
        reader.own = True
        reader.tokens.append(self._token)
        return [digest_of("function", reader.read(self._judge))]

    def _seal(self) -> None:
        super()._seal()
        if self.isolate and not self._will_be_found():
            packed(self._judge, self._name(), self.taken().unknown)

    def _will_be_found(self) -> bool:
        """Whether it stands at the top of a module that another process can import, which may still load."""
        module, _, name = self.path.partition(":")
        return name.isidentifier() and isinstance(self._judge, FunctionType) and importable(module)

    def __getstate__(self) -> dict[str, Any]:
        kept = ("function", "_mark", "_packed")
        return {name: value for name, value in super().__getstate__().items() if name not in kept}

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self._is_at_its_path() and found_by_name(load(self.path), *self.path.split(":")):
            return _by_path, (self.__getstate__(), code_digest(self._judge))
        kept = self.__dict__.get("_packed")
        if kept is None:
            kept = self.__dict__["_packed"] = packed(self._judge, self._name(), self.taken().unknown)
        return _by_value, (kept, self.__getstate__(), self._token)

    def __copy__(self) -> FunctionVerifier:
        return self

    def __deepcopy__(self, memo: Any) -> FunctionVerifier:
        return self


def _by_path(state: dict[str, Any], code: str) -> FunctionVerifier:
    """What is at a path, in another process.

    Raises:
        ConfigError: It is not what it was in the process that sent it.
    """
    found = load(state["path"])
    if not isinstance(found, FunctionVerifier) or code_digest(found._judge) != code:
        raise ConfigError(
            f"{state['path']} is not what it was when this run started: its code, or code that it reaches, "
            "was changed; start again"
        )
    return _made(found._judge, found._token, state)


def _by_value(payload: bytes, state: dict[str, Any], token: str) -> FunctionVerifier:
    return _made(unpacked(payload), token, state, _packed=payload)


def _made(function: Any, token: str, state: dict[str, Any], **more: Any) -> FunctionVerifier:
    made = object.__new__(FunctionVerifier)
    made.__dict__.update(function=function, _mark=token, **more)
    made.__setstate__(state)
    return made


@overload
def verifier(function: Callable[..., Any]) -> FunctionVerifier: ...
@overload
def verifier(
    *, isolate: bool = False, low: float = 0.0, high: float = 1.0, version: str = ""
) -> Callable[[Callable[..., Any]], FunctionVerifier]: ...
def verifier(function: Callable[..., Any] | None = None, **settings: Any) -> Any:
    """Turn a function into a verifier.

    The function names what it wants: ``completion`` (the text outside thinking), ``reference``,
    ``thinking``, ``sample`` (everything) or any column of the row. It returns a bool, a number, None for a
    row that cannot be judged, or a `Verdict`. Any callable will do: a closure, a lambda, a method of an
    object, `functools.partial`.

    Args:
        function: The function.
        **settings: ``isolate``: run it in a killable worker process. ``low`` and ``high``: the range of its
            values, which is paid from 0 to 1. ``version``: what stands for what cannot be read of it, such as
            compiled code or a service; change it when verdicts change.

    >>> @verifier
    ... def shouts(completion):
    ...     return completion.isupper()
    >>> shouts.verify("<think>quiet</think>LOUD").reason
    'passed'
    >>> at_most = [verifier(lambda completion, most=most: len(completion) <= most) for most in (3, 9)]
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
    return FunctionVerifier(_path_of(function), function=function, **settings)


def _path_of(function: Any) -> str:
    """Where a function says that it stands; a partial, a method or an object says it of what is called."""
    while isinstance(function, functools.partial):
        function = function.func
    if not hasattr(function, "__qualname__"):
        function = type(function)
    return f"{getattr(function, '__module__', None) or '__main__'}:{function.__qualname__}"


def _where(function: Any) -> str:
    """The file and line of a function, for a message."""
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(inspect.unwrap(function), "__code__", None)
    return "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
