"""Verifiers as a third party would write them, at a module's top level."""

from __future__ import annotations

import os

from verifiers import verifier


@verifier
def even(completion: str) -> bool:
    """Whether the answer is even."""
    return int(completion) % 2 == 0


@verifier
def share(weight: float) -> float:
    """Reads a column."""
    return weight


@verifier
def cannot_say() -> None:
    """Judges nothing."""


@verifier
def text() -> str:
    """Returns what no verifier may."""
    return "yes"


@verifier(isolate=True)
def isolated_even(completion: str) -> bool:
    """The same as `even`, in a worker."""
    return int(completion) % 2 == 0


@verifier(isolate=True)
def hanging(completion: str) -> bool:
    """Holds the GIL."""
    return len(completion) < 9**9**9


@verifier(isolate=True)
def dying(completion: str) -> bool:
    """Ends its process."""
    os.abort()
