"""The Python side of a program: what runs in the sandbox once its walls are up.

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
from .bridge.ambient import Ambient
from .bridge.link import Link
from .bridge.rules import TestsError

_OWN_FRAMES = 20
COMPILE_ERROR = 119
"""Exit status of a program that does not compile. A program may claim it too: neither is paid."""
COMPILER_TIME, COMPILER_KILLED = 118, 117
"""Of a compiler that used up its processor time, or that somebody else has ended."""


def read_all(descriptor: int) -> bytes:
    """Return the content of a sealed memory file, whatever its position."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, size, 0) if size else b""


def run_script(code: bytes) -> int:
    """Run a program as ``__main__`` and return its exit status, as the interpreter would."""
    open_streams()
    compiled: list[types.CodeType] = []
    if _exit_status(lambda: compiled.append(compiled_source(code, "main.py"))):
        return COMPILE_ERROR
    space = new_module("__main__")
    _remember(code)
    status = _exit_status(lambda: exec(compiled[0], space))  # noqa: S102
    return _finish(space) or status


def answer_calls(code: bytes, requests: bytes, reply: int) -> int:
    """Define a program, call its functions one after the other, and write a line for each answer.

    A line is ``{"v": value}``, ``{"x": type of the exception, "m": message}`` or ``{"u": why the value cannot
    cross}``; the first line says whether the program could be defined: ``{"b": null}`` or an exception.
    """
    open_streams()
    space, boot = defined(code)
    write_line(reply, boot)
    if "x" in boot:
        return 0
    for name, arguments, keywords, truth in json.loads(requests):
        write_line(reply, _call(space, name, codec.decode(arguments), _keywords(keywords), truth=truth))
    return 0


def serve(code: bytes, requests: int, reply: int) -> int:
    """Define a program and answer what the tests of another sandbox ask of it."""
    open_streams()
    space, boot = defined(code)
    write_line(reply, boot)

    def named(name: str, /, *arguments: Any, **keywords: Any) -> Any:
        function = _found(space, name)
        if function is None:
            raise NameError(f"the program defines no function {name!r}")
        return function(*arguments, **keywords)

    def values(names: list[str]) -> dict[str, Any]:
        return {name: space[name] for name in names if name in space}

    with os.fdopen(requests, "rb") as lines:
        link = Link(lines, reply, strict=False, handlers={"named": named, "values": values})
        link.ambient = Ambient()
        while link.serve():
            pass
    return 0


def defined(code: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The namespace of a program, and how its definition went: the first line of every answer."""
    space = new_module("solution")
    _remember(code)
    outcome = tried(lambda: exec(compiled_source(code, "main.py"), space))  # noqa: S102
    return space, {"b": None, **outcome}


def _call(
    space: dict[str, Any], name: str, arguments: list[Any], keywords: dict[str, Any], *, truth: bool = False
) -> dict[str, Any]:
    function = _found(space, name)
    if function is None:
        return {"x": "NameError", "m": f"the program defines no function {name!r}"}
    result: list[Any] = []
    outcome = tried(lambda: result.append(function(*arguments, **keywords)))
    if truth and not outcome:
        outcome = tried(lambda: result.insert(0, bool(result[0])))
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


def tried(action: Callable[[], Any]) -> dict[str, Any]:
    """Return the exception of an action, for the other side; empty if there is none."""
    try:
        action()
    except TestsError:
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


def write_line(descriptor: int, data: dict[str, Any]) -> None:
    """One line of JSON."""
    line = json.dumps(data).encode() + b"\n"
    while line:
        line = line[os.write(descriptor, line) :]


def compiled_source(code: bytes, name: str) -> types.CodeType:
    """The code of a source, which is UTF-8 here whatever its first lines say of a file that it was in."""
    text: str | bytes = code
    with contextlib.suppress(UnicodeDecodeError):
        text = code.decode().removeprefix("\ufeff")
    return compile(text, name, "exec", dont_inherit=True)


def new_module(name: str) -> dict[str, Any]:
    """The namespace of a fresh module that the import system knows, as dataclasses and typing expect."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    module.__dict__.update(__builtins__=builtins, __file__="main.py")
    return module.__dict__


def open_streams() -> None:
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
    """End as the interpreter does: threads, exit functions, buffers, objects, buffers again."""
    import atexit
    import gc
    import threading

    status = 0
    end_threads: Callable[[], None] = threading._shutdown  # type: ignore[attr-defined]
    flush = _flusher(sys.stdout)
    for step in (end_threads, atexit._run_exitfuncs, flush, space.clear, gc.collect):
        try:
            step()
        except BaseException:
            status = 120
    # What objects printed at their end; these streams may be detached, or rest on what is gone.
    for rest in (flush, _flusher(sys.__stdout__), _flush_c):
        with contextlib.suppress(BaseException):
            rest()
    return status


def _flush_c() -> None:
    """Flush C's own streams: a program that loaded ctypes may have printed there."""
    if "ctypes" in sys.modules:
        sys.modules["ctypes"].CDLL(None).fflush(None)


def _flusher(stream: Any) -> Callable[[], None]:
    """Write out a stream as the interpreter does: one that does not say that it is closed is open."""
    return lambda: None if stream is None or getattr(stream, "closed", False) else stream.flush()


def _remember(code: bytes) -> None:
    """Let tracebacks and `inspect` find the program's lines, which are in no file."""
    import linecache

    lines = code.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache["main.py"] = (len(code), None, lines, "main.py")
