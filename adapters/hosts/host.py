"""Hosts: the named reward, its needs, and whether the host meets them, checked at the start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Pay, Reward, load_recipe
from reward_verifiers.rewards.recipe.build import build_recipe
from reward_verifiers.verifiers import ConfigError, Verifier

from .unscored import POLICIES, Policy


class Need(StrEnum):
    """Features that a host may or may not offer a reward."""

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


COLUMNS = {"completion_tokens": Need.TOKENS, "completion_ids": Need.TOKENS, "prompt": Need.PROMPT,
           "prompts": Need.PROMPT, "messages": Need.MESSAGES}  # fmt: skip
"""Columns that a host makes, or does not, whatever the data are."""


@dataclass(frozen=True)
class Needs:
    """Needs of a reward.

    Args:
        features: Features that the host needs, with the part of the reward that needs them.
        columns: Columns of the data.
    """

    features: Mapping[Need, str]
    columns: tuple[str, ...]


def needs_of(reward: Reward) -> Needs:
    """Return a reward's needs besides the completions.

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


CURES: Mapping[Need, str] = {
    Need.GROUP: "use a reward that judges each completion by itself, or a host that passes whole groups",
    Need.TOKENS: "measure lengths with unit='characters' or unit='words', or use a host that passes tokens",
    Need.PROGRESS: "write a number in place of the schedule, or name the progress at which it is read",
    Need.PROMPT: "use a reward that does not read the question, or a host that passes it",
    Need.MESSAGES: "use a reward that reads the completion alone, or a host that passes conversations",
}
"""What helps where a host lacks something, unless the host knows better."""


@dataclass(frozen=True)
class Host:
    """A program that calls rewards, or one of its ways to call them.

    Args:
        name: Its name in messages.
        offers: Its data besides completions and columns.
        unscored: Its policies for rows without a reward; the first is the default.
        columns: The data's columns that arrive; None for all of them.
        cures: Advice for data that it lacks.

    Raises:
        ConfigError: No policy, an unknown one, or a mean of groups without groups.

    >>> from rewards import load_recipe
    >>> Host("a trainer", frozenset(), ("zero",)).refusals(load_recipe("gsm8k_tags"))
    []
    """

    name: str
    offers: frozenset[Need]
    unscored: tuple[Policy, ...]
    columns: frozenset[str] | None = None
    cures: Mapping[Need, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.unscored or not set(self.unscored) <= set(POLICIES):
            raise ConfigError(f"{self.name}: unscored is some of {', '.join(POLICIES)}, got {self.unscored}")
        if "group_mean" in self.unscored and Need.GROUP not in self.offers:
            raise ConfigError(f"{self.name}: the mean of a group needs a host that passes groups")

    def refusals(self, reward: Reward, *, progress: float | None = None) -> list[str]:
        """Return why a reward cannot be paid here, with a sentence and the cure for each reason.

        Args:
            reward: The reward.
            progress: The progress at which schedules are read, where the user has said so.
        """
        needs = needs_of(reward)
        lacking = {
            need: who
            for need, who in needs.features.items()
            if need not in self.offers and not (need is Need.PROGRESS and progress is not None)
        }
        found = [
            f"{who} needs the {need.value}, which {self.name} does not pass: {self._cure(need)}"
            for need, who in lacking.items()
        ]
        if self.columns is not None:
            missing = [column for column in needs.columns if column not in self.columns]
            if missing:
                arriving = ", ".join(sorted(self.columns)) or "no columns"
                found.append(
                    f"the reward reads {', '.join(missing)}, and {self.name} passes {arriving}: "
                    "put the missing data into one of these, or use a host that passes the data's columns"
                )
        return found

    def check(self, reward: Reward, *, progress: float | None = None) -> None:
        """Refuse a reward that cannot be paid here.

        Raises:
            ConfigError: It cannot; the message has the cure.
        """
        found = self.refusals(reward, progress=progress)
        if found:
            raise ConfigError("; ".join(found))

    def policy(self, asked: Policy | None = None) -> Policy:
        """Return the policy for a row without a reward.

        Raises:
            ConfigError: The host cannot do that.
        """
        if asked is None:
            return self.unscored[0]
        if asked not in self.unscored:
            raise ConfigError(
                f"{self.name} cannot {asked!r} a row without a reward; choose one of "
                + ", ".join(self.unscored)
            )
        return asked

    def _cure(self, need: Need) -> str:
        return self.cures.get(need, CURES[need])


RECIPE_VARIABLE = "REWARD_RECIPE"
"""The environment variable that names a recipe."""


Recipe = str | Path | Mapping[str, Any] | Reward | Verifier
"""A preset's name, a recipe file, a verifier's name, a recipe as plain data, a reward or a verifier."""


def reward_of(recipe: Recipe) -> Reward:
    """Return the reward that the user of a host names.

    Raises:
        ConfigError: It is none.

    >>> reward_of("ExactMatch") == reward_of({"reward": "ExactMatch"})
    True
    """
    if isinstance(recipe, str | Path):
        return load_recipe(recipe)
    if isinstance(recipe, Mapping):
        return build_recipe(dict(recipe))[0]
    if isinstance(recipe, Verifier):
        return Pay(recipe)
    if isinstance(recipe, Reward):
        return recipe
    raise ConfigError(
        f"a recipe is a name, a file, a mapping, a reward or a verifier, got {type(recipe).__name__}"
    )


def recipe_asked(host: str) -> str:
    """Return the recipe that the environment names.

    Args:
        host: Name of the calling program in the message.

    Raises:
        ConfigError: It names none.
    """
    recipe = os.environ.get(RECIPE_VARIABLE, "").strip()
    if not recipe:
        raise ConfigError(
            f"{host} was given no recipe: set the environment variable {RECIPE_VARIABLE} to its name or file "
            "where the trainer's workers see it, or write a file of one line that names it"
        )
    return recipe
