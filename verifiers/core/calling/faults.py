"""What breaks outside a completion: the reasons for it, and what an exception says for a person."""

from __future__ import annotations

import traceback
from types import TracebackType

from ..identity.owners import Owner, owner_of

_SHOWN = 300
"""Characters of an exception's own text: what stands where must not be cut off."""
_ORDER: tuple[Owner, ...] = ("own", "installed", "library", "standard")
"""Whose code is to blame, as far as a traceback can tell: the innermost frame of the first of these."""

SHARED_REASONS = {
    "not_text": "the completion is neither text nor chat messages",
    "no_reference": "the row has no reference to judge against",
    "bad_reference": "the reference is unusable",
    "missing_dependency": "an optional package is not installed",
    "exception": "the verifier raised, and raised again on a second try",
    "worker": "no worker process can be started, or none works any more",
    "bad_verdict": "the verifier returned something that is not a verdict",
    "not_sent": "with isolate=True: the row's columns cannot be handed to a worker process",
    "cpu_time": "with isolate=True: judging this completion took too much processor time",
    "wall_time": "with isolate=True: judging this completion did not end",
    "memory": "with isolate=True: judging this completion took too much memory",
    "crash": "with isolate=True: judging this completion ended the worker process, twice",
}
"""The reasons that a verdict of any verifier can carry."""


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
    return str(frames.tb_frame.f_globals.get("__name__", "")).startswith(
        ("reward_verifiers.verifiers.core.", "reward_verifiers.rewards.")
    )


def _owner(frames: TracebackType) -> Owner:
    return owner_of(str(frames.tb_frame.f_globals.get("__name__", "")))
