"""What is told before anything is started, and what a table becomes; without Ray."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.cluster import actors, dataset
from adapters.cluster.actors import Session
from adapters.cluster.dataset import TableScorer, score_dataset
from adapters.files.chunk_scorer import WRITTEN, Scorer
from rewards import Pay, Rank, load_recipe
from tests.adapters.cli.commands import cli
from tests.adapters.own_things import DEADLY, survived
from verifiers import ConfigError, MissingDependencyError
from verifiers.runtime.worker_process import Outcome

pyarrow = pytest.importorskip("pyarrow")


def test_an_address_without_its_engine_is_refused(tmp_path: Path) -> None:
    """A run on this machine would not be what was asked for."""
    source = tmp_path / "rows.jsonl"
    source.write_text('{"completion": "4", "answer": "4"}\n')
    done = cli("score", source, "--address", "10.0.0.1:6379", text=True)
    assert (done.returncode, done.stderr) == (
        2,
        "error: --address 10.0.0.1:6379 is of a Ray cluster: add --engine ray\n",
    )


class _Ray:
    """A Ray that reaches nothing."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}

    def is_initialized(self) -> bool:
        return False

    def init(self, **options: Any) -> None:
        self.asked = options
        raise Exception("nobody is there")  # Ray raises no better


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its address; one that cannot be started here as well."""
    ray = _Ray()
    monkeypatch.setattr(actors, "require", lambda *given, **options: ray)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(ConfigError, match="no Ray cluster can be reached at host:1: nobody is there"):
        Session("host:1")
    assert "num_cpus" not in ray.asked, "a cluster has its own cores"
    with pytest.raises(ConfigError, match="no Ray cluster can be started here"):
        Session(None, 3)
    assert (ray.asked["address"], ray.asked["num_cpus"]) == ("local", 3)
    monkeypatch.setenv("RAY_ADDRESS", "other:2")
    with pytest.raises(ConfigError, match="reached at other:2"):
        Session()


def test_ray_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(MissingDependencyError, match=r"ray is not installed; run: pip install .*\[ray\]"):
        Session()


# Data sets --------------------------------------------------------------------------------------


class _DataSet:
    """What is asked of a data set before it is consumed."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.table = pyarrow.Table.from_pylist(rows)

    def schema(self) -> Any:
        schema = self.table.schema
        return SimpleNamespace(base_schema=schema, names=schema.names) if schema.names else None

    def map_batches(self, kind: Any, *, fn_constructor_args: Any, **options: Any) -> tuple[Any, Any]:
        return kind(*fn_constructor_args)(self.table), options

    def groupby(self, field: str) -> Any:
        return SimpleNamespace(map_groups=lambda kind, **options: (field, options))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray Data's names, and worker processes that are this one."""

    class Pool:
        def __init__(self, size: int, memory: int | None, secrets: bool) -> None:
            assert size == 1

        def run(self, function: str, arguments: tuple[bytes, bytes], **options: Any) -> Outcome:
            with pyarrow.ipc.open_stream(arguments[1]) as reader:
                texts = map(str, reader.read_all().to_pylist())
            if any(DEADLY in text for text in texts):
                return Outcome(False, None, "crash", "it is gone")
            return Outcome(True, json.loads(json.dumps(dataset.score_in_worker(*arguments))))

    monkeypatch.setattr(dataset, "WorkerPool", Pool)
    monkeypatch.setattr(dataset, "Session", lambda: SimpleNamespace(cores=4))
    data = SimpleNamespace(ActorPoolStrategy=lambda **sizes: sizes)
    real = dataset.require
    monkeypatch.setattr(
        dataset, "require", lambda name, **options: data if name == "ray.data" else real(name, **options)
    )


