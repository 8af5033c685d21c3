"""Resources of a program: limits that the kernel keeps, and a meter for those that it does not count.

Everything that a program can make the kernel hold is bounded. Address space, or writable memory, by
RLIMIT_AS or RLIMIT_DATA; what lies behind descriptors by their number; processes, threads, pending signals
(and the timers that need one each), message queues and locked memory by limits of their own; its files by
the size of their file system. The meter adds up what it has in memory, page tables among it, and ends it
past `memory`. What none of these sees is refused by `filters`.
"""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import socket
import time
from collections.abc import Callable
from typing import Any

_THREADS = {"python": 64, "shell": 64}
_THREADS_OTHERS = 256
"""Threads, and processes, of a program. The JVM starts 20 on two cores, and more on more."""
_DESCRIPTORS = {"build": 256, "shell": 32}
_DESCRIPTORS_OTHERS = 96
"""An entry of an epoll instance is a pair of a file and a number: what all hold grows with their cube."""
_FEWEST_DESCRIPTORS = 24
_SOCKET_BYTES = 32 << 20
"""Memory of all sockets of a program, where each may be as large as the host's default says."""
_PENDING_SIGNALS = 64
"""Real-time signals and POSIX timers, which count against those of the whole user."""
_MAP_SHARE, _MOST_FOR_MAPS = 10, 26 << 20
"""The kernel's cost of maps: 0.4 KB each, which is a tenth of a page, and 65,530 of a process at most."""
_KERNEL_BYTES = 96 << 20
"""Memory that descriptors, files and threads within their limits may come to."""
_UNLIMITED = resource.RLIM_INFINITY
WATCH_MILLISECONDS = 10
"""Interval of readings of the meter; a program writes some 20 MB meanwhile on each core."""


def threads(task: dict[str, Any]) -> int:
    """Return the number of threads and processes that a program may have."""
    return _THREADS.get(task["profile"], _THREADS_OTHERS)


