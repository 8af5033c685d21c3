"""JSON Lines and JSON arrays, read in bounded memory: nothing is lost, every problem has a line number."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from verifiers import ConfigError

from .json_arrays import array_items, is_array

MAX_LINE = 16 << 20
"""Bytes of the longest line that is read as a row."""
CHUNK_ROWS = 256
"""Rows that are scored at a time. Fewer cost more in passing them around, more make progress jerky."""
CHUNK_BYTES = 4 << 20
"""Bytes that are scored at a time, so that memory stays small with long rows too."""
_PIECE = 1 << 20
_GZIP = b"\x1f\x8b"
_BOM = codecs.BOM_UTF8
_PACKED = {
    b"PK\x03\x04": ("a zip archive or a workbook", "unpack it, or export JSON Lines from it"),
    b"\x28\xb5\x2f\xfd": ("compressed by zstd", "unpack it: zstd -d"),
    b"\xfd7zXZ": ("compressed by xz", "unpack it: xz -d"),
    b"BZh": ("compressed by bzip2", "unpack it: bzip2 -d"),
}
_TABLES = {b"PAR1": ("Parquet", "read_parquet"), b"ARROW1": ("Arrow", "read_feather")}
_TABLES_BY_NAME = {".csv": ("CSV", "read_csv"), ".tsv": ("tab-separated", "read_table")}
_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""By their byte order marks; that of UTF-32 begins with that of UTF-16."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it is in a file, without its line break; of a JSON array one item, on one line."""

    file: str
    number: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Overlong:
    """A line above `MAX_LINE`: it can be copied piece by piece, before the next line is read."""

    file: str
    number: int
    copy_to: Callable[[Callable[[bytes], object]], None]


class Source:
    """The input files, in order, as chunks of lines.

    Args:
        paths: Files of JSON Lines, or of one JSON array of objects each, plain or gzip; ``-`` is standard
            input. The items of an array are counted as lines.

    Raises:
        ConfigError: A file is not there, not readable, or of another format.
    """

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths
        self.total_bytes: int | None = 0
        for path in paths:
            if path == "-":
                self.total_bytes = None
                continue
            if not Path(path).exists():
                raise ConfigError(f"{path}: no such file")
            if Path(path).is_dir():
                raise ConfigError(f"{path}: is a folder; name the JSONL files in it")
            _check_readable(path)
            if self.total_bytes is not None:
                self.total_bytes += os.path.getsize(path)
        self._done = 0
        self._raw: Any = None

    def position(self) -> int:
        """Bytes read so far, as they are on disk."""
        if self._raw is None:
            return self._done
        return self._done + int(self._raw.tell())

    def chunks(self) -> Iterator[list[Line] | Overlong]:
        """All lines that are not blank, in order.

        Raises:
            ConfigError: A gzip file is damaged, an array is not whole, or a file can no longer be read.
        """
        for path in self.paths:
            name = "standard input" if path == "-" else path
            try:
                with _Opened(path) as (stream, raw):
                    self._raw = raw
                    yield from _chunks(name, stream)
                    self._raw = None
            except (EOFError, OSError, zlib.error) as error:
                raise ConfigError(f"{name}: cannot be read to its end: {error}") from error
            if path != "-":
                self._done += os.path.getsize(path)


def parse(raw: bytes) -> dict[str, Any]:
    """The row of a line.

    Raises:
        ValueError: It is not one; the message says why.
    """
    try:
        row = json.loads(raw)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("not readable JSON: nested too deeply") from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise ValueError(f"not readable JSON: {error}") from None
    if not isinstance(row, dict):
        raise ValueError(f"not a JSON object but {_kind(row)}")
    return row


