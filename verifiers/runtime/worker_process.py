"""One worker process, seen from the parent: started, asked with a deadline, ended; and its folders and files.

Temporary folders and files are found also where nearly everything is read-only.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import re
import select
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..errors import VerifierError
from . import worker as wire
from .forks import forgets, uninterrupted, whole

_SHARED_MEMORY = "/dev/shm"  # noqa: S108


def temporary_parent() -> str:
    """Return the parent of temporary folders: that of `tempfile`, or shared memory if none of it is writable.

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
    """Return whether only this user and root can have written a file, or can write into a folder."""
    found = path.stat()
    return found.st_uid in (0, os.geteuid()) and not found.st_mode & 0o022


def kept_file(name: str, make: Callable[[], bytes | None]) -> Path | None:
    """A file in the user's cache folder, which is made once, for later processes too.

    Args:
        name: Its path in our folder there.
        make: Its content; None where it cannot be made.

    Returns:
        None where it cannot be made, or not be kept so that nobody else can write it.
    """
    try:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reward-verifiers"
    except RuntimeError:  # a user without a home
        return None
    target = root / name
    folders = [root, *reversed([each for each in target.parents if root in each.parents])]
    try:
        for each in folders:
            each.mkdir(parents=True, exist_ok=True)
            if each.stat().st_uid == os.geteuid():
                each.chmod(0o755)  # whatever the umask is: what lies there is run
        if not all(nobody_elses(each) for each in (*folders, target) if each.exists()):
            return None
        if not target.exists():
            content = make()
            if content is None:
                return None
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
                file.write(content)
                os.fchmod(file.fileno(), 0o644)
            os.replace(file.name, target)  # whole or not at all, even if another process makes it too
    except OSError:
        return None
    return target


def temporary_file() -> IO[bytes]:
    """A file without a name, and without a buffer: in memory, where the system has that."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("reward-verifiers", os.MFD_CLOEXEC), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)


def executes(folder: str) -> bool:
    """Return whether files in a folder can be executed: a file system may be mounted without that."""
    return not os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0)


PASSED = "REWARD_VERIFIERS_PASS"
"""The variable that names secrets which functions in workers need, with spaces or commas between them."""
_SECRET = re.compile(
    r"(?:KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE)(?:_|$)"
    r"|(?:^|_)(?:AUTH|PASS|PAT|DSN)(?:_|$)|_PWD$",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"://[^/@\s]*:[^/@\s]*@")
"""A user and a password in an address, as proxies and data bases have them."""
IN_WORKER = "REWARD_VERIFIERS_WORKER"
"""Set in worker processes, of which there is one for each core: what they start should not multiply that."""
START_SECONDS = 60.0
"""A child that has not greeted by then cannot be started. It takes 0.2 s, more on a loaded machine."""
CLOSE_SECONDS = 5.0
"""Most seconds for the kernel to reap a killed child."""
NOT_SENT = "not_sent"
"""The reason of an outcome whose task could not be handed over."""
_NO_TIME = "the task used up its processor time"
_NO_MEMORY = "the task needs more memory than a worker has"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a task.

    Args:
        ok: The task returned `value`.
        value: JSON data or bytes.
        reason: Otherwise: "cpu_time", "wall_time", "memory", "crash" or "exception"; "not_sent" where the
            arguments cannot be pickled; or "worker" when no worker can be started or none works any more.
        detail: One sentence for a person.
        by_task: The task brought it about: it was begun, and a fresh worker and a canary in it are in good
            health.
    """

    ok: bool
    value: Any = None
    reason: str = ""
    detail: str = ""
    by_task: bool = True


class WorkerError(VerifierError, RuntimeError):
    """A worker process could not be started."""


