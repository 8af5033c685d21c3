"""Reading an object into a digest: what it does and holds, and nothing of where it stands.

Two objects have one digest if they are made of the same code and data, in whatever process. Line numbers,
file names and the names of modules do not count; closures, defaults and the globals that code reaches do, as
far as they are the user's own. What is installed counts by the version of its distribution.
"""

from __future__ import annotations

import builtins
import enum
import functools
import io
import re
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any

from ..runtime.patterns import LazyPattern
from .digests import Findings, Identified, closure, digest_of, imports_of, names_reached, names_used
from .owners import SERVICES, file_of, files_digest, owner_of, sources_of

MOST_OBJECTS = 200_000
"""Objects that a verifier's code may reach: a word list has fewer, the state of a large model more."""
MOST_BYTES = 256 << 20
"""Bytes that it may reach, in texts and arrays."""
NAMED = 8
"""Things that a message names."""

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented), range)
_OF_THE_CLASS = {
    *("__dict__", "__weakref__", "__module__", "__qualname__", "__doc__", "__slotnames__", "__firstlineno__"),
    *("__static_attributes__", "__abstractmethods__", "_abc_impl", "__annotations__", "__annotate__"),
    *("__annotate_func__", "__annotations_cache__", "__match_args__", "__dataclass_fields__", "_token_"),
    *("__dataclass_params__", "__hash__", "__parameters__", "__orig_bases__", "__replace__"),
    *("__setattr__", "__delattr__", "__repr__"),
}
"""Entries of a class that say where it stands, or that other entries say already."""
_PLACED = "<locals>"
_MADE_INIT = "__create_fn__.<locals>.__init__"
"""The qualified name of the ``__init__`` that `dataclass` writes; that of a user's own is never in there."""
_OF_THE_MODULE = {"__file__", "__name__", "__doc__", "__package__", "__spec__", "__loader__", "__builtins__"}
"""Globals that say where a module stands."""
_BUILTINS = frozenset(vars(builtins))
_LOCKS = (type(threading.Lock()), type(threading.RLock()), threading.Event, threading.Condition,
          threading.Semaphore, threading.local, weakref.ReferenceType)  # fmt: skip
"""Types that only keep threads apart, or objects alive: no verdict depends on them."""
_FOREIGN = ("ctypes", "_ctypes", "cffi", "_cffi_backend")
"""Modules whose objects stand for compiled code."""


