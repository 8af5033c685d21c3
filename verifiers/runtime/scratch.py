"""Temporary folders and files, also where nearly everything is read-only."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_SHARED_MEMORY = "/dev/shm"  # noqa: S108


def temporary_parent() -> str:
    """Where temporary folders go: as `tempfile` has it, or shared memory where none of that can be written.

    Raises:
        OSError: Nothing can be written; the message says what to do.
    """
    try:
        return tempfile.gettempdir()
    except FileNotFoundError as error:
        if os.access(_SHARED_MEMORY, os.W_OK | os.X_OK):
            return _SHARED_MEMORY
        raise OSError(f"{error.strerror}. Set TMPDIR to a folder that can be written") from error


def temporary_folder() -> str:
    """A new folder, which the caller removes; nobody else can look into it, whatever the umask is."""
    folder = tempfile.mkdtemp(prefix="reward-verifiers-", dir=temporary_parent())
    os.chmod(folder, 0o700)  # a umask can take from what `mkdtemp` asks for
    return folder


@contextlib.contextmanager
def empty_folder() -> Iterator[str]:
    """The same for a while."""
    folder = temporary_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def nobody_elses(path: Path) -> bool:
    """Whether only this user, and root, can have written a file, or can write into a folder."""
    found = path.stat()
    return found.st_uid in (0, os.geteuid()) and not found.st_mode & 0o022


def temporary_file() -> IO[bytes]:
    """A file without a name, and without a buffer: in memory, where the system has that."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("reward-verifiers", os.MFD_CLOEXEC), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)


def executes(folder: str) -> bool:
    """Whether what lies in a folder can be executed: file systems may be mounted without that."""
    return not os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0)
