"""The engine keeps its promises when things go wrong around it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support import first_of_each, from_table
from tests.timing import until
from verifiers import CodePassRate, ConfigError, SandboxError, Status
from verifiers.code import Call, Cause, Job, Limits, LocalEngine, Run
from verifiers.code.engine import isolation_tiers, local_engine, program_runs
from verifiers.code.engine.launcher_process import Launcher, LauncherError
from verifiers.code.engine.program_runs import Stretch

ECHO = "print(int(input()) * 2)"
TIERS = ("full", "unprivileged")


def _numbers(count: int) -> tuple[bytes, ...]:
    return tuple(b"%d\n" % number for number in range(count))


@pytest.fixture(params=first_of_each(TIERS))
def engine(request: pytest.FixtureRequest) -> Iterator[LocalEngine]:
    found = LocalEngine(request.param, size=2)
    yield found
    found.close()


def test_reports_come_in_order(engine: LocalEngine) -> None:
    """Whatever finishes first."""
    code = "import time\nn = int(input())\ntime.sleep(0.02 * (n % 3))\nprint(n)"
    jobs = [Job("python", code, stdins=(b"%d\n" % n,)) for n in range(12)]
    assert [report.runs[0].output for report in engine.run(jobs)] == [b"%d\n" % n for n in range(12)]


def test_every_input_gets_a_fresh_process(engine: LocalEngine) -> None:
    """What a run changes, the next one does not see."""
    code = "import json, os\nprint(getattr(json, 'mark', 0), os.path.exists('mark'))\njson.mark = 1\nopen('mark', 'w')"
    [report] = engine.run([Job("python", code, stdins=_numbers(3))])
    assert {run.output for run in report.runs} == {b"0 False\n"}


def test_programs_see_no_environment_and_no_arguments(engine: LocalEngine) -> None:
    """The launcher is started with none; a program has a home, its empty working folder."""
    code = "import os, sys\nprint(sorted(os.environ), sys.argv)"
    [report] = engine.run([Job("python", code, stdins=(b"",))])
    assert report.runs[0].output == b"['HOME'] ['main.py']\n"


def test_a_launcher_that_died_is_replaced(engine: LocalEngine) -> None:
    """Between two jobs, all of them at once, and in the middle of one."""
    job = Job("python", "import time\ntime.sleep(0.5)\n" + ECHO, stdins=(b"21\n",))
    for _ in range(2):
        reports = engine.run([job] * 2)
        assert [report.runs[0].output for report in reports] == [b"42\n"] * 2
        assert len(engine._workers) == 2
        for launcher in list(engine._workers):
            os.kill(launcher.pid, signal.SIGKILL)
    engine.run([job])

    def assassinate() -> None:
        time.sleep(0.2)
        for launcher in list(engine._workers):
            os.kill(launcher.pid, signal.SIGKILL)

    murderer = threading.Thread(target=assassinate)
    murderer.start()
    assert engine.run([job])[0].runs[0].output == b"42\n"
    murderer.join()


def test_a_machine_that_breaks_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not a wrong answer: nothing is said about the program."""

    def broken(*_arguments: object, **_keywords: object) -> None:
        raise LauncherError("no more processes")

    monkeypatch.setattr(local_engine, "Launcher", broken)
    monkeypatch.setattr(local_engine, "_shared", {})
    verdict = CodePassRate().verify(f"```python\n{ECHO}\n```", {"stdio": [{"input": "2", "output": "4"}]})
    assert (verdict.status, verdict.reason) == (Status.FAULT, "sandbox")
    assert "no more processes" in verdict.detail


