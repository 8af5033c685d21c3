"""One end of the bridge: it asks the other end, and answers what that asks while it waits."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from .. import codec
from . import containers
from .ambient import Ambient
from .ledger import Ledger
from .rules import BINARY, MAX_NESTING, MAX_REPLY, MAX_STEPS, TestsError, UnfitError
from .stand_ins import believe, believes, descend, descends
from .value_reading import Reader
from .value_writing import Writer

# Tests may put something else into these modules, and the program finds it there.
_loads, _dumps, _write = json.loads, json.dumps, os.write
_ENDS = (StopIteration, StopAsyncIteration)
_DRAWING = ("next", "send", "throw")
_DRAWING_BY_NAME = ("__next__", "__anext__")
_RETURNING_ITSELF = frozenset(
    {"__enter__", "__aenter__", "__iter__", "__aiter__", *(name for name in BINARY if name.startswith("__i"))}
)
"""Methods by which, in Python's own protocols, an object returns itself: it stays what it was."""
_MOST_NOTED = 10_000
Handler = Callable[..., Any]


class Link:
    """One end of the bridge.

    Args:
        answers: Stream of the other end's lines.
        requests: Stream for lines to it.
        strict: This is the end of the tests, and the other that of a program.
        handlers: Other operations of this end: operation -> handler.
    """

    def __init__(
        self, answers: BinaryIO, requests: int, *, strict: bool, handlers: dict[str, Handler] | None = None
    ) -> None:
        self._answers, self._requests, self.strict = answers, requests, strict
        self._handlers = handlers or {}
        self._ledger = Ledger(self, strict=strict)
        self._writer, self._reader = Writer(self._ledger), Reader(self._ledger)
        self._lock = threading.RLock()
        self._nested = self._steps = 0
        self._hold = False
        self._gone: dict[int, containers.Shared] = {}
        self.ended = False
        self.rests_on_word = self._doubted = False
        self.failure = ""
        self.discards = False
        self._heard: set[Any] = set()
        self.ends_allowed = False
        self.ambient: Ambient | None = None

    # For stand-ins ----------------------------------------------------------------------------

    def ask(self, operation: str, target: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """Have the other end do something, and return or raise what came of it."""
        with self._lock:  # a program may use what it was given from several threads
            self.settle(self._hold, self.discards)
            self._count()
            if self._nested >= MAX_NESTING:
                raise RecursionError("too many calls inside one another across the bridge")
            message = self._message()
            message["q"] = operation
            message["a"] = self._writer.pack_all((target, *arguments))
            if keywords:
                message["k"] = [[name, *self._writer.pack_all((value,))] for name, value in keywords.items()]
            self._writer.settle_fresh()
            self._write(message)
            believed, made = believes(target), self.strict and descends(target)
            self._nested += 1
            try:
                answer = self._answer(operation, arguments)
            finally:
                self._nested -= 1
            if self.strict:
                self._note(answer, made)
            if believed and answer is target and operation == "special" and arguments[0] in _RETURNING_ITSELF:
                believe(answer)
            return answer

    def let_go(self, number: int) -> None:
        """A stand-in is gone."""
        self._ledger.let_go(number)

    def rest_on_word(self) -> None:
        """A test rests on what the program says of its own objects."""
        self.rests_on_word = True

    def doubt(self) -> None:
        """An object of the program was asked to decide what it may not."""
        self._doubted = True

    def said(self, value: Any) -> bool:
        """Return whether the other side has said this value since the test began."""
        try:
            return value in self._heard
        except TypeError:
            return False

    def _note(self, answer: Any, made: bool) -> None:
        for each in answer if type(answer) in (list, tuple) else (answer,):
            if made:
                descend(each)
            if type(each) in (str, int, bytes) and len(self._heard) < _MOST_NOTED:
                self._heard.add(each)

    def refuse(self, what: str) -> Exception:
        """The test has failed, whoever catches this."""
        self._doubted, self.failure = True, what
        return AssertionError(what)

    def swallows(self, error: BaseException | None, answer: Any) -> Any:
        """Return whether a context manager of the program may keep an exception from the tests.

        Not one that says that the program is wrong.
        """
        return bool(answer) and not (self.strict and (self._doubted or isinstance(error, AssertionError)))

    # For the ends -----------------------------------------------------------------------------

    def read(self) -> dict[str, Any] | None:
        """The next line; None when the other end is gone."""
        line = b""
        with contextlib.suppress(OSError):
            line = self._answers.readline(MAX_REPLY)
        if not line.endswith(b"\n"):
            self.ended = True
            return None
        try:
            message = _loads(line)
        except (ValueError, RecursionError):
            message = None
        return message if isinstance(message, dict) else {"u": "not an answer"}

    def serve(self) -> bool:
        """Answer one request; False when the other end is gone."""
        message = self.read()
        if message is None:
            return False
        self._serve(message)
        return True

    def settle(self, hold: bool = False, discards: bool = False) -> bool:
        """Take over what the other end has changed in containers that both hold.

        Args:
            hold: From now on keep such changes back until it is called again.
            discards: Whether later calls are made for their effects only.
        """
        ledger = self._ledger
        waiting, ledger.withheld = ledger.withheld, {}
        for number, (_, items) in waiting.items():
            entry = ledger.shared.known.get(number) or self._gone.get(number)
            if entry is not None:
                containers.fill(entry.value, items)
        for number in waiting:
            self._writer.note(number)
        self._gone.clear()
        self._hold, self.discards = hold, discards
        return True

    def scope(self, number: int) -> None:
        """From now on objects are handed out for a test (1) or for all of them (0)."""
        self._steps = 0
        self.rests_on_word = self._doubted = False
        self.failure = ""
        self._heard.clear()
        self._ledger.own.end_scope()
        self._ledger.own.scope = number

    # Messages ---------------------------------------------------------------------------------

    def _message(self) -> dict[str, Any]:
        """A message with what must be said first: containers let go, changes, stand-ins let go."""
        message: dict[str, Any] = {}
        changes = self._writer.changes()
        if changes:
            message["c"] = changes
        gone = self._ledger.shared.let_go()
        if gone:
            message["d"] = gone
        if self._ledger.freed:
            message["f"], self._ledger.freed = self._ledger.freed, []
        if self.ambient is not None and (shared := self.ambient.changes()):
            message["w"] = self._writer.pack_all([shared])
        return message

    def _take(self, message: dict[str, Any]) -> None:
        """Apply the first part of a message: releases and changes."""
        if "f" in message:
            self._ledger.own.release(message["f"])
        ledger = self._ledger
        for number, letter, items in self._reader.changed(message.get("c", ())):
            ledger.withheld[number] = letter, items
        gone = message.get("d", ())
        if not self._hold:
            self.settle(discards=self.discards)
        elif ledger.withheld:
            known = ledger.shared.known
            self._gone.update((number, known[number]) for number in gone if number in known)
        ledger.shared.forget(gone)
        if "w" in message and self.ambient is not None:
            self.ambient.take(self._reader.unpack(message["w"])[0])

    def _answer(self, operation: str, arguments: tuple[Any, ...]) -> Any:
        while True:
            message = self.read()
            if message is None:
                raise TestsError
            if "q" not in message:
                break
            self._count()
            self._serve(message)
        drawing = operation in _DRAWING or (operation == "special" and arguments[0] in _DRAWING_BY_NAME)
        try:
            return self._taken(message, drawing)
        except _ENDS as error:
            if drawing or operation == "poll" or self.ends_allowed or not self.strict:
                raise
            # An iterator of the tests would take it for its own end.
            raise RuntimeError("the program raised the end of an iterator") from error

    def _taken(self, message: dict[str, Any], drawing: bool) -> Any:
        try:
            self._take(message)
            error = value = None
            if "x" in message:
                error = self._reader.unpack(message["x"])
            elif "s" in message and drawing:
                error = StopIteration(self._reader.unpack(message["s"]))
            elif "v" in message:
                value = self._reader.unpack(message["v"])
            else:
                error = RuntimeError(str(message.get("u"))[:200])
            self._writer.settle_fresh()
        except TestsError:
            raise
        except MemoryError:
            self.ended = True
            raise TestsError from None
        except Exception as unread:
            raise RuntimeError("an answer that cannot be read") from unread
        if error is None:
            return value
        raise error if isinstance(error, BaseException) else RuntimeError("an answer that cannot be read")

    def _serve(self, message: dict[str, Any]) -> None:
        self.settle(self._hold, self.discards)
        if self._nested >= MAX_NESTING:
            self._reply({"u": "too many calls inside one another across the bridge"})
            return
        self._nested += 1
        operation = message.get("q")
        try:
            answer = self._performed(str(operation), message)
        finally:
            self._nested -= 1
        self._reply(answer)

    def _performed(self, operation: str, message: dict[str, Any]) -> dict[str, Any]:
        result: list[Any] = []
        try:
            self._take(message)
            target, *arguments = [self._reader.unpack(each) for each in message["a"]]
            keywords = {str(name): self._reader.unpack(value) for name, value in message.get("k", ())}
            self._writer.settle_fresh()
            handler = self._handlers.get(operation)
            if handler is not None:
                result.append(handler(target, *arguments, **keywords))
            else:
                result.append(self._ledger.own.perform(operation, target, arguments, keywords))
        except TestsError:
            raise
        except StopIteration as end:
            drawing = operation in _DRAWING or (operation == "special" and arguments[:1] == ["__next__"])
            return self._said("s", [end.value]) if drawing else self._said("x", [end])
        except BaseException as error:
            if self.strict and isinstance(error, AssertionError):
                self.failure = f"{error}"[:200] or "an assertion does not hold"  # whoever catches it
            return self._said("x", [error])
        return self._said("v", result)

    def _said(self, key: str, values: list[Any]) -> dict[str, Any]:
        self.settle(self._hold, self.discards)
        answer = self._message()
        try:
            answer[key] = self._writer.pack_all(values)[0]
            self._writer.settle_fresh()
            _dumps(answer)
        except TestsError:
            raise
        except (UnfitError, codec.UnreadableError, ValueError, RecursionError, MemoryError) as error:
            answer.pop(key, None)
            answer["u"] = f"{error}"[:200] or type(error).__name__
        except BaseException as error:
            answer.pop(key, None)
            answer["u"] = f"a value that cannot cross: {type(error).__name__}"[:200]
        return answer

    def _reply(self, answer: dict[str, Any]) -> None:
        self._write(answer)

    def _write(self, message: dict[str, Any]) -> None:
        line = memoryview(_dumps(message).encode() + b"\n")
        try:
            while line:
                line = line[_write(self._requests, line) :]
        except OSError:
            self.ended = True
            raise TestsError from None

    def _count(self) -> None:
        self._steps += 1
        if self.strict and self._steps > MAX_STEPS:
            self.failure = f"more than {MAX_STEPS} messages in one test"
            raise RuntimeError(self.failure)
