"""Sums by prompt in bounded memory, from which intervals are made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence

MOST = 8192
"""Prompts that are counted one by one: some 3 MB."""
GROUPS = 2048
"""Groups into which more prompts are thrown. An interval of so many is 2 % too wide or too narrow at most."""


def prompt_key(value: object) -> int:
    """What tells a prompt, or any other value of JSON, from others: 64 bits, the same in every process.

    >>> prompt_key("2+2?") == prompt_key("2+2?"), prompt_key("1") == prompt_key(1)
    (True, False)
    """
    if isinstance(value, str):
        text = value
    elif type(value) is int:
        text = f"\0{value}"  # as below, without an encoder
    else:
        text = "\0" + json.dumps(value, sort_keys=True)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class PromptSums:
    """Sums for each prompt; of too many prompts for each of many groups of them.

    The completions of a prompt are always in one group, wherever they stand in a file, so that groups vary as
    prompts do and intervals made of either are of the same width (the random groups of Wolter, Introduction
    to Variance Estimation, 2007, chapter 2).

    Args:
        most: Prompts that are counted one by one.
        groups: What they are thrown into beyond.
    """

    __slots__ = ("_most", "_sums", "grouped", "groups")

    def __init__(self, most: int = MOST, groups: int = GROUPS) -> None:
        self._most, self.groups = most, groups
        self._sums: dict[int, list[float]] = {}
        self.grouped = False
        """Whether groups are counted, and no longer prompts."""

    def __len__(self) -> int:
        return len(self._sums)

    def add(self, key: int, values: Sequence[float]) -> None:
        """Add values to the sums of a prompt.

        Args:
            key: Of the prompt; see `prompt_key`.
            values: As many for every prompt.
        """
        if self.grouped:
            key %= self.groups
        sums = self._sums.get(key)
        if sums is not None:
            for place, value in enumerate(values):
                sums[place] += value
            return
        self._sums[key] = list(values)
        if len(self._sums) > self._most:
            self._throw_together()

    def _throw_together(self) -> None:
        before, self._sums, self.grouped = self._sums, {}, True
        for key, sums in before.items():
            self.add(key, sums)

    def merge(self, items: Iterable[tuple[int, Sequence[float]]], grouped: bool = False) -> None:
        """Add what `items` of another one of the same sizes gave.

        Args:
            items: Keys and sums.
            grouped: Whether these are groups there.
        """
        if grouped and not self.grouped:
            self._throw_together()
        for key, sums in items:
            self.add(key, sums)

    def items(self) -> Iterator[tuple[int, list[float]]]:
        """Prompts with their sums, in an order that says nothing of them and not how rows stand."""
        for key in sorted(self._sums):
            yield key, self._sums[key]
