"""Judges for the case files."""

from __future__ import annotations


def long_enough(completion: str) -> float | None:
    """One for a text, None for a short one, and what a careless judge does."""
    if completion == "outage":
        raise ConnectionError("no route to the judge")
    if completion == "twice as good":
        return 2.0
    return 1.0 if len(completion) > 4 else None
