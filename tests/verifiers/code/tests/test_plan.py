"""From tests to runs and back to a score, with an engine that runs nothing: no sandbox is needed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import from_table
from tests.verifiers.code.scripted_engine import ENGINE
from verifiers import CodePassRate, Verdict
from verifiers.code.engine.protocol import Call, Cause, Job, Limits, Run
from verifiers.code.suites import checkers
from verifiers.code.suites.checkers import Listener, verdict_of
from verifiers.code.suites.job_plan import Settings, make_plan
from verifiers.code.suites.run_verdicts import difference
from verifiers.code.suites.spec import CodeTests, validated

PROGRAM = "```python\ndef f(x):\n    return x\n```"
OK = Cause.OK


def _verdict(tests: Any, *runs: Run, program: str = PROGRAM, **options: Any) -> Verdict:
    ENGINE.runs, ENGINE.jobs = list(runs), []
    options.setdefault("engine", "tests.verifiers.code.scripted_engine:ENGINE")
    return CodePassRate(**options).verify(program, tests)


def _job(tests: Any, *runs: Run, **options: Any) -> Job:
    """The one job of some tests."""
    verdict = _verdict(tests, *(runs or [Run(OK, b"", b"", {"v": 1})] * 20), **options)
    assert verdict.score is not None, verdict
    [job] = ENGINE.jobs
    return job


def _out(text: str) -> Run:
    return Run(OK, text.encode())


def _said(value: Any) -> Run:
    return Run(OK, answer={"v": value})


IO = {"stdio": [{"input": "1", "output": "a"}, {"input": "2", "output": "b"}]}


def test_each_test_counts_once() -> None:
    """The score is the share that passed, and the first that did not gives the reason."""
    for outputs, score, reason in (
        ("ab", 1.0, "all_passed"),
        ("ax", 0.5, "wrong_output"),
        ("xb", 0.5, "wrong_output"),
        ("xx", 0.0, "wrong_output"),
    ):
        verdict = _verdict(IO, *map(_out, outputs))
        assert (verdict.score, verdict.reason) == (score, reason)
        assert [part.score for part in verdict.parts] == [
            float(x == y) for x, y in zip(outputs, "ab", strict=True)
        ]
        whole = _verdict(IO, *map(_out, outputs), all_or_nothing=True)
        assert whole.score == float(score == 1.0)
    assert [job.stdins for job in ENGINE.jobs] == [(b"1", b"2")]
    assert f"{_verdict(IO, _out('a'), _out('x'))}".startswith("CodePassRate 0.50 wrong_output")
    assert (
        "1 of 2 tests passed; test 2: line 1: expected 'b', got 'x'"
        in _verdict(IO, _out("a"), _out("x")).detail
    )


@pytest.mark.parametrize("cause", [cause for cause in Cause if cause not in (Cause.OK, Cause.BAD_TESTS)])
def test_no_run_that_ended_otherwise_has_passed(cause: Cause) -> None:
    """Whatever it printed or answered before."""
    for tests, run in (
        ({"stdio": [{"output": "a"}]}, Run(cause, b"a", b"", None, "")),
        ({"calls": [{"function": "f", "expected": 1}]}, Run(cause, b"", b"", {"v": 1}, "")),
        ({"asserts": ["assert f(1) == 1"]}, Run(cause, b"", b"", {"v": 1}, "")),
        ({"asserts": ["assert f(1) > 1"]}, Run(cause, b"", b"", {"p": True}, "")),
    ):
        verdict = _verdict(tests, run)
        assert (verdict.score, verdict.reason) == (0.0, cause.value), tests


@from_table()
def test_what_a_call_answered_is_compared(answer: Any, score: float, reason: str) -> None:
    """If it can be read."""
    for tests in (
        {"calls": [{"function": "f", "args": [1], "expected": 1}]},
        {"asserts": ["assert f(1) == 1"]},
    ):
        verdict = _verdict(tests, Run(OK, answer=answer))
        assert (verdict.score, verdict.reason) == (score, reason)


@pytest.mark.parametrize(
    ("run", "reason", "detail"),
    [
        (Run(OK, answer={"p": True}), "all_passed", ""),
        (Run(OK, answer={"p": 1}), "unreadable_answer", "the tester said nothing"),
        (Run(OK, answer={}), "unreadable_answer", "the tester said nothing"),
        (Run(Cause.RUNTIME_ERROR, answer={"x": "AssertionError", "m": "no"}), "failed_assertion", "no"),
        (Run(Cause.RUNTIME_ERROR, answer={"x": "AssertionError"}), "failed_assertion", "an assertion does not hold"),
        (Run(Cause.RUNTIME_ERROR, answer={"x": "ValueError"}, detail="ValueError: x"), "runtime_error", "ValueError: x"),
        (Run(Cause.RUNTIME_ERROR, answer=None, detail="gone"), "runtime_error", "gone"),
    ],
)  # fmt: skip
def test_a_test_that_is_code_says_itself_whether_it_passed(run: Run, reason: str, detail: str) -> None:
    """By a true value, and nothing like one."""
    verdict = _verdict({"asserts": ["assert f(1) > 0"]}, run)
    assert verdict.reason == reason
    assert detail in verdict.detail


@pytest.mark.parametrize(
    ("run", "detail"),
    [
        (Run(Cause.RUNTIME_ERROR, errors=b"Traceback\n  File x\nValueError: no"), "test 1: ValueError: no;"),
        (Run(Cause.COMPILE_ERROR, errors=b"a.c:1: error: no\n1 error generated"), "test 1: a.c:1: error: no;"),
        (Run(Cause.RUNTIME_ERROR, errors=b"panic: no\n\ngoroutine 1"), "test 1: panic: no;"),
        (Run(Cause.RUNTIME_ERROR, errors=b"one\ntwo"), "test 1: two;"),
        (Run(Cause.RUNTIME_ERROR, errors=b"", detail="status 1"), "test 1: status 1;"),
        (Run(Cause.RUNTIME_ERROR, errors=b"KeyError: 1", detail="status 1"), "test 1: status 1: KeyError: 1;"),
        (Run(Cause.CPU_TIME), "test 1: it used up its processor time;"),
        (Run(Cause.WALL_TIME), "it waited until its wall-clock limit"),
        (Run(Cause.MEMORY), "it needs more memory than it may use"),
        (Run(Cause.OUTPUT_LIMIT), "it wrote more than it may"),
        (Run(Cause.RUNTIME_ERROR, errors=b"a\x1b[0mb"), r"test 1: a\x1b[0mb;"),
    ],
)  # fmt: skip
def test_a_person_is_told_what_happened(run: Run, detail: str) -> None:
    """On one line, in what the program's language said."""
    assert detail in _verdict({"stdio": [{"output": "a"}]}, run).detail