def test_a_program_that_breaks_its_sandbox_earns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice, while the canary is in good health."""
    honest = program_runs.program

    def fragile(launcher: Launcher, job: Job, content: bytes, position: int, left: float) -> Stretch:
        if "break" in job.code:
            raise LauncherError("gone")
        return honest(launcher, job, content, position, left)

    isolation_tiers.choose("auto")  # which runs programs of its own
    monkeypatch.setattr(program_runs, "program", fragile)
    verdict = CodePassRate().verify("```python\nbreak\n```", {"stdio": [{"input": "2", "output": "4"}]})
    assert (verdict.score, verdict.reason) == (0.0, "broke_sandbox")


def test_waiting_of_which_nothing_is_known_is_confirmed_by_a_second_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program that a loaded machine kept from running is not wrong."""
    seen: list[int] = []
    honest = program_runs.program

    def slow_at_first(launcher: Launcher, job: Job, content: bytes, position: int, left: float) -> Stretch:
        seen.append(position)
        return (
            Stretch([Run(Cause.WALL_TIME)], sure=False)
            if len(seen) == 1
            else honest(launcher, job, content, position, left)
        )

    isolation_tiers.choose("auto")  # which runs programs of its own
    monkeypatch.setattr(program_runs, "program", slow_at_first)
    tests = {"stdio": [{"input": "2", "output": "4"}, {"input": "3", "output": "6"}]}
    assert CodePassRate().verify(f"```python\n{ECHO}\n```", tests).passed
    assert seen == [0, 0, 1]


def test_too_many_timeouts_end_the_job(engine: LocalEngine) -> None:
    """A hundred tests of a program that loops cost three times its limit."""
    limits = Limits(cpu_seconds=0.2, wall_seconds=60.0)
    [report] = engine.run([Job("python", "while True: pass", limits, stdins=_numbers(100))])
    assert [run.cause for run in report.runs] == [Cause.CPU_TIME] * 3 + [Cause.NOT_RUN] * 97


def test_go_on_stops_early(engine: LocalEngine) -> None:
    """After an answer that makes the rest pointless, in both modes."""
    job = Job("python", ECHO, stdins=_numbers(5), go_on=lambda position, _run: position < 1)
    assert [run.cause for run in engine.run([job])[0].runs] == [Cause.OK] * 2 + [Cause.NOT_RUN] * 3
    calls = tuple(Call("f", (n,)) for n in range(5))
    job = Job("python", "def f(n): return n", calls=calls, go_on=lambda position, _run: position < 1)
    assert [run.cause for run in engine.run([job])[0].runs] == [Cause.OK] * 2 + [Cause.NOT_RUN] * 3


def test_no_tier_is_an_error_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never a weaker one in silence, and never a None for every row of a run."""
    monkeypatch.setattr(
        isolation_tiers, "tier", lambda name: isolation_tiers.Tier(name, f"{name} is forbidden")
    )
    monkeypatch.setattr(local_engine, "_shared", {})
    with pytest.raises(SandboxError, match=r"full is forbidden.*Landlock.*verify-cli sandbox"):
        CodePassRate().verify(f"```python\n{ECHO}\n```", {"stdio": [{"input": "2", "output": "4"}]})
    monkeypatch.setattr(isolation_tiers.sys, "platform", "darwin")
    with pytest.raises(SandboxError, match="cannot be run on darwin"):
        CodePassRate().verify_batch([f"```python\n{ECHO}\n```"], [{"stdio": [{"output": "4"}]}])


def test_auto_takes_the_strongest_tier_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says which."""
    honest = isolation_tiers.tier
    monkeypatch.setattr(
        isolation_tiers,
        "tier",
        lambda name: isolation_tiers.Tier(name, "refused here") if name == "full" else honest(name),
    )
    assert isolation_tiers.choose("auto") == "unprivileged"
    with pytest.raises(SandboxError, match="full: refused here"):
        isolation_tiers.choose("full")


def test_no_isolation_must_be_said_and_is_warned_of() -> None:
    """In every verdict."""
    tests = {"stdio": [{"input": "2", "output": "4"}]}
    verdict = CodePassRate(isolation="none").verify(f"```python\n{ECHO}\n```", tests)
    assert verdict.passed
    assert "WARNING" in verdict.detail


@from_table(({"timeout": float("nan")}, "timeout must be a number above 0 and of at most 3,600 seconds"))
def test_bad_configuration(fields: dict[str, object], message: str) -> None:
    """Found when it is written."""
    with pytest.raises(ConfigError, match=message):
        CodePassRate(**fields)  # type: ignore[arg-type]


