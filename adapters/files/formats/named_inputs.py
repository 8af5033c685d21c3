"""Inputs that a user names (files, patterns, datasets, standard input): their formats and opening.

The first bytes and the name of a file tell its format: readable ones, compressed with gzip or zstd or not,
and ones that you have to convert first.
"""

from __future__ import annotations

import codecs
import errno
import glob
import gzip
import io
import json
import os
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require

from .arrow_rows import EXTRA
from .csv_rows import NOT_UTF8


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


Kind = Literal["json", "csv", "tsv", "parquet", "arrow", "arrow_stream"]
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_TABLES: dict[bytes, Kind] = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow_stream",
}
NAMES: dict[Kind, str] = {
    "json": "JSON Lines",
    "csv": "CSV",
    "tsv": "tab-separated values",
    "parquet": "Parquet",
    "arrow": "Arrow",
    "arrow_stream": "Arrow",
}
"""What messages call each."""
_BY_SUFFIX: dict[str, Kind] = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
_PACKED_SUFFIXES = (".gz", ".zst", ".zstd")
_OTHERS = {
    b"PK\x03\x04": ("a zip archive or a workbook", "unpack it, or export CSV from it"),
    b"\xfd7zXZ": ("compressed by xz", "unpack it: xz -d"),
    b"BZh": ("compressed by bzip2", "unpack it: bzip2 -d"),
    b"FEA1": ("of Feather's first version", "write it again: pyarrow.feather.write_feather"),
    b"SQLite format 3": ("a database", "export CSV from it: sqlite3 -csv"),
}
_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""By their byte order marks; that of UTF-32 begins with that of UTF-16."""


def kind_of(path: str, head: bytes) -> Kind:
    """Return the kind of a file.

    >>> kind_of("rows.csv", b"completion,answer"), kind_of("rows.csv.gz", b"a,b"), kind_of("rows", b"PAR1")
    ('csv', 'csv', 'parquet')
    >>> kind_of("rows.csv", b'{"completion": "4"}')
    'json'
    """
    for sign, kind in _TABLES.items():
        if head.startswith(sign):
            return kind
    # A file that holds objects is read as such, whatever it is called.
    if head.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"["):
        return "json"
    name, suffix = os.path.splitext(path.lower())
    if suffix in _PACKED_SUFFIXES:
        suffix = os.path.splitext(name)[1]
    return _BY_SUFFIX.get(suffix, "json")


def unlike_its_name(path: str, head: bytes, found: Kind) -> str | None:
    """Return why a file is not of the kind that its name or bytes promise; None where that is unknown.

    >>> unlike_its_name("rows.parquet", b"hello", "json")
    'is not a Parquet file, though it is called one: it begins with text'
    """
    if found == "json" and head.lstrip()[:1] not in (b"{", b"[", b""):
        named = os.path.splitext(path.lower())[1]
        name = {".parquet": "a Parquet file", ".arrow": "an Arrow file", ".feather": "an Arrow file"}.get(
            named
        )
        if name is not None and b"\0" not in head:
            return f"is not {name}, though it is called one: it begins with text"
    # Text that is mostly ASCII has every other byte zero; no mark says so.
    for encoding, first in (("UTF-16BE", 0), ("UTF-16LE", 1)):
        if head[first::2].count(0) * 4 > len(head) > 3 and _is_text(head, encoding):
            return f"is {encoding}, not UTF-8; convert it: iconv -f {encoding} -t UTF-8 {path}"
    return None


def _is_text(head: bytes, encoding: str) -> bool:
    text = head[: len(head) // 2 * 2].decode(encoding, "replace")
    return all(char.isprintable() or char.isspace() for char in text)


def refusal(path: str, head: bytes) -> str | None:
    """Return why a file cannot be read, with the cure; None where it may be read.

    Args:
        path: Its name.
        head: Its first bytes, as they are there.

    >>> refusal("rows.jsonl", b"BZh91AY")
    'is compressed by bzip2, not JSON Lines; unpack it: bzip2 -d rows.jsonl'
    """
    if head.startswith(tuple(_TABLES)):
        return None
    for sign, encoding in _ENCODINGS.items():
        if head.startswith(sign):
            return f"is {encoding}, not UTF-8; convert it: iconv -f {encoding} -t UTF-8 {path}"
    for sign, (name, cure) in _OTHERS.items():
        if head.startswith(sign):
            return f"is {name}, not JSON Lines; {cure}{f' {path}' if ':' in cure else ''}"
    return None


HEAD = 4096
"""Bytes by which a format is told."""
_HUB = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*/[\w.-]+)(?::(?P<config>[\w.-]+))?(?:@(?P<split>[\w.-]+))?", re.ASCII
)
_DATA = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet", ".arrow", ".csv", ".tsv", ".json")


@dataclass(frozen=True)
class Input:
    """One file, or one dataset of the hub.

    Args:
        path: Its path; ``-`` for standard input.
        name: Its name in messages.
        kind: Its format; None where that shows when it is read.
    """

    path: str
    name: str
    kind: Kind | Literal["hub"] | None

    @property
    def size(self) -> int | None:
        """Bytes on disk; None where unknown."""
        return os.path.getsize(self.path) if self.path != "-" and self.kind != "hub" else None


def inputs(paths: list[str], kind: Kind | None = None) -> list[Input]:
    """Return the files behind a user's input, in order.

    Args:
        paths: Files, patterns such as ``part-*.parquet``, folders that `datasets` saved, names of data sets
            on the hub (``OWNER/NAME``, ``OWNER/NAME:CONFIG@SPLIT``), or ``-``.
        kind: The format of those that hold text; None to tell it.

    Raises:
        ConfigError: One is not there, not readable, or of a format that is not read.
    """
    return [each for path in paths for each in _found(path, kind)]


def _found(path: str, kind: Kind | None) -> Iterator[Input]:
    if path == "-":
        yield Input(path, "standard input", kind)
    elif os.path.isdir(path):
        yield from _saved(Path(path), kind)
    elif os.path.exists(path):
        yield Input(path, path, _checked(path, kind))
    elif glob.has_magic(path):
        files = sorted(each for each in glob.glob(path, recursive=True) if os.path.isfile(each))
        if not files:
            raise ConfigError(f"{path}: no file has such a name")
        yield from (Input(each, each, _checked(each, kind)) for each in files)
    elif _is_hub_name(path):
        yield Input(path, path, "hub")
    else:
        raise ConfigError(f"{path}: {missing(path)}")


def missing(path: str) -> str:
    """Describe, in words, a path that leads to no file.

    >>> missing("nowhere.jsonl")
    'no such file'
    """
    try:
        os.stat(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "its symbolic links go in a circle"
        if error.errno not in (errno.ENOENT, errno.ENOTDIR):
            return f"cannot be looked at: {error.strerror}"
    if os.path.islink(path):
        return f"a symbolic link to {os.readlink(path)!r}, which is not there"
    return "no such file"


def _is_hub_name(path: str) -> bool:
    owner = path.partition("/")[0]
    found = _HUB.fullmatch(path)
    return found is not None and not path.endswith(_DATA) and not os.path.exists(owner)


def _saved(folder: Path, kind: Kind | None) -> Iterator[Input]:
    """Yield the files of a folder that `datasets.Dataset.save_to_disk` wrote."""
    about = _json(folder / "dataset_dict.json")
    if about is not None:
        splits = [str(each) for each in about.get("splits", [])]
        if len(splits) != 1:
            shown = ", ".join(str(folder / each) for each in splits)
            raise ConfigError(f"{folder}: is a folder with several splits; name one: {shown}")
        yield from _saved(folder / splits[0], kind)
        return
    state = _json(folder / "state.json")
    if state is not None and isinstance(state.get("_data_files"), list):
        files = [folder / str(each.get("filename")) for each in state["_data_files"]]
        yield from (each for file in files for each in _found(str(file), kind))
        return
    there = next((each for each in sorted(folder.iterdir()) if each.name.endswith(_DATA)), None)
    named = "the files in it" if there is None else f"its files, for example '{folder}/*{there.suffix}'"
    raise ConfigError(f"{folder}: is a folder; name {named}")


def _json(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    return found if isinstance(found, dict) else None


def _checked(path: str, kind: Kind | None) -> Kind:
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    problem = refusal(path, head)
    if problem is not None:
        raise ConfigError(f"{path}: {problem}")
    packed = head.startswith((GZIP, ZSTD))
    if packed:
        head = _unpacked(path)
    found = kind_of(path, head)
    binary = found in ("parquet", "arrow", "arrow_stream")
    if binary and packed:
        raise ConfigError(f"{path}: is {NAMES[found]} inside of a packed file; unpack it: gunzip or zstd -d")
    if binary:
        return found
    found = kind or found
    if (said := unlike_its_name(path, head, found)) is not None:
        raise ConfigError(f"{path}: {said}")
    if b"\0" in head:
        raise ConfigError(f"{path}: is a binary file, not JSON Lines")
    if found in ("csv", "tsv") and _is_korean_windows(head):
        raise ConfigError(f"{path}: {NOT_UTF8}")
    return found


def _unpacked(path: str) -> bytes:
    try:
        with Opened(path) as stream:
            return stream.read(HEAD)
    except (EOFError, OSError, zlib.error):
        return b""  # told again, with its place, when the file is read


def _is_korean_windows(head: bytes) -> bool:
    text = head[: head.rfind(b"\n") + 1] or head
    try:
        text.decode()
    except UnicodeDecodeError:
        try:
            text.decode("cp949")
        except UnicodeDecodeError:
            return False
        return True
    return False