def test_public_tests_may_count_or_not() -> None:
    """Shown apart from the hidden ones; a row that has no others cannot be judged then."""
    tests = {"stdio": [{"output": "a", "public": True}, {"output": "b"}, {"output": "c"}]}
    every = _verdict(tests, _out("a"), _out("b"), _out("x"))
    assert every.score == pytest.approx(2 / 3)
    assert [(part.verifier, part.score) for part in every.parts] == [("public", 1.0), ("hidden", 0.5)]
    assert [part.reason for part in every.parts[1].parts] == ["passed", "wrong_output"]
    hidden = _verdict(tests, _out("x"), _out("b"), _out("c"), count="hidden")
    assert (hidden.score, hidden.reason) == (1.0, "all_passed")
    only = _verdict({"stdio": [{"output": "a", "public": True}]}, _out("a"), count="hidden")
    assert (only.score, only.reason) == (None, "bad_reference")


def test_a_program_that_has_failed_runs_no_further_where_all_must_pass() -> None:
    """And otherwise continues; what does not count does not stop it."""
    tests = {"stdio": [{"output": "a", "public": True}, {"output": "b"}, {"output": "c"}]}
    runs = [_out("x"), _out("x"), _out("c")]
    for options, heard in (
        ({}, [True, True, True]),
        ({"all_or_nothing": True}, [False, False, True]),
        ({"stop_early": True}, [False, False, True]),
        ({"all_or_nothing": True, "stop_early": False}, [True, True, True]),
        ({"all_or_nothing": True, "count": "hidden"}, [True, False, True]),
    ):
        _verdict(tests, *runs, **options)
        assert ENGINE.heard == heard, options


