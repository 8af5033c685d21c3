"""A control group for programs, where somebody has delegated the means to make one.

The kernel charges to it all that they make it hold, buffers, tables and files among it. Where there is none,
as in most containers, limits and a meter bound the same (`verifiers.code.jail.resources`).

Source: Linux Documentation/admin-guide/cgroup-v2.rst, "Delegation"; systemd's docs/CGROUP_DELEGATION.md.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

MOUNT = Path("/sys/fs/cgroup")
PREFIX = "reward-verifiers-"
_SYSTEMD = Path("/run/systemd/system")
_DELEGATED = ("user.delegate", "trusted.delegate")
_TRIES, _PAUSE_SECONDS = 20, 0.02
_numbers = itertools.count()


class ControlGroup:
    """A control group of version 2 that limits memory.

    Args:
        folder: One that exists, is empty, and is ours.

    Raises:
        OSError: It cannot be set up.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.descriptors: list[int] = []
        try:
            with contextlib.suppress(FileNotFoundError):  # a kernel without swap
                _write(folder / "memory.swap.max", "0")
            _write(folder / "memory.oom.group", "1")
            for name, flags in (
                ("cgroup.procs", os.O_WRONLY),
                ("memory.max", os.O_WRONLY),
                ("memory.events", os.O_RDONLY),
            ):
                self.descriptors.append(os.open(folder / name, flags | os.O_CLOEXEC))
        except OSError:
            self.remove()
            raise

    def close(self) -> None:
        """Let go of its files, which a child process has by now."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []

    def remove(self) -> None:
        """Remove it, once its last process is gone."""
        self.close()
        for _ in range(_TRIES):
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(_PAUSE_SECONDS)
            else:
                return


def new_group() -> ControlGroup | None:
    """A control group for programs of this process; None where none that limits memory may be made."""
    above = delegated()
    if above is None:
        return None
    _sweep(above)
    folder = above / f"{PREFIX}{os.getpid()}-{next(_numbers)}"
    try:
        folder.mkdir()
        return ControlGroup(folder)
    except OSError:
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None


def delegated(mount: Path = MOUNT, own: str | None = None) -> Path | None:
    """The nearest folder at or above this process's group in which groups that limit memory may be made.

    Args:
        mount: Where the hierarchy is mounted.
        own: This process's group; None to ask the kernel.
    """
    try:
        if own is None:
            lines = Path("/proc/self/cgroup").read_text().splitlines()
            own = next(line.removeprefix("0::") for line in lines if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    for folder in _upwards(mount, own):
        try:
            limited = "memory" in (folder / "cgroup.subtree_control").read_text().split()
        except OSError:
            return None
        if limited and _ours(folder):
            return folder
    return None


def _write(path: Path, text: str) -> None:
    """Write to a file that is there."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _upwards(mount: Path, own: str) -> Iterator[Path]:
    parts = [part for part in own.split("/") if part]
    if ".." not in parts:  # not above what is mounted here
        for count in range(len(parts), -1, -1):
            yield mount.joinpath(*parts[:count])


def _ours(folder: Path) -> bool:
    """Whether we may make groups there: what root can write to is not therefore given to it."""
    if not all(os.access(path, os.W_OK) for path in (folder, folder / "cgroup.procs")):
        return False
    if os.geteuid() != 0 or not _SYSTEMD.is_dir():
        return True
    for name in _DELEGATED:
        with contextlib.suppress(OSError):
            return os.getxattr(folder, name) == b"1"
    return False


def _sweep(above: Path) -> None:
    """Remove groups of processes that were killed before they could."""
    with contextlib.suppress(OSError):
        for entry in above.glob(f"{PREFIX}*"):
            owner = entry.name.removeprefix(PREFIX).partition("-")[0]
            if not os.path.exists(f"/proc/{owner}"):
                with contextlib.suppress(OSError):
                    entry.rmdir()