def test_thirty_two_at_once_from_threads_and_tasks() -> None:
    """In order, and each with its own answer."""
    verifier = CodePassRate()
    rows = [(f"```python\nprint({n})\n```", {"stdio": [{"output": str(n % 5)}]}) for n in range(32)]
    wanted = [float(n < 5) for n in range(32)]
    with ThreadPoolExecutor(32) as threads:
        assert [verdict.score for verdict in threads.map(lambda row: verifier.verify(*row), rows)] == wanted

    async def gather() -> list[float | None]:
        verdicts = await asyncio.gather(*(asyncio.to_thread(verifier.verify, *row) for row in rows))
        return [verdict.score for verdict in verdicts]

    assert asyncio.run(gather()) == wanted
    assert [v.score for v in verifier.verify_batch(*map(list, zip(*rows, strict=True)))] == wanted


def _script(text: str, folder: Path) -> subprocess.Popen[bytes]:
    path = folder / "script.py"
    path.write_text(textwrap.dedent(text))
    return subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE)


def test_a_fork_of_the_caller_has_launchers_of_its_own(tmp_path: Path) -> None:
    """And leaves its parent's alone."""
    process = _script(
        """
        import os
        from verifiers import CodePassRate
        def score(): return CodePassRate().verify("```python\\nprint(1)\\n```", {"stdio": [{"output": "1"}]}).score
        assert score() == 1.0
        pid = os.fork()
        assert score() == 1.0
        if pid:
            assert os.waitpid(pid, 0)[1] == 0
            assert score() == 1.0
            print("done")
        """,
        tmp_path,
    )
    assert process.communicate(timeout=600)[0] == b"done\n"


@pytest.mark.parametrize("tier", first_of_each(TIERS))
def test_programs_die_with_the_caller(tier: str, tmp_path: Path) -> None:
    """Killed, it cleans up nothing itself."""
    process = _script(
        f"""
        import threading, time
        from verifiers import CodePassRate
        from verifiers.code.engine import local_engine
        def launchers(): return [l.pid for e in local_engine._ENGINES for l in list(e._workers)]
        def children(pid): return open(f"/proc/{{pid}}/task/{{pid}}/children").read().split()
        verifier = CodePassRate(isolation={tier!r})
        code = "import time\\ntime.sleep(600)"
        row = (f"```python\\n{{code}}\\n```", {{"stdio": [{{"output": "1"}}]}})
        threading.Thread(target=verifier.verify, args=row, daemon=True).start()
        while not launchers(): time.sleep(0.01)
        found = []
        while not found or found != children(launchers()[0]):  # what stays is the program
            found = children(launchers()[0])
            time.sleep(0.5)
        print(launchers()[0], *found, flush=True)
        time.sleep(600)
        """,
        tmp_path,
    )
    assert process.stdout is not None
    pids = [int(pid) for pid in process.stdout.readline().split()]
    process.kill()
    process.communicate()
    assert len(pids) == 2
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids))


@pytest.mark.parametrize("tier", first_of_each(TIERS))
def test_installed_modules_are_there_where_they_are_named(tier: str) -> None:
    """And only there."""
    pytest.importorskip("numpy")
    program = (
        "```python\nimport numpy as np\nimport numpy.testing\nprint(int(np.linalg.det(np.eye(3)) * 3))\n```"
    )
    tests = {"stdio": [{"output": "3"}]}
    verdict = CodePassRate(isolation=tier, modules=("numpy",)).verify(program, tests)
    assert verdict.passed, verdict.detail
    verdict = CodePassRate(isolation=tier).verify(program, tests)
    assert (verdict.score, verdict.reason) == (0.0, "runtime_error")
    assert "No module named 'numpy'" in verdict.detail
    with pytest.raises(ConfigError, match="modules: 'no_such' is not installed here"):
        CodePassRate(modules=("no_such",))


