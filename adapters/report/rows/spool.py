"""Packed texts in a file without a name, for a report whose texts are asked for one block at a time."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterator


class Spool:
    """Texts that are appended, and read back by their number; several threads may read."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (as long as this lives)
        weakref.finalize(self, self._file.close)
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < len(self):
            raise IndexError(number)
        start, end = self._ends[number : number + 2]
        return os.pread(self._file.fileno(), end - start, start).decode("ascii")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def append(self, text: str) -> None:
        """Add a text of ASCII characters at the end."""
        data = text.encode("ascii")
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()
        self._ends.append(self._ends[-1] + len(data))
