"""Checkers: programs of a data set that say whether an output is right, where several are.

A listener hears of runs as they end, judges them, and keeps what a checker is to look at.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import ConfigError
from ...runtime.bounds import from_source
from ...runtime.forks import new_lock
from ..engine.protocol import Cause, Engine, Job, Limits, Run
from .run_verdicts import Judge, why
from .spec import CodeTests

MAX_KEPT = 256 << 20
"""Bytes of one program's outputs that are kept for a checker."""


class Listener:
    """Judges each run as soon as it has ended, so that its output need not be kept.

    Args:
        judges: One for each run.
        stops: Whether the others are pointless once this one fails.
        checked: Whether a checker decides about outputs that are not the expected one.
    """

    def __init__(self, judges: Sequence[Judge], stops: Sequence[bool], *, checked: bool = False) -> None:
        self._judges, self._stops, self._checked = judges, stops, checked
        self._heard: dict[int, tuple[str, str]] = {}
        self.outputs: dict[int, bytes] = {}
        self._kept = 0

    def hear(self, position: int, run: Run) -> bool:
        """Judge a run; whether further ones are wanted."""
        reason, _ = self._heard[position] = self._judges[position](run)
        if reason == "wrong_output" and self._checked:
            self._kept += len(run.output)
            if self._kept <= MAX_KEPT:
                self.outputs[position] = run.output
                return True
            self._heard[position] = ("output_limit", "its outputs are more than a checker is given")
        return reason == "passed" or not self._stops[position]

    def settle(self, position: int, judgement: tuple[str, str]) -> None:
        """Say what a checker made of an output."""
        self._heard[position] = judgement

    def judgement(self, position: int, run: Run) -> tuple[str, str]:
        """(reason, detail) of a run of the report."""
        # These are said after the fact, of a program that was tried again.
        if run.cause in (Cause.NOT_RUN, Cause.BROKE_SANDBOX) or position not in self._heard:
            return self._judges[position](run)
        return self._heard[position]


PASSES = 1.0
"""From this number on an output is right; a part of the points is not."""

_SURROUNDINGS = """
import builtins, io, json, os, sys
_given = json.loads(sys.stdin.buffer.read())
_texts = [_each.encode("utf-8", "surrogatepass") for _each in _given]
_names = ("input.txt", "correct_output.txt", "solution_output.txt")
_files = dict(zip(_names, (_texts[0], _texts[2], _texts[1])))
sys.argv = ["checker.py", *_files]
sys.stdin = io.TextIOWrapper(io.BytesIO(_texts[1]), encoding="utf-8", errors="surrogateescape")
_real_open = builtins.open
def _open(file, mode="r", *rest, **named):
    name = os.path.basename(os.fspath(file)) if isinstance(file, (str, os.PathLike)) else ""
    if name not in _files or not {"w", "a", "x", "+"}.isdisjoint(mode):
        return _real_open(file, mode, *rest, **named)
    content = io.BytesIO(_files[name])
    if "b" in mode:
        return content
    return io.TextIOWrapper(content, encoding="utf-8", errors="surrogateescape")
builtins.open = io.open = _open
_space = {"__name__": "checker" if CALLED else "__main__", "__file__": "checker.py", "__builtins__": builtins}
exec(compile(SOURCE, "checker.py", "exec"), _space)
if CALLED:
    _decoded = [_each.decode("utf-8", "surrogateescape") for _each in _texts]
    print(float(_space["check"](*_decoded)))
"""
"""Files for a checker: the three, on every tier, in none of which programs share a folder."""


@dataclass(frozen=True)
class Check:
    """One thing to ask a checker.

    Args:
        input: The test's.
        output: The program's.
        expected: The test's.
    """

    input: str
    output: str
    expected: str


def checker_job(tests: CodeTests, checks: Sequence[Check], limits: Limits) -> Job:
    """Return the job of a checker: one run for each check.

    Raises:
        ConfigError: The checker is not Python.
    """
    code = f"SOURCE = {tests.checker!r}\nCALLED = {_is_function(tests.checker)!r}\n" + _SURROUNDINGS
    stdins = tuple(json.dumps([each.input, each.output, each.expected]).encode() for each in checks)
    return Job("python", code, limits, stdins=stdins)