def _kind(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _check_readable(path: str) -> None:
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    other = other_format(path, head)
    if other is not None:
        raise ConfigError(f"{path}: {other}")
    if not head.startswith(_GZIP) and b"\0" in head:
        raise ConfigError(f"{path}: is a binary file, not JSON Lines")


def other_format(path: str, head: bytes) -> str | None:
    """What a file is instead of JSON Lines, and what to do about it; None where nothing is known.

    Args:
        path: The file's.
        head: Its first bytes.

    >>> other_format("rows.jsonl", b"BZh91AY")
    'is compressed by bzip2, not JSON Lines; unpack it: bzip2 -d rows.jsonl'
    >>> other_format("rows.csv", b'{"completion": "4"}')
    """
    for sign, encoding in _ENCODINGS.items():
        if head.startswith(sign):
            return f"is {encoding}, not UTF-8; convert it: iconv -f {encoding} -t UTF-8 {path}"
    for sign, (name, cure) in _PACKED.items():
        if head.startswith(sign):
            return f"is {name}, not JSON Lines; {cure}{f' {path}' if ':' in cure else ''}"
    table = next((table for sign, table in _TABLES.items() if head.startswith(sign)), None)
    # A file that holds objects is read, whatever it is called.
    if table is None and head.removeprefix(_BOM).lstrip()[:1] not in (b"", b"{", b"["):
        table = _TABLES_BY_NAME.get(os.path.splitext(path)[1].lower())
    if table is None:
        return None
    name, reader = table
    return (
        f"is {name}, not JSON Lines; convert it, with pandas for example: "
        f"pd.{reader}({path!r}).to_json('rows.jsonl', orient='records', lines=True)"
    )


class _Opened:
    """A file as a stream of decompressed bytes, and the raw file whose position shows progress."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> tuple[BinaryIO, Any]:
        if self.path == "-":
            stdin: BinaryIO = sys.stdin.buffer
            self._close: list[Any] = []
            head = stdin.peek(2)[:2] if isinstance(stdin, io.BufferedReader) else b""
            return (gzip.GzipFile(fileobj=stdin) if head == _GZIP else stdin), None  # type: ignore[return-value]
        raw = open(self.path, "rb")
        self._close = [raw]
        if raw.peek(2)[:2] == _GZIP:
            stream = gzip.GzipFile(fileobj=raw)
            self._close.insert(0, stream)
            return stream, raw  # type: ignore[return-value]
        return raw, raw

    def __exit__(self, *_: object) -> None:
        for each in self._close:
            each.close()


def _chunks(name: str, stream: BinaryIO) -> Iterator[list[Line] | Overlong]:
    chunk: list[Line] = []
    size = 0
    for line in _lines(name, stream):
        if isinstance(line, Overlong):
            if chunk:
                yield chunk
                chunk, size = [], 0
            yield line
            continue
        chunk.append(line)
        size += len(line.raw)
        if len(chunk) >= CHUNK_ROWS or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _lines(name: str, stream: BinaryIO) -> Iterator[Line | Overlong]:
    """Every line that is not blank, or every item of an array."""
    number, head = 0, b""
    array: bool | None = None
    held: list[Line] = []
    while raw := stream.readline(MAX_LINE + 1):
        if array is None:
            head += raw
            array = is_array(head) if len(head) <= _PIECE or not held else False
            if array:
                for item, found in array_items(name, head, stream.read, MAX_LINE, _PIECE):
                    yield Line(name, item, found)
                return
        number += 1
        if number == 1 and raw.startswith(_BOM):
            raw = raw[len(_BOM) :]
        if array is not None:
            yield from held
            held = []
        if len(raw) > MAX_LINE and not raw.endswith(b"\n"):
            rest = _Rest(raw, stream)
            yield Overlong(name, number, rest.copy_to)
            rest.copy_to(lambda piece: None)  # a caller that did not copy it has skipped it
            continue
        raw = raw.rstrip(b"\r\n")
        if raw.strip():
            held.append(Line(name, number, raw))
        if array is not None:
            yield from held
            held = []
    yield from held


class _Rest:
    """The rest of a line that is too long to hold."""

    def __init__(self, first: bytes, stream: BinaryIO) -> None:
        self._piece, self._stream = first, stream

    def copy_to(self, write: Callable[[bytes], object]) -> None:
        while self._piece:
            piece = self._piece
            done = piece.endswith(b"\n")
            self._piece = b"" if done else self._stream.readline(_PIECE)
            if not self._piece and not done:
                piece += b"\n"
            write(piece)
