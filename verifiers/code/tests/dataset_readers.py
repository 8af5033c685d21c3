"""Tests as public data sets ship them."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import ConfigError
from .spec import CodeTests, validated

Row = Mapping[str, Any]


def humaneval(row: Row) -> CodeTests:
    """OpenAI HumanEval and the like: ``prompt``, ``test`` with ``def check(candidate)``, ``entry_point``.

    Source: Chen et al., "Evaluating Large Language Models Trained on Code", 2021, arXiv:2107.03374.
    """
    prompt, test, entry = (_text(row, key, "humaneval") for key in ("prompt", "test", "entry_point"))
    return validated({"asserts": ["check(candidate)"], "setup": test, "prompt": prompt, "check": entry})


def mbpp(row: Row) -> CodeTests:
    """Mostly Basic Python Problems, full or sanitized: ``test_list``, ``test_setup_code``, ``code``.

    The set-up runs after the program: two rows build objects of a class that the program defines.

    Source: Austin et al., "Program Synthesis with Large Language Models", 2021, arXiv:2108.07732.
    """
    asserts = row.get("test_list")
    if not isinstance(asserts, list | tuple) or not all(isinstance(test, str) for test in asserts):
        raise ConfigError(f"tests: mbpp.test_list is a list of asserts, got {asserts!r:.60}")
    imports = row.get("test_imports") or []
    setup = "\n".join([*map(str, imports), str(row.get("test_setup_code") or "")])
    fields = {"asserts": list(asserts), "setup": setup.strip(), "solution": str(row.get("code") or "")}
    return _some(validated(fields), "mbpp.test_list")


def apps(row: Row) -> CodeTests:
    """APPS and TACO: ``inputs`` and ``outputs``, and ``fn_name`` where a function is asked for.

    Source: Hendrycks et al., "Measuring Coding Challenge Competence With APPS", 2021, arXiv:2105.09938.
    """
    if "inputs" not in row and isinstance(row.get("input_output"), str | Mapping):
        packed = row["input_output"]
        row = _json(packed, "apps.input_output") if isinstance(packed, str) else packed
    inputs, outputs = row.get("inputs"), row.get("outputs")
    if not isinstance(inputs, list | tuple) or not isinstance(outputs, list | tuple):
        raise ConfigError("tests: apps has lists inputs and outputs")
    if len(inputs) != len(outputs):
        raise ConfigError(f"tests: apps.inputs has {len(inputs)} items and apps.outputs {len(outputs)}")
    name = row.get("fn_name")
    pairs = list(zip(inputs, outputs, strict=True))
    if name:
        calls = [
            {"function": str(name), "args": _list(given), "expected": wanted, "either": True}
            for given, wanted in pairs
        ]
        return _some(validated({"calls": calls, "prompt": IMPORTS}), "apps.inputs")
    stdio = [{"input": _lines(given), "output": _lines(wanted)} for given, wanted in pairs]
    return _some(validated({"stdio": stdio}), "apps.inputs")


def livecodebench(row: Row) -> CodeTests:
    """LiveCodeBench: public and private test cases, as lists, JSON, or packed as the data set has them.

    Outputs are compared token by token; numbers are compared by value.

    Source: Jain et al., "LiveCodeBench", 2024, arXiv:2403.07974.
    """
    name = ""
    if row.get("metadata"):
        metadata = row["metadata"]
        name = (_json(metadata, "livecodebench.metadata") if isinstance(metadata, str) else metadata).get(
            "func_name"
        ) or ""
    stdio, calls = [], []
    for key, public in (("public_test_cases", True), ("private_test_cases", False)):
        for case in _cases(row.get(key), f"livecodebench.{key}"):
            try:
                given, wanted = case["input"], case["output"]
                if case.get("testtype", "stdin") == "stdin":
                    stdio.append({"input": given, "output": wanted, "public": public})
                    continue
                arguments = [json.loads(line) for line in given.split("\n") if line.strip()]
                expected = json.loads(wanted)
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise ConfigError(f"tests: livecodebench.{key}: {case!r:.80}: {error!r}") from None
            calls.append({"function": name, "args": arguments, "expected": expected, "public": public})
    if calls and not name:
        raise ConfigError("tests: livecodebench.metadata has no func_name, which functional tests need")
    fields = {"stdio": stdio, "calls": calls, "compare": "floats", "tolerance": 0.0}
    if calls:
        fields["prompt"] = IMPORTS
    return _some(validated(fields), "livecodebench.public_test_cases")


def codecontests(row: Row) -> CodeTests:
    """DeepMind CodeContests: public, private and generated tests; tokens are compared, floats to 1e-5.

    Source: Li et al., "Competition-Level Code Generation with AlphaCode", 2022, arXiv:2203.07814.
    """
    stdio = []
    for key in ("public_tests", "private_tests", "generated_tests"):
        group = row.get(key) or {}
        inputs, outputs = group.get("input") or [], group.get("output") or []
        if not isinstance(inputs, list | tuple) or not isinstance(outputs, list | tuple):
            raise ConfigError(f"tests: codecontests.{key} has lists input and output, got {group!r:.60}")
        if len(inputs) != len(outputs):
            raise ConfigError(
                f"tests: codecontests.{key} has {len(inputs)} inputs and {len(outputs)} outputs"
            )
        stdio += [
            {"input": given, "output": wanted, "public": key == "public_tests"}
            for given, wanted in zip(inputs, outputs, strict=True)
        ]
    fields = {"stdio": stdio, "compare": "floats", "tolerance": 1e-5}
    return _some(validated(fields), "codecontests.public_tests")


IMPORTS = (
    "from typing import *; from collections import *; from itertools import *; from functools import *; "
    "from heapq import *; from bisect import *; from math import *; from string import *; "
    "import bisect, collections, functools, heapq, itertools, math, operator, random, re, string, sys\n"
)
"""What solutions in LeetCode's form take for granted; their signatures name ``List`` without importing it."""

