"""Parquet and Arrow files, batch by batch: memory follows the batch, not the file.

Data sets of the Hugging Face hub are such files: downloaded once, then read from the cache.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.errors import MissingDependencyError
from reward_verifiers.verifiers.runtime.packages import require

from ..written import is_judged, revived
from . import lines
from .lines import Line, Overlong, dumps, unreadable

EXTRA = "files"
"""The extra that brings pyarrow."""
BATCH_ROWS = 1024
BATCH_BYTES = 8 << 20
"""Rows, and bytes by what Parquet says of a row group, that are decoded at a time."""

Progress = Callable[[float], None]


def parquet_rows(name: str, path: str, progress: Progress) -> Iterator[Line | Overlong]:
    """Yield every row of a Parquet file, with its number.

    Args:
        name: Name of the file in messages.
        path: Its path.
        progress: Called with the share that is done.

    Raises:
        ConfigError: It cannot be read.
        MissingDependencyError: pyarrow is not installed.
    """
    parquet = require("pyarrow.parquet", extra=EXTRA)
    with _reading(name, "Parquet"), parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as table:
        about = table.metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        widest = max((group.total_byte_size // max(group.num_rows, 1) for group in groups), default=1)
        size = max(1, min(BATCH_ROWS, BATCH_BYTES // max(widest, 1)))
        batches = table.iter_batches(batch_size=size, use_threads=False)
        yield from _numbered(name, table.schema_arrow, batches, progress, about.num_rows)


def arrow_rows(name: str, source: Any, progress: Progress, *, stream: bool) -> Iterator[Line | Overlong]:
    """Yield every row of an Arrow stream or IPC file (such as Feather 2), with its number.

    Args:
        name: Name of the file in messages.
        source: Its path, or an open stream of bytes.
        progress: Called with the share that is done.
        stream: Whether it is a stream, as the Hugging Face `datasets` write them.

    Raises:
        ConfigError: It cannot be read.
        MissingDependencyError: pyarrow is not installed.
    """
    arrow, ipc = require("pyarrow", extra=EXTRA), require("pyarrow.ipc", extra=EXTRA)
    size = os.path.getsize(source) if isinstance(source, str) else 0
    with _reading(name, "Arrow"), arrow.OSFile(source) if size else arrow.PythonFile(source, "rb") as file:
        if stream:
            reader = ipc.open_stream(file)
            batches: Iterable[Any] = reader
        else:
            reader = ipc.open_file(file)
            batches = (reader.get_batch(number) for number in range(reader.num_record_batches))

        def told(done: float) -> None:
            progress(file.tell() / size if size else 0.0)

        yield from _numbered(name, reader.schema, batches, told, 0)


def table_rows(
    name: str, tables: Iterable[Any], schema: Any, progress: Progress
) -> Iterator[Line | Overlong]:
    """Yield every row of consecutive Arrow tables.

    Args:
        name: Their names in messages.
        tables: They.
        schema: Which they share.
        progress: Called with the share that is done.

    Raises:
        ConfigError: They cannot be read.
    """
    with _reading(name, "Arrow"):
        batches = (batch for table in tables for batch in table.to_batches())
        yield from _numbered(name, schema, batches, progress, 0)


@contextmanager
def _reading(name: str, kind: str) -> Iterator[None]:
    """Raise pyarrow's errors, which are ValueError, OSError and others, as one sentence."""
    errors = require("pyarrow.lib", extra=EXTRA)
    try:
        yield
    except (errors.ArrowException, OSError) as error:
        said = str(error).strip().split("\n")[0]
        raise ConfigError(f"{name}: cannot be read as {kind}: {said}") from None


def _numbered(
    name: str, schema: Any, batches: Iterable[Any], progress: Progress, total: int
) -> Iterator[Line | Overlong]:
    twice = next((each for each in schema.names if schema.names.count(each) > 1), None)
    if twice is not None:
        raise ConfigError(f"{name}: two columns are called {twice!r}; rename one of them")
    arrow = require("pyarrow", extra=EXTRA)
    number = 0
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            for raw in _as_json(arrow, batch.slice(start, BATCH_ROWS)):
                number += 1
                yield Line(name, number, raw) if len(raw) <= lines.MAX_LINE else _overlong(name, number, raw)
            progress(number / total if total else 0.0)


