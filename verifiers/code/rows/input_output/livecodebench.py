"""LiveCodeBench: public and private test cases, as lists, as JSON, or packed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....errors import ConfigError
from ....runtime.bounds import ExpansionError, from_base64, from_json, from_pickled_text, inflated
from ...suites.spec import CodeTests
from .. import preludes
from ..shape import Row, Shape, columns, listed, mapping, only, tests_of
from .calls import call

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
    fields = {"stdio": stdio, "calls": calls, **RULES}
    return tests_of(fields, "livecodebench.public_test_cases")


RULES = {
    "compare": "lines",
    "tolerance": 0.0,
    "prompt": preludes.LIVECODEBENCH,
    "time_limit": TIME_LIMIT,
}
"""How LiveCodeBench judges, whatever the shape that its tests come in."""


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
    """What LiveCodeBench packs: JSON, pickled as one text, by zlib, in base64."""
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