def test_a_right_answer_fits_whatever_the_limit_is() -> None:
    """Four times what is expected, and some room; never less than the usual limit."""
    usual = _job({"stdio": [{"output": "a"}]}).limits.output
    assert _job({"stdio": [{"output": "a" * 1000}, {"output": "b"}]}).limits.output == usual
    for tests in (
        {"stdio": [{"output": "b"}, {"output": "a" * usual}]},
        {"calls": [{"function": "f", "expected": 1}, {"function": "f", "expected": "a" * usual}]},
        {"asserts": ["assert f(1) == 1", f"assert f(2) == {'a' * usual!r}"]},
    ):
        assert _job(tests).limits.output >= 4 * usual


@pytest.mark.parametrize(
    ("tests", "calls"),
    [
        ({"calls": [{"function": "f", "args": [1], "kwargs": {"y": [2]}, "expected": 3}]}, [Call("f", (1,), (("y", [2]),))]),
        ({"asserts": ["assert f(1, y=(2,)) == 3"]}, [Call("f", (1,), (("y", {"t": [2]}),))]),
        ({"asserts": ["assert f(1)", "assert not f(2)"]}, [Call("f", (1,), (), True), Call("f", (2,), (), True)]),
        ({"setup": "import math", "asserts": ["assert f(1) == 2"]}, [Call("f", (1,))]),
    ],
)  # fmt: skip
def test_literal_tests_are_calls(tests: Any, calls: list[Call]) -> None:
    """Of which the program sees no expected value."""
    job = _job(tests)
    assert list(job.calls) == calls
    assert job.script is None


@from_table()
def test_other_tests_are_code_in_a_sandbox_of_their_own(tests: Any) -> None:
    """One that is none makes all of them code: they may depend on one another."""
    job = _job(tests, *[Run(OK, answer={"p": True})] * 4)
    assert job.calls == ()
    assert job.script is not None
    assert job.script.names == (("f", "f"),)
    assert job.script.setup == tests.get("setup", "")
    assert not job.script.visible


def test_a_built_in_function_is_asked_only_where_the_program_defines_it() -> None:
    """``assert sorted([2, 1]) == [1, 2]`` asks nothing of a program."""
    alone = {"asserts": ["assert sum(1, 2) == 3"]}
    verdict = _verdict(alone)
    assert (verdict.score, verdict.reason) == (None, "bad_reference")
    assert "they call no function of the program" in verdict.detail
    assert _job({**alone, "functions": ["sum"]}).calls == (Call("sum", (1, 2)),)
    solved = {**alone, "solution": "def sum(a, b):\n    return a + b"}
    assert _job(solved, _said(3)).calls == (Call("sum", (1, 2)),)


@from_table(
    (
        {"calls": [{"function": "f", "expected": {"a": object()}}]},
        "bad_reference",
        "no answer of f can equal",
    ),
    ({"calls": [{"function": "f", "args": [object()], "expected": 1}]}, "bad_reference", "cannot be used"),
)
def test_tests_that_cannot_be_run_are_nobodys_fault(tests: Any, reason: str, detail: str) -> None:
    """The row is not judged, whatever the completion is, and the message says where the trouble is."""
    for program in (PROGRAM, "no code at all"):
        verdict = _verdict(tests, program=program)
        assert (verdict.score, verdict.reason) == (None, reason), verdict.detail
        assert detail in verdict.detail


def test_visible_tests_are_a_choice() -> None:
    """Then classes and captures may be used, and the script says so."""
    job = _job({"asserts": ["assert Node(1).x > 1"]}, Run(OK, answer={"p": True}), visible_tests=True)
    assert job.script is not None
    assert job.script.visible
    assert job.script.names == (("Node", "Node"),)
    numpy = _job(
        {"asserts": ["import numpy\nassert f(1) > 1"]}, Run(OK, answer={"p": True}), modules=("numpy",)
    )
    assert numpy.script is not None


def test_a_program_goes_on_where_its_prompt_ends() -> None:
    """Or defines the function anew; what must come first in a file comes first."""
    row = {
        "prompt": "import math\ndef f(x):\n",
        "test": "def check(candidate):\n    assert candidate(1) == 1",
        "entry_point": "f",
    }
    whole = _job({"humaneval": row})
    assert whole.code.rstrip() == "import math\ndef f(x):\n    pass\ndef f(x):\n    return x"
    assert whole.calls == (Call("f", (1,)),)
    body = _job({"humaneval": row}, program="```python\n    return x\n```")
    assert body.code.startswith("import math\ndef f(x):\n")
    assert body.code.rstrip().endswith("return x")
    assert "pass" not in body.code
    future = _job(
        {"humaneval": row},
        program="```python\nfrom __future__ import annotations\ndef f(x):\n    return x\n```",
    )
    assert future.code.startswith("from __future__ import annotations\nimport math")
    assert future.code.count("__future__") == 1


