"""The launcher: a warm interpreter that forks one process for each program.

It holds no test data: a program comes as descriptors, which are opened in the child only. It answers on a
socket, one message for one event:

    {"run": id, ...} and descriptors ->  {"started": id, "pid": n}  ...  {"ended": id, "status": n, ...}
    {"kill": id}                     ->  the ended message follows
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import guest, kernel, tester
from .resources import (
    WATCH_MILLISECONDS,
    Group,
    descendants,
    descriptors,
    held_below,
    held_by,
    kept_waiting,
    lacking,
    open_files,
    taken_by_loading,
    threads,
    threads_from,
)
from .world import PROFILES, Full, Unprivileged, World

FIRST_SPARE = 64
"""First descriptor of those that wait until they get the numbers that the program knows."""
_MOST_DESCRIPTORS = 1024
_MODES: dict[str, Callable[..., int]] = {
    "run_script": guest.run_script,
    "answer_calls": guest.answer_calls,
    "serve": guest.serve,
    "run_tests": tester.run_tests,
    "run_visible": tester.run_visible,
}


def become(task: dict[str, Any], descriptors: list[int], world: World, begun: int) -> None:
    """Put up the walls and run the program. Does not return.

    Args:
        task: Program to run; see `engine.runs`.
        descriptors: Standard input, output and error, then files, texts and pipes.
        world: Its walls.
        begun: An event that happens once these are up.
    """
    status = 1
    try:
        os.setsid()
        extra = _settle(descriptors)
        world.prepare(task)
        for name, descriptor in zip(task["files"], extra, strict=False):
            _place(os.path.join(world.work(), name), guest.read_all(descriptor))
        extra = extra[len(task["files"]) :]
        data = [guest.read_all(descriptor) for descriptor in extra[: task["texts"]]]
        world.confine(task)
        os.eventfd_write(begun, 1)  # what becomes of the process from here on is the program's affair
        pipes = [os.dup2(pipe, 3 + index) for index, pipe in enumerate(extra[task["texts"] :])]
        os.closerange(3 + len(pipes), _MOST_DESCRIPTORS)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)
    status = 1
    try:
        status = _run(task, data, pipes)
    except BaseException:
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    finally:
        os._exit(status)


def _run(task: dict[str, Any], data: list[bytes], pipes: list[int]) -> int:
    if task["mode"] == "exec":
        os.execve(task["argv"][0], task["argv"], _environment(task))  # noqa: S606
    if task["mode"] == "build":
        return _build(task, pipes[0])
    return int(_MODES[task["mode"]](*data, *pipes))


def _environment(task: dict[str, Any]) -> dict[str, str]:
    return {name: value.format(work=os.getcwd()) for name, value in task["env"].items()}


def _build(task: dict[str, Any], output: int) -> int:
    """Run the commands one after the other, then hand over what they made."""
    for argv in task["argv"]:
        pid = os.fork()
        if pid == 0:
            os.close(output)
            os.execve(argv[0], argv, _environment(task))  # noqa: S606
        _, status, used = os.wait4(pid, 0)
        if status:
            return _blame(status, used.ru_utime + used.ru_stime >= task["cpu"])
    made = _pack(task["output"], task["file_size"])
    while made:
        made = made[os.write(output, made) :]
    return 0


def _blame(status: int, used_up: bool) -> int:
    """The exit status that says why a compiler failed; a driver's is that of helpers which it waited for."""
    by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if used_up or by == signal.SIGXCPU:
        return guest.COMPILER_TIME
    return guest.COMPILER_KILLED if by == signal.SIGKILL else guest.COMPILE_ERROR


def _pack(path: str, most: int) -> bytes:
    """The file that a compiler made, or the folder that it filled, as an archive that Java reads."""
    if not os.path.isdir(path):
        with open(path, "rb") as file:
            return file.read()
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for folder, _, names in os.walk(path):
            for name in sorted(names):
                full = os.path.join(folder, name)
                if packed.tell() + os.path.getsize(full) > most:
                    raise ValueError(f"the compiler made more than {most >> 20} MiB")
                archive.write(full, os.path.relpath(full, path))
    return packed.getvalue()


def _settle(descriptors: list[int]) -> list[int]:
    """Put the first three on 0, 1 and 2, and the others out of their way."""
    high = [os.dup2(each, FIRST_SPARE + index, inheritable=False) for index, each in enumerate(descriptors)]
    for index, descriptor in enumerate(high[:3]):
        os.dup2(descriptor, index)
    return high[3:]


