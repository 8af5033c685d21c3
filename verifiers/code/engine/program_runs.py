"""The three ways in which a program is run: on standard input, by calls, and by tests that are code."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, replace
from typing import Any

from ..jail.resources import lacking
from .builds import room_of, task_of
from .launcher_process import Launcher, descriptors
from .program_languages import ENVIRONMENT, LANGUAGES, toolchain
from .program_watch import Child, Watch, outcome
from .protocol import Cause, Job, Run

_FILES_SIZE = 64 << 20
"""Bytes of all files that a program may write; half of its memory if that is less."""
COMPILE_ERRORS = ("SyntaxError", "IndentationError", "TabError")
_ERRORS_KEPT = 4000


@dataclass
class Stretch:
    """One or more runs of a job, one after the other.

    Args:
        runs: Results of the runs.
        rest_alike: Every further run would end like the last: the program cannot even be defined.
        told: Number of results that the job's `go_on` has received.
        seconds: Seconds of the job's budget that they used.
        sure: Whether a wall-clock limit is certainly the program's own doing.
    """

    runs: list[Run]
    rest_alike: bool = False
    told: int = 0
    seconds: float = 0.0
    sure: bool = True


def tell(job: Job, position: int, run: Run) -> tuple[Run, bool]:
    """Tell a job's caller of a run.

    Returns:
        The run as the report keeps it, without what the caller has seen (answers of all tests together may be
        large), and whether further runs are wanted.
    """
    if job.go_on is None or run.cause in (Cause.NOT_RUN, Cause.BAD_TESTS):
        return run, True
    wanted = job.go_on(position, run)
    return replace(run, output=b"", errors=b"", answer=None), wanted


def program(
    launcher: Launcher, job: Job, content: bytes, position: int, budget: float = math.inf, main: str = ""
) -> Stretch:
    """Run a program once on one standard input, in a fresh process.

    Args:
        launcher: One for the job's language.
        job: The job.
        content: The program as it is run: source or compiled.
        position: Which input.
        budget: Seconds of processor time and waiting that it may use.
        main: The class that Java starts.
    """
    task = _task(job, 1, main)
    if task["mode"] == "exec":
        row = LANGUAGES[job.language]
        task["files"] = [row.built if row.build else row.source]
        task["files_size"] += len(content)
    else:
        task["texts"] = 1
    with descriptors() as held:
        out_read, out_write = held.pipe()
        err_read, err_write = held.pipe()
        watch = Watch(launcher, budget)
        theirs = [held.text(job.stdins[position]), out_write, err_write, held.text(content)]
        child = watch.start(task, theirs, [out_read, err_read], job.limits)
        held.close_theirs()
        watch.wait()
        output, errors = bytes(child.readers[out_read]), bytes(child.readers[err_read])
    run = _ended(watch, child, output, errors)
    return Stretch([run], seconds=watch.seconds, sure=watch.sure)


def calls(launcher: Launcher, job: Job, start: int, budget: float) -> Stretch:
    """Answer a job's calls from `start` on, in one process, as far as it gets."""
    wanted = job.calls[start:]
    requests = [
        [call.function, list(call.arguments), [list(pair) for pair in call.keywords], call.truth]
        for call in wanted
    ]
    task = _task(job, len(wanted) + 1)
    task.update(mode="answer_calls", texts=2)
    with descriptors() as held:
        read, write = held.pipe()
        watch = Watch(launcher, budget)
        lines = _Lines(job, start, len(wanted), watch)
        theirs = [*held.nothing(), held.text(_source(job)), held.text(json.dumps(requests).encode()), write]
        child = watch.start(task, theirs, [read], job.limits)
        held.close_theirs()
        watch.wait(lines.take)
    return lines.finish(child)


def tests(launcher: Launcher, job: Job, start: int, budget: float) -> Stretch:
    """Run a job's tests from `start` on: the program in one sandbox, the tests in another."""
    script = job.script
    if script is None:
        raise ValueError("a job without a script")
    sources = script.tests[start:]
    plan = {
        "setup": script.setup,
        "tests": sources,
        "names": dict(script.names),
        "imports": script.imports,
        "modules": script.modules,
        "objects": dict(script.objects),
        "classes": script.classes,
    }
    task = _task(job, len(sources) + 2)
    with descriptors() as held:
        report_read, report_write = held.pipe()
        watch = Watch(launcher, budget)
        lines = _Lines(job, start, len(sources), watch)
        text = held.text(json.dumps(plan).encode())
        code = held.text(_source(job))
        if script.visible:
            theirs = [*held.nothing(), code, text, report_write]
            child = watch.start(
                {**task, "mode": "run_visible", "texts": 2}, theirs, [report_read], job.limits
            )
        else:
            requests_read, requests_write = held.pipe()
            answers_read, answers_write = held.pipe()
            held.theirs += [requests_read, answers_read]
            theirs = [*held.nothing(), code, requests_read, answers_write]
            child = watch.start({**task, "mode": "serve", "texts": 1}, theirs, [], job.limits)
            theirs = [*held.nothing(), text, requests_write, answers_read, report_write]
            watch.start({**task, "mode": "run_tests", "texts": 1}, theirs, [report_read], job.limits)
        held.close_theirs()
        watch.wait(lines.take)
    return lines.finish(child)


