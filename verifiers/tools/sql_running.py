"""Running a query on a database that it cannot change, in a process that can be ended.

What runs here runs in a fork of a worker (`verifiers.runtime.pool`), with its limits of processor time and
memory. Inside, SQLite's own means are set: an authorizer that allows to select, to read and to call
functions and nothing else, no attached databases, limits of lengths, memory and steps.
"""

from __future__ import annotations

import contextlib
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Row = tuple[Any, ...]
MOST_PAIRED = 300
"""Rows that are paired one by one where numbers agree within a tolerance only."""
MOST_ORDERS = 200
"""Orders of columns that are tried."""


class Rows(NamedTuple):
    """A result.

    Args:
        columns: Number of columns.
        rows: In order.
    """

    columns: int
    rows: Sequence[Row]


def difference(
    found: Rows,
    expected: Rows,
    *,
    in_order: bool,
    as_set: bool,
    any_columns: bool,
    tolerance: float,
) -> tuple[str, str]:
    """The code and a sentence for how a result differs; two empty texts where it does not.

    Args:
        found: Found value.
        expected: Expected value.
        in_order: Whether the order of rows counts.
        as_set: Whether rows count once however often they stand there.
        any_columns: Whether columns may come in another order.
        tolerance: Largest difference of numbers of which one has a decimal point, absolute and relative to
            the larger one.
    """
    if found.columns != expected.columns:
        return "wrong_columns", f"{expected.columns} columns are expected, {found.columns} found"
    rows, wanted = list(found.rows), list(expected.rows)
    if as_set:
        rows, wanted = list(dict.fromkeys(rows)), list(dict.fromkeys(wanted))
    if len(rows) != len(wanted):
        more = "more" if len(rows) > len(wanted) else f"{len(rows)}"
        return "wrong_rows", f"{len(wanted)} rows are expected, {more} found"
    for order in _orders(rows, wanted, found.columns, tolerance) if any_columns else [None]:
        moved = rows if order is None else [tuple(row[column] for column in order) for row in rows]
        if in_order and all(
            _same_row(one, other, tolerance) for one, other in zip(moved, wanted, strict=True)
        ):
            return "", ""
        if not in_order and _same_bag(moved, wanted, tolerance):
            return "", ""
    if in_order and not any_columns and _same_bag(rows, wanted, tolerance):
        return "wrong_order", "the right rows in another order"
    missing = next(iter((Counter(wanted) - Counter(rows)).elements()), None)
    return "wrong_rows", f"there is no row {missing!r:.200}" if missing is not None else "other rows"


def same_value(one: Any, other: Any, tolerance: float) -> bool:
    """Return whether two values of SQLite are the same: NULL is NULL, 1 is 1.0, and '1' is a text.

    >>> same_value(None, None, 0), same_value(1, 1.0, 0), same_value("1", 1, 0)
    (True, True, False)
    """
    if isinstance(one, int | float) and isinstance(other, int | float):
        if one == other or (isinstance(one, int) and isinstance(other, int)):
            return one == other
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    return type(one) is type(other) and bool(one == other)


def _same_row(one: Row, other: Row, tolerance: float) -> bool:
    return all(same_value(a, b, tolerance) for a, b in zip(one, other, strict=True))


