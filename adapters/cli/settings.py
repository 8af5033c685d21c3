"""``verify.toml``: the columns and the recipe of a project, settled once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

FILE = "verify.toml"
COLUMNS = {
    "completion": "completion_field",
    "reference": "reference_field",
    "prompt": "prompt_field",
    "group": "group_field",
    "tokens": "tokens_field",
    "messages": "messages_field",
}
"""The keys of `[columns]`, and the options of commands that they stand for."""


@dataclass(frozen=True)
class Settings:
    """What a file settles.

    Args:
        path: Where it is; None where there is none.
        options: Values by the names of the options that they stand for.
    """

    path: Path | None
    options: dict[str, str]

    def told(self, used: list[str]) -> str:
        """A line on what was taken from it."""
        shown = ", ".join(f"{name.removesuffix('_field')} {self.options[name]!r}" for name in used)
        return f"{self.path} settles: {shown}"


def found_settings(folder: Path) -> Settings:
    """The settings of the nearest folder above, or this one.

    Raises:
        ConfigError: The file cannot be read, or has a key that nobody reads.
    """
    for each in (folder, *folder.parents):
        path = each / FILE
        if path.is_file():
            return Settings(path, _read(path))
    return Settings(None, {})


def _read(path: Path) -> dict[str, str]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read as TOML: {error}") from None
    columns = data.pop("columns", {})
    if not isinstance(columns, dict):
        raise ConfigError(f"{path}: columns is a table: [columns]")
    options: dict[str, str] = {}
    for key, value in columns.items():
        if key not in COLUMNS:
            raise ConfigError(f"{path}: [columns] has no key {key!r}{nearest(key, COLUMNS)}")
        options[COLUMNS[key]] = _text(path, f"columns.{key}", value)
    if "recipe" in data:
        recipe = _text(path, "recipe", data.pop("recipe"))
        name, colon, inside = recipe.rpartition(":")
        recipe, inside = (name, colon + inside) if name.endswith(".py") else (recipe, "")
        beside = path.parent / recipe
        # A file is named from where the settings are, wherever the command is run.
        options["recipe"] = (str(beside) if beside.is_file() else recipe) + inside
    if data:
        key = next(iter(data))
        raise ConfigError(f"{path}: has no key {key!r}{nearest(key, ['recipe', 'columns'])}")
    return options


def _text(path: Path, key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{path}: {key} is a text, got {value!r:.60}")
    return value
