"""The Python side of a program: what runs in the sandbox after its walls stand.

Nothing in here defends anything. The program can change all of it, and gains by that only what it could
also have returned: expected values are never in this process.
"""

from __future__ import annotations

import builtins
import contextlib
import json
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from . import codec

COMPILE_ERROR = 119
"""Exit status of a program that does not compile. A program may claim it too: neither is paid."""


def read_all(descriptor: int) -> bytes:
    """What a sealed memory file holds, wherever its position is."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, size, 0) if size else b""


def run_script(code: bytes) -> int:
    """Run a program as ``__main__`` and return its exit status, as the interpreter would."""
    _open_streams()
    compiled: list[types.CodeType] = []
    if _exit_status(lambda: compiled.append(_compiled(code, "main.py"))):
        return COMPILE_ERROR
    status = _exit_status(lambda: exec(compiled[0], _module("__main__")))  # noqa: S102
    status = _finish() or status
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    return status


def answer_calls(code: bytes, requests: bytes, reply: int) -> int:
    """Define a program, call its functions one after the other, and write a line for each answer.

    A line is ``{"v": value}``, ``{"x": type of the exception, "m": message}`` or ``{"u": why the value cannot
    cross}``; the first line says whether the program could be defined: ``{"b": null}`` or an exception.
    """
    _open_streams()
    space, boot = _defined(code)
    _write(reply, boot)
    if "x" in boot:
        return 0
    for name, arguments, keywords in json.loads(requests):
        _write(reply, _call(space, name, codec.decode(arguments), _keywords(keywords)))
    return 0


def serve(code: bytes, requests: int, reply: int) -> int:
    """Define a program and answer the calls of a tester; arguments that were changed in place go back."""
    _open_streams()
    space, boot = _defined(code)
    boot["names"] = [name for name, value in space.items() if callable(value)]
    _write(reply, boot)
    with os.fdopen(requests, "rb") as lines:
        for line in lines:
            name, arguments, keywords = json.loads(line)
            values = codec.decode(arguments)
            answer = _call(space, name, values, _keywords(keywords))
            with contextlib.suppress(codec.UnreadableError):
                answer["a"] = [codec.encode(value) for value in values]
            _write(reply, answer)
    return 0


def run_tests(script: bytes, requests: int, answers: int, report: int) -> int:
    """The tester: run tests whose calls go to another sandbox, and report on each.

    The script is JSON: ``setup`` (source), ``names`` ({name here: name there}), ``tests`` (sources). A line
    of the report is ``{"p": true}`` or ``{"p": false, "x": type, "m": message}``; the first line says whether
    the program and the set-up could be defined.
    """
    _open_streams()
    plan = json.loads(script)
    with os.fdopen(answers, "rb") as lines, os.fdopen(requests, "wb", buffering=0) as calls:
        boot = json.loads(lines.readline() or b"null") or {"x": "EndOfFile", "m": "the program ended"}
        if "x" in boot:
            _write(report, boot)
            return 0
        space = _module("tests")
        _add_missing_modules(space, plan["imports"])
        own = {here: _proxy(there, calls, lines) for here, there in plan["names"].items()}
        _run_items(plan, space, own, report)
    return 0


def run_visible(code: bytes, script: bytes, report: int) -> int:
    """Program and tests in one process: only for tests that nothing else can run, and open to cheats."""
    _open_streams()
    plan = json.loads(script)
    space, boot = _defined(code)
    if "x" in boot:
        _write(report, boot)
        return 0
    own = {here: space[there] for here, there in plan["names"].items() if there in space}
    _run_items(plan, space, own, report)
    return 0


def _run_items(plan: dict[str, Any], space: dict[str, Any], own: dict[str, Any], report: int) -> None:
    space.update(own)
    outcome = _tried(lambda: exec(_compiled(plan["setup"].encode(), "setup.py"), space))  # noqa: S102
    _write(report, {"b": None, **outcome})
    if "x" in outcome:
        return
    space.update(own)  # a prompt that was run for its helpers defines the function without a body
    for source in plan["tests"]:
        outcome = _tried(lambda source=source: exec(_compiled(source.encode(), "test.py"), space))  # type: ignore[misc]  # noqa: S102
        _write(report, {"p": "x" not in outcome, **outcome})


def _proxy(name: str, calls: Any, lines: Any) -> Callable[..., Any]:
    """A function that is called in the program's sandbox."""

    def remote(*arguments: Any, **keywords: Any) -> Any:
        line = [name, [codec.encode(value) for value in arguments]]
        line.append([[key, codec.encode(value)] for key, value in keywords.items()])
        try:
            calls.write(json.dumps(line).encode() + b"\n")
            answer = json.loads(lines.readline())
        except (OSError, ValueError):
            raise RuntimeError("the program ended before it answered") from None
        for before, after in zip(arguments, answer.get("a", ()), strict=False):
            _copy_back(before, codec.decode(after))
        if "v" in answer:
            return codec.decode(answer["v"])
        known = getattr(builtins, str(answer.get("x")), None)
        if not (isinstance(known, type) and issubclass(known, Exception)):
            known = RuntimeError
        raise known(str(answer.get("m", answer.get("u"))))

    remote.__name__ = name
    return remote


