"""Scored rows as short records: a row's identity, and each part's judgement of it.

They lie on disk in partitions by key, so that files of any size and order are joined in little memory; numpy
reads a partition as it lies there, which rows of a database would have to be made into first.
"""

from __future__ import annotations

import contextlib
import marshal
import math
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.rewards.select.prompt_figures import prompt_key
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..files.columns import SOURCES, Naming, column_names, column_of, has_column
from ..files.jsonl import Line
from ..files.scored_candidates import check_scored
from ..files.tallies import MAX_REASONS

POSITION = "line"
"""The key that takes rows by their places, where no column is called so."""
MOST_SOURCES = 40
"""Different values of the column of sources that are counted apart; the rest are counted as one."""
REST = "(others)"
REWARD = "reward"
MOST_PARTS = 200
_MOST_KEPT = 1 << 14


Column = Any
"""An array of numpy, which is loaded when a comparison needs it."""
Judged = tuple[int, float | None, int]
"""How a part judged a row: the part's number, its value, and the number of the reason."""


Record = tuple[int, int, int, int, int, int, int, tuple[Judged, ...]]
"""A scored row: keys of what tells it apart, its prompt, completion and reference (equal texts have equal
ones), the numbers of its source and file, its line, and how its parts judged it."""


@dataclass(frozen=True)
class Columns:
    """The columns that both sides share, whatever each side's names for the others.

    Args:
        key: Column that identifies rows or prompts; None finds it.
        source: Column with the source of a row; None takes the first usual name that exists.
    """

    key: str | None = None
    source: str | None = None


class Names:
    """Numbers for the first names; all names beyond the limit share one number."""

    def __init__(self, most: int, rest: str) -> None:
        self._most, self._rest = most, rest
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def number(self, name: str) -> int:
        """Return the number of a name, which may be new."""
        found = self._numbers.get(name)
        if found is None:
            kept = name if len(self._names) < self._most else self._rest
            found = self._numbers.setdefault(kept, len(self._names))
            if found == len(self._names):
                self._names.append(kept)
        return found

    def __getitem__(self, number: int) -> str:
        return self._names[number]

    def all(self) -> list[str]:
        """Return the names in the order of their numbers."""
        return self._names


@dataclass(frozen=True)
class Settled:
    """Settings for reading a side.

    Args:
        columns: Columns of both sides.
        names: Names of its other columns.
        key: The column that says which rows belong together.
        by_place: Whether their places do.
        by_line: Whether these are lines of the same file.
        source: The column of sources; None without one.
    """

    columns: Columns
    names: Naming
    key: str
    by_place: bool = False
    by_line: bool = False
    source: str | None = None


Head = tuple[Mapping[str, Any], str, Naming]
"""The first row of a side, what messages call it, and what its columns are called."""


def settled(columns: Columns, first: Head, second: Head) -> tuple[Settled, Settled]:
    """Choose the key and the column of sources by the first row of each side.

    Args:
        columns: As far as they are known.
        first: Knowledge about one side.
        second: The same of the other.

    Raises:
        ConfigError: A column is not there, or nothing says which rows belong together.
    """
    rows = (first[0], second[0])
    by_place = columns.key == POSITION and not all(has_column(row, POSITION) for row in rows)
    for row, where, names in (first, second):
        _check_column(row, names.completion, "completion-field", where)
        if columns.key is not None and not by_place:
            _check_column(row, columns.key, "key", where)
        if columns.source is not None:
            _check_column(row, columns.source, "by", where)
    keys: list[str | None] = [columns.key] * 2
    if columns.key is None:
        for pair in (["id", "id"], [names.group for _, _, names in (first, second)]):
            if all(has_column(row, name) for row, name in zip(rows, pair, strict=True)):
                keys = [*pair]
                break
    if keys[0] is None or keys[1] is None:
        raise ConfigError(
            f"{second[1]}: nothing tells which rows belong together: "
            f"they have neither an 'id' nor a {first[2].group!r}; name a column with --key, or say "
            f"--key {POSITION} if both files have the "
            "same rows in the same order"
        )
    source = columns.source or next((name for name in SOURCES if has_column(rows[0], name)), None)
    by_line = first[1].rpartition(":")[0] == second[1].rpartition(":")[0]
    return (
        Settled(columns, first[2], keys[0], by_place, by_line, source),
        Settled(columns, second[2], keys[1], by_place, by_line, source),
    )


