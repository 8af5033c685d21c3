"""The watch over programs that run: their output, their time, and why they ended."""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..jail.guest import COMPILE_ERROR
from ..jail.resources import descendants, kept_waiting, processor_time
from .launcher_process import ANSWER_SECONDS, HostLimitError, Launcher, LauncherError
from .protocol import Cause, Limits

_CHUNK = 1 << 16
_NOTICE_SECONDS = 0.05
"""Seconds in which we notice that a program has begun or ended: no waiting of its own."""
_LOOK_AGAIN, _LOOK_FIRST = 0.05, 0.25
_MOST_KEPT = 4.0
"""After four times the wall-clock limit a program is ended, whoever kept it waiting."""
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
        limits: Resources until the call of `Watch.mark`, and again after it.
        used: Processor time until then.
        kept: Seconds that others kept it waiting until shortly after that; None if not measured.
        family: Whether time counts for its processes as well: a compiler is one that runs others.
        seen: Process of a family -> what it had used, and waited for, when it was last looked at.
    """

    run: int
    readers: dict[int, bytearray]
    limits: Limits
    pid: int = 0
    used: float = 0.0
    kept: float | None = None
    ended: dict[str, Any] | None = None
    family: bool = False
    seen: dict[int, tuple[float, float]] = field(default_factory=dict)

    @property
    def spent(self) -> float:
        """Processor time."""
        if self.family:
            return self._look()[0]
        return processor_time(self.pid) if self.pid else 0.0

    @property
    def waited(self) -> float | None:
        """Time for which others kept it waiting; None if the kernel does not say."""
        return self._look()[1] if self.family else kept_waiting(self.pid)

    def _look(self) -> tuple[float, float]:
        """Look at the family, those that have ended included: they can no longer be asked."""
        for pid in (self.pid, *descendants(self.pid)) if self.pid else ():
            used, kept = self.seen.get(pid, (0.0, 0.0))
            self.seen[pid] = max(used, processor_time(pid)), max(kept, kept_waiting(pid) or 0.0)
        return sum(used for used, _ in self.seen.values()), sum(kept for _, kept in self.seen.values())


class Watch:
    """Waits for programs of one launcher, reads what they write, and keeps their time.

    Args:
        launcher: The launcher.
        budget: Seconds of processor time and waiting that the first program may use.

    Attributes:
        sure: Whether the kernel says how long others kept programs waiting, so that a wall-clock limit need
            not be confirmed.
    """

    def __init__(self, launcher: Launcher, budget: float = math.inf) -> None:
        self._launcher, self._budget = launcher, budget
        self._began = time.monotonic()
        self.sure = True
        self._poll = select.poll()
        self._poll.register(launcher.fileno(), select.POLLIN)
        self._owners: dict[int, Child] = {}
        self.children: list[Child] = []
        self.cause: Cause | None = None
        self._marked = time.monotonic()
        self._killed_at: float | None = None
        self._look_at = self._began + budget

    def start(
        self, task: dict[str, Any], descriptors: Sequence[int], readers: Iterable[int], limits: Limits
    ) -> Child:
        """Fork a program, which gets the descriptors, and read from `readers`."""
        # What others kept its processes waiting for is not known of those that are gone.
        self.sure = self.sure and task["profile"] != "shell"
        number = self._launcher.start(task, descriptors)
        child = Child(number, {reader: bytearray() for reader in readers}, limits)
        child.family = task["mode"] == "build"
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
            child.used = child.spent if child.ended is None else 0.0
            child.kept = None

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
                    self._launcher.kill_run(child.run)

    def _note(self, message: dict[str, Any]) -> None:
        for child in self.children:
            if message.get("started") == child.run:
                child.pid = message["pid"]
                self._launcher.programs.add(child.pid)
            elif message.get("ended") == child.run:
                if message.get("host"):
                    raise HostLimitError(message["error"])
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

    @property
    def seconds(self) -> float:
        """Budget used by the first program, once all have ended: processor time and waiting.

        Waiting for the tests in another sandbox is none, nor is the time that we take to notice something.
        """
        ended = [child.ended or {} for child in self.children]
        busy = sum(float(each.get("cpu", 0.0) + each.get("kept", 0.0)) for each in ended)
        cpu, seconds = (float(ended[0].get(name, 0.0)) for name in ("cpu", "seconds"))
        return cpu + max(0.0, seconds - busy - _NOTICE_SECONDS)

    def _time_left(self) -> float:
        """Seconds until something must be looked at."""
        if self._killed_at is not None:
            return ANSWER_SECONDS
        now = time.monotonic()
        passed = now - self._marked
        running = [child for child in self.children if child.ended is None]
        # Without threads, processor time is no faster than the clock, so looking then is early enough.
        left = min(self._next_look(child, passed) for child in running)
        return max(0.001, min(left, self._look_at - now))

    def _next_look(self, child: Child, passed: float) -> float:
        until = child.limits.wall_seconds - passed
        if until <= 0:
            until = _LOOK_AGAIN  # it did not run for all of that time
        elif child.kept is None and child.pid:
            until = min(until, max(0.0, _LOOK_FIRST - passed))
        if child.family:
            until = min(until, _LOOK_FIRST)
        if passed < child.limits.cpu_seconds:
            return min(until, child.limits.cpu_seconds - passed)
        return min(until, max(0.01, child.limits.cpu_seconds - (child.spent - child.used)))

    def _check(self) -> None:
        now = time.monotonic()
        if self._killed_at is not None:
            if now - self._killed_at > ANSWER_SECONDS:
                raise LauncherError("the launcher does not end a program")
            return
        for child in self.children:
            if child.ended is not None:
                continue
            passed = now - self._marked
            if child.kept is None and passed >= _LOOK_FIRST and child.pid:
                child.kept = child.waited or 0.0
            if passed >= child.limits.cpu_seconds and (child.spent - child.used) >= child.limits.cpu_seconds:
                self.kill(Cause.CPU_TIME)
            elif passed >= child.limits.wall_seconds:
                if not child.pid:
                    raise LauncherError("the launcher does not fork a program")
                if passed - self._kept() >= child.limits.wall_seconds or passed >= (
                    _MOST_KEPT * child.limits.wall_seconds
                ):
                    self.kill(Cause.WALL_TIME)
        if now >= self._look_at:
            self._check_budget(now)

    def _kept(self) -> float:
        """Return how long others have kept the programs (tests are one, too) waiting since the mark."""
        kept = 0.0
        for child in self.children:
            if child.ended is None and child.pid:
                found = child.waited
                self.sure = self.sure and found is not None
                kept += max(0.0, (found or 0.0) - (child.kept or 0.0))
        return kept

    def _check_budget(self, now: float) -> None:
        """Kill the programs if the budget is used up, which the clock alone does not show."""
        running = [child for child in self.children if child.ended is None and child.pid]
        first = self.children[0]
        kept = sum(child.waited or 0.0 for child in running)
        others = sum(child.spent for child in running if child is not first)
        used = max(now - self._began - kept - others - _NOTICE_SECONDS, first.spent)
        if first.ended is None and used >= self._budget:
            self.kill(Cause.OVER_BUDGET)
        self._look_at = now + max(_LOOK_AGAIN, self._budget - used)


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
