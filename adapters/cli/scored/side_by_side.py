"""Rows of several runs beside one another, those first whose outcome differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.adapters.files.candidates import right_part
from reward_verifiers.adapters.files.columns import column_of
from reward_verifiers.adapters.files.columns.naming import Naming
from reward_verifiers.adapters.files.jsonl import Line, Source
from reward_verifiers.rewards.select.prompt_figures import prompt_key

from .wanted_rows import Wanted, WantedRows

Key = tuple[int, int]
"""A prompt, or an id, and which of its rows."""


@dataclass(frozen=True)
class RunRow:
    """A row of a run.

    Args:
        run: The run's name.
        line: Where the row stands.
        row: Its columns.
        names: What they are called.
    """

    run: str
    line: Line
    row: Mapping[str, Any]
    names: Naming


class SideBySide:
    """The rows of several runs by what they have in common; files are read twice, and few rows are held.

    Args:
        runs: The name, the path and the names of the columns of each.
        wanted: Makes what chooses rows, for each naming; a set of counterparts is shown where one is wanted.
    """

    def __init__(self, runs: Sequence[tuple[str, str, Naming]], wanted: Callable[[Naming], Wanted]) -> None:
        self.runs, self._wanted = runs, wanted
        self.problems: list[str] = []
        self.unreadable = 0
        self._outcomes: dict[Key, list[float | None]] = {}
        self._chosen: set[Key] = set()
        self._read()

    @property
    def shared(self) -> int:
        """Rows that more than one run has."""
        return sum(len([each for each in found if each is not None]) > 1 for found in self._outcomes.values())

    @property
    def flipped(self) -> Counter[str]:
        """How many rows fell and rose from the first run to the last."""
        return Counter(
            turn for key in self._chosen if (turn := _turn(self._outcomes[key])) in ("fell", "rose")
        )

    def sets(self, limit: int) -> Iterator[list[RunRow]]:
        """The rows of each set of counterparts: those that fell, those that rose, the others in their order.

        Args:
            limit: Sets at most; 0 for all.
        """
        order = {"fell": 0, "rose": 1, "differs": 2, "": 3}
        keys = sorted(
            (key for key in self._outcomes if key in self._chosen),
            key=lambda key: order[_turn(self._outcomes[key])],
        )
        keys = keys[:limit] if limit else keys
        held: dict[Key, list[RunRow]] = {key: [] for key in keys}
        for _, each, key in self._rows():
            if key in held:
                held[key].append(each)
        yield from held.values()

    def _read(self) -> None:
        for run, each, key in self._rows(note=True):
            own = self._outcomes.setdefault(key, [None] * len(self.runs))
            own[run] = _outcome(each.row)
            if self._wanted(each.names).has(each.line, each.row):
                self._chosen.add(key)

    def _rows(self, note: bool = False) -> Iterator[tuple[int, RunRow, Key]]:
        for number, (name, path, names) in enumerate(self.runs):
            reading = WantedRows(Source([path]), Wanted())
            turns: Counter[int] = Counter()
            for line, row in reading.rows():
                own = row.get("id")
                of = prompt_key(column_of(row, names.group) if own is None else own)
                turns[of] += 1
                yield number, RunRow(name, line, row, names), (of, turns[of])
            if note:
                self.problems += reading.problems
                self.unreadable += reading.unreadable


def _outcome(row: Mapping[str, Any]) -> float | None:
    named = dict(zip(row["verdict_parts"], row["verdicts"], strict=True))
    part = right_part(named)
    found = row["reward"] if part is None else named[part].get("score")
    return None if found is None else float(found)


def _turn(outcomes: Sequence[float | None]) -> str:
    """How an outcome went from the first run to the last, or that it differs between others."""
    first, last = outcomes[0], outcomes[-1]
    if first is not None and last is not None and first != last:
        return "fell" if last < first else "rose"
    return "differs" if len({each for each in outcomes if each is not None}) > 1 else ""
