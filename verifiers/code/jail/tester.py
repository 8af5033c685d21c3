"""The tester: runs tests that are code, in a sandbox that the program cannot see.

The program's functions are stand-ins here, which call the program's own sandbox.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from .bridge.ambient import Ambient
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
    space["isinstance"] = is_instance
    if "unittest" in plan["setup"]:
        importlib.import_module("unittest.case").__dict__["isinstance"] = is_instance
    sys.addaudithook(_refuses_code_in_files(remote.link, os.getcwd(), tuple(sys.path)))
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


def is_instance(value: Any, kinds: Any) -> bool:
    """Python's own, and for an object of the program what it says of the library's classes that it is of."""
    if isinstance(value, kinds):
        return True
    lineage = getattr(type(value), "lineage", ()) if isinstance(type(value), RemoteClass) else ()
    waiting, found = [kinds], False
    while waiting and lineage:
        kind = waiting.pop()
        if isinstance(kind, tuple):
            waiting += kind
        else:
            found = found or (kind.__module__, getattr(kind, "__qualname__", "")) in lineage
    return found


def _refuses_code_in_files(link: Link, folder: str, known: tuple[str, ...]) -> Callable[..., None]:
    """Files may be the program's: what is in them never runs where the tests are."""

    def hear(event: str, given: tuple[Any, ...]) -> None:
        if event == "pickle.find_class":
            module, name = given
            refused = name not in _PLAIN_NAMES.get(
                str(module).removeprefix("numpy._core.").removeprefix("numpy.core."), ()
            )
        elif event == "exec":
            place = str(getattr(given[0], "co_filename", ""))
            refused = place.startswith(f"{folder}/") and not place.startswith(known)
        else:
            return
        if refused:
            raise link.refuse("the tests run what is in a file, which may be the program's")

    return hear


_PLAIN_NAMES = {
    "builtins": "set frozenset complex bytearray range slice object int float str bytes list dict".split(),
    "collections": "OrderedDict defaultdict Counter deque".split(),
    "datetime": "date datetime time timedelta timezone".split(),
    "decimal": ["Decimal"],
    "fractions": ["Fraction"],
    "uuid": ["UUID"],
    "pathlib": "PosixPath PurePosixPath Path".split(),
    "_codecs": ["encode"],
    "copyreg": ["_reconstructor"],
    "numpy": "ndarray dtype".split(),
    "multiarray": "_reconstruct scalar".split(),
}
"""Names that a pickle may use: plain values, whose making runs nothing."""


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
    """Return a function that executes a source in the tests' namespace."""
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
            if isinstance(statement, ast.Assert):
                _settle_in_order(statement.test)
            call = _settling_call(_looks_twice(statement), _discards(statement))
            made.append(ast.copy_location(ast.Expr(call), statement))
        made.append(statement)
    return made


def _settling_call(hold: bool, discards: bool = False) -> ast.expr:
    arguments: list[ast.expr] = [ast.Constant(hold), ast.Constant(discards)]
    while arguments and not arguments[-1].value:  # type: ignore[attr-defined]
        arguments.pop()
    return ast.Call(ast.Name(_SETTLE, ast.Load()), arguments, [])


def _settle_in_order(test: ast.expr) -> None:
    """Between what ``and`` joins, changes are taken over: each is looked at after the one before."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        first, *others = test.values
        test.values = [first]
        for each in others:
            test.values += [_settling_call(_looks_twice(each)), each]


def _discards(statement: ast.stmt) -> bool:
    """Return whether a statement calls a method for its effect: nothing looks at its result."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return False
    call = statement.value
    given = [*call.args, *(each.value for each in call.keywords)]
    return isinstance(call.func, ast.Attribute) and not any(
        isinstance(node, ast.Call) for each in given for node in ast.walk(each)
    )


def _looks_twice(statement: ast.stmt | ast.expr) -> bool:
    """Return whether a statement passes an object to a call and looks at it besides."""
    used: list[str] = []
    given: set[str] = set()
    waiting: list[tuple[ast.AST, bool]] = [(statement, False)]  # and whether it is handed to a call
    test = statement.test if isinstance(statement, ast.Assert) else None
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        waiting = [(test.values[0], False)]  # the others are looked at on their own
    while waiting:
        node, handed = waiting.pop()
        if isinstance(node, ast.Compare) and all(isinstance(each, ast.Is | ast.IsNot) for each in node.ops):
            sides = (node.left, *node.comparators)
            waiting += [(each, handed) for each in sides if not isinstance(each, ast.Name)]
            continue
        if isinstance(node, ast.Tuple) and not handed:
            # Looked at when its turn comes, after the calls before it.
            waiting += [(each, handed) for each in node.elts if not isinstance(each, ast.Name)]
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.append(node.id)
        if isinstance(node, ast.Call) and not (
            isinstance(node.func, ast.Attribute) and node.func.attr.startswith("assert")
        ):
            handed = True
            inside = [*node.args, *(each.value for each in node.keywords)]
            given.update(name.id for each in inside for name in ast.walk(each) if isinstance(name, ast.Name))
        children = ast.iter_child_nodes(node)
        waiting += [(each, handed) for each in children if not isinstance(each, ast.stmt)]
    return any(used.count(name) > 1 for name in given)


class _Remote:
    """The program, in its own sandbox."""

    def __init__(self, requests: int, answers: int, plan: dict[str, Any]) -> None:
        self._plan = plan
        self.link = Link(os.fdopen(answers, "rb"), requests, strict=True)
        self.link.ambient = Ambient("\n".join([plan["setup"], *plan["tests"]]))
        self._boot: dict[str, Any] | None = None
        self.started = False
        self.fault = ""

    @property
    def ended(self) -> bool:
        """Whether the program is gone."""
        return self.link.ended

    def boot(self) -> dict[str, Any]:
        """Return the error of the program's definition, empty if none; wait for it the first time."""
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
