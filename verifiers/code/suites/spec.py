"""The tests of a program: on standard input, by calls, by asserts."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import ConfigError
from ...runtime.bounds import from_source

MAX_TESTS = 10_000
"""More tests than any data set has for one problem."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class StdioTest(_Model):
    """Input of the program and the output that it must print.

    Args:
        input: Standard input.
        output: Standard output.
        accepted: Further outputs that are as right.
        public: The problem statement shows this test.
    """

    input: str = ""
    output: str
    accepted: list[str] = Field(default_factory=list)
    public: bool = False


class CallTest(_Model):
    """A call of one of the program's functions and what it must return.

    Args:
        function: Its name; methods of a class ``Solution`` count too, and so does ``Name.method``.
        args: Positional arguments.
        kwargs: Keyword arguments.
        expected: The value.
        tolerance: By which a float may differ, absolute or relative; None for the verifier's.
        either: `expected`, or its only item where it is a list of one: APPS wraps some values.
        accepted: Further values that are as right.
        public: The problem statement shows this test.
    """

    function: str = Field(pattern=r"^[^\W\d]\w*(\(\))?(\.[^\W\d]\w*)*$")
    args: list[Any] = Field(default_factory=list)
    kwargs: dict[str, Any] = Field(default_factory=dict)
    expected: Any
    tolerance: float | None = Field(default=None, ge=0)
    either: bool = False
    accepted: list[Any] = Field(default_factory=list)
    public: bool = False


class SequenceTest(_Model):
    """Calls of one object's methods, one after the other, as LeetCode's design problems have them.

    Args:
        operations: Names: of the class, then of its methods.
        arguments: Those of each operation.
        expected: Expected results; the first is the constructor's, None.
        public: The problem statement shows this test.
    """

    operations: list[str] = Field(min_length=1)
    arguments: list[list[Any]]
    expected: list[Any]
    public: bool = False


class CodeTests(_Model):
    """The tests of one program.

    Args:
        stdio: Tests on standard input and output.
        calls: Tests that call functions.
        asserts: Python statements that raise where the program is wrong.
        sequences: Tests that call the methods of an object of a class of the program's.
        setup: Python source that runs before the asserts.
        functions: The program's functions that the asserts use; None to find them.
        solution: A reference solution: what it defines is meant where tests use these names.
        references: Programs of the row's own, of which one must pass before any other is judged.
        prompt: Code before the program: imports, or HumanEval's beginning of a function.
        check: The function of HumanEval's tests; its name in the program.
        compare: Rule for outputs; None takes the verifier's.
        tolerance: For that; None for the verifier's.
        checker: A Python program that says whether an output is right, where several are; see docs/code.md.
        time_limit: Seconds of processor time for each test; None for the verifier's `timeout`.
        memory_limit: MiB for each test, on top of what the language's runtime needs; None for the verifier's.
        language: That programs are written in; None for whatever the verifier judges.
        bare: Whether a completion without any block of code is a program as a whole.
    """

    stdio: list[StdioTest] = Field(default_factory=list, max_length=MAX_TESTS)
    calls: list[CallTest] = Field(default_factory=list, max_length=MAX_TESTS)
    asserts: list[str] = Field(default_factory=list, max_length=MAX_TESTS)
    sequences: list[SequenceTest] = Field(default_factory=list, max_length=MAX_TESTS)
    setup: str = ""
    functions: list[str] | None = None
    solution: str = ""
    references: list[str] = Field(default_factory=list, max_length=100)
    prompt: str = ""
    check: str = ""
    compare: (
        Literal["trailing", "exact", "tokens", "floats", "unordered_lines", "lines", "numeric_lines"] | None
    ) = None
    tolerance: float | None = Field(default=None, ge=0)
    checker: str = ""
    time_limit: float | None = Field(default=None, gt=0, le=3600)
    memory_limit: int | None = Field(default=None, ge=1, le=1 << 20)
    language: str | None = None
    bare: bool = False

    @property
    def count(self) -> int:
        """Number of tests, as far as they can be counted apart."""
        return len(self.stdio) + len(self.calls) + len(self.asserts) + len(self.sequences)

    def constant_score(self) -> float:
        """The best score, as a fraction, of a program that always gives the same answer.

        It is what hard-coding pays, so tests that expect "YES" nine times in ten teach it.
        """
        outputs = [test.output.strip() for test in self.stdio] + [
            json.dumps(test.expected, sort_keys=True, default=repr) for test in self.calls
        ]
        # Asserts say what they expect in too many ways to be counted.
        return max(Counter(outputs).values()) / self.count if outputs else 0.0


def validated(fields: dict[str, Any]) -> CodeTests:
    """Tests of these fields.

    Raises:
        ConfigError: A field is wrong; the message names it.
    """
    try:
        return CodeTests.model_validate(_without_nulls(fields))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"tests: {where}: {first['msg']}, got {first['input']!r:.80}") from None


def _without_nulls(fields: dict[str, Any]) -> dict[str, Any]:
    """Tests of one kind without the null fields that Arrow adds; an expected None stays."""
    cleaned = dict(fields)
    for kind in ("stdio", "calls", "sequences"):
        if isinstance(cleaned.get(kind), list | tuple):
            cleaned[kind] = [
                {
                    key: list(value) if key == "args" and isinstance(value, tuple) else value
                    for key, value in test.items()
                    if value is not None or key == "expected"
                }
                if isinstance(test, Mapping)
                else test
                for test in cleaned[kind]
            ]
    if isinstance(cleaned.get("asserts"), tuple):
        cleaned["asserts"] = list(cleaned["asserts"])
    return cleaned


def parsed(source: str, field: str) -> ast.Module:
    """The tree of a source.

    Raises:
        ConfigError: It is not Python.
    """
    try:
        return from_source(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConfigError(f"tests: {field}: not Python: {error}: {source!r:.80}") from None
