"""The rows of scored files that somebody asks for."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reward_verifiers.adapters.files.candidates import check_scored, verifier_class
from reward_verifiers.adapters.files.columns import column_of
from reward_verifiers.adapters.files.jsonl import Line, Overlong, Source, parse
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

MOST_PROBLEMS = 5
MOST_NAMES = 500

Row = tuple[Line, Mapping[str, Any]]


@dataclass(frozen=True)
class Wanted:
    """Which rows are shown.

    Args:
        part: The part that the other conditions are about; None for any, and for the reward.
        reasons: One of which a verdict gives; any where there are none.
        status: Of a verdict.
        least: Least value of the part or the reward.
        most: Its greatest value.
        search: A text in the completion, prompt or reference.
        lines: Numbers; any where there are none.
        disagree: Whether two parts have to contradict one another.
        texts: The columns that are searched.
    """

    part: str | None = None
    reasons: tuple[str, ...] = ()
    status: str | None = None
    least: float | None = None
    most: float | None = None
    search: str | None = None
    lines: frozenset[int] = frozenset()
    disagree: bool = False
    texts: tuple[str, ...] = ()

    def has(self, line: Line, row: Mapping[str, Any]) -> bool:
        """Whether a row is one of them."""
        if self.lines and line.number not in self.lines:
            return False
        own = [pair for pair in named(row) if self.part in (None, pair[0])]
        if self.part is not None and not own and self.part not in row["reward_parts"]:
            return False
        if self.reasons and not any(verdict.get("reason") in self.reasons for _, verdict in own):
            return False
        if self.status is not None and not any(verdict.get("status") == self.status for _, verdict in own):
            return False
        if (self.least is not None or self.most is not None) and not self._in_range(row, own):
            return False
        if self.disagree and not disagreeing(row):
            return False
        return self.search is None or any(self.search in folded(column_of(row, name)) for name in self.texts)

    def _in_range(self, row: Mapping[str, Any], own: list[tuple[str, Mapping[str, Any]]]) -> bool:
        value = row["reward"] if self.part is None else row["reward_parts"].get(self.part)
        if value is None and self.part is not None and own:
            value = own[0][1].get("score")
        if value is None:
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


def disagreeing(row: Mapping[str, Any]) -> bool:
    """Whether of two parts that know a reference one passes and another does not."""
    judged = [
        verdict["score"] >= 1.0
        for _, verdict in named(row)
        if verdict.get("score") is not None and _refers(verdict)
    ]
    return len(set(judged)) > 1


def _refers(verdict: Mapping[str, Any]) -> bool:
    kind = verifier_class(verdict.get("verifier"))
    return verdict.get("expected") is not None if kind is None else kind.needs_reference


def named(row: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The verdicts of a row, each with the part that it belongs to."""
    return zip(row["verdict_parts"], row["verdicts"], strict=True)


def folded(value: object) -> str:
    """A value as it is searched: in one normal form, whatever its case."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return unicodedata.normalize("NFC", text).casefold()


class WantedRows:
    """The rows that are wanted, and what is known of the others."""

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self._source, self._wanted = source, wanted
        self.problems: list[str] = []
        self.unreadable = self.count = 0
        self._parts: dict[str, None] = {}
        self._reasons: dict[str, None] = {}

    def rows(self) -> Iterator[Row]:
        """Each with its line.

        Raises:
            ConfigError: The first row is not scored.
        """
        for chunk in self._source.chunks():
            if isinstance(chunk, Overlong):
                self._problem(f"{chunk.file}:{chunk.number}: longer than 16 MB")
                continue
            for line in chunk:
                try:
                    row = parse(line.raw)
                    check_scored(row, line.where)
                except ConfigError as error:
                    if not self.count:
                        raise
                    self._problem(str(error))
                    continue
                except ValueError as error:
                    self._problem(f"{line.where}: {error}")
                    continue
                self.count += 1
                self._note(row)
                if self._wanted.has(line, row):
                    yield line, row

    def _note(self, row: Mapping[str, Any]) -> None:
        if len(self._parts) + len(self._reasons) < MOST_NAMES:
            self._parts.update(dict.fromkeys([*row["reward_parts"], *row["verdict_parts"]]))
            self._reasons.update(dict.fromkeys(str(each.get("reason")) for each in row["verdicts"]))

    def _problem(self, said: str) -> None:
        self.unreadable += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(said)

    def nothing(self) -> str:
        """What is said where no row is shown."""
        if not self.count:
            return "no rows"
        hints = [
            f"no verdict has the reason {reason!r}{nearest(reason, self._reasons)}"
            for reason in self._wanted.reasons
            if reason not in self._reasons
        ]
        if self._wanted.part is not None and self._wanted.part not in self._parts:
            hints.append(f"no part is called {self._wanted.part!r}{nearest(self._wanted.part, self._parts)}")
        return "; ".join([f"none of {self.count:,} rows is one of these", *hints])


def drawn(rows: Iterator[Row], count: int, seed: int) -> Iterator[Row]:
    """So many rows by lot, in their order; memory holds these alone (Vitter 1985, algorithm R)."""
    chance = random.Random(seed)  # noqa: S311
    held: list[tuple[int, Row]] = []
    for place, row in enumerate(rows):
        if place < count:
            held.append((place, row))
        elif (other := chance.randrange(place + 1)) < count:
            held[other] = (place, row)
    return (row for _, row in sorted(held, key=lambda pair: pair[0]))
