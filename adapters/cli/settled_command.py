"""``verify.toml``, which settles the columns and the recipe of a project, and the commands that heed it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer.core import TyperCommand

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import deferred

from .console import failing_clearly, say

FILE = "verify.toml"
_TOML = deferred("tomllib")  # few folders have the file
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
    """Settings of a project's file.

    Args:
        path: Its path; None if there is none.
        options: Values by the names of the options that they stand for.
    """

    path: Path | None
    options: dict[str, str]

    def told(self, used: list[str]) -> str:
        """Return a line on the settings that were used."""
        shown = ", ".join(f"{name.removesuffix('_field')} {self.options[name]!r}" for name in used)
        return f"{self.path} settles: {shown}"


def found_settings(folder: Path) -> Settings:
    """Return the settings of this folder or the nearest one above.

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
        data = _TOML.loads(path.read_text(encoding="utf-8-sig"))
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


SETTLED = "DEFAULT_MAP"
"""What click calls the origin of a value that is not on the command line, and no default of the command."""


def origin(context: Any, name: str) -> str:
    """Return the origin of an option's value, as click calls it: COMMANDLINE, DEFAULT, `SETTLED` ..."""
    source = context.get_parameter_source(name)
    # Some releases of typer have a click of their own, so its names are compared, and not its objects.
    return "DEFAULT" if source is None else source.name


def made_plain(params: Iterable[Any]) -> None:
    """Show no type of switches, which take no value, and convert values only where they need it."""
    for each in params:
        if getattr(each, "is_flag", False):
            each.metavar = ""
        own = getattr(each, "get_runtime_param", None)  # of releases of typer that convert by pydantic
        if own is not None and not isinstance(own, partial):
            each.get_runtime_param = partial(_Converter, own)


def _choices(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


class _Converter:
    """Stands for typer's conversion of a value, for which pydantic is loaded: a tenth of a second.

    Args:
        made: Makes typer's.
    """

    def __init__(self, made: Callable[[], Any]) -> None:
        self._made = made

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value of the parameter's own type."""
        kind, many = param.type_descriptor.annotation, param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if many and kind == list[str] and isinstance(value, list | tuple):
            if all(type(each) is str for each in value):
                return list(value)
        elif (kind in (str, int, float) and type(value) is kind) or value in _choices(kind):
            return value
        return self._made().coerce(value, param=param, ctx=ctx)


class PlainCommand(TyperCommand):
    """A command whose switches have no type in the help, as they take no value."""

    def __init__(self, *given: Any, **said: Any) -> None:
        super().__init__(*given, **said)
        made_plain(self.params)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the help option in the form of the others."""
        found = super().get_help_option(ctx)
        made_plain([] if found is None else [found])
        return found


class SettledCommand(PlainCommand):
    """A command that takes options from the nearest ``verify.toml``, and says which."""

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context, with the settings of the file.

        Raises:
            SystemExit: The file cannot be read.
        """
        with failing_clearly():
            settings = found_settings(Path(os.getcwd()))
        # A file's one recipe is no default of a command that takes several.
        own = {each.name for each in self.params if not getattr(each, "multiple", False)}
        settled = {name: value for name, value in settings.options.items() if name in own}
        context = super().make_context(info_name, args, parent, default_map=settled, **extra)
        used = [name for name in settled if origin(context, name) == SETTLED]
        if used:
            say(settings.told(used))
        return context
