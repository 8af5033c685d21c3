"""Which user programs run as: found out by trying, since user 0 may have no capabilities, and others some."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Callable, Iterator

from . import kernel

_FIRST_UID, _FEW_UIDS = 1 << 30, 60_000


def tried(action: Callable[[], object]) -> bool:
    """Whether a child process gets through an action, which it takes in this one's stead."""
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
    """Whether RLIMIT_NPROC binds programs of this process's user: that of the host's user 0 binds nobody."""
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
