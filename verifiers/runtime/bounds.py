"""Bounded memory: what a reference may expand to, and what is kept of earlier work.

The one place where packed, pickled and written values of a row are read. A column of a megabyte may hold
gigabytes: packed data, literals whose trees take a kilobyte a value, a pickle of ten bytes that asks for
memory. Data sets come from strangers, and the process that judges reads them.
"""

from __future__ import annotations

import ast
import base64
import binascii
import json
import os
import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakSet

from ..errors import ConfigError
from .forks import new_lock

MAX_BYTES = 256 << 20
"""Of a text, packed or not. The largest columns of public data sets unpack to some tens of mebibytes."""
MAX_VALUES = 5_000_000
"""In all JSON of a reference; a value, be it an empty list, takes some 100 bytes with what holds it."""
MAX_NODES = 500_000
"""Names, numbers and signs of Python source or of a literal, which is read by way of its tree: the tree takes
one to two kilobytes for each of them."""
MAX_SOURCE = 32 << 20
"""Characters of Python source or of a literal."""
_PIECE = 1 << 20
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
_IN_JSON_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"?+', re.DOTALL)
_IN_PYTHON_TEXT = re.compile(r"'(?:[^'\\]++|\\.)*+'?+|\"(?:[^\"\\]++|\\.)*+\"?+", re.DOTALL)
_NODE = re.compile(r"\w++|[^\w\s]|\n")


P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class ExpansionError(ConfigError):
    """A reference expands to more than is read; the message names the limit."""


class Tally:
    """Amount read of a reference so far.

    Attributes:
        values: In its JSON.
        size: Bytes of its texts, packed ones too.
    """

    def __init__(self) -> None:
        self.values = self.size = 0

    @property
    def weight(self) -> int:
        """Bytes that it takes in memory, about."""
        return self.size + _VALUE * self.values


_VALUE = 100
_tally: ContextVar[Tally | None] = ContextVar("tally", default=None)


def one_reference(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, Tally]:
    """Return the result of a function, and the tally of what it reads, which counts as one reference.

    A call inside another counts with the outer one. The outer call has a context of its own, which ends with
    it whatever interrupts it.
    """
    return copy_context().run(_together, partial(function, *args, **kwargs))


def _together(call: Callable[[], R]) -> tuple[R, Tally]:
    if (tally := _tally.get()) is None:
        _tally.set(tally := Tally())
    return call(), tally


