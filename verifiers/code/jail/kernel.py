"""The Linux calls that Python has no function for."""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import signal
import struct

_LIBC = ctypes.CDLL(None, use_errno=True)
# Holds the interpreter's lock: after a clone only the calling thread exists, and it must own the lock.
_SYSCALL = ctypes.PyDLL(None, use_errno=True).syscall
_BEFORE_FORK, _AFTER_IN_PARENT, _AFTER_IN_CHILD = (
    getattr(ctypes.pythonapi, f"PyOS_{moment}")
    for moment in ("BeforeFork", "AfterFork_Parent", "AfterFork_Child")
)
for _each in (_BEFORE_FORK, _AFTER_IN_PARENT, _AFTER_IN_CHILD):
    _each.restype = None
_CLONE = {"x86_64": 56, "aarch64": 220}
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

NEW_MOUNTS, NEW_UTS, NEW_IPC = 0x00020000, 0x04000000, 0x08000000
NEW_USER, NEW_PID, NEW_NET = 0x10000000, 0x20000000, 0x40000000

NOSUID, NODEV, NOEXEC, RECURSIVE, PRIVATE = 0x2, 0x4, 0x8, 0x4000, 0x40000
_ATTR_READ_ONLY, _ATTR_NOSUID, _ATTR_NODEV = 0x1, 0x2, 0x4
_AT_EMPTY_PATH, _AT_RECURSIVE, _AT_CWD = 0x1000, 0x8000, -100
_TREE_CLONE, _TREE_CLOEXEC = 1, os.O_CLOEXEC
_MOVE_EMPTY_SOURCE = 0x4
_DETACH = 2

_SET_PDEATHSIG, _SET_DUMPABLE, _CAPBSET_DROP, _SET_SECCOMP = 1, 4, 24, 22
_SET_SUBREAPER, _SET_NO_NEW_PRIVS, _CAP_AMBIENT = 36, 38, 47
_SET_SECUREBITS, _NO_SETUID_FIXUP = 28, 1 << 2
_AMBIENT_RAISE, _AMBIENT_CLEAR = 2, 4
_CAPABILITY_VERSION = 0x20080522
READ_SEARCH = 2
"""CAP_DAC_READ_SEARCH: reading past the permission bits of files and folders."""