def short_of(job: Job) -> str:
    """Return what this process lacks for a job's programs or their compiler; "" for nothing."""
    task = _task(job, job.size)
    if job.limits.budget_seconds is not None:  # which ends them first
        task["cpu"] = min(task["cpu"], math.ceil(job.limits.budget_seconds) + 1)
    build = LANGUAGES[job.language].build
    return lacking(task) or (lacking(task_of(room_of(job.language, job.limits))) if build else "")


class _Lines:
    """The lines that a child writes: the first about the program's definition, then one for each run."""

    def __init__(self, job: Job, start: int, count: int, watch: Watch) -> None:
        self._job, self._start, self._count, self._watch = job, start, count, watch
        self._boot: dict[str, Any] | None = None
        self._runs: list[Run] = []
        self._enough = False
        self._fault: dict[str, Any] | None = None
        self._searched = 0

    def take(self, _descriptor: int, content: bytearray) -> bool:
        """Read the whole lines that came, and remove them; whether more are wanted."""
        while not self._enough and (end := content.find(b"\n", self._searched)) >= 0:
            line = parsed(bytes(content[:end]))
            del content[: end + 1]
            self._searched = 0
            self._watch.mark()
            # Only a tester in its own sandbox may say so, not a program in one process with visible tests.
            if "s" in line and self._job.script is not None and not self._job.script.visible:
                self._fault = line
                return False
            if self._boot is None:
                self._boot = line
            else:
                self._add(line)
        # A program may write its bytes one by one: each of them is looked at once.
        self._searched = len(content)
        return not self._enough

    def finish(self, child: Child) -> Stretch:
        """The runs, once the child has ended."""
        spent, sure = self._watch.seconds, self._watch.sure
        if self._fault:
            run = Run(Cause.BAD_TESTS, answer=self._fault, detail=str(self._fault["s"]))
            return Stretch([run], rest_alike=True)
        if self._boot is not None and "x" in self._boot:
            return Stretch([raised(self._boot)], rest_alike=True)
        told = len(self._runs)
        if told == self._count:
            return Stretch(self._runs, False, told, spent)
        if self._enough:
            return Stretch([*self._runs, Run(Cause.NOT_RUN)], False, told, spent)
        last = _ended(self._watch, child, b"", b"")
        if last.cause is Cause.OK:
            last = Run(Cause.RUNTIME_ERROR, detail="the program ended before it answered")
        return Stretch([*self._runs, last], self._boot is None, told, spent, sure)

    def _add(self, line: dict[str, Any]) -> None:
        run = raised(line) if "x" in line else Run(Cause.OK, answer=line)
        kept, wanted = tell(self._job, self._start + len(self._runs), run)
        self._runs.append(kept)
        self._enough = not wanted or len(self._runs) == self._count


def raised(line: dict[str, Any]) -> Run:
    """The run of a call, or of a definition, that ended with an exception."""
    name, message = str(line.get("x")), str(line.get("m", ""))
    cause = Cause.RUNTIME_ERROR
    if name in COMPILE_ERRORS and line.get("b", "") is None:
        cause = Cause.COMPILE_ERROR
    elif name == "MemoryError":
        cause = Cause.MEMORY
    return Run(cause, answer=line, detail=f"{name}: {message}"[:300])


def parsed(line: bytes | str) -> dict[str, Any]:
    """One answer, whatever a program may have written there."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    return data if isinstance(data, dict) else {"u": "not an answer"}


def _ended(watch: Watch, child: Child, output: bytes, errors: bytes) -> Run:
    cause, detail = outcome(watch, child, errors)
    return Run(cause, output, errors[-_ERRORS_KEPT:], None, detail, (child.ended or {}).get("cpu", 0.0))


def _source(job: Job) -> bytes:
    return job.code.encode("utf-8", "surrogatepass")


def _task(job: Job, units: int, main: str = "") -> dict[str, Any]:
    """Return the launcher's task for a program; see `jail.launcher`."""
    row, chain = LANGUAGES[job.language], toolchain(job.language)
    known = {
        "tool": chain.executable,
        "bin": os.path.dirname(chain.executable),
        "memory": str(job.limits.memory >> 20),
        "main": main,
    }
    files = min(_FILES_SIZE, job.limits.memory // 2)
    return {
        "mode": "exec" if row.tool else "run_script",
        "profile": row.profile,
        # A second line of defense after the watch, which counts each run for itself.
        "cpu": math.ceil(job.limits.cpu_seconds * units) + 1,
        "memory": job.limits.memory + ((row.runtime or 0) << 20),
        "address_space": row.runtime is None,
        "metered": job.limits.memory + (row.resident << 20) + (job.limits.memory // 8 if row.resident else 0),
        "stack": row.stack << 20,
        "file_size": files,
        "files_size": files,
        "files": [],
        "texts": 0,
        "argv": [part.format(**known) for part in row.run],
        "env": {**ENVIRONMENT, "GOMEMLIMIT": f"{job.limits.memory >> 20}MiB"},
    }
