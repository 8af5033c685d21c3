"""Data sets whose tests are data: what a program reads and prints, or what a function takes and returns.

APPS and its relatives, LiveCodeBench, CodeContests, Codeforces as open-r1 ships it, and lists of cases that
say what they are: DeepCoder, ``verification_info`` of open-r1 and SYNTHETIC-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ConfigError
from ...runtime.bounds import ExpansionError, from_base64, from_json, from_pickled_text, inflated
from ..suites.spec import CodeTests
from .row_shapes import (
    APPS_PRELUDE,
    LIVECODEBENCH_PRELUDE,
    Row,
    Shape,
    arguments,
    call,
    columns,
    listed,
    mapping,
    only,
    optional_text,
    tests_of,
    unpacked,
)

TIME_LIMIT = 6.0
"""Seconds for each test: ``--timeout`` of the official runner."""
_CASE = columns("input", "output", "testtype", "metadata")


def livecodebench(row: Row) -> CodeTests:
    """LiveCodeBench.

    Outputs are compared line by line, without white space at their ends; a line of numbers by their values,
    exactly. Functions must return the expected value exactly.
    """
    name = function_name(row.get("metadata"), "livecodebench.metadata")
    stdio: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for key, public in (("public_test_cases", True), ("private_test_cases", False)):
        for case in _cases(row.get(key), f"livecodebench.{key}"):
            _sort(case, f"livecodebench.{key}", name, stdio, calls, public=public)
    if calls and not name:
        raise ConfigError("tests: livecodebench.metadata has no func_name, which functional tests need")
    fields = {"stdio": stdio, "calls": calls, **LIVECODEBENCH_RULES}
    return tests_of(fields, "livecodebench.public_test_cases")


LIVECODEBENCH_RULES = {
    "compare": "lines",
    "tolerance": 0.0,
    "prompt": LIVECODEBENCH_PRELUDE,
    "time_limit": TIME_LIMIT,
}
"""Rules by which LiveCodeBench judges, whatever the shape of its tests."""


def function_name(metadata: Any, field: str) -> str:
    """The function that functional tests call; "" where there is none."""
    if not metadata:
        return ""
    return str(mapping(metadata, field).get("func_name") or "")


def _sort(
    case: Any,
    field: str,
    name: str,
    stdio: list[dict[str, Any]],
    calls: list[dict[str, Any]],
    *,
    public: bool,
) -> None:
    try:
        given, wanted = case["input"], case["output"]
        only(case, _CASE, field)
        kind = case.get("testtype", "stdin")
        if kind == "stdin":
            stdio.append({"input": given, "output": wanted, "public": public})
            return
        if kind != "functional":
            raise ValueError(f"testtype is 'stdin' or 'functional', got {kind!r:.40}")
        if not isinstance(given, str):
            raise TypeError(f"input is a text, got {given!r:.60}")
        read = call(given, wanted, field)
    except ExpansionError as error:
        raise ConfigError(f"tests: {field}: {error}") from None
    except ConfigError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ConfigError(f"tests: {field}: {case!r:.80}: {error!r}") from None
    calls.append({"function": name, "public": public, **read})


def _cases(packed: Any, field: str) -> list[Mapping[str, Any]]:
    if not packed:
        return []
    if isinstance(packed, str):
        try:
            packed = from_json(packed)
        except ExpansionError as error:
            raise ConfigError(f"tests: {field}: {error}") from None
        except (ValueError, RecursionError):
            packed = _unpacked(packed, field)
    return listed(packed, field)


def _unpacked(packed: str, field: str) -> Any:
    """Unpack LiveCodeBench's format: JSON, pickled as one text, by zlib, in base64."""
    try:
        return from_json(from_pickled_text(inflated(from_base64(packed))))
    except ExpansionError as error:
        raise ConfigError(f"tests: {field}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"tests: {field} is neither JSON nor packed JSON: {error}") from None


LIVECODEBENCH = Shape(
    "livecodebench",
    "https://huggingface.co/datasets/livecodebench/code_generation_lite "
    "https://github.com/LiveCodeBench/LiveCodeBench/blob/main/lcb_runner/evaluation/testing_util.py",
    (columns("public_test_cases"), columns("private_test_cases")),
    columns("public_test_cases", "private_test_cases", "metadata"),
    livecodebench,
)


TOLERANCE = 1e-5
"""``numpy.allclose`` compares with this relative tolerance, in the official graders of APPS and TACO."""
_PACKED = columns("inputs", "outputs", "fn_name", "assert_case", "remote")


def apps(row: Row) -> CodeTests:
    """APPS and TACO: ``input_output`` with ``inputs``, ``outputs`` and ``fn_name``, or these alone."""
    if "inputs" not in row and "input_output" in row:
        row = mapping(row["input_output"] or "{}", "apps.input_output")
        only(row, _PACKED, "apps.input_output")
    if row.get("assert_case") is not None:
        asserts = listed(row["assert_case"], "apps.assert_case", "a list of asserts")
        return tests_of({"asserts": asserts}, "apps.assert_case")
    inputs, outputs = _pair(row)
    return paired(inputs, outputs, optional_text(row, "fn_name", "apps"))


def paired(inputs: list[Any], outputs: list[Any], function: str) -> CodeTests:
    """Tests of parallel lists, by the rules of APPS.

    Args:
        inputs: Input of each test: a text, a list of lines, or a function's arguments.
        outputs: Output of each test: a text, a list of lines, or a function's value.
        function: Its name; "" for programs that read standard input.
    """
    pairs = zip(inputs, outputs, strict=True)
    if function:
        calls = [
            {"function": function, "either": True, **call(given, wanted, "apps.inputs")}
            for given, wanted in pairs
        ]
        return tests_of({"calls": calls, "prompt": APPS_PRELUDE}, "apps.inputs")
    stdio = [{"input": lines(given), "output": lines(wanted)} for given, wanted in pairs]
    fields = {"stdio": stdio, "prompt": APPS_PRELUDE, "compare": "numeric_lines", "tolerance": TOLERANCE}
    return tests_of(fields, "apps.inputs")


def lines(value: Any) -> Any:
    """A text, or the text of a list of lines."""
    return "\n".join(map(str, value)) if isinstance(value, list | tuple) else value


def _pair(row: Row) -> tuple[list[Any], list[Any]]:
    inputs, outputs = row.get("inputs"), row.get("outputs")
    if not isinstance(inputs, list | tuple) or not isinstance(outputs, list | tuple):
        raise ConfigError("tests: apps has lists inputs and outputs")
    if len(inputs) != len(outputs):
        raise ConfigError(f"tests: apps.inputs has {len(inputs)} items and apps.outputs {len(outputs)}")
    return list(inputs), list(outputs)


def rstar(row: Row) -> CodeTests:
    """rStar-Coder: ``inputs`` and ``outputs``; ``func_name`` and ``class_name`` where a function is due."""
    parts = {key: unpacked(row.get(key), f"rstar.{key}") for key in ("inputs", "outputs")}
    inputs, outputs = _pair(parts)
    function, owner = (optional_text(row, key, "rstar") for key in ("func_name", "class_name"))
    if owner and not function:
        return _designs(inputs, outputs)
    name = f"{owner}.{function}" if owner else function
    return paired(inputs, outputs, name)


def _designs(inputs: list[Any], outputs: list[Any]) -> CodeTests:
    sequences = []
    for given, wanted in zip(inputs, outputs, strict=True):
        parts = arguments(given)
        if not isinstance(parts, list) or len(parts) != 2:
            raise ConfigError(f"tests: rstar.inputs: two lists, operations and arguments; got {given!r:.60}")
        expected = unpacked(wanted, "rstar.outputs")
        sequences.append({"operations": parts[0], "arguments": parts[1], "expected": expected})
    return tests_of({"sequences": sequences, "prompt": APPS_PRELUDE}, "rstar.inputs")


APPS = Shape(
    "apps",
    "https://huggingface.co/datasets/codeparrot/apps "
    "https://github.com/hendrycks/apps/blob/main/eval/testing_util.py",
    (columns("input_output"), columns("inputs", "outputs"), columns("assert_case")),
    columns("input_output", "inputs", "outputs", "fn_name", "assert_case"),
    apps,
    lambda row: "test" not in row,
)
TACO = Shape(
    "taco",
    "https://huggingface.co/datasets/BAAI/TACO "
    "https://github.com/FlagOpen/TACO/blob/main/metrics/testing_util.py",
    (columns("input_output", "raw_tags"), columns("input_output", "skill_types")),
    APPS.reads,
    apps,
    # Limits of the original judges, in words, which the official grader does not use.
    passes_over=columns(
        "time_limit", "memory_limit", "Expected Auxiliary Space", "Expected Time Complexity", "Author"
    ),
)
RSTAR = Shape(
    "rstar",
    "https://huggingface.co/datasets/microsoft/rStar-Coder",
    (columns("inputs", "outputs", "func_name"), columns("inputs", "outputs", "test_case_type")),
    columns("inputs", "outputs", "func_name", "class_name", "test_case_type"),
    rstar,
    passes_over=columns("is_synthesized"),  # which inputs a model wrote
    solutions=("code", "solution"),
)


_STDIN = ("stdin_stdout", "stdin", "stdio", "standard_input")
_CALL = ("function_call", "functional", "call_based", "function")
_TYPED_CASE = columns("input", "output", "type", "testtype", "fn_name", "metadata", "test_type")
_PARALLEL = columns("inputs", "outputs", "fn_name")


def deepcoder(row: Row) -> CodeTests:
    """DeepCoder: ``tests`` is a list of cases or asserts, inputs and outputs as in APPS, or text of these.

    Cases with a ``testtype`` come from LiveCodeBench and are judged by its rules, all others by TACO's, as
    rllm does it.
    """
    tests = unpacked(row["tests"], "deepcoder.tests")
    if isinstance(tests, Mapping):
        only(tests, _PARALLEL, "deepcoder.tests")
        return apps(tests)
    if isinstance(tests, list) and tests and all(isinstance(case, str) for case in tests):
        return tests_of({"asserts": tests}, "deepcoder.tests")
    cases = [mapping(case, f"deepcoder.tests.{n}") for n, case in enumerate(listed(tests, "deepcoder.tests"))]
    name = function_name(row.get("metadata"), "deepcoder.metadata")
    official = any("testtype" in case for case in cases)
    return case_list(cases, "deepcoder.tests", name, LIVECODEBENCH_RULES if official else TACO_RULES)


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
    "tolerance": TOLERANCE,
    "prompt": APPS_PRELUDE,
}


