"""Whatever breaks on a row is that row's fault, in files and in the server, and they say the same of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.files.chunk_scorer import Scorer
from adapters.files.engines import score_in
from adapters.files.formats.lines import dumps
from adapters.serve.counters import Metrics
from adapters.serve.load_limits import Limits
from adapters.serve.recipes import Served
from adapters.serve.workers import Workers
from rewards import Reward, load_recipe
from tests.adapters.row_breakers import BREAKING, DEEP, FINE, nested
from tests.timing import examples
from verifiers.runtime.pool import WorkerPool

HERE = "tests.adapters.row_breakers"
RECIPES: dict[str, Any] = {
    "function": {"pay": {"FunctionVerifier": f"{HERE}:breaks"}},
    "isolated": {"pay": {"FunctionVerifier": f"{HERE}:apart"}},
    "batched": {"TrlFunction": f"{HERE}:batched"},
}


def _reward(name: str, folder: Path) -> Reward:
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"reward": RECIPES[name]}))
    return load_recipe(str(path))


def _of_files(lines: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines()]


@pytest.fixture(scope="module", params=list(RECIPES))
def judges(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A reward's ways: in this process, in the processes of files, in those of the server."""
    reward = _reward(request.param, tmp_path_factory.mktemp("recipes"))
    scorer, pool = Scorer(reward), WorkerPool(1, memory=None)
    served = Served(request.param, scorer)
    workers = Workers(1, Limits(), Metrics())

    def judged(rows: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
        lines = [dumps(row) for row in rows]
        places = [f"rows[{place}]" for place in range(len(rows))]
        return [
            _of_files(scorer.score(lines, places).output),
            _of_files(score_in(pool, served.pickled(1.0), lines, places).output),
            workers.judge(served, 1.0, rows, places),
        ]

    yield judged
    workers.close()
    pool.close()


COLUMNS: dict[str, Any] = {
    "none": None, "nested": nested(DEEP), "half a pair": "\udfff", "no number": float("nan"),
    "an object": {"completions": nested(DEEP - 1)},
}  # fmt: skip
"""By names, since what is nested cannot be shown when a test fails."""
ROWS = st.lists(
    st.tuples(st.sampled_from([*BREAKING, *FINE, *FINE]), st.sampled_from(list(COLUMNS))),
    min_size=1,
    max_size=6,
)


@settings(deadline=None, max_examples=examples(12))
@given(ROWS)
def test_a_rows_failure_is_its_own(judges: Any, made: list[tuple[str, str]]) -> None:
    """Every other row is paid, and files, processes and the server agree on each."""
    rows = [{"completion": word, "z": COLUMNS[z]} for word, z in made]
    found = judges(rows)
    for results in found:
        assert len(results) == len(rows)
        for (word, _), result in zip(made, results, strict=True):
            if word in BREAKING:
                assert result["reward"] is None
                assert [each["status"] for each in result["verdicts"]] == ["fault"]
            elif z_travels(result):
                assert result["reward"] == 1.0
    for (_, z), here, beside, served in zip(made, *found, strict=True):
        # Hypothesis lets calls go deeper in this process, so that more can be handed to a verifier's worker.
        same = (beside, served) if z in ("nested", "an object") else (here, beside, served)
        assert len({each["reward"] for each in same}) == 1
        assert len({tuple(each["reason"] for each in one["verdicts"]) for one in same}) == 1


def z_travels(result: dict[str, Any]) -> bool:
    """Whether the row could be handed to a worker of its verifier, which takes its columns as objects."""
    return all(each["reason"] != "not_sent" for each in result["verdicts"])


@pytest.mark.parametrize("depth", [1, 400, 900, 929])
def test_what_json_holds_is_judged_wherever_it_is_nested(tmp_path: Path, depth: int) -> None:
    """In a column that nothing reads, by the command's own scorer and by the server's workers."""
    scorer = Scorer(load_recipe("gsm8k_tags"))
    row = {"completion": "<THINK>a</THINK><SOLUTION>75</SOLUTION>", "answer": "75", "z": nested(depth)}
    [of_file] = _of_files(scorer.score([dumps(row)]).output)
    workers = Workers(1, Limits(), Metrics())
    [of_server] = workers.judge(Served("r", scorer), 1.0, [row], ["rows[0]"])
    workers.close()
    assert of_file["reward"] == of_server["reward"] == 1.5


def test_references_that_are_nested_are_faults_at_worst() -> None:
    scorer = Scorer(load_recipe("MathEquivalence"))
    rows = [{"completion": "7", "answer": answer} for answer in ("7", nested(DEEP), {"a": nested(DEEP)}, "8")]
    found = _of_files(scorer.score([dumps(row) for row in rows]).output)
    assert [each["reward"] for each in found] == [1.0, None, None, 0.0]
