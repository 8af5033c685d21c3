"""Queries, judged by what comes of them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from ..core.checks import Range
from ..core.extraction import Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..extract.answers_and_references import find_answer
from ..extract.chain import FirstOf, WholeText
from ..extract.code_block import CodeBlock
from ..extract.marked_answers import Tag
from ..runtime.pool import shared_pool
from ..runtime.worker_process import Outcome
from .sql_running import MAX_ROWS

_TOKEN = re.compile(
    r"""
    (?P<skip>\s++|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z))
    |(?P<text>'(?:[^']|'')*+'?|"(?:[^"]|"")*+"?|`[^`]*+`?|\[[^\]]*+\]?)
    |(?P<word>[^\W\d]\w*+)
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def orders(query: str) -> bool:
    """Return whether a query's outermost SELECT orders its rows; one in brackets orders nothing visible.

    >>> orders("SELECT a FROM t ORDER BY a"), orders("SELECT * FROM (SELECT a FROM t ORDER BY a)")
    (True, False)
    """
    depth, before = 0, ""
    for token in _TOKEN.finditer(query):
        if token.lastgroup == "skip":
            continue
        text = token.group()
        depth += (text == "(") - (text == ")")
        word = text.upper() if token.lastgroup == "word" else ""
        if depth == 0 and word == "BY" and before == "ORDER":
            return True
        before = word
    return False


FILES = (".db", ".db3", ".sqlite", ".sqlite3")
"""Endings of names of files: a text with one, on a line, is a path; any other text is a script."""
MOST_DATABASES = 100
MOST_SCRIPT = 4_000_000
"""Characters of a script."""


class DatabaseError(Exception):
    """A row's database that cannot be used; the message says why."""


class Database(NamedTuple):
    """Database in which a query runs.

    Args:
        script: SQL that makes it; "" for a file.
        path: Path of a file, absolute; "" for a script.
        state: Value that changes with the file.
    """

    script: str
    path: str
    state: tuple[int, int] = (0, 0)


def databases_of(given: Any, folder: str = "") -> tuple[Database, ...]:
    """The databases that a row gives: one, or a list of them.

    Args:
        given: A script; a path; or an object with ``script`` or ``file``.
        folder: Base of relative paths.

    Raises:
        DatabaseError: There is none, or a file is not there.
    """
    several = given if isinstance(given, list | tuple) else [given]
    if not several or len(several) > MOST_DATABASES:
        raise DatabaseError(f"from 1 to {MOST_DATABASES} databases, got {len(several)}")
    return tuple(_database(each, folder) for each in several)


def _database(given: Any, folder: str) -> Database:
    if isinstance(given, Mapping):
        if len(given) != 1 or not {"script", "file"} & given.keys():
            raise DatabaseError(f"a database is {{script: SQL}} or {{file: PATH}}, got {given!r:.80}")
        [(kind, text)] = given.items()
    else:
        text = given
        is_path = isinstance(text, str) and "\n" not in text and text.strip().lower().endswith(FILES)
        kind = "file" if is_path else "script"
    if not isinstance(text, str) or not text.strip():
        raise DatabaseError(f"a database is a script or a path, got {text!r:.80}")
    if kind == "script":
        if len(text) > MOST_SCRIPT:
            raise DatabaseError(f"a script of more than {MOST_SCRIPT} characters; make a file of it")
        return Database(text, "")
    path = Path(folder, text.strip()).absolute()
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        raise DatabaseError(f"there is no database {str(path)!r:.200}: {error}") from None
    if not stat.S_ISREG(found.st_mode):  # a pipe would be waited for, a device never ends
        raise DatabaseError(f"{str(path)!r:.200} is no file")
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        raise DatabaseError(f"{path} has changes in {log.name}; run PRAGMA wal_checkpoint(TRUNCATE) on it")
    return Database("", str(path), (found.st_size, found.st_mtime_ns))