def _overlong(name: str, number: int, raw: bytes) -> Overlong:
    def copy_to(write: Callable[[bytes], object]) -> None:
        write(raw + b"\n")

    return Overlong(name, number, copy_to)


def _as_json(arrow: Any, batch: Any) -> Iterator[bytes]:
    columns = [_cast(arrow, column) for column in batch.columns]
    rows = arrow.RecordBatch.from_arrays(columns, names=batch.schema.names)
    try:
        found = rows.to_pylist()
    except (ValueError, TypeError, OverflowError) as error:
        if len(rows) > 1:
            for position in range(len(rows)):
                yield from _as_json(arrow, rows.slice(position, 1))
        else:
            yield unreadable(f"a value that has no form in JSON: {error}", None)
        return
    scored = is_judged(batch.schema.names)
    for row in found:
        try:
            yield dumps(revived(row) if scored else row, _ENCODER)
        except (TypeError, ValueError) as error:
            yield unreadable(f"a value that has no form in JSON: {error}", repr(row)[:1000])


def _cast(arrow: Any, column: Any) -> Any:
    """Cast a column of times to text in ISO 8601: Python's times have no nanoseconds."""
    wanted = _json_type(arrow, column.type)
    return column if wanted == column.type else column.cast(wanted)


def _json_type(arrow: Any, kind: Any) -> Any:
    types = arrow.types
    if types.is_duration(kind):
        return arrow.int64()
    if types.is_temporal(kind) and not types.is_interval(kind):
        return arrow.string()
    if types.is_dictionary(kind):
        return _json_type(arrow, kind.value_type)
    if types.is_struct(kind):
        fields = [kind.field(place) for place in range(kind.num_fields)]
        return arrow.struct([field.with_type(_json_type(arrow, field.type)) for field in fields])
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        inner = _json_type(arrow, kind.value_type)
        return kind if inner == kind.value_type else arrow.list_(inner)
    return kind


def plain(value: Any) -> Any:
    """Return the JSON form of a value that JSON does not have.

    Raises:
        TypeError: It has no JSON form.

    >>> plain(Decimal("1.10")), plain(b"a")
    ('1.10', {'base64': 'YQ=='})
    """
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, bytes):
        # Not taken for text, which it may be by chance: a completion in such a column is refused.
        return {"base64": base64.b64encode(value).decode()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is nothing that JSON has")


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=plain)


def hub_rows(name: str, progress: Progress) -> Iterator[Line | Overlong]:
    """Yield every row of a dataset, with its number.

    Args:
        name: ``OWNER/NAME``, with ``:CONFIG`` and ``@SPLIT`` where there are several.
        progress: Called with the share that is done.

    Raises:
        ConfigError: It cannot be loaded, or which part of it is meant cannot be told.
        MissingDependencyError: `datasets` is not installed.
    """
    try:
        datasets = require("datasets", extra=EXTRA)
    except MissingDependencyError as missing:
        raise MissingDependencyError(
            f"{name}: no such file; to load a dataset of that name from the Hugging Face hub: {missing}"
        ) from None
    parts = re.match(r"([^:@]+)(?::([^@]+))?(?:@(.+))?$", name)
    assert parts is not None  # noqa: S101  (`named_inputs` has seen to it)
    path, config, split = parts.groups()
    try:
        found = datasets.load_dataset(path, config, split=split)
    except Exception as error:
        # Whatever went wrong on the hub: no such data set, no network, a configuration to choose.
        first = str(error).strip().split("\n")[0]
        raise ConfigError(
            f"{name}: no such file, and no dataset of the Hugging Face hub by that name can be loaded: "
            f"{first} (name it as OWNER/NAME:CONFIG@SPLIT; without a network, load it once where there is "
            "one, or save it there with save_to_disk and name the folder)"
        ) from None
    if isinstance(found, dict):
        names = list(found)
        if len(names) != 1:
            shown = ", ".join(f"{name}@{each}" for each in names)
            raise ConfigError(f"{name}: has several splits; name one: {shown}")
        found = found[names[0]]
    total = max(len(found), 1)
    done = 0

    def told(_: float) -> None:
        progress(min(done / total, 1.0))

    for line in table_rows(name, found.with_format("arrow").iter(1024), found.data.schema, told):
        done += 1
        yield line
