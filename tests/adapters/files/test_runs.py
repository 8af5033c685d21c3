"""Runs over files, without a command around them: what waits, what a run continues, what stops it, what it writes."""

from __future__ import annotations

import contextlib
import errno
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files import engines
from adapters.files.chunk_scorer import Scored, Scorer, dumps, score_in_worker
from adapters.files.engines import FaultLimit, Here, Processes, score_apart
from adapters.files.file_runner import run
from adapters.files.file_scorer import FileScorer
from adapters.files.jsonl import CHUNK_ROWS, Line, Overlong, Source
from adapters.files.reference_table import Place, shortened
from adapters.files.row_faults import MOST_ENDED, Ended
from adapters.files.scored_candidates import Reader
from adapters.files.scored_output import FaultsError, Output, RunError
from adapters.files.tallies import MAX_REASONS, Tally
from rewards import LengthTarget, Linear, Pay, Rank, SoftOverlong
from tests.adapters.own_things import DEADLY, survived
from verifiers import ConfigError, ExactMatch, Keywords, Status, TagFormat
from verifiers.runtime.worker_process import Outcome

SCORER = Scorer(Pay(Keywords(("a", "b"), mode="fraction")))


def _written(path: Path, *rows: Any) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def _run(source: str, output: Path, **options: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows that a run leaves, and what it says of lines that it rejects."""
    said: list[str] = []
    written = Output(str(output), **options)
    try:
        run(Source([source]), SCORER, written, report=said.append)
    finally:
        written.close()
    return [json.loads(line) for line in output.read_text().splitlines()], said


def test_several_chunks_wait_and_never_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that all workers have something to do, and memory stays small; rows come in order."""
    chunks, workers = 20, 3
    source = _written(tmp_path / "in.jsonl", *({"completion": "a"} for _ in range(chunks * CHUNK_ROWS)))
    waiting: list[int] = []
    handed_in, finished = 0, 0

    class Noting(Processes):
        """Counts what waits, and works nowhere."""

        def submit(self, scorer: FileScorer, lines: Sequence[Line]) -> Callable[[], Scored]:
            nonlocal handed_in
            handed_in += 1
            self._waiting += 1
            mine = handed_in

            def wait() -> Scored:
                nonlocal finished
                waiting.append(handed_in - finished)
                finished += 1
                self._waiting -= 1
                assert mine == finished
                return Scored(b"%d\n" % mine)

            return wait

    done: list[int] = []
    output = tmp_path / "out.jsonl"
    with contextlib.closing(Output(str(output))) as rows:
        run(Source([source]), SCORER, rows, engine=lambda: Noting(workers), progress=done.append)
    assert output.read_text().split() == [str(number) for number in range(1, chunks + 1)]
    assert (max(waiting), done) == (2 * workers + 1, [CHUNK_ROWS] * chunks)
    assert Here().full


NUMBER = {"completion": "a", "x": float("nan"), "number": 5}


@pytest.mark.parametrize(
    "changed",
    [
        {**NUMBER, "number": 4}, {**NUMBER, "number": 6}, {**NUMBER, "completion": "0"},
        {**NUMBER, "completion": "b"}, {**NUMBER, "more": 1}, {"completion": "a", "x": float("nan")},
    ],
)  # fmt: skip
def test_a_run_continues_with_the_same_input_only(tmp_path: Path, changed: dict[str, Any]) -> None:
    """Whichever way a row differs; NaN differs from itself, and is the same."""
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    whole, _ = _run(_written(source, NUMBER, NUMBER, [], NUMBER), output)
    assert len(whole) == 3
    lines = output.read_text().splitlines(keepends=True)
    output.write_text("".join(lines[:2]))
    assert [row["reward"] for row in _run(str(source), output, resume=True)[0]] == [0.5, 0.5, 0.5]
    assert output.read_text() == "".join(lines)
    _written(source, NUMBER, changed)
    with pytest.raises(ConfigError, match=r"does not agree with .*in.jsonl:2; was the input changed"):
        _run(str(source), output, resume=True)
    assert output.read_text() == "".join(lines)
    _written(source, NUMBER)
    with pytest.raises(ConfigError, match="has more rows than the input"):
        _run(str(source), output, resume=True)


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        "[]",
        '{"reward": 1}',
        '{"signature": 1, "reward": 1, "reward_parts": {}, "verdicts": [{"reason": "a"}], "verdict_parts": []}',
        '{"signature": 1, "reward": 1, "reward_parts": {}, "verdicts": [{"reason": 1}], "verdict_parts": ["a"]}',
        '{"signature": 1, "reward": 1, "reward_parts": [], "verdicts": [], "verdict_parts": []}',
        '{"signature": 1, "reward_parts": {}, "verdicts": [], "verdict_parts": []}',
    ],
)
def test_what_no_run_wrote_is_not_continued(tmp_path: Path, broken: str) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    _written(source, NUMBER)
    output.write_text(f"{broken}\n")
    with pytest.raises(ConfigError, match="holds a line that is not a scored row; nothing was changed"):
        _run(str(source), output, resume=True)
    assert output.read_text() == f"{broken}\n"


