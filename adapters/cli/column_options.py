"""Column names of a verb's files: options first, then ``verify.toml``, then the files' own word."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from reward_verifiers.verifiers import ConfigError

from ..files.columns import KEYS, Naming, check_column, has_column, naming
from ..files.jsonl import Line, Source, parse
from .settled_command import COLUMNS, origin

PANEL = "Columns"
_HELP = {
    "completion": "The column with the completions; a dot reaches into it: output.answer.",
    "reference": "The column with the references.",
    "prompt": "The column with the questions, if any.",
    "group": "The column whose value all completions of a prompt share.",
    "tokens": "The column with the completions' lengths in tokens.",
    "messages": "The column with the conversations, for verifiers that read them.",
}


class Options:
    """The options of a command, and which of them the user chose.

    Args:
        context: The command's; None for a verb that is called as a function.
        values: Arguments of the call.
    """

    def __init__(self, context: typer.Context | None, values: Mapping[str, Any] | None = None) -> None:
        given = dict(values or {}) if context is None else context.params
        self.values = {**{COLUMNS[key]: usual for key, usual in KEYS.items()}, **given}
        origins = {name: "COMMANDLINE" if context is None else origin(context, name) for name in given}
        self._chosen = {name for name, each in origins.items() if each != "DEFAULT"}
        self._given = {name for name, each in origins.items() if each == "COMMANDLINE"}

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def chosen(self, name: str) -> bool:
        """Return whether a value was given, on the command line or by ``verify.toml``."""
        return name in self._chosen

    def given(self, name: str) -> bool:
        """Return whether the command line has the option."""
        return name in self._given


def asked(options: Options, row: Mapping[str, Any], where: str) -> dict[str, str]:
    """Return the columns that the user names, by the keys of `KEYS`.

    Args:
        options: The command's.
        row: The first row. It has to have what the command line names, and the completions; the usual names,
            and what ``verify.toml`` says of a project, need not be in each of its files.
        where: Its name in messages.

    Raises:
        ConfigError: A column is not there.
    """
    found = {key: str(options[option]) for key, option in COLUMNS.items() if options.chosen(option)}
    for key, name in found.items():
        if options.given(COLUMNS[key]) and name != KEYS[key]:
            check_column(row, name, key, where)
    return {key: name for key, name in found.items() if key == "completion" or has_column(row, name)}


def take(options: Options, said: Mapping[str, str]) -> set[str]:
    """Adopt a file's column names where the user gives none, and return the options that they settle."""
    told = {COLUMNS[key]: name for key, name in said.items() if key in COLUMNS}
    found = {option: name for option, name in told.items() if not options.chosen(option)}
    options.values.update(found)
    return {*found}


def with_columns(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options that name columns, the same as every other verb's.

    Args:
        verb: A function whose first argument is its `Options`.
    """
    hints = get_type_hints(verb, include_extras=True)
    own = [each.replace(annotation=hints[each.name]) for each in inspect.signature(verb).parameters.values()]
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    added = [
        inspect.Parameter(
            COLUMNS[key],
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=usual,
            annotation=Annotated[str, typer.Option(help=_HELP[key], rich_help_panel=PANEL)],
        )
        for key, usual in KEYS.items()
    ]

    @wraps(verb)
    def called(context: typer.Context | None = None, **values: Any) -> None:
        options = Options(context, values)
        verb(options, **{name: value for name, value in values.items() if name not in COLUMNS.values()})

    parameters = [context, *own[1:], *added]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by typer
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called


def first_row(source: Source) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Yield the first row of a source, which `Source.chunks` repeats; nothing where no line is one."""
    for line in source.look():
        try:
            yield line, parse(line.raw)
        except ValueError:
            continue  # whoever reads the rows says so
        return


def naming_of(source: Source, options: Options) -> Naming:
    """Return the column names of a source by its first row, or the options' own where it has none.

    Raises:
        ConfigError: A column is not there.
    """
    for line, row in first_row(source):
        return naming(row, line.where, asked(options, row, line.where))
    return Naming(**{key: options[option] for key, option in COLUMNS.items()})


def common_naming(paths: Sequence[str], options: Options) -> tuple[Source, Naming]:
    """Return the files as one source, with the column names that all of them share.

    Raises:
        ConfigError: A column is not there, or two files differ.
    """
    source = Source(list(paths))
    first = naming_of(source, options)
    for path in paths[1:] if "-" not in paths else ():
        other = naming_of(Source([path]), options)
        for key in ("completion", "group"):
            ours, theirs = getattr(first, key), getattr(other, key)
            if ours != theirs:
                raise ConfigError(
                    f"{path}: its {key} column is {theirs!r}, and that of {paths[0]} is {ours!r}; "
                    "give the files one by one, or rename the column"
                )
    return source, first
