"""Knowledge of one end of the bridge: its own objects, stand-ins for the other's, and shared ones.

The other side has handles to objects of this one, asks them, and awaits its coroutines: it asks again and
again whether a coroutine has ended, and each time this side's loop goes one round. So coroutines of both
sides run by turns, and one may wait for another across the wall.
"""

from __future__ import annotations

import copy
import operator
import sys
import types
import weakref
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .containers import Registry
from .natures import Handle
from .rules import (
    CLOSED_KINDS,
    FORWARDED,
    MAX_CLASSES,
    MAX_OBJECTS,
    Method,
    UnfitError,
    is_public,
    made_here,
    nature,
    plain_core,
)
from .stand_ins import Asker

if TYPE_CHECKING:
    import asyncio


_OPERATIONS = {
    "function": {"call"},
    "iterator": {"next", "send", "throw", "close", "special"},
    "awaitable": {"start", "poll", "cancel"},
    "class": {"call", "method", "get", "isinstance"},
    "instance": {"get", "set", "method", "special", "compare", "core", "copy", "deepcopy", "isinstance"},
}
"""Operations of the program on the objects of the tests, by their nature."""
_ITERATING = ("__anext__", "__aiter__", "__iter__", "__next__", "__length_hint__")


@dataclass
class _Entry:
    value: Any
    nature: str
    issued: int = 0
    scope: int = 0


