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

_OWN_FRAMES = 20
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
    space = _module("__main__")
    _remember(code)
    status = _exit_status(lambda: exec(compiled[0], space))  # noqa: S102
    return _finish(space) or status


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
    for name, arguments, keywords, truth in json.loads(requests):
        _write(reply, _call(space, name, codec.decode(arguments), _keywords(keywords), truth=truth))
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
            values, named = codec.decode(arguments), _keywords(keywords)
            answer = _call(space, name, values, named)
            with contextlib.suppress(codec.UnreadableError):
                answer["a"] = [codec.encode(value) for value in values]
                answer["k"] = {key: codec.encode(value) for key, value in named.items()}
            _write(reply, answer)
    return 0


def run_tests(script: bytes, requests: int, answers: int, report: int) -> int:
    """The tester: run tests whose calls go to another sandbox, and report on each.

    The script is JSON: ``setup`` (source), ``names`` ({name here: name there}), ``tests`` (sources). A line
    of the report is ``{"p": true}`` or ``{"p": false, "x": type, "m": message}``; the first line says whether
    the program and the set-up could be defined. ``{"s": why}`` says that the tests themselves are at fault:
    the program had no part in it.
    """
    _open_streams()
    plan = json.loads(script)
    remote = _Remote(requests, answers, in_place=plan["in_place"])
    space = _module("tests")
    _add_missing_modules(space, plan["imports"])
    own = {here: remote.function(there) for here, there in plan["names"].items()}
    for name in plan["modules"]:
        _module(name).update(own)
    try:
        _run_items(plan, space, own, report, remote)
    except _TestsError:
        if not remote.fault:  # the program could not be defined, and the set-up calls it
            _write(report, {"b": None, **remote.boot()})
    if remote.fault:
        _write(report, {"s": remote.fault})
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
    for name in plan["modules"]:
        sys.modules[name] = sys.modules["solution"]
    _run_items(plan, space, own, report, None)
    return 0


def _run_items(
    plan: dict[str, Any], space: dict[str, Any], own: dict[str, Any], report: int, remote: _Remote | None
) -> None:
    space.update(own)
    outcome = _tried(lambda: exec(_compiled(plan["setup"].encode(), "setup.py"), space))  # noqa: S102
    if remote is not None and "x" in outcome and not remote.started:
        remote.fault = f"the set-up fails by itself: {outcome['x']}: {outcome['m']}"
        return
    outcome = outcome or (remote.boot() if remote is not None else {})
    _write(report, {"b": None, **outcome})
    if "x" in outcome:
        return
    space.update(own)  # a prompt that was run for its helpers defines the function without a body
    for source in plan["tests"]:
        outcome = _tried(lambda source=source: exec(_compiled(source.encode(), "test.py"), space))  # type: ignore[misc]  # noqa: S102
        _write(report, {"p": "x" not in outcome, **outcome})


class _TestsError(BaseException):
    """The tests do what cannot be done between two sandboxes. No test may catch it."""


class _Remote:
    """The program, in its own sandbox."""

    def __init__(self, requests: int, answers: int, *, in_place: bool) -> None:
        self._in_place = in_place
        self._requests = os.fdopen(requests, "wb", buffering=0)
        self._answers = os.fdopen(answers, "rb")
        self._boot: dict[str, Any] | None = None
        self.started = False
        self.fault = ""

    def boot(self) -> dict[str, Any]:
        """Whether the program could be defined; waits for it the first time."""
        self.started = True
        if self._boot is None:
            self._boot = self._read()
        return {key: value for key, value in self._boot.items() if key in ("x", "m")}

    def function(self, name: str) -> Callable[..., Any]:
        """A function that is called there."""

        def remote(*arguments: Any, **keywords: Any) -> Any:
            if self.fault or self.boot():
                raise _TestsError
            line = json.dumps([name, self._sent(arguments), self._sent(list(keywords.items()))])
            try:
                self._requests.write(line.encode() + b"\n")
            except OSError:
                raise RuntimeError("the program ended before it answered") from None
            answer = self._read()
            if self._in_place:
                for before, after in zip(arguments, answer.get("a", ()), strict=False):
                    _copy_back(before, codec.decode(after))
                for key, after in answer.get("k", {}).items():
                    _copy_back(keywords.get(key), codec.decode(after))
            if "v" in answer:
                return codec.decode(answer["v"])
            raise _exception(answer)

        remote.__name__ = name
        return remote

    def _sent(self, values: Any) -> list[Any]:
        try:
            return [codec.encode(value) for value in values]
        except codec.TooDeepError:
            raise  # by what the program returned before
        except codec.UnreadableError as error:
            # Only the tests can make such a value: what the program returns crosses as plain data.
            self.fault = f"an argument cannot cross to the program's sandbox: {error}"
            raise _TestsError from None

    def _read(self) -> dict[str, Any]:
        try:
            answer = json.loads(self._answers.readline())
        except (OSError, ValueError, RecursionError):
            answer = None
        return (
            answer
            if isinstance(answer, dict)
            else {"x": "RuntimeError", "m": "the program ended before it answered"}
        )


