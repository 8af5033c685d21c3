"""Tools and environments as users write them, good and bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def add(a: int, b: int) -> int:
    """Add two numbers.

    Args:
        a: One.
        b: The other.

    Returns:
        The sum.
    """
    return a + b


async def later(a: int) -> int:
    """Wait.

    Args:
        a: A number.

    Returns:
        The number.
    """
    return a


def undescribed(a, b):  # type: ignore[no-untyped-def]
    return a + b


class Counter:
    """An environment of slots, as some are."""

    __slots__ = ("count", "limit")

    def reset(self, limit: int = 0, **row: Any) -> str | None:
        """Begin a row.

        Args:
            limit: Of the row.
            **row: Its other columns.
        """
        self.count, self.limit = 0, limit
        return f" up to {limit}" if limit else None

    def more(self, by: int) -> str:
        """Count.

        Args:
            by: How far.

        Returns:
            The count.
        """
        if self.count + by > self.limit:
            raise ValueError("too far")
        self.count += by
        return str(self.count)


class Endless:
    """An environment that cannot begin anew."""

    def more(self) -> str:
        """Count.

        Returns:
            Nothing.
        """
        return ""


SEEN: list[Any] = []


def seen(state: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], prices: Mapping[str, int]) -> bool:
    """Notes what a verifier is given."""
    SEEN.append((state, messages, prices))
    return len(messages) > 1


def rolled_out(prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
    """Generates without a model: TRL hands over every prompt as often as it is to be answered."""
    ids = trainer.processing_class("7<|end|>")["input_ids"]
    return {
        "prompt_ids": [[1] for _ in prompts],
        "completion_ids": [list(ids) for _ in prompts],
        "logprobs": [[0.0] * len(ids) for _ in prompts],
        "state": [{"number": number} for number, _ in enumerate(prompts)],
    }
