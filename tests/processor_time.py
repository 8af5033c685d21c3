"""What tests cost in processor time: a test that `make test` runs may not take long by itself.

A plug-in of pytest. The clock on the wall says nothing on a busy machine; the processor time of this process, of
the processes that a test has waited for and of the servers of `tests.forks` does.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from tests import forks
from tests.timing import SOAK, children_seconds, within

ALONE = 3.0
"""Seconds of processor time, on a quiet core, from which on a test is marked ``slow``: see CONTRIBUTING.md."""
TOLERATED = 4.0
"""How many times as much a test may take before it fails: cores differ, and neighbours slow each other down."""
LOOKED = 2.0
"""Seconds for which it is taken as known what earlier processes have used."""
_BEGAN = pytest.StashKey[float]()


def spent() -> float:
    """Seconds so far, of this process, of the children that it has waited for, and of the servers of `tests.forks`."""
    return time.process_time() + children_seconds() + forks.seconds()


class Earlier:
    """What processes have used that were there before a test: if it ends one of them, all of that is counted then."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._looked = -LOOKED

    def look(self) -> None:
        """Take note, unless that was done a moment ago: to read /proc for each test would take a minute in all."""
        if time.monotonic() - self._looked >= LOOKED:
            self._seconds, self._looked = _descendants(), time.monotonic()

    def gone(self) -> float:
        """Seconds of those that have ended since."""
        there = _descendants()
        return sum(seconds for pid, seconds in self._seconds.items() if pid not in there)


def _descendants() -> dict[int, float]:
    """Seconds that each process below this one has used, with those that it has waited for."""
    found: dict[int, tuple[int, float]] = {}
    listed = os.listdir("/proc") if os.path.isdir("/proc") else []
    for name in filter(str.isdigit, listed):
        with contextlib.suppress(OSError):  # it has ended since
            said = Path("/proc", name, "stat").read_text(encoding="utf-8", errors="replace")
            fields = said.rpartition(")")[2].split()
            found[int(name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    own = {os.getpid()}
    while more := {pid for pid, (parent, _) in found.items() if parent in own} - own:
        own |= more
    return {pid: found[pid][1] for pid in own - {os.getpid()}}


TICKS = os.sysconf("SC_CLK_TCK")
_EARLIER = Earlier()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """A fixture that is made for a test is part of what it takes."""
    _EARLIER.look()
    item.stash[_BEGAN] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail what passed and took too much."""
    yield
    seconds, most = spent() - item.stash[_BEGAN], TOLERATED * ALONE
    if SOAK or item.get_closest_marker("slow") or seconds < most or within(seconds - _EARLIER.gone(), most):
        return
    pytest.fail(
        f"it took {seconds:.0f} s of processor time: mark it `slow`, which is for what takes more than {ALONE:g} s "
        "(CONTRIBUTING.md), or make it faster",
        pytrace=False,
    )


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say what the run took, its processes included; on a machine that does nothing else that is cores × time."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput") and not config.option.collectonly:
        reporter.write_line(f"processor time: {spent():.0f} s")
