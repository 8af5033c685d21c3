"""Sets of programming problems: `CodePassRate` knows their shapes, and is handed the columns of tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.code.rows.code_references import SHAPES, recognised

from .known_set import KnownSet, NotOfTheSetError, Row, columns

PROGRAMS: dict[str, Any] = {
    "reward": {"CodePassRate": {"all_or_nothing": True}, "name": "accuracy"},
}
"""All tests or nothing, as the graders of these sets count it."""


def reading_tests(shape: str, *, bare: bool = False) -> Callable[[Row], Any]:
    """What reads the tests of a row.

    Args:
        shape: The name of its shape (`verifiers.code.rows.code_references`).
        bare: Whether completions are programs, or their continuations, without a block around them.
    """

    def reference(row: Row) -> dict[str, Any]:
        try:
            found = recognised({name: value for name, value in row.items() if value is not None})
        except ConfigError as problem:
            raise NotOfTheSetError(str(problem)) from None
        if found is None or found.name != shape:
            raise NotOfTheSetError(f"its columns are {'no dataset' if found is None else found.name}'s")
        kept = {name: row[name] for name in SHAPES[shape].reads if row.get(name) is not None}
        # A row may stand under its set's name, unless a column of it is called so.
        return kept if shape in SHAPES[shape].reads else {shape: kept, **({"bare": True} if bare else {})}

    return reference


_CASES = reading_tests("verification_info")


def _with_cases(row: Row) -> Any:
    info = row["verification_info"]
    tests = info.get("test_cases") if isinstance(info, Mapping) else info
    if not tests or (isinstance(tests, str) and "test_cases" not in tests and not isinstance(info, Mapping)):
        raise NotOfTheSetError("'verification_info' has no test_cases")
    return _CASES(row)


def _set(name: str, shape: str, needed: frozenset[str], took: str, *, bare: bool = False) -> KnownSet:
    source = SHAPES[shape].source.split()[0]
    return KnownSet(name, source, needed, took, PROGRAMS, reading_tests(shape, bare=bare))


CODE = (
    # Their own graders run completions that have no block of code around them.
    _set("HumanEval", "humaneval", columns("prompt", "test", "entry_point"), "the tests in test", bare=True),
    _set("MBPP", "mbpp", columns("test_list"), "the asserts in test_list", bare=True),
    _set("APPS", "apps", columns("input_output"), "the tests in input_output"),
    _set("TACO", "taco", columns("input_output"), "the tests in input_output"),
    _set(
        "LiveCodeBench",
        "livecodebench",
        columns("public_test_cases", "private_test_cases"),
        "the tests in public_test_cases and private_test_cases",
    ),
    KnownSet(
        "open-r1, programs",
        SHAPES["verification_info"].source.split()[0],
        columns("verification_info"),
        "the tests in verification_info",
        PROGRAMS,
        _with_cases,
    ),
)