def case_list(cases: list[Row], field: str, function: str, rules: Mapping[str, Any]) -> CodeTests:
    """Tests of cases that say of what kind they are.

    Args:
        cases: With ``input`` and ``output``, and what tells their kind.
        field: Place of the tests, for messages.
        function: Function that functional tests call, if they do not name one.
        rules: Further fields of the tests.
    """
    stdio: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for position, case in enumerate(cases):
        where = f"{field}.{position}"
        only(case, _TYPED_CASE, where)
        if "input" not in case or "output" not in case:
            raise ConfigError(f"tests: {where} has input and output, got {', '.join(case)}")
        if not _is_call(case, where):
            stdio.append({"input": lines(case["input"]), "output": lines(case["output"])})
            continue
        name = case.get("fn_name") or function_name(case.get("metadata"), where) or function
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


def _are_cases(value: Any) -> bool:
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
    lambda row: "verification_info" in row or _are_cases(row["test_cases"]),
)


_STANDARD = ("", "stdin", "stdout", "standard input", "standard output")
_CONTEST_CASE = columns("input", "output")


def codecontests(row: Row) -> CodeTests:
    """DeepMind CodeContests: public, private and generated tests; tokens are compared, floats to 1e-5.

    ``time_limit`` and ``memory_limit_bytes`` are the limits of each test; 0 means that none is known.
    """
    stdio = []
    for key in ("public_tests", "private_tests", "generated_tests"):
        group = row.get(key) or {}
        inputs, outputs = group.get("input") or [], group.get("output") or []
        if not isinstance(inputs, list | tuple) or not isinstance(outputs, list | tuple):
            raise ConfigError(f"tests: codecontests.{key} has lists input and output, got {group!r:.60}")
        only(group, _CONTEST_CASE, f"codecontests.{key}")
        if len(inputs) != len(outputs):
            raise ConfigError(
                f"tests: codecontests.{key} has {len(inputs)} inputs and {len(outputs)} outputs"
            )
        stdio += [
            {"input": given, "output": wanted, "public": key == "public_tests"}
            for given, wanted in zip(inputs, outputs, strict=True)
        ]
    for key in ("input_file", "output_file"):
        if (row.get(key) or "") not in _STANDARD:
            raise ConfigError(
                f"tests: codecontests.{key} is {row[key]!r:.40}; programs here read standard input and "
                "write standard output"
            )
    fields = {
        "stdio": stdio,
        "compare": "floats",
        "tolerance": 1e-5,
        "time_limit": _seconds(row.get("time_limit")),
        "memory_limit": _mebibytes(row.get("memory_limit_bytes")),
    }
    return tests_of(fields, "codecontests.public_tests")


