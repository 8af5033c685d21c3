"""Parameters of a user's function, by name: those in use, those removed, those with a wider meaning.

`completion` once was the text outside thinking in functions, and everything in classes; `answer` was the
reference here and the model's text there. Both now mean one thing everywhere, and functions are told.
"""

from __future__ import annotations

import functools
import inspect
import warnings
import weakref
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from ..errors import CompletionWarning, ConfigError
from ..runtime.forks import new_lock
from .verdicts import Sample

PARTS = ("sample", "completion", "response", "thinking", "messages", "reference")
"""Parameters of a function besides the columns of the row: attributes of `Sample`, and the sample."""
_GONE = {
    "answer": "write `reference` for the value of the row's answer "
    "column, or `response` for the model's text outside thinking",
    "completions": "it is asked for one completion at a time: say `response`, or `completion` for all that "
    "the model wrote; a function of whole batches is a reward: rewards.from_trl(function)",
}
"""Names that a function cannot ask for, with the cure."""

_TOLD: weakref.WeakSet[Any] = weakref.WeakSet()
_LOCK = new_lock()


def check_names(function: Callable[..., Any], names: Collection[str], name: str) -> None:
    """Refuse names that went, and tell what `completion` means now, once for each function.

    Args:
        function: The function.
        names: Its parameters.
        name: Its name in messages.

    Raises:
        ConfigError: It has a parameter whose name went.
    """
    for gone, cure in _GONE.items():
        if gone in names:
            raise ConfigError(f"{name} has a parameter {gone!r}, which means nothing here: {cure}")
    if "completion" not in names or {"response", "sample"} & set(names):
        return
    code = _code_of(function)
    with _LOCK:
        if code in _TOLD:
            return
        _TOLD.add(code)
    _tell(function, code, name)


def _tell(function: Callable[..., Any], code: Any, name: str) -> None:
    text = (
        f"{name} takes `completion`, which is everything that the model wrote, so what stands in its "
        "thinking counts, too. Take `response` for what stands outside thinking, where answers belong "
        "(`completion` meant that in earlier versions); where all of it is meant, take both, or ignore "
        "verifiers.CompletionWarning"
    )
    if inspect.iscode(code):
        module = getattr(function, "__module__", None)
        warnings.warn_explicit(text, CompletionWarning, code.co_filename, code.co_firstlineno, module)
    else:
        warnings.warn(text, CompletionWarning, stacklevel=2)


def _code_of(function: Any) -> Any:
    """Return what all functions of one `def` share; for an object whose call has no code, its class."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if not hasattr(function, "__code__") and not inspect.isroutine(function):
        function = type(function).__call__
    return getattr(function, "__code__", type(function))


def arguments(function: Callable[..., Any], sample: Sample) -> dict[str, Any]:
    """Return the arguments that a function takes from a sample, by the names of its parameters.

    Raises:
        ConfigError: A parameter that is neither a part of the sample nor a column of its row.
    """
    asked = _asked(function)
    given = {
        name: _argument(name, sample)
        for name in asked.names
        if name in asked.needed or name in PARTS or _has(sample, name)
    }
    if asked.rest:
        given |= {name: sample.fields[name] for name in sample.fields if name not in asked.taken}
    return given


def required(function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters of a function that have no default."""
    return _asked(function).needed


def columns_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The columns of the row that a function cannot do without, besides the reference."""
    return tuple(name for name in required(function) if name not in PARTS)


def reads_reference(function: Callable[..., Any]) -> bool:
    """Return whether a function receives the reference, with or without a default."""
    return bool({"reference", "sample"} & set(_asked(function).names))


def needs_reference(function: Callable[..., Any]) -> bool:
    """Return whether a function requires the reference, and so cannot judge a row without one."""
    return "reference" in required(function)


def parameters_read(function: Callable[..., Any]) -> tuple[str, ...] | None:
    """The columns that a function asks for; None if it takes the whole sample, or all columns."""
    asked = _asked(function)
    return None if asked.rest or "sample" in asked.names else asked.names


def takes_all(function: Callable[..., Any]) -> bool:
    """Return whether a function has ``**columns``."""
    return _asked(function).rest


def check_parameters(function: Callable[..., Any], name: str) -> None:
    """Refuse what cannot be called by the names of its parameters.

    Raises:
        ConfigError: It is no function, is a generator, takes positional-only parameters, or has a signature
            that cannot be read.
    """
    if not callable(function):
        raise ConfigError(f"@verifier takes a function, got {function!r:.80}")
    inner = function if inspect.isroutine(function) else getattr(function, "func", type(function).__call__)
    if inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner):
        raise ConfigError(f"{name} is a generator; a verifier returns one score with `return`")
    try:
        given = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise ConfigError(
            f"{name} does not name its parameters; wrap it: "
            "@verifier over `def judge(completion): return ...`"
        ) from None
    for each in given:
        if each.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise ConfigError(f"{name}: the parameter {each.name!r} is positional-only; drop the `/`")


def check_vocabulary(function: Callable[..., Any], name: str) -> None:
    """Refuse parameters whose names went, and tell what `completion` means now; see `check_names`."""
    check_names(function, _asked(function).names, name)


class _Asked(NamedTuple):
    names: tuple[str, ...]
    needed: tuple[str, ...]
    taken: frozenset[str]
    """Names that are bound already, or given apart."""
    rest: bool
    """It has ``**columns``."""


def _asked(function: Callable[..., Any]) -> _Asked:
    try:
        return _asked_of(function)
    except TypeError:  # an object that is called, and cannot be hashed
        return _read(function)


def _read(function: Callable[..., Any]) -> _Asked:
    given = inspect.signature(function).parameters.values()
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    bound = getattr(function, "keywords", {}) if isinstance(function, functools.partial) else {}
    wanted = [each for each in given if each.kind not in several and each.name not in bound]
    names = tuple(each.name for each in wanted)
    return _Asked(
        names,
        tuple(each.name for each in wanted if each.default is inspect.Parameter.empty),
        frozenset(names) | frozenset(bound) | {"completion"},
        any(each.kind is inspect.Parameter.VAR_KEYWORD for each in given),
    )


_asked_of = functools.lru_cache(maxsize=1024)(_read)


def _has(sample: Sample, name: str) -> bool:
    return name in sample.fields or (name == "prompt" and "prompts" in sample.fields)


def _argument(name: str, sample: Sample) -> Any:
    if name == "sample":
        return sample
    if name in PARTS or (name == "prompt" and _has(sample, name)):
        return getattr(sample, name)
    if name in sample.fields:
        return sample.fields[name]
    raise ConfigError(f"the row has no column {name!r}; it has: {', '.join(sorted(sample.fields)) or 'none'}")
