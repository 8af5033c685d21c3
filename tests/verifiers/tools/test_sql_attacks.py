"""Queries and databases that mean harm: nothing is written, nothing is read that is not the database, and all of it ends."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from tests.support import tables
from verifiers import SqlResult, Status

SHOP = "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y');"
RIGHT = "SELECT a, b FROM t"
COUNT = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"

FORBIDDEN = [text for [text] in tables(__file__)["forbidden"]]
ENDLESS = (
    f"{COUNT} SELECT count(*) FROM c", f"{COUNT} SELECT max(x), 1 FROM c", f"{COUNT} SELECT group_concat(x), 1 FROM c",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT max(x), 1 FROM c",
    "SELECT count(*), 1 FROM " + ", ".join(f"t t{number}" for number in range(40)),
    "SELECT zeroblob(2147483647), 1", "SELECT length(zeroblob(1000000000)), 1", "SELECT hex(zeroblob(9000000)), 1",
    "SELECT zeroblob(9000000), zeroblob(9000000)", "SELECT hex(hex(hex(zeroblob(1000000)))), 1",
    "SELECT replace(hex(zeroblob(4000000)), '0', hex(zeroblob(1000))), 1", "SELECT printf('%9999999s', 'x'), 1",
    "SELECT printf('%.*c', 2000000000, 'x'), 1", "SELECT CAST(zeroblob(9000000) AS TEXT), 1",
    "SELECT instr(printf('%.*c', 9000000, 'a'), printf('%.*c', 4500000, 'a') || 'b'), 1",
    "SELECT group_concat(printf('%.*c', 1000000, 'x')), 1 FROM t, t t2, t t3, t t4, t t5",
    f"{COUNT} SELECT x, zeroblob(1000000) FROM c ORDER BY 1 DESC", "SELECT 1, " + "1 + " * 20_000 + "1",
)  # fmt: skip
REFUSED = (
    f"{RIGHT}; DROP TABLE t", f"{RIGHT}; SELECT 1", "SELECT readfile('/etc/passwd'), 1", "SELECT writefile('{folder}/w', 'x'), 1",
    "SELECT edit('x'), 1", "SELECT sqlite_offset(a), 1 FROM t", "SELECT * FROM generate_series(1, 1000000000)",
    "SELECT " + "(" * 5000 + "1" + ")" * 5000, "SELECT " + "abs(" * 3000 + "1" + ")" * 3000, "SELECT " + "-" * 40_000 + "1",
    "SELECT " + "/*" * 20_000, "SELECT \x00", "\x00", "SELECT \ud800", "SELECT abs(-9223372036854775808), 1",
    "WITH " + ", ".join(f"c{n} AS (SELECT * FROM {f'c{n - 1}' if n else 't'} x JOIN {f'c{n - 1}' if n else 't'} y)" for n in range(40))
    + " SELECT count(*), 1 FROM c39", "SELECT json_extract(printf('%.*c', 9000000, '['), '$'), 1", "SELECT * FROM sqlite_temp_master",
    "EXPLAIN SELECT a, b FROM t", "SELECT a FROM t UNION ALL SELECT 1" * 999, "REINDEX",
    "UPDATE sqlite_master SET sql = ''", "DELETE FROM sqlite_schema",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def _judge(query: str, folder: Path) -> tuple[Status, float | None, str]:
    verdict = SqlResult(database=SHOP, seconds=0.3).verify(query.replace("{folder}", str(folder)), RIGHT)
    return verdict.status, verdict.score, verdict.reason


@pytest.mark.parametrize("query", FORBIDDEN)
def test_what_is_more_than_reading_is_forbidden(query: str, folder: Path) -> None:
    assert _judge(query, folder) == (Status.SCORED, 0.0, "forbidden")
    assert not list(folder.iterdir())


@pytest.mark.parametrize("query", ENDLESS)
def test_what_never_ends_or_takes_everything_is_over_a_limit(query: str, folder: Path) -> None:
    """In processor time that was given to it, and in a process of its own: this one stays as small as it was."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status, score, reason = _judge(query, folder)
    assert (status, score) == (Status.SCORED, 0.0)
    assert reason in ("over_limit", "wrong_columns", "wrong_rows", "query_failed"), reason
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


@pytest.mark.parametrize("query", REFUSED)
def test_what_is_no_query_earns_nothing(query: str, folder: Path) -> None:
    status, score, _ = _judge(query, folder)
    assert (status, score) == (Status.SCORED, 0.0)
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    "script",
    [
        "ATTACH '{folder}/a.db' AS e; CREATE TABLE e.t(a);",
        "VACUUM INTO '{folder}/b.db';",
        "SELECT load_extension('{folder}/x.so');",
        "SELECT writefile('{folder}/c', 'x');",
        f"{COUNT} SELECT count(*) FROM c;",
        f"INSERT INTO t {COUNT} SELECT x, zeroblob(1000000) FROM c;",
        "INSERT INTO t SELECT 1, zeroblob(900000000);",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO t VALUES (1, 1); END; PRAGMA recursive_triggers = 1; "
        "INSERT INTO t VALUES (1, 1);",
        "DROP TABLE t;",
    ],
)
def test_a_database_that_means_harm_is_the_rows_fault(script: str, folder: Path) -> None:
    """It is unscored for every completion, and writes nothing."""
    judge = SqlResult(database=(SHOP + script).replace("{folder}", str(folder)), seconds=0.3)
    for query in (RIGHT, "no query"):
        verdict = judge.verify(query, RIGHT)
        assert verdict.status is Status.UNSCORED
        assert verdict.reason in ("bad_database", "bad_reference")
    assert not list(folder.iterdir())


def test_only_a_file_is_a_database(folder: Path) -> None:
    """A pipe would be waited for, and a device has no end."""
    os.mkfifo(folder / "pipe.db")
    (folder / "noise.db").write_bytes(b"\xff" * 5000)
    (folder / "inside.db").mkdir()
    for path in (
        folder / "pipe.db",
        Path("/dev/zero"),
        folder / "noise.db",
        folder / "inside.db",
        folder / "none.db",
    ):
        verdict = SqlResult().verify("SELECT 1", "SELECT 1", database={"file": str(path)})
        assert (verdict.status, verdict.reason) == (Status.UNSCORED, "bad_database"), path
