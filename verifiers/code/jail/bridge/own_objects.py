"""Objects of this side that the other side has handles to, and what they are asked."""

from __future__ import annotations

import builtins
import copy
import operator
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .awaiting import Tasks
from .describing import Method, made_here, nature, plain_core
from .rules import (
    CLOSED_KINDS,
    FORWARDED,
    MAX_CLASSES,
    MAX_OBJECTS,
    UnfitError,
    is_public,
)

_OPERATIONS = {
    "function": {"call"},
    "iterator": {"next", "send", "throw", "close", "special"},
    "awaitable": {"start", "poll", "cancel"},
    "class": {"call", "method", "get", "isinstance"},
    "instance": {"get", "set", "method", "special", "compare", "core", "copy", "deepcopy", "isinstance"},
}
"""What the program may do with the objects of the tests, by their nature."""
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
        """Do what the other side asks of an object.

        Args:
            operation: A key of this method's table.
            target: The object.
            arguments: Whatever the operation takes.
            keywords: The same.
        """
        if self._guarded:
            self._check(operation, target, arguments)
        if operation in ("start", "poll", "cancel"):
            return getattr(self._tasks, operation)(self._numbers.get(id(target), 0), target)
        return _PERFORM[operation](target, *arguments, **keywords)

    def _check(self, operation: str, target: Any, arguments: list[Any]) -> None:
        """Whether a program may do this.

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


def _named(target: Any, name: str) -> Any:
    return getattr(builtins, name)(target)


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