_ENDS = (StopIteration, StopAsyncIteration)
"""An iterator of the tests would take these for its own end."""


def _exception(answer: dict[str, Any]) -> Exception:
    """The exception of the program as the nearest built-in one."""
    for name in [*answer.get("mro", ()), str(answer.get("x"))]:
        known = getattr(builtins, str(name), None)
        if isinstance(known, type) and issubclass(known, Exception) and known not in _ENDS:
            with contextlib.suppress(Exception):
                return known(*codec.decode(answer["args"]))
            return known(str(answer.get("m", "")))
    if answer.get("x") == "SystemExit":
        raise SystemExit(answer.get("m"))
    return RuntimeError(str(answer.get("m", answer.get("u"))))


def _copy_back(before: Any, after: Any) -> None:
    if isinstance(before, list) and isinstance(after, list):
        before[:] = after
    elif isinstance(before, dict | set) and isinstance(after, dict | set):
        before.clear()
        before.update(after)
    elif isinstance(before, bytearray) and isinstance(after, bytes):
        before[:] = after
    elif type(before).__name__ == "deque" and type(after).__name__ == "deque":
        before.clear()
        before.extend(after)


def _add_missing_modules(space: dict[str, Any], names: list[str]) -> None:
    """Modules that tests use without importing them, because the reference solution does."""
    for name in names:
        with contextlib.suppress(ImportError):
            space[name] = __import__(name)


def _defined(code: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    space = _module("solution")
    _remember(code)
    outcome = _tried(lambda: exec(_compiled(code, "main.py"), space))  # noqa: S102
    return space, {"b": None, **outcome}


def _call(
    space: dict[str, Any], name: str, arguments: list[Any], keywords: dict[str, Any], *, truth: bool = False
) -> dict[str, Any]:
    function = _found(space, name)
    if function is None:
        return {"x": "NameError", "m": f"the program defines no function {name!r}"}
    result: list[Any] = []
    outcome = _tried(lambda: result.append(function(*arguments, **keywords)))
    if truth and not outcome:
        outcome = _tried(lambda: result.insert(0, bool(result[0])))
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
    except _TestsError:
        raise
    except BaseException as error:
        message = ""
        with contextlib.suppress(BaseException):
            message = str(error)[:200]
        found: dict[str, Any] = {"x": type(error).__name__, "m": message}
        with contextlib.suppress(BaseException):
            found["mro"] = [base.__name__ for base in type(error).__mro__ if base.__module__ == "builtins"]
            found["args"] = codec.encode(list(error.args))
            json.dumps(found)
        return found
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
    module.__dict__.update(__builtins__=builtins, __file__="main.py")
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
    builtins.help = _sitebuiltins._Helper()
    os.environ.clear()
    os.environ["HOME"] = os.getcwd()
    # The frames of this file are not the program's.
    sys.setrecursionlimit(sys.getrecursionlimit() + _OWN_FRAMES)


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


def _finish(space: dict[str, Any]) -> int:
    """What the interpreter does at its end: threads, exit functions, buffers, objects, buffers again."""
    import atexit
    import gc
    import threading

    status = 0
    end_threads: Callable[[], None] = threading._shutdown  # type: ignore[attr-defined]
    flush_own, flush = _flusher(sys.stdout), _flusher(sys.__stdout__)
    for step in (end_threads, atexit._run_exitfuncs, flush_own, space.clear, gc.collect, flush):
        try:
            step()
        except BaseException:
            status = 120
    return status


def _flusher(stream: Any) -> Callable[[], None]:
    return lambda: None if stream is None or stream.closed else stream.flush()


def _remember(code: bytes) -> None:
    """Let tracebacks and `inspect` find the program's lines, which are in no file."""
    import linecache

    lines = code.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache["main.py"] = (len(code), None, lines, "main.py")
