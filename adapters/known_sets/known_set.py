"""Known datasets: their facts, and the conversion of their rows for our verifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..files.columns import column_of, has_column

Row = Mapping[str, Any]
Recipe = str | Mapping[str, Any]


class NotOfTheSetError(ValueError):
    """A row is not of the set; the message says why."""


@dataclass(frozen=True)
class KnownSet:
    """A known dataset.

    Args:
        name: Its usual name.
        source: Its card on the hub, or the code that ships it.
        columns: Columns of every row; a dot reaches into a column.
        took: Source of the reference, for a person.
        recipe: Recipe for its answers: a name, or data.
        reference: Reference of a row; None where it has none that could be used, so that it is not scored.
        prompt: The column with the question; empty where the reference says all.
        lacks: Columns that no row has: with them it is another set.
        question: Makes the question of a row that has no column ``prompt``; by default what `prompt` holds.
        more: Further columns of a row, which the recipe reads.
        doubt: Looks at many rows and says why they could mean something else; empty where they cannot.

    `reference` raises `NotOfTheSetError` for a row that is not of the set.
    """

    name: str
    source: str
    columns: frozenset[str]
    took: str
    recipe: Recipe
    reference: Callable[[Row], Any]
    prompt: str = ""
    lacks: frozenset[str] = frozenset()
    question: Callable[[Row], str | None] | None = None
    more: Callable[[Row], dict[str, Any]] = lambda row: {}
    doubt: Callable[[Sequence[Row]], str] = lambda rows: ""

    def has_columns(self, row: Row) -> bool:
        """Return whether a row has the columns of the set."""
        return all(has_column(row, name) for name in self.columns) and not any(
            name in row for name in self.lacks
        )

    def read(self, row: Row) -> dict[str, Any]:
        """Return a row with our names: ``answer``, and ``prompt`` where it has none.

        Raises:
            NotOfTheSetError: It is not of the set.
        """
        missing = sorted(name for name in self.columns if not has_column(row, name))
        if missing:
            raise NotOfTheSetError(f"it has no column {missing[0]!r}")
        read = {**row, **self.more(row), "answer": self.reference(row)}
        if row.get("prompt") is None:
            question = (
                self.question(row) if self.question else column_of(row, self.prompt) if self.prompt else None
            )
            if isinstance(question, str):
                read["prompt"] = question
        return read


def columns(*names: str) -> frozenset[str]:
    """Return a set of column names."""
    return frozenset(names)


def text_in(row: Row, name: str) -> str:
    """Return the text of a column.

    Raises:
        NotOfTheSetError: It holds something else.
    """
    value = column_of(row, name)
    if not isinstance(value, str):
        raise NotOfTheSetError(f"{name!r} holds no text but {type(value).__name__}")
    return value