class Reader(Findings):
    """Reads objects of every kind; what it meets on the way is kept.

    Args:
        code_only: Leave out what may change while it is used: lists, mappings, sets, objects.
    """

    def __init__(self, *, code_only: bool = False) -> None:
        super().__init__()
        self.code_only = code_only
        self._done: dict[int, tuple[bytes, list[str], Any]] = {}
        self._open: dict[int, int] = {}
        self._way: list[str] = []
        self._objects = self._bytes = 0

    def read(self, value: Any, way: str = "") -> bytes:
        """The digest of a value.

        Args:
            value: Anything.
            way: Way to it, for messages: "the global `client`".
        """
        if isinstance(value, _PLAIN):
            return self._plain(value)
        known = self._done.get(id(value))
        if known is not None:
            self.tokens += known[1]
            return known[0]
        if id(value) in self._open:  # a circle: how far up it closes says it all
            return digest_of("circle", str(len(self._open) - self._open[id(value)]))
        self._open[id(value)] = len(self._open)
        met = len(self.tokens)
        if way:
            self._way.append(way)
        try:
            self._objects += 1
            if self._objects > MOST_OBJECTS or self._bytes > MOST_BYTES:
                found = self._unread(value, "holds more than can be read")
            else:
                found = self._read(value)
        except RecursionError:
            found = self._unread(value, "is nested too deeply to read")
        finally:
            del self._open[id(value)]
            if way:
                self._way.pop()
        # One mark for all that it holds: a value that is met twice says the same as two equal ones.
        if len(self.tokens) > met + 1:
            self.tokens[met:] = [digest_of(*self.tokens[met:]).hex()]
        self._done[id(value)] = found, self.tokens[met:], value
        return found

    def _plain(self, value: Any) -> bytes:
        if type(value) not in _PLAIN:  # a subclass of str, say an enum's member
            if isinstance(value, enum.Enum):
                return digest_of("member", value.name, self.read(type(value)))
            return digest_of("like", self.read(type(value)), repr(value))
        if isinstance(value, str | bytes):
            self._bytes += len(value)
        return digest_of(type(value).__name__, repr(value))

    def _not_own(self, module: str) -> str | None:
        """Return the owner that stands for a module that is not the user's own; None if it is."""
        owner = owner_of(module)
        if owner == "own":
            return None
        if owner == "installed":
            self.distributions.add(module.partition(".")[0])
        return owner

    def _unread(self, value: Any, why: str) -> bytes:
        kind = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
        way = next((each for each in reversed(self._way)), "an object")
        if len(self.unknown) < NAMED:
            self.unknown.append(f"{way} ({name}) {why}")
        return digest_of("unknown", name)

    def _code(self, code: types.CodeType) -> bytes:
        shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return digest_of(
            "code",
            repr(shape),
            repr(names),
            code.co_code,
            getattr(code, "co_exceptiontable", b""),
            *[self.read(each) for each in code.co_consts],
        )

    def _function(self, function: types.FunctionType) -> bytes:
        code = function.__code__
        # Not `__module__` and `__qualname__`: a decorator copies these from the function that it wraps.
        module = str(function.__globals__.get("__name__", ""))
        loaded = sys.modules.get(module)
        ours = loaded is not None and vars(loaded) is function.__globals__
        named = self._not_own(module) if ours else None
        if named is not None and _PLACED not in code.co_qualname:
            return digest_of("function", named, module, code.co_qualname)
        self.own = True
        return digest_of(
            "function",
            self.read(code),
            self.read(function.__defaults__, "the defaults"),
            self.read(function.__kwdefaults__, "the defaults"),
            *[self._cell(name, cell) for name, cell in closure(function)],
            *(self._globals(code, function.__globals__) if named is None else ()),
        )

    def _cell(self, name: str, cell: types.CellType) -> bytes:
        try:
            return digest_of("cell", self.read(cell.cell_contents, f"the closure's `{name}`"))
        except ValueError:  # not filled yet
            self.complete = False
            return digest_of("cell", name)

    def _globals(self, code: types.CodeType, namespace: dict[str, Any]) -> Iterator[bytes]:
        for name in names_reached(code):
            if name in _OF_THE_MODULE:
                continue
            if name in namespace:
                value = namespace[name]
                yield digest_of("global", name, self.read(value, f"the global `{name}`"))
                if isinstance(value, types.ModuleType):  # `urllib.request`, where only `urllib` is a global
                    below = [f"{value.__name__}.{each}" for each in names_used(code)]
                    yield from (self._module_named(each) for each in below if each in sys.modules)
            elif name not in _BUILTINS:
                self.complete = False
                yield digest_of("global", name)
        package = namespace.get("__package__")
        for name in imports_of(code):
            yield self._module_named(name)
            if package:  # it may be meant relative to the package
                yield self._module_named(f"{package}.{name}")

    def _module_named(self, name: str) -> bytes:
        if name in SERVICES and len(self.unknown) < NAMED:
            self.unknown.append(f"the module `{name}` asks a service")
        if (named := self._not_own(name)) is not None:
            return digest_of("module", named, name)
        self.own = True
        found = sources_of(name)
        for each in found:
            if str(file_of(each)).endswith((".so", ".pyd")):
                self.unknown.append(f"the module `{each}` is compiled")
        return digest_of("module", name, *[digest for _, digest in sorted(found.items())])

    def _module(self, module: types.ModuleType) -> bytes:
        name = module.__name__
        if self._not_own(name) is not None or sources_of(name):
            return self._module_named(name)
        self.own = True
        held = [(each, value) for each, value in vars(module).items() if not each.startswith("__")]
        return digest_of("module", *[digest_of(each, self.read(value, f"`{name}.{each}`"))
                                     for each, value in sorted(held, key=lambda pair: pair[0])])  # fmt: skip

    def _named(self, value: Any, module: str) -> bytes | None:
        """Return the digest of a module's object that is not the user's own: ``random.choice``.

        Such an object may have a state of its own, as a generator of random numbers has, or the environment.
        """
        owner = None if module == "builtins" else self._not_own(module)
        name = None if owner is None else _held_by(module).get(id(value))
        return None if name is None else digest_of("named", str(owner), module, name)

    def _method(self, method: types.MethodType) -> bytes:
        if (named := self._named(method, type(method.__self__).__module__)) is not None:
            return named
        return digest_of(
            "method", self.read(method.__func__), self.read(method.__self__, "the object itself")
        )

    def _partial(self, partial: functools.partial[Any]) -> bytes:
        held = (partial.func, partial.args, partial.keywords)
        return digest_of("partial", *[self.read(each, "the partial's arguments") for each in held])

    def _wrapper(self, value: Any) -> bytes:
        inner = getattr(value, "__func__", None) or getattr(value, "__wrapped__", None)
        return digest_of(type(value).__name__, self.read(inner))

    def _property(self, value: property) -> bytes:
        return digest_of("property", *[self.read(each) for each in (value.fget, value.fset, value.fdel)])

    def _builtin(self, value: Any) -> bytes:
        module, owner = getattr(value, "__module__", None), getattr(value, "__self__", None)
        if isinstance(owner, types.ModuleType):
            module = owner.__name__
        elif owner is not None and not isinstance(owner, type):
            if (held := self._named(value, type(owner).__module__)) is not None:
                return held
            return digest_of("builtin", value.__name__, self.read(owner, "the object itself"))
        elif isinstance(owner, type):
            module = owner.__module__
        elif isinstance(getattr(value, "__objclass__", None), type):
            if owner_of(value.__objclass__.__module__) == "own":
                return digest_of("slot", value.__name__)
            module = value.__objclass__.__module__
        if module is None or (named := self._not_own(module)) is None:
            return self._unread(value, "is compiled")
        return digest_of("builtin", named, getattr(value, "__qualname__", str(value)))

    def _class(self, kind: type) -> bytes:
        module = kind.__module__
        if (named := self._not_own(module)) is not None:
            return digest_of("class", named, module, kind.__qualname__)
        return self.class_body(kind)

    def class_body(self, kind: type) -> bytes:
        """The digest of a class by what it is made of, wherever it stands."""
        self.own = True
        held = [(name, value) for name, value in vars(kind).items() if not _is_made(name, value)]
        if issubclass(kind, enum.Enum):
            held = [(each.name, each.value) for each in kind]
        return digest_of(
            "class",
            kind.__name__,
            *[self.read(base) for base in kind.__bases__],
            *[digest_of(name, self.read(value, f"`{kind.__name__}.{name}`"))
              for name, value in sorted(held, key=lambda pair: pair[0])],
        )  # fmt: skip

    def _read(self, value: Any) -> bytes:
        for kinds, reads in _READERS:
            if isinstance(value, kinds):
                return digest_of("data") if self.code_only and kinds in _CHANGING else reads(self, value)
        return digest_of("data") if self.code_only else self._object(value)

    def _sequence(self, value: Any) -> bytes:
        if type(value) not in (tuple, list):
            return self._object(value)
        return digest_of(type(value).__name__, *[self.read(each) for each in value])

    def _set(self, value: Any) -> bytes:
        if type(value) not in (set, frozenset):
            return self._object(value)
        return digest_of(type(value).__name__, *sorted(self.read(each) for each in value))

    def _mapping(self, value: Any) -> bytes:
        if type(value) not in (dict, types.MappingProxyType):
            return self._object(value)
        return digest_of("dict", *[self.read(each) for pair in value.items() for each in pair])

    def _identified(self, value: Identified) -> bytes:
        held = value.held_function()
        if held is not None:  # by this reader, which knows the functions that it is in the middle of
            self.tokens.append(held.token)
            return digest_of("held", held.settings, self.read(held.function))
        taken = value.taken()
        self.add(taken)
        return digest_of("component", taken.digest)

    def _pattern(self, value: re.Pattern[Any] | LazyPattern) -> bytes:
        value = value.compiled() if isinstance(value, LazyPattern) else value
        return digest_of("pattern", repr(value.pattern), str(value.flags))

    def _path(self, value: PurePath) -> bytes:
        self.own = True
        # A folder may be the root of everything; one that counts is named by a field.
        return digest_of("path", files_digest(str(value), folders=False) or str(value))

    def _lock(self, value: Any) -> bytes:
        return digest_of("lock", type(value).__name__)

    def _handle(self, value: Any) -> bytes:
        return self._unread(value, "is open")

    def _object(self, value: Any) -> bytes:
        if (array := _array(value)) is not None:
            self._bytes += len(array[-1])
            return digest_of("array", *array)
        if (named := self._named(value, type(value).__module__)) is not None:
            return named
        if type(value).__module__.partition(".")[0] in _FOREIGN:
            return self._unread(value, "is compiled")
        try:
            made: Any = value.__reduce_ex__(4)
        except RecursionError:
            raise
        except Exception:
            return self._unread(value, "cannot be read")
        if isinstance(made, str):
            return digest_of("name", made, self.read(type(value)))
        if not isinstance(made, tuple):
            return self._unread(value, "cannot be read")
        state, listed = made[:3], [list(part or ()) for part in made[3:5]]
        return digest_of("object", *[self.read(each) for each in (*state, *listed)])


