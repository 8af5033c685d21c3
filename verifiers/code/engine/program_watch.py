"""The watch over programs that run: their output, their time, and why they ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..jail.guest import COMPILE_ERROR
from .launcher_process import ANSWER_SECONDS, Launcher, LauncherError
from .protocol import Cause, Limits

_CHUNK = 1 << 16
_SEALS = 0x1 | 0x2 | 0x4 | 0x8  # F_SEAL_SEAL, SHRINK, GROW, WRITE
_ADD_SEALS = 1033
_OUT_OF_MEMORY = (
    b"MemoryError",
    b"std::bad_alloc",
    b"OutOfMemoryError",
    b"out of memory",
    b"memory allocation of",
    b"nsufficient memory",
    b"annot allocate memory",
    b"Not enough space",
)


@dataclass
class Child:
    """A program that runs.

    Args:
        run: Its number.
        readers: Descriptor that it writes to -> what came so far.
        limits: What it may use until `Watch.mark` is called, and then again.
    """

    run: int
    readers: dict[int, bytearray]
    limits: Limits
    pid: int = 0
    used: float = 0.0
    ended: dict[str, Any] | None = None


class Watch:
    """Waits for programs of one launcher, reads what they write, and keeps their time."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._poll = select.poll()
        self._poll.register(launcher.fileno(), select.POLLIN)
        self._owners: dict[int, Child] = {}
        self.children: list[Child] = []
        self.cause: Cause | None = None
        self._marked = time.monotonic()
        self._killed_at: float | None = None

    def start(
        self, task: dict[str, Any], descriptors: Sequence[int], readers: Iterable[int], limits: Limits
    ) -> Child:
        """Fork a program, which gets the descriptors, and read from `readers`."""
        number = self._launcher.start(task, descriptors)
        child = Child(number, {reader: bytearray() for reader in readers}, limits)
        for reader in child.readers:
            os.set_blocking(reader, False)
            self._poll.register(reader, select.POLLIN)
            self._owners[reader] = child
        self.children.append(child)
        return child

    def mark(self) -> None:
        """From now on time counts anew: an answer came."""
        self._marked = time.monotonic()
        for child in self.children:
            child.used = _cpu_seconds(child.pid) if child.ended is None and child.pid else 0.0

    def wait(self, on_read: Callable[[int, bytearray], bool] | None = None) -> None:
        """Wait until every program has ended.

        Args:
            on_read: Called when something was read, with the descriptor and all that came so far; what it
                removes from there does not count towards the limit. False ends the programs.

        Raises:
            LauncherError: The launcher does not answer.
        """
        while any(child.ended is None for child in self.children):
            for descriptor, _ in self._poll.poll(self._time_left() * 1000):
                if descriptor == self._launcher.fileno():
                    self._note(self._launcher.receive())
                else:
                    self._read(descriptor, on_read)
            self._check()
        # What is still in the pipes; no process that counts is left to write more.
        for descriptor in list(self._owners):
            while self._read(descriptor, on_read):
                pass

    def kill(self, cause: Cause | None = None) -> None:
        """End all programs."""
        self.cause = self.cause or cause
        if self._killed_at is None:
            self._killed_at = time.monotonic()
            for child in self.children:
                if child.ended is None:
                    self._launcher.kill(child.run)

    def _note(self, message: dict[str, Any]) -> None:
        for child in self.children:
            if message.get("started") == child.run:
                child.pid = message["pid"]
                self._launcher.programs.add(child.pid)
            elif message.get("ended") == child.run:
                if "error" in message:
                    raise LauncherError(f"the launcher cannot fork: {message['error']}")
                child.ended = message
                self._launcher.programs.discard(child.pid)

    def _read(self, descriptor: int, on_read: Callable[[int, bytearray], bool] | None) -> bool:
        child = self._owners.get(descriptor)
        if child is None:
            return False
        try:
            chunk = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self._poll.unregister(descriptor)
            del self._owners[descriptor]
            return False
        content = child.readers[descriptor]
        if self._killed_at is None or len(content) < child.limits.output:
            content += chunk
        if on_read is not None and self._killed_at is None and not on_read(descriptor, content):
            self.kill()
        if len(content) > child.limits.output:
            del content[child.limits.output :]
            self.kill(Cause.OUTPUT_LIMIT)
        return True

    def _time_left(self) -> float:
        """Seconds until something must be looked at."""
        if self._killed_at is not None:
            return ANSWER_SECONDS
        passed = time.monotonic() - self._marked
        running = [child for child in self.children if child.ended is None]
        # Without threads, processor time is no faster than the clock, so looking then is early enough.
        return max(0.001, min(self._next_look(child, passed) for child in running))

    def _next_look(self, child: Child, passed: float) -> float:
        until = child.limits.wall_seconds - passed
        if passed < child.limits.cpu_seconds:
            return min(until, child.limits.cpu_seconds - passed)
        return min(until, max(0.01, child.limits.cpu_seconds - self._spent(child)))

    def _spent(self, child: Child) -> float:
        return _cpu_seconds(child.pid) - child.used if child.pid else 0.0

    def _check(self) -> None:
        now = time.monotonic()
        if self._killed_at is not None:
            if now - self._killed_at > ANSWER_SECONDS:
                raise LauncherError("the launcher does not end a program")
            return
        for child in self.children:
            if child.ended is not None:
                continue
            if (
                now - self._marked >= child.limits.cpu_seconds
                and self._spent(child) >= child.limits.cpu_seconds
            ):
                self.kill(Cause.CPU_TIME)
            elif now - self._marked >= child.limits.wall_seconds:
                if not child.pid:
                    raise LauncherError("the launcher does not fork a program")
                self.kill(Cause.WALL_TIME)


