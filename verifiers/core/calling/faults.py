"""What an exception says for a person: what it was, and where in the user's own code it arose."""

from __future__ import annotations

import traceback
from types import TracebackType

from ..identity.owners import Owner, owner_of

_SHOWN = 300
"""Characters of an exception's own text: what stands where must not be cut off."""
_ORDER: tuple[Owner, ...] = ("own", "installed", "library", "standard")
"""Whose code is to blame, as far as a traceback can tell: the innermost frame of the first of these."""


def told(error: BaseException) -> str:
    """An exception in one sentence: its type and text, and the file and line where it arose.

    >>> try:
    ...     {}["missing"]
    ... except KeyError as error:
    ...     print(told(error))  # doctest: +ELLIPSIS
    KeyError: 'missing', at ...:2 in <module>
    """
    text = str(error)
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 2] + " …"
    return f"{type(error).__name__}: {shown}{_place(error.__traceback__)}"


def trace_of(error: BaseException) -> str:
    """The traceback, without the frames of the library that called."""
    frames = error.__traceback__
    while frames is not None and frames.tb_next is not None and _calls(frames):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames)).rstrip()


def _place(frames: TracebackType | None) -> str:
    found: dict[Owner, TracebackType] = {}
    while frames is not None:
        found[_owner(frames)] = frames
        frames = frames.tb_next
    for owner in _ORDER:
        if owner in found:
            frame = found[owner]
            code = frame.tb_frame.f_code
            return f", at {code.co_filename}:{frame.tb_lineno} in {code.co_name}"
    return ""


def _calls(frames: TracebackType) -> bool:
    """Whether a frame belongs to what runs verifiers, and not to one."""
    return str(frames.tb_frame.f_globals.get("__name__", "")).startswith(("verifiers.core.", "rewards."))


def _owner(frames: TracebackType) -> Owner:
    return owner_of(str(frames.tb_frame.f_globals.get("__name__", "")))