def test_a_data_set_says_how_it_is_compared() -> None:
    """Before the verifier's own way."""
    tests = {"stdio": [{"output": "0.30"}]}
    for compare, output, score in (("trailing", "0.3", 0.0), ("floats", "0.3", 1.0), ("tokens", "0.3", 0.0)):
        assert _verdict(tests, _out(output), compare=compare).score == score
        assert _verdict({**tests, "compare": compare}, _out(output)).score == score
    assert _verdict({**tests, "compare": "floats"}, _out("0.31"), tolerance=0.1).score == 1.0
    assert (
        _verdict({**tests, "compare": "floats", "tolerance": 0.0}, _out("0.31"), tolerance=0.1).score == 0.0
    )
    call = {"function": "f", "expected": 0.3}
    assert _verdict({"calls": [call]}, _said(0.31), tolerance=0.1).score == 1.0
    assert _verdict({"calls": [{**call, "tolerance": 0.0}]}, _said(0.31), tolerance=0.1).score == 0.0
    assert _verdict({"calls": [{**call, "tolerance": 0.1}]}, _said(0.31)).score == 1.0
    whole = {"function": "f", "expected": 3}
    assert _verdict({"calls": [whole]}, _said(3.01), tolerance=0.1).score == 0.0
    assert _verdict({"calls": [{**whole, "tolerance": 0.1}]}, _said(3.01)).score == 1.0
    assert _verdict({"asserts": ["assert f() == 0.3"]}, _said(0.31), tolerance=0.1).score == 0.0, (
        "== means =="
    )


def test_one_value_in_a_list_may_stand_for_itself_in_apps_only() -> None:
    """APPS wraps some values."""
    apps = {"apps": {"inputs": [[1]], "outputs": [[5]], "fn_name": "f"}}
    assert _verdict(apps, _said(5)).score == _verdict(apps, _said([5])).score == 1.0
    assert _verdict(apps, _said([[5]])).score == 0.0
    calls = {"calls": [{"function": "f", "args": [1], "expected": [5]}]}
    assert (_verdict(calls, _said(5)).score, _verdict(calls, _said([5])).score) == (0.0, 1.0)
    two = {"apps": {"inputs": [[1]], "outputs": [[5, 6]], "fn_name": "f"}}
    assert _verdict(two, _said(5)).score == 0.0


def test_tests_may_come_as_text_and_with_the_nulls_of_a_table() -> None:
    """As they are stored."""
    assert _verdict(json.dumps(IO), _out("a"), _out("b")).passed
    table = {"stdio": [{"input": None, "output": "a", "public": None}], "calls": None, "compare": None}
    assert _verdict(table, _out("a")).passed
    none = {"calls": [{"function": "f", "args": (1,), "kwargs": None, "expected": None}]}
    assert _verdict(none, _said(None)).passed
    assert ENGINE.jobs[0].calls == (Call("f", (1,)),)


def test_other_languages_have_tests_on_input_and_output_only() -> None:
    """Calls and asserts are Python's."""
    c = "```c\nint main() {}\n```"
    assert _verdict({"stdio": [{"output": "a"}]}, _out("a"), program=c, language="c").passed
    for kind, tests in (
        ("calls", {"calls": [{"function": "f", "expected": 1}]}),
        ("asserts", {"asserts": ["assert f(1) == 1"]}),
    ):
        verdict = _verdict(tests, program=c, language="c")
        assert (verdict.score, verdict.reason) == (None, "bad_reference")
        assert f"{kind} are for Python programs; c programs" in verdict.detail


def test_tests_of_all_kinds_count_together() -> None:
    """In the score, and in what one answer to all of them would be paid."""
    tests = {
        "stdio": [{"output": "a"}] * 3,
        "calls": [{"function": "f", "expected": 1}],
        "asserts": ["assert f(1) == 1"],
    }
    verdict = _verdict(tests, _out("a"), _out("a"), _out("b"), _said(1), _said(1))
    assert verdict.score == 0.8
    assert [part.verifier for part in verdict.parts] == [f"test {number}" for number in range(1, 6)]
    assert "one answer to all tests would score 0.60" in verdict.detail
    assert "one answer" not in _verdict(IO, _out("a"), _out("b")).detail
    settings = Settings("python", Limits(), "trailing", 0.0, visible=False)
    one = {"input": "1", "output": "a"}
    assert make_plan(CodeTests.model_validate({"stdio": [one]}), settings).constant == 0.0
    assert make_plan(CodeTests.model_validate({"stdio": [one, one]}), settings).constant == 1.0


