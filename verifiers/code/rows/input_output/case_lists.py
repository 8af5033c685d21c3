"""Lists of cases that say what they are: DeepCoder, ``verification_info`` of open-r1 and SYNTHETIC-1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....errors import ConfigError
from ...suites.spec import CodeTests
from .. import preludes
from ..shape import Row, Shape, columns, listed, mapping, only, optional_text, tests_of, unpacked
from . import apps, livecodebench
from .calls import call

_STDIN = ("stdin_stdout", "stdin", "stdio", "standard_input")
_CALL = ("function_call", "functional", "call_based", "function")
_CASE = columns("input", "output", "type", "testtype", "fn_name", "metadata", "test_type")
_PARALLEL = columns("inputs", "outputs", "fn_name")


def deepcoder(row: Row) -> CodeTests:
    """DeepCoder: ``tests`` is a list of cases or asserts, inputs and outputs as in APPS, or text of these.

    Cases with a ``testtype`` come from LiveCodeBench and are judged by its rules, all others by TACO's, as
    rllm does it.
    """
    tests = unpacked(row["tests"], "deepcoder.tests")
    if isinstance(tests, Mapping):
        only(tests, _PARALLEL, "deepcoder.tests")
        return apps.apps(tests)
    if isinstance(tests, list) and tests and all(isinstance(case, str) for case in tests):
        return tests_of({"asserts": tests}, "deepcoder.tests")
    cases = [mapping(case, f"deepcoder.tests.{n}") for n, case in enumerate(listed(tests, "deepcoder.tests"))]
    name = livecodebench.function_name(row.get("metadata"), "deepcoder.metadata")
    official = any("testtype" in case for case in cases)
    return case_list(cases, "deepcoder.tests", name, livecodebench.RULES if official else TACO_RULES)


def verification_info(row: Row) -> CodeTests:
    """``verification_info`` of open-r1/verifiable-coding-problems-python, SYNTHETIC-1 and their like.

    Lines and numbers are compared as in TACO. (open-r1's own script looks at no more lines than the shorter
    output has, which pays for the beginning of an answer.)
    """
    info = row
    if "verification_info" in row:
        info = mapping(row["verification_info"], "verification_info")
        only(info, columns("language", "test_cases"), "verification_info")
    cases = unpacked(info.get("test_cases"), "verification_info.test_cases")
    if isinstance(cases, list) and cases and all(isinstance(case, str) for case in cases):
        return tests_of({"asserts": cases}, "verification_info.test_cases")
    cases = [
        mapping(case, f"verification_info.test_cases.{n}")
        for n, case in enumerate(listed(cases, "verification_info.test_cases"))
    ]
    language = optional_text(info, "language", "verification_info")
    return case_list(cases, "verification_info.test_cases", "", {**TACO_RULES, "language": language})


TACO_RULES: dict[str, Any] = {
    "compare": "numeric_lines",
    "tolerance": apps.TOLERANCE,
    "prompt": preludes.APPS,
}


def case_list(cases: list[Row], field: str, function: str, rules: Mapping[str, Any]) -> CodeTests:
    """Tests of cases that say of what kind they are.

    Args:
        cases: With ``input`` and ``output``, and what tells their kind.
        field: Where they stand, for messages.
        function: What functional tests call, where they do not say.
        rules: Further fields of the tests.
    """
    stdio: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for position, case in enumerate(cases):
        where = f"{field}.{position}"
        only(case, _CASE, where)
        if "input" not in case or "output" not in case:
            raise ConfigError(f"tests: {where} has input and output, got {', '.join(case)}")
        if not _is_call(case, where):
            stdio.append({"input": apps.lines(case["input"]), "output": apps.lines(case["output"])})
            continue
        name = case.get("fn_name") or livecodebench.function_name(case.get("metadata"), where) or function
        if not name:
            raise ConfigError(
                f"tests: {where}: a function is called, and neither fn_name nor func_name says which"
            )
        read = call(case["input"], case["output"], where)
        calls.append({"function": name, "either": "testtype" not in case, **read})
    return tests_of({"stdio": stdio, "calls": calls, **rules}, field)


def _is_call(case: Row, where: str) -> bool:
    kind = case.get("type") or case.get("testtype") or case.get("test_type")
    if kind is None:
        return bool(case.get("fn_name"))
    name = str(kind).casefold().replace("-", "_")
    if name not in _STDIN + _CALL:
        raise ConfigError(f"tests: {where}.type is {', '.join(_STDIN + _CALL)}; got {kind!r:.40}")
    return name in _CALL


def _cases(value: Any) -> bool:
    return not (isinstance(value, list | tuple) and any(isinstance(case, str) for case in value))


DEEPCODER = Shape(
    "deepcoder",
    "https://huggingface.co/datasets/agentica-org/DeepCoder-Preview-Dataset "
    "https://github.com/rllm-org/rllm (rewards/code_reward.py)",
    (columns("tests"),),
    columns("tests", "metadata"),
    deepcoder,
)
VERIFICATION_INFO = Shape(
    "verification_info",
    "https://huggingface.co/datasets/open-r1/verifiable-coding-problems-python "
    "https://huggingface.co/datasets/PrimeIntellect/SYNTHETIC-1",
    (columns("verification_info"), columns("test_cases")),
    columns("verification_info", "test_cases", "language"),
    verification_info,
    lambda row: "verification_info" in row or _cases(row["test_cases"]),
)
