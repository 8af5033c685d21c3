"""The column that holds the references, where a user's data have another name for it than `answer`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from ...errors import ConfigError
from ...runtime.forks import new_lock

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
        cure: How the user says which one is meant; it ends the message.

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
    """What is told where a stand-in is taken."""
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
