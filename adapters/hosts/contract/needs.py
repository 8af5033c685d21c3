"""What a reward needs from the program that calls it, besides the completions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reward_verifiers.rewards import Reward


class Need(StrEnum):
    """What hosts may or may not have for a reward."""

    GROUP = "group"
    """All completions of a prompt in one call."""
    TOKENS = "tokens"
    """The completions' tokens, or their numbers."""
    PROGRESS = "progress"
    """How far training has come."""
    PROMPT = "prompt"
    """The question."""
    MESSAGES = "messages"
    """The conversation, tool calls included."""


COLUMNS = {
    "completion_tokens": Need.TOKENS,
    "completion_ids": Need.TOKENS,
    "prompt": Need.PROMPT,
    "prompts": Need.PROMPT,
    "messages": Need.MESSAGES,
}
"""Columns that a host makes, or does not, whatever the data are."""


@dataclass(frozen=True)
class Needs:
    """What a reward needs.

    Args:
        features: What the host itself must have, with the part of the reward that asks for it.
        columns: Columns of the data.
    """

    features: Mapping[Need, str]
    columns: tuple[str, ...]


def needs_of(reward: Reward) -> Needs:
    """What a reward needs besides the completions.

    >>> from rewards import load_recipe
    >>> sorted(needs_of(load_recipe("dapo_math")).features), needs_of(load_recipe("gsm8k_tags")).columns
    ([<Need.TOKENS: 'tokens'>], ('answer',))
    """
    features: dict[Need, str] = {}
    for node in reward.walk():
        if node.compares_groups:
            features.setdefault(Need.GROUP, node.describe())
        if any(True for _ in node.scheduled_now(1.0)):
            features.setdefault(Need.PROGRESS, node.describe())
        for column in node.needs():
            if column in COLUMNS:
                features.setdefault(COLUMNS[column], node.describe())
        if "messages" in node.reads():
            features.setdefault(Need.MESSAGES, node.describe())
    return Needs(features, tuple(column for column in reward.columns() if column not in COLUMNS))
