"""Environments that a trainer resets with a row's number, and that are given the row."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..data import Row

Factory = Callable[[], Any]


def with_rows(
    environments: Factory | Mapping[str, Factory] | None, rows: Sequence[Row]
) -> Factory | dict[str, Factory] | None:
    """The same environments, whose `reset` is given all columns of the row.

    The trainer's data set holds prompts and row numbers only, since an Arrow table changes what rows hold.

    Args:
        environments: As TRL takes them.
        rows: By their numbers.
    """
    if environments is None:
        return None
    if isinstance(environments, Mapping):
        return {name: _made(factory, rows) for name, factory in environments.items()}
    return _made(environments, rows)


def _made(factory: Factory, rows: Sequence[Row]) -> Factory:
    kinds: dict[type, type] = {}

    def make() -> Any:
        environment = factory()
        kind = type(environment)
        # One class for all: TRL tells environments apart by it, and finds tools on it.
        environment.__class__ = kinds.setdefault(kind, _reading(kind, rows))
        return environment

    return make


def _reading(kind: type, rows: Sequence[Row]) -> type:
    reset = kind.reset  # type: ignore[attr-defined]

    @functools.wraps(reset)
    def of_row(self: Any, **given: Any) -> Any:
        return reset(self, **{**rows[given["row"]], "prompt": given["prompt"]})

    # No slots of its own, so that an instance of the class can become one of this.
    return type(kind.__name__, (kind,), {"reset": of_row, "__slots__": (), "__doc__": kind.__doc__})
