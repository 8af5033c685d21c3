"""Judges and functions for case files and tests."""

from __future__ import annotations

import time

from verifiers import verifier


def long_enough(completion: str) -> float | None:
    """One for a text, None for a short one, and what a careless judge does."""
    if completion == "outage":
        raise ConnectionError("no route to the judge")
    if completion == "twice as good":
        return 2.0
    return 1.0 if len(completion) > 4 else None


@verifier
def equal_by_function(completion: str, reference: str) -> bool:
    """Asks for the reference."""
    return completion == reference


@verifier
def with_task(completion: str, task: str, hint: str = "") -> bool:
    """Asks for one column, and may take another."""
    return completion == task + hint


@verifier
def breaking(completion: str) -> bool:
    """Has a defect that a completion can find."""
    if "BOOM" in completion:
        raise ZeroDivisionError
    return True


def slowly(completion: str) -> float:
    """Takes as long as a small model, and writes down in the current folder that it was asked."""
    time.sleep(0.02)
    with open("asked.txt", "a", encoding="utf-8") as file:
        file.write(f"{completion}\n")
    return float(len(completion) % 2)
