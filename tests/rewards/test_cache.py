"""Kept verdicts: found again, bounded, and never in place of a fresh one that would differ."""

from __future__ import annotations

import pickle
import time
from pathlib import Path

import pytest

from rewards import Batch, Pay, VerdictCache
from tests.timing import HANG
from verifiers import (
    ConfigError,
    ExactMatch,
    Judge,
    Length,
    MathEquivalence,
    Status,
    Verdict,
    Verifier,
    verifier,
)  # fmt: skip

CALLS: list[str] = []


@verifier
def slow(response: str, task: str = "") -> float:
    """A verdict that takes as long as a small model's."""
    CALLS.append(response)
    time.sleep(0.003)
    if response == "broken":
        raise RuntimeError("broken")
    return float(response == "right")


@verifier
def quick(response: str) -> float:
    """A verdict that is cheaper than finding it again."""
    CALLS.append(response)
    return 1.0


def _paid(
    cache: VerdictCache, completions: list[str], judge: Verifier = slow, **columns: list[str]
) -> list[float | None]:
    CALLS.clear()
    columns.setdefault("task", ["t"] * len(completions))
    return [payment.value for payment in Batch(completions, columns, cache=cache).pay(Pay(judge))]


def test_a_kept_verdict_is_found_again() -> None:
    """Whatever the weights, in order, and equal rows of one batch are judged once."""
    cache = VerdictCache()
    assert (_paid(cache, ["right", "wrong", "right"]), CALLS) == ([1.0, 0.0, 1.0], ["right", "wrong"])
    assert (_paid(cache, ["wrong", "new", "right"]), CALLS) == ([0.0, 0.0, 1.0], ["new"])
    batch = Batch(["right"], {"task": ["t"]}, cache=cache)
    assert ([payment.value for payment in batch.pay(0.25 * Pay(slow))], CALLS) == ([0.25], ["new"])
    assert (cache.hits, cache.misses) == (3, 3)


def test_another_row_is_another_verdict() -> None:
    """Reference, thinking, and every column that the function asks for count; others do not."""
    cache = VerdictCache()
    _paid(cache, ["right"])
    assert (_paid(cache, ["right"], task=["u"]), CALLS) == ([1.0], ["right"])
    _paid(cache, ["<think>so</think>right"])
    assert CALLS == ["right"]
    _paid(cache, ["right"], other=["x"])
    assert CALLS == []
    _paid(cache, ["right"], slow, answer=["4"])
    assert CALLS == ["right"]


def test_cheap_and_broken_verdicts_are_not_kept() -> None:
    """A fault says nothing about the answer, so it is tried again."""
    dear = VerdictCache(worth_seconds=HANG)  # however busy the machine is
    _paid(dear, ["right"], quick)
    _paid(dear, ["right"], quick)
    assert CALLS == ["right"]
    cache = VerdictCache()
    assert _paid(cache, ["broken"]) == _paid(cache, ["broken"]) == [None]
    assert CALLS == ["broken", "broken"], "two tries each"
    [payment] = Batch(["a"], {}, cache=cache).pay(Pay(Judge()))
    assert payment.status is Status.UNSCORED


def test_memory_is_bounded() -> None:
    """The least recently used goes first."""
    cache = VerdictCache(memory=2)
    _paid(cache, ["a", "b"])
    _paid(cache, ["a"])
    _paid(cache, ["c"])
    _paid(cache, ["a", "b"])
    assert CALLS == ["b"]


def test_a_folder_outlives_the_process_and_is_shared(tmp_path: Path) -> None:
    """Through pickle too; what is on disk is JSON."""
    folder = tmp_path / "kept"
    _paid(VerdictCache(folder), ["right"])
    assert (_paid(VerdictCache(folder), ["right"]), CALLS) == ([1.0], [])
    travelled = pickle.loads(pickle.dumps(VerdictCache(folder)))
    assert (_paid(travelled, ["right"]), CALLS) == ([1.0], [])
    assert not any(b"verifiers" in file.read_bytes() and b"c__builtin__" in file.read_bytes()
                   for file in folder.rglob("*") if file.is_file())  # fmt: skip


def test_the_same_verdict_comes_back(tmp_path: Path) -> None:
    judge, row = MathEquivalence(), [r"\boxed{\sqrt{8}}"]
    fresh = judge.verify_batch(row, [r"2\sqrt2"])
    splits = Batch(row).splits
    for cache in (VerdictCache(tmp_path / "kept", worth_seconds=0), VerdictCache(tmp_path / "kept")):
        assert cache.verdicts(judge, splits, [r"2\sqrt2"], {}) == fresh
    assert cache.hits == 1
    assert isinstance(fresh[0], Verdict)


def test_the_librarys_own_code_counts_where_its_version_says_little() -> None:
    """A clone is edited under one version."""
    from rewards.cache import _library_digest

    keys = VerdictCache()._keys(ExactMatch(), Batch(["a"]).splits, ["a"], {})
    assert keys == VerdictCache()._keys(ExactMatch(), Batch(["a"]).splits, ["a"], {})
    assert keys != VerdictCache()._keys(ExactMatch(ignore_case=True), Batch(["a"]).splits, ["a"], {})
    assert len(_library_digest()) == 24


def test_what_cannot_be_compared_is_judged_every_time() -> None:
    """A column of things that are not data, and completions that are not text."""
    cache = VerdictCache()
    for _ in range(2):
        assert _paid(cache, ["right"], task=[object()]) == [1.0]  # type: ignore[list-item]
        assert CALLS == ["right"]
    assert _paid(cache, [7]) == [None]  # type: ignore[list-item]


def test_the_columns_that_verifiers_read_are_known() -> None:
    """A built-in one that reads a column must say so."""
    assert (ExactMatch().fields_read(), Length(unit="tokens").fields_read()) == ((), ("completion_tokens",))
    assert slow.fields_read() == ("response", "task")


def test_bounds_are_checked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="bounds must be positive"):
        VerdictCache(memory=0)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot keep verdicts there"):
        VerdictCache(tmp_path / "file")


def test_a_function_that_is_defined_again_is_another_one() -> None:
    """As in a notebook, where no file tells the two apart."""
    namespace = {"__name__": "__main__", "verifier": verifier}
    cache = VerdictCache(worth_seconds=0)
    paid = []
    for value in ("1.0", "0.0"):
        exec(f"@verifier\ndef cell(response):\n    return {value}\n", namespace)
        [payment] = Batch(["a"], {}, cache=cache).pay(Pay(namespace["cell"]))  # type: ignore[arg-type]
        paid.append(payment.value)
    assert paid == [1.0, 0.0]


def test_a_damaged_folder_costs_no_verdict(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is told once, and everything is judged anew."""
    import sqlite3

    _paid(VerdictCache(tmp_path), ["right", "wrong"])
    with sqlite3.connect(tmp_path / "cache.db") as database:
        database.execute("UPDATE Cache SET value = ?", (b"junk",))
    database.close()
    assert (_paid(VerdictCache(tmp_path), ["right", "wrong"]), CALLS) == ([1.0, 0.0], ["right", "wrong"])
    assert caplog.text.count("verdicts are computed again") == 1
