"""JSON Lines, and files of one JSON array, in bounded memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from typing import BinaryIO

from reward_verifiers.verifiers import ConfigError

from . import lines
from .lines import Line, Overlong, Rest

_SPACE = " \t\r\n"
_LINE_BREAKS = {ord("\r"): " ", ord("\n"): " "}


def is_array(head: bytes) -> bool | None:
    """Return whether a file that begins like this is an array of objects; None where more is needed.

    An array of anything else is taken for a line of JSON Lines that is no row.

    >>> is_array(b' [ {"a": 1}'), is_array(b"[1, 2]"), is_array(b"["), is_array(b'{"a": 1}')
    (True, False, None, False)
    """
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if not text:
        return None
    if not text.startswith(b"["):
        return False
    rest = text[1:].lstrip()
    return None if not rest else rest[:1] in b"{]"


def array_items(
    name: str, head: bytes, read: Callable[[int], bytes], longest: int, piece: int
) -> Iterator[tuple[int, bytes]]:
    """Yield each item of an array with its number, on one line and otherwise unchanged.

    Args:
        name: The file's, for messages.
        head: Beginning that was read already.
        read: Gives up to so many further bytes; none at the end.
        longest: Bytes of the longest item.
        piece: Bytes that are read at a time.

    Raises:
        ConfigError: It is not a whole array: what comes after a fault cannot be told apart.
    """
    text = _Text(name, read, longest, piece)
    text.add(head)
    text.next_sign()
    text.place += 1  # the bracket
    sign = text.next_sign()
    while sign != "]":
        text.number += 1
        yield text.number, text.item()
        sign = text.next_sign()
        if sign == ",":
            text.place += 1
            sign = text.next_sign()
            if sign == "]":
                raise text.broken("nothing follows the comma after")
        elif sign != "]":
            raise text.broken(f"{repr(sign) if sign else 'the file ends'} instead of , or ] after")
    text.place += 1
    if text.next_sign():
        raise ConfigError(f"{name}: not a JSON array: text follows its closing bracket")


class _Text:
    """The part of a file that was read but not passed yet."""

    def __init__(self, name: str, read: Callable[[int], bytes], longest: int, piece: int) -> None:
        self.name, self.read, self.longest, self.piece = name, read, longest, piece
        self.number = self.place = 0
        self._held, self._ended = "", False
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._decode = json.JSONDecoder().raw_decode

    def broken(self, what: str) -> ConfigError:
        """Return the error that says where the array is invalid."""
        return ConfigError(f"{self.name}: not a JSON array: {what} item {self.number}")

    def add(self, data: bytes) -> None:
        """Add more text and drop the passed part; no data is the end of the file."""
        try:
            read = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise ConfigError(f"{self.name}: not UTF-8 after item {self.number}: {error.reason}") from None
        self._held, self.place = self._held[self.place :] + read, 0
        self._ended = not data

    def next_sign(self) -> str:
        """Return the next character that is no white space, "" at the end."""
        while True:
            while self.place < len(self._held) and self._held[self.place] in _SPACE:
                self.place += 1
            if self.place < len(self._held):
                return self._held[self.place]
            if self._ended:
                return ""
            self.add(self.read(self.piece))

    def item(self) -> bytes:
        """Return the item that begins here, on one line."""
        while True:
            held = len(self._held) - self.place
            try:
                _, end = self._decode(self._held, self.place)
            except (ValueError, RecursionError) as error:
                # What fails may go on in what was not read yet.
                if self._ended or held > self.longest:
                    raise ConfigError(self._problem(error)) from None
                self.add(self.read(max(self.piece, held)))
                continue
            if end < len(self._held) or self._ended:
                break
            self.add(self.read(self.piece))  # a number may go on, too
        raw = self._held[self.place : end].translate(_LINE_BREAKS).encode("utf-8", "surrogatepass")
        self.place = end
        if len(raw) > self.longest:
            raise ConfigError(self._problem(None))
        return raw

    def _problem(self, error: Exception | None) -> str:
        what = f"{self.name}: item {self.number} of the JSON array"
        if error is None or not self._ended:
            return f"{what} is longer than 16 MB, or is not JSON"
        if isinstance(error, RecursionError):
            return f"{what} cannot be read: nested too deeply"
        return f"{what} cannot be read: {error.msg if isinstance(error, json.JSONDecodeError) else error}"


def json_rows(name: str, stream: BinaryIO) -> Iterator[Line | Overlong]:
    """Yield every line that is not blank, or every item of an array.

    Raises:
        ConfigError: It is an array, and not a whole one.
    """
    number, head = 0, b""
    array: bool | None = None
    held: list[Line] = []
    while raw := stream.readline(lines.MAX_LINE + 1):
        if array is None:
            head += raw
            array = is_array(head) if len(head) <= lines.PIECE or not held else False
            if array:
                for item, found in array_items(name, head, stream.read, lines.MAX_LINE, lines.PIECE):
                    yield Line(name, item, found)
                return
        number += 1
        if number == 1:
            raw = raw.removeprefix(codecs.BOM_UTF8)
        if array is not None:
            yield from held
            held = []
        if len(raw) > lines.MAX_LINE and not raw.endswith(b"\n"):
            rest = Rest(raw, stream)
            yield Overlong(name, number, rest.copy_to)
            rest.copy_to(lambda piece: None)  # a caller that did not copy it has skipped it
            continue
        raw = raw.rstrip(b"\r\n")
        if raw.strip():
            line = Line(name, number, raw)
            if array is not None:
                yield line
            else:
                held.append(line)
    yield from held