def own_outputs(tests: CodeTests) -> list[Check]:
    """Expected outputs as answers, which a checker that works accepts; tests without one have none to try."""
    return [
        Check(test.input, output, test.output)
        for test in tests.stdio
        for output in (test.output, *test.accepted)
        if output.strip()
    ]


def problem_of(tests: CodeTests, engine: Engine, limits: Limits) -> tuple[str, str]:
    """Why a checker cannot be used: (reason, detail), both "" where it can. Asked once for each row's tests.

    Raises:
        ConfigError: It is not Python.
    """
    key = (tests.checker, tests.stdio and tuple(own_outputs(tests)), engine)
    known = _known.get(key)
    if known is None:
        known, lasting = _tried(tests, engine, limits)
        if lasting:
            with _lock:
                while len(_known) >= _MOST_KNOWN:
                    _known.pop(next(iter(_known)))
                _known[key] = known
    return known


_known: dict[object, tuple[str, str]] = {}
_lock = new_lock()
_MOST_KNOWN = 512


def _tried(tests: CodeTests, engine: Engine, limits: Limits) -> tuple[tuple[str, str], bool]:
    """Return a checker's fault, and whether it would be the same later, on a machine with less to do."""
    checks = own_outputs(tests)
    job = checker_job(tests, checks or [Check("", "", "")], limits)
    [report] = engine.run([job])
    if report.error or report.unavailable:
        return ("sandbox", report.error or report.unavailable), False
    for position, (check, run) in enumerate(zip(checks, report.runs, strict=False), 1):
        points = said(run)
        if points is None:
            problem = f"it must print a number and no more, 1 for right; got {run.output[-60:]!r}"
            return ("bad_reference", f"tests: checker: {problem}"), True
        if points < PASSES:
            problem = "" if run.cause is Cause.OK else why(run) or run.cause.value
            said_why = f": {problem[:200]}" if problem else ""
            refused = f"it refuses the expected output {check.output!r:.60} of test {position}{said_why}"
            lasting = run.cause in (Cause.OK, Cause.RUNTIME_ERROR, Cause.COMPILE_ERROR)
            return ("bad_reference", f"tests: checker: {refused}"), lasting
    return ("", ""), True


def settle(
    asked: Sequence[tuple[CodeTests, Listener]], engine: Engine, limits: Limits
) -> dict[Listener, str]:
    """Ask checkers about the outputs that listeners kept, and tell these.

    Returns:
        For each listener whose checker cannot be run any more, why.
    """
    jobs = []
    for tests, listener in asked:
        checks = []
        for position, output in listener.outputs.items():
            test = tests.stdio[position]
            checks.append(Check(test.input, output.decode("utf-8", "surrogateescape"), test.output))
        jobs.append(checker_job(tests, checks, limits))
    broken = {}
    for (_, listener), report in zip(asked, engine.run(jobs), strict=True):
        if report.error or report.unavailable:
            broken[listener] = report.error or report.unavailable
            continue
        for position, run in zip(listener.outputs, report.runs, strict=True):
            listener.settle(position, verdict_of(run))
    return broken


def verdict_of(run: Run) -> tuple[str, str]:
    """(reason, detail) of an output, by what the checker made of it."""
    points = said(run)
    if points is not None and points >= PASSES:
        return "passed", ""
    if run.cause is Cause.OK:
        return "wrong_output", "the checker refuses the output"
    return "wrong_output", f"the checker ends with an error on the output: {why(run) or run.cause.value}"


def said(run: Run) -> float | None:
    """Return a checker's points, 1 for all; None if nothing that it said can be read as points.

    A checker that ends with an error has refused the output: those that parse it do so where it is no number.
    """
    if run.cause is not Cause.OK:
        return 0.0
    words = run.output.decode("utf-8", "replace").split()
    # One word: if there were more, they could be the program's, which the checker repeats.
    word = words[0].casefold() if len(words) == 1 else ""
    if word in ("true", "false"):
        return float(word == "true")
    try:
        points = float(word)
    except ValueError:
        return None
    return None if math.isnan(points) else points


def _is_function(source: str) -> bool:
    try:
        body = from_source(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConfigError(f"tests: checker: not Python: {error}: {source!r:.80}") from None
    called = any(
        isinstance(node, ast.FunctionDef) and node.name == "check" and len(node.args.args) == 3
        for node in body
    )
    # A program that reads its command line may have a function of this name, too.
    return called and "argv" not in source