class SideNames:
    """The names of one side, by their numbers in its records."""

    def __init__(self) -> None:
        self.parts, self.reasons = Names(MOST_PARTS, REST), Names(MAX_REASONS, REST)
        self.sources, self.files = Names(MOST_SOURCES, REST), Names(1 << 20, REST)
        self.parts.number(REWARD)

    def plain(self) -> list[list[str]]:
        """Return the names as plain data for another process."""
        return [each.all() for each in (self.parts, self.reasons, self.sources, self.files)]

    @classmethod
    def of(cls, plain: list[list[str]]) -> SideNames:
        """Rebuild the names from the result of `plain`."""
        made = cls()
        for each, names in zip((made.parts, made.reasons, made.sources, made.files), plain, strict=True):
            for name in names:
                each.number(name)
        return made


class Recorder:
    """Makes records of the rows of one side.

    Args:
        settled: Their reading.
    """

    def __init__(self, settled: Settled) -> None:
        self.settled, self.names = settled, SideNames()
        self._kept: dict[tuple[str, float | None, str], Judged] = {}

    def records(self, rows: Iterable[tuple[Line, Mapping[str, Any]]]) -> Iterator[Record]:
        """Yield rows as records.

        Args:
            rows: With their lines.

        Raises:
            ConfigError: A line is no scored row, or lacks a column.
        """
        settled, names = self.settled, self.names
        columns, source, key = settled.names, settled.source, settled.key
        completion_of, reference_of = _getter(columns.completion), _getter(columns.reference)
        prompt_of, key_of = _getter(columns.group), _getter(key)
        source_of = None if source is None else _getter(source)
        keyed_by_prompt = key == columns.group and not settled.by_place
        prompt_keyed, reference_keyed = _keyed(), _keyed()
        for place, (line, row) in enumerate(rows):
            completion, prompt = completion_of(row), prompt_of(row)
            if completion is None:
                _check_column(row, columns.completion, "completion-field", line.where)
            of_prompt = 0 if prompt is None else prompt_keyed(prompt)
            if keyed_by_prompt and of_prompt:
                own = of_prompt
            elif settled.by_place:
                # In one file that is scored twice, lines that cannot be scored move no place.
                own = prompt_key(line.where) if settled.by_line else place
            else:
                own_key = key_of(row)
                if own_key is None:
                    _check_column(row, key, "key", line.where)
                own = prompt_key(own_key)
            try:
                judged = self._judged(row)
            except (KeyError, TypeError, ValueError, AttributeError):
                check_scored(row, line.where)
                raise
            yield (
                own,
                of_prompt,
                prompt_key(completion),
                reference_keyed(reference_of(row)),
                0 if source_of is None else names.sources.number(_shown(source_of(row))),
                names.files.number(line.file),
                line.number,
                judged,
            )

    def _judged(self, row: Mapping[str, Any]) -> tuple[Judged, ...]:
        verdicts, names, paid = row["verdicts"], row["verdict_parts"], row["reward_parts"]
        found = [self._judgement(REWARD, row["reward"], "")]
        for name, verdict in zip(names, verdicts, strict=True):
            found.append(self._judgement(name, verdict["score"], verdict["reason"]))
        found += [self._judgement(name, paid[name], "") for name in paid if name not in names]
        return tuple(found)

    def _judgement(self, name: str, value: float | None, reason: str) -> Judged:
        kept = self._kept.get((name, value, reason))
        if kept is None:
            # A number that is none, and one that is infinite, is no value.
            plain = None if value is None or not math.isfinite(value) else float(value)
            kept = (self.names.parts.number(name), plain, self.names.reasons.number(reason))
            if len(self._kept) == _MOST_KEPT:
                self._kept.clear()
            self._kept[name, value, reason] = kept
        return kept


def _keyed() -> Callable[[Any], int]:
    """Return a cached `prompt_key`: rows of one prompt mostly follow one another."""
    last, kept = "", prompt_key("")

    def key(value: Any) -> int:
        nonlocal last, kept
        if type(value) is not str:
            return prompt_key(value)
        if value != last:
            last, kept = value, prompt_key(value)
        return kept

    return key


