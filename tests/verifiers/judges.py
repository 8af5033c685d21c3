"""Judges and functions for case files and tests."""

from __future__ import annotations

import time

from verifiers import verifier


def long_enough(response: str) -> float | None:
    """One for a text, None for a short one, and what a careless judge does."""
    if response == "outage":
        raise ConnectionError("no route to the judge")
    if response == "twice as good":
        return 2.0
    return 1.0 if len(response) > 4 else None


@verifier
def equal_by_function(response: str, reference: str) -> bool:
    """Asks for the reference."""
    return response == reference


@verifier
def with_task(response: str, task: str, hint: str = "") -> bool:
    """Asks for one column, and may take another."""
    return response == task + hint


@verifier
def breaking(response: str) -> bool:
    """Has a defect that a completion can find."""
    if "BOOM" in response:
        raise ZeroDivisionError
    return True


def slowly(response: str) -> float:
    """Takes as long as a small model, and writes down in the current folder that it was asked."""
    time.sleep(0.02)
    with open("asked.txt", "a", encoding="utf-8") as file:
        file.write(f"{response}\n")
    return float(len(response) % 2)
