"""The recipe that a scored file names: its file, and the verifier of each part."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import load_recipe
from reward_verifiers.rewards.recipe import SUFFIXES
from reward_verifiers.verifiers import ConfigError, VerifierError


def recipe_from(home: str | None, recipe: str) -> str:
    """Return a recipe for a scored file: a path relative to that file, so that both can move together."""
    file, inside = _file_of(recipe)
    if not file or not Path(file).is_file() or home in (None, "-"):
        return recipe
    return os.path.relpath(file, Path(str(home)).parent) + inside


def recipe_beside(path: str, recipe: str) -> str:
    """Return a recipe that a scored file names, resolving a file from where the scored file is.

    Raises:
        ConfigError: It is a file that is not there any more.
    """
    file, inside = _file_of(recipe)
    if not file:
        return recipe
    for folder in (Path(path).parent, Path()):
        if (folder / file).is_file():
            return str(folder / file) + inside
    raise ConfigError(f"{path}: was scored by {file}, which is not there any more; name one with --recipe")


def _file_of(recipe: str) -> tuple[str, str]:
    """Return the file of a recipe, and the name in it; two empty texts for a name."""
    name, colon, inside = recipe.rpartition(":")
    if name.endswith(".py"):
        return name, colon + inside
    return (recipe, "") if Path(recipe).suffix in SUFFIXES else ("", "")


def part_specs(path: str, recipe: str | None) -> dict[str, Any]:
    """Return the verifier of each part, as case files name it; empty where the recipe is missing.

    Args:
        path: The scored file.
        recipe: As it names it; None where it does not.

    >>> part_specs("scored.jsonl", "r1_zero")
    {'accuracy': 'MathEquivalence', 'format': 'TagFormat'}
    """
    if not recipe:
        return {}
    try:
        parts = load_recipe(recipe_beside(path, recipe)).parts()
        found = {name: next(node.verifiers(), None) for name, node in parts}
        return {name: each.to_spec() for name, each in found.items() if each is not None}
    except VerifierError:
        return {}
