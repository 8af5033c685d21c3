"""The three worlds that a program can be put into: namespaces of its own, the host under Landlock, nothing.

`leave` and `enter` are called once, when the launcher starts. In between modules are loaded: they may start
threads, and with these no process can enter a user namespace. `confine` is called for each program, in its
own process. Which user programs run as is found out by trying, since user 0 may have no capabilities, and
others some.
"""

from __future__ import annotations

import contextlib
import os
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from . import filters, kernel
from .resources import set_limits, threads

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""Devices that a program finds in /dev."""
_MOUNT_POINTS = ("/tmp", "/mnt", "/usr")  # noqa: S108
"""Any folder will do: what is in it is covered in this mount namespace only, and not needed any more."""


def build_root(read: list[str], place: str) -> None:
    """A root that holds the given folders read-only, a few devices, and nothing else of the host.

    Args:
        read: The folders.
        place: Place of each program's own file system.
    """
    # Copied before anything is mounted, which may cover them.
    trees = [(path, kernel.tree(path)) for path in outermost(read)]
    # The kernel mounts a /proc in a user namespace only where one is visible already; programs get their
    # own on top of it.
    trees += [(path, kernel.tree(path)) for path in (*DEVICES, "/proc") if os.path.exists(path)]
    links = {path: os.readlink(path) for path in ("/bin", "/sbin", "/lib", "/lib64") if os.path.islink(path)}
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)
    base = next(path for path in _MOUNT_POINTS if os.path.isdir(path))
    kernel.mount("tmpfs", base, "tmpfs", kernel.NOSUID | kernel.NODEV, "size=1m,mode=0755")
    for path, tree in trees:
        target = base + path
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if kernel.is_folder(tree):
            os.makedirs(target, exist_ok=True)
        else:
            open(target, "x").close()
        kernel.attach(tree, target)
        os.close(tree)
    for path, target in links.items():
        os.symlink(target, base + path)
    os.symlink("/proc/self/fd", base + "/dev/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{base}/dev/{name}")
    os.makedirs(base + place, exist_ok=True)
    kernel.change_root(base)
    kernel.read_only("/")


def have_proc() -> None:
    """See to it that there is a /proc, which user namespaces, counts and programs need.

    Raises:
        OSError: There is none, and this process may not mount one.
    """
    if os.path.exists("/proc/self/status"):
        return
    try:
        kernel.unshare(kernel.NEW_MOUNTS)
        kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)
        kernel.mount("proc", "/proc", "proc", kernel.NOSUID | kernel.NODEV | kernel.NOEXEC)
    except OSError as error:
        raise OSError(
            f"there is no /proc, and mounting one here is refused ({error.strerror}); mount it before, as "
            "container engines do: mount -t proc proc /proc"
        ) from error


def outermost(paths: list[str]) -> list[str]:
    """Real folders and files without those that lie inside others; links at the root are made anew."""
    real = sorted({os.path.realpath(path) for path in paths if os.path.exists(path)})
    kept: list[str] = []
    for path in real:
        if not kept or not path.startswith(kept[-1].rstrip("/") + "/"):
            kept.append(path)
    return kept


_FIRST_UID, _FEW_UIDS = 1 << 30, 60_000


def tried(action: Callable[[], object]) -> bool:
    """Return whether an action succeeds in a child process, which performs it for this one."""
    pid = os.fork()
    if pid == 0:
        status = 1
        with contextlib.suppress(BaseException):
            action()
            status = 0
        os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def unused_users() -> Iterator[int]:
    """Users that no other launcher has: limits count, and signals reach, by user."""
    yield _FIRST_UID + os.getpid()
    yield _FEW_UIDS - os.getpid() % 10_000  # in containers that have 65536 users


def become(user: int) -> None:
    """Change to a user and the group of the same number.

    Raises:
        OSError: This process may not, or its user namespace has no such user.
    """
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def threads_are_limited() -> bool:
    """Return whether RLIMIT_NPROC binds programs of this process's user: it binds no host user 0."""
    return not tried(_outgrow_limit)


