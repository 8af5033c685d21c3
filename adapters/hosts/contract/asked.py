"""Which reward a user asked for, where a host loads a function by its path and passes it no options."""

from __future__ import annotations

import os
from pathlib import Path

from rewards import Reward, load_recipe
from verifiers import ConfigError

RECIPE_VARIABLE = "REWARD_RECIPE"
"""The environment variable that names a recipe."""


def reward_of(recipe: Reward | str | Path) -> Reward:
    """A reward, or the one of a recipe's name or file.

    Raises:
        ConfigError: There is no such recipe.
    """
    return recipe if isinstance(recipe, Reward) else load_recipe(recipe)


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