MAX_QUERY = 50_000
"""Characters of a query."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class SqlResult(Verifier):
    """The completion's SQL returns the same rows as the reference's, on every database of the row (SQLite).

    Rows are compared as a bag, and in order if the reference's outermost query orders them. Both queries run
    in processes that can be killed, on databases that they cannot change; the reference runs first and alone.
    If a reference returns no row on any database, its row is unscored.

    Args:
        database: Database for all rows: a script, the path of a file, or a list of these.
        database_column: Column with a row's own database.
        folder: Base of relative paths.
        extract: Finds the query: a SOLUTION or answer tag, a block of SQL, or the whole text.
        order: Whether the order of rows counts: ``auto`` if the reference orders, ``any`` or ``given``.
        columns: Whether columns may come in ``any`` order or as ``given``; their names never count.
        rows: ``bag``, or ``set``, which ignores repeated rows, as in BIRD.
        tolerance: Largest absolute or relative difference of two numbers, if one has a decimal point.
        empty: Whether to ``refuse`` or ``allow`` references that return no row.
        seconds: Processor time per query, on all databases together.

    >>> shop = "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y')"
    >>> judge = SqlResult(database=shop)
    >>> judge.verify("SELECT b FROM t WHERE a > 0 ORDER BY b DESC", "SELECT b FROM t").reason
    'same_result'
    >>> print(judge.verify("DROP TABLE t", "SELECT b FROM t"))
    SqlResult 0.00 forbidden  'DROP TABLE t' for 'SELECT b FROM t'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "same_result": "the same rows on every database",
        "wrong_rows": "other rows, or another number of them",
        "wrong_columns": "another number of columns",
        "wrong_order": "the right rows in another order than the reference's ORDER BY",
        "query_failed": "SQLite cannot run the query",
        "not_one_statement": "several statements",
        "forbidden": "the query does more than read, or asks for something that differs between runs",
        "no_answer": "no query was found, its mark was left open, or thinking never ended",
        "over_limit": "too long, or too much time, memory, rows or text",
        "bad_reference": "the reference is no query, fails, or takes too much",
        "empty_reference": "no row comes of the reference on any database",
        "bad_database": "the row has no database, or it cannot be opened",
    }
    reference_first: ClassVar[bool] = True

    database: str | tuple[str, ...] = ()
    database_column: str = "database"
    folder: str = ""
    extract: Extractor = field(default=FirstOf(Tag(), CodeBlock(("sql", "sqlite")), WholeText()))
    order: Literal["auto", "any", "given"] = "auto"
    columns: Literal["given", "any"] = "given"
    rows: Literal["bag", "set"] = "bag"
    tolerance: Annotated[float, Range(0, 0.1)] = 1e-6
    empty: Literal["refuse", "allow"] = "refuse"
    seconds: Annotated[float, Range(above=0, most=600, unit="seconds")] = 2.0

    def fields_read(self) -> tuple[str, ...] | None:
        return (self.database_column,)

    def columns_needed(self) -> tuple[str, ...]:
        return () if self.database else (self.database_column,)

    def check(self, sample: Sample) -> Verdict:
        gold = sample.reference
        if not isinstance(gold, str) or not gold.strip() or len(gold) > MAX_QUERY:
            return self.unscored("bad_reference", f"a reference is a query, got {gold!r:.80}")
        given = sample.fields.get(self.database_column)
        try:
            databases = databases_of(self.database if given is None else given, self.folder)
        except DatabaseError as error:
            return self.unscored("bad_database", str(error))
        outcome = _reference_results(databases, gold, self.seconds)
        if not outcome.ok:
            if outcome.by_task:
                return self.unscored("bad_reference", outcome.detail, expected=gold)
            return self.fault("worker", outcome.detail)
        if "reason" in outcome.value:
            reason = "bad_database" if outcome.value["reason"] == "bad_database" else "bad_reference"
            return self.unscored(reason, outcome.value["detail"], expected=gold)
        expected = outcome.value["results"]
        if any(len(rows) > MAX_ROWS for _, rows in expected):
            return self.unscored("bad_reference", f"more than {MAX_ROWS} rows", expected=gold)
        if self.empty == "refuse" and not any(rows for _, rows in expected):
            return self.unscored(
                "empty_reference", "any query without a result would be right", expected=gold
            )
        query = find_answer(self, self.extract, sample, form="raw")
        if isinstance(query, Verdict):
            return query
        return self._judged(databases, query, gold, expected)

    def _judged(self, databases: tuple[Database, ...], query: str, gold: str, expected: Any) -> Verdict:
        said: dict[str, Any] = {"extracted": query, "expected": gold}
        if len(query) > MAX_QUERY:
            return self.scored(0.0, "over_limit", f"longer than {MAX_QUERY} characters", expected=gold)
        options = {
            "in_order": orders(gold) if self.order == "auto" else self.order == "given",
            "as_set": self.rows == "set",
            "any_columns": self.columns == "any",
            "tolerance": self.tolerance,
        }
        outcome = shared_pool().run(
            "reward_verifiers.verifiers.tools.sql_running:compared",
            (_places(databases), str(query), expected, options),
            cpu_seconds=self.seconds,
            fork=True,
        )
        if not outcome.ok:
            if outcome.by_task:
                return self.scored(0.0, "over_limit", outcome.detail, **said)
            return self.fault("worker", outcome.detail)
        reason, detail = outcome.value["reason"], outcome.value["detail"]
        if reason == "bad_database":  # it could be opened for the reference
            return self.fault("worker", detail)
        return self.scored(float(not reason), reason or "same_result", detail, **said)


def _places(databases: tuple[Database, ...]) -> list[tuple[str, str]]:
    return [(each.script, each.path) for each in databases]


class _PassingError(Exception):
    """An outcome that must not be remembered."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.detail)
        self.outcome = outcome


@lru_cache(maxsize=64)
def _remembered(databases: tuple[Database, ...], gold: str, seconds: float) -> Outcome:
    outcome = shared_pool().run(
        "reward_verifiers.verifiers.tools.sql_running:results_of",
        (_places(databases), gold, MAX_ROWS),
        cpu_seconds=seconds,
        fork=True,
    )
    if not outcome.ok:
        raise _PassingError(outcome)
    return outcome


def _reference_results(databases: tuple[Database, ...], gold: str, seconds: float) -> Outcome:
    """The reference's results: completions of a row ask for the same ones."""
    try:
        return _remembered(databases, gold, seconds)
    except _PassingError as error:
        return error.outcome
