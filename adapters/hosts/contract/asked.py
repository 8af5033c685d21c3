"""Which reward a user asked for, where a host loads a function by its path and passes it no options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Pay, Reward, load_recipe
from reward_verifiers.rewards.recipe.build import build_recipe
from reward_verifiers.verifiers import ConfigError, Verifier

RECIPE_VARIABLE = "REWARD_RECIPE"
"""The environment variable that names a recipe."""


Recipe = str | Path | Mapping[str, Any] | Reward | Verifier
"""A preset's name, a recipe file, a verifier's name, a recipe as plain data, a reward or a verifier."""


def reward_of(recipe: Recipe) -> Reward:
    """The reward that the user of a host names.

    Args:
        recipe: As it is given.

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
    """The recipe that the environment names.

    Args:
        host: What the message calls the program that asks.

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
