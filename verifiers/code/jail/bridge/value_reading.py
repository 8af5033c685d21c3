"""Values of the other side, read from what `value_writing` wrote there: anything, if a program wrote it."""

from __future__ import annotations

import enum
import importlib
from typing import Any

from .. import codec, library_values
from . import classes, containers, natures
from .containers import KINDS
from .ledger import Ledger
from .natures import Handle, RemoteIterator
from .rules import MAX_CLASSES, TYPES, Method, UnfitError, by_path
from .stand_ins import Remote, RemoteClass, at, place

_STEERING = frozenset({"__main__", "_pytest", "doctest", "jail", "pytest", "unittest"})


class Reader:
    """Reads values for one link.

    Args:
        ledger: Objects that this end knows.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def changed(self, changes: list[Any]) -> list[tuple[int, str, list[Any]]]:
        """Return the other side's changes, (number, kind, items), to be filled in when it is time."""
        found = []
        for number, items in changes:
            entry = self._ledger.shared.known.get(number)
            if entry is not None:
                found.append(
                    (number, entry.letter, items if entry.letter == "b" else self._read_items(items))
                )
        return found

    def unpack(self, data: Any) -> Any:
        """The value that `pack` wrote on the other side.

        Raises:
            Exception: It did not write it.
        """
        if isinstance(data, list):
            return self._read_items(data)
        if not isinstance(data, dict):
            return data
        if not data:
            raise UnfitError("a value without a tag")
        tag = next(iter(data))
        body = data[tag]
        reader = _READERS.get(tag)
        if reader is not None:
            return reader(self, body, data)
        return codec.decode(data)

    def _read_items(self, body: Any) -> list[Any]:
        kinds = set(map(type, body))
        return [self.unpack(item) for item in body] if dict in kinds or list in kinds else [*body]

    def _read_container(self, number: int, data: dict[str, Any]) -> Any:
        letter = data.get("k")
        if letter is None:
            if number in self._ledger.withheld:
                letter, items = self._ledger.withheld[number]
                return containers.filled(letter, items)
            return self._ledger.shared.known[number].value
        if letter == "A":
            value = self.unpack(data["of"][0])
            if number:
                self._ledger.shared.learn(number, value, letter)
                self._ledger.fresh.append(number)
            return value
        value = containers.empty(letter, self.unpack(data.get("x")))
        if number:
            self._ledger.shared.learn(number, value, letter)
            self._ledger.fresh.append(number)
        containers.fill(value, data["of"] if letter == "b" else self._read_items(data["of"]))
        return value

    def _read_view(self, name: str, data: dict[str, Any]) -> Any:
        return codec.view(name, self._read_items(data["of"]))

    def _read_library(self, tag: str, data: dict[str, Any]) -> Any:
        return library_values.read(tag, data[tag], self._read_items(data.get("is", ())))

    def _read_class(self, number: Any, data: dict[str, Any]) -> Any:
        if number in self._ledger.classes:
            return self._ledger.classes[number]
        if len(self._ledger.classes) >= MAX_CLASSES:
            raise UnfitError("too many classes")
        description = data["d"]
        made: Any = None
        if "enum" in description:
            members = [(name, self.unpack(value)) for name, value in description["enum"][1]]
            try:
                made = classes.make_enum(description, members, self._ledger.link)
            except Exception:
                made = None
        if made is None:
            bases = tuple(self.unpack(each) for each in description["b"])
            made = classes.make_class(description, bases, self._ledger.link)
        self._ledger.classes[number] = made
        self._ledger.numbers_of_classes[made] = number
        return made

    def _read_library_class(self, ways: Any) -> type:
        for module, name in ways:
            if not self._ledger.strict:
                importlib.import_module(module)
            found = by_path(module, name)
            if isinstance(found, type) and (not self._ledger.strict or _is_known(found, (module, name))):
                return found
        raise UnfitError("no such class")

    def _read_function(self, body: Any) -> Any:
        if self._ledger.strict:
            raise UnfitError("a function by its name")
        importlib.import_module(body[0])
        return by_path(*body)

    def _read_member(self, body: Any) -> Any:
        number, name, value = body
        kind: Any = self._ledger.own.class_of(number)
        return kind[name] if isinstance(name, str) and name in kind.__members__ else kind(self.unpack(value))

    def _read_foreign_member(self, data: dict[str, Any]) -> Any:
        kind: Any = self.unpack(data["G"])
        if not issubclass(kind, enum.Enum):
            raise UnfitError("no enumeration")
        name = data["n"]
        return (
            kind[name] if isinstance(name, str) and name in kind.__members__ else kind(self.unpack(data["v"]))
        )

    def _read_error(self, data: dict[str, Any]) -> BaseException:
        kind: Any = self.unpack(data["E"])
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            raise UnfitError("no exception")
        arguments = tuple(self._read_items(data["a"]))
        if "h" in data:
            known = self._ledger.stand_ins.get(data["h"])
            if known is not None:
                self._ledger.receive(data["h"], new=False)
                return known  # type: ignore[no-any-return]
            error: BaseException = kind.__new__(kind)
            object.__setattr__(error, "args", arguments)
            self._settle_in(error, data["h"])
        else:
            try:
                error = kind(*arguments)
            except Exception:
                error = kind.__new__(kind)
                error.args = arguments
            for key, item in (self.unpack(data["x"]) if "x" in data else {}).items():
                error.__dict__[key] = item
        if "k" in data:
            cause = self.unpack(data["k"])
            error.__cause__ = cause if isinstance(cause, BaseException) else None
        return error

    def _read_object(self, number: Any, data: dict[str, Any]) -> Any:
        if not isinstance(number, int):
            raise UnfitError("no number")
        known = self._ledger.stand_ins.get(number)
        if known is not None:
            self._ledger.receive(number, new=False)
            if issubclass(type(known), Remote):
                self._ledger.recent.append(known)
                at(known)[2] = False  # it is an answer now, and no more only what the tests made
            return known
        nature = data["n"]
        if nature == "instance" or (nature == "function" and self._ledger.strict):
            return self._instance(number, data)
        make: Any = _LOCAL.get(nature)
        if make is None:
            raise UnfitError("an unknown nature")
        self._ledger.receive(number, new=True)
        handle = Handle(self._ledger.link, number)
        if nature == "function":
            made: Any = natures.function(handle, data.get("f") or {})
        else:
            made = make(handle)
        if nature == "iterator" and data.get("t") in ("map", "filter"):
            return natures.like_built_in(made, data["t"])
        if nature != "iterator":
            self._ledger.homes[made] = handle
        self._ledger.stand_ins[number] = made
        return made

    def _instance(self, number: int, data: dict[str, Any]) -> Any:
        kind: Any = self.unpack(data["c"])
        if not issubclass(type(kind), RemoteClass):
            raise UnfitError("an instance of no class")
        core: Any = kind.core
        if core is None or "v" not in data:
            made = kind.__new__(kind) if core is None else core.__new__(kind)
        elif issubclass(core, list | dict | set | bytearray):
            made = core.__new__(kind)
            (core.extend if core in (list, bytearray) else core.update)(made, self.unpack(data["v"]))
        else:
            value = self.unpack(data["v"])
            if not isinstance(value, core):
                raise UnfitError("another value than its class holds")
            made = core.__new__(kind, value)
        return self._settle_in(made, number)

    def _settle_in(self, made: Any, number: int) -> Any:
        self._ledger.receive(number, new=True)
        place(made, self._ledger.link, number)
        if _weak(type(made)):
            self._ledger.stand_ins[number] = made
        self._ledger.recent.append(made)
        return made