class Kept(Generic[T]):
    """Results of earlier work, the latest ones, within a number of bytes. From any thread.

    >>> kept = Kept[str](10)
    >>> kept.put("a", "x", 6); kept.put("b", "y", 6)
    >>> kept.get("a"), kept.get("b")
    (None, 'y')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.forget()
        _ALL.add(self)

    def forget(self) -> None:
        """Keep nothing. After a fork, when another thread may have been at work, the child begins so."""
        self._held = 0
        self._lock = new_lock()
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Return the value kept under a key."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: Hashable, value: T, weight: int) -> None:
        """Keep it, and let go of what has not been asked for longest."""
        with self._lock:
            self._held += weight - self._kept.pop(key, (None, 0))[1]
            self._kept[key] = value, weight
            while self._held > self._most:
                self._held -= self._kept.popitem(last=False)[1][1]


_ALL: WeakSet[Kept[Any]] = WeakSet()


def _after_fork() -> None:
    for each in list(_ALL):
        each.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def inflated(packed: bytes, most: int = MAX_BYTES) -> bytes:
    """Decompress gzip or zlib data.

    Raises:
        ExpansionError: It holds more; no more than that was unpacked.
        ValueError: It is not packed so, or not whole.

    >>> inflated(zlib.compress(b"a" * 9))
    b'aaaaaaaaa'
    """
    unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
    pieces: list[bytes] = []
    size = 0
    try:
        for start in range(0, len(packed), _PIECE):
            rest = packed[start : start + _PIECE]
            while rest and not unpacker.eof:
                pieces.append(unpacker.decompress(rest, _PIECE))
                size += len(pieces[-1])
                if size > most:
                    raise ExpansionError(f"it unpacks to more than {_mebibytes(most)}")
                rest = unpacker.unconsumed_tail
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacker.eof:
        raise ValueError("packed data that is cut off")
    return b"".join(pieces)


def from_base64(text: str) -> bytes:
    """Bytes written in base64.

    Raises:
        ExpansionError: The text is too long.
        ValueError: It is not base64.
    """
    _fits(len(text))
    try:
        return base64.b64decode(text)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def from_json(text: str | bytes) -> Any:
    """Parse JSON.

    Raises:
        ExpansionError: It is too long, or holds too many values.
        ValueError: It is not JSON.
        RecursionError: It is nested too deeply.

    >>> from_json("[1, 2]")
    [1, 2]
    """
    _fits(len(text))
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    tally = _tally.get() or Tally()
    most = MAX_VALUES - tally.values
    count = _values(text)
    if count > most:
        # Commas in texts separate nothing.
        count = _values(_IN_JSON_TEXT.sub("", text))
    if count > most:
        raise ExpansionError(f"it holds more than {MAX_VALUES} values")
    tally.values += count
    tally.size += len(text)
    return json.loads(text)


def from_literal(text: str) -> Any:
    """Parse a Python literal.

    Raises:
        ExpansionError: It is too long.
        ValueError, SyntaxError, TypeError, MemoryError, RecursionError: It is none.
    """
    _fits_a_tree(text)
    return ast.literal_eval(text)


def from_source(text: str) -> ast.Module:
    """The tree of Python source.

    Raises:
        ExpansionError: It is too long.
        ValueError, SyntaxError, MemoryError, RecursionError: It is not Python.
    """
    _fits_a_tree(text)
    return ast.parse(text)


def from_pickled_text(data: bytes) -> str:
    """A text that pickle wrote. Nothing else is read: a pickle is a program, and one that runs here at that.

    Raises:
        ValueError: It holds something else, or is not whole.

    >>> import pickle
    >>> from_pickled_text(pickle.dumps("[1]"))
    '[1]'
    """
    texts: list[str] = []
    at = 0
    while at < len(data):
        code = data[at : at + 1]
        at += 1
        if code == b"." and len(texts) == 1:
            return texts[0]
        if code in _SKIPPED:
            at += _SKIPPED[code]
        elif code in _LENGTHS and len(texts) < 2:
            start = at + _LENGTHS[code]
            size = int.from_bytes(data[at:start], "little")
            if size > len(data) - start:
                break
            at = start + size
            texts.append(data[start:at].decode("utf-8", "surrogatepass"))
        elif code == b"\x93" and len(texts) == 2:
            raise ValueError(f"a pickle that holds an object of {texts[0]:.80}.{texts[1]:.80}")
        else:
            raise ValueError(f"a pickle that holds something else than a text (code {code!r})")
    raise ValueError("a pickle that is cut off")


# The codes of pickletools for texts, and what is written around one: protocol, frame, places in the memo.
_SKIPPED = {b"\x80": 1, b"\x95": 8, b"\x94": 0, b"q": 1, b"r": 4}
_LENGTHS = {b"\x8c": 1, b"X": 4, b"\x8d": 8}


def _fits(size: int, most: int = MAX_BYTES) -> None:
    if size > most:
        raise ExpansionError(f"it is longer than {_mebibytes(most)}")


def _fits_a_tree(text: str) -> None:
    if len(text) <= MAX_NODES:
        return
    _fits(len(text), MAX_SOURCE)
    if _more_nodes(text) and _more_nodes(_IN_PYTHON_TEXT.sub("''", text)):
        raise ExpansionError(f"it has more than {MAX_NODES} names, numbers and signs; JSON may have more")


def _more_nodes(text: str) -> bool:
    return any(number >= MAX_NODES for number, _ in enumerate(_NODE.finditer(text)))


def _values(text: str) -> int:
    count: Callable[[str], int] = text.count
    return 1 + sum(map(count, ",[{:"))


def _mebibytes(size: int) -> str:
    return f"{size >> 20} MiB"
