"""Rewards, schedules and splitters by the names that recipes use."""

from __future__ import annotations

import functools
import importlib
from importlib.metadata import EntryPoint, entry_points

from verifiers import ConfigError
from verifiers._component import Component
from verifiers._errors import nearest
from verifiers._registry import load_plugin

ENTRY_POINTS = "reward_verifiers.rewards"
"""The entry-point group under which other distributions register rewards."""

REWARDS = {
    "CosineLength": "rewards.lengths",
    "Diversity": "rewards.compare",
    "DuplicatePenalty": "rewards.compare",
    "LengthTarget": "rewards.lengths",
    "Rank": "rewards.compare",
    "SoftOverlong": "rewards.lengths",
    "TagCount": "rewards.tags",
    "WinRate": "rewards.compare",
}
SCHEDULES = {
    "Constant": "rewards.schedules",
    "Cosine": "rewards.schedules",
    "Linear": "rewards.schedules",
    "Steps": "rewards.schedules",
}
SPLITTERS = {"RegexParts": "rewards.split", "StatementParts": "rewards.korean"}


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
