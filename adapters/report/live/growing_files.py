"""What files of JSON Lines have gained since they were last read: whole lines only."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from reward_verifiers.adapters.files.jsonl import CHUNK_BYTES, CHUNK_ROWS, MAX_LINE, Line, Overlong


class GrowingFile:
    """A file to which somebody appends lines; a line that is being written is left for the next time.

    Args:
        path: The file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._at = self._number = 0
        self._identity: tuple[int, int] | None = None

    def replaced(self) -> bool:
        """Whether it is not the file any more that was read: a resumed run cuts off what it does again."""
        try:
            found = os.stat(self.path)
        except OSError:
            return self._identity is not None
        return self._identity is not None and (
            self._identity != (found.st_dev, found.st_ino) or found.st_size < self._at
        )

    def chunks(self) -> Iterator[list[Line] | Overlong]:
        """Lines that are whole and were not read yet."""
        with open(self.path, "rb") as file:
            found = os.fstat(file.fileno())
            self._identity = (found.st_dev, found.st_ino)
            file.seek(self._at)
            chunk: list[Line] = []
            size = 0
            while raw := file.readline(MAX_LINE + 1):
                long = len(raw) > MAX_LINE
                while long and raw and not raw.endswith(b"\n"):
                    raw = file.readline(1 << 20)
                if not raw.endswith(b"\n"):
                    break
                self._number, self._at = self._number + 1, file.tell()
                if long:
                    yield Overlong(self.path, self._number, lambda write: None)
                    continue
                if self._number == 1:
                    raw = raw.removeprefix(codecs.BOM_UTF8)
                if raw.strip():
                    chunk.append(Line(self.path, self._number, raw.rstrip(b"\r\n")))
                    size += len(raw)
                if len(chunk) >= CHUNK_ROWS or size >= CHUNK_BYTES:
                    yield chunk
                    chunk, size = [], 0
            if chunk:
                yield chunk


def grows(path: str) -> bool:
    """Whether a file is plain JSON Lines, to which lines can be appended."""
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 12).removeprefix(codecs.BOM_UTF8).lstrip()
    except OSError:
        return False
    return head[:1] in (b"{", b"") and not Path(path).name.endswith((".gz", ".zst"))
