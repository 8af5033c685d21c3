"""Styles of tests: what a program of a data set is asked for, asked in the ways that people write tests.

A style (a file of ``fixtures/code_styles``) adds something to a program that hands out its function's values
in some form: a generator, a class, a closure, a coroutine. Its tests ask for the same values in that form.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from verifiers.code.suites.asserts import check_body, static_calls

_FOLDER = Path(__file__).parent.parent / "fixtures" / "code_styles"
_MOST_SOURCE = 20_000


@dataclass(frozen=True)
class Problem:
    """A function and some of its values.

    Args:
        name: Of the problem.
        function: Its name in the program.
        program: A solution.
        cases: (arguments, value), as source.
    """

    name: str
    function: str
    program: str
    cases: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Style:
    """A way to write tests.

    Args:
        more: What the program gets besides; ``F`` is its function.
        tests: Python source; ``CASES`` is a list of tuples of arguments and ``WANT`` a list of values.
    """

    more: str
    tests: str

    @property
    def modules(self) -> tuple[str, ...]:
        """Packages that the tests import."""
        return ("pytest",) if "import pytest" in self.tests else ()


def _styles() -> dict[str, Style]:
    found = {}
    for path in sorted(_FOLDER.glob("*.txt")):
        more, _, tests = path.read_text(encoding="utf-8").partition("=====\n")
        found[path.stem.replace("_", " ")] = Style(more, tests)
    return found


STYLES = _styles()
"""What it is called -> how it is done."""


def problem(name: str, program: str, tests: list[ast.stmt], function: str | None = None) -> Problem | None:
    """A problem whose tests are all of the form ``assert f(literals) == literal``; None for another."""
    calls = static_calls(tests, function)
    if not calls or any(call.truth or call.keywords for call in calls):
        return None
    cases = tuple((repr(call.arguments), repr(call.expected)) for call in calls)
    # Some values have no source of their own, such as an infinite float.
    short = sum(len(text) for case in cases for text in case) < _MOST_SOURCE
    if len({call.function for call in calls}) > 1 or not short or not all(map(_literal, sum(cases, ()))):
        return None
    return Problem(name, calls[0].function, program, cases)


def humaneval(row: dict[str, Any]) -> Problem | None:
    """A row of HumanEval."""
    program = row["prompt"] + row["canonical_solution"]
    found = problem(row["task_id"], program, check_body(ast.parse(row["test"])), "candidate")
    return found and replace(found, function=row["entry_point"])


def mbpp(row: dict[str, Any]) -> Problem | None:
    """A row of MBPP."""
    if row.get("test_setup_code"):
        return None
    return problem(f"MBPP/{row['task_id']}", row["code"], ast.parse("\n".join(row["test_list"])).body)


def dressed(given: Problem, style: Style, program: str | None = None) -> tuple[str, str]:
    """The program and the tests of a problem in a style.

    Args:
        given: The problem.
        style: The style.
        program: Another program for it; None for its own.
    """
    cases = f"CASES = [{', '.join(case for case, _ in given.cases)}]\n"
    cases += f"WANT = [{', '.join(want for _, want in given.cases)}]\n"
    more, tests = (
        text.replace("F(", f"{given.function}(").replace("yield F", f"yield {given.function}")
        for text in (style.more.strip(), style.tests)
    )
    source = given.program if program is None else program
    return f"{source.rstrip()}\n\n\n{more}\n", cases + tests


def _literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True
