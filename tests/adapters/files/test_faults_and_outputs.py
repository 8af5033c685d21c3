"""What ends a run over a file, what brings its groups together, and what is not written over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapters.files.chunk_scorer import Scored
from adapters.files.engines import FaultLimit
from adapters.files.jsonl import Source
from adapters.files.scored_candidates import Reader
from adapters.files.scored_output import FaultsError, Output
from verifiers import ConfigError


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


def test_completions_of_a_prompt_that_stand_apart_are_brought_together_where_asked(tmp_path: Path) -> None:
    """And refused otherwise: half a group is another group."""
    rows = [("a", 1.0), ("b", 0.0), ("a", 0.0)]
    path = tmp_path / "scored.jsonl"
    path.write_text(
        "".join(
            json.dumps({
                "prompt": prompt, "completion": str(score), "reward": score,
                "reward_parts": {"right": score}, "verdict_parts": ["right"],
                "verdicts": [{"verifier": "X", "status": "scored", "score": score, "reason": "r"}],
            })
            + "\n"
            for prompt, score in rows
        )
    )  # fmt: skip
    found = Reader(outcome="right", sort=True).groups(Source([str(path)]))
    assert sorted([each.outcome for each in group] for group in found) == [[0.0], [1.0, 0.0]]
    with pytest.raises(ConfigError, match="must follow one another"):
        list(Reader(outcome="right").groups(Source([str(path)])))


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