def _copy_back(before: Any, after: Any) -> None:
    if isinstance(before, list) and isinstance(after, list):
        before[:] = after
    elif isinstance(before, dict | set) and isinstance(after, dict | set):
        before.clear()
        before.update(after)


def _add_missing_modules(space: dict[str, Any], names: list[str]) -> None:
    """Modules that tests use without importing them, because the reference solution does."""
    for name in names:
        with contextlib.suppress(ImportError):
            space[name] = __import__(name)


def _defined(code: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    space = _module("solution")
    outcome = _tried(lambda: exec(_compiled(code, "main.py"), space))  # noqa: S102
    return space, {"b": None, **outcome}


def _call(space: dict[str, Any], name: str, arguments: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
    function = _found(space, name)
    if function is None:
        return {"x": "NameError", "m": f"the program defines no function {name!r}"}
    result: list[Any] = []
    outcome = _tried(lambda: result.append(function(*arguments, **keywords)))
    if "x" in outcome:
        return outcome
    try:
        value = codec.encode(result[0])
        json.dumps(value)
    except BaseException as error:
        return {"u": f"{error}"[:200] or type(error).__name__}
    return {"v": value}


def _found(space: dict[str, Any], name: str) -> Callable[..., Any] | None:
    """A function of the program, or a method of its class ``Solution``, as LeetCode writes them."""
    found = space.get(name)
    for part in name.split(".") if found is None else ():
        found = space.get(part) if found is None else getattr(found, part, None)
        if isinstance(found, type) and part != name.rpartition(".")[2]:
            found = found()
    if found is None and isinstance(space.get("Solution"), type):
        found = getattr(space["Solution"](), name, None)
    return found if callable(found) else None


def _keywords(pairs: list[list[Any]]) -> dict[str, Any]:
    return {key: codec.decode(value) for key, value in pairs}


def _tried(action: Callable[[], Any]) -> dict[str, Any]:
    try:
        action()
    except BaseException as error:
        message = ""
        with contextlib.suppress(BaseException):
            message = str(error)[:200]
        return {"x": type(error).__name__, "m": message}
    return {}


def _write(descriptor: int, data: dict[str, Any]) -> None:
    line = json.dumps(data).encode() + b"\n"
    while line:
        line = line[os.write(descriptor, line) :]


def _compiled(code: bytes, name: str) -> types.CodeType:
    return compile(code, name, "exec", dont_inherit=True)


def _module(name: str) -> dict[str, Any]:
    """The namespace of a fresh module that the import system knows, as dataclasses and typing expect."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    module.__dict__["__builtins__"] = builtins
    return module.__dict__


def _open_streams() -> None:
    """Real files on the standard descriptors, and what `site` adds to the builtins."""
    standard = {
        "stdin": open(0, encoding="utf-8", closefd=False),  # noqa: SIM115  (open as long as the process)
        "stdout": open(1, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
        "stderr": open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False),  # noqa: SIM115
    }
    for name, stream in standard.items():
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = ["main.py"]
    import _sitebuiltins

    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D")


def _exit_status(action: Callable[[], Any]) -> int:
    try:
        action()
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return int(error.code or 0) & 0xFF
        print(error.code, file=sys.stderr)
        return 1
    except BaseException as error:
        with contextlib.suppress(BaseException):
            # Without the frames of this file.
            trace = (
                error.__traceback__ and error.__traceback__.tb_next and error.__traceback__.tb_next.tb_next
            )
            sys.excepthook(type(error), error, trace)
        return 1
    return 0


def _finish() -> int:
    """What the interpreter does at its end: wait for threads, run exit functions, flush."""
    import atexit
    import threading

    status = 0
    for step in (threading._shutdown, atexit._run_exitfuncs, sys.stdout.flush):  # type: ignore[attr-defined]
        try:
            step()
        except BaseException:
            status = 120
    return status
