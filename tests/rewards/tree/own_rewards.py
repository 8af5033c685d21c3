"""Reward functions as users of a trainer have them."""

from __future__ import annotations

import urllib.request
from typing import Any

NOTHING = None


def length(completions: list[str], **kwargs: Any) -> list[float]:
    return [-float(len(each)) for each in completions]


def by_task(prompts: list[str], task: list[int | None]) -> list[float | None]:
    return [None if each is None else float(each) for each in task]


def of_messages(completions: list[Any], prompts: list[Any]) -> list[float]:
    """Gets messages as they came."""
    return [float(len(each[0]["content"])) for each in completions]


def too_few(completions: list[str], **kwargs: Any) -> list[float]:
    return [1.0]


def nothing(completions: list[str], **kwargs: Any) -> None:
    """Forgets to return."""


def texts(completions: list[str], **kwargs: Any) -> list[str]:
    return ["1"] * len(completions)


def infinite(completions: list[str], **kwargs: Any) -> list[float]:
    return [float("inf")] * len(completions)


def raising(completions: list[str], **kwargs: Any) -> list[float]:
    return {}["missing"]


def asks_a_service(response: str) -> float:
    """What it says cannot be read from here."""
    return float(urllib.request.urlopen("http://localhost").read())


def longer(response: str) -> float:
    return len(response) - 3.0


def shorter(completions: list[object], **columns: object) -> list[float | None]:
    return [-float(len(each)) if isinstance(each, str) else None for each in completions]
