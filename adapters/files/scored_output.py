"""The files that a scoring writes: scored rows, and the lines that could not be scored."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from reward_verifiers.verifiers import ConfigError

FOREIGN = frozenset({".csv", ".tsv", ".tab", ".xls", ".xlsx", ".ods", ".parquet", ".arrow", ".feather"})
"""Endings of other formats. A spreadsheet that is shown JSON as CSV cuts it at its commas, and what then
begins with "=" is a formula that a completion wrote."""


def refuse_foreign(path: str) -> None:
    """Refuse to write rows to a name by which another program would take them for its own.

    Raises:
        ConfigError: It is one.
    """
    target = Path(path)
    if target.suffix.lower() in FOREIGN:
        raise ConfigError(
            f"{path}: rows are written as JSON Lines, which a program for {target.suffix} files would "
            f"misread; name it {target.with_suffix('.jsonl').name}"
        )


class RunError(Exception):
    """A run had to stop; its output so far is kept."""


class Output:
    """The scored rows and the rejected lines, on disk.

    Args:
        path: Path for the scored rows; ``-`` for standard output, None for none.
        resume: Continue an earlier run.
        force: Overwrite what is there.

    Raises:
        ConfigError: The path cannot be used.
    """

    def __init__(self, path: str | None, *, resume: bool = False, force: bool = False) -> None:
        self.path = path
        self.resuming = False
        self._rows: BinaryIO | None = None
        self._rejected: BinaryIO | None = None
        self.rejected_path: Path | None = None
        if path is None or path == "-":
            if resume:
                raise ConfigError("--resume needs an output file (-o FILE)")
            self._rows = sys.stdout.buffer if path == "-" else None
            return
        target = Path(path)
        refuse_foreign(path)
        if target.suffix == ".gz":
            raise ConfigError(
                f"{path}: rows are written plain, so that a run can be resumed; gzip them later"
            )
        if not target.parent.is_dir():
            raise ConfigError(f"{path}: the folder {target.parent} does not exist; create it first")
        if target.is_dir():
            raise ConfigError(f"{path}: is a folder; name a file in it")
        self.rejected_path = target.with_name(target.name.removesuffix(".jsonl") + ".rejected.jsonl")
        there = target.exists() and not target.is_char_device()
        for each in (target, self.rejected_path):
            if each.is_dir():
                raise ConfigError(f"{each}: is a folder; name another -o")
            if each.is_file() and not (resume or force):
                raise ConfigError(f"{each}: already exists; --resume continues it, --force overwrites it")
        self.resuming = there and resume

    def check_apart_from(self, paths: list[str]) -> None:
        """Refuse to write over an input.

        Raises:
            ConfigError: An input is one of the files that would be written.
        """
        written = [each for each in (self.path, self.rejected_path) if each and each != "-"]
        for path in paths:
            if os.path.exists(path) and any(
                os.path.exists(each) and os.path.samefile(path, each) for each in written
            ):
                raise ConfigError(f"{path}: is both an input and a file to write; choose another -o")

    def open(self) -> None:
        """Create the file, or open the one to continue.

        Raises:
            ConfigError: It cannot be opened, or another run writes it.
        """
        if self.path is None or self.path == "-":
            return
        try:
            self._rows = open(self.path, "r+b" if self.resuming else "ab")  # noqa: SIM115
            _lock(self._rows, self.path)
            if not self.resuming and self._rows.seekable() and not Path(self.path).is_char_device():
                self._rows.truncate(0)
            if self.rejected_path is not None:
                self.rejected_path.unlink(missing_ok=True)
        except OSError as error:
            raise ConfigError(f"{self.path}: cannot be written: {error.strerror}") from error

    def rows_so_far(self) -> Iterator[bytes]:
        """Yield the complete rows of the run to continue, and cut off anything after the last."""
        assert self._rows is not None  # noqa: S101
        end = 0
        for raw in self._rows:
            if not raw.endswith(b"\n") or raw.startswith(b"\0"):
                break
            end += len(raw)
            yield raw
        self._rows.truncate(end)
        self._rows.seek(end)

    def write(self, rows: bytes) -> None:
        """Append scored rows.

        Raises:
            RunError: The disk is full, or the like.
        """
        if self._rows is not None and rows:
            try:
                self._rows.write(rows)
                self._rows.flush()
            except BrokenPipeError:
                raise
            except OSError as error:
                hint = (
                    "make room and run again with --resume" if self.path != "-" else "nothing can be written"
                )
                raise RunError(f"{self.path}: {error.strerror}; {hint}") from error

    def reject(self, raw: bytes) -> None:
        """Copy (a piece of) a line that cannot be scored.

        Raises:
            RunError: The disk is full, or the like.
        """
        if self.rejected_path is None:
            return
        try:
            if self._rejected is None:
                self._rejected = open(self.rejected_path, "wb")  # noqa: SIM115
            self._rejected.write(raw)
            self._rejected.flush()
        except OSError as error:
            raise RunError(f"{self.rejected_path}: {error.strerror}") from error

    def close(self) -> None:
        """Close both files."""
        for file in (self._rows, self._rejected):
            if file is not None and file is not sys.stdout.buffer:
                with contextlib.suppress(OSError):
                    file.close()


def _lock(file: BinaryIO, path: str) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise ConfigError(f"{path}: another run is writing it") from None
    except OSError:
        return  # a file system without locks


class FaultsError(RunError):
    """The reward broke on too many rows."""
