"""Records on disk in partitions by key: files of any size and order are joined in little memory."""

from __future__ import annotations

import contextlib
import marshal
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from verifiers import ConfigError

from .sides import Record

PARTITION_BYTES = 16 << 20
"""Bytes of input whose records are in memory at once."""
MOST_PARTITIONS = 128
_WAITING = 128


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
                    place = record.key % count
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
                    f"{tempfile.gettempdir()}: {error.strerror}; some 150 bytes of each row are kept there "
                    "(set TMPDIR to another folder)"
                ) from error

    def read(self, partition: int) -> Iterator[Record]:
        """The records of a partition, in the order of their rows."""
        with open(self._paths[partition], "rb") as file:
            while head := file.read(8):
                # Our own bytes, from a folder that nobody else may write to.
                yield from map(Record._make, marshal.loads(file.read(int.from_bytes(head, "big"))))  # noqa: S302


def _packed(records: list[Record]) -> bytes:
    data = marshal.dumps(list(map(tuple, records)))
    return len(data).to_bytes(8, "big") + data