READERS: dict[str, Callable[[Row], CodeTests]] = {
    "humaneval": humaneval,
    "mbpp": mbpp,
    "apps": apps,
    "taco": apps,
    "livecodebench": livecodebench,
    "codecontests": codecontests,
}
"""The key under which the answer column holds a row of a data set -> what reads it."""


class _TextOnly(pickle.Unpickler):
    """Reads pickled text and nothing else: LiveCodeBench packs JSON text that way."""

    def find_class(self, module: str, name: str) -> Any:
        raise ConfigError(f"tests: livecodebench.private_test_cases holds an object of {module}.{name}")


def _cases(packed: Any, field: str) -> list[Mapping[str, Any]]:
    if not packed:
        return []
    if isinstance(packed, str):
        try:
            packed = json.loads(packed)
        except ValueError:
            try:
                raw = zlib.decompress(base64.b64decode(packed))
                packed = json.loads(_TextOnly(io.BytesIO(raw)).load())
            except (ValueError, TypeError, zlib.error, pickle.UnpicklingError, EOFError) as error:
                raise ConfigError(f"tests: {field} is neither JSON nor packed JSON: {error}") from None
    if not isinstance(packed, list | tuple):
        raise ConfigError(f"tests: {field} is a list, got {packed!r:.60}")
    return list(packed)


def _some(tests: CodeTests, field: str) -> CodeTests:
    if not tests.count:
        raise ConfigError(f"tests: {field} is empty")
    return tests


def _text(row: Row, key: str, name: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise ConfigError(f"tests: {name}.{key} is a text, got {value!r:.60}")
    return value


def _json(text: str, field: str) -> Any:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"tests: {field} is not JSON: {error}") from None
    if not isinstance(data, Mapping):
        raise ConfigError(f"tests: {field} is a JSON object, got {text!r:.60}")
    return data


def _list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _lines(value: Any) -> Any:
    return "\n".join(map(str, value)) if isinstance(value, list | tuple) else value
