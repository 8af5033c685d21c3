"""What the answer column, or the row itself, may hold: tests of ours, a data set's row, options beside it."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest

from adapters.trl import trl_reward_funcs
from rewards import Pay
from tests.adapters.cli.commands import cli
from tests.support import from_table, in_groups
from verifiers import CodePassRate, ConfigError, Status
from verifiers.code.rows.code_references import read_tests
from verifiers.code.rows.row_shapes import LIVECODEBENCH_PRELUDE
from verifiers.code.suites.spec import CallTest, StdioTest

from .samples import SAMPLES

HUMANEVAL, MBPP, MBPP_PLUS, CODECONTESTS, CASES = (
    SAMPLES[name].row for name in ("humaneval", "mbpp", "mbpp+", "codecontests", "inputs and outputs")
)
ADD, DOUBLE = SAMPLES["mbpp"].right, SAMPLES["apps"].right
FENCED = f"```python\n{ADD}\n```"


@in_groups(sorted(SAMPLES), str)
def test_the_columns_of_a_row_need_no_answer_column(name: str) -> None:
    """With whatever else a file has in its rows."""
    sample = SAMPLES[name]
    judge = CodePassRate(tests_in="row")
    others = {"step": 3, "model": "m", "completion_tokens": 5, "note": "x"}
    for code, paid in ((sample.right, True), (sample.wrong, False)):
        columns = {key: [value] for key, value in {**sample.row, **others}.items()}
        [verdict] = judge.verify_columns([f"```python\n{code}\n```"], None, columns)
        assert verdict.status is Status.SCORED, verdict.detail
        assert (verdict.score == 1.0) is paid


def test_a_row_of_no_data_set_is_unscored() -> None:
    """And so is one with tests in a column that its data set does not have."""
    judge = CodePassRate(tests_in="row")
    nothing = judge.verify(FENCED, None, question="q", answer="3")
    assert (nothing.status, nothing.reason) == (Status.UNSCORED, "bad_reference")
    assert "question, answer" in nothing.detail
    double = judge.verify(FENCED, None, **MBPP, input_output=json.dumps(CASES))
    assert (double.status, double.reason) == (Status.UNSCORED, "bad_reference")
    assert "mbpp.input_output" in double.detail


def test_files_and_trl(tmp_path: Path) -> None:
    """The same columns in a file of rows, and as a trainer hands them over."""
    wrong = "```python\ndef add(a, b):\n    return 4\n```"
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({**MBPP_PLUS, "completion": each}) + "\n" for each in (FENCED, wrong)))
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("reward:\n  CodePassRate: {tests_in: row, all_or_nothing: true}\n")
    out = tmp_path / "out.jsonl"
    done = cli("score", str(path), "--recipe", str(recipe), "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["reward"] for line in out.read_text().splitlines()] == [1.0, 0.0]
    [total, *_] = trl_reward_funcs(Pay(CodePassRate(tests_in="row", all_or_nothing=True)))
    columns = {key: [value] * 2 for key, value in HUMANEVAL.items() if key != "prompt"}
    prompts = [HUMANEVAL["prompt"]] * 2
    assert total(prompts=prompts, completions=[FENCED, wrong], **columns) == [1.0, 0.0]


def test_options_beside_a_row() -> None:
    """They hold for its tests; what is no option is another row."""
    tests = read_tests({"mbpp": MBPP, "bare": True, "time_limit": 2.5, "memory_limit": 100})
    assert (tests.bare, tests.time_limit, tests.memory_limit) == (True, 2.5, 100)
    assert read_tests({"codecontests": CODECONTESTS, "compare": "tokens"}).compare == "tokens"
    assert read_tests({"codecontests": CODECONTESTS}).compare == "floats"
    for beside in ({"stdio": []}, {"apps": CASES}, {"setup": "x"}, {"prompt": "x"}):
        with pytest.raises(ConfigError, match="give one of them"):
            read_tests({"mbpp": MBPP, **beside})
    with pytest.raises(ConfigError, match="time_limit"):
        read_tests({"mbpp": MBPP, "time_limit": -1.0})


def test_limits_of_a_problem() -> None:
    """As CodeContests writes them, where it knows any."""
    tests = read_tests(CODECONTESTS)
    assert (tests.time_limit, tests.memory_limit) == (2.5, 244)
    for unknown in (None, 0, {"seconds": 0, "nanos": 0}):
        row = {**CODECONTESTS, "time_limit": unknown, "memory_limit_bytes": unknown if unknown == 0 else None}
        assert (read_tests(row).time_limit, read_tests(row).memory_limit) == (None, None)
    for wrong in ("2 s", {"seconds": 1, "minutes": 2}, True):
        with pytest.raises(ConfigError, match="time_limit"):
            read_tests({**CODECONTESTS, "time_limit": wrong})


@in_groups(sorted(SAMPLES), str)
def test_no_column_can_be_of_another_kind_without_a_word(name: str) -> None:
    """A number, a text or nothing where something else is due: an error of ours, or the same tests."""
    sample = SAMPLES[name]
    for column in sample.row:
        for wrong in (7, "x", [], {}, [None], {"a": 1}, True, "\x00", "[" * 3000):
            try:
                read_tests({sample.shape: {**sample.row, column: wrong}})
            except ConfigError as error:
                assert str(error)  # noqa: PT017  (nothing else may be raised)


def test_further_accepted_outputs_leave_room() -> None:
    """The longest decides how much a program may write."""
    long = "x" * (2 << 20)
    tests = {"stdio": [{"output": "a", "accepted": [long]}]}
    assert CodePassRate().verify(f"```python\nprint('x' * {len(long)})\n```", tests).score == 1.0
    assert CodePassRate().verify(
        f"```python\n{DOUBLE}\n```", {"stdio": [{"output": "a", "accepted": 3}]}
    ).reason == ("bad_reference")


CASE = {"input": "1", "output": "2", "testtype": "stdin"}
CALL = {"input": "[1, 2]\n\n3", "output": "6", "testtype": "functional"}


def _packed(data: Any) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(data))).decode()


@pytest.mark.parametrize("pack", [lambda cases: cases, json.dumps, lambda cases: _packed(json.dumps(cases))])
def test_livecodebench_in_each_of_its_forms(pack: Any) -> None:
    """Lists, JSON, and JSON that is pickled, compressed and encoded."""
    tests = read_tests(
        {"livecodebench": {"public_test_cases": pack([CASE]), "private_test_cases": pack([CASE, CASE])}}
    )
    assert tests.stdio == [StdioTest(input="1", output="2", public=shown) for shown in (True, False, False)]
    assert (tests.compare, tests.tolerance, tests.calls, tests.time_limit) == ("lines", 0.0, [], 6.0)
    assert tests.prompt == LIVECODEBENCH_PRELUDE
    calls = read_tests(
        {"livecodebench": {"private_test_cases": pack([CALL]), "metadata": json.dumps({"func_name": "f"})}}
    )
    assert calls.calls == [CallTest(function="f", args=[[1, 2], 3], expected=6)]
    assert calls.stdio == []
    assert calls.prompt == LIVECODEBENCH_PRELUDE
    no_type = read_tests({"livecodebench": {"public_test_cases": [{"input": "1", "output": "2"}]}})
    assert no_type.stdio[0].output == "2"


def test_the_other_data_sets() -> None:
    """APPS with functions and without, MBPP, HumanEval, CodeContests."""
    apps = {"inputs": ["1\n", ["2", "3"]], "outputs": ["a", ["b", "c"]]}
    stdio = [StdioTest(input="1\n", output="a"), StdioTest(input="2\n3", output="b\nc")]
    for row in (
        {"apps": apps},
        {"taco": apps},
        apps,
        {"apps": {"input_output": json.dumps(apps)}},
        {"apps": {"input_output": apps}},
    ):
        assert read_tests(row).stdio == stdio
    named = read_tests({"apps": {**apps, "inputs": [[1], [2]], "fn_name": "f"}})
    assert [(call.function, call.args, call.either) for call in named.calls] == [
        ("f", [1], True),
        ("f", [2], True),
    ]
    mbpp = read_tests(
        {
            "mbpp": {
                "test_list": ["assert f(1)"],
                "test_imports": ["import math"],
                "test_setup_code": "x = 1",
                "code": "def f(): ...",
            }
        }
    )
    assert (mbpp.asserts, mbpp.setup, mbpp.solution) == (
        ["assert f(1)"],
        "import math\nx = 1",
        "def f(): ...",
    )
    assert read_tests({"mbpp": {"test_list": ("assert f(1)",)}}).setup == ""
    human = read_tests({"humaneval": json.dumps({"prompt": "def f(): ", "test": "t", "entry_point": "f"})})
    assert (human.prompt, human.setup, human.check) == ("def f(): ", "t", "f")
    contest = read_tests(
        {"codecontests": {"public_tests": {"input": ["1"], "output": ["a"]}, "private_tests": {"input": ["2"], "output": ["b"]},
                          "generated_tests": None}}
    )  # fmt: skip
    assert [(test.output, test.public) for test in contest.stdio] == [("a", True), ("b", False)]
    assert (contest.compare, contest.tolerance) == ("floats", 1e-5)


@from_table(({"stdio": [{"output": "a"}] * 10_001}, "stdio"))
def test_a_row_that_is_none_names_its_field(row: Any, message: str) -> None:
    """It is the reference that is wrong, so nobody is judged by it."""
    with pytest.raises(ConfigError, match=message):
        read_tests(row)


def test_as_many_tests_as_any_data_set_has_are_read() -> None:
    """And methods of classes are functions, too."""
    assert read_tests({"stdio": [{"output": "a"}] * 10_000}).count == 10_000
    for name in ("f", "Solution.f", "Solution().f", "é", "f1"):
        assert read_tests({"calls": [{"function": name, "expected": None}]}).calls[0].function == name