def _place(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
    while content:
        content = content[os.write(descriptor, content) :]
    os.close(descriptor)


_WORLDS: dict[str, type[World]] = {"full": Full, "unprivileged": Unprivileged, "none": World}
_MAX_MESSAGE, _MAX_DESCRIPTORS = 1 << 16, 16
_LOOK_MILLISECONDS = 2000
"""Interval of looks for the caller: a copy of its end of the socket may outlive it."""
_TOGETHER = ("serve", "run_tests")
"""A program and its tests, which have one folder."""
_FORK_PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 0.0)
# What solutions import most; loaded once, before the first fork.
_WARM = """
abc array bisect cmath collections contextlib copy dataclasses datetime decimal enum fractions functools
heapq io itertools json math operator queue random re statistics string sys threading time typing
_sitebuiltins traceback
""".split()


@dataclass
class _Running:
    """A program that runs.

    Args:
        number: Number that the caller gave it.
        pid: Its process id.
        begun: An event: its walls are up.
        since: When it was forked.
        family: Whether it may have processes.
        most_bytes: Largest size in memory.
        most_threads: Largest number of its threads and processes.
        burst: Whether it had more in memory.
    """

    number: int
    pid: int
    begun: int
    since: float
    family: bool
    most_bytes: int
    most_threads: int
    burst: bool = False


class Launcher:
    """Serves one socket until its other end is closed."""

    def __init__(
        self, connection: socket.socket, world: World, loaded: dict[str, int], group: Group | None
    ) -> None:
        self._connection, self._world, self._loaded, self._group = connection, world, loaded, group
        # PR_SET_PDEATHSIG would follow the thread that started us, which may be gone in a moment.
        self._caller = os.getppid()
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._running: dict[int, _Running] = {}  # by pidfd
        self._look_at = 0.0

    def serve(self) -> None:
        """Serve until the other end is gone; then end whatever still runs."""
        try:
            while self._step() and os.getppid() == self._caller:
                pass
        finally:
            for pidfd in list(self._running):
                self._kill(pidfd)
                self._collect(pidfd, answer=False)

    def _step(self) -> bool:
        patience = 1000 * (self._look_at - time.monotonic()) + 1 if self._running else _LOOK_MILLISECONDS
        for descriptor, _ in self._poll.poll(max(1, patience)):
            if descriptor in self._running:
                self._collect(descriptor)
            elif descriptor == self._connection.fileno() and not self._receive():
                return False
        if self._running and time.monotonic() >= self._look_at:
            self._meter()
        return True

    def _meter(self) -> None:
        for pidfd, program in self._running.items():
            # A family is alone here, and its orphans are below this process.
            used = held_below(os.getpid()) if program.family else held_by(program.pid)
            if used > program.most_bytes:
                program.burst = True
                self._kill(pidfd)
            elif self._world.crowds and threads_from(program.pid) > program.most_threads:
                self._kill(pidfd)
        self._look_at = time.monotonic() + WATCH_MILLISECONDS / 1000

    def _receive(self) -> bool:
        message, received, _, _ = socket.recv_fds(self._connection, _MAX_MESSAGE, _MAX_DESCRIPTORS)
        if not message:
            return False
        task = json.loads(message)
        if "kill" in task:
            for pidfd, program in self._running.items():
                if program.number == task["kill"]:
                    self._kill(pidfd)
            return True
        self._start(task, received)
        return True

    def _start(self, task: dict[str, Any], received: list[int]) -> None:
        if isinstance(self._world, Unprivileged):
            self._world.take_census()
        if short := lacking(task):
            for descriptor in received:
                os.close(descriptor)
            self._answer({"ended": task["run"], "error": short, "host": True})
            return
        if task["mode"] not in ("exec", "build"):
            task |= {name: task[name] + more for name, more in self._loaded.items()}
        # Tests run beside a program, and have limits of their own.
        group = self._group if task["mode"] != "run_tests" else None
        if group:
            group.prepare(task["metered"])
        if task["mode"] in _TOGETHER:
            self._world.share(task)
        pid, refused = -1, ""
        begun = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        for pause in _FORK_PAUSES:
            try:
                pid = kernel.clone(self._world.flags)
                break
            except OSError as error:
                refused = str(error)
                if error.errno != errno.EAGAIN:
                    break
            time.sleep(pause)  # another program has used up the user's processes, for as long as it may run
        if pid == 0:
            if group:
                group.join()
            become(task, received, self._world, begun)
        for descriptor in received:
            os.close(descriptor)
        if pid < 0:
            os.close(begun)
            if not self._running:
                self._world.unshare()
            self._answer({"ended": task["run"], "error": refused})
            return
        pidfd = os.pidfd_open(pid)
        now = time.monotonic()
        if not self._running:
            self._look_at = now + 2 * WATCH_MILLISECONDS / 1000  # most have ended by then
        family = PROFILES[task["profile"]].processes
        self._running[pidfd] = _Running(task["run"], pid, begun, now, family, task["metered"], threads(task))
        self._poll.register(pidfd, select.POLLIN)
        self._answer({"started": task["run"], "pid": pid})

    def _collect(self, pidfd: int, *, answer: bool = True) -> None:
        program = self._running.pop(pidfd)
        begun = _seen(program.begun)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        seconds, kept = time.monotonic() - program.since, kept_waiting(program.pid, ended=True) or 0.0
        _, status, usage = os.wait4(program.pid, 0)
        program.burst = (self._group is not None and self._group.burst()) or program.burst
        if self._world.reaps and not self._running:
            _end_descendants()
        if self._world.scratch and not self._running:
            _empty(self._world.scratch)
        if not self._running:
            self._world.unshare()
        if answer:
            cpu = usage.ru_utime + usage.ru_stime
            self._answer(
                {
                    "ended": program.number,
                    "status": status,
                    "cpu": cpu,
                    "seconds": seconds,
                    "kept": kept,
                    "memory": usage.ru_maxrss << 10,
                    "burst": program.burst,
                    "begun": begun,
                }
            )

    def _kill(self, pidfd: int) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self._running[pidfd].pid, signal.SIGKILL)  # at once, so that none forks meanwhile
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)

    def _answer(self, message: dict[str, Any]) -> None:
        self._connection.sendall(json.dumps(message).encode())


