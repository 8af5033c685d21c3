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
from typing import Any

from . import guest, kernel, tester
from .world import PROFILES, Full, Unprivileged, World, most_threads

_WORLDS: dict[str, type[World]] = {"full": Full, "unprivileged": Unprivileged, "none": World}
_MODES: dict[str, Callable[..., int]] = {
    "run_script": guest.run_script,
    "answer_calls": guest.answer_calls,
    "serve": guest.serve,
    "run_tests": tester.run_tests,
    "run_visible": tester.run_visible,
}
_MAX_MESSAGE, _MAX_DESCRIPTORS = 1 << 16, 16
_LOOK_MILLISECONDS = 2000
"""How often to see whether the caller is still there: a copy of its end of the socket may outlive it."""
_FORK_PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 0.0)
_WATCH_MILLISECONDS = 20
"""How often the memory of a program with several processes is added up; it writes some 0.1 GB meanwhile."""
_FIRST_SPARE, _MOST_DESCRIPTORS = 64, 1024
# What solutions import most; loaded once, before the first fork.
_WARM = """
abc array bisect cmath collections contextlib copy dataclasses datetime decimal enum fractions functools
heapq io itertools json math operator queue random re statistics string sys threading time typing
_sitebuiltins traceback
""".split()


class Launcher:
    """Serves one socket until its other end is closed."""

    def __init__(self, connection: socket.socket, world: World) -> None:
        self._connection, self._world = connection, world
        # PR_SET_PDEATHSIG would follow the thread that started us, which may be gone in a moment.
        self._caller = os.getppid()
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._running: dict[int, tuple[int, int]] = {}  # pidfd -> (id, pid)
        self._begun: dict[int, int] = {}  # pidfd -> event of a program whose walls are up
        self._burst: set[int] = set()
        self._families: dict[int, int] = {}  # pidfd -> bytes that a program may use with its processes
        self._crowds: dict[int, int] = {}  # pidfd -> threads that a program may have

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
        watched = self._families or self._crowds
        for descriptor, _ in self._poll.poll(_WATCH_MILLISECONDS if watched else _LOOK_MILLISECONDS):
            if descriptor in self._running:
                self._collect(descriptor)
            elif descriptor == self._connection.fileno() and not self._receive():
                return False
        for pidfd, most in self._families.items():
            if _memory_below(os.getpid()) > most:
                self._burst.add(self._running[pidfd][0])
                self._kill(pidfd)
        for pidfd, most in self._crowds.items():
            if _threads_from(self._running[pidfd][1]) > most:
                self._kill(pidfd)
        return True

    def _receive(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._connection, _MAX_MESSAGE, _MAX_DESCRIPTORS)
        if not message:
            return False
        task = json.loads(message)
        if "kill" in task:
            for pidfd, (number, _) in self._running.items():
                if number == task["kill"]:
                    self._kill(pidfd)
            return True
        self._start(task, descriptors)
        return True

    def _start(self, task: dict[str, Any], descriptors: list[int]) -> None:
        if isinstance(self._world, Unprivileged):
            self._world.take_census()
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
            _become(task, descriptors, self._world, begun)
        for descriptor in descriptors:
            os.close(descriptor)
        if pid < 0:
            os.close(begun)
            self._answer({"ended": task["run"], "error": refused})
            return
        pidfd = os.pidfd_open(pid)
        self._running[pidfd] = (task["run"], pid)
        self._begun[pidfd] = begun
        if PROFILES[task["profile"]].processes:
            self._families[pidfd] = task["memory"]
        if self._world.crowds:
            self._crowds[pidfd] = most_threads(task)
        self._poll.register(pidfd, select.POLLIN)
        self._answer({"started": task["run"], "pid": pid})

    def _collect(self, pidfd: int, *, answer: bool = True) -> None:
        number, pid = self._running.pop(pidfd)
        self._families.pop(pidfd, None)
        self._crowds.pop(pidfd, None)
        begun = _seen(self._begun.pop(pidfd))
        self._poll.unregister(pidfd)
        os.close(pidfd)
        _, status, usage = os.wait4(pid, 0)
        if self._world.reaps and not self._running:
            _end_descendants()
        if self._world.scratch and not self._running:
            _empty(self._world.scratch)
        if answer:
            cpu = usage.ru_utime + usage.ru_stime
            self._answer(
                {
                    "ended": number,
                    "status": status,
                    "cpu": cpu,
                    "memory": usage.ru_maxrss << 10,
                    "family": number in self._burst,
                    "begun": begun,
                }
            )

    def _kill(self, pidfd: int) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self._running[pidfd][1], signal.SIGKILL)  # at once, so that none forks meanwhile
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)

    def _answer(self, message: dict[str, Any]) -> None:
        self._connection.sendall(json.dumps(message).encode())


