"""Conditions of single parts of tests of programs, each seen from both sides."""

from __future__ import annotations

import pytest

from tests.verifiers.code.scripted_engine import ENGINE
from verifiers import CodePassRate
from verifiers.code.engine.protocol import Cause, Run
from verifiers.code.tests import listeners
from verifiers.code.tests.asserts import names_used
from verifiers.code.tests.checkers import verdict_of
from verifiers.code.tests.listeners import Listener
from verifiers.code.tests.outputs import difference
from verifiers.code.tests.spec import validated

WRONG = ("wrong_output", "")


def test_outputs_are_kept_for_a_checker_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all runs together, and exactly so many; what follows is too much, and ends where others are pointless."""
    monkeypatch.setattr(listeners, "MAX_KEPT", 10)
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


@pytest.mark.parametrize(
    ("fields", "score"),
    [
        ({"stdio": [{"output": "YES"}, {"output": "YES\n"}, {"output": "NO"}]}, 2 / 3),
        ({"calls": [{"function": "f", "args": [each], "expected": 1} for each in range(4)]}, 1.0),
        ({"asserts": ["assert f(1) == 1", "assert f(2) == 1"]}, 0.0),
        ({"stdio": [{"output": "1"}], "asserts": ["assert f(1)"] * 3}, 0.25),
    ],
)
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


def test_names_that_tests_need_of_a_program() -> None:
    """All sources count, each name once, in their order; what they define themselves is theirs."""
    names = names_used("import math", ["assert g(1) == f(2)", "own = 3\nassert f(own) == math.pi"], ())
    assert names.functions == ("g", "f")
    given = names_used("", ["assert queue(3)"], ())
    assert given.functions == ("queue",)
    module = names_used("", ["assert math.sqrt(f(4)) == 2"], ())
    assert module.functions == ("f",)
    assert module.modules == ("math",)
    meant = names_used("", ["assert sum([1]) == 1"], (), "def sum(x):\n    return 1")
    assert meant.functions == ("sum",)
    assert names_used("", ["assert sum([1]) == 1"], ()).functions == ()


@pytest.mark.parametrize(
    ("test", "given", "solution", "classes", "modules"),
    [
        ("assert isinstance(f(1), Node)", (), "", ("Node",), ()),
        ("assert isinstance(f(1), Node)", ("Node", "f"), "", ("Node",), ()),
        ("assert isinstance(f(1), Node)", ("Node", "f"), "def f(x): return 1", (), ()),
        ("assert f(Node(1)) == 1", (), "def f(x): return 1", (), ()),
        ("assert f(Node(1)) == 1", ("f",), "", (), ()),
        ("assert f(Node(1)) == 1", (), "", (), ()),
        ("assert math.f(1) == 2", (), "class math:\n    pass", ("math",), ()),
        ("assert math.f(1) == 2", (), "", (), ("math",)),
    ],
)
def test_which_names_are_classes_and_modules(
    test: str, given: tuple[str, ...], solution: str, classes: tuple[str, ...], modules: tuple[str, ...]
) -> None:
    """What a reference or an author names decides; without either, how a name is used and written."""
    names = names_used("", [test], given, solution)
    assert (names.classes, names.modules) == (classes, modules)


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
