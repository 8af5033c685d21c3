"""Values as JSON data for the other side.

Plain data is written as `jail.codec` writes it. Further tags: ``m`` a container that may be shared, ``h`` an
object of the sender, ``y`` one of the receiver, ``C`` and ``Y`` the same of classes, ``E`` an exception,
``G`` and ``e`` a member of an enumeration of the sender and the receiver, ``X`` a library's class, ``R`` a
library's function, ``U`` a module, ``M`` a method of the object that was asked.
"""

from __future__ import annotations

import builtins
import enum
import math
import sys
import types
from typing import Any

from .. import codec, library_values
from . import containers
from .classes import RemoteEnum
from .containers import KINDS, SAFE, Holders
from .ledger import Ledger
from .natures import Handle, RemoteIterator
from .rules import TYPES, Method, UnfitError, by_path, describe, made_here, plain_core
from .stand_ins import Far, at

_HOLDERS = Holders()
_COPIED = {
    kind: {"X": [[kind.__module__, kind.__qualname__]]} for kind in KINDS if kind.__module__ == "collections"
}
_AT_HOME = (types.FunctionType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
"""Types of stand-ins that cannot say where their object is."""


class Writer:
    """Writes values for one link.

    Args:
        ledger: Objects that this end knows.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._trial = False

    def settle_fresh(self) -> None:
        """Remember what the other side knows of the containers that crossed just now."""
        for number in self._ledger.fresh:
            self.note(number)
        self._ledger.fresh.clear()

    def note(self, number: int) -> None:
        """Remember what the other side knows of a container."""
        entry = self._ledger.shared.known.get(number)
        if entry is not None:
            entry.said = self._tried(entry)

    def changes(self) -> list[Any]:
        """Return this side's changes since its last report."""
        found = []
        for number, entry in list(self._ledger.shared.known.items()):
            now = self._tried(entry)
            if now != entry.said:
                entry.said = now
                found.append([number, self._content(entry.value, entry.letter, 0)])
        return found

    def _tried(self, entry: containers.Shared) -> list[Any]:
        """A container as it would be written, but nothing is handed out."""
        self._trial = True
        try:
            return self._content(entry.value, entry.letter, 0)
        finally:
            self._trial = False

    def pack_all(self, values: Any, depth: int = 0, *, held: bool = False) -> list[Any]:
        """Each value of a list or tuple, and which of them are held elsewhere is looked up.

        Args:
            values: A container that still exists.
            depth: Depth of nesting.
            held: All of them are, since it is held itself.
        """
        if depth > codec.MAX_DEPTH:
            raise codec.TooDeepError(f"nested more than {codec.MAX_DEPTH} deep")
        items = list(values)
        if containers.as_it_is(items):
            return items
        return _HOLDERS.each(items, lambda item, own: self.pack(item, held=own or held, depth=depth))

    def pack(self, value: Any, *, held: bool = False, depth: int = 0) -> Any:
        """A value as JSON data.

        Args:
            value: Any value.
            held: Somebody on this side can reach it after the message is sent.
            depth: Depth of nesting.

        Raises:
            UnfitError, UnreadableError: It cannot cross.
        """
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if -SAFE < value < SAFE else {"i": hex(value)}
        if kind is float:
            return value if math.isfinite(value) else {"f": repr(value)}
        letter = KINDS.get(kind) or (kind.__module__ == "numpy" and containers.array_letter(value, kind))
        if letter:
            return self._container(value, letter, held, depth)
        if kind is tuple:
            return {"t": self.pack_all(value, depth + 1, held=held)}
        if kind is frozenset:
            return {"z": self.pack_all(value, depth + 1, held=held)}
        return self._other(value, kind, depth)

    def _container(self, value: Any, letter: str, held: bool, depth: int) -> Any:
        number = self._ledger.shared.number(value)
        if number is not None:
            return {"m": number}
        if held and not self._trial:
            number = self._ledger.shared.add(value, letter)
            if number is not None:
                self._ledger.fresh.append(number)
        packed = self._content(value, letter, depth, held=held)
        if number is None and letter == "l":
            return packed
        more = containers.addition(value, letter)
        return {
            "m": number or 0,
            "k": letter,
            "of": packed,
            **({} if more is None else {"x": self.pack(more)}),
        }

    def _content(self, value: Any, letter: str, depth: int, *, held: bool = True) -> list[Any]:
        if letter == "b":
            return containers.content(value, letter)
        if letter == "A":
            return [library_values.written(value, type(value), lambda part: self.pack(part, depth=depth + 1))]
        return self.pack_all(containers.content(value, letter), depth + 1, held=held)

    def _other(self, value: Any, kind: type, depth: int) -> Any:
        if issubclass(kind, Far) or kind in (RemoteIterator, Handle):
            return self._homecoming(value)
        if issubclass(kind, type):
            return self._class(value)
        if kind in (complex, bytes, range):
            return codec.encode(value)
        if kind.__module__ == "builtins" and kind.__name__ in codec.VIEWS:
            return {"v": kind.__name__, "of": self.pack_all(value, depth + 1)}
        home = self._ledger.homes.get(value) if kind in _AT_HOME else None
        if home is not None:
            return {"y": home._at[1]}
        if kind is types.TracebackType:
            return None
        if kind is Method:
            return {"M": value.name}
        found = library_values.written(value, kind, lambda part: self.pack(part, depth=depth + 1))
        if found is not None:
            return found
        array = _plain_array(value, kind)
        if array is not None:
            return self._other(array, type(array), depth)
        if issubclass(kind, BaseException):
            return self._error(value, depth)
        if issubclass(kind, enum.Enum):
            name, held = getattr(value, "_name_", None), value._value_
            return {"G": self._class(kind), "n": name, "v": self.pack(held, depth=depth + 1)}
        return (self._by_name(value, kind) if self._ledger.strict else None) or self._object(
            value, kind, depth
        )

    def _homecoming(self, value: Any) -> Any:
        if issubclass(type(value), RemoteEnum):
            number = self._ledger.numbers_of_classes[type(value)]
            return {"e": [number, getattr(value, "_name_", None), self.pack(value._value_)]}
        if isinstance(value, RemoteIterator):
            value = value.handle
        return {"y": (value._at if isinstance(value, Handle) else at(value))[1]}

    def _class(self, kind: type) -> Any:
        number = self._ledger.numbers_of_classes.get(kind)
        if number is not None:
            return {"Y": number}
        if kind.__module__ == "builtins" and getattr(builtins, kind.__name__, None) is kind:
            return {"T": kind.__name__}
        if kind in _COPIED:
            return _COPIED[kind]
        if kind in TYPES:
            return {"X": [["types", TYPES[kind]]]}
        name = (kind.__module__, kind.__qualname__)
        if name in library_values.NAMES or (
            issubclass(kind, BaseException) and not made_here(kind) and by_path(*name) is kind
        ):
            return {
                "X": [[each.__module__, each.__qualname__] for each in kind.__mro__ if each is not object]
            }
        if self._ledger.strict and not made_here(kind) and by_path(*name) is kind:
            return {"X": [list(name)]}
        return self._described(kind)

    def _described(self, kind: type) -> Any:
        """A class that the other side does not have."""
        if self._trial:
            return {"C": kind.__qualname__}
        number, new = self._ledger.own.class_number(kind)
        if not new:
            return {"C": number}
        return {"C": number, "d": describe(kind, self._class, self.pack)}

    def _by_name(self, value: Any, kind: type) -> Any:
        """A module, or a function of a library: the program's side has the same."""
        if kind is types.ModuleType:
            return {"U": value.__name__}
        owner = getattr(value, "__objclass__", None)
        module = getattr(owner or value, "__module__", None)
        name = getattr(value, "__qualname__", None)
        if (
            isinstance(module, str)
            and isinstance(name, str)
            and module != "__main__"
            and by_path(module, name) is value
        ):
            return {"R": [module, name]}
        return None

    def _object(self, value: Any, kind: type, depth: int) -> Any:
        if self._trial:
            return {"h": id(value)}
        number, nature = self._ledger.own.issue(value)
        data: dict[str, Any] = {"h": number, "n": nature}
        if nature == "function" and self._ledger.strict:
            flags = getattr(getattr(value, "__code__", None), "co_flags", 0)
            data["f"] = {"n": getattr(value, "__name__", "function"), "a": bool(flags & 0x80)}
            text = getattr(value, "__doc__", None)
            data["f"]["d"] = text if isinstance(text, str) else None
            return data
        if nature in ("instance", "function"):
            data["c"] = self._described(kind)
            core = plain_core(value, kind)
            if core is not None:
                data["v"] = self.pack(core[0], depth=depth + 1)
        elif nature == "iterator":
            data["t"] = kind.__name__
        return data

    def _error(self, error: BaseException, depth: int) -> Any:
        kind = type(error)
        data: dict[str, Any] = {"E": self._class(kind), "a": self._arguments(error, depth)}
        if "C" in data["E"]:
            if not self._trial:
                data["h"] = self._ledger.own.issue(error)[0]
        else:
            own = {key: item for key, item in error.__dict__.items() if isinstance(key, str)}
            if own:
                data["x"] = self.pack(own, depth=depth + 1)
        if error.__cause__ is not None and depth < 5:
            data["k"] = self.pack(error.__cause__, depth=depth + 1)
        error.__traceback__ = None  # it would keep whatever its frames hold
        return data

    def _arguments(self, error: BaseException, depth: int) -> Any:
        try:
            return self.pack_all(error.args, depth + 1)
        except (UnfitError, codec.UnreadableError):
            return [str(error)[:200]]


def _plain_array(value: Any, kind: type) -> Any:
    """A subclass of numpy's arrays as the array that it holds."""
    numpy = sys.modules.get("numpy")
    base: Any = getattr(numpy, "ndarray", None)
    derived = isinstance(base, type) and issubclass(kind, base) and kind is not base
    return base.view(value, base) if derived else None