def _getter(name: str) -> Callable[[Mapping[str, Any]], Any]:
    """Return a fast `column_of` for a name, direct where the name has no dot."""
    return (lambda row: column_of(row, name)) if "." in name else (lambda row: row.get(name))


def _check_column(row: Mapping[str, Any], name: str, flag: str, where: str) -> None:
    if not has_column(row, name):
        hint = nearest(name, column_names(row))
        raise ConfigError(f"{where} has no column {name!r}{hint} (choose it with --{flag})")


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


PARTITION_BYTES = 64 << 20
"""Bytes of input whose records are in memory at once."""
MOST_PARTITIONS = 128
_WAITING = 256
_HEAD = struct.Struct("<II")
_ROW = struct.Struct("<QQQQIIQI")
FIELDS = [
    *((name, "<u8") for name in ("key", "prompt", "completion", "reference")),
    ("source", "<u4"),
    ("file", "<u4"),
    ("line", "<u8"),
    ("judged", "<u4"),
]
"""What `_ROW` packs: a record, with its judgements as a place in a table."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The records of a partition.

    Args:
        fields: An array of shape [rows], of `FIELDS`, in the order of the rows.
        judged: The table of different judgements that ``judged`` counts in.
    """

    fields: Column
    judged: list[tuple[Judged, ...]]


def partitions_for(total_bytes: int | None) -> int:
    """Return the number of partitions for inputs of this size; None is a pipe, of any size.

    >>> partitions_for(1000), partitions_for(None)
    (1, 128)
    """
    if total_bytes is None:
        return MOST_PARTITIONS
    return max(1, min(MOST_PARTITIONS, total_bytes // PARTITION_BYTES))


class Spilled:
    """The records of one side, in files of their own.

    Args:
        folder: Folder of the files.
        partitions: Number of partitions; records of one key are in the same.
    """

    def __init__(self, folder: Path, partitions: int) -> None:
        self._paths = [folder / str(number) for number in range(partitions)]

    def take(self, records: Iterable[Record]) -> None:
        """Write all records to the files.

        Raises:
            ConfigError: The disk is full, or the like.
        """
        count = len(self._paths)
        waiting: list[list[Record]] = [[] for _ in self._paths]
        with contextlib.ExitStack() as opened:
            try:
                files = [opened.enter_context(open(path, "wb")) for path in self._paths]
                for record in records:
                    place = record[0] % count
                    held = waiting[place]
                    held.append(record)
                    if len(held) == _WAITING:
                        files[place].write(_packed(held))
                        held.clear()
                for file, held in zip(files, waiting, strict=True):
                    file.write(_packed(held))
                    file.flush()
            except OSError as error:
                raise ConfigError(
                    f"{tempfile.gettempdir()}: {error.strerror}; some 60 bytes of each row are kept there "
                    "(set TMPDIR to another folder)"
                ) from error

    def read(self, partition: int) -> Rows:
        """Return the records of a partition."""
        import numpy

        known: dict[tuple[Judged, ...], int] = {}
        blocks = [numpy.empty(0, FIELDS)]
        with open(self._paths[partition], "rb") as file:
            while head := file.read(_HEAD.size):
                table_bytes, row_bytes = _HEAD.unpack(head)
                # Our own bytes, from a folder that nobody else may write to.
                table = marshal.loads(file.read(table_bytes))  # noqa: S302
                numbers = numpy.array([known.setdefault(each, len(known)) for each in table], "<u4")
                block = numpy.frombuffer(bytearray(file.read(row_bytes)), FIELDS)
                block["judged"] = numbers[block["judged"]]
                blocks.append(block)
        return Rows(numpy.concatenate(blocks), list(known))


def _packed(records: list[Record]) -> bytes:
    if not records:
        return b""
    table: dict[tuple[Judged, ...], int] = {}
    pack, number = _ROW.pack, table.setdefault
    rows = b"".join([pack(*each[:7], number(each[7], len(table))) for each in records])
    judged = marshal.dumps(list(table))
    return _HEAD.pack(len(judged), len(rows)) + judged + rows
