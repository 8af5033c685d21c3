"""The runs of a program: their order, their budget, and launchers that help."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from tests.support import first_of_each
from tests.timing import HANG
from verifiers import CodePassRate
from verifiers.code.engine import isolation_tiers, local_engine, program_runs
from verifiers.code.engine.launcher_process import Launcher, LauncherError
from verifiers.code.engine.local_engine import SPREAD_SECONDS, Ahead, in_turn
from verifiers.code.engine.program_runs import Stretch
from verifiers.code.engine.protocol import Cause, Job, Limits, Run
from verifiers.core.verdicts import Sample

PRINTS = {"stdio": [{"output": "1"}] * 12}
CALLS = {"calls": [{"function": "f", "args": [1], "expected": 1}] * 12}
ASSERTS = {"asserts": ["found = f(1)\nassert found == 1"] * 12}


@pytest.mark.parametrize(
    ("what", "tests"), first_of_each({"print": PRINTS, "call": CALLS, "assert": ASSERTS}.items())
)
@pytest.mark.parametrize("how", ["time.sleep(0.3)", "while time.process_time() - began < 0.3: pass"])
def test_all_tests_together_have_a_budget(what: str, tests: dict[str, Any], how: str) -> None:
    """Of processor time and waiting; what came before it was used up is paid."""
    body = f"began = time.process_time()\n    {how}\n    return 1"
    program = f"import time\ndef f(n):\n    {body}\n" + ("print(f(1))\n" if what == "print" else "")
    verdict = CodePassRate(budget=1.0).verify(f"```python\n{program}```", tests)
    assert verdict.reason == "over_budget", verdict.detail
    assert verdict.score is not None
    assert 0 < verdict.score <= 4 / 12
    reasons = [part.reason for part in verdict.parts]
    assert reasons == sorted(reasons, key=["passed", "over_budget", "not_run"].index)
    assert reasons.count("over_budget") == 1


def test_the_budget_follows_limits_and_tests() -> None:
    """Ten times the limit of a test, or half of it for each; the problem's own limit comes first."""
    asked = CodePassRate(timeout=2.0)._asked
    for tests, expected in [
        ({"stdio": [{"output": "1"}]}, 20.0),
        ({"stdio": [{"output": "1"}] * 100}, 100.0),
        ({"stdio": [{"output": "1"}] * 100, "time_limit": 1.0}, 50.0),
    ]:
        [job] = asked(_sample(tests)).plan.jobs
        assert job.limits.budget_seconds == expected
    both = {**CALLS, "stdio": [{"output": "1"}] * 4}
    jobs = CodePassRate(budget=8.0)._asked(_sample(both)).plan.jobs
    assert sorted(job.limits.budget_seconds or 0 for job in jobs) == [2.0, 6.0]


