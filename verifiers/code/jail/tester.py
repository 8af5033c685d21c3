"""The tester: runs tests that are code, in a sandbox that the program cannot see.

The program's functions are stand-ins here, which call the program's own sandbox.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from .bridge.link import Link
from .bridge.rules import TestsError
from .bridge.stand_ins import RemoteClass
from .guest import (
    compiled_source,
    defined,
    new_module,
    open_streams,
    tried,
    write_line,
)


def run_tests(script: bytes, requests: int, answers: int, report: int) -> int:
    """The tester: run tests whose calls go to another sandbox, and report on each.

    The script is JSON: ``setup`` (source), ``names`` ({name here: name there}), ``tests`` (sources). A line
    of the report is ``{"p": true}`` or ``{"p": false, "x": type, "m": message}``; the first line says whether
    the program and the set-up could be defined. ``"w": true`` says that a test rests on what the program says
    of its own objects. ``{"s": why}`` says that the tests themselves are at fault, before the program had any
    part in it.
    """
    open_streams()
    plan = json.loads(script)
    remote = _Remote(requests, answers, plan)
    space = new_module("__main__")
    _add_missing_modules(space, plan["imports"])
    own = {here: remote.function(there) for here, there in plan["names"].items()}
    try:
        own.update(remote.values(plan["objects"], plan["classes"]))
        for name in plan["modules"]:
            new_module(name).update(own)
        _run_items(plan, space, own, report, remote)
    except TestsError:
        # Where the program has ended, nothing is reported here: how it ended explains the test it ended in.
        if not remote.fault and not remote.ended:  # it could not be defined, and the set-up calls it
            write_line(report, {"b": None, **remote.boot()})
    if remote.fault:
        write_line(report, {"s": remote.fault})
    return 0


def run_visible(code: bytes, script: bytes, report: int) -> int:
    """Program and tests in one process: only for tests that nothing else can run, and open to cheats."""
    open_streams()
    plan = json.loads(script)
    space, boot = defined(code)
    if "x" in boot:
        write_line(report, boot)
        return 0
    own = {here: space[there] for here, there in plan["names"].items() if there in space}
    space["__name__"] = "__main__"
    for name in plan["modules"]:
        sys.modules[name] = sys.modules["solution"]
    _run_items(plan, space, own, report, None)
    return 0


def _run_items(
    plan: dict[str, Any], space: dict[str, Any], own: dict[str, Any], report: int, remote: _Remote | None
) -> None:
    run = _runner(space, remote)
    space.update(own)
    outcome = tried(lambda: run(plan["setup"], "setup.py"))
    if remote is not None and remote.ended:
        raise TestsError
    if remote is not None and "x" in outcome and not remote.started:
        remote.fault = f"the set-up fails by itself: {outcome['x']}: {outcome['m']}"
        return
    outcome = outcome or (remote.boot() if remote is not None else {})
    write_line(report, {"b": None, **outcome})
    if "x" in outcome:
        return
    space.update(own)  # a prompt that was run for its helpers defines the function without a body
    for source in plan["tests"]:
        if remote is not None:
            remote.link.scope(1)
        outcome = tried(lambda source=source: run(source, "test.py"))  # type: ignore[misc]
        if remote is not None:
            if remote.ended or remote.fault:
                return  # whatever the test made of it
            if remote.link.failure and "x" not in outcome:
                outcome = {"x": "AssertionError", "m": remote.link.failure}
            elif remote.link.rests_on_word:
                outcome["w"] = True
        write_line(report, {"p": "x" not in outcome, **outcome})


def _runner(space: dict[str, Any], remote: _Remote | None) -> Callable[[str, str], None]:
    """What executes a source in the tests' namespace."""
    if remote is not None:
        space[_SETTLE] = remote.link.settle

    def run(source: str, name: str) -> None:
        code = compiled_source(source.encode(), name)
        if remote is not None:
            remote.link.ends_allowed = "StopIteration" in source or "StopAsyncIteration" in source
            code = compile(settling(source), name, "exec", dont_inherit=True)
        exec(code, space)  # noqa: S102

    return run


_SETTLE = "__settle_changes__"


def settling(source: str) -> ast.Module:
    """Tests that say, before each of their statements, when to take over changes in their containers.

    What the program changes is seen at once, but for a statement that looks at what it also hands over: there
    its values stay as they were until it has ended. ``f(x) == sorted(x)`` does not hold for a function that
    empties x.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, name, _settling_block(block))
    return ast.fix_missing_locations(tree)


def _settling_block(block: list[ast.stmt]) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for statement in block:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        first = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (text or first or isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Import)):
            arguments: list[ast.expr] = [ast.Constant(True)] if _looks_twice(statement) else []
            call = ast.Call(ast.Name(_SETTLE, ast.Load()), arguments, [])
            made.append(ast.copy_location(ast.Expr(call), statement))
        made.append(statement)
    return made


def _looks_twice(statement: ast.stmt) -> bool:
    """Whether a statement hands something to a call and looks at it besides."""
    used: list[str] = []
    given: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Compare) and all(isinstance(each, ast.Is | ast.IsNot) for each in node.ops):
            waiting += [each for each in (node.left, *node.comparators) if not isinstance(each, ast.Name)]
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.append(node.id)
        if isinstance(node, ast.Call):
            inside = [*node.args, *(each.value for each in node.keywords)]
            given.update(name.id for each in inside for name in ast.walk(each) if isinstance(name, ast.Name))
        waiting += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt)]
    return any(used.count(name) > 1 for name in given)


class _Remote:
    """The program, in its own sandbox."""

    def __init__(self, requests: int, answers: int, plan: dict[str, Any]) -> None:
        self._plan = plan
        self.link = Link(os.fdopen(answers, "rb"), requests, strict=True)
        self._boot: dict[str, Any] | None = None
        self.started = False
        self.fault = ""

    @property
    def ended(self) -> bool:
        """Whether the program is gone."""
        return self.link.ended

    def boot(self) -> dict[str, Any]:
        """Whether the program could be defined; waits for it the first time."""
        self.started = True
        if self._boot is None:
            self._boot = self.link.read()
        if self._boot is None:
            raise TestsError
        return {key: value for key, value in self._boot.items() if key in ("x", "m")}

    def function(self, name: str) -> Callable[..., Any]:
        """A function that is called there."""

        def remote(*arguments: Any, **keywords: Any) -> Any:
            if self.ended or self.boot():
                raise TestsError
            return self.link.ask("named", name, *arguments, **keywords)

        remote.__name__ = name
        return remote

    def values(self, names: dict[str, str], classes: list[str]) -> dict[str, Any]:
        """Classes, constants and functions of the program that the tests look at, by their names there."""
        if not names or self.boot():
            return {}
        found = self.link.ask("values", list(names.values()))
        for name, value in found.items():
            if name in classes and isinstance(value, RemoteClass):
                type.__setattr__(value, "named", True)
        return {here: found[there] for here, there in names.items() if there in found}


def _add_missing_modules(space: dict[str, Any], names: list[str]) -> None:
    """Modules that tests use without importing them, because the reference solution does."""
    for name in names:
        with contextlib.suppress(ImportError):
            space[name] = __import__(name)
