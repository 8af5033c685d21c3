"""Killable worker processes, for work that no timer inside a process can bound.

One bigint power holds the GIL for minutes, so neither a thread nor an event loop can stop it, and
signals reach the main thread only. Here a task runs in a child process and the parent keeps the time.

* The child is started by exec of ``python -m verifiers._worker``, never by a plain fork: that is safe
  after CUDA is initialised and with threads, and a user's script needs no ``__main__`` guard.
* Processor time judges a task: the kernel ends the child when a task has used its share. The wall-clock
  limit is several times larger and enforced by the parent; it ends sleepers.
* A task goes to the child as pickle and its result comes back as JSON (or raw bytes), so that a child
  that was subverted by its input cannot run code in the parent.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import select
import struct
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import Any, BinaryIO

from ._errors import ConfigError, VerifierError

CPU_SECONDS = 2.0
"""Processor time of a task. Deciding an ordinary pair of formulas takes a few milliseconds; a slow
simplification takes 0.5 s; what needs more than 2 s has never been decided within 20 s either."""
WALL_FACTOR = 5.0
"""Wall-clock limit as a multiple of the processor time, so that a loaded machine judges nobody."""
MEMORY_BYTES = 2 << 30
"""Address space of a child. Sympy with its parser takes 0.3 GB."""
START_SECONDS = 60.0
"""A child that has not greeted by then cannot be started. It takes 0.2 s, more on a loaded machine."""
CLOSE_SECONDS = 5.0
"""How long the kernel may take to reap a killed child."""

_HEADER = struct.Struct("<cQ")
_JSON, _BYTES, _PICKLE, _ERROR, _MEMORY = b"J", b"B", b"P", b"E", b"M"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task.

    Args:
        ok: The task returned `value`.
        value: JSON data or bytes.
        reason: Otherwise: "cpu_time", "wall_time", "memory", "crash" or "exception"; or "worker" when
            no worker can be started or none works any more.
        detail: One sentence for a person.
        by_task: The task brought it about: a fresh worker and a canary in it are in good health.
    """

    ok: bool
    value: Any = None
    reason: str = ""
    detail: str = ""
    by_task: bool = True


class WorkerError(VerifierError, RuntimeError):
    """A worker process could not be started."""


