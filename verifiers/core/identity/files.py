"""What the files hold that a component names, and how a component says that it names some."""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

_BLOCK = 1 << 20
_REVISION = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Names:
    """Marks a field, in its annotation, whose text names something that a verdict depends on.

    Args:
        what: "files" (a file or a folder, or the id of a model in the local cache of a hub), or "code" (an
            import path, ``"package.module:name"``).
    """

    what: str


NamedFiles = Annotated[str, Names("files")]
"""The type of a field that names a file, a folder or a model: its content counts in `Component.identity`."""
NamedCode = Annotated[str, Names("code")]
"""The type of a field that names an object by its import path: its code counts in `Component.identity`."""


def files_digest(path: str | Path, *, folders: bool = True) -> str:
    """A digest of what a file or a folder holds; of a model's id, of its revision; else "".

    A model that the hub's local cache holds is known by its commit, which is the name of its folder there.

    Args:
        path: A path, or the id of a model.
        folders: Whether a folder, or a model, is read, too.
    """
    try:
        root = Path(path)
        if root.is_file():
            return _file_digest(root)
        if not folders:
            return ""
        if root.is_dir():
            digest = hashlib.blake2b(digest_size=16)
            for each in _files(root):
                digest.update(f"{each.relative_to(root).as_posix()}\0{_file_digest(each)}\0".encode())
            return digest.hexdigest()
        return _revision(str(path))
    except (OSError, ValueError):
        return ""  # a name, not a path


def _files(root: Path) -> Iterator[Path]:
    return iter(sorted(each for each in root.rglob("*") if each.is_file()))


def _file_digest(file: Path) -> str:
    seen = file.stat()
    return _content_digest(str(file.resolve()), seen.st_size, seen.st_mtime_ns)


@functools.lru_cache(maxsize=4096)
def _content_digest(file: str, _size: int, _changed: int) -> str:
    """A file is read once for each state that it is found in: weights are large."""
    digest = hashlib.blake2b(digest_size=16)
    with open(file, "rb") as opened:
        while block := opened.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _revision(name: str) -> str:
    """The commit of a model in the local cache of the Hugging Face hub."""
    if not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)?", name):
        return ""
    folder = _hub_cache() / f"models--{name.replace('/', '--')}"
    try:
        commit = (folder / "refs" / "main").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    return commit if _REVISION.fullmatch(commit) else ""


def _hub_cache() -> Path:
    if given := os.environ.get("HF_HUB_CACHE"):
        return Path(given)
    home = os.environ.get("HF_HOME")
    return Path(home or Path.home() / ".cache" / "huggingface") / "hub"
