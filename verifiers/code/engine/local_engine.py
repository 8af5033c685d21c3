"""The engine on this machine: launchers that stay warm, and programs that get a sandbox each.

The runs of one program are made one after the other, or spread over launchers that are idle, within one
budget.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

from ...errors import VerifierError
from ...runtime.bounds import Kept
from ...runtime.forks import new_lock, new_rlock
from ...runtime.pool import GivenUpError, Supervisor, available_cores, in_threads
from ...runtime.worker_process import IN_WORKER, executes, temporary_parent
from . import program_runs
from .builds import Built, build, prelude
from .isolation_tiers import choose
from .launcher_process import HostLimitError, Launcher, LauncherError
from .program_languages import LANGUAGES, installed_paths, toolchain
from .program_runs import Stretch, tell
from .protocol import Cause, Job, Limits, Report, Run

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
        size: Number of runs.
        spare: Lends another launcher, or None if none is idle.
        most: Largest number to take.
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


_CACHE_BYTES = 256 << 20
_CANARY = Job("python", "print(int(input()) * 2)", Limits(), stdins=(b"21\n",))


class CompilerError(Exception):
    """A compiler is here and does not work."""


class LocalEngine(Supervisor[tuple[str, str], Launcher]):
    """Runs jobs in sandboxes of this machine.

    Usable from any thread; after a fork the child process gets launchers of its own.

    Args:
        isolation: "auto" for the strongest tier that works here, "full" or "unprivileged" for that one, or
            "none" for programs that are trusted.
        size: Most programs at a time; None for one per core that this process may use, and for one in a
            worker process of this library, of which there is one per core.
        modules: Third-party modules that Python programs may import; they are loaded beforehand.
    """

    def __init__(self, isolation: str = "auto", size: int | None = None, modules: Sequence[str] = ()) -> None:
        self.isolation = isolation
        self.modules = tuple(modules)
        super().__init__(size or (1 if IN_WORKER in os.environ else available_cores()))
        _ENGINES.append(self)

    @property
    def tier(self) -> str:
        """The tier that works here.

        Raises:
            SandboxError: No tier works, or the requested one does not; the message says why and what to do.
        """
        return choose(self.isolation)

    def run(self, jobs: Sequence[Job]) -> list[Report]:
        tier = self.tier
        if len(jobs) <= 1:
            return [self._report(job, tier) for job in jobs]
        return in_threads([partial(self._report, job, tier) for job in jobs], min(self.size, len(jobs)))

    # ------------------------------------------------------------------------------------------

    def _report(self, job: Job, tier: str) -> Report:
        missing = toolchain(job.language).missing or _not_executable(job.language, tier)
        if missing:
            return Report(isolation=tier, unavailable=missing)
        try:
            return self._tried(job, tier)
        except GivenUpError as error:
            return Report(isolation=tier, error=str(error))

    def _tried(self, job: Job, tier: str) -> Report:
        error = ""
        for fresh in (False, True):
            try:
                return Report(self._runs(job, fresh=fresh), tier)
            except (CompilerError, HostLimitError) as broken:
                return Report(isolation=tier, error=str(broken))
            except (LauncherError, OSError) as broken:
                # Once more, in a fresh launcher, to tell whether this program or this machine is the cause.
                error = str(broken)
        try:
            [healthy] = self._runs(_CANARY, fresh=True)
        except (LauncherError, OSError) as broken:
            return Report(isolation=tier, error=f"sandboxes break here: {broken}")
        if healthy.output != b"42\n":
            return Report(isolation=tier, error=f"sandboxes break here: {healthy.cause} {healthy.detail}")
        return Report((Run(Cause.BROKE_SANDBOX, detail=error),) * job.size, tier)

    def _runs(self, job: Job, *, fresh: bool) -> tuple[Run, ...]:
        language = LANGUAGES[job.language]
        folder = self._prelude(job.language) if language.prelude else ""
        with self._held((job.language, folder), fresh=fresh) as launcher:
            built = (
                self._built(job, launcher, folder)
                if language.build
                else Built(job.code.encode("utf-8", "replace"))
            )
            if built.failed is not None:
                return (built.failed,) * job.size
            if job.script is not None:
                return in_turn(job, lambda start, left: program_runs.tests(launcher, job, start, left))
            if job.calls:
                return in_turn(job, lambda start, left: program_runs.calls(launcher, job, start, left))
            started = {"main": built.main} if built.main else {}
            spare = 0 if fresh else min(self.size, job.size) - 1

            def run(on: Launcher, start: int, left: float) -> program_runs.Stretch:
                return program_runs.program(on, job, built.content, start, left, **started)

            with Ahead(run, launcher, job.size, lambda: self._spare((job.language, folder)), spare) as ahead:
                return in_turn(job, ahead.take)

    def _built(self, job: Job, launcher: Launcher, folder: str) -> Built:
        limits = (job.language, job.limits.memory, job.limits.compile_seconds)
        key = (*limits, hashlib.sha256(job.code.encode("utf-8", "surrogatepass")).digest())
        if (known := self._builds.get(key)) is not None:
            return known
        made = build(launcher, job.language, job.code, folder, job.limits)
        if made.failed is None:
            self._compilers.add(limits)
        elif limits not in self._compilers:
            # A program is to blame only where a plain one compiles, within the same limits.
            plain = build(launcher, job.language, LANGUAGES[job.language].plain, folder, job.limits)
            if plain.failed is not None:
                raise CompilerError(
                    f"{toolchain(job.language).executable} does not even compile a plain program here: "
                    f"{plain.failed.detail} {plain.failed.errors[-300:].decode('utf-8', 'replace')}".strip()
                )
            self._compilers.add(limits)
        self._builds.put(key, made, made.weight)
        return made

    def _prelude(self, language: str) -> str:
        with self._prelude_lock:
            if language not in self._preludes:
                with self._held((language, "")) as launcher:
                    self._preludes[language] = prelude(launcher, language)
            return self._preludes[language]

    def _start(self, kind: tuple[str, str]) -> Launcher:
        language, folder = kind
        modules = self.modules if language == "python" else ("zipfile",)
        own = self.modules and language == "python"
        reads = [
            *toolchain(language).reads,
            *([folder] if folder else []),
            *(installed_paths(self.modules) if own else ()),
        ]
        return Launcher(self.tier, reads, modules, self.size)

    def _reset(self) -> None:
        super()._reset()
        self._prelude_lock = new_rlock()
        self._builds = Kept[Built](_CACHE_BYTES)
        self._compilers: set[tuple[str, int, float]] = set()  # with limits in which they have worked
        self._preludes: dict[str, str] = {}


def _not_executable(language: str, tier: str) -> str:
    """Why compiled programs cannot be started here, where they lie on a file system of the host."""
    if tier == "full" or not LANGUAGES[language].build or not LANGUAGES[language].run[0].startswith("./"):
        return ""
    folder = temporary_parent()
    if executes(folder):
        return ""
    return f"{folder} is mounted noexec, so {language} programs cannot be run; set TMPDIR to another folder"


_ENGINES: list[LocalEngine] = []
_shared: dict[tuple[str, tuple[str, ...]], LocalEngine] = {}
_shared_lock = new_lock()


def shared_engine(isolation: str = "auto", modules: tuple[str, ...] = ()) -> LocalEngine:
    """The engine that all verifiers of this process with the same settings use."""
    with _shared_lock:
        key = (isolation, modules)
        if key not in _shared:
            _shared[key] = LocalEngine(isolation, modules=modules)
        return _shared[key]


def scratch_folders() -> list[str]:
    """The folders on the host in which programs of this process start, where the tier needs any."""
    launchers = [launcher for engine in _ENGINES for launcher in engine._workers]
    return [launcher.scratch for launcher in launchers if launcher.scratch]
