"""Reward functions that do something else than paying: each right in what it pays."""

from __future__ import annotations

import os
import time
from typing import Any


def hangs(response: str, reference: str) -> float:
    while response == "":
        pass
    return float(response.strip() == reference)


def sleeps(response: str, reference: str) -> float:
    if response == "":
        time.sleep(1000)
    return float(response.strip() == reference)


def crashes(response: str, reference: str) -> float:
    if response == "":
        os.abort()
    return float(response.strip() == reference)


def exits(response: str, reference: str) -> float:
    if response == "":
        raise SystemExit(0)
    return float(response.strip() == reference)


def eats_memory(response: str, reference: str) -> float:
    if response == "":
        return float(len(bytearray(1 << 42)))
    return float(response.strip() == reference)


def besides(response: str, reference: str) -> Any:
    """Prints, writes a file, and on some texts raises or pays no number."""
    print(response)
    path = os.path.join(os.path.dirname(__file__), "written_by_a_reward.txt")
    with open(path, "a", encoding="utf-8") as file:
        file.write(response)
    if response == "":
        return "wrong"
    return float(response[1] == reference[1] and response.strip() == reference)


def changes_arguments(response: str, reference: list[str]) -> float:
    right = response.strip() in reference
    reference.append("changed")
    return float(right)


def not_finite(response: str, reference: str) -> float:
    return float("nan") if response == "" else float(response.strip() == reference)


def counts(response: str, reference: str, seen: list[int] = [0]) -> float:  # noqa: B006
    seen[0] += 1
    return float(response.strip() == reference) / seen[0]


def fails_in_batches(completions: list[str], answer: list[str], **kwargs: Any) -> list[float]:
    return [float(completions[0].strip() == answer[0])]
