"""What ends a run over a file, what brings its groups together, and what is not written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.files.chunk_scorer import Scored
from adapters.files.engines import FaultLimit
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
