"""The three worlds that a program can be put into: namespaces of its own, the host under Landlock, nothing.

`leave` and `enter` are called once, when the launcher starts. In between modules are loaded: they may start
threads, and with these no process can enter a user namespace. `confine` is called for each program, in its
own process.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass, field, replace
from typing import Any

from . import filters, kernel, users
from .resources import set_limits, threads
from .root import DEVICES, build_root, have_proc, outermost

_READ = kernel.EXECUTE | kernel.READ_FILE | kernel.READ_DIR
_DEVICE_RIGHTS = kernel.READ_FILE | kernel.WRITE_FILE
_TMP_OPTIONS = "size={},nr_inodes=4096,mode=0777"
_TRUNCATE_ABI = 3
_OWN_PROC = ("auxv", "cgroup", "cmdline", "fd", "maps", "mountinfo", "stat", "statm", "status")
"""What a program may read about itself in the host's /proc; next to it are the host's network tables."""
_CENSUS_SECONDS = 1.0

PROFILES = {
    # What runs in the warm interpreter needs neither processes nor other programs.
    "python": filters.Rules(),
    "native": filters.Rules(execution=True),
    # Runtimes whose address space is not limited.
    "runtime": filters.Rules(execution=True, sharing="files"),
    # Each of its processes could have as many sockets.
    "shell": filters.Rules(execution=True, processes=True, sharing="none", sockets=False),
    # A compiler is not the program: it runs helpers and sets the mode of what it writes.
    "build": filters.Rules(execution=True, processes=True, metadata=True, sharing="files"),
}
_DEVICES = {
    # Maps of /dev/zero are shared memory, and what includes an endless file never ends.
    "build": ("/dev/null",),
    "runtime": ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom"),
}
"""What a program may use of what is in /dev; the others all of it."""


@dataclass
class World:
    """No isolation at all: resource limits only.

    Args:
        read: Folders and files that programs may read and execute.
        scratch: A folder of this launcher's own on the host, where the tier needs one.
        programs_at_once: How many launchers the caller has, which may all run programs as one user.
    """

    read: list[str]
    scratch: str | None
    programs_at_once: int = 1
    facts: dict[str, Any] = field(default_factory=dict)
    opened: list[tuple[int, int]] = field(default_factory=list)
    flags = 0
    reaps = True  # descendants outlive a program unless its process namespace ends with it
    crowds = False  # whether threads must be counted, since no limit binds the programs' user

    def leave(self) -> None:
        """Leave the host's namespaces, while there is only one thread and everything can still be read."""

    def enter(self) -> None:
        """Set up what all programs share."""

    def work(self) -> str:
        """The folder in which a program starts."""
        return self.scratch or "/"

    def share(self, task: dict[str, Any]) -> None:
        """In the launcher: one folder for the tests and the program that are started next."""

    def unshare(self) -> None:
        """In the launcher: both have ended."""

    def prepare(self, task: dict[str, Any]) -> None:
        """In the program's process: make its own file systems."""

    def confine(self, task: dict[str, Any]) -> None:
        """In the program's process: put up walls that cannot be taken down."""
        os.chdir(self.work())
        set_limits(task, None)
        kernel.die_with_parent()


@dataclass
class Unprivileged(World):
    """Landlock, seccomp and limits on the host's own file system: what a plain container allows."""

    abi: int = 0
    uid: int | None = None
    search: bool = False
    programs: dict[str, bytes] = field(default_factory=dict)
    _tasks: int = 0
    _counted: float = 0.0

    def leave(self) -> None:
        have_proc()
        self._prepare_walls(signals=False)
        self._choose_user()
        if self.uid is not None and self.scratch:
            try:
                os.chown(self.scratch, self.uid, self.uid)
            except PermissionError:
                self.uid, self.search = None, False
        self.crowds = self.uid is None and not users.threads_are_limited()

    def enter(self) -> None:
        self.opened = self._open_shared()
        self.facts.update(landlock=self.abi, uid=self.uid if self.uid is not None else os.geteuid())

    def _choose_user(self) -> None:
        """A user of this launcher's own, if it may become that and then still read what programs read."""
        for self.uid in users.unused_users():
            # Under /root, say. Landlock's walls are drawn by path and hold whatever the permission bits are.
            for self.search in (False, True):
                if users.tried(self._reads_as_user):
                    return
        self.uid, self.search = None, False

    def _reads_as_user(self) -> None:
        self._change_user()
        for path in self.read:
            with contextlib.suppress(FileNotFoundError):
                os.close(os.open(path, os.O_RDONLY))

    def _change_user(self) -> None:
        if self.uid is not None:
            if self.search:
                kernel.keep_capabilities()
            users.become(self.uid)
        kernel.drop_capabilities(kernel.READ_SEARCH if self.search else None)

    def _prepare_walls(self, *, signals: bool) -> None:
        self.abi = kernel.landlock_abi()
        machine = os.uname().machine
        if machine not in filters.AUDIT_ARCHITECTURES:
            raise OSError(f"no table of system calls for {machine}; there is one for x86_64 and aarch64")
        for name, rules in PROFILES.items():
            chosen = replace(
                rules,
                metadata=rules.metadata or signals,
                signals=signals,
                truncation=self.abi >= _TRUNCATE_ABI,
            )
            self.programs[name] = filters.build(machine, chosen)

    def _open_shared(self) -> list[tuple[int, int]]:
        found = []
        for path in self.read:
            with contextlib.suppress(FileNotFoundError):
                found.append((os.open(path, os.O_PATH | os.O_CLOEXEC), _READ))
        return found

    def confine(self, task: dict[str, Any]) -> None:
        os.chdir(self.work())
        set_limits(task, self._most_tasks(task))
        self._change_user()
        self._close_in(task)

    def _close_in(self, task: dict[str, Any]) -> None:
        kernel.die_with_parent()  # a change of user clears it
        kernel.renounce_privileges()
        rules = [*self.opened, *self._own_rules(task), *_devices(task)]
        kernel.landlock(self.abi, rules)
        for descriptor, _ in rules:
            os.close(descriptor)
        kernel.install_filter(filters.with_pid(self.programs[task["profile"]], os.getpid()))

    def _own_rules(self, task: dict[str, Any]) -> list[tuple[int, int]]:
        rights = kernel.READ_FILE | kernel.READ_DIR
        own = [(os.open(f"/proc/{os.getpid()}/{name}", os.O_PATH), rights) for name in _OWN_PROC]
        if self.scratch:
            rights = kernel.writable(self.abi) if task["profile"] == "build" else _READ
            own.append((os.open(self.scratch, os.O_PATH), rights))
        return own

    def _most_tasks(self, task: dict[str, Any]) -> int:
        """The limit on processes and threads, which counts all those of the user."""
        own = threads(task)
        return own if self.uid is not None else self._tasks + own * self.programs_at_once

    def take_census(self) -> None:
        """Count the user's threads: the limit is on top of them."""
        if self.uid is not None or time.monotonic() - self._counted < _CENSUS_SECONDS:
            return
        count, me = 0, os.geteuid()
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if entry.stat().st_uid == me:
                        count += os.stat(f"/proc/{entry.name}/task").st_nlink - 2
        self._tasks, self._counted = count, time.monotonic()


