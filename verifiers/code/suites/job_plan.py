"""From tests to jobs, and from what became of them back to one verdict for each test."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ConfigError
from ...runtime.bounds import from_source
from ..engine.protocol import Call, Job, Limits, Script
from ..jail.codec import UnreadableError, decode, encode
from .asserts import (
    BUILT_IN,
    StaticCall,
    check_body,
    functions_of,
    helpers_used,
    names_used,
    packages_of,
    runnable,
    static_calls,
)
from .run_verdicts import Judge, output_judge, script_judge, value_judge
from .spec import CallTest, CodeTests, parsed

_ROOM = 1 << 16
_BRIDGED = frozenset({"numpy", "pytest"})
"""Third-party modules whose values cross between tests and program as what they are, or need not cross."""


class VisibleTestsError(ConfigError):
    """The tests can only run in one process with the program."""


class MissingModulesError(ConfigError):
    """The tests, or what comes before the program, need modules that are not here."""


@dataclass(frozen=True)
class Plan:
    """Plan for running one row's tests.

    Args:
        jobs: Jobs for the engine, without the program.
        judges: For each job, one for each of its runs.
        public: For each job, which of its runs are public tests.
        prompt: Code before the program: imports, or a function that it continues.
        entry: The function that the prompt begins.
        constant: Score of a program that always gives one answer, as a fraction.
    """

    jobs: tuple[Job, ...]
    judges: tuple[tuple[Judge, ...], ...]
    public: tuple[tuple[bool, ...], ...]
    prompt: str = ""
    entry: str = ""
    constant: float = 0.0

    def program(self, code: str) -> str:
        """The program for a completion's code, with what the data set puts before it."""
        if not self.prompt:
            return code
        before = self.prompt
        if self.entry and _defines(code, self.entry):
            # The prompt ends inside a function that the code defines anew.
            before = f"{before}\n" if _parses(before) else f"{before.rstrip()}\n    pass\n"
        first = [line for line in code.splitlines() if line.startswith("from __future__ import ")]
        return "".join([*(f"{line}\n" for line in first), before, _without(code, first)])


@dataclass(frozen=True)
class Settings:
    """A verifier's settings for all rows; see `CodePassRate`."""

    language: str
    limits: Limits
    compare: str
    tolerance: float
    visible: bool
    modules: tuple[str, ...] = ()


def make_plan(tests: CodeTests, settings: Settings) -> Plan:
    """Plan the runs of tests.

    Raises:
        VisibleTestsError: They need ``visible_tests=True``.
        ConfigError: They cannot be run at all.
    """
    if settings.language != "python" and (tests.calls or tests.asserts):
        kind = "calls" if tests.calls else "asserts"
        raise ConfigError(
            f"tests: {kind} are for Python programs; {settings.language} programs need stdio tests"
        )
    if settings.language == "python":
        _need(packages_of(tests.prompt), settings, "what comes before the program imports")
    parts: list[tuple[Job, list[Judge], list[bool]]] = []
    empty = Job(settings.language, "", settings.limits)
    if tests.stdio:
        parts.append(_stdio(empty, tests, settings))
    if tests.calls:
        parts.append(_calls(empty, tests.calls, settings))
    if tests.asserts:
        parts.append(_asserts(empty, tests, settings))
    return Plan(
        tuple(job for job, _, _ in parts),
        tuple(tuple(judges) for _, judges, _ in parts),
        tuple(tuple(public) for _, _, public in parts),
        tests.prompt,
        tests.check,
        tests.constant_score() if tests.count > 1 else 0.0,
    )


def _stdio(empty: Job, tests: CodeTests, settings: Settings) -> tuple[Job, list[Judge], list[bool]]:
    mode = tests.compare or settings.compare
    tolerance = settings.tolerance if tests.tolerance is None else tests.tolerance
    limits = _roomy(
        empty.limits, max(len(output) for test in tests.stdio for output in (test.output, *test.accepted))
    )
    job = replace(empty, stdins=tuple(_encoded(test.input) for test in tests.stdio), limits=limits)
    judges = [output_judge(test, mode, tolerance) for test in tests.stdio]
    return job, judges, [test.public for test in tests.stdio]


def _calls(empty: Job, tests: Sequence[CallTest], settings: Settings) -> tuple[Job, list[Judge], list[bool]]:
    judges: list[Judge] = []
    longest = 0
    for test in tests:
        tolerance = settings.tolerance if test.tolerance is None else test.tolerance
        expected = _plain(test.expected, test.function)
        wanted = [expected]
        if test.either and isinstance(expected, list) and len(expected) == 1:
            wanted.append(expected[0])
        wanted += [_plain(each, test.function) for each in test.accepted]
        judges.append(value_judge(wanted, tolerance, json_types=True, exact=test.tolerance is None))
        longest = max(longest, len(json.dumps(encode(expected))))
    limits = _roomy(empty.limits, longest)
    calls = tuple(_call(test.function, test.args, test.kwargs.items(), "calls") for test in tests)
    return replace(empty, calls=calls, limits=limits), judges, [test.public for test in tests]


def _asserts(empty: Job, tests: CodeTests, settings: Settings) -> tuple[Job, list[Judge], list[bool]]:
    static = _static(tests)
    if static is not None and all(_crosses(call.expected) for call in static):
        calls = tuple(
            _call(call.function, call.arguments, call.keywords, "asserts", truth=call.truth)
            for call in static
        )
        judges = [value_judge([call.expected], 0.0) for call in static]
        longest = max(len(json.dumps(encode(call.expected))) for call in static)
        limits = _roomy(empty.limits, longest)
        return replace(empty, calls=calls, limits=limits), judges, [False] * len(calls)
    script = _script(tests, settings)
    return replace(empty, script=script), [script_judge] * len(script.tests), [False] * len(script.tests)


