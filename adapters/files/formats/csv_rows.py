"""CSV and tab-separated files: every value is text, and a row that does not fit the header is refused."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterator
from typing import BinaryIO

from reward_verifiers.verifiers import ConfigError

from ..written import is_judged, revived
from . import lines
from .lines import Line, Overlong, Rest, dumps, unreadable

TAB, COMMA = "\t", ","
_OTHERS = ";\t"
"""What parts the columns of some files that are called CSV."""


def csv_rows(name: str, stream: BinaryIO, delimiter: str = COMMA) -> Iterator[Line | Overlong]:
    """Yield every row below the header, by the number of the line on which it begins.

    Fields may be quoted, with line breaks in them (RFC 4180). A row with more or fewer fields than the
    header, one with text after a closing quote, and one that is not UTF-8 are lines that `parse` refuses.

    Args:
        name: The file's.
        stream: Its bytes, decompressed.
        delimiter: Separator of the columns. If it is a comma and the header has none, semicolons or tabs
            separate.

    Raises:
        ConfigError: There is no header, or two columns have one name.
    """
    physical = _PhysicalLines(stream)
    header = _header(name, physical, delimiter)
    if header is None:
        return
    names, delimiter = header
    scored = is_judged(names)
    csv.field_size_limit(max(csv.field_size_limit(), lines.MAX_LINE))
    reader = csv.reader(physical, delimiter=delimiter, strict=True)
    while True:
        physical.held.clear()
        problem = ""
        fields: list[str] = []
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = f"not readable as CSV: {error}"
        except UnicodeDecodeError as error:
            problem = f"not UTF-8: {error.reason} at byte {error.start} of line {physical.number}"
        except _TooLong as error:
            yield Overlong(name, physical.first, error.copy_to)
            error.copy_to(lambda piece: None)
            continue
        if not problem and not fields:
            continue  # a blank line
        if not problem and len(fields) != len(names):
            problem = f"{len(fields)} fields, but the header has {len(names)}"
        if problem:
            if len(physical.held) > 1:
                problem += f" (lines {physical.first} to {physical.number}: is a quote left open?)"
            raw = unreadable(problem, b"".join(physical.held).decode(errors="backslashreplace"))
        else:
            row: dict[str, object] = dict(zip(names, fields, strict=True))
            raw = dumps(revived(row) if scored else row)
        yield Line(name, physical.first, raw)


def _header(name: str, physical: _PhysicalLines, delimiter: str) -> tuple[list[str], str] | None:
    """Return the names of the columns and their separator; None for an empty file."""
    try:
        first = next(physical, "")
        while first and not first.strip():
            first = next(physical, "")
        while first.count('"') % 2 and (more := next(physical, "")):
            first += more
    except UnicodeDecodeError:
        raise ConfigError(f"{name}: {NOT_UTF8}") from None
    except _TooLong:
        raise ConfigError(f"{name}: its header is longer than 16 MB") from None
    if not first:
        return None
    found = {each: _split(first, each) for each in (delimiter, *_OTHERS)}
    if delimiter == COMMA and len(found[COMMA]) == 1:
        delimiter = max(found, key=lambda each: len(found[each]))
    names = found[delimiter]
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None or not names:
        raise ConfigError(f"{name}: two columns are called {twice!r}; rename one in the first line")
    return names, delimiter


NOT_UTF8 = (
    "is not UTF-8; convert it; for a file of a Korean Excel, for example: iconv -f CP949 -t UTF-8 (or save "
    "it as CSV UTF-8)"
)


def _split(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


class _TooLong(Exception):  # noqa: N818  (no error of the caller's)
    """A row is longer than the limit."""

    def __init__(self, held: list[bytes], rest: Rest) -> None:
        super().__init__()
        self._held, self._rest = held, rest

    def copy_to(self, write: Callable[[bytes], object]) -> None:
        """Copy the whole of it; nothing is left then."""
        for each in self._held:
            write(each)
        self._held = []
        self._rest.copy_to(write)


class _PhysicalLines:
    """The lines of a file as text, and the bytes of those that belong to the row being read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.number = 0
        self.first = 0
        """The number of the line on which the row begins."""
        self.held: list[bytes] = []
        self._size = 0

    def __iter__(self) -> _PhysicalLines:
        return self

    def __next__(self) -> str:
        raw = self._stream.readline(lines.MAX_LINE + 1)
        if not raw:
            raise StopIteration
        self.number += 1
        if self.number == 1:
            raw = raw.removeprefix(codecs.BOM_UTF8)
        if not self.held:
            self.first, self._size = self.number, 0
        self._size += len(raw)
        if self._size > lines.MAX_LINE:
            held, self.held = self.held, []
            raise _TooLong(held, Rest(raw, self._stream))
        self.held.append(raw)
        return raw.decode()