class _Full:
    """A file on a full disk."""

    def write(self, rows: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("path", "hint"), [("out.jsonl", "make room and run again"), ("-", "nothing can be")]
)
def test_a_full_disk_says_what_to_do(tmp_path: Path, path: str, hint: str) -> None:
    """A file can be continued, standard output cannot."""
    output = Output("-" if path == "-" else str(tmp_path / path))
    output._rows = _Full()  # type: ignore[assignment]
    with pytest.raises(RunError, match=f"{path}: No space left on device; {hint}"):
        output.write(b"{}\n")
    output.write(b"")


def test_only_numbers_of_tokens_are_counted_from_ids() -> None:
    """Another column that is missing is missing, whatever its name."""
    scorer = Scorer(Pay(ExactMatch()) + SoftOverlong(4, 2))
    for row, missing in (
        ({"completion": "4", "answer": "4", "completion_ids": [1]}, None),
        ({"completion": "4", "answer": "4", "completion_tokens": 1}, None),
        ({"completion": "4", "answer": "4"}, "completion_tokens"),
        ({"completion": "4", "completion_ids": [1]}, "answer"),
        ({"answer": "4", "completion_ids": [1]}, "completion"),
    ):
        if missing is None:
            scorer.check_columns(row, "f")
            assert scorer.read(json.dumps(row).encode()) == row
            continue
        with pytest.raises(ConfigError, match=f"f has no column '{missing}'"):
            scorer.check_columns(row, "f")
        with pytest.raises(ValueError, match=f"no column '{missing}'"):
            scorer.read(json.dumps(row).encode())


class _Pool:
    """Workers that work here, or that have failed."""

    broken = False
    closed = 0

    def __init__(self, workers: int, memory: int | None, secrets: bool) -> None:
        assert (workers, secrets) == (2, True)  # a recipe's judges ask services

    def run(self, function: str, arguments: tuple[bytes, list[bytes]], **options: Any) -> Outcome:
        if self.broken:
            return Outcome(False, detail="the worker is gone", reason="worker", by_task=False)
        return Outcome(True, score_in_worker(*arguments))

    def stop(self) -> None:
        _Pool.closed += 1