class DeathError(Exception):
    """A worker process ended, or was still at work at its deadline: why, as an `Outcome` names it."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class WorkerProcess:
    """One child process and the two pipes to it.

    Args:
        memory: Its address space, in bytes; None for no limit.
        secrets: Whether it gets the variables that hold keys.
    """

    def __init__(self, memory: int | None, *, secrets: bool = False) -> None:
        self.loaded: set[str] = set()  # modules that tasks may use without paying for their import
        command = [sys.executable, "-P", "-m", "reward_verifiers.verifiers.runtime.worker"]
        left: list[Callable[[], object]] = []  # what is called here, or when an interrupt has let go of this
        try:

            def start() -> None:
                try:
                    empty = temporary_folder()
                    left.append(weakref.finalize(self, shutil.rmtree, empty, ignore_errors=True))
                    self._log = temporary_file()
                    left.append(weakref.finalize(self, self._log.close))
                except OSError as error:
                    raise WorkerError(f"a worker process needs an empty folder: {error}") from error
                with whole():
                    self._process = subprocess.Popen(
                        command,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=self._log,
                        bufsize=0,  # a buffer has a lock, which a thread holds that closes it
                        cwd=empty,
                        env=_child_environment(secrets=secrets),
                        start_new_session=True,  # so that it can be killed with its forks
                    )
                    forgets(self)

            try:
                uninterrupted(start)
                # Both are pipes, so neither is None.
                self._input: Any = self._process.stdin
                self._output: int = self._process.stdout.fileno()  # type: ignore[union-attr]
                setup = pickle.dumps((memory, [os.path.abspath(entry) for entry in sys.path]))
                self._send(wire.PICKLE, setup, None)
                self._receive(time.monotonic() + START_SECONDS)
            except DeathError as death:
                self.end()
                self._log.seek(0)
                said = self._log.read(2000).decode("utf-8", "replace").strip().splitlines()
                raise WorkerError(
                    f"a worker process ended while it started ({death.detail}): {said[-1] if said else ''}"
                ) from None
            except BaseException as error:  # an interrupt as well
                if hasattr(self, "_process"):
                    self.end()
                if isinstance(error, OSError):
                    raise WorkerError(f"cannot start {' '.join(command)}: {error}") from error
                raise
        finally:
            for each in left:
                each()
        # The child sits in a folder that no longer exists, so nothing can be written or shadowed there.

    def ask(self, payload: bytes, wall_seconds: float | None) -> Outcome:
        deadline = None if wall_seconds is None else time.monotonic() + wall_seconds
        self._send(wire.PICKLE, payload, deadline)
        kind, body = self._receive(deadline)
        if kind == wire.JSON:
            try:
                return Outcome(True, json.loads(body))
            except (ValueError, RecursionError) as error:
                said = f"its answer cannot be read: {type(error).__name__}: {error}"
                return Outcome(False, None, "exception", said[:1000], by_task=False)
        if kind == wire.BYTES:
            return Outcome(True, body)
        if kind == wire.MEMORY:
            raise DeathError("memory", _NO_MEMORY)
        if kind == wire.FORK_MEMORY:
            return Outcome(False, None, "memory", _NO_MEMORY)
        if kind == wire.FORK_TIME:
            return Outcome(False, None, "cpu_time", _NO_TIME)
        if kind == wire.FORK_DEATH:
            raise DeathError("crash", f"the task's process ended with {body.decode()}")
        return Outcome(False, None, "exception", body.decode("utf-8", "replace"), by_task=False)

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the child and its forks; whoever waits for an answer of it is told."""
        if self._process.poll() is None and hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def end(self) -> None:
        """Kill the child, wait for it, close the pipes."""
        self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSE_SECONDS)
        self.abandon()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.end()  # an interrupt may have come between its start and whoever was to keep it

    def after_fork(self) -> None:
        """In a forked child: let go of what belongs to the parent."""
        self.abandon()

    def abandon(self) -> None:
        """Close the pipes, and leave the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        # Popen would otherwise warn that its child, which is not ours after a fork, still runs.
        if self._process.returncode is None:
            self._process.returncode = 0

    def _send(self, kind: bytes, body: bytes, deadline: float | None) -> None:
        fd = self._input.fileno()
        os.set_blocking(fd, False)
        view = memoryview(wire.HEADER.pack(kind, len(body)) + body)
        while view:
            self._wait(fd, select.POLLOUT, deadline)
            try:
                view = view[os.write(fd, view) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._death() from None

    def _receive(self, deadline: float | None) -> tuple[bytes, bytes]:
        kind, length = wire.HEADER.unpack(self._read(wire.HEADER.size, deadline))
        return kind, self._read(length, deadline)

    def _read(self, length: int, deadline: float | None) -> bytes:
        chunks: list[bytes] = []
        while length:
            self._wait(self._output, select.POLLIN, deadline)
            chunk = os.read(self._output, min(length, 1 << 20))
            if not chunk:
                raise self._death()
            chunks.append(chunk)
            length -= len(chunk)
        return b"".join(chunks)

    def _wait(self, fd: int, event: int, deadline: float | None) -> None:
        poll = select.poll()
        poll.register(fd, event)
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if poll.poll(None if left is None else left * 1000):
                return
            if left == 0.0:
                raise DeathError("wall_time", "the task was still running at its wall-clock limit")

    def _death(self) -> DeathError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSE_SECONDS)
        status = self._process.returncode
        if status == -signal.SIGPROF:
            return DeathError("cpu_time", _NO_TIME)
        name = f"signal {-status}" if status is not None and status < 0 else f"exit status {status}"
        return DeathError("crash", f"the worker process ended with {name}")


def is_secret(name: str, value: str = "") -> bool:
    """Return whether a variable holds a key, a password or the like, by its name or by a login in its value.

    >>> [each for each in ("OPENAI_API_KEY", "HF_TOKEN", "PATH", "TOKENIZERS_PARALLELISM") if is_secret(each)]
    ['OPENAI_API_KEY', 'HF_TOKEN']
    >>> is_secret("https_proxy", "http://me:word@proxy:3128"), is_secret("https_proxy", "http://proxy:3128")
    (True, False)
    """
    return bool(_SECRET.search(name) or _LOGIN.search(value))


def reaches_workers(name: str) -> bool:
    """Return whether functions that run in workers see a variable as this process has it."""
    passed = {PASSED, *re.split(r"[\s,]+", os.environ.get(PASSED, ""))}
    return name in passed or not is_secret(name, os.environ.get(name, "")) or name not in os.environ


def _child_environment(*, secrets: bool) -> dict[str, str]:
    """The parent's environment, with this package findable and no accelerator.

    What judges a completion in a worker is hostile text's neighbour, so it gets no secrets, but for those
    that the variable `PASSED` names.
    """
    environment = {name: value for name, value in os.environ.items() if secrets or reaches_workers(name)}
    root = str(Path(__file__).resolve().parents[2])
    # PYTHONPATH goes ahead of the standard library, so installed packages must not be put there.
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    paths = [os.path.abspath(entry) for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry]
    if root not in installed and root not in paths:
        paths.append(root)
    if paths:
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    environment["CUDA_VISIBLE_DEVICES"] = ""
    environment["OMP_NUM_THREADS"] = "1"
    environment["PYTHONHASHSEED"] = "0"  # sets in one order: what sympy finds must not depend on chance
    environment[IN_WORKER] = "1"
    return environment