def _same_bag(rows: Sequence[Row], wanted: Sequence[Row], tolerance: float) -> bool:
    left, right = Counter(rows), Counter(wanted)
    one, other = list((left - right).elements()), list((right - left).elements())
    if len(one) != len(other):
        return False
    if not one:
        return True
    # Only rows that are equal but for their numbers can still be the same.
    groups: dict[Row, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, each in enumerate((one, other)):
        for row in each:
            groups[_without_numbers(row)][side].append(row)
    return all(_paired(*sides, tolerance) for sides in groups.values())


def _without_numbers(row: Row) -> Row:
    return tuple(("number",) if isinstance(value, int | float) else value for value in row)


def _paired(one: list[Row], other: list[Row], tolerance: float) -> bool:
    """Return whether rows can be paired so that those of a pair are the same."""
    if len(one) != len(other):
        return False
    one, other = sorted(one, key=_by_numbers), sorted(other, key=_by_numbers)
    if all(_same_row(a, b, tolerance) for a, b in zip(one, other, strict=True)):
        return True
    if len(one) > MOST_PAIRED:
        return False
    fits = [[place for place, b in enumerate(other) if _same_row(a, b, tolerance)] for a in one]
    taken: dict[int, int] = {}

    def place_for(row: int, tried: set[int]) -> bool:
        for place in fits[row]:
            if place not in tried:
                tried.add(place)
                if place not in taken or place_for(taken[place], tried):
                    taken[place] = row
                    return True
        return False

    return all(place_for(row, set()) for row in range(len(one)))


def _by_numbers(row: Row) -> tuple[float, ...]:
    return tuple(float(value) for value in row if isinstance(value, int | float))


def _orders(
    rows: Sequence[Row], wanted: Sequence[Row], columns: int, tolerance: float
) -> Iterator[list[int]]:
    """Orders of columns in which each column holds what it should; at most `MOST_ORDERS`."""
    bags = [[(row[column],) for row in rows] for column in range(columns)]
    fits = [
        [
            column
            for column in range(columns)
            if _same_bag(bags[column], [(row[at],) for row in wanted], tolerance)
        ]
        for at in range(columns)
    ]
    given = 0
    stack: list[list[int]] = [[]]
    while stack and given < MOST_ORDERS:
        order = stack.pop()
        if len(order) == columns:
            given += 1
            yield order
            continue
        stack += [[*order, column] for column in reversed(fits[len(order)]) if column not in order]


MAX_ROWS = 10_000
"""Rows of a result."""
MAX_BYTES = 4_000_000
"""All texts and blobs of a result together."""
STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the count."""
MAX_STEPS = 20_000_000
"""Instructions for a query: one or two seconds. A count and not a clock, so that load decides nothing."""
HEAP = 512 << 20
"""Bytes that SQLite may take in a process."""

_ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE)
# Another answer each time, or one about the connection and not about the data.
FORBIDDEN = frozenset(
    "random randomblob current_date current_time current_timestamp changes total_changes last_insert_rowid "
    "load_extension sqlite_version sqlite_source_id sqlite_log sqlite_offset fts3_tokenizer readfile "
    "writefile edit sqlite_compileoption_get sqlite_compileoption_used".split()
)
DATES = ("date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff")
"""Their results are those of their arguments, but for these:"""
MOVING = ("now", "localtime", "utc")
_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LENGTH: 10_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 300,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


class QueryError(Exception):
    """A query without a result.

    Args:
        reason: The code for a verdict.
        detail: A sentence.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def results_of(databases: Sequence[tuple[str, str]], query: str, most: int) -> dict[str, Any]:
    """A query's results on each database, as plain data. Runs in a worker.

    Args:
        databases: Script and path of each; one of them is "".
        query: One statement.
        most: Rows of a result.

    Returns:
        ``results``, or ``reason`` and ``detail`` of what went wrong; ``reason`` is ``bad_database`` where it
        was not the query.
    """
    try:
        return {"results": [_encoded(_result(*database, query, most)) for database in databases]}
    except QueryError as error:
        return {"reason": error.reason, "detail": str(error)[:400]}


def compared(
    databases: Sequence[tuple[str, str]],
    query: str,
    expected: Sequence[Any],
    options: dict[str, Any],
) -> dict[str, Any]:
    """Compare a query's results with the expected ones. Runs in a worker.

    Args:
        databases: As for `results_of`.
        query: One statement.
        expected: Result of `results_of` for the reference.
        options: Options of `difference`.
    """
    try:
        for number, (database, wanted) in enumerate(zip(databases, expected, strict=True), 1):
            rows = _decoded(wanted)
            most = MAX_ROWS if options["as_set"] else len(rows.rows)
            found = _result(*database, query, most)
            reason, detail = difference(found, rows, **options)
            if reason:
                where = f"database {number}: " if len(databases) > 1 else ""
                return {"reason": reason, "detail": f"{where}{detail}"[:400]}
        return {"reason": "", "detail": ""}
    except QueryError as error:
        return {"reason": error.reason, "detail": str(error)[:400]}


def _result(script: str, path: str, query: str, most: int) -> Rows:
    connection = _opened(script, path)
    with contextlib.closing(connection):
        _walled(connection)
        return _rows(connection, query, most)


def _opened(script: str, path: str) -> sqlite3.Connection:
    """A database of a row: its own copy in memory, or a file that cannot be written."""
    try:
        if path:
            address = f"{Path(path).as_uri()}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, isolation_level=None)
        else:
            connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.execute(f"PRAGMA hard_heap_limit = {HEAP}")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        if script:
            connection.executescript(script)
            if connection.in_transaction:
                connection.execute("COMMIT")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as error:
        raise QueryError("bad_database", f"{type(error).__name__}: {error}") from None
    return connection


def _walled(connection: sqlite3.Connection) -> None:
    _no_files()
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    for name in DATES:
        connection.create_function(name, -1, _dated(name), deterministic=True)
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += STEPS
        return int(steps > MAX_STEPS)

    connection.set_progress_handler(count, STEPS)
    connection.set_authorizer(_allowed)


def _no_files() -> None:
    """Nothing that this process could still be made to write reaches a disk."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def _allowed(action: int, one: str | None, other: str | None, *_: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION:
        name = (other or one or "").casefold()
        return sqlite3.SQLITE_DENY if name in FORBIDDEN else sqlite3.SQLITE_OK
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def _dated(name: str) -> Callable[..., Any]:
    """A function of dates that does not know what day it is."""
    helper = sqlite3.connect(":memory:")

    def dated(*arguments: Any) -> Any:
        least = 2 if name in ("strftime", "timediff") else 1
        moving = [each for each in arguments if isinstance(each, str) and each.strip().casefold() in MOVING]
        if moving or len(arguments) < least:
            raise ValueError(f"{name} of the moment or the place of the run")
        marks = ", ".join("?" * len(arguments))
        [found] = helper.execute(f"SELECT {name}({marks})", arguments).fetchone()
        return found

    return dated


def _rows(connection: sqlite3.Connection, query: str, most: int) -> Rows:
    try:
        cursor = connection.execute(query)
        if cursor.description is None:
            raise QueryError("query_failed", "the statement has no result")
        rows: list[tuple[Any, ...]] = []
        size = 0
        for row in cursor:
            rows.append(row)
            size += sum(len(value) for value in row if isinstance(value, str | bytes))
            if len(rows) > most:
                break
            if size > MAX_BYTES:
                raise QueryError("over_limit", f"more than {MAX_BYTES} bytes of text")
        return Rows(len(cursor.description), rows)
    except sqlite3.Warning as error:
        raise QueryError("not_one_statement", str(error)) from None
    except sqlite3.Error as error:
        raise QueryError(_reason(error), f"{type(error).__name__}: {error}") from None
    except (ValueError, OverflowError) as error:  # a null character, a lone surrogate
        raise QueryError("query_failed", f"{type(error).__name__}: {error}") from None
    except (MemoryError, RecursionError) as error:
        raise QueryError("over_limit", type(error).__name__) from None


def _reason(error: sqlite3.Error) -> str:
    said = str(error)
    if "one statement at a time" in said:
        return "not_one_statement"
    if "authoriz" in said or "prohibited" in said or "user-defined function raised" in said:
        return "forbidden"
    if (
        "interrupted" in said
        or "too big" in said
        or "too large" in said
        or "too complex" in said
        or "out of memory" in said
    ):
        return "over_limit"
    return "query_failed"


def _encoded(rows: Rows) -> Any:
    """Rows as JSON: blobs as objects."""
    return [
        rows.columns,
        [[{"hex": value.hex()} if isinstance(value, bytes) else value for value in row] for row in rows.rows],
    ]


def _decoded(data: Any) -> Rows:
    columns, rows = data
    return Rows(
        columns,
        [tuple(bytes.fromhex(value["hex"]) if isinstance(value, dict) else value for value in row)
         for row in rows],
    )  # fmt: skip
