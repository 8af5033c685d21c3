"""The token of a server of this machine, in a file that only its user, and so its clients, can read.

Whoever may ask a server can have programs run with its user's rights, and every account of a machine reaches
its loopback addresses. A file of one's own tells the user's own clients from the others'.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from reward_verifiers.verifiers import ConfigError

from .addresses import is_loopback


def folder() -> Path:
    """Return the folder of the files: of the session, which ends with it, or else of the user."""
    session = os.environ.get("XDG_RUNTIME_DIR")
    if session and Path(session).is_dir():
        return Path(session) / "reward-verifiers"
    kept = os.environ.get("XDG_STATE_HOME")
    return (Path(kept) if kept else Path.home() / ".local" / "state") / "reward-verifiers"


def path_of(port: int) -> Path:
    """Return the file for the server on a port."""
    return folder() / f"serve-{port}.token"


@contextmanager
def written(port: int) -> Iterator[tuple[Path, str]]:
    """Write a new token to a file of mode 0600 for as long as a server runs.

    Raises:
        ConfigError: There is no folder that only this user can write to.
    """
    path, token = path_of(port), secrets.token_hex(24)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_own(path.parent)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()  # of a server that was killed: two cannot listen there
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "w", encoding="ascii") as file:
            file.write(token + "\n")
    except OSError as error:
        raise ConfigError(
            f"the token cannot be kept in {path}: {error}; name a file with --token-file, or ask for none "
            "with --no-token"
        ) from error
    try:
        yield path, token
    finally:
        with contextlib.suppress(OSError):
            if path.read_text(encoding="ascii").strip() == token:
                path.unlink()


def token_for(url: str) -> str | None:
    """Return the token of the server at an address of this machine; None where no file has it."""
    parts = urlsplit(url)
    if not is_loopback(parts.hostname or ""):
        return None
    path = path_of(parts.port or (443 if parts.scheme == "https" else 80))
    try:
        _check_own(path)
        return path.read_text(encoding="ascii").strip() or None
    except (OSError, ConfigError, UnicodeDecodeError):
        return None


def _check_own(path: Path) -> None:
    """Refuse a path that others could have created or can change."""
    about = path.stat(follow_symlinks=False)
    others = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    own = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    if stat.S_ISLNK(about.st_mode) or not own or (others and os.name == "posix"):
        raise ConfigError(
            f"{path} is not this user's alone; put that right (chmod 700), or name a file with --token-file"
        )
