"""The input of everything that reads rows: files of any format, as lines that hold one JSON object each."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from reward_verifiers.verifiers import ConfigError

from .columns import Spread
from .formats.arrow_rows import arrow_rows, hub_rows, parquet_rows
from .formats.csv_rows import COMMA, TAB, csv_rows
from .formats.json_lines import json_rows
from .formats.lines import CHUNK_BYTES, CHUNK_ROWS, MAX_LINE, Line, Overlong, chunked, parse
from .formats.named_inputs import HEAD, NAMES, Input, Kind, Opened, inputs, kind_of

__all__ = ["CHUNK_BYTES", "CHUNK_ROWS", "MAX_LINE", "Kind", "Line", "Overlong", "Source", "parse", "rows_of"]

LOOKED_AT = 4096
"""Rows of a file that are looked at before anything is made of them."""
LOOKED_AT_BYTES = 16 << 20
"""Bytes of them at most."""


class Source:
    """The input files, in order, as chunks of lines.

    JSON Lines and arrays of objects, CSV and tab-separated values are read plain, or packed by gzip or zstd;
    Parquet, Arrow and data sets that `datasets` saved or has on the hub as they are. Every row becomes one
    line of JSON; the items of an array and the rows of a table are counted as lines.

    Args:
        paths: Files, patterns of them, saved data sets, names on the hub; ``-`` is standard input.
        kind: The format of text, where neither name nor beginning tells it.

    Raises:
        ConfigError: A file is not there, not readable, or of another format.
    """

    def __init__(self, paths: list[str], kind: Kind | None = None) -> None:
        self.inputs = inputs(paths, kind)
        self.paths = [each.path for each in self.inputs]
        sizes = [each.size for each in self.inputs]
        known = [size for size in sizes if size is not None]
        self.total_bytes = sum(known) if len(known) == len(sizes) else None
        self.spread: Spread | None = None
        """How rows with several completions become one for each; None where they hold one."""
        self._done = 0
        self._share: float | None = None
        self._opened: Opened | None = None
        self._looked: tuple[list[list[Line] | Overlong], Iterator[list[Line] | Overlong]] | None = None

    def position(self) -> int:
        """Bytes read so far, as they are on disk."""
        if self._share is not None:
            return self._done + int(self._share)
        if self._opened is None or self._opened.raw is None:
            return self._done
        return self._done + int(self._opened.raw.tell())

    def look(self) -> list[Line]:
        """Return the first lines, which `chunks` repeats; of standard input those of the first chunk."""
        if self._looked is None:
            chunks = self._chunks()
            held: list[list[Line] | Overlong] = []
            rows = size = 0
            for chunk in chunks:
                held.append(chunk)
                if isinstance(chunk, Overlong):
                    break  # it is copied before what follows it is read
                rows += len(chunk)
                size += sum(len(line.raw) for line in chunk)
                if rows >= LOOKED_AT or size >= LOOKED_AT_BYTES or "-" in self.paths:
                    break
            self._looked = held, chunks
        return [line for chunk in self._looked[0] if isinstance(chunk, list) for line in chunk]

    def chunks(self) -> Iterator[list[Line] | Overlong]:
        """Yield all lines that are not blank, in order.

        Raises:
            ConfigError: A packed file is damaged, an array or a table is not whole, or a file can no longer
                be read.
        """
        found = self._all()
        return found if self.spread is None else self.spread.chunks(found)

    def _all(self) -> Iterator[list[Line] | Overlong]:
        if self._looked is not None:
            (held, rest), self._looked = self._looked, None
            while held:
                yield held.pop(0)
            yield from rest
        else:
            yield from self._chunks()

    def _chunks(self) -> Iterator[list[Line] | Overlong]:
        self._done = 0
        for each in self.inputs:
            try:
                yield from chunked(self._lines(each))
            except (EOFError, OSError, zlib.error) as error:
                raise ConfigError(f"{each.name}: cannot be read to its end: {error}") from error
            self._share = self._opened = None
            self._done += each.size or 0

    def _lines(self, each: Input) -> Iterator[Line | Overlong]:
        size = each.size or 0

        def progress(share: float) -> None:
            self._share = share * size

        match each.kind:
            case "hub":
                yield from hub_rows(each.path, progress)
            case "parquet":
                yield from parquet_rows(each.name, each.path, progress)
            case "arrow" | "arrow_stream":
                yield from arrow_rows(each.name, each.path, progress, stream=each.kind == "arrow_stream")
            case _:
                opened = Opened(each.path)
                with opened as stream:
                    self._opened = opened
                    yield from _text_rows(each, stream)
                    progress(1.0)
                    self._opened = None  # closed now, and asked no more how far it is


def _text_rows(each: Input, stream: BinaryIO) -> Iterator[Line | Overlong]:
    kind = each.kind or kind_of("-", _peeked(stream))
    match kind:
        case "csv":
            return csv_rows(each.name, stream, COMMA)
        case "tsv":
            return csv_rows(each.name, stream, TAB)
        case "arrow_stream":
            return arrow_rows(each.name, stream, lambda share: None, stream=True)
        case "parquet" | "arrow":
            raise ConfigError(
                f"{each.name}: {NAMES[kind]} is read from its end, which a pipe has not; name the file"
            )
        case _:
            return json_rows(each.name, stream)


def _peeked(stream: BinaryIO) -> bytes:
    peek = getattr(stream, "peek", None)
    return b"" if peek is None else bytes(peek(HEAD)[:HEAD])


def rows_of(chunks: Iterable[list[Line] | Overlong]) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Yield every row with its line.

    Raises:
        ConfigError: A line is no row.
    """
    for chunk in chunks:
        if isinstance(chunk, Overlong):
            raise ConfigError(f"{chunk.file}:{chunk.number}: longer than 16 MB")
        for line in chunk:
            try:
                row = parse(line.raw)
            except ValueError as error:
                raise ConfigError(f"{line.where}: {error}") from None
            yield line, row