@pytest.mark.parametrize("tier", first_of_each(TIERS))
@pytest.mark.parametrize("linked", ["folder", "package", "neither"])
def test_parts_of_a_module_are_there_wherever_it_lies(
    tier: str, linked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link to the environment, or in it; another folder: a part that is imported late is found, too."""
    real = tmp_path / "real" / "linked_pack"
    real.mkdir(parents=True)
    (real / "__init__.py").write_text("")
    (real / "late.py").write_text("three = 3\n")
    (real.parent / "private.txt").write_text("")
    folder = tmp_path / "real"
    if linked == "folder":
        folder = tmp_path / "link"
        folder.symlink_to(tmp_path / "real")
    elif linked == "package":
        folder = tmp_path / "site-packages"
        folder.mkdir()
        (folder / "linked_pack").symlink_to(real)
    monkeypatch.syspath_prepend(folder)
    beside = f"print(open({str(real.parent / 'private.txt')!r}).read())"
    jobs = [
        Job("python", "from linked_pack import late\nprint(late.three)", stdins=(b"",)),
        Job("python", beside, stdins=(b"",)),
    ]
    own = LocalEngine(tier, size=1, modules=("linked_pack",))
    try:
        [[found], [hidden]] = [report.runs for report in own.run(jobs)]
    finally:
        own.close()
    assert found.output == b"3\n", found
    assert hidden.cause is Cause.RUNTIME_ERROR


def test_nothing_is_left_open(engine: LocalEngine) -> None:
    """No descriptor, and no memory but the caches'."""
    jobs = [
        Job("python", ECHO, stdins=_numbers(2)),
        Job("python", "def f(n): return n", calls=(Call("f", (1,)),)),
        Job("python", "while True: print('x' * 1000)", Limits(output=1000), stdins=(b"",)),
        Job("python", "1/0", stdins=(b"",)),
    ]
    engine.run(jobs * 2)
    before = set(os.listdir("/proc/self/fd"))
    engine.run(jobs * 5)
    assert set(os.listdir("/proc/self/fd")) == before


def test_an_engine_of_ones_own() -> None:
    """Only programs and inputs reach it."""
    tests = {"stdio": [{"input": "2\n", "output": "secret"}]}
    verdict = CodePassRate(engine="tests.verifiers.code.engine.test_engine:ELSEWHERE").verify(
        "```python\nx\n```", tests
    )
    assert verdict.passed
    assert "isolation: elsewhere" in verdict.detail
    assert "secret" not in repr(ELSEWHERE.jobs)


class _Elsewhere:
    """An engine that knows the answer to everything."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def run(self, jobs: list[Job]) -> list[object]:
        from verifiers.code import Report

        self.jobs += jobs
        return [Report((Run(Cause.OK, b"secret"),) * job.size, "elsewhere") for job in jobs]


ELSEWHERE = _Elsewhere()


def test_interrupts_do_not_mix_up_answers() -> None:
    """What was interrupted must not be read as the answer to the next job."""
    verifier = CodePassRate()
    row = ("```python\nimport time\ntime.sleep(20)\nprint(1)\n```", {"stdio": [{"output": "1"}]})
    assert verifier.verify("```python\nprint(1)\n```", {"stdio": [{"output": "1"}]}).passed  # it is warm
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    with contextlib.suppress(KeyboardInterrupt):
        verifier.verify(*row)
    assert verifier.verify("```python\nprint(2)\n```", {"stdio": [{"output": "2"}]}).passed


def test_a_start_that_is_interrupted_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """However far it got: sockets, logs and folders of a launcher that nobody holds."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before = set(os.listdir("/proc/self/fd"))
    monkeypatch.setattr("verifiers.code.engine.launcher_process.subprocess.Popen", interrupted)
    for tier in ("full", "unprivileged"):
        with pytest.raises(KeyboardInterrupt):
            Launcher(tier, [])
    assert set(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="another user is bound by limits as it is")
@pytest.mark.parametrize("tier", first_of_each(TIERS))
def test_programs_of_user_0_run_as_somebody_whom_limits_bind(tier: str) -> None:
    """The kernel counts their processes: a launcher that counts is starved by what it should stop."""
    from verifiers.code.jail.world import leave_user_namespace, tried

    if not tried(lambda: leave_user_namespace(0, 1 << 30)):
        pytest.skip("no second user may be mapped here")
    launcher = Launcher(tier, [])
    uid = launcher.facts["uid"]
    launcher.end()
    assert uid != 0
