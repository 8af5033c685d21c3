"""The file system and the user of the full tier."""

from __future__ import annotations

import os

from . import kernel

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""What a program finds in /dev."""
_MOUNT_POINTS = ("/tmp", "/mnt", "/usr")  # noqa: S108
"""Any folder will do: what is in it is covered in this mount namespace only, and not needed any more."""


def build_root(read: list[str], place: str) -> None:
    """A root that holds the given folders read-only, a few devices, and nothing else of the host.

    Args:
        read: The folders.
        place: Where each program gets a file system of its own.
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
