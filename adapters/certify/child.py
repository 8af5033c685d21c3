"""The reward that is certified, in a process of its own: found, called, and watched while it is called.

The parent (`subject`) asks by import path and gets JSON. Every result is written into a log as soon as it is
there, so that what ends this process loses one call and tells which. A watch notes files, output and code
that a call runs; what it would write is written into a folder that is deleted, so that certifying a reward
changes nothing.
"""

from __future__ import annotations

import builtins
import contextlib
import copy
import io
import json
import math
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers.runtime.worker import limit_cpu

from .loading import Loaded, loaded

MARK = "certify_918273645"
"""A name that no reward knows: code that holds it was made of a completion's text."""
NUMBER = 918273645
"""The same for code in which only numbers are left; one more than it stands for a folded sum."""

_open = io.open
_DEVICES = ("/dev/", "/proc/")
_DELETES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate", "os.link", "os.symlink")
_STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")


class Watch:
    """Records the effects of a call while it runs.

    Args:
        folder: Folder to which writing is redirected.
    """

    def __init__(self, folder: str) -> None:
        self.folder = os.path.realpath(folder)
        self.on = False
        self.seen: dict[str, str] = {}

    def install(self) -> None:
        """Turn writing aside, and listen; once in a process."""
        builtins.open = io.open = self._opened
        sys.addaudithook(self._audited)

    @contextlib.contextmanager
    def watching(self) -> Iterator[dict[str, str]]:
        """While a call runs: what it does, by kind, with what shows it."""
        self.seen, out, error = {}, sys.stdout, sys.stderr
        sys.stdout = sys.stderr = said = _Said()
        self.on = True
        try:
            yield self.seen
        finally:
            self.on = False
            sys.stdout, sys.stderr = out, error
            if said.text:
                self.seen.setdefault("prints", said.text[:80])

    def _opened(self, file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        path = self._outside(file)
        if path is None or not set(mode) & set("wax+"):
            return _open(file, mode, *more, **named)
        if self.on:
            self.seen.setdefault("writes_files", path)
        inside = os.path.join(self.folder, "written", path.lstrip("/"))
        os.makedirs(os.path.dirname(inside), exist_ok=True)
        if not os.path.exists(inside) and os.path.isfile(path) and not set(mode) & set("wx"):
            shutil.copyfile(path, inside)
        return _open(inside, mode, *more, **named)

    def _outside(self, file: Any) -> str | None:
        """Return a file's path if it is not ours to write, else None."""
        if isinstance(file, int):
            return None
        try:
            path = os.path.realpath(os.fsdecode(file))
        except (TypeError, ValueError):
            return None
        return None if path.startswith((self.folder + os.sep, *_DEVICES)) else path

    def _audited(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "exec" and self.on and _holds(arguments[0]):
            self.seen.setdefault("runs_completions", "exec")
        elif event == "open" and isinstance(arguments[2], int):
            path, flags = arguments[0], arguments[2]
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and self._outside(path) is not None:
                self._refuse("writes_files", str(path))
        elif event in _DELETES and self._outside(arguments[0]) is not None:
            self._refuse("writes_files", f"{event} {arguments[0]!r:.80}")
        elif event in _STARTS and self.on:
            self.seen.setdefault("starts_processes", f"{event} {arguments!r:.80}")
        elif event == "socket.connect" and self.on:
            self.seen.setdefault("connects", f"{arguments[1]!r:.80}")

    def _refuse(self, kind: str, detail: str) -> None:
        if self.on:
            self.seen.setdefault(kind, detail)
            raise PermissionError(f"a reward that is certified may not change files: {detail}")


class _Said(io.StringIO):
    """Stream that keeps the beginning of printed text."""

    text = ""

    def write(self, said: str) -> int:
        if len(self.text) < 200:
            self.text += said[:200]
        return len(said)


def _holds(code: Any, depth: int = 0) -> bool:
    """Return whether code was compiled from a text with our mark."""
    if not isinstance(code, CodeType) or depth > 3:
        return False
    if any(MARK in name for name in (*code.co_names, *code.co_varnames)):
        return True
    for each in code.co_consts:
        if (isinstance(each, str) and MARK in each) or (type(each) is int and each - NUMBER in (0, 1)):
            return True
        if _holds(each, depth + 1):
            return True
    return False


HUNG = 75
"""The exit status of a process in which a call waits too long."""
Record = dict[str, Any]
"""What became of a call: ``value``, ``problem`` and ``detail`` where there is none, ``reason``, ``seen``,
``seconds``, and the ``outcome`` of the parts that read the reference."""


class _Child:
    """State of this process."""

    subject: Loaded
    watch: Watch
    began = 0.0
    """When the call that runs began; 0 while none does."""
    cpu = 2.0
    wall = 6.0


def prepare(spec: str | Reward, place: str, folder: str, cpu: float, wall: float) -> Record:
    """Find the reward, and describe it.

    Args:
        spec: The user's name for a reward, or a reward.
        place: The user's folder, from which names are found.
        folder: Working folder of the process.
        cpu: Processor seconds that a call may take.
        wall: Seconds by the clock that it may take.
    """
    os.chdir(place)
    _Child.subject = loaded(spec)
    _Child.cpu, _Child.wall = cpu, wall
    os.chdir(folder)
    tempfile.tempdir = folder
    _Child.watch = Watch(folder)
    _Child.watch.install()
    threading.Thread(target=_guard, daemon=True).start()
    return _Child.subject.about


def pay(calls: Sequence[tuple[str, Mapping[str, Any]]], log: str, traced: bool) -> list[Record]:
    """Pay completions one by one.

    Args:
        calls: Completions with the columns of their rows.
        log: File for each record, written at once.
        traced: Whether the lines that ran are told, where it is a function.
    """
    records = []
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        for text, row in calls:
            record = _one(text, row, traced)
            os.write(descriptor, json.dumps(record).encode() + b"\n")
            records.append(record)
    finally:
        os.close(descriptor)
    return records


def pay_batch(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> list[float | None] | None:
    """Pay completions in one call, where the reward takes several; None where it does not."""
    together = _Child.subject.together
    if together is None:
        return None
    with _Child.watch.watching(), _limited():
        return [_number(each)[0] for each in together([text for text, _ in calls], [row for _, row in calls])]


def _one(text: str, row: Mapping[str, Any], traced: bool) -> Record:
    given = copy.deepcopy(dict(row))
    lines: set[int] = set()
    started = time.perf_counter()
    with _Child.watch.watching() as seen, _limited():
        try:
            with _tracing(_Child.subject.file if traced else "", lines):
                answer = _Child.subject.call(text, given)
            record = _told(answer)
        except MemoryError:
            record = {"value": None, "problem": "memory", "detail": "it needs more memory than it is given"}
        except (SystemExit, KeyboardInterrupt) as error:
            record = {"value": None, "problem": "exits", "detail": f"{type(error).__name__}: {error}"[:200]}
        except Exception as error:
            record = {"value": None, "problem": "raises", "detail": f"{type(error).__name__}: {error}"[:200]}
    record["seconds"] = time.perf_counter() - started
    with contextlib.suppress(Exception):
        if given != dict(row) and not _not_equal_to_itself(row):
            seen.setdefault("changes_arguments", "a column of the row is not what it was")
    if seen:
        record["seen"] = dict(seen)
    if lines:
        record["lines"] = sorted(lines)
    return record


def _told(answer: Any) -> Record:
    """Record a call's result: a number, or a number with its reason and outcome."""
    reason, outcome = "", None
    if isinstance(answer, tuple) and len(answer) == 3 and isinstance(answer[1], str):
        answer, reason, outcome = answer
    value, problem = _number(answer)
    record: Record = {"value": value, "reason": reason, "outcome": outcome}
    if problem:
        record.update(
            problem=problem, detail=f"it returned {answer!r:.80}" + (f" ({reason})" if reason else "")
        )
    return record


def _number(answer: Any) -> tuple[float | None, str]:
    if isinstance(answer, Mapping):
        answer = next((answer[name] for name in ("score", "reward", "value") if name in answer), answer)
    if answer is None:
        return None, "none"
    try:
        value = float(answer)
    except (TypeError, ValueError):
        return None, "no_number"
    return (value, "") if math.isfinite(value) else (None, "not_finite")


def _not_equal_to_itself(row: Mapping[str, Any]) -> bool:
    return copy.deepcopy(dict(row)) != dict(row)


@contextlib.contextmanager
def _limited() -> Any:
    """Apply the limits of a call while the block runs."""
    _Child.began = time.monotonic()
    limit_cpu(_Child.cpu)
    try:
        yield
    finally:
        limit_cpu(None)
        _Child.began = 0.0


@contextlib.contextmanager
def _tracing(file: str, lines: set[int]) -> Any:
    """Trace the lines of a file while the block runs."""
    if not file:
        yield
        return

    def inside(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            lines.add(frame.f_lineno)
        return inside

    def entered(frame: Any, event: str, _: Any) -> Callable[..., Any] | None:
        return inside if frame.f_code.co_filename == file else None

    sys.settrace(entered)
    try:
        yield
    finally:
        sys.settrace(None)


def _guard() -> None:
    """End the process where a call sleeps; one that works is ended by the kernel."""
    while True:
        time.sleep(0.1)
        began = _Child.began
        if began and time.monotonic() - began > _Child.wall:
            os._exit(HUNG)