_READERS: list[tuple[Any, Callable[[Reader, Any], bytes]]] = [
    (Identified, Reader._identified),
    (types.FunctionType, Reader._function),
    (types.CodeType, Reader._code),
    (types.MethodType, Reader._method),
    (functools.partial, Reader._partial),
    (staticmethod | classmethod | functools._lru_cache_wrapper, Reader._wrapper),
    (property, Reader._property),
    (
        types.BuiltinFunctionType
        | types.MethodDescriptorType
        | types.WrapperDescriptorType
        | types.MethodWrapperType
        | types.ClassMethodDescriptorType
        | types.GetSetDescriptorType
        | types.MemberDescriptorType,
        Reader._builtin,
    ),
    (type, Reader._class),
    (types.ModuleType, Reader._module),
    (tuple, Reader._sequence),
    (list, Reader._sequence),
    (set | frozenset, Reader._set),
    (dict | types.MappingProxyType, Reader._mapping),
    (re.Pattern | LazyPattern, Reader._pattern),
    (PurePath, Reader._path),
    (_LOCKS, Reader._lock),
    (io.IOBase, Reader._handle),
]
_CHANGING = (list, set | frozenset, dict | types.MappingProxyType)


_CODE: weakref.WeakKeyDictionary[types.FunctionType, str] = weakref.WeakKeyDictionary()


