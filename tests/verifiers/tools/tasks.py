"""Functions that judge final states, as a user has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Account:
    """An environment."""

    def __init__(self) -> None:
        self.balance = 5
        self._log = lambda: None  # cannot be copied to another process

    def pay(self, amount: int) -> str:
        """Pay."""
        self.balance -= amount
        return str(self.balance)


class Board:
    """An environment that says what its state is."""

    @property
    def state(self) -> dict[str, Any]:
        """Of the board."""
        return {"balance": 3}


def is_paid(state: Mapping[str, Any]) -> bool:
    """Whether two were paid."""
    return bool(state["balance"] == 3)


def changes(state: dict[str, Any]) -> bool:
    """A function that changes what it is given."""
    state["balance"] += 1
    return True


def share(state: Mapping[str, Any]) -> float:
    """A number."""
    return float(state["share"])


def was_told(messages: Sequence[Mapping[str, Any]], reference: str) -> bool:
    """Whether a tool has said what is expected."""
    return any(message["role"] == "tool" and message["content"] == reference for message in messages)


def broken(state: Mapping[str, Any]) -> bool:
    """A function with a fault."""
    raise KeyError("nothing")


def unsure(response: str) -> None:
    """A function that cannot say."""


def endless(response: str) -> bool:
    """A function that never ends."""
    while True:
        pass
