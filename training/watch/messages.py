"""Lines on standard error that tell a person how a run goes."""

from __future__ import annotations

import sys

from ..environment import rank


def say(line: str) -> None:
    """A line for a person, once for all processes."""
    if rank() == 0:
        print(line, file=sys.stderr, flush=True)
