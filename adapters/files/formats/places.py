"""What a user names as input: files, patterns, saved data sets, data sets of the hub, standard input."""

from __future__ import annotations

import errno
import glob
import json
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reward_verifiers.verifiers import ConfigError

from .csv_rows import NOT_UTF8
from .detect import GZIP, NAMES, ZSTD, Kind, kind_of, refusal, unlike_its_name
from .opened import Opened

HEAD = 4096
"""Bytes by which a format is told."""
_HUB = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*/[\w.-]+)(?::(?P<config>[\w.-]+))?(?:@(?P<split>[\w.-]+))?", re.ASCII
)
_DATA = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet", ".arrow", ".csv", ".tsv", ".json")


@dataclass(frozen=True)
class Input:
    """One file, or one data set of the hub.

    Args:
        path: Where it is; ``-`` for standard input.
        name: What messages call it.
        kind: Its format; None where that shows when it is read.
    """

    path: str
    name: str
    kind: Kind | Literal["hub"] | None

    @property
    def size(self) -> int | None:
        """Bytes on disk; None where they cannot be told."""
        return os.path.getsize(self.path) if self.path != "-" and self.kind != "hub" else None


def inputs(paths: list[str], kind: Kind | None = None) -> list[Input]:
    """The files behind what a user names, in order.

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
    """What a path is that leads to no file, in words.

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
    """The files of a folder that `datasets.Dataset.save_to_disk` wrote."""
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
