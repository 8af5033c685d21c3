"""Rewards as files.

A recipe holds one key, ``reward``: a verifier (``MathEquivalence``, or ``{TagFormat: {tags: [a, b]}}``),
``{pay: VERIFIER, reference: COLUMN, weight: NUMBER}``, or ``{sum: [...]}`` of these.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from verifiers import ConfigError, from_spec, verifier_names
from verifiers._errors import nearest

from ._base import Reward
from .tree import Pay, Sum

_SUFFIXES = {".yaml", ".yml", ".toml", ".json"}


def load_recipe(recipe: str) -> Reward:
    """The reward of a recipe file, or of a verifier's name.

    Args:
        recipe: A verifier's name, or the path of a YAML, TOML or JSON file.

    Raises:
        ConfigError: Neither, or the file is not a recipe; the message names what is wrong.

    >>> load_recipe("ExactMatch").describe()
    'ExactMatch'
    """
    path = Path(recipe)
    if path.suffix in _SUFFIXES:
        return _from_file(path)
    if recipe in verifier_names():
        return Pay(from_spec(recipe))
    raise ConfigError(
        f"there is no verifier {recipe!r}{nearest(recipe, verifier_names())}; "
        "a recipe file ends in .yaml, .yml, .toml or .json"
    )


def _from_file(path: Path) -> Reward:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the recipe {path}: {error}") from error
    try:
        data = _parse(path.suffix, text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not {path.suffix[1:].upper()}: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: a recipe is a mapping with the key 'reward', got {type(data).__name__}")
    for key in data:
        if key != "reward":
            raise ConfigError(f"{path}: unknown key {key!r}{nearest(str(key), ['reward'])}")
    if "reward" not in data:
        raise ConfigError(f"{path}: the key 'reward' is missing")
    try:
        return _reward(data["reward"])
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: the reward contains itself, or is nested too deeply") from error


def _parse(suffix: str, text: str) -> Any:
    if suffix == ".toml":
        return tomllib.loads(text)
    if suffix == ".json":
        return json.loads(text)
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _reward(node: Any) -> Reward:
    if not isinstance(node, dict):
        return Pay(from_spec(node))
    if "sum" in node:
        _check_keys(node, ("sum",))
        if not isinstance(node["sum"], list) or not node["sum"]:
            raise ConfigError(f"sum is a list of rewards, got {node['sum']!r:.80}")
        return Sum(tuple(_reward(term) for term in node["sum"]))
    if "pay" in node:
        _check_keys(node, ("pay", "reference", "weight"))
        leaf: Reward = Pay(from_spec(node["pay"]), **_given(node, "reference", str))
        weight = _given(node, "weight", int | float)
        try:
            return leaf * float(weight["weight"]) if weight else leaf
        except OverflowError as error:
            raise ConfigError("weight is too large") from error
    return Pay(from_spec(node))


def _check_keys(node: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in node:
        if key not in known:
            raise ConfigError(f"unknown key {key!r} beside {known[0]!r}{nearest(str(key), known)}")


def _given(node: dict[str, Any], key: str, kind: Any) -> dict[str, Any]:
    if key not in node:
        return {}
    if not isinstance(node[key], kind) or isinstance(node[key], bool):
        raise ConfigError(f"{key} must be a {'string' if kind is str else 'number'}, got {node[key]!r}")
    return {key: node[key]}