def test_a_worker_scores_as_this_process_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that fails stops the run with its reason; the pool is closed either way."""
    monkeypatch.setattr(engines, "WorkerPool", _Pool)
    source = _written(tmp_path / "in.jsonl", *({"completion": "a"} for _ in range(3 * CHUNK_ROWS)), [])
    alone, said = _run(source, tmp_path / "alone.jsonl")
    output = Output(str(tmp_path / "shared.jsonl"))
    with contextlib.closing(output):
        tallies, rejected = run(Source([source]), SCORER, output, workers=2)
    assert [json.loads(line) for line in (tmp_path / "shared.jsonl").read_text().splitlines()] == alone
    assert (rejected, len(said), tallies["reward"].rows, _Pool.closed) == (1, 1, 3 * CHUNK_ROWS, 1)
    monkeypatch.setattr(_Pool, "broken", True)
    broken = Output(str(tmp_path / "broken.jsonl"))
    with contextlib.closing(broken), pytest.raises(RunError, match="process failed: the worker is gone"):
        run(Source([source]), SCORER, broken, workers=2)
    assert _Pool.closed == 2


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        ("x" * 60, "x" * 60), ("x" * 61, "x" * 60 + "…"), (" a \n b ", "a b"),
        ("x" * 239 + " y", "x" * 60 + "…"), ("a" + " " * 300 + "b", "a"), ("x" * 10**6, "x" * 60 + "…"),
        (["a", 1], "['a', 1]"), (None, "None"), ("", ""),
    ],
)  # fmt: skip
def test_a_reference_is_shown_short(reference: Any, shown: str) -> None:
    """Sixty characters of it, on one line; what cannot be shown, by its type."""
    assert (shortened(reference), shortened(10**5000)) == (shown, "<int>")


@pytest.mark.parametrize("kind", [Line, Overlong, Reader, Scorer, Place], ids=lambda kind: kind.__name__)
def test_what_is_read_and_how_is_frozen(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen


def test_a_run_goes_on_after_lines_that_it_rejects(tmp_path: Path) -> None:
    """Those before the place where it was interrupted, and those after it: the same rows, the same complaints."""
    rows = [{"completion": "a"}, 7, {"completion": "b"}, [], {"completion": "a b"}]
    source = _written(tmp_path / "in.jsonl", *rows)
    whole, said = _run(source, tmp_path / "whole.jsonl")
    assert (len(whole), len(said)) == (3, 2)
    torn = tmp_path / "torn.jsonl"
    for kept in range(4):
        lines = (tmp_path / "whole.jsonl").read_text().splitlines(keepends=True)
        torn.write_text("".join(lines[:kept]))
        assert _run(source, torn, resume=True) == (whole, said)


def test_a_run_goes_on_after_half_a_row(tmp_path: Path) -> None:
    """What was being written when it was interrupted is written again; a first line may be rejected, too."""
    source = tmp_path / "in.jsonl"
    source.write_text('not JSON\n{"completion": "a"}\n{"completion": "b"}\n')
    whole, said = _run(str(source), tmp_path / "whole.jsonl")
    assert (len(whole), len(said)) == (2, 1)
    written = (tmp_path / "whole.jsonl").read_bytes()
    torn = tmp_path / "torn.jsonl"
    for kept in (10, len(written) // 2 + 10, len(written) - 1):
        torn.write_bytes(written[:kept])
        assert _run(str(source), torn, resume=True) == (whole, said)


def _broken(rows: int) -> Scored:
    found = Scored()
    found.faults, found.same_fault = rows, "Mine: ValueError"
    return found


def test_a_reward_that_breaks_on_all_of_the_first_rows_ends_the_run() -> None:
    """Unless it is allowed, or an earlier chunk was well."""
    with pytest.raises(FaultsError, match="breaks on each of the first 4 in the same way: Mine: ValueError"):
        FaultLimit(None).count(_broken(4), 4)
    FaultLimit(4).count(_broken(4), 4)
    well = FaultLimit(None)
    well.count(Scored(), 4)
    well.count(_broken(4), 4)
    with pytest.raises(FaultsError):
        FaultLimit(3).count(_broken(4), 4)


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    """Neither the rows nor the rejected lines, nor in the place of a folder; unless that is asked for."""
    rows, rejected = tmp_path / "out.jsonl", tmp_path / "out.rejected.jsonl"
    for each in (rows, rejected):
        each.write_text("")
        with pytest.raises(ConfigError, match=f"{each.name}: already exists"):
            Output(str(rows))
        Output(str(rows), force=True).close()
        each.unlink(missing_ok=True)
    rejected.mkdir()
    with pytest.raises(ConfigError, match=r"out\.rejected\.jsonl: is a folder"):
        Output(str(rows), force=True)


WORDS = Scorer(Pay(Keywords(("a", "b"), mode="fraction")).named("words"))


def _lines_of(completions: list[str]) -> tuple[list[bytes], list[str]]:
    """Lines of a file; one without a completion cannot be scored."""
    rows = [{"completion": each, "prompt": "p"} if each else {} for each in completions]
    return [json.dumps(row).encode() for row in rows], [f"f:{number}" for number in range(1, len(rows) + 1)]


def _attempt(scorer: Scorer) -> Any:
    def attempt(lines: list[bytes], places: list[str]) -> Scored | Ended:
        deadly = any(DEADLY in line.decode() for line in lines)
        return Ended("it is gone") if deadly else scorer.score(lines, places)

    return attempt


@given(st.lists(st.sampled_from(["a", "b", "a b", "", "c"]), min_size=1, max_size=40), st.data())
def test_a_row_that_no_process_survives_costs_its_own_reward_alone(rows: list[str], data: Any) -> None:
    """Wherever it is among how many others: these have the bytes that they would have without it."""
    place = data.draw(st.integers(0, len(rows)))
    with_it = [*rows[:place], DEADLY, *rows[place:]]
    found = score_apart(_attempt(WORDS), lambda: WORDS, *_lines_of(with_it))
    alone = WORDS.score(*_lines_of(rows))
    lines = found.output.splitlines(keepends=True)
    broken = next(line for line in lines if DEADLY.encode() in line)
    assert b"".join(line for line in lines if line != broken) == alone.output
    row = json.loads(broken)
    assert (row["reward"], row["reward_parts"], row["verdict_parts"]) == (None, {"words": None}, ["words"])
    assert row["verdicts"][0]["status"] == "fault"
    assert row["verdicts"][0]["detail"] == f"it is gone; f:{place + 1}"
    assert (found.faults, found.lines, bool(found.same_fault)) == (1, len(with_it), not alone.output)
    assert {each - (each > place): why for each, why in found.problems.items()} == alone.problems
    assert (found.tallies["reward"].rows, Scored.from_bytes(found.to_bytes())) == (len(lines), found)


def test_rows_that_are_compared_stay_together() -> None:
    """A group without one of its rows would be another group."""
    scorer = Scorer(Rank(WORDS.reward))
    found = score_apart(_attempt(scorer), lambda: scorer, *_lines_of(["a", DEADLY, "b"]))
    assert [json.loads(line)["reward"] for line in found.output.splitlines()] == [None] * 3
    assert found.faults == 3


def test_what_ends_every_process_ends_the_run() -> None:
    """Row by row it would take hours to say the same; one row that is scored shows that rows differ."""
    everything = _lines_of([DEADLY] * 64)
    with pytest.raises(RunError, match="on row after row: it is gone"):
        score_apart(_attempt(WORDS), lambda: WORDS, *everything)
    mixed = ["a", *[DEADLY] * (2 * MOST_ENDED)]
    assert score_apart(_attempt(WORDS), lambda: WORDS, *_lines_of(mixed)).faults == 2 * MOST_ENDED


def test_a_worker_that_a_row_ends_is_replaced(tmp_path: Path) -> None:
    """The run goes on, and can be resumed."""
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    completions = ["a", "a b", DEADLY, "b"]
    source.write_text("".join(json.dumps({"completion": each}) + "\n" for each in completions))
    scorer = Scorer(Pay(survived).named("survived"))
    for resume in (False, True):
        with contextlib.closing(Output(str(output), resume=resume)) as written:
            tallies, _ = run(Source([str(source)]), scorer, written, engine=lambda: Processes(1))
        rows = [json.loads(line) for line in output.read_text().splitlines()]
        assert ([row["reward"] for row in rows], tallies["reward"].faults) == ([1.0, 1.0, None, 1.0], 1)
        assert "exit status 7" in rows[2]["verdicts"][0]["detail"]
        output.write_text("".join(output.read_text().splitlines(keepends=True)[: 3 - resume]))


HALF = Pay(Keywords(("a", "b"), mode="fraction"))


def test_only_what_is_entirely_right_has_passed() -> None:
    """A partial score is scored and has not passed; a fault is no row that cannot be judged."""
    tally = Tally()
    for status, value in (
        (Status.SCORED, 1.0), (Status.SCORED, 0.999), (Status.SCORED, 0.5), (Status.SCORED, 0.0),
        (Status.UNSCORED, None), (Status.FAULT, None), (Status.SCORED, 1.5),
    ):  # fmt: skip
        tally.add(status, value, "why")
    assert (tally.rows, tally.scored, tally.passed, tally.faults) == (7, 5, 2, 1)
    assert (tally.total, tally.reasons) == (pytest.approx(3.999), {"why": 7})
    tally.merge(tally)
    assert (tally.rows, tally.scored, tally.passed, tally.faults) == (14, 10, 4, 2)
    assert (tally.total, tally.reasons) == (pytest.approx(7.998), {"why": 14})


def test_reasons_that_a_plug_in_makes_up_do_not_fill_the_memory() -> None:
    """The first thousand are counted, and continue to be counted."""
    tally = Tally()
    for number in range(MAX_REASONS + 5):
        tally.add(Status.SCORED, 0.0, f"reason_{number}")
    tally.add(Status.SCORED, 0.0, "reason_0")
    tally.add(Status.SCORED, 0.0, "")
    assert len(tally.reasons) == MAX_REASONS == 1000
    assert tally.reasons["reason_0"] == 2
    assert "" not in tally.reasons


@pytest.mark.parametrize(
    ("raw", "start"),
    [
        (b'{"completion": "a", "x": 1.0e5}', b'{"completion": "a", "x": 1.0e5, "reward": '),
        (b' { "completion" : "a" } ', b'{ "completion" : "a", "reward": '),
    ],
)
def test_a_scored_line_is_the_line_with_more_in_it(raw: bytes, start: bytes) -> None:
    """Its own bytes, a comma where something comes before, and one line break."""
    scored = Scorer(HALF).score([raw])
    assert scored.output.startswith(start)
    assert scored.output.endswith(b"}\n")
    assert scored.output.count(b"\n") == 1
    row = json.loads(scored.output)
    assert (row["reward"], row["reward_parts"]) == (0.5, {"Keywords": 0.5})
    assert (row["verdict_parts"], row["verdicts"][0]["reason"]) == (["Keywords"], "partly_found")


def test_a_summary_tells_verdicts_from_payments() -> None:
    """What the reward pays, each verifier under its part's name, and parts that no verdict is behind."""
    reward = HALF.named("words") + 0.5 * Pay(TagFormat()) + LengthTarget(1, 1.0)
    lines = [b'{"completion": "a"}', b'{"completion": "a b"}', b"[]", b'{"completion": 3}', b"{}"]
    scored = Scorer(reward).score(lines)
    assert list(scored.problems) == [2, 3, 4]
    assert scored.problems[3] == "'completion' is neither text nor chat messages but int"
    assert scored.problems[4] == "no column 'completion'"
    tallies = scored.tallies
    assert set(tallies) == {"reward", "words", "TagFormat", "LengthTarget"}
    assert (tallies["words"].rows, tallies["words"].passed, tallies["words"].total) == (2, 1, 1.5)
    assert (tallies["TagFormat"].scored, tallies["TagFormat"].passed) == (2, 0)
    assert tallies["TagFormat"].reasons == {"missing_tag": 2}
    assert [name for name, tally in tallies.items() if not tally.judged] == ["LengthTarget"]
    assert (tallies["reward"].rows, tallies["reward"].total) == (2, -0.5)
    assert (Scored.from_bytes(scored.to_bytes()), Scorer(reward).score([])) == (scored, Scored())


