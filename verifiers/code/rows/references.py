"""What a row's answer column may hold for a program: tests, in one form of ours or as data sets ship them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ConfigError, nearest
from ...runtime.bounds import ExpansionError, from_json, one_reference
from ..suites.spec import CodeTests, validated
from .shape import unpacked
from .solutions import solutions_of
from .table import SHAPES, columns_with_tests, read_row, recognised

BESIDE_A_ROW = frozenset(
    {"bare", "checker", "compare", "language", "memory_limit", "time_limit", "tolerance"}
)
"""Fields of `CodeTests` that may stand beside a data set's row, where it is given under the set's name."""


def read_tests(reference: object) -> CodeTests:
    """The tests in a row's answer column.

    Args:
        reference: A mapping, or text that holds one: fields of `CodeTests`; a row of a data set, which is
            recognised by its columns (`rows.table.SHAPES`); or such a row under the data set's name.

    Raises:
        ConfigError: It is none of these, or a field of it would be ignored; the message names the field.
    """
    with one_reference():
        return _read_text(reference) if isinstance(reference, str) else _read_mapping(reference)


def _read_mapping(reference: object) -> CodeTests:
    if not isinstance(reference, Mapping):
        raise ConfigError(
            'tests are a mapping such as {"stdio": [{"input": "1 2\\n", "output": "3\\n"}]}, '
            f"or JSON text of one; got {type(reference).__name__}"
        )
    return _read(reference)


def read_columns(row: Mapping[str, object]) -> CodeTests:
    """The tests in the columns of a row, among which there may be others that have nothing to do with them.

    Args:
        row: The columns of a data set, with whatever a file or a trainer has besides.

    Raises:
        ConfigError: The columns are no data set's; or one that holds tests elsewhere would be ignored.
    """
    with one_reference():
        return _read_columns(_without_nulls(row))


def _read_columns(given: dict[str, Any]) -> CodeTests:
    shape = recognised(given)
    if shape is None:
        raise ConfigError(f"tests: columns='row', and no known dataset has these columns: {', '.join(given)}")
    meant = shape.reads | columns_with_tests()
    meant |= set(shape.solutions)
    kept = {key: value for key, value in given.items() if key in meant and key not in shape.passes_over}
    return read_row(shape, kept)


def _read_text(text: str) -> CodeTests:
    try:
        data = from_json(text)
    except ExpansionError as error:
        raise ConfigError(f"tests that are given as text: {error}") from None
    except (ValueError, RecursionError) as error:
        if not text.lstrip().startswith("{"):
            raise ConfigError(f"tests that are given as text must be JSON: {error}") from None
        try:
            data = unpacked(text, "the text")
        except ConfigError:
            raise ConfigError(f"tests that are given as text must be JSON: {error}") from None
    if not isinstance(data, Mapping):
        raise ConfigError(f"tests must be a JSON object, got {text!r:.60}")
    return _read(data)


def _read(data: Mapping[str, Any]) -> CodeTests:
    given = _without_nulls(data)
    named = sorted(given.keys() & SHAPES.keys())
    beside = given.keys() - set(named)
    if len(named) == 1 and beside <= BESIDE_A_ROW and named[0] not in SHAPES[named[0]].reads:
        tests = read_row(SHAPES[named[0]], _row(named[0], given[named[0]]))
        said = validated({key: given[key] for key in beside})
        return tests.model_copy(update={key: getattr(said, key) for key in beside})
    if named and len(given) > 1 and recognised(given) is None:
        raise ConfigError(f"tests: {', '.join(sorted(given))}: give one of them, the tests of one program")
    ours = given.keys() & CodeTests.model_fields.keys()
    shape = recognised(given)
    if shape is not None and not ours & {"stdio", "calls", "asserts", "sequences"}:
        return read_row(shape, given)
    unknown = [key for key in given if key not in CodeTests.model_fields]
    if unknown:
        known = [*CodeTests.model_fields, *SHAPES]
        raise ConfigError(f"tests have no field {unknown[0]!r}{nearest(unknown[0], known)}")
    tests = validated(given)
    if tests.solution and not tests.references:
        tests = tests.model_copy(update={"references": solutions_of(given, ("solution",))})
    if not tests.count:
        raise ConfigError("there are no tests: stdio, calls, asserts and sequences are empty")
    return tests


def _without_nulls(data: Mapping[str, Any]) -> dict[str, Any]:
    # Arrow fills columns that a row lacks with nulls, and Parquet gives arrays for lists.
    return {str(key): _plain(value) for key, value in data.items() if value is not None}


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
            row = from_json(row)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"tests: {name}: not JSON: {error}") from None
    if not isinstance(row, Mapping):
        raise ConfigError(f"tests: {name} is a row of that dataset (a mapping), got {row!r:.60}")
    return _without_nulls(row)
