"""What programs take from a host as they run: memory, and what its user may have of timers and the like."""

from __future__ import annotations

import ctypes
import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_LOOK_SECONDS = 0.005
_TRY_EVERY = 10
_PIPE_BYTES = 64 << 10
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass
class Seen:
    """What was seen of the host.

    Args:
        before: MiB of memory that were available.
        least: MiB that were available at the worst moment.
        refused: What this process could not do then, and why.
    """

    before: int
    least: int
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def lost(self) -> int:
        """MiB that were taken, by whomever."""
        return self.before - self.least


@contextmanager
def watched() -> Iterator[Seen]:
    """Look at the host all the time, from a thread."""
    now = available()
    seen, done = Seen(now, now), threading.Event()
    before = refusals()

    def look() -> None:
        turn = 0
        while not done.wait(_LOOK_SECONDS):
            seen.least = min(seen.least, available())
            turn += 1
            if turn % _TRY_EVERY == 0:
                seen.refused |= {what: why for what, why in refusals().items() if what not in before}

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        done.set()
        thread.join()


def available() -> int:
    """MiB of memory that the host has to spare."""
    with open("/proc/meminfo") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) >> 10


def refusals() -> dict[str, str]:
    """What this process cannot do, though any process can: the counters of its user are used up, say."""
    found = {}
    timer = ctypes.c_void_p()
    if _LIBC.timer_create(1, None, ctypes.byref(timer)):
        found["timers"] = os.strerror(ctypes.get_errno())
    else:
        _LIBC.timer_delete(timer)
    with open(os.__file__, "rb") as file:  # programs can read it, too
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # as others may, too
        except OSError as error:
            found["locks"] = str(error)
    try:
        read, write = os.pipe()
        if (size := fcntl.fcntl(write, fcntl.F_GETPIPE_SZ)) < _PIPE_BYTES:
            found["pipes"] = f"a pipe holds {size} bytes"
        os.close(read)
        os.close(write)
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
    except (OSError, RuntimeError) as error:
        found["pipes or threads"] = str(error)
    return found
