"""Compiling a program, in a sandbox of its own that holds no tests."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...runtime.scratch import nobody_elses
from .languages import ENVIRONMENT, LANGUAGES, main_class, toolchain
from .launcher_process import Launcher, sealed
from .program_watch import Watch, outcome
from .protocol import Cause, Limits, Run

COMPILE = Limits(cpu_seconds=60.0, output=1 << 16, wall_seconds=180.0)
"""What a compiler may use: g++ takes 1.5 s for <bits/stdc++.h>, and 5 s to precompile it."""
_WRITABLE = 4 << 30
"""Bytes of writable memory for each of its processes; Java's reserve most of that and do not use it."""
MAX_PROGRAM = 32 << 20
"""Bytes of a compiled program; Go's are the largest, with 2 MB."""


@dataclass(frozen=True)
class _Room:
    """What a compiler may use, in bytes.

    Args:
        memory: Of all of its processes, as metered.
        files: What it may write altogether.
        made: What it may hand over.
    """

    memory: int
    files: int
    made: int

    @property
    def file_size(self) -> int:
        """Of any one file: object files are larger than what is made of them."""
        return min(2 * self.made, self.files)


_PRELUDE = _Room(memory=1 << 30, files=512 << 20, made=256 << 20)
"""A precompiled header is a copy of the compiler's memory: 120 MB, made with three times as much."""


@dataclass(frozen=True)
class Built:
    """What is run: the compiler's output, or the source itself.

    Args:
        content: The file.
        failed: Why there is no such file.
    """

    content: bytes = b""
    failed: Run | None = None


def build(launcher: Launcher, language: str, code: str, folder: str, memory: int) -> Built:
    """Compile a program.

    Args:
        launcher: One for that language.
        language: A row of the table.
        code: The program.
        folder: Where the precompiled header is.
        memory: Bytes that the program may use. The compiler may use as much on top of what it needs itself.
    """
    row = LANGUAGES[language]
    source = f"{main_class(code)[1]}.java" if language == "java" else row.source
    commands = [_filled(command, language, source, folder) for command in row.build]
    room = _Room(memory + (row.compiler << 20), row.compiled << 20, MAX_PROGRAM)
    return _built(launcher, code, source, commands, row.output, room)


def prelude(launcher: Launcher, language: str) -> str:
    """The folder that holds the language's precompiled header, which is made on first use.

    It is kept in the user's cache folder for the next process. Empty where it cannot be made: programs
    compile without it, only slower.
    """
    header, command = LANGUAGES[language].prelude or ("", ())
    filled = _filled(command, language, "", "")
    said = "\n".join([toolchain(language).version, *filled])
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # a user without a home
        return ""
    folder = cache / "reward-verifiers" / hashlib.sha256(said.encode()).hexdigest()[:16]
    target = folder / f"{header}.gch"
    try:
        for each in (folder.parent, folder):
            each.mkdir(parents=True, exist_ok=True)
            if each.stat().st_uid == os.geteuid():
                each.chmod(0o755)  # whatever the umask is: what lies there is compiled into programs
        if not all(nobody_elses(each) for each in (folder.parent, folder, target) if each.exists()):
            return ""
    except OSError:
        return ""
    if not target.exists():
        made = _built(
            launcher, f"#include <{header}>\n", LANGUAGES[language].source, [filled], "out", _PRELUDE
        )
        if made.failed is not None:
            return ""
        try:
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
                file.write(made.content)
                os.fchmod(file.fileno(), 0o644)
            os.replace(file.name, target)  # whole or not at all, even if another process makes it too
        except OSError:
            return ""
    return str(folder)


def _filled(command: Sequence[str], language: str, source: str, folder: str) -> list[str]:
    executable = toolchain(language).executable
    known = {"tool": executable, "source": source, "prelude": folder, "bin": os.path.dirname(executable)}
    return [part.format(work="{work}", memory="{memory}", main="{main}", **known) for part in command]


def _built(
    launcher: Launcher, code: str, source: str, commands: list[list[str]], output: str, room: _Room
) -> Built:
    limits = replace(COMPILE, memory=room.memory)
    task = {
        "mode": "build",
        "profile": "build",
        "cpu": int(COMPILE.cpu_seconds),
        "memory": _WRITABLE,
        "address_space": False,
        "metered": room.memory,
        "stack": 64 << 20,
        "file_size": room.file_size,
        "files_size": room.files,
        "files": [source],
        "texts": 0,
        "argv": commands,
        "env": ENVIRONMENT,
        "output": output,
    }
    errors_read, errors_write = os.pipe2(os.O_CLOEXEC)
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    text = sealed(code.encode("utf-8", "replace"))
    made = os.memfd_create("made", os.MFD_CLOEXEC)
    mine = [errors_read, made]
    try:
        theirs = [nothing, errors_write, errors_write, text, made]
        watch = Watch(launcher)
        try:
            child = watch.start(task, theirs, [errors_read], limits)
        finally:
            for descriptor in (nothing, errors_write, text):
                os.close(descriptor)
        watch.wait()
        errors = bytes(child.readers[errors_read])
        cause, detail = outcome(watch, child, b"")
        if cause is not Cause.OK:
            why = (
                ""
                if cause in (Cause.COMPILE_ERROR, Cause.OUTPUT_LIMIT)
                else f"the compiler: {cause} {detail}"
            )
            return Built(failed=Run(Cause.COMPILE_ERROR, errors=errors, detail=why.strip()))
        size = os.fstat(made).st_size
        if size > room.made:
            why = f"the compiled program has {size >> 20} MiB of at most {room.made >> 20}"
            return Built(failed=Run(Cause.COMPILE_ERROR, detail=why))
        return Built(os.pread(made, size, 0))
    finally:
        for descriptor in mine:
            os.close(descriptor)
