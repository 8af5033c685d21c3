"""Values of library types that cross as what they are: Decimal, datetime, numpy and the like.

Each is written by its own few parts and read back by its own constructor, never by pickle.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

_NUMPY_KINDS = "biufcSUmM"
_NONE = (type(None), type(...), type(NotImplemented))


def written(value: Any, kind: type, pack: Callable[[Any], Any]) -> Any:
    """A library value as JSON data; None if `kind` is none of them.

    Args:
        value: Any value.
        kind: Its type.
        pack: Writes its parts.
    """
    if kind in _NONE:
        return {"K": repr(value)}
    module, name = kind.__module__, kind.__qualname__
    if module == "numpy":
        return _numpy(value, name, pack)
    parts = _PARTS.get((module, name))
    if parts is None:
        return None
    return {"o": f"{module}.{name}", "is": [pack(part) for part in parts(value)]}


def read(tag: str, body: Any, parts: list[Any]) -> Any:
    """The value that `written` wrote.

    Raises:
        Exception: It did not write it.
    """
    if tag == "K":
        return {"None": None, "Ellipsis": ..., "NotImplemented": NotImplemented}[body]
    if tag == "A":
        return _read_numpy(body, parts)
    return _READERS[body](*parts)


def _module(name: str) -> Any:
    import importlib

    return sys.modules.get(name) or importlib.import_module(name)


def _maker(module: str, name: str) -> Callable[..., Any]:
    def made(*parts: Any) -> Any:
        return getattr(_module(module), name)(*parts)  # looked up only now: few programs need it

    return made


def _zone(value: Any) -> Any:
    # A zone of another library crosses as the offset that it has at that time.
    zone = value.tzinfo
    if zone is None or type(zone).__module__ in ("datetime", "zoneinfo"):
        return zone
    offset = value.utcoffset()
    return None if offset is None else _module("datetime").timezone(offset)


def _date_parts(*names: str) -> Callable[[Any], list[Any]]:
    read_parts = operator.attrgetter(*names)
    return lambda value: list(read_parts(value))


def _moment(make: str) -> Callable[..., Any]:
    def made(*parts: Any) -> Any:
        *numbers, zone, fold = parts
        return getattr(_module("datetime"), make)(*numbers, tzinfo=zone, fold=fold)

    return made


_DAY = ("year", "month", "day")
_CLOCK = ("hour", "minute", "second", "microsecond")
_PARTS: dict[tuple[str, str], Callable[[Any], list[Any]]] = {
    ("decimal", "Decimal"): lambda value: [str(value)],
    ("fractions", "Fraction"): lambda value: [value.numerator, value.denominator],
    ("datetime", "timedelta"): _date_parts("days", "seconds", "microseconds"),
    ("datetime", "date"): _date_parts(*_DAY),
    ("datetime", "time"): lambda value: [*_date_parts(*_CLOCK)(value), _zone(value), value.fold],
    ("datetime", "datetime"): lambda value: [*_date_parts(*_DAY, *_CLOCK)(value), _zone(value), value.fold],
    ("datetime", "timezone"): lambda value: list(value.__getinitargs__()),
    ("zoneinfo", "ZoneInfo"): lambda value: [value.key],
    ("uuid", "UUID"): lambda value: [str(value)],
    ("re", "Pattern"): lambda value: [value.pattern, value.flags],
    ("pathlib", "PurePosixPath"): lambda value: [str(value)],
    ("pathlib", "PosixPath"): lambda value: [str(value)],
    ("builtins", "slice"): lambda value: [value.start, value.stop, value.step],
    ("array", "array"): lambda value: [value.typecode, value.tolist()],
}
_PARTS |= {("pathlib._local", name): _PARTS["pathlib", name] for name in ("PurePosixPath", "PosixPath")}
NAMES = frozenset(_PARTS)
"""(module, name) of the types."""
_READERS: dict[str, Callable[..., Any]] = {
    f"{module}.{name}": _maker(module, name) for module, name in _PARTS
}
_READERS |= {
    "datetime.time": _moment("time"),
    "datetime.datetime": _moment("datetime"),
    "re.Pattern": _maker("re", "compile"),
}


def _numpy(value: Any, name: str, pack: Callable[[Any], Any]) -> Any:
    if name == "dtype" or not hasattr(value, "dtype") or not hasattr(value, "shape"):
        return None
    if value.dtype.kind == "O":
        return {"A": ["O", list(value.shape)], "is": [pack(item) for item in value.ravel().tolist()]}
    if value.dtype.kind not in _NUMPY_KINDS or value.dtype.names:
        return None
    scalar = name != "ndarray"
    return {"A": [value.dtype.str, None if scalar else list(value.shape)], "is": [value.tobytes().hex()]}


def _read_numpy(body: Any, parts: list[Any]) -> Any:
    import numpy as np

    kind, shape = body
    if kind == "O":
        made = np.empty(len(parts), dtype=object)
        made[:] = parts
        return made.reshape(shape)
    if np.dtype(kind).kind not in _NUMPY_KINDS:
        raise ValueError("an array of objects")
    values = np.frombuffer(bytes.fromhex(parts[0]), dtype=kind)
    return values[0] if shape is None else values.reshape(shape).copy()
