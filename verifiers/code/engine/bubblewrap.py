"""An engine whose walls are bubblewrap's, an audited tool of the system, and a process for each run.

For those who may run foreign programs only behind such a tool, and as a second opinion on our own sandbox.
Source: https://github.com/containers/bubblewrap
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ...runtime.pool import available_cores
from ..jail import filters
from ..jail.world import PROFILES
from .program_languages import python_paths, toolchain
from .protocol import Job
from .run_code import Answer, LinkError
from .sandbox_fusion import SandboxFusion

_INSTALL = "apt-get install bubblewrap"
_COMMANDS = {
    "python": lambda tool: [tool, "-I", "-S", "-B", "main"],
    "javascript": lambda tool: [tool, "main"],
}
"""Languages that need no compiler and no processes: language -> how its tool runs the file."""
_PROFILES = {"python": "native", "javascript": "runtime"}
_ROOT = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32")
_KEPT = 4 << 20
"""Bytes of an output that are read; a program that prints more is ended."""
_MOST_FILES = 64 << 20


class Bubblewrap(SandboxFusion):
    """Runs programs with ``bwrap``: no network, no other processes, nothing of the host to write to.

    Calls run as they do on a server. Tests that are code and languages with a compiler are `unavailable`.
    Limits are those of `prlimit`, and system calls are filtered as in our own sandbox, so that a program has
    no processes; but nothing counts what the kernel holds for it.
    """

    isolation = "bubblewrap"

    def __init__(self) -> None:
        super().__init__("http://bwrap.invalid", concurrency=available_cores(), retries=0)

    @contextmanager
    def _link(self) -> Iterator[Any]:
        yield _Local()

    def _cannot(self, job: Job) -> str:
        if shutil.which("bwrap") is None or shutil.which("prlimit") is None:
            return f"bwrap and prlimit are not installed; {_INSTALL} util-linux"
        if job.script is not None:
            return "tests that are code need two sandboxes that speak with each other; leave out engine="
        if job.language not in _COMMANDS:
            return f"engine='bwrap' runs {', '.join(_COMMANDS)}; got {job.language}"
        return toolchain(job.language).missing


class _Local:
    """Substitute for the connection to a server."""

    def ask(self, body: Mapping[str, Any], patience: float) -> Answer:
        """Run one program.

        Args:
            body: As for ``/run_code``.
            patience: Not used: what runs here is not waited for.
        """
        language = {"nodejs": "javascript"}.get(body["language"], body["language"])
        seconds, memory = float(body["run_timeout"]), int(body["memory_limit_MB"]) << 20
        tool = sys.executable if language == "python" else toolchain(language).executable
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "main")
            with open(source, "wb") as file:
                file.write(body["code"].encode("utf-8", "surrogatepass"))
            limits = ["prlimit", f"--cpu={int(seconds) + 1}", f"--fsize={_MOST_FILES}", "--core=0"]
            if language == "python":
                limits.append(f"--as={memory + (64 << 20)}")
            with _calls_filter(_PROFILES[language]) as calls:
                walls = _walls(source, calls)
                command = [*limits, *walls, *_COMMANDS[language](os.path.realpath(tool))]
                return _ran(command, calls, body["stdin"].encode("utf-8", "surrogatepass"), seconds)


@contextmanager
def _calls_filter(profile: str) -> Iterator[int]:
    """A file with the filter of system calls for programs of a profile."""
    rules = replace(PROFILES[profile], metadata=True, signals=True, truncation=True)
    descriptor = os.memfd_create("calls")
    try:
        os.write(descriptor, filters.build(os.uname().machine, rules))
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def _walls(source: str, calls: int) -> list[str]:
    read = {*_ROOT, *python_paths(), os.path.dirname(os.path.realpath(sys.executable))}
    bound = [word for path in sorted(read) if os.path.exists(path) for word in ("--ro-bind", path, path)]
    return [
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *bound,
        *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),  # noqa: S108  (of the sandbox)
        *("--ro-bind", source, "/tmp/main", "--chdir", "/tmp"),  # noqa: S108
        *("--setenv", "PYTHONHASHSEED", "0", "--seccomp", str(calls), "--"),
    ]


def _ran(command: list[str], calls: int, given: bytes, seconds: float) -> Answer:
    started = time.monotonic()
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=[calls])
    except OSError as error:
        raise LinkError(f"bwrap cannot be started: {error}") from error
    outputs: dict[str, bytes] = {}

    def read(name: str, stream: Any) -> None:
        outputs[name] = stream.read(_KEPT)
        if len(outputs[name]) == _KEPT:
            process.kill()

    def write() -> None:
        try:
            with process.stdin:  # type: ignore[union-attr]
                process.stdin.write(given)  # type: ignore[union-attr]
        except OSError:
            return

    threads = [
        threading.Thread(target=read, args=("output", process.stdout), daemon=True),
        threading.Thread(target=read, args=("errors", process.stderr), daemon=True),
        threading.Thread(target=write, daemon=True),
    ]
    for thread in threads:
        thread.start()
    timed_out = False
    try:
        process.wait(3 * seconds + 1)
    except subprocess.TimeoutExpired:
        timed_out = True
        process.kill()
        process.wait()
    for thread in threads:
        thread.join()
    for stream in (process.stdout, process.stderr):
        stream.close()  # type: ignore[union-attr]
    errors = outputs["errors"].decode("utf-8", "backslashreplace")
    if errors.startswith("bwrap: "):
        raise LinkError(errors[:300].strip())
    # A program that bwrap waits for ends with 128 and the number of its signal.
    over = process.returncode in (128 + 24, 128 + 9, -24)
    return Answer(
        status=process.returncode,
        output=outputs["output"].decode("utf-8", "replace"),
        errors=errors,
        timed_out=timed_out or over,
        seconds=time.monotonic() - started,
    )


BWRAP = Bubblewrap()
"""The engine that ``engine="bwrap"`` stands for."""
