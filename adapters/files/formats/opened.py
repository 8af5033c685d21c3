"""Opening what holds text: plain, or packed by gzip or zstd, also on standard input."""

from __future__ import annotations

import gzip
import io
import sys
from typing import Any, BinaryIO

from reward_verifiers.verifiers.runtime.packages import require

from .arrow_rows import EXTRA
from .detect import GZIP, ZSTD


class Opened:
    """A file as a stream of decompressed bytes.

    Args:
        path: Its path; ``-`` for standard input.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.raw: Any = None
        """What shows by its position how far it was read; None for standard input."""
        self._close: list[Any] = []

    def __enter__(self) -> BinaryIO:
        if self.path == "-":
            stdin: BinaryIO = sys.stdin.buffer
            head = stdin.peek(4)[:4] if isinstance(stdin, io.BufferedReader) else b""
            return self._unpacked(stdin, head)
        raw = open(self.path, "rb")
        self._close, self.raw = [raw], raw
        return self._unpacked(raw, raw.peek(4)[:4])

    def _unpacked(self, raw: Any, head: bytes) -> BinaryIO:
        if head.startswith(GZIP):
            stream: Any = gzip.GzipFile(fileobj=raw)
        elif head.startswith(ZSTD):
            stream = io.BufferedReader(_Zstd(raw), 1 << 18)
        else:
            return raw  # type: ignore[no-any-return]
        self._close.insert(0, stream)
        return stream  # type: ignore[no-any-return]

    def __exit__(self, *_: object) -> None:
        for each in self._close:
            each.close()


class _Zstd(io.RawIOBase):
    """Decompressed bytes, of one frame after another."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__()
        arrow = require("pyarrow", extra=EXTRA)
        self._stream = arrow.CompressedInputStream(arrow.PythonFile(raw, "rb"), "zstd")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._stream.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)
