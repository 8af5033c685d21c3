"""One launcher process, seen from the caller, and the control group of the programs that it starts.

Where somebody has delegated the means to make a group, the kernel charges to it all that the programs make it
hold, buffers, tables and files among it. Where nobody has, as in most containers, limits and a meter bound
the same (`verifiers.code.jail.resources`).

Source: Linux Documentation/admin-guide/cgroup-v2.rst, "Delegation"; systemd's docs/CGROUP_DELEGATION.md.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...errors import VerifierError
from ...runtime.forks import forgets, uninterrupted, whole
from ...runtime.worker_process import temporary_file, temporary_folder
from ..jail.resources import lacking

MOUNT = Path("/sys/fs/cgroup")
PREFIX = "reward-verifiers-"
_SYSTEMD = Path("/run/systemd/system")
_DELEGATED = ("user.delegate", "trusted.delegate")
_TRIES, _PAUSE_SECONDS = 20, 0.02
_numbers = itertools.count()


class ControlGroup:
    """A control group of version 2 that limits memory.

    Args:
        folder: One that exists, is empty, and is ours.

    Raises:
        OSError: It cannot be set up.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.descriptors: list[int] = []
        try:
            with contextlib.suppress(FileNotFoundError):  # a kernel without swap
                _write(folder / "memory.swap.max", "0")
            _write(folder / "memory.oom.group", "1")
            for name, flags in (
                ("cgroup.procs", os.O_WRONLY),
                ("memory.max", os.O_WRONLY),
                ("memory.events", os.O_RDONLY),
            ):
                self.descriptors.append(os.open(folder / name, flags | os.O_CLOEXEC))
        except OSError:
            self.remove()
            raise

    def close(self) -> None:
        """Let go of its files, which a child process has by now."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []

    def remove(self) -> None:
        """Remove it, once its last process is gone."""
        self.close()
        for _ in range(_TRIES):
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(_PAUSE_SECONDS)
            else:
                return


def new_group() -> ControlGroup | None:
    """A control group for programs of this process; None where none that limits memory may be made."""
    above = delegated()
    if above is None:
        return None
    _sweep(above)
    folder = above / f"{PREFIX}{os.getpid()}-{next(_numbers)}"
    try:
        folder.mkdir()
        return ControlGroup(folder)
    except OSError:
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None


def delegated(mount: Path = MOUNT, own: str | None = None) -> Path | None:
    """The nearest folder at or above this process's group in which groups that limit memory may be made.

    Args:
        mount: Mount point of the hierarchy.
        own: This process's group; None to ask the kernel.
    """
    try:
        if own is None:
            lines = Path("/proc/self/cgroup").read_text().splitlines()
            own = next(line.removeprefix("0::") for line in lines if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    for folder in _upwards(mount, own):
        try:
            limited = "memory" in (folder / "cgroup.subtree_control").read_text().split()
        except OSError:
            return None
        if limited and _ours(folder):
            return folder
    return None


def _write(path: Path, text: str) -> None:
    """Write to a file that is there."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _upwards(mount: Path, own: str) -> Iterator[Path]:
    parts = [part for part in own.split("/") if part]
    if ".." not in parts:  # not above what is mounted here
        for count in range(len(parts), -1, -1):
            yield mount.joinpath(*parts[:count])


def _ours(folder: Path) -> bool:
    """Return whether we may make groups in a folder: write access of root does not give it to root."""
    if not all(os.access(path, os.W_OK) for path in (folder, folder / "cgroup.procs")):
        return False
    if os.geteuid() != 0 or not _SYSTEMD.is_dir():
        return True
    for name in _DELEGATED:
        with contextlib.suppress(OSError):
            return os.getxattr(folder, name) == b"1"
    return False


def _sweep(above: Path) -> None:
    """Remove groups of processes that were killed before they could."""
    with contextlib.suppress(OSError):
        for entry in above.glob(f"{PREFIX}*"):
            owner = entry.name.removeprefix(PREFIX).partition("-")[0]
            if not os.path.exists(f"/proc/{owner}"):
                with contextlib.suppress(OSError):
                    entry.rmdir()


START_SECONDS = 60.0
"""A launcher that is not ready by then cannot be started. It takes 0.1 s, more on a loaded machine."""
ANSWER_SECONDS = 30.0
"""Most seconds for a launcher to fork a program, or to report the end of one that was killed."""
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
        at_once: Number of launchers that run programs at the same time.

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

        def begin() -> None:
            with whole():
                self._begin(reads, modules, at_once)
                forgets(self)

        try:
            uninterrupted(begin)
        except BaseException:
            if hasattr(self, "_process"):
                self.end()
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

    def __del__(self) -> None:
        if hasattr(self, "_process") and self._process.returncode is None:
            self.end()  # an interrupt came between its start and whoever was to keep it

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
