"""The runs of one program: one after the other, or spread over launchers that are idle, within one budget."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from ...errors import VerifierError
from .launcher_process import Launcher
from .protocol import Cause, Job, Run
from .runs import Stretch, tell

MAX_TIMEOUTS = 3
"""After so many runs that used up their processor time, the rest of a program's runs are given up."""
SPREAD_SECONDS = 1.0
"""Runs are spread over idle launchers where the rest of them is expected to take longer than that."""
_AHEAD = 2
"""So many runs for each launcher may be waiting to be told of: their outputs are held."""
_ASK_SECONDS = 0.05


def in_turn(job: Job, run: Callable[[int, float], Stretch]) -> tuple[Run, ...]:
    """All runs of a job, told of in their order.

    Args:
        job: The job.
        run: Makes one or more of them from a given position on, within so many seconds of the budget.
    """
    budget = math.inf if job.limits.budget_seconds is None else job.limits.budget_seconds
    done: list[Run] = []
    timeouts, spent = 0, 0.0
    while len(done) < job.size:
        first = len(done)
        stretch = run(first, budget - spent)
        if stretch.runs[-1].cause is Cause.WALL_TIME and not stretch.sure:
            # The machine may be loaded, so it may have been kept from running.
            before = stretch
            stretch = run(first + len(before.runs) - 1, budget - spent)
            stretch.runs[:0], stretch.told = before.runs[:-1], stretch.told + before.told
        spent += stretch.seconds
        if (
            spent > budget
            and stretch.told < len(stretch.runs)
            and stretch.runs[-1].cause is not Cause.NOT_RUN
        ):
            # Whether it was ended for that or had just come to its end depends on nothing but chance.
            stretch.runs[-1] = Run(Cause.OVER_BUDGET, detail=f"of {budget:g} seconds for all tests")
        wanted = True
        for offset, each in enumerate(stretch.runs):
            if offset >= stretch.told:
                each, wanted = tell(job, first + offset, each)  # noqa: PLW2901
            done.append(each)
            timeouts += each.cause is Cause.CPU_TIME
        last = done[-1]
        if stretch.rest_alike:
            done += [tell(job, position, last)[0] for position in range(len(done), job.size)]
        elif (
            not wanted
            or timeouts >= MAX_TIMEOUTS
            or spent >= budget
            # A program that waits does so at every test.
            or last.cause in (Cause.WALL_TIME, Cause.OVER_BUDGET, Cause.NOT_RUN)
        ):
            done += [Run(Cause.NOT_RUN)] * (job.size - len(done))
    return tuple(done[: job.size])


class Ahead:
    """Runs on one input each, which idle launchers make while earlier ones are still under way.

    What a run finds does not depend on others, and they are told of in their order all the same, so that this
    changes how long a job takes and nothing else.

    Args:
        run: Makes one run with a launcher.
        launcher: The job's own.
        size: How many runs there are.
        spare: Lends another launcher, or None if none is idle.
        most: How many of these are taken.
    """

    def __init__(
        self,
        run: Callable[[Launcher, int, float], Stretch],
        launcher: Launcher,
        size: int,
        spare: Callable[[], AbstractContextManager[Launcher | None]],
        most: int,
    ) -> None:
        self._run, self._launcher, self._size, self._spare, self._most = run, launcher, size, spare, most
        self._changed = threading.Condition()
        self._running: set[int] = set()
        self._found: dict[int, Stretch] = {}
        self._wanted, self._left, self._seconds = 0, math.inf, 0.0
        self._stopped = False
        self._helpers: list[threading.Thread] = []
        self._lent: set[Launcher] = set()

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *_: object) -> None:
        """End what runs ahead and is not wanted any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        for helper in self._helpers:
            while helper.is_alive():
                with self._changed:
                    for launcher in self._lent:
                        launcher.kill_last()
                helper.join(_ASK_SECONDS)

    def take(self, position: int, left: float) -> Stretch:
        """The run at a position; the next ones are begun meanwhile."""
        with self._changed:
            self._wanted, self._left = position, left
        self._get_help()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: position in self._found or self._next() is not None)
                if position in self._found:
                    self._wanted = position + 1
                    self._changed.notify_all()
                    return self._found.pop(position)
                mine = self._begin()
            started = time.monotonic()
            self._end(mine, self._run(self._launcher, mine, left))
            self._seconds = time.monotonic() - started

    def _get_help(self) -> None:
        self._helpers = [helper for helper in self._helpers if helper.is_alive()]
        rest = self._size - self._wanted - 1
        if self._seconds * rest >= SPREAD_SECONDS and len(self._helpers) < min(self._most, rest):
            self._helpers.append(threading.Thread(target=self._help, daemon=True))
            self._helpers[-1].start()

    def _help(self) -> None:
        """Make runs with a launcher that is idle; those that break are left to the job's own."""
        with contextlib.suppress(VerifierError, OSError), self._spare() as launcher:
            if launcher is not None:
                self._help_with(launcher)

    def _help_with(self, launcher: Launcher) -> None:
        mine = -1
        try:
            while True:
                with self._changed:
                    self._lent.add(launcher)
                    self._changed.wait_for(lambda: self._over or self._next() is not None)
                    if self._over:
                        return
                    mine = self._begin()
                self._end(mine, self._run(launcher, mine, self._left))
                mine = -1
        finally:
            with self._changed:
                # Before it is given back: what it runs after that is another job's, and none of ours to end.
                self._lent.discard(launcher)
                self._running.discard(mine)
                self._changed.notify_all()

    @property
    def _over(self) -> bool:
        return self._stopped or all(
            each in self._running or each in self._found for each in range(self._wanted, self._size)
        )

    def _next(self) -> int | None:
        """The next run that nobody has begun and that may be held until it is wanted."""
        end = min(self._size, self._wanted + _AHEAD * (len(self._helpers) + 1))
        free = (each for each in range(self._wanted, end) if each not in self._running | self._found.keys())
        return next(free, None)

    def _begin(self) -> int:
        mine = self._next()
        if mine is None:
            raise ValueError("every run has been begun")
        self._running.add(mine)
        return mine

    def _end(self, mine: int, stretch: Stretch) -> None:
        with self._changed:
            self._running.discard(mine)
            self._found[mine] = stretch
            self._changed.notify_all()
