"""What a program may use: limits that the kernel keeps, and a meter for what no limit of the kernel counts.

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
"""What the sockets of a program may hold together, where each may be as large as the host's default says."""
_PENDING_SIGNALS = 64
"""Real-time signals and POSIX timers, which count against those of the whole user."""
_MAP_SHARE, _MOST_FOR_MAPS = 10, 26 << 20
"""What maps cost the kernel: 0.4 KB each, which is a tenth of a page, and 65,530 of a process at most."""
_UNLIMITED = resource.RLIM_INFINITY
WATCH_MILLISECONDS = 10
"""How often the meter is read; a program writes some 20 MB meanwhile on each core."""


def threads(task: dict[str, Any]) -> int:
    """How many threads and processes a program may have."""
    return _THREADS.get(task["profile"], _THREADS_OTHERS)


@functools.cache
def descriptors(profile: str) -> int:
    """How many descriptors a program may have: fewer where the host gives sockets large buffers."""
    most = _DESCRIPTORS.get(profile, _DESCRIPTORS_OTHERS)
    one, other = socket.socketpair()
    with one, other:
        # A message of half a buffer may be added to one that is nearly full.
        held = one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) * 3 // 2
    return max(min(most, _SOCKET_BYTES // held), _FEWEST_DESCRIPTORS)


def set_limits(task: dict[str, Any], tasks: int | None) -> None:
    """The resource limits of a program.

    Args:
        task: See `engine.runs`.
        tasks: How many threads and processes its user may have; None for no limit.
    """
    limits = {
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
    if tasks is not None:
        limits[resource.RLIMIT_NPROC] = (tasks, tasks)
    for kind, wanted in limits.items():
        most = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (_least(wanted[0], most), _least(wanted[1], most)))


def _least(wanted: int, most: int) -> int:
    if _UNLIMITED in (wanted, most):
        return most if wanted == _UNLIMITED else wanted
    return min(wanted, most)


def held_by(pid: int) -> int:
    """Bytes that a process has in memory, without files and with its page tables."""
    return sum(_sizes(pid, ("RssAnon", "RssShmem", "VmPTE")))


def taken_by_loading(load: Callable[[], object]) -> dict[str, int]:
    """What loaded modules add to this process, and so to every fork: a program's limits go on top."""
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
    found: dict[str, int] = {}
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/status") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name in names:
                found[name] = int(value.split()[0]) << 10
    return [found.get(name, 0) for name in names]


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


def kept_waiting(pid: int) -> float | None:
    """Seconds for which the threads of a process could run and others did; None if the kernel does not say.

    Source: Linux Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat.
    """
    kept = ran = 0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(FileNotFoundError), open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                numbers = file.read().split()
                ran, kept = ran + int(numbers[0]), kept + int(numbers[1])
    except (OSError, ValueError, IndexError):
        return None
    return kept / 1e9 if ran else None