@functools.cache
def descriptors(profile: str) -> int:
    """Return a program's number of descriptors: fewer if the host gives sockets large buffers."""
    most = _DESCRIPTORS.get(profile, _DESCRIPTORS_OTHERS)
    one, other = socket.socketpair()
    with one, other:
        # A message of half a buffer may be added to one that is nearly full.
        held = one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) * 3 // 2
    return max(min(most, _SOCKET_BYTES // held), _FEWEST_DESCRIPTORS)


def set_limits(task: dict[str, Any], tasks: int | None) -> None:
    """Set the resource limits of a program.

    Args:
        task: See `engine.runs`.
        tasks: Largest number of threads and processes of its user; None for no limit.
    """
    limits = _limits(task)
    if tasks is not None:
        limits[resource.RLIMIT_NPROC] = (tasks, tasks)
    for kind, wanted in limits.items():
        most = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (_least(wanted[0], most), _least(wanted[1], most)))


def lacking(task: dict[str, Any]) -> str:
    """Return what a program is promised but this process, limited itself, lacks; "" for nothing.

    A limit that is inherited cannot be raised again, and a program that meets it would be blamed for it.

    Args:
        task: See `engine.runs`; an empty one for what every launcher needs.
    """
    wanted = {kind: soft for kind, (soft, _) in _limits(task).items()} if task else {}
    # The launcher needs room for descriptors, its programs' own are fewer.
    wanted[resource.RLIMIT_NOFILE] = LAUNCHER_DESCRIPTORS
    if task:
        wanted.setdefault(resource.RLIMIT_AS, RESERVED)
    for kind, (what, option) in _PROMISED.items():
        most = resource.getrlimit(kind)[1]
        if kind in wanted and _least(wanted[kind], most) != wanted[kind]:
            return (
                f"programs are promised {wanted[kind]} {what}, and this process is limited to {most}: start "
                f"it with a higher limit (prlimit --{option}=unlimited COMMAND; ulimit shows what there is)"
            )
    return ""


def open_files() -> None:
    """Let this process have as many descriptors as a launcher needs, if it may."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _least(LAUNCHER_DESCRIPTORS, most)
    if _least(wanted, soft) != wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


LAUNCHER_DESCRIPTORS = 256
"""A launcher keeps its own above those of programs, and a compiler may have as many."""
RESERVED = 8 << 30
"""Bytes of address space that a runtime may reserve: Java's takes 4 GiB for a gibibyte."""
_PROMISED = {
    resource.RLIMIT_CPU: ("seconds of processor time", "cpu"),
    resource.RLIMIT_FSIZE: ("bytes in a file", "fsize"),
    resource.RLIMIT_NOFILE: ("open files", "nofile"),
    resource.RLIMIT_STACK: ("bytes of stack", "stack"),
    resource.RLIMIT_AS: ("bytes of address space", "as"),
    resource.RLIMIT_DATA: ("bytes of data", "data"),
}
"""Limits that a program may use up to the last: what they are of, and the option of prlimit."""


def _limits(task: dict[str, Any]) -> dict[int, tuple[int, int]]:
    return {
        resource.RLIMIT_CPU: (task["cpu"], task["cpu"] + 1),
        resource.RLIMIT_FSIZE: (task["file_size"],) * 2,
        resource.RLIMIT_NOFILE: (descriptors(task["profile"]),) * 2,
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_SIGPENDING: (_PENDING_SIGNALS,) * 2,
        # Where address space is limited, the stack is too, and programs may ask for more of it.
        resource.RLIMIT_STACK: (task["stack"], _UNLIMITED if task["address_space"] else task["stack"]),
        # Runtimes that reserve address space generously are held by what they can write to.
        resource.RLIMIT_AS if task["address_space"] else resource.RLIMIT_DATA: (task["memory"],) * 2,
    }


def _least(wanted: int, most: int) -> int:
    if _UNLIMITED in (wanted, most):
        return most if wanted == _UNLIMITED else wanted
    return min(wanted, most)


class Group:
    """A control group that somebody has delegated: it counts all that programs make the kernel hold.

    Args:
        descriptors: Its cgroup.procs, memory.max and memory.events, opened by whoever may write to them.
    """

    def __init__(self, descriptors: list[int]) -> None:
        self._processes, self._most, self._events = descriptors
        self._killed = self._count()

    def prepare(self, most: int) -> None:
        """Let the next program use so many bytes, and what the kernel holds for it on top."""
        with contextlib.suppress(OSError):
            os.pwrite(self._most, b"%d" % (most + _KERNEL_BYTES), 0)

    def join(self) -> None:
        """In the program's process: be counted from now on. If that is refused, limits and meter remain."""
        with contextlib.suppress(OSError):
            os.write(self._processes, b"0")

    def burst(self) -> bool:
        """Return whether the kernel has ended a program for its memory since the last call."""
        before, self._killed = self._killed, self._count()
        return self._killed > before

    def _count(self) -> int:
        with contextlib.suppress(OSError, ValueError):
            for line in os.pread(self._events, 1 << 12, 0).splitlines():
                name, _, count = line.partition(b" ")
                if name == b"oom_kill":
                    return int(count)
        return 0


def held_by(pid: int) -> int:
    """Bytes that a process has in memory, without files and with its page tables."""
    return sum(_sizes(pid, ("RssAnon", "RssShmem", "VmPTE")))


def taken_by_loading(load: Callable[[], object]) -> dict[str, int]:
    """Return what loading adds to this process, and so to every fork: a program's limits go on top."""
    names = ("VmSize", "RssAnon", "RssShmem", "VmPTE")
    before = _sizes(os.getpid(), names)
    load()
    space, *held = (now - then for now, then in zip(_sizes(os.getpid(), names), before, strict=True))
    return {"memory": space, "metered": sum(held)}


def held_below(pid: int) -> int:
    """Bytes that the descendants of a process have in memory, with what their maps cost the kernel."""
    used = 0
    for each in descendants(pid):
        *held, mapped = _sizes(each, ("RssAnon", "RssShmem", "VmPTE", "VmSize"))
        used += sum(held) + min(mapped // _MAP_SHARE, _MOST_FOR_MAPS)
    return used


def _sizes(pid: int, names: tuple[str, ...]) -> list[int]:
    """Lines of a process's status, which everybody may read, in bytes."""
    text = _read(f"/proc/{pid}/status")
    found = []
    for name in names:
        at = text.find(b"\n%b:" % name.encode())
        found.append(int(text[at + len(name) + 2 : text.index(b" kB", at)]) << 10 if at >= 0 else 0)
    return found


def _read(path: str) -> bytes:
    """A small file of the kernel; empty if it is gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 1 << 14)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def threads_from(pid: int) -> int:
    """Threads of a process and of its descendants."""
    count = 0
    for each in (pid, *descendants(pid)):
        with contextlib.suppress(OSError):
            count += os.stat(f"/proc/{each}/task").st_nlink - 2
    return count


def descendants(pid: int) -> list[int]:
    """The children of a process, theirs, and so on."""
    own: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as children:
                own += map(int, children.read().split())
    return own + [below for child in own for below in descendants(child)]


def kept_waiting(pid: int, *, ended: bool = False) -> float | None:
    """Seconds for which the threads of a process could run and others did; None if the kernel does not say.

    Source: Linux Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat.

    Args:
        pid: The process.
        ended: Only its first thread is left, and nobody has waited for it yet.
    """
    kept = ran = 0
    with contextlib.suppress(OSError):
        for thread in [pid] if ended else os.listdir(f"/proc/{pid}/task"):
            numbers = _read(f"/proc/{pid}/task/{thread}/schedstat").split()
            if len(numbers) >= 2:
                ran, kept = ran + int(numbers[0]), kept + int(numbers[1])
    return kept / 1e9 if ran else None


def processor_time(pid: int) -> float:
    """Seconds of processor time of a process: all of its threads, none of its children."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # clock_getcpuclockid(3)
    except OSError:
        return 0.0
