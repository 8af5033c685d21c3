"""Which tests become calls, and what the others need: a mistake here shows a program its tests, or asks nothing."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.support import from_table
from verifiers.code.suites.asserts import (
    StaticCall,
    check_body,
    functions_of,
    helpers_used,
    names_used,
    runnable,
    static_calls,
)


def _static(source: str, name: str | None = None) -> list[StaticCall] | None:
    return static_calls(ast.parse(source).body, name)


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("assert f(1) == 2", StaticCall("f", (1,), (), 2)),
        ("assert 2 == f(1)", StaticCall("f", (1,), (), 2)),
        ("assert f() is None", StaticCall("f", (), (), None)),
        ("assert f(x=1, y=[2]) == (3,)", StaticCall("f", (), (("x", 1), ("y", [2])), (3,))),
        ("assert f(-1, 'a') == {'a': {1}}", StaticCall("f", (-1, "a"), (), {"a": {1}})),
        ("assert f(1)", StaticCall("f", (1,), (), True, True)),
        ("assert not f(1)", StaticCall("f", (1,), (), False, True)),
        ("assert f(1) == True", StaticCall("f", (1,), (), True)),
        ("assert f(1) == 2, 'message'", StaticCall("f", (1,), (), 2)),
    ],
)
def test_a_call_with_literals_is_sent_and_compared_here(source: str, call: StaticCall) -> None:
    """So that the program never sees what is expected."""
    assert _static(source) == [call]
    assert _static(f"{source}\n{source}") == [call, call]
    assert _static(f"assert True\n{source}") == [call], "what asks nothing is left out"
    assert _static(source, "f") == [call]
    assert _static(source, "g") is None


@from_table()
def test_everything_else_stays_code(source: str) -> None:
    """A call that is read wrongly would pay for another answer than the test asks for."""
    assert _static(source) is None
    assert _static(f"assert f(1) == 2\n{source}") is None or source in ("", "assert True")


@from_table()
def test_what_tests_need_of_the_program_is_found(source: str, expected: dict[str, Any]) -> None:
    """Functions to call, objects to look at, modules, and what reaches into its process."""
    found = names_used("", [source], ())
    said = {name: getattr(found, name) for name in expected}
    assert {
        name: value if isinstance(value, str | bool) else [*value] for name, value in said.items()
    } == expected


def test_a_reference_solution_says_what_is_meant() -> None:
    """Even a function that is called like one of Python's; else only what no one else defines."""
    source = "assert sum(1) > max(2)"
    assert names_used("", [source], ()).functions == ()
    assert names_used("", [source], ["sum"]).functions == ("sum",)
    assert names_used("", [source], (), "def max(a): ...").functions == ("max",)
    solution = "class node:\n    pass\nasync def f(): ..."
    found = names_used("", ["assert node(1) > f(2)"], (), solution)
    assert (found.functions, found.objects) == (("f",), ("node",))
    assert names_used("", ["assert node(1) > 2"], ["node"], solution).functions == ("node",)
    assert names_used("def g(a): ...", ["assert g(1) > f(1)"], ()).functions == ("f",)
    assert functions_of("def f(): ...\nclass A:\n    def g(self): ...\nx = 1") == {"f"}
    assert functions_of("def f(:") == set()


@from_table()
def test_a_test_that_only_defines_is_called(test: str, added: str | None) -> None:
    """One that would do nothing is none."""
    assert runnable(test) == (None if added is None else test + added)


def test_a_check_function_is_taken_apart() -> None:
    """Without its text and its pass statements."""
    source = 'X = 1\ndef check(candidate):\n    """Doc."""\n    pass\n    assert candidate(1) == 2\n    x = 3'
    assert [ast.unparse(each) for each in check_body(ast.parse(source))] == [
        "assert candidate(1) == 2",
        "x = 3",
    ]
    assert check_body(ast.parse("def other(candidate):\n    assert candidate(1)")) == []
    assert check_body(ast.parse("def check(candidate):\n    pass")) == []


def test_helpers_of_a_prompt_are_those_that_tests_use() -> None:
    """But for the function that is asked for."""
    prompt = "def poly(x): ...\ndef other(): ...\ndef find(x): ..."
    assert helpers_used(prompt, "assert poly(find(1)) < 1", "find") == ["poly"]
    assert helpers_used(prompt, "assert other() < poly(1)", "find") == ["other", "poly"]
    assert helpers_used(prompt, "assert find(1) < 1", "find") == []
    assert helpers_used("def f(:", "assert poly(1)", "find") == []


def test_names_that_tests_need_of_a_program() -> None:
    """All sources count, each name once, in their order; what they define themselves is theirs."""
    names = names_used("import math", ["assert g(1) == f(2)", "own = 3\nassert f(own) == math.pi"], ())
    assert names.functions == ("g", "f")
    given = names_used("", ["assert queue(3)"], ())
    assert given.functions == ("queue",)
    module = names_used("", ["assert math.sqrt(f(4)) == 2"], ())
    assert module.functions == ("f",)
    assert module.modules == ("math",)
    meant = names_used("", ["assert sum([1]) == 1"], (), "def sum(x):\n    return 1")
    assert meant.functions == ("sum",)
    assert names_used("", ["assert sum([1]) == 1"], ()).functions == ()


@pytest.mark.parametrize(
    ("test", "given", "solution", "classes", "modules"),
    [
        ("assert isinstance(f(1), Node)", (), "", ("Node",), ()),
        ("assert isinstance(f(1), Node)", ("Node", "f"), "", ("Node",), ()),
        ("assert isinstance(f(1), Node)", ("Node", "f"), "def f(x): return 1", (), ()),
        ("assert f(Node(1)) == 1", (), "def f(x): return 1", (), ()),
        ("assert f(Node(1)) == 1", ("f",), "", (), ()),
        ("assert f(Node(1)) == 1", (), "", (), ()),
        ("assert math.f(1) == 2", (), "class math:\n    pass", ("math",), ()),
        ("assert math.f(1) == 2", (), "", (), ("math",)),
    ],
)
def test_which_names_are_classes_and_modules(
    test: str, given: tuple[str, ...], solution: str, classes: tuple[str, ...], modules: tuple[str, ...]
) -> None:
    """What a reference or an author names decides; without either, how a name is used and written."""
    names = names_used("", [test], given, solution)
    assert (names.classes, names.modules) == (classes, modules)
