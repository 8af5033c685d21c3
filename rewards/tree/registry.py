"""Rewards, schedules and splitters by the names that recipes use."""

from __future__ import annotations

import functools
import importlib
from importlib.metadata import EntryPoint, entry_points

from verifiers import ConfigError
from verifiers.core.component import Component
from verifiers.core.registry import load_plugin
from verifiers.errors import nearest

ENTRY_POINTS = "reward_verifiers.rewards"
"""The entry-point group under which other distributions register rewards."""

REWARDS = {
    "CosineLength": "rewards.shape.lengths",
    "Diversity": "rewards.groups.comparisons",
    "DuplicatePenalty": "rewards.groups.comparisons",
    "LengthTarget": "rewards.shape.lengths",
    "Rank": "rewards.groups.comparisons",
    "SoftOverlong": "rewards.shape.lengths",
    "TagCount": "rewards.tree.tag_count",
    "WinRate": "rewards.groups.comparisons",
}
SCHEDULES = {
    "Constant": "rewards.shape.schedules",
    "Cosine": "rewards.shape.schedules",
    "Linear": "rewards.shape.schedules",
    "Steps": "rewards.shape.schedules",
}
SPLITTERS = {"RegexParts": "rewards.tree.splits", "StatementParts": "rewards.tree.statement_parts"}


@functools.cache
def _plugins() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


def reward_names() -> list[str]:
    """The rewards that a recipe can name besides verifiers; none is imported."""
    return sorted({*REWARDS, *_plugins()})


def get_class(name: str, table: dict[str, str]) -> type[Component]:
    """The class of that name.

    Raises:
        ConfigError: There is none, or another distribution's entry point cannot be loaded.
    """
    if name in table:
        found = getattr(importlib.import_module(table[name]), name)
    elif table is REWARDS and name in _plugins():
        found = load_plugin(_plugins()[name])
    else:
        raise ConfigError(f"there is no {name!r}{nearest(name, table)}")
    if not (isinstance(found, type) and issubclass(found, Component)):
        raise ConfigError(f"{name!r} is registered but is {found!r}, not a class of rewards")
    return found
