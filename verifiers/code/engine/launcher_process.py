"""One launcher process, seen from the caller."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import VerifierError
from ...runtime.control_groups import new_group
from ...runtime.forks import forgets, whole
from ...runtime.scratch import temporary_file, temporary_folder
from ..jail.resources import lacking

START_SECONDS = 60.0
"""A launcher that is not ready by then cannot be started. It takes 0.1 s, more on a loaded machine."""
ANSWER_SECONDS = 30.0
"""How long a launcher may take to fork a program, or to report the end of one that was killed."""
_MAX_MESSAGE = 1 << 16
_SEALS = 0x1 | 0x2 | 0x4 | 0x8  # F_SEAL_SEAL, SHRINK, GROW, WRITE
_ADD_SEALS = 1033
_BOOT = (
    "import sys; sys.path.insert(0, {!r}); from jail.launcher import main; del sys.path[0]; sys.exit(main())"
)


class LauncherError(VerifierError, RuntimeError):
    """A launcher could not be started, or does not do its work."""


class HostLimitError(LauncherError):
    """This process, and all that it starts, is limited to less than programs are promised."""


class Launcher:
    """A launcher process and the socket to it. Used by one thread at a time.

    Args:
        tier: "full", "unprivileged" or "none".
        reads: Paths that programs may read.
        modules: Third-party modules that are loaded before programs start.
        at_once: How many launchers run programs at the same time.

    Raises:
        LauncherError: It cannot be started here.
        HostLimitError: It could not give programs what they are promised.
    """

    def __init__(
        self, tier: str, reads: Sequence[str], modules: Sequence[str] = (), at_once: int = 1
    ) -> None:
        self.tier = tier
        self.programs: set[int] = set()  # process ids of those that run
        self._runs = 0
        self._held = contextlib.ExitStack()  # what is to be let go of, however far the start gets
        try:
            with whole():
                self._begin(reads, modules, at_once)
                forgets(self)
        except BaseException:
            self._held.close()
            raise
        try:
            self._socket.settimeout(START_SECONDS)
            greeting = self.receive()
            self._socket.settimeout(ANSWER_SECONDS)
        except LauncherError as error:
            said = self.said()
            self.end()
            raise LauncherError(f"{error} {said}".strip()) from None
        except BaseException:
            self.end()
            raise
        if "failed" in greeting:
            self.end()
            raise LauncherError(greeting["failed"])
        if self._group:
            self._group.close()
        self.facts: dict[str, Any] = {**greeting["ready"], "control_group": self._group is not None}

    def _begin(self, reads: Sequence[str], modules: Sequence[str], at_once: int) -> None:
        """Start the process."""
        tier, held = self.tier, self._held
        if short := lacking({}):
            raise HostLimitError(short)
        try:
            self.scratch = None if tier == "full" else temporary_folder()
        except OSError as error:
            raise LauncherError(f"programs need a folder to start in: {error}") from error
        if self.scratch:
            held.callback(shutil.rmtree, self.scratch, ignore_errors=True)
        self._group = None if tier == "none" else new_group()
        if self._group:
            held.callback(self._group.remove)
        group = self._group.descriptors if self._group else []
        self._log = held.enter_context(temporary_file())
        self._socket, theirs = map(
            held.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        )
        config = {
            "tier": tier,
            "read": list(reads),
            "scratch": self.scratch,
            "preload": list(modules),
            "at_once": at_once,
            # As they are named in the sandbox, where what a link stands for is there, but not the link.
            "path": [os.path.realpath(path) for path in sys.path if path] if modules else [],
            "group": group,
        }
        code = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the folder that holds `jail`
        command = [_interpreter(), "-P", "-s", "-S", "-B", "-c", _BOOT.format(code)]
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [*command, str(theirs.fileno()), json.dumps(config)],
                    stdin=subprocess.DEVNULL,
                    stdout=self._log,
                    stderr=self._log,
                    cwd="/",
                    # The hash seed is fixed, so that a program's sets have one order on every run.
                    env={"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                    pass_fds=[theirs.fileno(), *group],
                    start_new_session=True,
                )
        except OSError as error:
            raise LauncherError(f"cannot start {command[0]}: {error}") from error

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def fileno(self) -> int:
        """The descriptor of the socket."""
        return self._socket.fileno()

    def start(self, task: dict[str, Any], descriptors: Sequence[int]) -> int:
        """Fork a program; its number in later messages."""
        self._runs += 1
        try:
            socket.send_fds(
                self._socket, [json.dumps({"run": self._runs, **task}).encode()], list(descriptors)
            )
        except OSError as error:
            raise LauncherError(f"the launcher is gone ({error})") from error
        return self._runs

    def kill(self) -> None:
        """Have it end its programs and itself; whoever waits for a message of it is told."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def kill_run(self, run: int) -> None:
        """End a program; the message that it ended follows."""
        with contextlib.suppress(OSError):
            self._socket.sendall(json.dumps({"kill": run}).encode())

    def kill_last(self) -> None:
        """End the program that was started last, if it still runs. From any thread."""
        self.kill_run(self._runs)

    def receive(self) -> dict[str, Any]:
        """The next message."""
        try:
            message = self._socket.recv(_MAX_MESSAGE)
        except OSError as error:
            raise LauncherError(f"the launcher does not answer ({error})") from error
        if not message:
            raise LauncherError("the launcher ended")
        answer: dict[str, Any] = json.loads(message)
        return answer

    def said(self) -> str:
        """The last line that it, or a program whose walls could not be put up, wrote to its log."""
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - 4000))
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def end(self) -> None:
        """Kill it and wait for it; programs die with it."""
        if self._process.poll() is None:
            # Closing the socket lets it end its programs first, and clean up after them.
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            try:
                self._process.wait(1.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(ANSWER_SECONDS)
        for program in self.programs:
            # It was killed itself, and a family of processes outlives that where it has no namespace.
            with contextlib.suppress(OSError):
                os.killpg(program, signal.SIGKILL)
        self._held.close()

    def after_fork(self) -> None:
        """In a forked child: let go of what belongs to the parent."""
        self._socket.close()
        self._log.close()
        self._process.returncode = 0


def sealed(content: bytes) -> int:
    """A memory file that can no longer be changed, read from its start."""
    descriptor = os.memfd_create("data", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(content)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError as error:
        os.close(descriptor)
        raise HostLimitError(f"this process cannot hand over {len(content)} bytes: {error}") from None
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, _ADD_SEALS, _SEALS)
    return descriptor


def _interpreter() -> str:
    """The interpreter itself, not its entry in a virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


class Descriptors:
    """The descriptors of one run: those that the child gets, and those that we keep."""

    def __init__(self) -> None:
        self.theirs: list[int] = []
        self.ours: list[int] = []

    def pipe(self) -> tuple[int, int]:
        """A pipe: we read, the child writes."""
        read, write = os.pipe2(os.O_CLOEXEC)
        os.fchmod(write, 0o622)  # so that another user may open /dev/stdout
        self.ours.append(read)
        self.theirs.append(write)
        return read, write

    def memory(self) -> int:
        """A file in memory that the child writes and we read."""
        self.ours.append(os.memfd_create("made", os.MFD_CLOEXEC))
        return self.ours[-1]

    def text(self, content: bytes) -> int:
        """A file that the child reads.

        Raises:
            HostLimitError: This process may not write it.
        """
        self.theirs.append(sealed(content))
        return self.theirs[-1]

    def nothing(self) -> list[int]:
        """Standard input, output and error of a program whose values matter and not what it prints."""
        self.theirs += [os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)]
        return [self.theirs[-1]] * 3

    def close_theirs(self) -> None:
        """Close our copies of what the child has by now, so that its end is the end of the pipe."""
        closed = set(self.theirs)
        for descriptor in closed:
            os.close(descriptor)
        self.ours = [descriptor for descriptor in self.ours if descriptor not in closed]
        self.theirs = []

    def close(self) -> None:
        """Close everything."""
        self.close_theirs()
        for descriptor in self.ours:
            os.close(descriptor)


@contextlib.contextmanager
def descriptors() -> Iterator[Descriptors]:
    """Descriptors that are closed at the end, whatever happens."""
    held = Descriptors()
    try:
        yield held
    finally:
        held.close()