def _roomy(limits: Limits, longest: int) -> Limits:
    """Limits that leave room for a right answer of this many characters, whatever the limit on output."""
    return replace(limits, output=max(limits.output, 4 * longest + _ROOM))


def _static(tests: CodeTests) -> list[StaticCall] | None:
    """All asserts as calls, where each of them is one and nothing must be set up."""
    if tests.check:
        body = check_body(parsed(tests.setup, "humaneval.test"))
        if not body:
            raise ConfigError("tests: humaneval.test has no function check(candidate) with tests in it")
        if not _defines(tests.prompt, tests.check):
            raise ConfigError(f"tests: humaneval.entry_point: the prompt defines no {tests.check!r:.60}")
        calls = static_calls(body, "candidate")
        return [replace(call, function=tests.check) for call in calls] if calls else None
    setup = parsed(tests.setup, "setup").body
    if not all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in setup):
        return None
    statements = [statement for test in tests.asserts for statement in parsed(test, "asserts").body]
    calls = static_calls(statements) if len(statements) == len(tests.asserts) else None
    own = set(tests.functions or ()) | functions_of(tests.solution)
    if calls and any(call.function in BUILT_IN and call.function not in own for call in calls):
        return None  # ``assert sorted([2, 1]) == [1, 2]`` asks nothing of the program
    return calls


def _script(tests: CodeTests, settings: Settings) -> Script:
    if tests.check:
        # The tester runs the prompt too, for its helpers: a program could define them to suit itself.
        setup = f"{tests.prompt}\n{tests.setup}" if _parses(tests.prompt) else tests.setup
        shared = [("candidate", tests.check), (tests.check, tests.check)]
        check = "\n".join(tests.asserts)
        helpers = helpers_used(tests.prompt, tests.setup, tests.check)
        if helpers:
            # Once more with the program's own helpers: it may not break what it was given either.
            shared += [(f"_program_{name}", name) for name in helpers]
            check = "\n".join([check, *(f"{name} = _program_{name}" for name in helpers), check])
        return Script((check,), setup, tuple(shared), visible=settings.visible)
    parsed(tests.setup, "setup")
    sources = [_runnable(test) for test in tests.asserts]
    names = names_used(tests.setup, sources, tests.functions or (), tests.solution)
    if not names.functions and not names.objects:
        raise ConfigError(
            "tests: asserts: they call no function of the program; name it in functions, for example "
            '{"asserts": ["assert sum(1, 2) == 3"], "functions": ["sum"]}'
        )
    _need(names.missing, settings, "asserts: they import")
    inside = names.captures or next(iter(sorted(names.missing - _BRIDGED)), "")
    if names.patches and not tests.references:
        inside = inside or "patch"
    if inside and not settings.visible:
        raise VisibleTestsError(
            f"the tests use {inside}, which cannot be done between two processes; visible_tests=True "
            "runs tests and program in one, where a program can cheat"
        )
    return Script(
        tuple(sources),
        tests.setup,
        tuple((name, name) for name in dict.fromkeys((*names.functions, *names.objects))),
        names.modules,
        names.program,
        tuple((name, name) for name in names.objects),
        names.classes,
        settings.visible,
    )


def _need(packages: frozenset[str], settings: Settings, who: str) -> None:
    """See to it that modules are here.

    Raises:
        MissingModulesError: One is not: like a compiler that is missing, that is no program's fault.
    """
    if missing := ", ".join(sorted(packages - set(settings.modules))):
        raise MissingModulesError(f"tests: {who} {missing}; install it and name it in modules=(...)")


def _crosses(value: Any) -> bool:
    try:
        encode(value)
    except UnreadableError:
        return False
    return True


def _runnable(test: str) -> str:
    parsed(test, "asserts")
    found = runnable(test)
    if found is None:
        raise ConfigError(f"tests: asserts: nothing in it would run: {test!r:.80}; add a call")
    return found


def _call(function: str, arguments: Sequence[Any], keywords: Any, field: str, *, truth: bool = False) -> Call:
    try:
        return Call(
            function,
            tuple(encode(value) for value in arguments),
            tuple((name, encode(value)) for name, value in keywords),
            truth,
        )
    except UnreadableError as error:
        raise ConfigError(f"tests: {field}: an argument of {function} cannot be used: {error}") from None


def _plain(value: Any, function: str) -> Any:
    """A value as plain data that an answer can equal.

    Raises:
        ConfigError: No answer can.
    """
    try:
        return decode(json.loads(json.dumps(encode(value))))
    except (UnreadableError, ValueError, TypeError) as error:
        raise ConfigError(
            f"tests: calls: no answer of {function} can equal the expected value: {error}"
        ) from None


def _parses(source: str) -> bool:
    try:
        from_source(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _defines(code: str, name: str) -> bool:
    """Return whether code defines a function at its outermost level, by its text: it may not parse."""
    return any(
        line.startswith((f"def {name}(", f"def {name} (", f"async def {name}(")) for line in code.splitlines()
    )


def _without(code: str, lines: Sequence[str]) -> str:
    kept = (line for line in code.splitlines(keepends=True) if line.rstrip("\r\n") not in lines)
    return "".join(kept) if lines else code


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