def outcome(watch: Watch, child: Child, errors: bytes) -> tuple[Cause, str]:
    """Why a program ended, and a detail: we ended it, or `cause_of_end` finds out."""
    if watch.cause is not None:
        return watch.cause, ""
    return cause_of_end(child.ended or {}, errors, child.limits)


def cause_of_end(ended: dict[str, Any], errors: bytes, limits: Limits) -> tuple[Cause, str]:
    """Why a program that we did not kill ended, from what the kernel says about it.

    Raises:
        LauncherError: Its walls could not be put up.
    """
    status = os.waitstatus_to_exitcode(ended["status"])
    if not ended["begun"]:
        said = errors.decode("utf-8", "replace").strip().splitlines()
        raise LauncherError(f"a sandbox could not be set up: {said[-1] if said else f'ended with {status}'}")
    if ended["cpu"] > limits.cpu_seconds or status == -signal.SIGXCPU:
        return Cause.CPU_TIME, ""
    if status == 0:
        return Cause.OK, ""
    if status == -signal.SIGXFSZ:
        return Cause.OUTPUT_LIMIT, "a file that it wrote is too large"
    if any(mark in errors for mark in _OUT_OF_MEMORY) or (
        status == -signal.SIGKILL and (ended["memory"] > limits.memory // 2 or ended["burst"])
    ):
        return Cause.MEMORY, ""
    if status == COMPILE_ERROR:
        return Cause.COMPILE_ERROR, ""
    if status < 0:
        if -status in (signal.SIGSEGV, signal.SIGABRT):
            # The first process of a namespace does not get its own SIGABRT, and crashes instead.
            return Cause.RUNTIME_ERROR, "crashed (SIGSEGV or SIGABRT)"
        with contextlib.suppress(ValueError):
            return Cause.RUNTIME_ERROR, f"ended by {signal.Signals(-status).name}"
    return Cause.RUNTIME_ERROR, f"exit status {status}"


def sealed(content: bytes) -> int:
    """A memory file that can no longer be changed, read from its start."""
    descriptor = os.memfd_create("data", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, _ADD_SEALS, _SEALS)
    return descriptor


def _cpu_seconds(pid: int) -> float:
    """Processor time of a process: all of its threads, none of its children."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # clock_getcpuclockid(3)
    except OSError:
        return 0.0
