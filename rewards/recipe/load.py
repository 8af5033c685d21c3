"""Reading and writing recipe files, with line numbers for errors, and the presets."""

from __future__ import annotations

import inspect
import json
import os
import re
import stat
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers.core import ConfigError, Verifier, construct, load, nearest, verifier_names

from ..shape.functions import from_callable, from_trl
from ..tree.pay import Pay
from ..tree.reward import Reward, reward_names
from .build import build, build_recipe

MAX_NODES = 10_000
"""Values in a recipe. References within YAML can unfold a few lines into billions of them."""


def check_size(data: Any) -> None:
    """Refuse data that expands too far.

    Raises:
        ConfigError: It does, or contains itself.
    """
    waiting, count = [data], 0
    while waiting:
        count += 1
        if count > MAX_NODES:
            raise ConfigError(f"the recipe holds more than {MAX_NODES:,} values, or contains itself")
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def line_of(suffix: str, text: str, path: Sequence[str | int]) -> int | None:
    """Return the line, from 1, of a path or the nearest thing around it; None if unknown."""
    if suffix == ".toml":
        return _toml_line(text, path)
    import yaml

    # JSON is read as YAML here: it is nearly a subset, and only the lines are wanted.
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    line = None
    for part in path:
        found = _child(node, part)
        if found is None:
            break
        line, node = found
    return line if line is not None else None if node is None else node.start_mark.line + 1


def _child(node: Any, part: str | int) -> tuple[int, Any] | None:
    import yaml

    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(part):
                return key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part].start_mark.line + 1, node.value[part]
    return None


def repeated_key(text: str) -> tuple[str, int] | None:
    """Return a key that occurs twice in a mapping of a YAML text, and its line: loaders keep the last."""
    import yaml

    waiting, seen = [yaml.compose(text, Loader=yaml.SafeLoader)], set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            keys = set()
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                    if key.value in keys:
                        return key.value, key.start_mark.line + 1
                    keys.add(key.value)
                waiting.append(value)
    return None


def _toml_line(text: str, path: Sequence[str | int]) -> int | None:
    """Return the line of the innermost key of a path that occurs exactly once in the text."""
    lines = text.splitlines()
    for part in reversed([each for each in path if isinstance(each, str)]):
        word = re.compile(rf"(?<![\w-])[\"']?{re.escape(part)}[\"']?\s*(?:=|\]|\.)")
        found = [number for number, line in enumerate(lines, 1) if word.search(line)]
        if len(found) == 1:
            return found[0]
    return None


SUFFIXES = (".yaml", ".yml", ".toml", ".json")
_PRESETS = Path(__file__).parents[1] / "presets"


@lru_cache(maxsize=1)
def preset_names() -> tuple[str, ...]:
    """Return the names of the recipes that come with the library.

    >>> "gsm8k_tags" in preset_names()
    True
    """
    return tuple(sorted(path.stem for path in _PRESETS.glob("*.yaml")))


def preset_path(name: str) -> Path:
    """Return the file of a preset.

    Raises:
        ConfigError: There is none of that name.
    """
    if name not in preset_names():
        raise ConfigError(f"there is no preset {name!r}{nearest(name, preset_names())}")
    return _PRESETS / f"{name}.yaml"


def load_recipe(recipe: str | Path) -> Reward:
    """Load the reward of a preset, a recipe file, a verifier's name, or a function.

    Args:
        recipe: Name of a preset or verifier, path of a YAML, TOML or JSON file, or place of a reward,
            verifier or function: ``"file.py:function"``, ``"package.module:name"``.

    Raises:
        ConfigError: There is no such recipe, or the file is not one; the message names file, line and cure.

    >>> load_recipe("gsm8k_tags").part_names()
    ['accuracy', 'format']
    >>> load_recipe("ExactMatch").describe()
    'ExactMatch'
    """
    return read_recipe(recipe)[0]


