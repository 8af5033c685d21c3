"""Programs: the share of tests that they pass, run in a sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Literal

from ..core.checks import OneOf, Range
from ..core.extraction import Extraction, Extractor
from ..core.owners import NamedCode, load
from ..core.verdicts import ReferenceClass, Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..runtime.bounds import Kept, one_reference
from .engine.isolation_tiers import CHOICES
from .engine.local_engine import shared_engine
from .engine.program_languages import LANGUAGES, toolchain
from .engine.program_runs import short_of
from .engine.protocol import Cause, Engine, Job, Limits, Report, Run
from .engine.sandbox_fusion import is_url, server_at
from .programs import Wanted, program_in, why_none
from .rows.code_references import read_columns, read_tests
from .suites import checkers
from .suites.checkers import Listener
from .suites.job_plan import MissingModulesError, Plan, Settings, VisibleTestsError
from .suites.prepared import Prepared, limits_of, on_own_solutions, prepared
from .suites.run_verdicts import MODES, group, summary, verdict_of_test

MAX_CODE = 1 << 20
"""Characters of a program. A longer one is not an answer to any task."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class CodePassRate(Verifier):
    """Share of tests that a program passes; 0.0 if it does not compile.

    The program is the last code block of the language outside thinking that is not a usage example. It runs
    in a sandbox and sees inputs only. Expected values and comparisons stay in the calling process, so exit
    codes, printed marks and objects that equal everything earn nothing. docs/code.md has the details.

    Args:
        language: python, c, cpp, rust, java, javascript, bash or go.
        timeout: Processor time per test, in seconds. The wall-clock limit is three times that plus a second,
            and excludes time in which other processes kept the program waiting.
        isolation: "auto" takes the strongest isolation available here, at least "unprivileged". "full" and
            "unprivileged" ask for that level. "none" isolates nothing: use it only for programs that you
            trust.
        all_or_nothing: Score 1.0 if all tests pass, else 0.0. A share of tests also rewards hard-coded
            examples.
        count: "all" tests, or "hidden" ones only; the verdict shows public ones in any case.
        compare: Rule for outputs: "trailing" ignores white space at line ends; docs/code.md has the others. A
            dataset with its own rule keeps it.
        tolerance: Largest absolute or relative difference of floats.
        visible_tests: Run tests that need the program's own classes in the same process, where the program
            can cheat. Without it, such rows are unscored.
        stop_early: Skip the tests after the first failure. None: if `all_or_nothing` is set.
        memory: Memory of the program in MiB, including the kernel's share.
        budget: Seconds of processor time and waiting for all tests of a completion. None: ten times
            `timeout`, or half of it per test if that is more.
        modules: Third-party modules that Python programs may import, such as ("numpy",).
        prefilled: The prompt ends in an open code fence, and completions continue inside it.
        extract: Finds the program. None: the rules of docs/code.md.
        engine: Import path of your own `Engine`, ``"package.module:name"``; the URL of a SandboxFusion
            server; or "bwrap" for bubblewrap. None: this machine's sandbox.
        tests_in: "answer" takes the tests from the answer column; "row" takes them from the dataset's own
            columns.

    Raises:
        ConfigError: A field is out of range.
        SandboxError: On first use, if programs cannot be isolated here as you ask.

    >>> tests = {"calls": [{"function": "add", "args": [1, 2], "expected": 3}]}
    >>> answer = "```python\\ndef add(a, b):\\n    return a + b\\n```"
    >>> CodePassRate().verify(answer, tests).score
    1.0
    """

    reference_first: ClassVar[bool] = True
    runs_programs: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "all_passed": "every test that counts was passed",
        "passed": "this test was passed",
        "no_code": "there is no fenced block of code outside thinking",
        "wrong_language": "there are blocks of code, none of them in the language",
        "over_limit": "the program is longer than any answer",
        "wrong_output": "the program printed something else",
        "wrong_answer": "the function returned something else",
        "failed_assertion": "an assert failed",
        "unreadable_answer": "the function returned an object, or a value nested too deeply to compare",
        "runtime_error": "the program ended with an error",
        "compile_error": "the program does not compile",
        "cpu_time": "the program used up its processor time",
        "wall_time": "the program waited until its wall-clock limit",
        "over_budget": "all tests together used up the budget; the rest of them were not run",
        "memory": "the program needs more memory than it may use",
        "output_limit": "the program wrote more than it may",
        "broke_sandbox": "the program broke its sandbox, twice; without the program the sandbox works",
        "bad_tests": "the tests cannot be run",
        "not_run": "an earlier test made this one pointless",
        "reference_fails": "the row's own solution does not pass its tests",
        "visible_tests_needed": "the tests use the program's own classes and visible_tests is False",
        "unavailable": "a compiler, an interpreter or a module that the tests import is not here, or this "
        "process is limited to less than programs are promised",
        "sandbox": "the sandbox broke, and breaks without the program too",
    }
    depends: ClassVar[tuple[str, ...]] = ()

    language: Annotated[str, OneOf(LANGUAGES)] = "python"
    timeout: Annotated[float, Range(above=0, most=3600, unit="seconds")] = 10.0
    isolation: Annotated[str, OneOf(CHOICES)] = "auto"
    all_or_nothing: bool = False
    count: Literal["all", "hidden"] = "all"
    compare: Annotated[str, OneOf(MODES)] = "trailing"
    tolerance: Annotated[float, Range(least=0)] = 1e-9
    visible_tests: bool = False
    stop_early: bool | None = None
    memory: Annotated[int, Range(16, 1 << 20, unit="MiB")] = 1024
    budget: Annotated[float, Range(above=0, unit="seconds")] | None = None
    modules: tuple[str, ...] = ()
    prefilled: bool = False
    extract: Extractor | None = None
    engine: NamedCode | None = None
    tests_in: Literal["answer", "row"] = "answer"

    def __post_init__(self) -> None:
        for name, row in LANGUAGES.items():
            if isinstance(self.language, str) and self.language.casefold() in row.fences:
                object.__setattr__(self, "language", name)
        if self.engine == "bwrap":
            object.__setattr__(self, "engine", "reward_verifiers.verifiers.code.engine.bubblewrap:BWRAP")
        super().__post_init__()
        object.__setattr__(self, "needs_reference", self.tests_in == "answer")
        for module in self.modules:
            if not module.isidentifier() or find_spec(module) is None:
                raise ConfigError(f"CodePassRate: modules: {module!r} is not installed here")
        if self.engine is not None and not callable(getattr(self._engine(), "run", None)):
            raise ConfigError(f"CodePassRate: engine: {self.engine} has no method run(jobs)")

    def fields_read(self) -> tuple[str, ...] | None:
        return () if self.tests_in == "answer" else None

    def check(self, sample: Sample) -> Verdict:
        return self.check_batch([sample])[0]

    def check_batch(self, samples: Sequence[Sample]) -> list[Verdict]:
        """Judge several samples at once; programs run on all cores."""
        asked = [self._asked_or_refused(sample) for sample in samples]
        fails = self._refused_rows([each for each in asked if isinstance(each, Prepared)])
        rows: list[_Row | Verdict] = []
        for sample, each in zip(samples, asked, strict=True):
            if isinstance(each, Prepared):
                refusal = fails.get(each.key)
                rows.append(self._row(sample, each) if refusal is None else refusal)
            else:
                rows.append(each)
        return self._run(rows)

    def judge_reference(
        self, reference: object, fields: Mapping[str, object] | None = None
    ) -> ReferenceClass:
        """Classify a row: does its own solution pass its tests, if it has one?"""
        sample = self._sample("", reference, fields or {})
        asked = self._asked_or_refused(sample) if isinstance(sample, Sample) else sample
        if isinstance(asked, Prepared):
            if (refusal := self._refused_rows([asked]).get(asked.key)) is None:
                reason = "solution_passes" if asked.tests.references else "no_solution"
                return ReferenceClass("usable", reason)
            asked = refusal
        return ReferenceClass("unusable", asked.reason, asked.detail)

    def _refused_rows(self, asked: Sequence[Prepared]) -> dict[str, Verdict]:
        """Why rows cannot be judged whose own solutions do not pass, by their keys."""

        def judge(programs: Sequence[tuple[Prepared, str]]) -> list[Verdict]:
            return self._run([self._reference_row(*each) for each in programs])

        refused: dict[str, Verdict] = {}
        where = (self.isolation, self.modules, self.engine)
        for key, verdict in on_own_solutions(asked, where, judge).items():
            if verdict.score is None:
                refused[key] = verdict
            elif verdict.score < 1.0:
                said = f"the row's own solution fails: {verdict.detail}"
                refused[key] = self.unscored("reference_fails", said[:500])
        return refused

    def _reference_row(self, asked: Prepared, code: str) -> _Row:
        return self._with_program(asked, Extraction(code, (0, len(code)), "reference"), None, stop=True)

    def _run(self, rows: Sequence[_Row | Verdict]) -> list[Verdict]:
        """Run the programs of rows, and judge them; verdicts stay what they are."""
        jobs = [job for row in rows if isinstance(row, _Row) for job in row.jobs]
        reports = iter(self._engine().run(jobs) if jobs else ())
        found = [(row, [next(reports) for _ in row.jobs]) for row in rows if isinstance(row, _Row)]
        asked = [(row.asked.tests, row.listeners[0]) for row, _ in found if row.listeners[0].outputs]
        broken = checkers.settle(asked, self._engine(), self._limits()) if asked else {}
        judged = iter(found)
        return [self._judged(*next(judged), broken) if isinstance(row, _Row) else row for row in rows]

    # From a sample to jobs --------------------------------------------------------------------

    def _asked_or_refused(self, sample: Sample) -> Prepared | Verdict:
        """A row's tests, or why it cannot be judged: decided before the completion is looked at."""
        try:
            asked = self._asked(sample)
        except VisibleTestsError as error:
            return self.unscored("visible_tests_needed", str(error))
        except MissingModulesError as error:
            return self.unscored("unavailable", str(error)[:500])
        except ConfigError as error:
            return self.unscored("bad_reference", str(error)[:500])
        plan = asked.plan
        if self.count == "hidden" and all(shown for part in plan.public for shown in part):
            return self.unscored("bad_reference", "tests: count='hidden', and all of them are public")
        if self.engine is None and (missing := toolchain(self.language).missing or _short_of(plan)):
            return self.unscored("unavailable", missing)
        refusal = self._checker_problem(asked)
        return asked if refusal is None else refusal

    def _row(self, sample: Sample, asked: Prepared) -> _Row | Verdict:
        seen = sample.seen("raw")  # a program is made of its characters
        found = self._program(seen.text, asked)
        if found is None or found.text is None:
            return self.scored(0.0, *self._no_code(seen.text, found.problem if found else ""))
        if len(found.text) > MAX_CODE:
            return self.scored(
                0.0, "over_limit", f"the program has {len(found.text)} characters of {MAX_CODE}"
            )
        stop = self.all_or_nothing if self.stop_early is None else self.stop_early
        return self._with_program(asked, found, seen.span(*found.span), stop=stop)

    def _with_program(
        self, asked: Prepared, found: Extraction, span: tuple[int, int] | None, *, stop: bool
    ) -> _Row:
        plan, text = asked.plan, found.text or ""
        code = plan.program(text)
        jobs = []
        listeners = []
        for job, judges, public in zip(plan.jobs, plan.judges, plan.public, strict=True):
            # A test that does not count does not stop the others.
            counts = [not (shown and self.count == "hidden") for shown in public]
            listeners.append(
                Listener(judges, counts if stop else [False] * len(judges), checked=bool(asked.tests.checker))
            )
            jobs.append(replace(job, code=code, go_on=listeners[-1].hear))
        return _Row(asked, jobs, listeners, text, span)

    def _program(self, answer: str, asked: Prepared) -> Extraction | None:
        if self.extract is not None:
            return self.extract.extract(answer)
        fences = LANGUAGES[self.language].fences
        wanted = Wanted(fences, self.language == "python", asked.names, asked.tests.bare, self.prefilled)
        return program_in(answer, wanted)

    def _no_code(self, answer: str, note: str) -> tuple[str, str]:
        if self.extract is not None:
            return "no_code", note or f"{self.extract!r} finds nothing"
        reason, detail = why_none(answer, self.language)
        return ("no_code", note) if note and "prefilled" not in detail else (reason, detail)

    def _asked(self, sample: Sample) -> Prepared:
        limits = replace(self._limits(), budget_seconds=self.budget)
        settings = Settings(
            self.language, limits, self.compare, self.tolerance, self.visible_tests, self.modules
        )
        given: Any = dict(sample.fields) if self.tests_in == "row" else sample.reference
        read = read_columns if self.tests_in == "row" else read_tests
        text = given if isinstance(given, str) else _text_of(given)
        if text is None:
            return prepared(read(given), settings)
        key = (text, isinstance(given, str), read is read_columns, settings)
        if (known := _KEPT.get(key)) is not None:
            return known
        made, tally = one_reference(lambda: prepared(read(given), settings))
        _KEPT.put(key, made, len(text) + 2 * tally.weight)  # tests, and what is run of them
        return made

    def _engine(self) -> Engine:
        if self.engine is not None:
            found: Engine = server_at(self.engine) if is_url(self.engine) else load(self.engine)
            return found
        return shared_engine(self.isolation, self.modules)

    # Checkers ---------------------------------------------------------------------------------

    def _checker_problem(self, asked: Prepared) -> Verdict | None:
        if not asked.tests.checker:
            return None
        try:
            reason, detail = checkers.problem_of(asked.tests, self._engine(), self._limits())
        except ConfigError as error:
            return self.unscored("bad_reference", str(error)[:500])
        if reason == "sandbox":
            return self.fault("sandbox", f"the checker cannot be run: {detail}")
        return self.unscored(reason, detail) if reason else None

    def _limits(self) -> Limits:
        return limits_of(self.timeout, self.memory << 20)

    # From reports to a verdict ----------------------------------------------------------------

    def _judged(self, row: _Row, reports: Sequence[Report], broken: Mapping[Listener, str]) -> Verdict:
        if row.listeners[0] in broken:
            return self.fault("sandbox", f"the checker cannot be run: {broken[row.listeners[0]]}")
        for report in reports:
            if report.unavailable:
                return self.unscored("unavailable", report.unavailable)
            if report.error:
                return self.fault("sandbox", report.error)
            if report.runs[-1].cause is Cause.BAD_TESTS:
                return self._bad_tests(report.runs[-1])
        public: list[Verdict] = []
        hidden: list[Verdict] = []
        number = 0
        for report, listener, shown in zip(reports, row.listeners, row.asked.plan.public, strict=True):
            for position, (run, is_public) in enumerate(zip(report.runs, shown, strict=True)):
                number += 1
                test = verdict_of_test(f"test {number}", *listener.judgement(position, run))
                (public if is_public else hidden).append(test)
        return self._summed(row, public, hidden, reports[0].isolation)

    def _bad_tests(self, run: Run) -> Verdict:
        if run.answer.get("visible"):
            cure = "visible_tests=True runs tests and program in one process"
            return self.unscored("visible_tests_needed", f"{run.detail}; {cure}")
        return self.unscored("bad_reference", f"tests: {run.detail}")

    def _summed(self, row: _Row, public: list[Verdict], hidden: list[Verdict], isolation: str) -> Verdict:
        counted = hidden if self.count == "hidden" else public + hidden
        rate = sum(test.passed for test in counted) / len(counted)
        failed = next((test for test in counted if not test.passed), None)
        constant = 0.0 if self.all_or_nothing else row.asked.plan.constant
        parts = tuple(public + hidden)
        if public and hidden:
            parts = (group("public", public), group("hidden", hidden))
        return self.scored(
            float(rate == 1.0) if self.all_or_nothing else rate,
            "all_passed" if failed is None else failed.reason,
            summary(counted, public, hidden, constant, isolation),
            extracted=row.code.encode("utf-8", "backslashreplace").decode(),
            parts=parts,
            span=row.span,
        )


@dataclass(frozen=True)
class _Row:
    asked: Prepared
    jobs: list[Job]
    listeners: list[Listener]
    code: str
    span: tuple[int, int] | None


def _text_of(given: Any) -> str | None:
    """Plain data as text; None for anything else, since two that differ might have one text."""
    try:
        text = json.dumps(given, ensure_ascii=False)
        return text if json.loads(text) == given else None
    except (TypeError, ValueError, RecursionError):
        return None


def _short_of(plan: Plan) -> str:
    return next(filter(None, map(short_of, plan.jobs)), "")


_KEPT = Kept[Prepared](256 << 20)
"""Tests that are text or plain data, which the completions of a row have in common."""
