"""Compiling a program, in a sandbox of its own that holds no tests."""

from __future__ import annotations

import hashlib
import math
import os
import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...runtime.worker_process import kept_file
from ..jail.guest import COMPILER_KILLED, COMPILER_TIME
from .launcher_process import Launcher, LauncherError, descriptors
from .program_languages import ENVIRONMENT, LANGUAGES, toolchain
from .program_watch import Child, Watch, outcome
from .protocol import COMPILE_MOST, Cause, Limits, Run

_SAID = 1 << 16
"""Bytes of a compiler's messages."""
_WALL_FACTOR = 3.0
"""A compiler that waits, which none does by itself, has three times its processor time, and a second."""
_WRITABLE = 4 << 30
"""Bytes of writable memory for each of its processes; Java's reserve most of that and do not use it."""
MAX_PROGRAM = 32 << 20
"""Bytes of a compiled program; Go's are the largest, with 2 MB."""
_HOSTS_TROUBLE = re.compile(
    rb"Killed signal terminated program|terminated with signal 9\b|signal: killed|signal: 9, SIGKILL"
    rb"|fork: Resource temporarily unavailable|fork: Cannot allocate memory"
)
"""Drivers' messages about helpers that somebody else has ended, or that they could not start."""


@dataclass(frozen=True)
class Room:
    """Resources that a compiler may use, in bytes.

    Args:
        memory: Memory of all of its processes, as metered.
        files: Bytes that it may write in total.
        made: Bytes that it may return.
        seconds: Processor time of each of its processes, and of those that run at a time together.
    """

    memory: int
    files: int
    made: int
    seconds: float = COMPILE_MOST

    @property
    def file_size(self) -> int:
        """Return the limit for a file; object files are larger than the programs made of them."""
        return min(2 * self.made, self.files)


_PRELUDE = Room(memory=1 << 30, files=512 << 20, made=256 << 20)
"""A precompiled header is a copy of the compiler's memory: 120 MB, made with three times as much."""


@dataclass(frozen=True)
class Built:
    """Content that is run: the compiler's output, or the source itself.

    Args:
        content: The file.
        failed: Why there is no such file: the program's own fault.
        main: The class that Java starts.
    """

    content: bytes = b""
    failed: Run | None = None
    main: str = ""

    @property
    def weight(self) -> int:
        """Bytes that it takes where it is kept."""
        return len(self.content) + len(self.failed.errors if self.failed else b"") + _ENTRY


_ENTRY = 1 << 10
"""Bytes of an entry besides: programs that do not compile are kept as well."""


def build(launcher: Launcher, language: str, code: str, folder: str, limits: Limits) -> Built:
    """Compile a program.

    Args:
        launcher: One for that language.
        language: A row of the table.
        code: The program.
        folder: Folder of the precompiled header.
        limits: Limits of the program. The compiler may use as much memory on top of its own needs, and
            `Limits.compile_seconds`.

    Raises:
        LauncherError: It failed, and the program may not be the reason.
    """
    row = LANGUAGES[language]
    main, file = main_class(code) if language == "java" else ("", "")
    source = f"{file}.java" if language == "java" else row.source
    commands = [_filled(command, language, source, folder) for command in row.build]
    built = _built(launcher, code, source, commands, row.output, room_of(language, limits))
    return replace(built, main=main)


def room_of(language: str, limits: Limits) -> Room:
    """Return the compiler's resources for a program in a language with these limits."""
    row = LANGUAGES[language]
    memory = limits.memory + (row.compiler << 20)
    return Room(memory, row.compiled << 20, MAX_PROGRAM, limits.compile_seconds)


def prelude(launcher: Launcher, language: str) -> str:
    """The folder that holds the language's precompiled header, which is made on first use.

    It is kept in the user's cache folder for the next process. Empty where it cannot be made: programs
    compile without it, only slower.
    """
    header, command = LANGUAGES[language].prelude or ("", ())
    filled = _filled(command, language, "", "")
    said = "\n".join([toolchain(language).version, *filled])
    folder = hashlib.sha256(said.encode()).hexdigest()[:16]

    def made() -> bytes | None:
        text = f"#include <{header}>\n"
        found = _built(launcher, text, LANGUAGES[language].source, [filled], "out", _PRELUDE)
        return found.content if found.failed is None else None

    kept = kept_file(f"{folder}/{header}.gch", made)
    return "" if kept is None else str(kept).removesuffix(f"/{header}.gch")


def _filled(command: Sequence[str], language: str, source: str, folder: str) -> list[str]:
    executable = toolchain(language).executable
    known = {"tool": executable, "source": source, "prelude": folder, "bin": os.path.dirname(executable)}
    parts = [part for part in command if folder or "{prelude}" not in part]
    return [part.format(work="{work}", memory="{memory}", main="{main}", **known) for part in parts]


