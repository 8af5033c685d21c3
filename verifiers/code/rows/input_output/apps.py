"""APPS and its relatives: ``inputs`` and ``outputs`` in parallel, ``fn_name`` where a function is due."""

from __future__ import annotations

from typing import Any

from ....errors import ConfigError
from ...suites.spec import CodeTests
from .. import preludes
from ..shape import Row, Shape, columns, listed, mapping, only, optional_text, tests_of, unpacked
from .calls import arguments, call

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
        inputs: Of each test: a text, a list of lines, or a function's arguments.
        outputs: Of each test: a text, a list of lines, or a function's value.
        function: Its name; "" for programs that read standard input.
    """
    pairs = zip(inputs, outputs, strict=True)
    if function:
        calls = [
            {"function": function, "either": True, **call(given, wanted, "apps.inputs")}
            for given, wanted in pairs
        ]
        return tests_of({"calls": calls, "prompt": preludes.APPS}, "apps.inputs")
    stdio = [{"input": lines(given), "output": lines(wanted)} for given, wanted in pairs]
    fields = {"stdio": stdio, "prompt": preludes.APPS, "compare": "numeric_lines", "tolerance": TOLERANCE}
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
    return tests_of({"sequences": sequences, "prompt": preludes.APPS}, "rstar.inputs")


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