# Landlock's access rights on files, by the ABI that brought them.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_ON_PLAIN_FILES = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
_NET_RIGHTS_ABI, _SCOPES_ABI = 4, 6
_NO_LANDLOCK = {
    errno.ENOSYS: "this kernel has no Landlock, as Linux 5.13 and later do, or a seccomp profile hides it",
    errno.EOPNOTSUPP: "Landlock is switched off here: add it to the boot parameter, lsm=landlock,...",
    errno.EPERM: "a seccomp profile refuses Landlock: allow landlock_create_ruleset, landlock_add_rule and "
    "landlock_restrict_self, as the default profiles of current container engines do",
}


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def clone(flags: int) -> int:
    """Fork, into new namespaces where `flags` are given: the child's process id, or 0 in the child.

    The interpreter is told before and after, as `os.fork` tells it: it takes its locks before, and a child
    that gives them back without having them crashes from 3.13 on.

    Raises:
        OSError: The kernel refuses.
    """
    if not flags:
        return os.fork()
    number = _CLONE[os.uname().machine]
    collects = gc.isenabled()
    gc.disable()  # a finalizer could want one of those locks
    _BEFORE_FORK()
    pid: int = _SYSCALL(number, flags | signal.SIGCHLD, 0, 0, 0, 0)
    refused = ctypes.get_errno()
    (_AFTER_IN_PARENT if pid else _AFTER_IN_CHILD)()
    if collects:
        gc.enable()
    if pid < 0:
        raise OSError(refused, f"clone: {os.strerror(refused)}")
    return pid


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    _checked(_LIBC.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Attach a file system, or change one that is attached."""
    name = kind.encode() if kind else None
    _checked(
        _LIBC.mount(source.encode(), target.encode(), name, ctypes.c_ulong(flags), options.encode()),
        f"mount {kind or source} on {target}",
    )


def tree(path: str) -> int:
    """A read-only copy of a mount tree, not attached anywhere yet."""
    flags = _TREE_CLONE | _TREE_CLOEXEC | _AT_RECURSIVE
    descriptor = _checked(_LIBC.syscall(_OPEN_TREE, _AT_CWD, path.encode(), flags), f"open_tree {path}")
    # Devices stay devices: they are single files that are named one by one.
    device = path.startswith(("/dev/", "/proc"))
    attributes = _ATTR_NOSUID if device else _ATTR_READ_ONLY | _ATTR_NOSUID | _ATTR_NODEV
    set_attributes(descriptor, "", attributes, f"mount_setattr {path}")
    return descriptor


def read_only(path: str) -> None:
    """Make the mount at `path` read-only."""
    set_attributes(_AT_CWD, path, _ATTR_READ_ONLY, f"mount_setattr {path}", 0)


def set_attributes(
    descriptor: int, path: str, attributes: int, what: str, flags: int = _AT_EMPTY_PATH | _AT_RECURSIVE
) -> None:
    """Change what may be done on a mount, as mount_setattr(2) does."""
    wanted = struct.pack("=QQQQ", attributes, 0, 0, 0)
    _checked(_LIBC.syscall(_MOUNT_SETATTR, descriptor, path.encode(), flags, wanted, len(wanted)), what)


def attach(descriptor: int, target: str) -> None:
    """Attach a tree that `tree` made."""
    _checked(
        _LIBC.syscall(_MOVE_MOUNT, descriptor, b"", _AT_CWD, target.encode(), _MOVE_EMPTY_SOURCE),
        f"move_mount {target}",
    )


def change_root(path: str) -> None:
    """Make `path` the root of this mount namespace and let go of the old one."""
    os.chdir(path)
    _checked(_LIBC.syscall(_PIVOT_ROOT[os.uname().machine], b".", b"."), "pivot_root")
    _checked(_LIBC.umount2(b".", _DETACH), "umount2")
    os.chdir("/")


def detach(path: str) -> None:
    """Take a file system away, with what is mounted in it; it ends with the last process that uses it."""
    _checked(_LIBC.umount2(path.encode(), _DETACH), "umount2")


def set_hostname(name: str) -> None:
    """Set the machine's name that the program sees."""
    _checked(_LIBC.sethostname(name.encode(), len(name)), "sethostname")


def become_subreaper() -> None:
    """Orphans among the descendants become children of this process."""
    _checked(_LIBC.prctl(_SET_SUBREAPER, 1, 0, 0, 0), "PR_SET_CHILD_SUBREAPER")


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _checked(_LIBC.prctl(_SET_PDEATHSIG, 9, 0, 0, 0), "PR_SET_PDEATHSIG")


def set_dumpable(dumpable: bool) -> None:
    """Set whether processes of the same user may look into this one."""
    _checked(_LIBC.prctl(_SET_DUMPABLE, int(dumpable), 0, 0, 0), "PR_SET_DUMPABLE")


def renounce_privileges() -> None:
    """No program that is executed from here on gains privileges."""
    _checked(_LIBC.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")


def drop_capabilities(keep: int | None = None) -> None:
    """Give up every capability but `keep`, which survives execve too."""
    for capability in range(64):
        if capability != keep and _LIBC.prctl(_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break  # past the last capability of this kernel, or no right to drop: capset below decides
    mask = 0 if keep is None else 1 << keep
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    data = struct.pack("=6I", mask, mask, mask, 0, 0, 0)
    _LIBC.prctl(_CAP_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)
    _checked(_LIBC.capset(header, data), "capset")
    if keep is not None:
        _checked(_LIBC.prctl(_CAP_AMBIENT, _AMBIENT_RAISE, keep, 0, 0), "PR_CAP_AMBIENT_RAISE")


def keep_capabilities() -> None:
    """Keep the capabilities over changes of user, and let access(2), which compilers use, count them."""
    _checked(_LIBC.prctl(_SET_SECUREBITS, _NO_SETUID_FIXUP, 0, 0, 0), "PR_SET_SECUREBITS")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def install_filter(program: bytes) -> None:
    """Put a seccomp filter on this process, for good."""
    buffer = ctypes.create_string_buffer(program, len(program))
    what = _Program(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    _checked(_LIBC.prctl(_SET_SECCOMP, 2, ctypes.byref(what), 0, 0), "PR_SET_SECCOMP")


def landlock_abi() -> int:
    """The Landlock version of this kernel.

    Raises:
        OSError: There is none, it is switched off, or a filter hides it; the message says what to do.
    """
    abi: int = _LIBC.syscall(_LANDLOCK_CREATE, None, 0, 1)
    if abi < 0:
        number = ctypes.get_errno()
        raise OSError(_NO_LANDLOCK.get(number, f"Landlock: {os.strerror(number)}"))
    return abi


def landlock(abi: int, rules: list[tuple[int, int]]) -> None:
    """Allow this process the given rights beneath the given folders or files, and nothing else, for good.

    Args:
        abi: Result of `landlock_abi`.
        rules: (descriptor of a folder or file, access rights); `writable` gives all rights.
    """
    handled = writable(abi)
    net = 3 if abi >= _NET_RIGHTS_ABI else 0
    scopes = 3 if abi >= _SCOPES_ABI else 0
    attributes = struct.pack("=QQQ", handled, net, scopes)
    size = 24 if abi >= _SCOPES_ABI else 16 if abi >= _NET_RIGHTS_ABI else 8
    ruleset = _checked(_LIBC.syscall(_LANDLOCK_CREATE, attributes, size, 0), "landlock_create_ruleset")
    for descriptor, rights in rules:
        fitting = rights & handled & (handled if is_folder(descriptor) else _ON_PLAIN_FILES)
        rule = struct.pack("=Qi", fitting, descriptor)
        _checked(_LIBC.syscall(_LANDLOCK_ADD, ruleset, 1, rule, 0), "landlock_add_rule")
    _checked(_LIBC.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


def writable(abi: int) -> int:
    """All rights on files that this version of Landlock knows."""
    return sum(rights for version, rights in _FILE_RIGHTS.items() if abi >= version)


def is_folder(descriptor: int) -> bool:
    """Return whether a descriptor stands for a folder."""
    return os.fstat(descriptor).st_mode & 0o170000 == 0o040000
