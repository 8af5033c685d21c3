"""From tests to what a verifier needs of them: a plan, with the limits and helpers that they ask for.

A row's own solution is run before any other, once: a row that it fails judges none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

from ...core.verdicts import Status, Verdict
from ...errors import ConfigError
from ...runtime.bounds import Kept
from ..engine.program_languages import LANGUAGES
from ..engine.protocol import Limits
from .asserts import packages_of
from .job_plan import Plan, Settings, make_plan
from .spec import CallTest, CodeTests

WALL_FACTOR = 3.0
"""Wall-clock limit as a multiple of the processor time, so that a loaded machine does not fail a program."""
BUDGET_TESTS, BUDGET_SHARE = 10, 0.5
"""All tests together may use ten times what one may, or half of what each may if that is more: a right
program comes near its limit in a few tests, not in most of them."""
RUNTIME_MEMORY = 64 << 20
"""Memory of an interpreter itself, on top of a problem's own limit: judges do not count it either."""

_SEQUENCE = "_calls_in_sequence"
_DRIVER = f"""
def {_SEQUENCE}(_operations, _arguments):
    _made = globals()[_operations[0]](*_arguments[0])
    return [None, *(
        getattr(_made, _name)(*_given) for _name, _given in zip(_operations[1:], _arguments[1:])
    )]
"""
"""Runs beside the program; what it returns is compared elsewhere: a program gains nothing by changing it."""


@dataclass(frozen=True)
class Prepared:
    """Tests that can be run.

    Args:
        tests: The tests.
        plan: Plan of the runs.
        key: Identity of these tests with their settings.
        names: Functions or classes that the program must define for them; none if it reads standard input.
    """

    tests: CodeTests
    plan: Plan
    names: frozenset[str]
    key: str = ""


def prepared(tests: CodeTests, settings: Settings) -> Prepared:
    """Tests with their plan.

    Raises:
        VisibleTestsError: They need ``visible_tests=True``.
        ConfigError: They cannot be run at all.
    """
    language = (tests.language or settings.language).casefold()
    if language != settings.language and language not in LANGUAGES[settings.language].fences:
        raise ConfigError(
            f"tests: language is {tests.language!r}, and programs are read as {settings.language}; "
            f"use CodePassRate(language={language!r})"
        )
    if tests.checker and (not tests.stdio or tests.count > len(tests.stdio)):
        raise ConfigError("tests: checker is for tests on standard input and output, and there are others")
    if tests.references:
        # A solution that imports what is not here shows nothing of the tests.
        here = frozenset(settings.modules)
        own = [each for each in tests.references if packages_of(each) <= here]
        tests = tests.model_copy(update={"references": own if settings.language == "python" else []})
    runnable = _with_sequences(tests)
    if settings.language != "python" and runnable.count == len(tests.stdio):
        # What is put before Python programs means nothing elsewhere.
        runnable = runnable.model_copy(update={"prompt": ""})
    plan = _budgeted(make_plan(runnable, replace(settings, limits=_limits(tests, settings.limits))))
    return Prepared(tests, plan, _names(tests, plan), _key(tests, settings) if tests.references else "")


def _key(tests: CodeTests, settings: Settings) -> str:
    said = f"{settings!r}\n{tests!r}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(said).hexdigest()


def limits_of(seconds: float, memory: int, budget: float | None = None) -> Limits:
    """The limits of a test: processor time in seconds, and memory in bytes; and the budget of all tests."""
    return Limits(seconds, memory, wall_seconds=WALL_FACTOR * seconds + 1.0, budget_seconds=budget)


def _budgeted(plan: Plan) -> Plan:
    """Each job with its share of the budget, by the number of its tests."""
    tests = sum(job.size for job in plan.jobs)
    jobs = []
    for job in plan.jobs:
        whole = job.limits.budget_seconds
        if whole is None:
            whole = job.limits.cpu_seconds * max(BUDGET_TESTS, BUDGET_SHARE * tests)
        share = whole * job.size / tests
        jobs.append(replace(job, limits=replace(job.limits, budget_seconds=share)))
    return replace(plan, jobs=tuple(jobs))


def _limits(tests: CodeTests, limits: Limits) -> Limits:
    seconds = tests.time_limit or limits.cpu_seconds
    memory = limits.memory
    if tests.memory_limit is not None:
        memory = (tests.memory_limit << 20) + RUNTIME_MEMORY
    return limits_of(seconds, memory, limits.budget_seconds)


def _with_sequences(tests: CodeTests) -> CodeTests:
    """Design sequences as calls of a function that goes through them."""
    if not tests.sequences:
        return tests
    calls = list(tests.calls)
    for position, test in enumerate(tests.sequences):
        sizes = {len(test.operations), len(test.arguments), len(test.expected)}
        if len(sizes) > 1:
            raise ConfigError(
                f"tests: sequences.{position}: {len(test.operations)} operations, {len(test.arguments)} "
                f"arguments and {len(test.expected)} expected values"
            )
        arguments = [test.operations, test.arguments]
        calls.append(
            CallTest(
                function=_SEQUENCE,
                args=arguments,
                expected=[None, *test.expected[1:]],
                public=test.public,
            )
        )
    return tests.model_copy(update={"calls": calls, "sequences": [], "prompt": tests.prompt + _DRIVER})


def _names(tests: CodeTests, plan: Plan) -> frozenset[str]:
    if tests.functions:
        return frozenset(tests.functions)
    names = {test.function.replace("()", "").partition(".")[0] for test in tests.calls}
    names |= {test.operations[0] for test in tests.sequences}
    for job in plan.jobs:
        names |= {there for _, there in job.script.names} if job.script else set()
        names |= {call.function for call in job.calls} if tests.asserts else set()
    return frozenset(names) - {_SEQUENCE}


_WEIGHT = 2_000
"""Bytes of a verdict that is kept."""
_KEPT = Kept[Verdict](64 << 20)


def on_own_solutions(
    rows: Sequence[Prepared],
    where: Hashable,
    judge: Callable[[Sequence[tuple[Prepared, str]]], Sequence[Verdict]],
) -> dict[str, Verdict]:
    """The verdict on the best of each row's own solutions, by the row's key; nothing of rows that bring none.

    All rows are judged in one batch. What a solution earned is remembered, what broke on the way is not.

    Args:
        rows: Tests, among which the same may be several times.
        where: Everything else on which the verdicts depend.
        judge: Judges programs.
    """
    wanted = {row.key: row for row in rows if row.tests.references}
    found: dict[str, Verdict] = {}
    for key in wanted:
        known = _KEPT.get((key, where))
        if known is not None:
            found[key] = known
    turn, waiting = 0, [row for key, row in wanted.items() if key not in found]
    while waiting:
        for row, verdict in zip(
            waiting, judge([(row, row.tests.references[turn]) for row in waiting]), strict=True
        ):
            best = found.get(row.key)
            if best is None or best.score is None or (verdict.score or 0.0) > best.score:
                found[row.key] = verdict
            if verdict.status is Status.SCORED:
                _KEPT.put((row.key, where), found[row.key], _WEIGHT)
        turn += 1
        waiting = [row for row in waiting if turn < len(row.tests.references) and found[row.key].score != 1.0]
    return found