@pytest.mark.parametrize(
    ("shown", "said"),
    [([True, False], "(public 1/1, hidden 1/1)"), ([True, True], ""), ([False, False], "")],
)
def test_public_and_hidden_tests_are_told_apart_where_there_are_both(shown: list[bool], said: str) -> None:
    tests = [{"input": "2\n", "output": "4\n", "public": each} for each in shown]
    verdict = _verdict({"stdio": tests}, _out("4"), _out("4"))
    assert verdict.detail.startswith(f"2 of 2 tests passed{' ' if said else ''}{said};")


WRONG = ("wrong_output", "")


def test_outputs_are_kept_for_a_checker_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all runs together, and exactly so many; what follows is too much, and ends where others are pointless."""
    monkeypatch.setattr(checkers, "MAX_KEPT", 10)
    listener = Listener([lambda _: WRONG] * 3, [True] * 3, checked=True)
    six, four, one = (Run(Cause.OK, b"x" * size) for size in (6, 4, 1))
    assert listener.hear(0, six)
    assert listener.hear(1, four)
    assert not listener.hear(2, one)
    assert listener.outputs == {0: six.output, 1: four.output}
    assert listener.judgement(1, four) == WRONG
    assert listener.judgement(2, one)[0] == "output_limit"


def test_nothing_is_kept_where_nobody_checks() -> None:
    """Nor what is right."""
    unchecked = Listener([lambda _: WRONG], [False])
    assert unchecked.hear(0, Run(Cause.OK, b"x"))
    assert not unchecked.outputs
    right = Listener([lambda _: ("passed", "")], [True], checked=True)
    assert right.hear(0, Run(Cause.OK, b"x"))
    assert not right.outputs


@from_table()
def test_what_one_answer_to_everything_would_earn(fields: dict[str, object], score: float) -> None:
    """As a share of all tests, those that cannot be counted among them."""
    assert validated(fields).constant_score() == score


def test_sequences_become_calls_after_those_that_there_are() -> None:
    """The first operation makes the object, and whatever it gives is nothing."""
    tests = {
        "calls": [{"function": "f", "args": [1], "expected": 1}],
        "sequences": [
            {"operations": ["Box", "get"], "arguments": [[], []], "expected": ["ignored", 3], "public": True}
        ],
    }
    ENGINE.runs, ENGINE.jobs = [Run(Cause.OK, answer={"v": 1}), Run(Cause.OK, answer={"v": [None, 3]})], []
    program = "```python\nclass Box:\n    def get(self):\n        return 3\ndef f(x):\n    return x\n```"
    verdict = CodePassRate(engine="tests.verifiers.code.scripted_engine:ENGINE").verify(program, tests)
    assert verdict.score == 1.0, verdict
    [job] = ENGINE.jobs
    first, second = job.calls
    assert first.function == "f"
    assert len(job.calls) == 2
    assert list(second.arguments) == [["Box", "get"], [[], []]]


def test_what_a_checker_and_a_comparison_say() -> None:
    """A checker's last words; its refusal apart from its failure; the first line that was expected."""
    refused = ("wrong_output", "the checker refuses the output")
    assert verdict_of(Run(Cause.OK, b"0")) == refused
    reason, detail = verdict_of(Run(Cause.RUNTIME_ERROR, errors=b"ValueError: no"))
    assert reason == "wrong_output"
    assert detail.startswith("the checker ends with an error on the output: ")
    ENGINE.runs = [Run(Cause.OK, b"a" * 100 + b"the end")]
    tests = {"stdio": [{"input": "1", "output": "1"}], "checker": "print('a' * 100 + 'the end')"}
    verdict = CodePassRate(engine="tests.verifiers.code.scripted_engine:ENGINE").verify(
        "```python\nprint(1)\n```", tests
    )
    assert verdict.reason == "bad_reference"
    assert verdict.detail.endswith(repr(b"a" * 53 + b"the end"))
    assert difference(b"", "first\nsecond").startswith("expected 'first'")
