"""Reading a configuration file, with changes from the command line."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from reward_verifiers.rewards.recipe.load import repeated_key
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from .run_config import RunConfig

FOLDER = Path(__file__).resolve().parents[1] / "configs"
M = TypeVar("M", bound=BaseModel)


class _Loader(yaml.SafeLoader):
    """YAML 1.2's numbers: PyYAML takes 1e-5 for a text, since it has no point."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$|^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$"),
    list("-+0123456789."),
)


def config_names() -> list[str]:
    """Return the names of the run configurations that come with the library.

    >>> "demo_arithmetic" in config_names()
    True
    """
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def config_path(name: str) -> Path:
    """Return the file of a configuration: a path, or the name of one that comes with the library.

    Raises:
        ConfigError: There is no such file.
    """
    path = Path(name)
    if path.is_file():
        return path
    if name in config_names():
        return FOLDER / f"{name}.yaml"
    if path.suffix in (".yaml", ".yml") or "/" in name:
        raise ConfigError(f"there is no configuration file {name}")
    raise ConfigError(
        f"there is no configuration {name!r}{nearest(name, config_names())}; a file ends in .yaml"
    )


def load_config(name: str | Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Load a run's configuration.

    Args:
        name: A file, or the name of a configuration that comes with the library.
        overrides: ``key.key=value`` each, the value as YAML.

    Raises:
        ConfigError: The file or an override cannot be read, a key is unknown, or a value does not fit.
    """
    path = config_path(str(name))
    data = read_yaml(path)
    for each in overrides:
        override(data, each)
    return checked(RunConfig, _with_paths(data, path.resolve().parent), str(path))


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the mapping in a YAML file.

    Raises:
        ConfigError: There is none.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = yaml.load(text, _Loader)  # noqa: S506  (a SafeLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"cannot read the configuration {path}: {error}") from error
    if twice := repeated_key(text):
        raise ConfigError(f"{path}:{twice[1]}: the key {twice[0]!r} occurs twice in one mapping")
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: a configuration is a mapping, got {type(data).__name__}")
    own: dict[str, Any] = _apart(data)
    return own


def _apart(node: Any) -> Any:
    """Return a copy without shared parts: an alias's copies must not change together."""
    if isinstance(node, dict):
        return {key: _apart(value) for key, value in node.items()}
    return [_apart(each) for each in node] if isinstance(node, list) else node


def override(data: dict[str, Any], text: str) -> None:
    """Change one value in place.

    Raises:
        ConfigError: It is not ``key.key=value``, or leads through something that has no keys.

    >>> data = {"trainer": {"seed": 1}}
    >>> override(data, "trainer.learning_rate=1e-5")
    >>> data
    {'trainer': {'seed': 1, 'learning_rate': 1e-05}}
    """
    key, equals, value = text.partition("=")
    names = key.strip().lstrip("-").split(".")
    if not equals or not all(names):
        raise ConfigError(f"an override is written key=value, such as trainer.max_steps=10; got {text!r}")
    place: Any = data
    for position, name in enumerate(names[:-1]):
        inner = _step(place, name, key)
        if inner is None:
            inner = place[name] = {}
        if not isinstance(inner, dict | list):
            raise ConfigError(f"{text!r}: {'.'.join(names[: position + 1])} is {inner!r}, which has no keys")
        place = inner
    try:
        parsed = yaml.load(value, _Loader)  # noqa: S506  (a SafeLoader)
    except yaml.YAMLError:
        parsed = value
    if isinstance(place, list):
        _step(place, names[-1], key)
        place[_index(place, names[-1])] = parsed
    else:
        place[names[-1]] = parsed


def _step(place: Any, name: str, key: str) -> Any:
    if isinstance(place, dict):
        return place.get(name)
    index = _index(place, name)
    if index is None:
        named = [
            str((isinstance(each, dict) and (each.get("name") or each.get("kind"))) or number)
            for number, each in enumerate(place)
        ]
        raise ConfigError(f"{key!r}: there is no {name!r} in this list; known: {', '.join(named)}")
    return place[index]


def _index(place: list[Any], name: str) -> Any:
    """Return the position in a list, from a number, or a stage's name or kind."""
    if name.isdigit() and int(name) < len(place):
        return int(name)
    for label in ("name", "kind"):
        for index, each in enumerate(place):
            if isinstance(each, dict) and each.get(label) == name:
                return index
    return None


def checked(model: type[M], data: Mapping[str, Any], where: str) -> M:
    """Validate data as a model.

    Raises:
        ConfigError: One sentence about the first mistake.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{where}: {_sentence(model, error)}") from None


def _sentence(model: type[BaseModel], error: ValidationError) -> str:
    # Of a union each alternative complains; an unknown key is what a person got wrong.
    details = sorted(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    first = details[0]
    path = [part for part in first["loc"] if not _is_alternative(part)]
    dotted = ".".join(map(str, path))
    if first["type"] == "extra_forbidden":
        owner = _model_at(model, path[:-1])
        known = list(owner.model_fields) if owner else []
        hint = nearest(str(path[-1]), known)
        if not path[:-1] and "did you mean" not in hint:
            hint = f"; the options of TRL's trainers go under trainer:{hint.replace('; known', '; ours')}"
        return f"unknown key {dotted!r}{hint}"
    if first["type"] == "missing":
        return f"the key {dotted!r} is missing"
    if first["type"] == "value_error":
        return f"{dotted}: {first['ctx']['error']!s}"
    return f"{dotted}: {first['msg'].removeprefix('Input ')}, got {first['input']!r:.80}"


def _is_alternative(part: int | str) -> bool:
    return isinstance(part, str) and (
        part.startswith(("list[", "function-", "constrained-", "literal[")) or part in ("Data", "int")
    )


def _model_at(model: type[BaseModel], path: Sequence[int | str]) -> type[BaseModel] | None:
    found: type[BaseModel] | None = model
    for part in path:
        if isinstance(part, int):
            continue
        field = found.model_fields.get(part) if found else None
        found = None if field is None else _model_in(field.annotation)
    return found


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_model_in(each) for each in getattr(annotation, "__args__", ()))
    return next((each for each in inner if each is not None), None)


def _with_paths(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the configuration with full paths of files next to it."""

    def walk(node: Any) -> None:
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict):
            for key, value in node.items():
                if key in ("reward", "source", "chat_template", "tokenizer") and isinstance(value, str):
                    if not Path(value).exists() and (folder / value).exists():
                        node[key] = str(folder / value)
                elif key != "reward":
                    walk(value)

    walk(data)
    return data


def imported(path: str, key: str) -> Any:
    """Import the object that ``module:function`` names.

    Raises:
        ConfigError: It cannot be imported.
    """
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"{key}: cannot import {path}: {error}") from None


def with_seed(function: Callable[..., Any], options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return options for a function, with the run's seed where it takes one and none is given."""
    takes = "seed" in inspect.signature(function).parameters
    return {**({"seed": seed} if takes else {}), **options}