def test_columns_have_the_names_that_the_caller_gives() -> None:
    """The reference, the number of tokens and the prompt; a message names the flag of a wrong one."""
    scorer = Scorer(
        Pay(ExactMatch()) + SoftOverlong(4, 2), completion_field="out", reference_field="gold",
        tokens_field="count",
    )  # fmt: skip
    assert scorer.columns == ["out", "gold", "count"]
    row = json.loads(scorer.score([b'{"out": "4", "gold": "4", "count": 3}']).output)
    assert row["reward"] == 0.5
    scorer.check_columns({"out": "4", "gold": "4", "count": 3}, "rows.jsonl")
    for column, flag in (
        ("out", "--completion-field"), ("gold", "--reference-field"), ("count", "--tokens-field"),
    ):  # fmt: skip
        given = {"out": "4", "gold": "4", "count": 3}
        del given[column]
        with pytest.raises(ConfigError, match=f"rows.jsonl has no column '{column}'.*{flag}"):
            scorer.check_columns(given, "rows.jsonl")
    ids = Scorer(SoftOverlong(4, 2))
    ids.check_columns({"completion": "4", "completion_ids": [1]}, "rows.jsonl")
    assert (
        json.loads(ids.score([b'{"completion": "4", "completion_ids": [1, 2, 3]}']).output)["reward"] == -0.5
    )


def test_a_signature_names_progress_where_something_moves() -> None:
    """Two points of one schedule are two rewards, and a fixed reward is one."""
    moving = Linear(1.0, 0.0) * HALF
    assert Scorer(moving, progress=0.5).signature == moving.signature() + "|progress:0.5"
    assert Scorer(HALF, progress=0.5).signature == HALF.signature()
    assert json.loads(Scorer(moving, progress=0.25).score([b'{"completion": "a"}']).output)["reward"] == 0.375


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    assert (dumps({"a": "정답"}), dumps("\ud800")) == ('{"a": "정답"}'.encode(), b'"\\ud800"')
