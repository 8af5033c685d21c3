"""Input columns and values as users have them, and faults that arise outside a completion.

Columns are lists, Series, arrays of NumPy, Arrow and torch, a Dataset's; the one with the references may have
another name than `answer`. A fault has a reason, and its exception is told for a person.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from ..errors import ConfigError
from ..runtime.forks import new_lock
from .owners import Owner, owner_of

_PLAIN = (str, int, float, bool, type(None), list, tuple, dict)


def as_column(values: object, name: str) -> Sequence[object]:
    """A column as a sequence that is read by its positions.

    Args:
        values: Whatever holds one value for each completion.
        name: Its name in messages.

    Raises:
        ConfigError: It is one value, or no column at all.

    >>> as_column(("a", "b"), "answer")
    ('a', 'b')
    >>> as_column("42", "answer")
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.errors.ConfigError: answer is one string, '42', but it must be a list
    with one value for each completion
    """
    if type(values) in (list, tuple):
        return values  # type: ignore[return-value]
    found = column_or_none(values)
    if found is None:
        kind = "string" if isinstance(values, str) else type(values).__name__
        raise ConfigError(
            f"{name} is one {kind}, {values!r:.60}, but it must be a list with one value for each completion"
        )
    return found


def column_or_none(values: Any) -> Sequence[object] | None:
    """The same; None for what is no column."""
    if isinstance(values, str | bytes | bytearray | Mapping | type):
        return None
    for name in ("to_pylist", "tolist"):  # Arrow's; NumPy's, torch's and that of a Series
        convert = getattr(values, name, None)
        if callable(convert) and not isinstance(values, list | tuple):
            listed = convert()
            return listed if isinstance(listed, list) else None
    if isinstance(values, Sequence):
        return values
    if hasattr(values, "__len__") and hasattr(values, "__getitem__") and isinstance(values, Iterable):
        return list(values)
    return None


def plain_value(value: Any) -> Any:
    """A scalar of NumPy, torch or Arrow as Python's own, and an array as a list; anything else as it is."""
    if type(value) in _PLAIN:
        return value
    if hasattr(value, "dtype") and callable(getattr(value, "tolist", None)):
        return value.tolist()
    convert = getattr(value, "as_py", None)
    return convert() if callable(convert) else value


class Row(Mapping[str, object]):
    """One row of a table of columns, without copying it."""

    __slots__ = ("_columns", "_row")

    def __init__(self, columns: Mapping[str, Sequence[object]], row: int) -> None:
        self._columns, self._row = columns, row

    def __getitem__(self, name: str) -> object:
        return self._columns[name][self._row]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns


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
    """Return whether a frame belongs to the code that runs verifiers, and not to a verifier."""
    return str(frames.tb_frame.f_globals.get("__name__", "")).startswith(
        ("reward_verifiers.verifiers.core.", "reward_verifiers.rewards.")
    )


def _owner(frames: TracebackType) -> Owner:
    return owner_of(str(frames.tb_frame.f_globals.get("__name__", "")))


REFERENCE = "answer"
"""The column with the references, unless another is named."""
STAND_INS = ("reference", "solution", "ground_truth", "target")
"""Columns that are taken for it where it is not there, as data sets call theirs."""

_log = logging.getLogger("verifiers")
_told: set[str] = set()
_LOCK = new_lock()


def reference_column(columns: Mapping[str, Any], cure: str) -> str | None:
    """The column that stands for `answer`: itself, or the one stand-in that is there.

    Args:
        columns: A row, or columns by their names.
        cure: Advice on how to name the right one; it ends the message.

    Returns:
        Its name; None where there is none.

    Raises:
        ConfigError: There are several stand-ins, and they differ.

    >>> reference_column({"prompt": "2+2?", "solution": "4"}, "")
    'solution'
    >>> reference_column({"solution": "2+2 is 4", "target": "4"}, "pass answer=...")
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.errors.ConfigError: there is no column 'answer', and 'solution' and ...
    pass answer=...
    """
    if REFERENCE in columns:
        return REFERENCE
    found = [name for name in STAND_INS if name in columns]
    differing = [name for name in found[1:] if not _same(columns[name], columns[found[0]])]
    if differing:
        raise ConfigError(
            f"there is no column {REFERENCE!r}, and {found[0]!r} and {differing[0]!r}, which both could hold "
            f"the references, differ; say which does: {cure}"
        )
    return found[0] if found else None


def taken_for_reference(name: str) -> str:
    """Return the message about a column that stands in for the references."""
    return f"the references are taken from the column {name!r}, since there is no {REFERENCE!r}"


def tell_reference(name: str) -> None:
    """Log that a stand-in is taken, once for each name."""
    with _LOCK:
        if name == REFERENCE or name in _told:
            return
        _told.add(name)
    _log.warning("%s", taken_for_reference(name))


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except (TypeError, ValueError):  # arrays, which have no one answer
        return False
