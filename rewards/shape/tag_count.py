"""Partial credit for tags."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.extract.tags import TAG_NAME

from ..tree.batch import Batch
from ..tree.payment import Payment
from ..tree.reward import REWARDS, Reward


@REWARDS.register
@dataclass(frozen=True, repr=False)
class TagCount(Reward):
    """The share of opening and closing tags that occur exactly once (the tag-count reward of open-r1).

    It gives a model that never closes a block something to climb, and that is its danger: strewn tags
    earn, in any order. `TagFormat(partial=True)` pays for complete blocks only.

    Args:
        tags: The tag names.

    Raises:
        ConfigError: No tags, tags that repeat, or ones that cannot be tag names.

    >>> TagCount(("think", "answer"))(completions=["<think>so</think> 4", "<think><think>"])
    [0.5, 0.0]
    """

    tags: tuple[str, ...] = ("think", "answer")

    def __post_init__(self) -> None:
        object.__setattr__(self, "tags", (self.tags,) if isinstance(self.tags, str) else tuple(self.tags))
        super().__post_init__()
        if (
            not self.tags
            or len(set(self.tags)) < len(self.tags)
            or not all(map(TAG_NAME.fullmatch, self.tags))
        ):
            raise ConfigError(f"TagCount: tags are different tag names, got {self.tags}")

    def pay(self, batch: Batch) -> list[Payment]:
        pattern = re.compile("|".join(rf"</?{re.escape(tag)}>" for tag in self.tags))
        return [
            Payment(self.name, None, (), None, "not text", True)
            if text is None
            else self._row(pattern.findall(text))
            for text in batch.texts("completion")
        ]

    def _row(self, found: list[str]) -> Payment:
        once = [tag for tag in found if found.count(tag) == 1] if len(found) < 1000 else []
        value = len(once) / (2 * len(self.tags))
        return Payment(self.name, value, (), None, f"{len(once)} of {2 * len(self.tags)} tags once", True)
