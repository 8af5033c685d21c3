"""Rows of public data sets: what is read of them, and which are refused, with the field that is wrong."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from typing import Any

import pytest

from tests.support import in_groups
from verifiers import ConfigError
from verifiers.code.rows import preludes
from verifiers.code.rows.references import read_tests
from verifiers.code.tests.spec import CallTest, CodeTests, StdioTest

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
    assert tests.prompt == preludes.LIVECODEBENCH
    calls = read_tests(
        {"livecodebench": {"private_test_cases": pack([CALL]), "metadata": json.dumps({"func_name": "f"})}}
    )
    assert calls.calls == [CallTest(function="f", args=[[1, 2], 3], expected=6)]
    assert calls.stdio == []
    assert calls.prompt == preludes.LIVECODEBENCH
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


@in_groups(
    [
        ({"livecodebench": {"public_test_cases": [{"input": "1"}]}}, "livecodebench.public_test_cases"),
        ({"livecodebench": {"public_test_cases": [3]}}, "livecodebench.public_test_cases"),
        ({"livecodebench": {"private_test_cases": ["x"]}}, "livecodebench.private_test_cases"),
        (
            {
                "livecodebench": {
                    "public_test_cases": [{**CALL, "output": "{"}],
                    "metadata": {"func_name": "f"},
                }
            },
            "public_test_cases",
        ),
        (
            {"livecodebench": {"public_test_cases": [{**CALL, "input": 3}], "metadata": {"func_name": "f"}}},
            "public_test_cases",
        ),
        ({"livecodebench": {"public_test_cases": [CALL]}}, "metadata has no func_name"),
        ({"livecodebench": {"public_test_cases": [CALL], "metadata": "{"}}, "metadata is not JSON"),
        ({"livecodebench": {"public_test_cases": [CALL], "metadata": "[1]"}}, "metadata is a JSON object"),
        ({"livecodebench": {"public_test_cases": "no"}}, "neither JSON nor packed JSON"),
        ({"livecodebench": {"public_test_cases": '{"a": 1}'}}, "is a list"),
        ({"livecodebench": {"public_test_cases": _packed("{")}}, "neither JSON nor packed JSON"),
        (
            {"livecodebench": {"public_test_cases": _packed(complex(1))}},
            "holds an object of builtins.complex",
        ),
        ({"livecodebench": {}}, "public_test_cases is empty"),
        ({"codecontests": {"public_tests": {"input": ["1"], "output": []}}}, "1 inputs and 0 outputs"),
        ({"codecontests": {"public_tests": {"input": "1", "output": ["a"]}}}, "has lists input and output"),
        ({"codecontests": {"public_tests": {"input": ["1"], "output": "a"}}}, "has lists input and output"),
        ({"codecontests": {"public_tests": 3}}, "not a row of that dataset"),
        ({"codecontests": {}}, "public_tests is empty"),
        ({"apps": {"inputs": "1", "outputs": ["a"]}}, "lists inputs and outputs"),
        ({"apps": {"inputs": ["1"], "outputs": "a"}}, "lists inputs and outputs"),
        ({"apps": {"input_output": "{"}}, "input_output is not JSON"),
        ({"apps": 3}, "is a row of that dataset"),
        ({"apps": "{"}, "not JSON"),
        ({"mbpp": {"test_list": [1]}}, "mbpp.test_list"),
        ({"mbpp": {}}, "mbpp.test_list"),
        ({"humaneval": {"prompt": "", "test": "t", "entry_point": "f"}}, "humaneval.prompt is a text"),
        ({"humaneval": {"prompt": 1, "test": "t", "entry_point": "f"}}, "humaneval.prompt is a text"),
        ({"stdio": [{"output": "a", "inputs": "b"}]}, "stdio.0.inputs"),
        ({"stdio": [3]}, "stdio.0"),
        ({"calls": [{"function": "1f", "expected": 1}]}, "calls.0.function"),
        ({"calls": [{"function": "f", "expected": 1, "tolerance": -1.0}]}, "calls.0.tolerance"),
        ({"asserts": "assert f(1)"}, "asserts"),
        ({"compare": "loose", "stdio": [{"output": "a"}]}, "compare"),
        ({"stdio": [{"output": "a"}] * 10_001}, "stdio"),
    ],
    repr,
)
def test_a_row_that_is_none_names_its_field(row: Any, message: str) -> None:
    """It is the reference that is wrong, so nobody is judged by it."""
    with pytest.raises(ConfigError, match=message):
        read_tests(row)


def test_as_many_tests_as_any_data_set_has_are_read() -> None:
    """And methods of classes are functions, too."""
    assert read_tests({"stdio": [{"output": "a"}] * 10_000}).count == 10_000
    for name in ("f", "Solution.f", "Solution().f", "é", "f1"):
        assert read_tests({"calls": [{"function": name, "expected": None}]}).calls[0].function == name


def test_what_one_answer_to_all_would_be_paid() -> None:
    """By output or by expected value, white space at the ends aside; asserts say it in too many ways."""
    for fields, score in (
        ({"stdio": [{"output": "a"}, {"output": "a\n"}, {"output": "b"}]}, 2 / 3),
        ({"calls": [{"function": "f", "expected": 1}, {"function": "f", "expected": "1"}]}, 1 / 2),
        ({"stdio": [{"output": "a"}], "asserts": ["assert f(1)"]}, 1 / 2),
        ({"asserts": ["assert f(1)"]}, 0.0),
    ):
        assert CodeTests.model_validate(fields).constant_score() == pytest.approx(score)
