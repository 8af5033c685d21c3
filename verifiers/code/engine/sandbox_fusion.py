"""Programs that run elsewhere: an engine that speaks SandboxFusion's ``/run_code``.

Only programs and inputs are sent; outputs come back and are compared here. The server sees no expected value.
Source: https://github.com/bytedance/SandboxFusion (sandbox/server/sandbox_api.py).
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ...errors import ConfigError
from .program_runs import COMPILE_ERRORS, parsed, raised, tell
from .protocol import Call, Cause, Job, Limits, Report, Run
from .run_code import Answer, Link, LinkError

_JAIL = Path(__file__).parent.parent / "jail"
_DRIVER = """
import base64, importlib.abc, importlib.util, json, os, sys, zlib

class _Carried(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    sources = json.loads(zlib.decompress(base64.b64decode({sources!r})))

    def find_spec(self, name, path=None, target=None):
        if name not in self.sources:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=self.sources[name][0])

    def exec_module(self, module):
        exec(compile(self.sources[module.__name__][1], module.__name__ + ".py", "exec"), module.__dict__)

sys.meta_path.insert(0, _Carried())
sys.set_int_max_str_digits(0)
_given = json.loads(os.fdopen(0, "rb", closefd=False).read())
_answers = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
from carried_jail.guest import answer_calls
answer_calls(_given["code"].encode("utf-8", "surrogatepass"), json.dumps(_given["calls"]).encode(), _answers)
os._exit(0)
"""


@cache
def driver() -> str:
    """The program that is sent: it reads a program and calls, and writes a line for each answer."""
    sources = {}
    for path in sorted(_JAIL.rglob("*.py")):
        parts = ["carried_jail", *path.relative_to(_JAIL).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        sources[name] = (is_package, path.read_text(encoding="utf-8"))
    packed = base64.b64encode(zlib.compress(json.dumps(sources).encode(), 9)).decode()
    return _DRIVER.format(sources=packed)


def driver_input(code: str, calls: Sequence[Call]) -> str:
    """Return the driver's input: a program and the calls for it to answer."""
    wanted = [
        [call.function, list(call.arguments), [list(pair) for pair in call.keywords], call.truth]
        for call in calls
    ]
    return json.dumps({"code": code, "calls": wanted})


def answer_lines(output: str) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """Parse the driver's output: on the program's definition, None if it did not get so far, and each call.

    A last line without its end is the beginning of an answer that was cut off.
    """
    lines = [parsed(line) for line in output.split("\n")[:-1]]
    return (lines[0], lines[1:]) if lines else (None, [])


LANGUAGES = {
    "python": "python",
    "cpp": "cpp",
    "java": "java",
    "javascript": "nodejs",
    "go": "go",
    "rust": "rust",
    "bash": "bash",
}
"""Our names of languages -> the server's."""
MAX_TIMEOUTS = 3
"""After so many runs that used up their time, a program's other runs are given up, as on this machine."""
START_SECONDS = 1.0
"""Seconds for the program that answers calls before the first, on a loaded server."""
MOST_OUTPUT = 1 << 20
"""The server returns no more of an output, and does not say that there was more."""
_CANARY = Job("python", "print(int(input()) * 2)", Limits(), stdins=(b"21\n",))
_ERRORS_KEPT = 4000