def read_recipe(recipe: str | Path) -> tuple[Reward, str]:
    """Read the reward of a recipe, and the recipe's description.

    Raises:
        ConfigError: As for `load_recipe`.
    """
    name = str(recipe)
    if Path(name).suffix in SUFFIXES or _is_pipe(name):
        return _from_file(Path(name))
    if name in preset_names():
        return _from_file(preset_path(name))
    if name in verifier_names():
        return build(name), ""
    if ":" in name:
        return _from_code(name), ""
    hint = nearest(name, [*preset_names(), *verifier_names()]).removesuffix("?")
    if name in reward_names():
        hint = "; it takes parameters, so it needs a recipe file"
    raise ConfigError(
        f"there is no preset or verifier {name!r}{hint}; a recipe file ends in .yaml, .yml, .toml or .json, "
        "a function is named file.py:function"
    )


def _from_code(name: str) -> Reward:
    """Return the reward that a name in a file or module refers to.

    Raises:
        ConfigError: There is no such name, or it judges nothing.
    """
    found: Any = load(name)
    if isinstance(found, type) and issubclass(found, Verifier | Reward):
        found = construct(found, {})
    if isinstance(found, Reward):
        return found
    if isinstance(found, Verifier):
        return Pay(found)
    if not callable(found):
        raise ConfigError(f"{name}: is neither a reward nor a verifier nor a function, but {found!r:.80}")
    # TRL calls its functions with all completions at once, everybody else with one.
    takes = inspect.signature(found).parameters
    made: Reward = from_trl(found) if "completions" in takes else from_callable(found)
    return made


def to_recipe(reward: Reward, description: str = "") -> dict[str, Any]:
    """Return a reward as plain data; `load_recipe` makes an equal reward from it.

    Raises:
        ConfigError: Recipes have no name for a part of the reward.

    >>> from rewards import Pay
    >>> from verifiers import ExactMatch, TagFormat
    >>> to_recipe(Pay(ExactMatch()) + 0.5 * Pay(TagFormat()))
    {'reward': {'sum': ['ExactMatch', {'pay': 'TagFormat', 'weight': 0.5}]}}
    """
    recipe: dict[str, Any] = {"description": description} if description else {}
    return {**recipe, "reward": reward.to_spec()}


def _is_pipe(name: str) -> bool:
    """Return whether a name is a pipe, such as a shell's ``<(...)``, which holds YAML or JSON."""
    try:
        return os.sep in name and stat.S_ISFIFO(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def _from_file(path: Path) -> tuple[Reward, str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the recipe {path}: {error}") from error
    suffix = path.suffix if path.suffix in SUFFIXES else ".yaml"
    kind = suffix[1:].upper().replace("YML", "YAML")
    try:
        data = _parse(suffix, text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not {kind}: {error}") from error
    if suffix in (".yaml", ".yml") and (twice := repeated_key(text)):
        raise ConfigError(f"{path}:{twice[1]}: the key {twice[0]!r} occurs twice in one mapping")
    try:
        check_size(data)
        return build_recipe(data)
    except ConfigError as error:
        line = line_of(suffix, text, error.path)
        place = f"{path}:{line}" if line else str(path)
        raise ConfigError(f"{place}: {_dotted(error.path)}{error}") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: the reward is nested too deeply") from error


def _dotted(path: tuple[str | int, ...]) -> str:
    """Return ``reward.sum[1].weight: ``, or an empty text for the file as a whole."""
    shown = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return f"{shown[1:]}: " if shown else ""


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, refusing a key that occurs twice: loaders keep the last."""
    known = dict(pairs)
    if len(known) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in one object")
    return known


def _parse(suffix: str, text: str) -> Any:
    if suffix == ".toml":
        return tomllib.loads(text)
    if suffix == ".json":
        return json.loads(text, object_pairs_hook=_unrepeated)
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = (
            " ".join(str(error).split())
            if mark is None
            else f"line {mark.line + 1}, column {mark.column + 1}"
        )
        raise ValueError(f"{getattr(error, 'problem', None) or 'it cannot be read'} ({said})") from error


def recipe_of(recipe: str | Mapping[str, Any]) -> Reward:
    """Return the reward of a recipe by its name, or as data such as a recipe file holds.

    Raises:
        ConfigError: It is none; see `load_recipe`.

    >>> recipe_of({"reward": "ExactMatch"}).describe()
    'ExactMatch'
    """
    return load_recipe(recipe) if isinstance(recipe, str) else build_recipe(dict(recipe))[0]
