"""SqlResult: files stay as they are, the reference comes first, and results are compared as bags."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from tests.support import from_table
from verifiers import SqlResult
from verifiers.tools.sql_result import orders
from verifiers.tools.sql_running import Rows, difference

OPTIONS = {"in_order": False, "as_set": False, "any_columns": False, "tolerance": 1e-6}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A database in a file."""
    path = tmp_path / "my shop.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    connection.close()
    return path


def test_a_file_is_read_and_never_written(shop: Path) -> None:
    """Whatever a query tries: the file and its folder are as they were."""
    before = shop.read_bytes()
    judge = SqlResult(folder=str(shop.parent))
    assert judge.verify("SELECT b FROM t", "SELECT b FROM t", database=shop.name).score == 1.0
    for query in (
        "DELETE FROM t",
        "INSERT INTO t VALUES (3, 'z') RETURNING b",
        f"VACUUM INTO '{shop.parent / 'copy.db'}'",
        f"ATTACH '{shop.parent / 'new.db'}' AS n",
        "PRAGMA journal_mode = WAL",
    ):
        verdict = judge.verify(query, "SELECT b FROM t", database={"file": shop.name})
        assert (verdict.score, verdict.reason) == (0.0, "forbidden"), query
    assert shop.read_bytes() == before
    assert [each.name for each in shop.parent.iterdir()] == [shop.name]


def test_a_changed_file_is_another_database(shop: Path) -> None:
    """What the reference gave is remembered for the file as it was."""
    judge = SqlResult()
    query = "SELECT count(*) FROM t"
    assert judge.verify("SELECT 2", query, database=str(shop)).score == 1.0
    with sqlite3.connect(shop) as connection:
        connection.execute("INSERT INTO t VALUES (3, 'a longer text, so that the size changes')")
    connection.close()
    assert judge.verify("SELECT 2", query, database=str(shop)).score == 0.0
    assert judge.verify("SELECT 3", query, database=str(shop)).score == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_bags_are_the_same_in_any_order(seed: int) -> None:
    """Shuffled, with numbers that differ within the tolerance: the same; with one value changed: not."""
    chance = random.Random(seed)
    rows = [(chance.randint(0, 3), chance.choice("ab"), chance.random(), chance.random()) for _ in range(60)]
    moved = [(a, b, c + chance.uniform(-4e-7, 4e-7), d) for a, b, c, d in rows]
    chance.shuffle(moved)
    assert difference(Rows(4, moved), Rows(4, rows), **OPTIONS) == ("", "")
    turned = [row[::-1] for row in moved]
    assert difference(Rows(4, turned), Rows(4, rows), **OPTIONS)[0] == "wrong_rows"
    assert difference(Rows(4, turned), Rows(4, rows), **{**OPTIONS, "any_columns": True}) == ("", "")
    a, b, c, d = moved[7]
    moved[7] = (a, b, c + 1e-4, d)
    assert difference(Rows(4, moved), Rows(4, rows), **OPTIONS)[0] == "wrong_rows"


def test_pairs_need_more_than_sorting() -> None:
    """Rows whose first numbers agree within the tolerance may have to be crossed over."""
    rows, wanted = [(1.0, 5.0), (1.0 + 4e-7, 3.0)], [(1.0, 3.0), (1.0 + 4e-7, 5.0)]
    assert difference(Rows(2, rows), Rows(2, wanted), **OPTIONS) == ("", "")


def test_many_columns_end() -> None:
    """Columns that are all alike have more orders than can be tried; the first fits."""
    rows = Rows(30, [(1,) * 30, (2,) * 30])
    assert difference(rows, rows, **{**OPTIONS, "any_columns": True}) == ("", "")


@from_table()
def test_only_the_outermost_order_counts(query: str, ordered: bool) -> None:
    """Inside brackets, texts, names and comments it orders nothing."""
    assert orders(query) is ordered


def test_unusable_references_are_unscored_for_every_completion() -> None:
    """Also for one that would be refused by itself."""
    judge = SqlResult(database="CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    for reference in ("SELECT b FROM t", "SELECT random()", "DROP TABLE t", "SELECT 1; SELECT 2"):
        for completion in ("", "SELECT 1", "DROP TABLE t"):
            assert judge.verify(completion, reference).reason == "bad_reference", (reference, completion)
        assert judge.judge_reference(reference).kind == "unusable"
