"""JSON Lines, and files of one JSON array, in bounded memory."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from . import lines
from .json_arrays import array_items, is_array
from .lines import Line, Overlong, Rest


def json_rows(name: str, stream: BinaryIO) -> Iterator[Line | Overlong]:
    """Every line that is not blank, or every item of an array.

    Args:
        name: The file's.
        stream: Its bytes, decompressed.

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
