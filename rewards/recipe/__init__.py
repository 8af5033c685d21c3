"""Rewards as files: recipes in YAML, TOML or JSON, and the presets that come with the library."""

from __future__ import annotations

from .load import SUFFIXES, load_recipe, preset_names, preset_path, read_recipe, recipe_of, to_recipe

__all__ = ["SUFFIXES", "load_recipe", "preset_names", "preset_path", "read_recipe", "recipe_of", "to_recipe"]
