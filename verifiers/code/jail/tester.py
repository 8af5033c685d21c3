"""The tester: runs tests that are code, in a sandbox that the program cannot see.

The program's functions are stand-ins here, which call the program's own sandbox.
"""

from __future__ import annotations

import builtins
import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from . import codec
from .guest import (
    TestsError,
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
    the program and the set-up could be defined. ``{"s": why}`` says that the tests themselves are at fault:
    the program had no part in it, and ``"visible": true`` that they work in one process with it.
    """
    open_streams()
    plan = json.loads(script)
    remote = _Remote(requests, answers, in_place=plan["in_place"])
    space = new_module("__main__")
    _add_missing_modules(space, plan["imports"])
    own = {here: remote.function(there) for here, there in plan["names"].items()}
    for name in plan["modules"]:
        new_module(name).update(own)
    try:
        _run_items(plan, space, own, report, remote)
    except TestsError:
        # Where the program has ended, nothing is reported here: how it ended explains the test it ended in.
        if not remote.fault and not remote.ended:  # it could not be defined, and the set-up calls it
            write_line(report, {"b": None, **remote.boot()})
    if remote.fault:
        write_line(report, {"s": remote.fault, "visible": remote.cannot_cross})
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
    space.update(own)
    outcome = tried(lambda: exec(compiled_source(plan["setup"].encode(), "setup.py"), space))  # noqa: S102
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
        outcome = tried(lambda source=source: exec(compiled_source(source.encode(), "test.py"), space))  # type: ignore[misc]  # noqa: S102
        if remote is not None and (remote.ended or remote.fault):
            return  # whatever the test made of it
        write_line(report, {"p": "x" not in outcome, **outcome})


class _Remote:
    """The program, in its own sandbox."""

    def __init__(self, requests: int, answers: int, *, in_place: bool) -> None:
        self._in_place = in_place
        self._requests = os.fdopen(requests, "wb", buffering=0)
        self._answers = os.fdopen(answers, "rb")
        self._boot: dict[str, Any] | None = None
        self.started = False
        self.fault = ""
        self.cannot_cross = False
        self.ended = False

    def boot(self) -> dict[str, Any]:
        """Whether the program could be defined; waits for it the first time."""
        self.started = True
        if self._boot is None:
            self._boot = self._read()
        if self._boot is None:
            raise TestsError
        return {key: value for key, value in self._boot.items() if key in ("x", "m")}

    def function(self, name: str) -> Callable[..., Any]:
        """A function that is called there."""

        def remote(*arguments: Any, **keywords: Any) -> Any:
            if self.fault or self.ended or self.boot():
                raise TestsError
            named = [[key, *self._sent([value])] for key, value in keywords.items()]
            line = json.dumps([name, self._sent(arguments), named])
            try:
                self._requests.write(line.encode() + b"\n")
            except OSError:
                self.ended = True
                raise TestsError from None
            answer = self._read()
            if answer is None:
                raise TestsError
            try:
                return self._taken(answer, arguments, keywords)
            except _ENDS as error:
                raise RuntimeError("an answer that cannot be read") from error

        remote.__name__ = name
        return remote

    def _sent(self, values: Any) -> list[Any]:
        try:
            return [codec.encode(value) for value in values]
        except codec.TooDeepError:
            raise  # by what the program returned before
        except codec.UnreadableError as error:
            # Only the tests can make such a value: what the program returns crosses as plain data.
            self.cannot_cross = True
            self.fault = f"an argument cannot cross to the program's sandbox: {error}"
            raise TestsError from None

    def _taken(self, answer: dict[str, Any], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """What a call returns here, or raises."""
        if self._in_place:
            for before, after in zip(arguments, answer.get("a", ()), strict=False):
                _copy_back(before, codec.decode(after))
            for key, after in answer.get("k", {}).items():
                _copy_back(keywords.get(key), codec.decode(after))
        if "v" not in answer:
            raise _exception(answer)
        value = codec.decode(answer["v"])
        codec.encode(value)  # so that it can be an argument of the next call, whoever wrote it
        return value

    def _read(self) -> dict[str, Any] | None:
        """The next answer; None when the program has ended."""
        line = b""
        with contextlib.suppress(OSError):
            line = self._answers.readline()
        if not line:
            self.ended = True
            return None
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        return answer if isinstance(answer, dict) else {"u": "not an answer"}


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