class _DeathError(Exception):
    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class WorkerPool:
    """A pool of child processes, started when they are needed and kept warm.

    Usable from any thread; after a fork the child process gets an empty pool of its own.

    Args:
        size: Most processes at a time; None for one per core that this process may use.
        memory: Address space of each child, in bytes; None for no limit.
    """

    def __init__(self, size: int | None = None, *, memory: int | None = MEMORY_BYTES) -> None:
        if size is not None and size < 1:
            raise ConfigError(f"WorkerPool: size must be at least 1, got {size}")
        self.size = size or available_cores()
        self.memory = memory
        self._reset()
        _POOLS.append(self)

    def run(
        self,
        function: str,
        arguments: tuple[Any, ...],
        *,
        cpu_seconds: float | None = CPU_SECONDS,
        wall_seconds: float | None = None,
    ) -> Outcome:
        """Run a function in a worker and wait for what becomes of it.

        Args:
            function: Import path, ``"package.module:name"``. It returns JSON data or bytes.
            arguments: Anything that pickles.
            cpu_seconds: Processor time that the task may use; None for no limit.
            wall_seconds: Time that it may take; None for `WALL_FACTOR` times `cpu_seconds`.

        Raises:
            ConfigError: The arguments cannot be pickled.
        """
        try:
            payload = pickle.dumps((function, arguments, cpu_seconds), protocol=pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ConfigError(
                f"{function}: its arguments cannot be sent to a worker process ({error}); "
                "define functions and classes at the top level of a module"
            ) from error
        if wall_seconds is None and cpu_seconds is not None:
            wall_seconds = WALL_FACTOR * cpu_seconds
        outcome = self._attempt(payload, wall_seconds)
        if outcome.ok or outcome.reason in ("exception", "cpu_time", "memory"):
            # The child reported it, or the kernel did by its own accounts: nothing to doubt.
            return outcome
        # A crash, or the wall clock on a machine that may be loaded: once more in a fresh worker.
        again = self._attempt(payload, wall_seconds)
        if again.ok or self._canary():
            return again
        return Outcome(False, None, "worker", f"workers break here: {again.detail}", by_task=False)

    def close(self) -> None:
        """End all idle children and wait for them. The pool stays usable."""
        with self._lock:
            workers = list(self._idle)
            self._idle.clear()
        for worker in workers:
            self._end(worker)

    # ------------------------------------------------------------------------------------------

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._workers: set[_Worker] = set()
        # A task holds one worker, so limiting the tasks limits the workers.
        self._tasks = threading.Semaphore(self.size)

    def _attempt(self, payload: bytes, wall_seconds: float | None) -> Outcome:
        with self._tasks:
            try:
                worker = self._take()
            except WorkerError as error:
                return Outcome(False, None, "worker", str(error), by_task=False)
            try:
                outcome = worker.ask(payload, wall_seconds)
            except _DeathError as death:
                self._end(worker)
                return Outcome(False, None, death.reason, death.detail)
            except BaseException:
                # KeyboardInterrupt in the middle of a task: its answer must not reach the next one.
                self._end(worker)
                raise
            with self._lock:
                self._idle.append(worker)
            return outcome

    def _take(self) -> _Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        worker = _Worker(self.memory)
        with self._lock:
            self._workers.add(worker)
        return worker

    def _end(self, worker: _Worker) -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.end()

    def _canary(self) -> bool:
        answer = self._attempt(pickle.dumps(("verifiers._worker:_echo", ("canary",), None)), START_SECONDS)
        return answer.ok and answer.value == "canary"

    def _forget(self) -> None:
        """In a forked child: close our ends of the pipes, leave the processes to the parent."""
        for worker in self._workers:
            worker.abandon()
        self._reset()


class _Worker:
    """One child process and the two pipes to it."""

    def __init__(self, memory: int | None) -> None:
        with (
            tempfile.TemporaryDirectory(prefix="reward-verifiers-") as empty,
            tempfile.TemporaryFile() as log,
        ):
            command = [sys.executable, "-P", "-m", "verifiers._worker"]
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    cwd=empty,
                    env=_child_environment(),
                )
            except OSError as error:
                raise WorkerError(f"cannot start {' '.join(command)}: {error}") from error
            # Both are pipes, so neither is None.
            self._input: Any = self._process.stdin
            self._output: int = self._process.stdout.fileno()  # type: ignore[union-attr]
            try:
                setup = pickle.dumps((memory, [os.path.abspath(entry) for entry in sys.path]))
                self._send(_PICKLE, setup, None)
                self._receive(time.monotonic() + START_SECONDS)
            except _DeathError as death:
                self.end()
                log.seek(0)
                said = log.read(2000).decode("utf-8", "replace").strip().splitlines()
                raise WorkerError(
                    f"a worker process ended while it started ({death.detail}): {said[-1] if said else ''}"
                ) from None
        # The child sits in a folder that no longer exists, so nothing can be written or shadowed there.

    def ask(self, payload: bytes, wall_seconds: float | None) -> Outcome:
        deadline = None if wall_seconds is None else time.monotonic() + wall_seconds
        self._send(_PICKLE, payload, deadline)
        kind, body = self._receive(deadline)
        if kind == _JSON:
            return Outcome(True, json.loads(body))
        if kind == _BYTES:
            return Outcome(True, body)
        if kind == _MEMORY:
            raise _DeathError("memory", "the task needs more memory than a worker has")
        return Outcome(False, None, "exception", body.decode("utf-8", "replace"), by_task=False)

    def end(self) -> None:
        """Kill the child, wait for it, close the pipes."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSE_SECONDS)
        self.abandon()

    def abandon(self) -> None:
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
        view = memoryview(_HEADER.pack(kind, len(body)) + body)
        while view:
            self._wait(fd, select.POLLOUT, deadline)
            try:
                view = view[os.write(fd, view) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._death() from None

    def _receive(self, deadline: float | None) -> tuple[bytes, bytes]:
        kind, length = _HEADER.unpack(self._read(_HEADER.size, deadline))
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
                raise _DeathError("wall_time", "the task was still running at its wall-clock limit")

    def _death(self) -> _DeathError:
        import signal

        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSE_SECONDS)
        status = self._process.returncode
        if status == -signal.SIGPROF:
            return _DeathError("cpu_time", "the task used up its processor time")
        name = f"signal {-status}" if status is not None and status < 0 else f"exit status {status}"
        return _DeathError("crash", f"the worker process ended with {name}")


def _child_environment() -> dict[str, str]:
    """The parent's environment, with this package findable and no accelerator."""
    environment = dict(os.environ)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # PYTHONPATH goes ahead of the standard library, so installed packages must not be put there.
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    paths = [os.path.abspath(entry) for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry]
    if root not in installed and root not in paths:
        paths.append(root)
    if paths:
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    environment["CUDA_VISIBLE_DEVICES"] = ""
    environment["OMP_NUM_THREADS"] = "1"
    return environment


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


