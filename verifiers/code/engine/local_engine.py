"""The engine on this machine: launchers that stay warm, and programs that get a sandbox each."""

from __future__ import annotations

import atexit
import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from ...runtime.bounds import Kept
from ...runtime.forks import forgets, new_lock, new_rlock
from ...runtime.pool import available_cores
from ...runtime.process import IN_WORKER, executes, temporary_parent
from ...runtime.threads import GivenUpError, given_up, in_threads, slot, using
from . import runs
from .builds import Built, build, prelude
from .isolation_tiers import choose
from .languages import LANGUAGES, installed_paths, toolchain
from .launcher_process import HostLimitError, Launcher, LauncherError
from .protocol import Cause, Job, Limits, Report, Run
from .turns import Ahead, in_turn

_CACHE_BYTES = 256 << 20
_CANARY = Job("python", "print(int(input()) * 2)", Limits(), stdins=(b"21\n",))


class CompilerError(Exception):
    """A compiler is here and does not work."""


class LocalEngine:
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
        self.size = size or (1 if IN_WORKER in os.environ else available_cores())
        self.modules = tuple(modules)
        self._reset()
        _ENGINES.append(self)
        forgets(self)

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

    def close(self) -> None:
        """End all idle launchers and wait for them. The engine stays usable."""
        with self._lock:
            idle = list(self._idle)
            self._idle.clear()
        for _, launcher in idle:
            self._end(launcher)

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
        with self._launcher(job.language, folder, fresh=fresh) as launcher:
            built = (
                self._built(job, launcher, folder)
                if language.build
                else Built(job.code.encode("utf-8", "replace"))
            )
            if built.failed is not None:
                return (built.failed,) * job.size
            if job.script is not None:
                return in_turn(job, lambda start, left: runs.tests(launcher, job, start, left))
            if job.calls:
                return in_turn(job, lambda start, left: runs.calls(launcher, job, start, left))
            started = {"main": built.main} if built.main else {}
            spare = 0 if fresh else min(self.size, job.size) - 1

            def run(on: Launcher, start: int, left: float) -> runs.Stretch:
                return runs.program(on, job, built.content, start, left, **started)

            with Ahead(run, launcher, job.size, lambda: self._spare(job.language, folder), spare) as ahead:
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
                with self._launcher(language, "") as launcher:
                    self._preludes[language] = prelude(launcher, language)
            return self._preludes[language]

    @contextmanager
    def _launcher(self, language: str, folder: str, *, fresh: bool = False) -> Iterator[Launcher]:
        """A launcher of our own for a while, a new one on request. It is kept only if nothing went wrong."""
        with slot(self._slots), self._held((language, folder), fresh=fresh) as launcher:
            yield launcher

    @contextmanager
    def _spare(self, language: str, folder: str) -> Iterator[Launcher | None]:
        """A launcher that nobody uses now; None if all are in use."""
        if not self._slots.acquire(blocking=False):
            yield None
            return
        try:
            with self._held((language, folder), fresh=False) as launcher:
                yield launcher
        finally:
            self._slots.release()

    @contextmanager
    def _held(self, key: tuple[str, str], *, fresh: bool) -> Iterator[Launcher]:
        launcher = self._take(key, fresh=fresh)
        try:
            with using(launcher):
                yield launcher
        except BaseException:
            self._end(launcher)
            raise
        with self._lock:
            self._idle.append((key, launcher))

    def _take(self, key: tuple[str, str], *, fresh: bool) -> Launcher:
        spare: list[Launcher] = []
        try:
            with self._lock:
                while not fresh and (found := self._idle_one(key)) is not None:
                    if found.alive:
                        return found
                    spare.append(found)
                # A slot is free, so an idle launcher of another language makes room when all are taken.
                if len(self._idle) >= self.size:
                    spare.append(self._idle.pop(0)[1])
        finally:
            for each in spare:
                self._end(each)
        if self._stopped or given_up():
            raise GivenUpError("nobody waits for it any more")
        language, folder = key
        modules = self.modules if language == "python" else ("zipfile",)
        own = self.modules and language == "python"
        reads = [
            *toolchain(language).reads,
            *([folder] if folder else []),
            *(installed_paths(self.modules) if own else ()),
        ]
        launcher = Launcher(self.tier, reads, modules, self.size)
        with self._lock:
            self._launchers.add(launcher)
            if self._stopped:
                launcher.kill()
        return launcher

    def _idle_one(self, key: tuple[str, str]) -> Launcher | None:
        for position, (other, launcher) in enumerate(self._idle):
            if other == key:
                del self._idle[position]
                return launcher
        return None

    def _end(self, launcher: Launcher) -> None:
        with self._lock:
            self._launchers.discard(launcher)
        launcher.end()

    def _stop(self) -> None:
        """End all launchers at once, busy ones too, for good."""
        with self._lock:
            self._stopped = True
            busy = self._launchers - {launcher for _, launcher in self._idle}
        for launcher in busy:
            launcher.kill()
        self.close()

    def after_fork(self) -> None:
        """In a forked child: leave the launchers to the parent, and begin with none."""
        self._reset()

    def _reset(self) -> None:
        self._lock = new_lock()
        self._prelude_lock = new_rlock()
        self._stopped = False
        self._idle: list[tuple[tuple[str, str], Launcher]] = []
        self._launchers: set[Launcher] = set()
        self._slots = threading.Semaphore(self.size)
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
    launchers = [launcher for engine in _ENGINES for launcher in engine._launchers]
    return [launcher.scratch for launcher in launchers if launcher.scratch]


def _close_all() -> None:
    for engine in _ENGINES:
        engine._stop()


atexit.register(_close_all)
