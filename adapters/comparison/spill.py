"""Records on disk in partitions by key: files of any size and order are joined in little memory."""

from __future__ import annotations

import contextlib
import marshal
import struct
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reward_verifiers.verifiers import ConfigError

from .sides import Column, Judged, Record

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
    """How many partitions inputs of this size need; None is a pipe, of any size.

    >>> partitions_for(1000), partitions_for(None)
    (1, 128)
    """
    if total_bytes is None:
        return MOST_PARTITIONS
    return max(1, min(MOST_PARTITIONS, total_bytes // PARTITION_BYTES))


class Spilled:
    """The records of one side, in files of their own.

    Args:
        folder: Where the files are.
        partitions: How many; records of one key are in the same.
    """

    def __init__(self, folder: Path, partitions: int) -> None:
        self._paths = [folder / str(number) for number in range(partitions)]

    def take(self, records: Iterable[Record]) -> None:
        """Write all of them down.

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
        """The records of a partition."""
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