_POOLS: list[WorkerPool] = []
_shared: WorkerPool | None = None
_shared_lock = threading.Lock()


def shared_pool() -> WorkerPool:
    """The pool that all verifiers of this process use."""
    global _shared  # noqa: PLW0603  (one pool per process is the point)
    with _shared_lock:
        if _shared is None:
            _shared = WorkerPool()
        return _shared


def _close_all() -> None:
    for pool in _POOLS:
        for worker in list(pool._workers):  # busy ones too: a thread may be waiting for one
            pool._end(worker)


def _after_fork() -> None:
    global _shared_lock  # noqa: PLW0603
    _shared_lock = threading.Lock()
    for pool in _POOLS:
        pool._forget()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# The child ------------------------------------------------------------------------------------


def _echo(value: Any) -> Any:
    return value


def _serve() -> None:
    """Answer tasks until the parent closes the pipe."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if hasattr(signal, "SIGPROF"):
        # Both are inherited, and the limit on processor time rests on them.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF})
    # What libraries print must not reach the pipe.
    tasks = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    setup = _read_task(tasks)
    if setup is None:
        return
    memory, search_path = pickle.loads(setup)  # noqa: S301  (written by our parent)
    # Behind everything: the caller's modules are found, and shadow nothing.
    sys.path.extend(entry for entry in search_path if entry not in sys.path)
    if memory is not None:
        _limit_memory(memory)
    _reply(results, _JSON, b"0")
    os.dup2(null, 1)
    os.dup2(null, 2)
    while (task := _read_task(tasks)) is not None:
        try:
            function, arguments, cpu_seconds = pickle.loads(task)  # noqa: S301
            _limit_cpu(cpu_seconds)
            value = _find(function)(*arguments)
            if isinstance(value, bytes):
                kind, body = _BYTES, value
            else:
                kind, body = _JSON, json.dumps(value).encode()
        except MemoryError:
            kind, body = _MEMORY, b""
        except BaseException as error:
            kind, body = _ERROR, f"{type(error).__name__}: {error}"[:1000].encode("utf-8", "replace")
        _limit_cpu(None)
        _reply(results, kind, body)


def _read_task(tasks: BinaryIO) -> bytes | None:
    header = tasks.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    _, length = _HEADER.unpack(header)
    body = tasks.read(length)
    return body if len(body) == length else None


def _reply(results: BinaryIO, kind: bytes, body: bytes) -> None:
    results.write(_HEADER.pack(kind, len(body)) + body)
    results.flush()


def _limit_cpu(seconds: float | None) -> None:
    """Let the kernel end this process after so much processor time, whatever holds the GIL."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds or 0.0)


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _find(function: str) -> Any:
    import importlib

    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


if __name__ == "__main__":
    _serve()