class SandboxFusion:
    """Runs jobs on a SandboxFusion server, or one that speaks as it does.

    What isolates programs there is up to the server. The time limit is one of the clock, since the server has
    no other; a run that exceeds it is tried once more before that counts.

    Args:
        url: Address of the server, with or without ``/run_code``.
        concurrency: Most requests at a time.
        retries: Further tries of a request that failed temporarily.
        patience: Seconds that a request may wait for the server besides what its program may take.
        compile_seconds: For the compiler.
        key: Sent as a bearer token; None for none.
        wait: Seconds before the second try; each further wait is twice as long.

    Raises:
        ConfigError: A number is out of range, or the URL is none.
        MissingDependencyError: When it is first used: httpx is not installed.
    """

    isolation = "remote"

    def __init__(
        self,
        url: str,
        *,
        concurrency: int = 32,
        retries: int = 3,
        patience: float = 60.0,
        compile_seconds: float = 60.0,
        key: str | None = None,
        wait: float = 1.0,
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigError(f"SandboxFusion: a URL begins with http:// or https://, got {url!r:.80}")
        if concurrency < 1 or retries < 0 or patience <= 0 or compile_seconds <= 0 or wait < 0:
            raise ConfigError(
                "SandboxFusion: concurrency is at least 1, retries and wait at least 0, patience and "
                f"compile_seconds above 0; got {(concurrency, retries, wait, patience, compile_seconds)}"
            )
        self.url = url.rstrip("/").removesuffix("/run_code") + "/run_code"
        self.concurrency, self.retries, self.key, self.wait = concurrency, retries, key, wait
        self.patience, self.compile_seconds = patience, compile_seconds

    def run(self, jobs: Sequence[Job]) -> list[Report]:
        """See `Engine.run`."""
        if not jobs:
            return []
        with (
            self._link() as link,
            # Threads of their own: a job that waits for its requests must not keep them from running.
            ThreadPoolExecutor(self.concurrency) as requests,
            ThreadPoolExecutor(min(self.concurrency, len(jobs))) as threads,
        ):
            return list(threads.map(lambda job: self._report(job, link, requests), jobs))

    @contextmanager
    def _link(self) -> Iterator[Link]:
        with Link(
            self.url,
            key=self.key,
            connections=self.concurrency,
            retries=self.retries,
            patience=self.patience,
            wait=self.wait,
        ) as link:
            yield link

    def _report(self, job: Job, link: Link, requests: Executor) -> Report:
        if problem := self._cannot(job):
            return Report(isolation=self.isolation, unavailable=problem)
        error = ""
        for _ in range(2):
            try:
                return Report(self._runs(job, link, requests), self.isolation)
            except LinkError as broken:
                error = str(broken)
            try:
                [healthy] = self._runs(_CANARY, link, requests)
            except LinkError as broken:
                return Report(isolation=self.isolation, error=f"{self.url} breaks: {broken}")
            if healthy.output.strip() != b"42":
                said = f"{healthy.cause} {healthy.detail}"
                return Report(isolation=self.isolation, error=f"{self.url} breaks: {said}")
        # Twice, and both times the server was well right afterwards.
        return Report((Run(Cause.BROKE_SANDBOX, detail=error[:300]),) * job.size, self.isolation)

    def _cannot(self, job: Job) -> str:
        """Why a job cannot be run there; "" if it can."""
        return _too_much_for(job)

    def _runs(self, job: Job, link: Link, requests: Executor) -> tuple[Run, ...]:
        if job.calls:
            return self._calls(job, link)
        return _in_windows(job, self.concurrency, requests, lambda at: self._program(job, link, at))

    # Programs on standard input ---------------------------------------------------------------

    def _program(self, job: Job, link: Link, position: int) -> Run:
        code = job.code
        stdin = job.stdins[position].decode("utf-8", "surrogatepass")
        answer = self._ask(job, link, code, stdin, job.limits.cpu_seconds)
        if answer.timed_out and not answer.compiling:
            # The server may be loaded, so it may have been kept from running.
            answer = self._ask(job, link, code, stdin, job.limits.cpu_seconds)
        cause, detail = _outcome(answer, job.language)
        output = answer.output.encode("utf-8", "surrogatepass")
        if cause is Cause.OK and len(output) >= min(job.limits.output, MOST_OUTPUT):
            cause = Cause.OUTPUT_LIMIT
        errors = answer.errors.encode("utf-8", "backslashreplace")[-_ERRORS_KEPT:]
        return Run(cause, output, errors, None, detail, answer.seconds)

    def _ask(self, job: Job, link: Link, code: str, stdin: str, seconds: float) -> Answer:
        body = {
            "code": code,
            "language": LANGUAGES[job.language],
            "stdin": stdin,
            "run_timeout": seconds,
            "compile_timeout": self.compile_seconds,
            "memory_limit_MB": max(1, job.limits.memory >> 20),
        }
        return link.ask(body, seconds + self.compile_seconds)

    # Calls ------------------------------------------------------------------------------------

    def _calls(self, job: Job, link: Link) -> tuple[Run, ...]:
        """Answers of one process after the other, each as far as it gets."""
        done: list[Run] = []
        timeouts, alone = 0, False
        wanted = True
        while len(done) < job.size and wanted and timeouts < MAX_TIMEOUTS:
            first = len(done)
            calls = job.calls[first : first + 1] if alone else job.calls[first:]
            seconds = job.limits.cpu_seconds + START_SECONDS
            answer = self._ask(job, link, driver(), driver_input(job.code, calls), seconds)
            boot, lines = answer_lines(answer.output)
            if boot is not None and "x" in boot:
                last = raised(boot)
                done += [tell(job, at, last)[0] for at in range(first, job.size)]
                break
            for line in lines[: len(calls)]:
                run = raised(line) if "x" in line else Run(Cause.OK, answer=line)
                kept, wanted = tell(job, len(done), run)
                done.append(kept)
                if not wanted:
                    break
            if not wanted or len(done) == first + len(calls):
                alone = False
                continue
            if answer.timed_out and not alone:
                # Others took of its time, or the server was loaded: once more, by itself.
                alone = True
                continue
            cause, detail = _outcome(answer, "python")
            if cause is Cause.OK:
                cause, detail = Cause.RUNTIME_ERROR, "the program ended before it answered"
            errors = answer.errors.encode("utf-8", "backslashreplace")[-_ERRORS_KEPT:]
            run = Run(cause, b"", errors, None, detail, answer.seconds)
            timeouts += cause is Cause.WALL_TIME
            if boot is None:
                # It could not even be defined: every further call would end like this.
                done += [tell(job, at, run)[0] for at in range(len(done), job.size)]
                break
            kept, wanted = tell(job, len(done), run)
            done.append(kept)
            alone = False
        return tuple(done) + (Run(Cause.NOT_RUN),) * (job.size - len(done))


def _in_windows(job: Job, widest: int, requests: Executor, run: Callable[[int], Run]) -> tuple[Run, ...]:
    """All runs of a job, ever more at a time: the first that fails often makes the rest pointless."""
    done: list[Run] = []
    timeouts, width = 0, 1
    wanted = True
    while len(done) < job.size and wanted and timeouts < MAX_TIMEOUTS:
        positions = range(len(done), min(job.size, len(done) + width))
        for position, found in zip(positions, list(requests.map(run, positions)), strict=True):
            if not wanted or timeouts >= MAX_TIMEOUTS:
                break
            kept, wanted = tell(job, position, found)
            done.append(kept)
            timeouts += found.cause is Cause.WALL_TIME
            if found.cause is Cause.COMPILE_ERROR:
                done += [tell(job, at, found)[0] for at in range(len(done), job.size)]
                return tuple(done)
        width = min(2 * width, widest)
    return tuple(done) + (Run(Cause.NOT_RUN),) * (job.size - len(done))


def _too_much_for(job: Job) -> str:
    """Why a job cannot be run there; "" if it can."""
    if job.script is not None:
        return (
            "tests that are code need two sandboxes that speak with each other; /run_code has one; "
            "judge such rows on this machine, without engine="
        )
    if job.language not in LANGUAGES:
        return f"SandboxFusion runs no {job.language}; it runs {', '.join(LANGUAGES)}"
    if job.stdins and (job.limits.output >> 2) > MOST_OUTPUT:
        return f"SandboxFusion returns at most {MOST_OUTPUT >> 20} MiB of an output, and a test expects more"
    return ""


def _outcome(answer: Answer, language: str) -> tuple[Cause, str]:
    if answer.compiling:
        return Cause.COMPILE_ERROR, ""
    if answer.timed_out:
        return Cause.WALL_TIME, ""
    if not answer.status:
        return Cause.OK, ""
    last = answer.errors.strip().rpartition("\n")[2]
    if language == "python" and last.startswith(COMPILE_ERRORS) and "Traceback" not in answer.errors:
        return Cause.COMPILE_ERROR, ""
    if last.startswith(("MemoryError", "std::bad_alloc")) or "java.lang.OutOfMemoryError" in answer.errors:
        return Cause.MEMORY, ""
    return Cause.RUNTIME_ERROR, f"exit status {answer.status}"


@cache
def server_at(url: str) -> SandboxFusion:
    """The engine for a URL, with the defaults."""
    return SandboxFusion(url)


def is_url(engine: str) -> bool:
    """Return whether an engine is given as the URL of a server."""
    return engine.startswith(("http://", "https://"))


__all__ = ["SandboxFusion", "is_url", "server_at"]
