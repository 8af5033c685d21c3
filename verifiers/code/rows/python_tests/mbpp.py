"""MBPP, MBPP+ and AceCode: lists of asserts."""

from __future__ import annotations

from ....errors import ConfigError
from ...suites.spec import CodeTests
from ..shape import Row, Shape, columns, listed, optional_text, tests_of
from .stand_ins import with_stand_ins


def mbpp(row: Row) -> CodeTests:
    """Mostly Basic Python Problems, full or sanitized, and MBPP+ as it is on the Hub.

    The set-up runs after the program: two rows build objects of a class that the program defines. MBPP+ has,
    in ``test``, a script that calls the function with further inputs: one test more. So is each assert of
    ``challenge_test_list``.
    """
    if "plus_input" in row:
        raise ConfigError(
            "tests: mbpp.plus_input: evalplus's own files have lists for the tuples and sets of 62 tasks; "
            "use the rows of evalplus/mbppplus on the Hub"
        )
    asserts: list[str] = []
    for key in ("test_list", "challenge_test_list"):
        found = row.get(key) or []
        if not isinstance(found, list | tuple) or not all(isinstance(test, str) for test in found):
            raise ConfigError(f"tests: mbpp.{key} is a list of asserts, got {found!r:.60}")
        asserts += found
    if not asserts:
        raise ConfigError("tests: mbpp.test_list is empty")
    if script := optional_text(row, "test", "mbpp"):
        asserts.append(with_stand_ins(script, "mbpp.test"))
    imports = listed(row.get("test_imports") or [], "mbpp.test_imports", "a list of imports")
    setup = "\n".join([*map(str, imports), optional_text(row, "test_setup_code", "mbpp")])
    fields = {"asserts": asserts, "setup": setup.strip(), "solution": optional_text(row, "code", "mbpp")}
    return tests_of(fields, "mbpp.test_list")


def acecode(row: Row) -> CodeTests:
    """AceCode: ``test_cases``, asserts that a model wrote."""
    asserts = listed(row.get("test_cases"), "acecode.test_cases", "a list of asserts")
    return tests_of({"asserts": asserts}, "acecode.test_cases")


MBPP = Shape(
    "mbpp",
    "https://huggingface.co/datasets/google-research-datasets/mbpp "
    "https://huggingface.co/datasets/evalplus/mbppplus",
    (columns("test_list"), columns("assertion", "plus_input")),
    columns(
        "test_list",
        "challenge_test_list",
        "test_imports",
        "test_setup_code",
        "code",
        "test",
        *("assertion", "base_input", "plus_input", "atol", "entry_point", "contract"),
    ),
    mbpp,
    solutions=("code",),
)
ACECODE = Shape(
    "acecode",
    "https://huggingface.co/datasets/TIGER-Lab/AceCode-87K https://github.com/TIGER-AI-Lab/AceCoder",
    (columns("test_cases"),),
    columns("test_cases"),
    acecode,
    lambda row: (
        isinstance(row["test_cases"], list | tuple)
        and bool(row["test_cases"])
        and all(isinstance(test, str) for test in row["test_cases"])
    ),
)
