"""The worker process, which `verifiers.runtime.pool` starts by ``python -m`` and this module.

It reads tasks from standard input and answers on standard output; what libraries print goes nowhere.
Each message is a kind (one byte), a length (eight bytes) and a body. Tasks are pickles, written by the
parent; answers are JSON or bytes, never pickles, so that a worker that was subverted by its input
cannot run code in the parent.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pickle
import select
import signal
import struct
import sys
from typing import Any, BinaryIO

from .packages import uncollected

HEADER = struct.Struct("<cQ")
JSON, BYTES, PICKLE, ERROR, MEMORY = b"J", b"B", b"P", b"E", b"M"
FORK_TIME, FORK_MEMORY, FORK_DEATH = b"t", b"m", b"d"
"""Outcomes of a fork that gave no answer; the worker itself is as it was."""


def echo(value: Any) -> Any:
    """The value: what a canary asks for."""
    return value


def load(module: str) -> int:
    """Import a module ahead of the first task that needs it, and let it warm up: no task pays for that."""
    loaded = uncollected(importlib.import_module, module)
    uncollected(getattr(loaded, "warm_up", lambda: None))
    gc.freeze()  # forks share what is there as long as nobody touches it
    return 0


def _serve() -> None:
    """Answer tasks until the parent closes the pipe."""
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
    # After everything else: the caller's modules are found, and shadow nothing.
    sys.path.extend(entry for entry in search_path if entry not in sys.path)
    if memory is not None:
        _limit_memory(memory)
    _reply(results, JSON, b"0")
    os.dup2(null, 1)
    os.dup2(null, 2)
    while (task := _read_task(tasks)) is not None:
        _reply(results, *_done(task, tasks))


def _done(task: bytes, tasks: BinaryIO) -> tuple[bytes, bytes]:
    """Run a task, and return its outcome as kind and body."""
    try:
        function, arguments, cpu_seconds, fork = pickle.loads(task)  # noqa: S301
        if fork and hasattr(os, "fork"):
            return _done_in_fork(pickle.dumps((function, arguments, cpu_seconds, False)), tasks)
        limit_cpu(cpu_seconds)
        value = _find(function)(*arguments)
        if isinstance(value, bytes):
            return BYTES, value
        return JSON, json.dumps(value).encode()
    except MemoryError:
        return MEMORY, b""
    except BaseException as error:
        return ERROR, f"{type(error).__name__}: {error}"[:1000].encode("utf-8", "replace")
    finally:
        limit_cpu(None)


def _done_in_fork(task: bytes, tasks: BinaryIO) -> tuple[bytes, bytes]:
    """The same in a child of this process: what is ended costs no new worker, and no task leaves a trace."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        # Whatever happens here, the loop above must not go on in a second process.
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                _reply(pipe, *_done(task, tasks))
        finally:
            os._exit(0)
    os.close(writing)
    answer = _answer(reading, tasks)
    if answer is None:
        os.kill(child, signal.SIGKILL)  # nobody waits for it
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if len(answer) >= HEADER.size:
        kind, length = HEADER.unpack(answer[: HEADER.size])
        if len(answer) == HEADER.size + length:
            return FORK_MEMORY if kind == MEMORY else kind, answer[HEADER.size :]
    if status == -signal.SIGPROF:
        return FORK_TIME, b""
    name = f"signal {-status}" if status < 0 else f"exit status {status}"
    return FORK_DEATH, name.encode()


def _answer(reading: int, tasks: BinaryIO) -> bytes | None:
    """All that a fork writes; None when the parent of this process is gone."""
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    poll.register(tasks.fileno(), 0)  # it only hangs up
    chunks: list[bytes] = []
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if reading not in ready:
                return None
            chunk = pipe.read(1 << 20)
            if not chunk:
                return b"".join(chunks)
            chunks.append(chunk)


def _read_task(tasks: BinaryIO) -> bytes | None:
    header = tasks.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    _, length = HEADER.unpack(header)
    body = tasks.read(length)
    return body if len(body) == length else None


def _reply(results: BinaryIO, kind: bytes, body: bytes) -> None:
    results.write(HEADER.pack(kind, len(body)) + body)
    results.flush()


def limit_cpu(seconds: float | None) -> None:
    """Let the kernel end this process after so much more processor time, whatever holds the GIL.

    A task may call it for itself, where it finds that it deserves more than it was given.

    Args:
        seconds: From now on; None for no limit.
    """
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
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


if __name__ == "__main__":
    _serve()
