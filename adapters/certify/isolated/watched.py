"""What a reward does besides returning a number, seen in its process: files, output, code that it runs.

What it would write is written into a folder that is deleted, so that certifying a reward changes nothing.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any

MARK = "certify_918273645"
"""A name that no reward knows: code that holds it was made of a completion's text."""
NUMBER = 918273645
"""The same for code in which only numbers are left; one more than it stands for a folded sum."""

_open = io.open
_DEVICES = ("/dev/", "/proc/")
_DELETES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate", "os.link", "os.symlink")
_STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")


class Watch:
    """Notes what happens while a call runs.

    Args:
        folder: Where writing is turned to.
    """

    def __init__(self, folder: str) -> None:
        self.folder = os.path.realpath(folder)
        self.on = False
        self.seen: dict[str, str] = {}

    def install(self) -> None:
        """Turn writing aside, and listen; once in a process."""
        builtins.open = io.open = self._opened
        sys.addaudithook(self._audited)

    @contextlib.contextmanager
    def watching(self) -> Iterator[dict[str, str]]:
        """While a call runs: what it does, by kind, with what shows it."""
        self.seen, out, error = {}, sys.stdout, sys.stderr
        sys.stdout = sys.stderr = said = _Said()
        self.on = True
        try:
            yield self.seen
        finally:
            self.on = False
            sys.stdout, sys.stderr = out, error
            if said.text:
                self.seen.setdefault("prints", said.text[:80])

    def _opened(self, file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        path = self._outside(file)
        if path is None or not set(mode) & set("wax+"):
            return _open(file, mode, *more, **named)
        if self.on:
            self.seen.setdefault("writes_files", path)
        inside = os.path.join(self.folder, "written", path.lstrip("/"))
        os.makedirs(os.path.dirname(inside), exist_ok=True)
        if not os.path.exists(inside) and os.path.isfile(path) and not set(mode) & set("wx"):
            shutil.copyfile(path, inside)
        return _open(inside, mode, *more, **named)

    def _outside(self, file: Any) -> str | None:
        """The path of a file that is not ours to write."""
        if isinstance(file, int):
            return None
        try:
            path = os.path.realpath(os.fsdecode(file))
        except (TypeError, ValueError):
            return None
        return None if path.startswith((self.folder + os.sep, *_DEVICES)) else path

    def _audited(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "exec" and self.on and _holds(arguments[0]):
            self.seen.setdefault("runs_completions", "exec")
        elif event == "open" and isinstance(arguments[2], int):
            path, flags = arguments[0], arguments[2]
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and self._outside(path) is not None:
                self._refuse("writes_files", str(path))
        elif event in _DELETES and self._outside(arguments[0]) is not None:
            self._refuse("writes_files", f"{event} {arguments[0]!r:.80}")
        elif event in _STARTS and self.on:
            self.seen.setdefault("starts_processes", f"{event} {arguments!r:.80}")
        elif event == "socket.connect" and self.on:
            self.seen.setdefault("connects", f"{arguments[1]!r:.80}")

    def _refuse(self, kind: str, detail: str) -> None:
        if self.on:
            self.seen.setdefault(kind, detail)
            raise PermissionError(f"a reward that is certified may not change files: {detail}")


class _Said(io.StringIO):
    """What is printed, its first words alone."""

    text = ""

    def write(self, said: str) -> int:
        if len(self.text) < 200:
            self.text += said[:200]
        return len(said)


def _holds(code: Any, depth: int = 0) -> bool:
    """Whether code was made of a text with our mark."""
    if not isinstance(code, CodeType) or depth > 3:
        return False
    if any(MARK in name for name in (*code.co_names, *code.co_varnames)):
        return True
    for each in code.co_consts:
        if (isinstance(each, str) and MARK in each) or (type(each) is int and each - NUMBER in (0, 1)):
            return True
        if _holds(each, depth + 1):
            return True
    return False