def codeforces(row: Row) -> CodeTests:
    """open-r1/codeforces: ``examples`` and ``official_tests``, limits, and ``generated_checker``.

    The checker is a Python program: see `CodeTests.checker`. Without one, tokens are compared.
    """
    if row.get("interaction_format"):
        raise ConfigError(
            "tests: codeforces.interaction_format: the problem is interactive, which is not supported"
        )
    if (row.get("input_mode") or "stdio") != "stdio":
        raise ConfigError(f"tests: codeforces.input_mode is 'stdio' here, got {row['input_mode']!r:.40}")
    stdio: list[dict[str, Any]] = []
    for key in ("examples", "official_tests"):
        for position, case in enumerate(listed(row.get(key) or [], f"codeforces.{key}")):
            fields = mapping(case, f"codeforces.{key}.{position}")
            only(fields, _CONTEST_CASE, f"codeforces.{key}.{position}")
            stdio.append({**fields, "public": key == "examples"})
    if len({test["public"] for test in stdio}) > 1:
        seen = {(test.get("input"), test.get("output")) for test in stdio if test["public"]}
        # The official tests begin with the examples.
        stdio = [t for t in stdio if t["public"] or (t.get("input"), t.get("output")) not in seen]
    memory = row.get("memory_limit")
    return tests_of(
        {
            "stdio": stdio,
            "compare": "tokens",
            "checker": row.get("generated_checker") or "",
            "time_limit": _seconds(row.get("time_limit")),
            "memory_limit": None if not memory else _whole(memory, "codeforces.memory_limit"),
        },
        "codeforces.official_tests",
    )