class OwnObjects:
    """The objects of this side that the other may use, by number.

    Args:
        guarded: The other side is a program that must not look into these objects: it may call functions,
            draw from iterators and use the public names of instances.
    """

    def __init__(self, *, guarded: bool) -> None:
        self._guarded = guarded
        self._entries: dict[int, _Entry] = {}
        self._numbers: dict[int, int] = {}
        self._classes: dict[int, type] = {}
        self._class_numbers: dict[type, int] = {}
        self._next = 0
        self._tasks = Tasks()
        self.scope = 0

    def issue(self, value: Any) -> tuple[int, str]:
        """The number and nature of an object that crosses.

        Raises:
            UnfitError: There are too many, or it leads to everything else.
        """
        number = self._numbers.get(id(value))
        if number is None:
            if self._guarded and (isinstance(value, CLOSED_KINDS) or type(value).__module__ == "string"):
                raise UnfitError(f"a {type(value).__name__} of the tests")
            if len(self._entries) >= MAX_OBJECTS:
                raise UnfitError(f"more than {MAX_OBJECTS} objects at a time")
            self._next += 1
            number = self._next
            self._entries[number] = _Entry(value, nature(value), 0, self.scope)
            self._numbers[id(value)] = number
        entry = self._entries[number]
        entry.issued += 1
        return number, entry.nature

    def release(self, counts: list[list[int]]) -> None:
        """The other side has let go of these: (number, how often it was sent)."""
        for number, count in counts:
            entry = self._entries.get(number)
            if entry is not None:
                entry.issued -= count
                if entry.issued <= 0:
                    self._drop(number)

    def end_scope(self) -> None:
        """A test has ended: what was handed out in it is taken back."""
        for number in [number for number, entry in self._entries.items() if entry.scope]:
            self._drop(number)

    def _drop(self, number: int) -> None:
        entry = self._entries.pop(number)
        self._numbers.pop(id(entry.value), None)
        self._tasks.forget(number)

    def __getitem__(self, number: Any) -> Any:
        entry = self._entries.get(number)
        if entry is None:
            raise ReferenceError("the object is no longer there")
        return entry.value

    # Classes ----------------------------------------------------------------------------------

    def class_number(self, kind: type) -> tuple[int, bool]:
        """The number of a class, and whether it is new to the other side."""
        number = self._class_numbers.get(kind)
        if number is not None:
            return number, False
        if len(self._classes) >= MAX_CLASSES:
            raise UnfitError(f"more than {MAX_CLASSES} classes")
        number = len(self._classes) + 1
        self._classes[number] = kind
        self._class_numbers[kind] = number
        return number, True

    def class_of(self, number: Any) -> type:
        """A class of this side by its number."""
        found = self._classes.get(number)
        if found is None:
            raise ReferenceError("the class is not there")
        return found

    # What is asked ----------------------------------------------------------------------------

    def perform(self, operation: str, target: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """Do what the other side asks of an object."""
        if self._guarded:
            self._check(operation, target, arguments)
        if operation in ("start", "poll", "cancel"):
            return getattr(self._tasks, operation)(self._numbers.get(id(target), 0), target)
        return _PERFORM[operation](target, *arguments, **keywords)

    def _check(self, operation: str, target: Any, arguments: list[Any]) -> None:
        """Refuse an operation that a program may not do.

        Raises:
            UnfitError: It may not.
        """
        found = nature(target)
        if (
            id(target) not in self._numbers
            and not {target if found == "class" else type(target)} & self._class_numbers.keys()
        ):
            raise UnfitError("no object of the tests")
        found = {"generator": "iterator", "async generator": "iterator", "error": "instance"}.get(
            found, found
        )
        name = arguments[0] if arguments else None
        if operation not in _OPERATIONS[found]:
            raise UnfitError("this object of the tests cannot be asked that")
        if operation in ("get", "set", "method") and not (isinstance(name, str) and is_public(name)):
            raise AttributeError(f"{name!r:.60} is no public attribute")
        if operation == "special" and not (name in FORWARDED and (found != "iterator" or name in _ITERATING)):
            raise AttributeError(f"{name!r:.60} cannot be asked")
        if found == "class" and operation != "call" and not made_here(target):
            raise UnfitError("this class of the tests cannot be asked that")
        if operation == "set" and not (made_here(type(target)) or type(target) is types.SimpleNamespace):
            raise UnfitError("attributes of this object of the tests cannot be set")
        if (
            found == "instance"
            and not made_here(type(target))
            and any(id(each) in self._numbers for each in arguments)
        ):
            raise UnfitError("an object of a library gets data only")
        if operation == "compare" and name not in ("eq", "ne", "lt", "le", "gt", "ge"):
            raise UnfitError("no comparison")


def _method(target: Any, name: str, /, *arguments: Any, **keywords: Any) -> Any:
    return getattr(target, name)(*arguments, **keywords)


def _get(target: Any, name: str) -> Any:
    found = getattr(target, name)
    # A method is looked up again when it is called: no handle is needed for it.
    return Method(name) if type(found) is types.MethodType and found.__self__ is target else found


def _special(target: Any, name: str, /, *arguments: Any, **keywords: Any) -> Any:
    found = getattr(type(target), name)
    return found(target, *arguments, **keywords)


def _next(target: Any) -> Any:
    return next(target)


def _core(target: Any) -> Any:
    found = plain_core(target, type(target))
    if found is None:
        raise UnfitError("no plain data below it")
    return found[0]


def _isinstance(target: Any, *kinds: Any) -> bool:
    return isinstance(target, kinds)


_PERFORM: dict[str, Callable[..., Any]] = {
    "call": lambda target, /, *arguments, **keywords: target(*arguments, **keywords),
    "method": _method,
    "get": _get,
    "set": setattr,
    "delete": delattr,
    "special": _special,
    "item": operator.getitem,
    "compare": lambda target, name, other: getattr(operator, name)(target, other),
    "next": _next,
    "send": lambda target, value: target.send(value),
    "throw": lambda target, error: target.throw(error),
    "close": lambda target: target.close(),
    "core": _core,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "isinstance": _isinstance,
    "issubclass": issubclass,
    "all": list,
}


_RECENT = 64
"""Stand-ins that stay, so that an object that comes again is the same one: ``id(f()) == id(f())``."""


class Ledger:
    """Knowledge of one end about the other.

    Args:
        link: Connection that stand-ins use.
        strict: The other side is a program that must not look into objects of this side.
    """

    def __init__(self, link: Asker, *, strict: bool) -> None:
        self.link, self.strict = link, strict
        self.own = OwnObjects(guarded=strict)
        self.shared = Registry(0 if strict else 1)
        self.fresh: list[int] = []
        self.classes: dict[int, Any] = {}
        self.numbers_of_classes: dict[Any, int] = {}
        self.stand_ins: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self.homes: weakref.WeakKeyDictionary[Any, Handle] = weakref.WeakKeyDictionary()
        self._received: dict[int, int] = {}
        self._living: dict[int, int] = {}
        self.recent: deque[Any] = deque(maxlen=_RECENT)
        self.withheld: dict[int, tuple[str, list[Any]]] = {}
        """Changes that this side has not taken over yet: number -> (kind, items)."""
        self.freed: list[list[int]] = []

    def receive(self, number: int, *, new: bool) -> None:
        """The other side has sent an object once more; `new` where a stand-in is made for it."""
        self._received[number] = self._received.get(number, 0) + 1
        if new:
            self._living[number] = self._living.get(number, 0) + 1

    def let_go(self, number: int) -> None:
        """A stand-in is gone; with the last one the other side hears of it."""
        left = self._living.get(number, 0) - 1
        self._living[number] = left
        if left <= 0:
            del self._living[number]
            self.freed.append([number, self._received.pop(number, 0)])


_LONGEST_WAIT = 0.005


class Tasks:
    """Awaitables of the other side, by number."""

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Task[Any]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, number: int, target: Any) -> None:
        """Begin."""
        if number not in self._tasks:
            self._tasks[number] = self._own_loop().create_task(_whole(target))

    def poll(self, number: int, target: Any) -> tuple[bool, Any]:
        """Return whether a task has ended, and its value; raise its exception."""
        self.start(number, target)
        task = self._tasks[number]
        if not task.done() and _running() is None:
            self._round()
        return (True, task.result()) if task.done() else (False, None)

    def cancel(self, number: int, target: Any) -> None:
        """End it early."""
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
            if _running() is None:
                self._round()

    def forget(self, number: int) -> None:
        """It will not be asked for again."""
        self._tasks.pop(number, None)

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        running = _running()
        if running is not None:
            return running
        if self._loop is None or self._loop.is_closed():
            import asyncio  # it takes as long to load as everything else together

            self._loop = asyncio.new_event_loop()
        return self._loop

    def _round(self) -> None:
        loop = self._own_loop()
        ready, timers = getattr(loop, "_ready", ()), getattr(loop, "_scheduled", ())
        if ready:
            loop.call_soon(loop.stop)
        else:
            due = timers[0].when() - loop.time() if timers else _LONGEST_WAIT
            loop.call_later(max(0.0, min(due, _LONGEST_WAIT)), loop.stop)
        loop.run_forever()


def _running() -> asyncio.AbstractEventLoop | None:
    events = sys.modules.get("asyncio.events")
    return None if events is None else events._get_running_loop()


def _whole(target: Any) -> Coroutine[Any, Any, Any]:
    async def wait() -> Any:
        return await target

    return wait()
