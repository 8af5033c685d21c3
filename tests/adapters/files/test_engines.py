"""Rows that no process survives, and what becomes of the rows around them."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files.chunk_scorer import Scored, Scorer
from adapters.files.engines import Processes, score_apart
from adapters.files.file_runner import run
from adapters.files.jsonl import Source
from adapters.files.row_faults import MOST_ENDED, Ended
from adapters.files.scored_output import Output, RunError
from rewards import Pay, Rank
from tests.adapters.own_things import DEADLY, survived
from verifiers import Keywords

SCORER = Scorer(Pay(Keywords(("a", "b"), mode="fraction")).named("words"))


def _lines(completions: list[str]) -> tuple[list[bytes], list[str]]:
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
    found = score_apart(_attempt(SCORER), lambda: SCORER, *_lines(with_it))
    alone = SCORER.score(*_lines(rows))
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
    scorer = Scorer(Rank(SCORER.reward))
    found = score_apart(_attempt(scorer), lambda: scorer, *_lines(["a", DEADLY, "b"]))
    assert [json.loads(line)["reward"] for line in found.output.splitlines()] == [None] * 3
    assert found.faults == 3


def test_what_ends_every_process_ends_the_run() -> None:
    """Row by row it would take hours to say the same; one row that is scored shows that rows differ."""
    everything = _lines([DEADLY] * 64)
    with pytest.raises(RunError, match="on row after row: it is gone"):
        score_apart(_attempt(SCORER), lambda: SCORER, *everything)
    mixed = ["a", *[DEADLY] * (2 * MOST_ENDED)]
    assert score_apart(_attempt(SCORER), lambda: SCORER, *_lines(mixed)).faults == 2 * MOST_ENDED


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
