"""Which shapes were compared for an answer, kept only where a witness is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ...formulas.shapes import Shape
from .one_value.policy import Policy

Note = tuple[Shape, Shape, Policy, str | None]
"""The reference, the answer, what counted as the same, and the reason code that was found."""

_notes: ContextVar[list[Note] | None] = ContextVar("notes", default=None)


@contextmanager
def noting() -> Iterator[list[Note]]:
    """Keep what is compared inside."""
    found: list[Note] = []
    token = _notes.set(found)
    try:
        yield found
    finally:
        _notes.reset(token)


def note(one: Shape, other: Shape, policy: Policy, reason: str | None) -> str | None:
    """Keep a comparison, if somebody asked for it.

    Returns:
        The reason.
    """
    notes = _notes.get()
    if notes is not None:
        notes.append((one, other, policy, reason))
    return reason