@dataclass
class Full(Unprivileged):
    """A file system, processes, network, messages and a user of its own, and all of `Unprivileged`."""

    flags = kernel.NEW_PID | kernel.NEW_MOUNTS | kernel.NEW_IPC | kernel.NEW_UTS
    reaps = False
    place: str = "/tmp"  # noqa: S108  (of the program's own file system)
    _own_threads: int = 1
    _kept: list[str] = field(default_factory=list)
    _is_shared: bool = False

    def leave(self) -> None:
        have_proc()
        self._prepare_walls(signals=True)
        apart = kernel.NEW_MOUNTS | kernel.NEW_NET | kernel.NEW_IPC | kernel.NEW_UTS
        # Limits on the number of processes do not bind user 0, not even in a namespace of its own.
        self.uid = next(filter(_can_take_along, users.unused_users()), None)
        self.crowds = self.uid is None and not users.threads_are_limited()
        users.leave_user_namespace(apart, self.uid)

    def enter(self) -> None:
        build_root(self.read, self.place)
        # An environment under /tmp must stay in sight.
        self._kept = [path for path in outermost(self.read) if path.startswith(f"{self.place}/")]
        if self.uid is not None:
            kernel.keep_capabilities()
            users.become(self.uid)
        # Loaded modules may have started some, and they count.
        self._own_threads = len(os.listdir("/proc/self/task"))
        super().enter()

    def work(self) -> str:
        return self.place

    def share(self, task: dict[str, Any]) -> None:
        if not self._is_shared:
            self._mount_place(task)
            self._is_shared = True

    def unshare(self) -> None:
        if self._is_shared:
            kernel.detach(self.place)
            self._is_shared = False

    def _mount_place(self, task: dict[str, Any]) -> None:
        kept = [(path, kernel.tree(path)) for path in self._kept]
        options = _TMP_OPTIONS.format(task["files_size"])
        kernel.mount("tmpfs", self.place, "tmpfs", kernel.NOSUID | kernel.NODEV, options)
        for path, tree in kept:
            os.makedirs(path if kernel.is_folder(tree) else os.path.dirname(path), exist_ok=True)
            if not kernel.is_folder(tree):
                open(path, "x").close()
            kernel.attach(tree, path)
            os.close(tree)

    def prepare(self, task: dict[str, Any]) -> None:
        if not self._is_shared:
            self._mount_place(task)
        kernel.mount("proc", "/proc", "proc", kernel.NOSUID | kernel.NODEV | kernel.NOEXEC, "subset=pid")
        kernel.set_hostname("sandbox")

    def confine(self, task: dict[str, Any]) -> None:
        os.chdir(self.work())
        set_limits(task, self._own_threads + threads(task))
        kernel.drop_capabilities()
        self._close_in(task)

    def _own_rules(self, task: dict[str, Any]) -> list[tuple[int, int]]:
        all_rights = kernel.writable(self.abi)
        return [
            (os.open(self.place, os.O_PATH), all_rights),
            (os.open("/proc", os.O_PATH), kernel.READ_FILE | kernel.READ_DIR),
        ]

    def take_census(self) -> None:
        """The namespace counts by itself."""


def _devices(task: dict[str, Any]) -> list[tuple[int, int]]:
    found = []
    for path in _DEVICES.get(task["profile"], DEVICES):
        with contextlib.suppress(FileNotFoundError):
            found.append((os.open(path, os.O_PATH | os.O_CLOEXEC), _DEVICE_RIGHTS))
    return found


def _can_take_along(user: int) -> bool:
    """Whether a process may enter a user namespace that has this user, too, and become it."""

    def both() -> None:
        users.leave_user_namespace(0, user)
        users.become(user)

    return users.tried(both)
