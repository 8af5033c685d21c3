"""What tests cost in processor time: a test that `make test` runs may not take long by itself.

A plug-in of pytest. The clock on the wall says nothing on a busy machine; the processor time of this process, of
the processes that a test has waited for and of the servers of `tests.forks` does.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

from tests import forks
from tests.timing import SOAK, within

ALONE = 5.0
"""Seconds of processor time, on a quiet core, from which on a test is marked ``slow``: see CONTRIBUTING.md."""
TOLERATED = 3.0
"""How many times as much a test may take before it fails: cores differ, and neighbours slow each other down."""
_BEGAN = pytest.StashKey[float]()


def spent() -> float:
    """Seconds so far, of this process and of its children."""
    return sum(os.times()[:4]) + forks.seconds()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """A fixture that is made for a test is part of what it takes."""
    item.stash[_BEGAN] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail what passed and took too much."""
    yield
    seconds = spent() - item.stash[_BEGAN]
    if SOAK or item.get_closest_marker("slow") or within(seconds, TOLERATED * ALONE):
        return
    pytest.fail(
        f"it took {seconds:.0f} s of processor time: mark it `slow`, which is for what takes more than {ALONE:g} s "
        "(CONTRIBUTING.md, Tests), or make it faster",
        pytrace=False,
    )


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say what the run took, its processes included; on a machine that does nothing else that is cores × time."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput") and not config.option.collectonly:
        reporter.write_line(f"processor time: {spent():.0f} s")