def task_of(room: Room) -> dict[str, Any]:
    """Return the launcher's task for a compiler; see `jail.launcher`."""
    return {
        "mode": "build",
        "profile": "build",
        "cpu": math.ceil(room.seconds),
        "memory": _WRITABLE,
        "address_space": False,
        "metered": room.memory,
        "stack": 64 << 20,
        "file_size": room.file_size,
        "files_size": room.files,
        "texts": 0,
        "env": ENVIRONMENT,
    }


def _built(
    launcher: Launcher, code: str, source: str, commands: list[list[str]], output: str, room: Room
) -> Built:
    limits = Limits(room.seconds, room.memory, _SAID, _WALL_FACTOR * room.seconds + 1.0)
    task = {**task_of(room), "files": [source], "argv": commands, "output": output}
    with descriptors() as held:
        errors_read, errors_write = held.pipe()
        made = held.memory()
        text = held.text(code.encode("utf-8", "replace"))
        theirs = [held.nothing()[0], errors_write, errors_write, text, made]
        watch = Watch(launcher)
        child = watch.start(task, theirs, [errors_read], limits)
        held.close_theirs()
        watch.wait()
        errors = bytes(child.readers[errors_read])
        why = _failure(watch, child, errors, room)
        if why is not None:
            return Built(failed=Run(Cause.COMPILE_ERROR, errors=errors, detail=why))
        size = os.fstat(made).st_size
        if size > room.made:
            why = f"the compiled program has {size >> 20} MiB of at most {room.made >> 20}"
            return Built(failed=Run(Cause.COMPILE_ERROR, detail=why))
        return Built(os.pread(made, size, 0))


def _failure(watch: Watch, child: Child, errors: bytes, room: Room) -> str | None:
    """Why nothing was compiled, by the program's fault; "" where the compiler's words say it.

    Raises:
        LauncherError: The compiler was ended by somebody else, or waited: a program cannot do that.
    """
    ended: dict[str, Any] = child.ended or {}
    if watch.cause is None and not ended["begun"]:
        outcome(watch, child, errors)  # which raises
    status = os.waitstatus_to_exitcode(ended["status"])
    if watch.cause is Cause.CPU_TIME or (
        watch.cause is None and (status == COMPILER_TIME or (status and ended["cpu"] >= room.seconds))
    ):
        return f"the compiler used up its {room.seconds:g} s of processor time"
    if watch.cause is None and ended["burst"]:
        return f"the compiler needs more than its {room.memory >> 20} MiB of memory"
    if watch.cause is Cause.WALL_TIME:
        raise LauncherError(f"the compiler waited for {child.limits.wall_seconds:g} s")
    killed = status in (COMPILER_KILLED, -signal.SIGKILL)
    if watch.cause is None and status and (killed or _HOSTS_TROUBLE.search(errors)):
        raise LauncherError("the compiler was ended, and not by its limits")
    if watch.cause is None and not status:
        return None
    cause, detail = outcome(watch, child, errors)
    if cause in (Cause.COMPILE_ERROR, Cause.OUTPUT_LIMIT):
        return ""
    return f"the compiler: {cause} {detail}".strip()


# Comments, text blocks, strings and characters. What nothing closes goes to the end of the text, or of the
# line: javac refuses it anyhow, and looking for an end once more at each beginning would be quadratic.
_JAVA_NO_CODE = re.compile(
    r"//[^\n]*+"
    r"|/\*(?:.*?\*/|.*+)"
    r'|"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?+'
    r'|"(?:\\.|[^"\\\n])*+"?+'
    r"|'(?:\\.|[^'\\\n])*+'?+",
    re.DOTALL,
)
_JAVA_PACKAGE = re.compile(r"\bpackage\s++([\w.]++)\s*+;")
_JAVA_TOKEN = re.compile(
    r"(?P<marks>[{};]++)|\b(?:(?P<public>public)\b|(?:class|interface|enum|record)\s++(?P<name>\w++)"
    r"|(?P<main>main)\s*+\()"
)


def main_class(code: str) -> tuple[str, str]:
    """The type that holds a Java program's ``main``. Linear in the length of the program.

    Returns:
        Its name with its package, and the name that its file must have: that of a public type.

    >>> main_class("package a; class B {} public class C { static void main(String[] a) {} }")
    ('a.C', 'C')
    """
    text = _JAVA_NO_CODE.sub(" ", code)
    package = _JAVA_PACKAGE.search(text)
    last = holder = public = ""
    depth, is_public = 0, False
    for token in _JAVA_TOKEN.finditer(text):
        if marks := token["marks"]:
            depth += marks.count("{") - marks.count("}")
            is_public = False  # what is public began after the last of them
        elif token["public"]:
            is_public = True
        elif name := token["name"]:
            if depth == 0:
                last = name
                public = public or (name if is_public else "")
            is_public = False
        elif depth == 1 and last and not holder:
            holder = last
    holder = holder or public or last or "Main"
    return (f"{package[1]}.{holder}" if package else holder), public or holder