def _become(task: dict[str, Any], descriptors: list[int], world: World, begun: int) -> None:
    """In the child: put up the walls and run the program. Does not return."""
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
        os._exit(status)
    try:
        status = _run(task, data, pipes)
    except BaseException:
        status = 1
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
        _, status = os.waitpid(pid, 0)
        if status:
            return guest.COMPILE_ERROR
    made = _pack(task["output"])
    while made:
        made = made[os.write(output, made) :]
    return 0


def _pack(path: str) -> bytes:
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
                archive.write(full, os.path.relpath(full, path))
    return packed.getvalue()


def _settle(descriptors: list[int]) -> list[int]:
    """Put the first three on 0, 1 and 2, and the others out of their way."""
    high = [os.dup2(each, _FIRST_SPARE + index, inheritable=False) for index, each in enumerate(descriptors)]
    for index, descriptor in enumerate(high[:3]):
        os.dup2(descriptor, index)
    return high[3:]


def _place(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
    while content:
        content = content[os.write(descriptor, content) :]
    os.close(descriptor)


def _seen(event: int) -> bool:
    """Whether an event has happened, which is not asked again."""
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
        for pid in _descendants(me):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.0005)


def _memory_below(pid: int) -> int:
    """Bytes that the descendants of a process hold: the kernel's limits are for each of them."""
    used = 0
    for each in _descendants(pid):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{each}/status") as file:
            used += sum(int(line.split()[1]) for line in file if line.startswith(("RssAnon", "RssShmem")))
    return used << 10


def _threads_from(pid: int) -> int:
    """Threads of a process and of its descendants."""
    count = 0
    for each in (pid, *_descendants(pid)):
        with contextlib.suppress(OSError):
            count += os.stat(f"/proc/{each}/task").st_nlink - 2
    return count


def _descendants(pid: int) -> list[int]:
    own: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as children:
                own += map(int, children.read().split())
    return own + [below for child in own for below in _descendants(child)]


def _empty(folder: str) -> None:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            _empty(entry.path)
            os.rmdir(entry.path)
        else:
            os.unlink(entry.path)


def out_of_the_way(descriptor: int) -> int:
    """The same file under a number that no program's descriptors are moved to."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 2 * _FIRST_SPARE)
    os.close(descriptor)
    return high


def main() -> None:
    """Start: ``launcher SOCKET CONFIG``, where the configuration is JSON."""
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
        for name in [*_WARM, *config["preload"]]:
            importlib.import_module(name)
        world.enter()
        world.opened = [(out_of_the_way(descriptor), rights) for descriptor, rights in world.opened]
        if world.reaps:
            kernel.become_subreaper()
    except (OSError, ImportError) as error:
        kind = errno.errorcode.get(getattr(error, "errno", None) or 0, "")
        connection.sendall(json.dumps({"failed": str(error), "errno": kind}).encode())
        return
    kernel.set_dumpable(False)
    # What exists now is never looked at by the collector, so its pages stay shared.
    gc.collect()
    gc.freeze()
    connection.sendall(json.dumps({"ready": world.facts}).encode())
    Launcher(connection, world).serve()