def _outgrow_limit() -> None:
    kernel.drop_capabilities()
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if os.fork() == 0:
        os._exit(0)
    os.wait()


def leave_user_namespace(flags: int, user: int | None) -> None:
    """Move into new namespaces, a user namespace among them.

    Args:
        flags: Which others.
        user: A second user there, besides the present one; only a privileged process may have one.

    Raises:
        OSError: The kernel refuses.
    """
    maps = {"uid_map": _lines(os.geteuid(), user), "gid_map": _lines(os.getegid(), user)}
    if user is None:
        kernel.unshare(kernel.NEW_USER | flags)
        # Asked of whoever maps a group without privileges. With a second user it must stay allowed: `become`.
        _write("/proc/self", {"setgroups": "deny", **maps})
        return
    os.setgroups([])
    launcher = os.getpid()
    read, write = os.pipe()
    # Only from outside may users be mapped that are not one's own.
    helper = os.fork()
    if helper == 0:
        status = 1
        with contextlib.suppress(BaseException):
            os.close(write)
            if os.read(read, 1):
                _write(f"/proc/{launcher}", maps)
                status = 0
        os._exit(status)
    os.close(read)
    try:
        kernel.unshare(kernel.NEW_USER | flags)
        os.write(write, b"1")
    finally:
        os.close(write)
        _, status = os.waitpid(helper, 0)
    if status:
        raise PermissionError("this process may not map a second user into a user namespace")


def _lines(first: int, second: int | None) -> str:
    return "".join(f"{each} {each} 1\n" for each in (first, second) if each is not None)


def _write(process: str, maps: dict[str, str]) -> None:
    for name, text in maps.items():
        with open(f"{process}/{name}", "w") as file:
            file.write(text)


_READ = kernel.EXECUTE | kernel.READ_FILE | kernel.READ_DIR
_DEVICE_RIGHTS = kernel.READ_FILE | kernel.WRITE_FILE
_TMP_OPTIONS = "size={},nr_inodes=4096,mode=0777"
_TRUNCATE_ABI = 3
_OWN_PROC = ("auxv", "cgroup", "cmdline", "fd", "maps", "mountinfo", "stat", "statm", "status")
"""Files on a program itself that it may read in the host's /proc, next to the host's network tables."""
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
"""Devices in /dev that a program may use; the others may use all."""


@dataclass
class World:
    """No isolation at all: resource limits only.

    Args:
        read: Folders and files that programs may read and execute.
        scratch: A folder of this launcher's own on the host, where the tier needs one.
        programs_at_once: Number of the caller's launchers, which may all run programs as one user.
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
        self.crowds = self.uid is None and not threads_are_limited()

    def enter(self) -> None:
        self.opened = self._open_shared()
        self.facts.update(landlock=self.abi, uid=self.uid if self.uid is not None else os.geteuid())

    def _choose_user(self) -> None:
        """A user of this launcher's own, if it may become that and then still read what programs read."""
        for self.uid in unused_users():
            # Under /root, say. Landlock's walls are drawn by path and hold whatever the permission bits are.
            for self.search in (False, True):
                if tried(self._reads_as_user):
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
            become(self.uid)
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
        self.uid = next(filter(_can_take_along, unused_users()), None)
        self.crowds = self.uid is None and not threads_are_limited()
        leave_user_namespace(apart, self.uid)

    def enter(self) -> None:
        build_root(self.read, self.place)
        # An environment under /tmp must stay in sight.
        self._kept = [path for path in outermost(self.read) if path.startswith(f"{self.place}/")]
        if self.uid is not None:
            kernel.keep_capabilities()
            become(self.uid)
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
    """Return whether a process may enter a user namespace that has this user, too, and become it."""

    def both() -> None:
        leave_user_namespace(0, user)
        become(user)

    return tried(both)
