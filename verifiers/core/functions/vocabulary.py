"""The names that a function has for what it judges: what stands, what went, and what means more now.

`completion` once was the text outside thinking in functions, and everything in classes; `answer` was the
reference here and the model's text there. Both now mean one thing everywhere, and functions are told.
"""

from __future__ import annotations

import functools
import inspect
import warnings
import weakref
from collections.abc import Callable, Collection
from typing import Any

from ...errors import CompletionWarning, ConfigError
from ...runtime.forks import new_lock

PARTS = ("sample", "completion", "response", "thinking", "messages", "reference")
"""What a function may ask for besides the columns of the row: attributes of `Sample`, and the sample."""
_GONE = {
    "answer": "say `reference` for what the row's answer column holds, or `response` for what the model "
    "wrote outside its thinking, whichever is meant",
    "completions": "it is asked for one completion at a time: say `response`, or `completion` for all that "
    "the model wrote; a function of whole batches is a reward: rewards.from_trl(function)",
}
"""Names that a function cannot ask for, with the cure."""

_TOLD: weakref.WeakSet[Any] = weakref.WeakSet()
_LOCK = new_lock()


def check_names(function: Callable[..., Any], names: Collection[str], name: str) -> None:
    """Refuse names that went, and tell what `completion` means now, once for each function.

    Args:
        function: What is asked.
        names: Its parameters.
        name: What messages call it.

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
    """What all functions of one `def` have in common; the class of an object whose call has no code."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if not hasattr(function, "__code__") and not inspect.isroutine(function):
        function = type(function).__call__
    return getattr(function, "__code__", type(function))