def _seconds(limit: Any) -> float | None:
    """A protocol buffer's duration, or a number of seconds."""
    if isinstance(limit, Mapping):
        only(limit, columns("seconds", "nanos"), "codecontests.time_limit")
        limit = (limit.get("seconds") or 0) + (limit.get("nanos") or 0) / 1e9
    if limit is not None and (not isinstance(limit, int | float) or isinstance(limit, bool)):
        raise ConfigError(f"tests: time_limit is a number of seconds, got {limit!r:.60}")
    return float(limit) if limit else None


def _mebibytes(limit: Any) -> int | None:
    return max(1, _whole(limit, "codecontests.memory_limit_bytes") >> 20) if limit else None


def _whole(limit: Any, field: str) -> int:
    if not isinstance(limit, int | float) or isinstance(limit, bool) or limit < 0:
        raise ConfigError(f"tests: {field} is a number, got {limit!r:.60}")
    return int(limit)


CODECONTESTS = Shape(
    "codecontests",
    "https://huggingface.co/datasets/deepmind/code_contests "
    "https://github.com/google-deepmind/code_contests/blob/main/contest_problem.proto",
    (columns("public_tests"), columns("private_tests"), columns("generated_tests")),
    columns(
        "public_tests",
        "private_tests",
        "generated_tests",
        "time_limit",
        "memory_limit_bytes",
        "input_file",
        "output_file",
    ),
    codecontests,
)
CODEFORCES = Shape(
    "codeforces",
    "https://huggingface.co/datasets/open-r1/codeforces",
    (columns("official_tests"),),
    columns(
        "official_tests",
        "examples",
        "generated_checker",
        "time_limit",
        "memory_limit",
        "input_mode",
        "interaction_format",
    ),
    codeforces,
    # How complete the tests are, and how many more there are elsewhere.
    passes_over=columns("official_tests_complete", "testset_size", "generated_tests", "executable"),
)