def test_a_program_that_waits_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel says that nobody kept it waiting, so the limit need not be confirmed."""
    isolation_tiers.choose("auto")  # which runs programs of its own
    seen: list[int] = []
    honest = program_runs.program

    def noted(launcher: Launcher, job: Job, content: bytes, position: int, left: float) -> Stretch:
        seen.append(position)
        return honest(launcher, job, content, position, left)

    monkeypatch.setattr(program_runs, "program", noted)
    started = time.monotonic()
    verdict = CodePassRate(timeout=0.3).verify("```python\nimport time\ntime.sleep(99)\n```", PRINTS)
    assert verdict.reason == "wall_time", verdict.detail
    assert time.monotonic() - started >= 1.9
    assert seen.count(0) == 1, "nothing was in doubt"


def _sample(tests: dict[str, Any]) -> Sample:
    return Sample("", "", reference=tests)


# Helpers -------------------------------------------------------------------------------------------

OWN, LENT = (cast("Launcher", type("Fake", (), {"kill_last": lambda _: None})()) for _ in range(2))


class _Work:
    """Runs that are made at once or when they are allowed to, and launchers that are lent."""

    def __init__(self) -> None:
        self.made: list[tuple[int, Launcher]] = []
        self.given_back = 0
        self.fails: set[Launcher] = set()
        self.first_lasts = SPREAD_SECONDS
        self.helped: threading.Event | None = None

    def run(self, launcher: Launcher, position: int, _left: float) -> Stretch:
        self.made.append((position, launcher))
        if self.helped is not None:
            if launcher is not OWN:
                self.helped.set()
            elif position > 0:  # by then help is sought, and on a busy machine it may take its time
                assert self.helped.wait(HANG)
        if launcher in self.fails:
            raise LauncherError("broken")
        time.sleep(self.first_lasts / 4 if position == 0 else 0.02)
        return Stretch([Run(Cause.OK, output=b"%d" % position)], seconds=0.5)

    @contextmanager
    def lend(self) -> Iterator[Launcher | None]:
        try:
            yield LENT
        finally:
            self.given_back += 1

    def job(self, size: int, told: list[int], stop: int = 99, budget: float | None = None) -> Job:
        def hear(position: int, run: Run) -> bool:
            told.append(position)
            assert run.cause is not Cause.OK or run.output == b"%d" % position
            return position < stop

        limits = Limits(budget_seconds=budget)
        return Job("python", "", limits, stdins=(b"",) * size, go_on=hear)


def test_idle_launchers_help_and_nothing_else_changes() -> None:
    """Runs are told of in order, each once; what was lent is given back."""
    work, told = _Work(), list[int]()
    work.helped = threading.Event()
    with Ahead(work.run, OWN, 12, work.lend, 1) as ahead:
        runs = in_turn(work.job(12, told), ahead.take)
    assert told == list(range(12))
    assert [run.cause for run in runs] == [Cause.OK] * 12
    assert sorted(position for position, _ in work.made) == list(range(12))
    assert {launcher for _, launcher in work.made} == {OWN, LENT}
    assert work.given_back == 1


def test_help_is_not_sought_for_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_engine, "SPREAD_SECONDS", HANG)  # on a busy machine little work takes long
    work, told = _Work(), list[int]()
    with Ahead(work.run, OWN, 12, work.lend, 1) as ahead:
        in_turn(work.job(12, told), ahead.take)
    assert {launcher for _, launcher in work.made} == {OWN}


def test_what_a_helper_breaks_is_done_again() -> None:
    """By the job's own launcher: only what breaks there is the program's doing."""
    work, told = _Work(), list[int]()
    work.fails, work.helped = {LENT}, threading.Event()
    with Ahead(work.run, OWN, 6, work.lend, 1) as ahead:
        runs = in_turn(work.job(6, told), ahead.take)
    assert told == list(range(6))
    assert [run.cause for run in runs] == [Cause.OK] * 6


def test_a_launcher_that_was_given_back_is_left_alone() -> None:
    """Giving it back may take a moment, and what it runs from then on is another job's."""
    work, given_back, ended = _Work(), threading.Event(), list[bool]()
    work.helped = threading.Event()
    lent = cast("Launcher", type("Fake", (), {"kill_last": lambda _: ended.append(given_back.is_set())})())

    @contextmanager
    def lend() -> Iterator[Launcher | None]:
        try:
            yield lent
        finally:
            given_back.set()
            time.sleep(0.3)

    with Ahead(work.run, OWN, 12, lend, 1) as ahead:
        in_turn(work.job(12, [], stop=3), ahead.take)
    assert lent in {launcher for _, launcher in work.made}
    assert given_back.is_set()
    assert True not in ended


@pytest.mark.parametrize(("stop", "budget", "causes"), [
    (3, None, [Cause.OK] * 4 + [Cause.NOT_RUN] * 8),
    (99, 2.2, [Cause.OK] * 4 + [Cause.OVER_BUDGET] + [Cause.NOT_RUN] * 7),
])  # fmt: skip
def test_what_ran_ahead_is_dropped(stop: int, budget: float | None, causes: list[Cause]) -> None:
    """The verdict is that of runs one after the other, and no thread is left."""
    threads = threading.active_count()
    for helpers in (0, 1):
        work, told = _Work(), list[int]()
        with Ahead(work.run, OWN, 12, work.lend, helpers) as ahead:
            runs = in_turn(work.job(12, told, stop, budget), ahead.take)
        assert [run.cause for run in runs] == causes
        assert told == list(range(causes.index(Cause.NOT_RUN)))
    assert threading.active_count() == threads