@pytest.mark.usefixtures("here")
def test_a_table_has_the_values_of_the_lines() -> None:
    """Whatever else is in it; earlier scores are replaced."""
    rows = [
        {"id": 1, "completion": "<SOLUTION>4</SOLUTION>", "target": "4", "picture": b"\xff", "reward": 9.0},
        {"id": 2, "completion": None, "target": "4", "picture": None, "reward": None},
        {"id": 3, "completion": "<SOLUTION>5</SOLUTION>", "target": "4", "picture": None, "reward": None},
        {
            "id": 4, "completion": f"{DEADLY} <SOLUTION>4</SOLUTION>", "target": "4", "picture": b"",
            "reward": None,
        },
        {"id": 5, "completion": "<SOLUTION>½</SOLUTION>", "target": "", "picture": None, "reward": None},
    ]  # fmt: skip
    table, options = score_dataset(_DataSet(rows), "gsm8k_tags", actors=(2, 3))
    assert options["compute"] == {"min_size": 2, "max_size": 3}
    scorer = Scorer(load_recipe("gsm8k_tags"), reference_field="target")
    plain = [
        {name: row[name] for name in ("id", "completion", "target")}
        for row in rows
        if row["id"] not in (2, 4)
    ]
    wanted = {
        row["id"]: row
        for row in map(
            json.loads, scorer.score([json.dumps(row).encode() for row in plain]).output.splitlines()
        )
    }
    found = table.to_pylist()
    assert [row["id"] for row in found] == [1, 2, 3, 4, 5]
    for row in found:
        word = json.loads(row.pop("scored_from"))
        assert word == {"completion": "completion", "reference": "target"}
        if row["id"] in wanted:
            assert row["problem"] is None
            assert {**row, "verdicts": json.loads(row["verdicts"])} | {"picture": 0, "problem": 0} == {
                **wanted[row["id"]], "picture": 0, "problem": 0,
            }  # fmt: skip
    assert (found[0]["picture"], (found[1]["reward"], found[1]["verdicts"])) == (b"\xff", (None, "[]"))
    assert found[1]["problem"] == "'completion' is neither text nor chat messages but NoneType"
    assert [verdict["reason"] for verdict in json.loads(found[3]["verdicts"])] == ["worker_died"] * 2
    assert table.schema.names == ["id", "completion", "target", "picture", *WRITTEN, "problem"]


@pytest.mark.usefixtures("here")
def test_tables_of_all_blocks_have_one_schema() -> None:
    """Also those that are empty, or hold nothing that can be judged."""
    scorer = Scorer(Pay(survived).named("survived"))
    made = TableScorer([], pickle.dumps(scorer))
    some = pyarrow.table({"completion": ["a", "b"]})
    nothing = pyarrow.table({"completion": pyarrow.array([None, None], pyarrow.string())})
    assert made(some).schema == made(some.slice(0, 0)).schema == made(nothing).schema
    assert made(nothing).column("reward").to_pylist() == [None, None]


@pytest.mark.usefixtures("here")
def test_groups_are_brought_together_by_their_column() -> None:
    """A block may hold a part of one."""
    rows = _DataSet([{"completion": "4", "answer": "4", "question": "2+2"}])
    reward = load_recipe("ExactMatch")

    field, options = score_dataset(rows, Rank(reward), group_field="question")
    assert (field, options["batch_format"], "batch_size" in options) == ("question", "pyarrow", False)
    assert (options["num_cpus"], options["compute"]) == (0, {"min_size": 1, "max_size": 4}), (
        "the shuffle has them"
    )


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("row", "options", "said"),
    [
        ({"completon": "4", "answer": "4"}, {}, "no column 'completion'; did you mean 'completon'"),
        ({"completion": "4"}, {}, "no column 'answer'"),
        ({"completion": "4", "solution": "4", "target": "4"}, {}, "say which does: reference_field='NAME'"),
        ({"completion": "4", "answer": "4"}, {"progress": 1.5}, "from 0 to 1, got 1.5"),
        ({"completion": "4", "answer": "4"}, {"actors": 0}, "the fewest and the most, got 0"),
        ({"completion": "4", "answer": "4"}, {"actors": (3, 2)}, r"got \(3, 2\)"),
        ({}, {}, "no rows, or no columns"),
    ],
)
def test_what_a_data_set_lacks_is_told_at_once(
    row: dict[str, Any], options: dict[str, Any], said: str
) -> None:
    """Not by the first of many actors."""
    with pytest.raises(ConfigError, match=said):
        score_dataset(_DataSet([row] if row else []), "ExactMatch", **options)


@pytest.mark.usefixtures("here")
def test_columns_inside_of_others_are_found() -> None:
    rows = [{"output": {"text": "4", "gold": "4"}}, {"output": {"text": "5", "gold": "4"}}]
    table, _ = score_dataset(
        _DataSet(rows), "ExactMatch", completion_field="output.text", reference_field="output.gold"
    )
    assert table.column("reward").to_pylist() == [1.0, 0.0]