def _seen(event: int) -> bool:
    """Return whether an event has happened, and close it: it is not asked again."""
    try:
        return os.eventfd_read(event) > 0
    except BlockingIOError:
        return False
    finally:
        os.close(event)


def _end_descendants() -> None:
    """Kill and reap every process that a program left behind; orphans come to this process."""
    me = os.getpid()
    while True:
        for pid in descendants(me):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.0005)


def _empty(folder: str) -> None:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            _empty(entry.path)
            os.rmdir(entry.path)
        else:
            os.unlink(entry.path)


def out_of_the_way(descriptor: int) -> int:
    """The same file under a number that no program's descriptors are moved to."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 2 * FIRST_SPARE)
    os.close(descriptor)
    return high


def main() -> None:
    """Start: ``launcher SOCKET CONFIG``, where the configuration is JSON."""
    open_files()
    connection = socket.socket(fileno=out_of_the_way(int(sys.argv[1])))
    config = json.loads(sys.argv[2])
    try:
        _serve(connection, config)
    finally:
        if config["scratch"]:
            with contextlib.suppress(OSError):
                os.rmdir(config["scratch"])


def _serve(connection: socket.socket, config: dict[str, Any]) -> None:
    try:
        for path in config["path"]:
            sys.path.append(path)
        world = _WORLDS[config["tier"]](config["read"], config["scratch"], config["at_once"])
        world.leave()
        for name in _WARM:
            importlib.import_module(name)
        loaded = taken_by_loading(lambda: [importlib.import_module(name) for name in config["preload"]])
        world.enter()
        world.opened = [(out_of_the_way(descriptor), rights) for descriptor, rights in world.opened]
        group = Group([out_of_the_way(each) for each in config["group"]]) if config["group"] else None
        if world.reaps:
            kernel.become_subreaper()
    except (OSError, ImportError) as error:
        kind = errno.errorcode.get(getattr(error, "errno", None) or 0, "")
        connection.sendall(json.dumps({"failed": str(error), "errno": kind}).encode())
        return
    for profile in PROFILES:
        descriptors(profile)  # found out here, once
    kernel.set_dumpable(False)
    # What exists now is never looked at by the collector, so its pages stay shared.
    gc.collect()
    gc.freeze()
    connection.sendall(json.dumps({"ready": world.facts}).encode())
    Launcher(connection, world, loaded, group).serve()
