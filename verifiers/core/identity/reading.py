"""Reading an object into a digest: what it does and holds, and nothing of where it stands.

Two objects have one digest if they are made of the same code and data, in whatever process. Line numbers,
file names and the names of modules do not count; closures, defaults and the globals that code reaches do, as
far as they are the user's own. What is installed counts by the version of its distribution.
"""

from __future__ import annotations

import functools
import io
import re
import threading
import types
import weakref
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from ...runtime.patterns import LazyPattern
from .code_reading import CodeReader
from .files import files_digest
from .taken import Identified, digest_of

_LOCKS = (type(threading.Lock()), type(threading.RLock()), threading.Event, threading.Condition,
          threading.Semaphore, threading.local, weakref.ReferenceType)  # fmt: skip
"""What only keeps threads apart, or objects alive: no verdict depends on it."""
_FOREIGN = ("ctypes", "_ctypes", "cffi", "_cffi_backend")
"""Modules whose objects stand for compiled code."""


class Reader(CodeReader):
    """Reads objects of every kind."""

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
