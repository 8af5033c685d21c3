"""Reading rows: files, hub data sets, generated tasks, functions."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.files.jsonl import Overlong, Source, parse
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Data
from ..config.config_files import imported, with_seed

TABLES = (".jsonl", ".jsonl.gz", ".parquet")
ARRAYS = (".json", ".json.gz")
SUFFIXES = (*TABLES, *ARRAYS)
"""What is read: tables of rows, and files with an array of rows."""


def read_rows(data: Data, seed: int = 0) -> list[dict[str, Any]]:
    """Return the rows of a source, unchanged.

    Raises:
        ConfigError: The source cannot be read, or is empty.
        MissingDependencyError: Its package is not installed.
    """
    rows: list[dict[str, Any]] = []
    for row in _rows(data, seed):
        rows.append(row)
        if len(rows) == data.limit:
            break
    if not rows:
        raise ConfigError(f"data.source: {data.source} has no rows")
    return rows


def check_source(data: Data) -> None:
    """Refuse a missing file or function, without reading it.

    Raises:
        ConfigError: It is not.
    """
    source = data.source
    if _files(source) or source.startswith("reasoning_gym:"):
        return
    if ":" in source:
        imported(source, "data.source")
    elif source.startswith((".", "/", "~")) or source.endswith(SUFFIXES):
        raise ConfigError(f"data.source: there is no file {source}")


def _rows(data: Data, seed: int) -> Iterator[dict[str, Any]]:
    source = data.source
    files = _files(source)
    if files:
        for file in files:
            yield from _parquet(file) if file.suffix == ".parquet" else _jsonl(file)
    elif source.startswith("reasoning_gym:"):
        yield from _gym(source.partition(":")[2], {"seed": seed, **data.options})
    elif ":" in source:
        yield from _called(data, seed)
    elif source.startswith((".", "/", "~")) or source.endswith(SUFFIXES):
        raise ConfigError(f"data.source: there is no file {source}")
    else:
        yield from _hub(data)


def _files(source: str) -> list[Path]:
    path = Path(source).expanduser()
    if path.is_dir():
        files = sorted(path.iterdir())
        # Beside tables a JSON file says something about them.
        found = [each for each in files if each.name.endswith(TABLES)]
        found = found or [each for each in files if each.name.endswith(ARRAYS)]
        if not found:
            raise ConfigError(f"data.source: the folder {source} holds no {', '.join(SUFFIXES)} file")
        return found
    if path.is_file():
        if not path.name.endswith(SUFFIXES):
            raise ConfigError(f"data.source: {source} is not a {', '.join(SUFFIXES)} file")
        return [path]
    return [Path(each) for each in sorted(glob.glob(str(path)))] if "*" in source else []


def _jsonl(file: Path) -> Iterator[dict[str, Any]]:
    for chunk in Source([str(file)]).chunks():
        if isinstance(chunk, Overlong):
            raise ConfigError(f"{chunk.file}:{chunk.number}: longer than 16 MB")
        for line in chunk:
            try:
                yield parse(line.raw)
            except ValueError as error:
                raise ConfigError(f"{line.file}:{line.number}: {error}") from None


def _parquet(file: Path) -> Iterator[dict[str, Any]]:
    parquet = require("pyarrow.parquet", extra="train")
    try:
        with parquet.ParquetFile(file) as table:
            for batch in table.iter_batches(batch_size=1024):
                yield from batch.to_pylist()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file}: cannot be read as Parquet: {error}") from None


def _hub(data: Data) -> Iterator[dict[str, Any]]:
    datasets = require("datasets", extra="train")
    try:
        found = datasets.load_dataset(data.source, data.name, split=data.split, revision=data.revision)
    except Exception as error:
        # Whatever went wrong on the hub (no such data set, no network, a configuration to choose).
        first = str(error).strip().split("\n")[0]
        raise ConfigError(f"data.source: {data.source}: {first}") from None
    yield from found


def _gym(task: str, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    gym = require("reasoning_gym", extra="gym")
    known = list(gym.factory.DATASETS)
    if task not in known:
        hint = nearest(task, known)
        raise ConfigError(
            f"data.source: reasoning_gym has no task {task!r}{hint if 'did you mean' in hint else ''}"
        )
    try:
        entries = gym.create_dataset(task, **{"size": 1000, **options})
    except (TypeError, ValueError, AssertionError) as error:
        raise ConfigError(f"data.options: reasoning_gym:{task}: {error}") from None
    for entry in entries:
        # The entry itself goes along, for the verifier ReasoningGym, which asks the task.
        yield {
            "question": entry["question"],
            "answer": entry["answer"],
            "task": task,
            "entry": {"task": task, **entry},
        }


def _called(data: Data, seed: int) -> Iterator[dict[str, Any]]:
    function = imported(data.source, "data.source")
    try:
        rows = function(**with_seed(function, data.options, seed))
    except TypeError as error:
        raise ConfigError(f"data.options: {data.source}: {error}") from None
    for position, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ConfigError(
                f"data.source: {data.source} gave {type(row).__name__} as row {position}, not a dict"
            )
        yield row