def code_digest(function: Any) -> str:
    """A digest of the code that a function runs, without the data that it uses: cheap, and kept."""
    known = _CODE.get(function) if isinstance(function, types.FunctionType) else None
    if known is None:
        reader = Reader(code_only=True)
        known = reader.read(function).hex()
        if reader.complete and isinstance(function, types.FunctionType):
            _CODE[function] = known
    return known


def _array(value: Any) -> tuple[str, str, bytes] | None:
    """Type, shape and bytes of what is laid out like NumPy's or torch's arrays."""
    shape, kind = getattr(value, "shape", None), getattr(value, "dtype", None)
    if kind is None or not isinstance(shape, tuple) or isinstance(value, type):
        return None
    try:
        if callable(getattr(value, "detach", None)):
            value = value.detach().cpu().numpy()
        data = value.tobytes()
    except Exception:
        return None
    if not isinstance(data, bytes) or "object" in str(kind):
        return None
    return str(kind), str(shape), data


@functools.lru_cache(maxsize=512)
def _held_by(module: str) -> dict[int, str]:
    """The objects that a module holds under names, by their ids: they live as long as it does."""
    loaded = sys.modules.get(module)
    return {} if loaded is None else {id(value): name for name, value in vars(loaded).items()}


def _is_made(name: str, value: Any) -> bool:
    """Return whether an entry of a class carries nothing of its own: its place, or what `dataclass` made."""
    if name in _OF_THE_CLASS:
        return True
    code = getattr(value, "__code__", None)
    return name == "__init__" and code is not None and code.co_qualname == _MADE_INIT
