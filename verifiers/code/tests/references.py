"""What a row's answer column may hold for a program: tests, in one form of ours or as data sets ship them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ...errors import ConfigError, nearest
from .dataset_readers import READERS
from .spec import CodeTests, validated


def read_tests(reference: object) -> CodeTests:
    """The tests in a row's answer column.

    Args:
        reference: A mapping, or JSON text that holds one: fields of `CodeTests`; or one key among those of
            `dataset_readers.READERS` with a row of that data set; or ``inputs`` and ``outputs``.

    Raises:
        ConfigError: It is none of these; the message names the field.
    """
    if isinstance(reference, str):
        return _read_text(reference)
    if not isinstance(reference, Mapping):
        raise ConfigError(
            'tests are a mapping such as {"stdio": [{"input": "1 2\\n", "output": "3\\n"}]}, '
            f"or JSON text of one; got {type(reference).__name__}"
        )
    return _read(reference)


@lru_cache(maxsize=512)
def _read_text(text: str) -> CodeTests:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"tests that are given as text must be JSON: {error}") from None
    if not isinstance(data, Mapping):
        raise ConfigError(f"tests must be a JSON object, got {text!r:.60}")
    return _read(data)


def _read(data: Mapping[str, Any]) -> CodeTests:
    # Arrow fills columns that a row lacks with nulls, and Parquet gives arrays for lists.
    given = {str(key): _plain(value) for key, value in data.items() if value is not None}
    named = sorted(given.keys() & READERS.keys())
    if named and len(given) > 1:
        raise ConfigError(f"tests: {', '.join(sorted(given))}: give one of them, the tests of one program")
    for name in named:
        return _read_row(name, _row(name, given[name]))
    if "inputs" in given and "outputs" in given:
        return _read_row("apps", given)
    unknown = [key for key in given if key not in CodeTests.model_fields]
    if unknown:
        known = [*CodeTests.model_fields, *READERS]
        raise ConfigError(f"tests have no field {unknown[0]!r}{nearest(unknown[0], known)}")
    tests = validated(given)
    if not tests.count:
        raise ConfigError("there are no tests: stdio, calls and asserts are empty")
    return tests


def _read_row(name: str, row: Mapping[str, Any]) -> CodeTests:
    try:
        return READERS[name](row)
    except (TypeError, AttributeError, KeyError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(
            f"tests: {name}: not a row of that data set: {type(error).__name__}: {error}"
        ) from None


def _plain(value: Any) -> Any:
    """Arrays as lists, wherever they are."""
    if hasattr(value, "tolist") and not isinstance(value, type):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if type(value) is list else value


def _row(name: str, row: Any) -> Mapping[str, Any]:
    if isinstance(row, str):
        try:
            row = json.loads(row)
        except ValueError as error:
            raise ConfigError(f"tests: {name}: not JSON: {error}") from None
    if not isinstance(row, Mapping):
        raise ConfigError(f"tests: {name} is a row of that data set (a mapping), got {row!r:.60}")
    return row
