"""Contest problems with limits of their own: CodeContests, and Codeforces as open-r1 ships it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....errors import ConfigError
from ...suites.spec import CodeTests
from ..shape import Row, Shape, columns, listed, mapping, only, tests_of

_STANDARD = ("", "stdin", "stdout", "standard input", "standard output")
_CASE = columns("input", "output")


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
        only(group, _CASE, f"codecontests.{key}")
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
            only(fields, _CASE, f"codeforces.{key}.{position}")
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
