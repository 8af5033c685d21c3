"""Ray itself: two nodes on this machine, actors that are killed, a node that leaves; the results are those of one process."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import pytest
import ray
import ray.data
from ray.cluster_utils import Cluster

from adapters.cluster.dataset import score_dataset
from adapters.cluster.ray_engine import RayEngine
from adapters.cluster.ray_reward import RayReward
from adapters.files.chunk_scorer import Scorer
from adapters.files.file_runner import run
from adapters.files.jsonl import Source
from adapters.files.scored_output import Output
from rewards import Batch, Pay, Rank, load_recipe
from tests.adapters.own_things import DEADLY, survived
from tests.hosts.common import RECIPE, ROWS, comparing_reward, scored_by_cli
from verifiers import ConfigError

MANY = [{"id": number, **ROWS[number % len(ROWS)]} for number in range(2000)]
STORE = 100 << 20


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two nodes: one with a core, one with two."""
    made = Cluster()
    made.add_node(num_cpus=1, include_dashboard=False, object_store_memory=STORE)
    try:
        made.add_node(num_cpus=2, object_store_memory=STORE)
    except Exception:  # Ray gives a node 30 s, and a loaded machine may need more
        made.add_node(num_cpus=2, object_store_memory=STORE)
    ray.init(address=made.address, log_to_driver=False, logging_level=logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows as a file, and a line that is none."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    lines = [json.dumps(row, ensure_ascii=False) for row in MANY]
    path.write_text("\n".join([*lines[:700], "{", *lines[700:]]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def here(source: Path) -> bytes:
    """What one process writes."""
    output = source.with_name("here.jsonl")
    with contextlib.closing(Output(str(output))) as written:
        run(Source([str(source)]), Scorer(load_recipe(RECIPE)), written)
    return output.read_bytes()


def test_a_killed_actor_and_a_node_that_leaves_lose_nothing(
    cluster: Cluster, source: Path, here: bytes, tmp_path: Path
) -> None:
    """The bytes are those of one process; rejected lines as well."""
    leaving = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    cluster.wait_for_nodes()
    engines: list[RayEngine] = []
    said: list[str] = []
    done = 0

    def engine() -> RayEngine:
        engines.append(RayEngine())
        return engines[0]

    def progress(rows: int) -> None:
        nonlocal done
        before, done = done, done + rows
        if before < 500 <= done:
            ray.kill(next(iter(engines[0]._crew._at_work.values())))
        if before < 1200 <= done:
            cluster.remove_node(leaving)

    with contextlib.closing(Output(str(tmp_path / "there.jsonl"))) as written:
        tallies, rejected = run(
            Source([str(source)]), Scorer(load_recipe(RECIPE)), written, engine=engine, progress=progress,
            report=said.append,
        )  # fmt: skip
    assert (engines[0].actors, (tmp_path / "there.jsonl").read_bytes()) == (4, here)
    assert (rejected, tallies["reward"].rows, len(said)) == (1, 2000, 1)
    assert said[0].startswith(f"{source}:701: not JSON")


def test_the_command_joins_a_cluster_and_writes_the_same_bytes(
    cluster: Cluster, source: Path, here: bytes, tmp_path: Path
) -> None:
    """And resumes what one machine had begun."""
    output = tmp_path / "out.jsonl"
    output.write_bytes(b"".join(here.splitlines(keepends=True)[:777]))
    command = [str(Path(sys.executable).parent / "verify-cli"), "score", str(source), "-o", str(output)]
    options = ["--recipe", RECIPE, "--engine", "ray", "--address", cluster.address, "--resume"]
    done = subprocess.run([*command, *options], check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr  # a line was rejected
    assert (output.read_bytes(), (tmp_path / "out.rejected.jsonl").read_text()) == (here, "{\n")


def _processes_of(folder: str) -> list[str]:
    """Commands that name a folder, as those of a Ray do whose files are there."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            said = path.read_bytes()
            if folder.encode() in said:
                found.append(said.decode(errors="replace"))
    return found


def test_a_ray_that_is_started_for_a_run_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is left; the rewards are those of one process."""
    rows = [row for row in ROWS if row["answer"]]
    (tmp_path / "here").mkdir()
    here = scored_by_cli(rows, tmp_path / "here")
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:  # a short path: sockets go there
        monkeypatch.setenv("RAY_TMPDIR", folder)
        assert scored_by_cli(rows, tmp_path, RECIPE, "--engine", "ray", "--workers", "1") == here
        assert any(Path(folder).rglob("raylet*")), "it was started there"
        assert _processes_of(folder) == []


@pytest.mark.parametrize("kind", ["json", "parquet"])
def test_a_data_set_has_the_scores_of_the_file(
    cluster: Cluster, here: bytes, tmp_path: Path, kind: str
) -> None:
    """Read and written by Ray Data; sorted, since their order is not kept."""
    rows = ray.data.from_items(MANY[:400])
    getattr(rows, f"write_{kind}")(str(tmp_path / "rows"))
    scored = score_dataset(getattr(ray.data, f"read_{kind}")(str(tmp_path / "rows")), RECIPE, actors=1)
    scored.write_parquet(str(tmp_path / "scored"))
    found = sorted(ray.data.read_parquet(str(tmp_path / "scored")).take_all(), key=lambda row: row["id"])
    for row, line in zip(found, here.splitlines(), strict=False):
        wanted = json.loads(line)
        assert json.loads(row.pop("verdicts")) == wanted.pop("verdicts")
        assert row.pop("problem") is None
        assert (list(row.pop("verdict_parts")), row) == (wanted.pop("verdict_parts"), wanted)
    assert len(found) == 400


def test_rows_of_a_data_set_that_break_cost_their_own_reward(cluster: Cluster) -> None:
    """Whether a verifier ends its process, or there is nothing to judge."""
    texts = ["fine", DEADLY, None, "fine, too"]
    rows = ray.data.from_items([{"n": n, "completion": text} for n, text in enumerate(texts)])
    scored = score_dataset(rows, Pay(survived).named("survived"), actors=1).take_all()
    first, ended, nothing, last = sorted(scored, key=lambda row: row["n"])
    assert (first["reward"], ended["reward"], nothing["reward"], last["reward"]) == (1.0, None, None, 1.0)
    assert json.loads(ended["verdicts"])[0]["reason"] == "worker_died"
    assert "neither text nor chat messages" in nothing["problem"]
    with pytest.raises(ConfigError, match="the dataset has no column 'completion'; did you mean 'completon'"):
        score_dataset(ray.data.from_items([{"completon": "4"}]), Pay(survived))


def test_groups_of_a_data_set_are_brought_together(cluster: Cluster) -> None:
    """Whatever blocks they are in."""
    ray.data.DataContext.get_current().default_hash_shuffle_parallelism = 2
    rows = [
        {"n": n, "prompt": str(n % 2), "completion": f"\\boxed{{{n // 2}}}", "answer": "1"} for n in range(6)
    ]
    reward = Rank(load_recipe("MathEquivalence"))
    scored = score_dataset(ray.data.from_items(rows, override_num_blocks=3), reward, actors=1).take_all()
    order = [rows[n] for n in (0, 2, 4, 1, 3, 5)]
    wanted = reward([row["completion"] for row in order], **{
        name: [row[name] for row in order] for name in ("prompt", "answer")
    })  # fmt: skip
    found = {row["n"]: row["reward"] for row in scored}
    assert [found[row["n"]] for row in order] == wanted


def _batch(rows: list[dict[str, Any]]) -> Batch:
    names = ("prompt", "answer")
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in names}
    return Batch([row["completion"] for row in rows], columns)


def test_a_trainers_batch_is_paid_as_the_file_is(cluster: Cluster, tmp_path: Path) -> None:
    """With an actor killed on the way, and again after that; groups and rows that end actors as well."""
    rows = MANY[:512]
    wanted = scored_by_cli(rows, tmp_path)
    with contextlib.closing(RayReward(load_recipe(RECIPE), actors=2)) as remote:
        assert [payment.value for payment in remote.pay(_batch(rows))] == wanted
        ray.kill(next(iter(remote._held._crew._at_work.values())))
        assert remote.pay(_batch(rows)) == _batch(rows).pay(remote.reward)
    rows = sorted(rows, key=lambda row: row["prompt"])
    with contextlib.closing(RayReward(comparing_reward(), actors=1)) as remote:
        assert remote.pay(_batch(rows)) == _batch(rows).pay(remote.reward)
    with contextlib.closing(RayReward(Pay(survived), actors=1)) as remote:
        assert remote(["fine", DEADLY, "fine, too"]) == [1.0, None, 1.0]