_LOCAL = {
    "function": natures.function,
    "generator": natures.generator,
    "iterator": RemoteIterator,
    "awaitable": natures.coroutine,
    "async generator": natures.async_generator,
}
_READERS: dict[str, Any] = {
    "t": lambda self, body, data: tuple(self._read_items(body)),
    "z": lambda self, body, data: frozenset(self._read_items(body)),
    "m": lambda self, body, data: self._read_container(body, data),
    "v": lambda self, body, data: self._read_view(body, data),
    "h": lambda self, body, data: self._read_object(body, data),
    "y": lambda self, body, data: self._ledger.own[body],
    "C": lambda self, body, data: self._read_class(body, data),
    "Y": lambda self, body, data: self._ledger.own.class_of(body),
    "X": lambda self, body, data: self._read_library_class(body),
    "R": lambda self, body, data: self._read_function(body),
    "U": lambda self, body, data: self._read_function([body, ""]),
    "G": lambda self, body, data: self._read_foreign_member(data),
    "E": lambda self, body, data: self._read_error(data),
    "e": lambda self, body, data: self._read_member(body),
    "M": lambda self, body, data: Method(str(body)),
    "o": lambda self, body, data: self._read_library("o", data),
    "K": lambda self, body, data: self._read_library("K", data),
    "A": lambda self, body, data: self._read_library("A", data),
}


def _weak(kind: type) -> bool:
    return kind.__weakrefoffset__ != 0


def _is_known(kind: type, name: tuple[str, str]) -> bool:
    """Return whether a program may name a library's class: one of plain values, or an exception.

    Exceptions by which test frameworks and the tester itself are steered are no errors of a program.
    """
    if kind in KINDS or kind in TYPES or name in library_values.NAMES:
        return True
    return issubclass(kind, BaseException) and name[0].partition(".")[0] not in _STEERING
