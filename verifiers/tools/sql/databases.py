"""The databases of a row: scripts that make one, and files."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

FILES = (".db", ".db3", ".sqlite", ".sqlite3")
"""Endings of names of files: a text with one, on a line, is a path; any other text is a script."""
MOST_DATABASES = 100
MOST_SCRIPT = 4_000_000
"""Characters of a script."""


class DatabaseError(Exception):
    """A row's database that cannot be used; the message says why."""


class Database(NamedTuple):
    """Where a query runs.

    Args:
        script: SQL that makes it; "" for a file.
        path: Of a file, absolute; "" for a script.
        state: What changes when the file does.
    """

    script: str
    path: str
    state: tuple[int, int] = (0, 0)


def databases_of(given: Any, folder: str = "") -> tuple[Database, ...]:
    """The databases that a row gives: one, or a list of them.

    Args:
        given: A script; a path; or an object with ``script`` or ``file``.
        folder: Where paths begin.

    Raises:
        DatabaseError: There is none, or a file is not there.
    """
    several = given if isinstance(given, list | tuple) else [given]
    if not several or len(several) > MOST_DATABASES:
        raise DatabaseError(f"from 1 to {MOST_DATABASES} databases, got {len(several)}")
    return tuple(_database(each, folder) for each in several)


def _database(given: Any, folder: str) -> Database:
    if isinstance(given, Mapping):
        if len(given) != 1 or not {"script", "file"} & given.keys():
            raise DatabaseError(f"a database is {{script: SQL}} or {{file: PATH}}, got {given!r:.80}")
        [(kind, text)] = given.items()
    else:
        text = given
        is_path = isinstance(text, str) and "\n" not in text and text.strip().lower().endswith(FILES)
        kind = "file" if is_path else "script"
    if not isinstance(text, str) or not text.strip():
        raise DatabaseError(f"a database is a script or a path, got {text!r:.80}")
    if kind == "script":
        if len(text) > MOST_SCRIPT:
            raise DatabaseError(f"a script of more than {MOST_SCRIPT} characters; make a file of it")
        return Database(text, "")
    path = Path(folder, text.strip()).absolute()
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        raise DatabaseError(f"there is no database {str(path)!r:.200}: {error}") from None
    if not stat.S_ISREG(found.st_mode):  # a pipe would be waited for, a device never ends
        raise DatabaseError(f"{str(path)!r:.200} is no file")
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        raise DatabaseError(f"{path} has changes in {log.name}; run PRAGMA wal_checkpoint(TRUNCATE) on it")
    return Database("", str(path), (found.st_size, found.st_mtime_ns))
