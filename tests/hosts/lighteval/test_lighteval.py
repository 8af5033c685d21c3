"""A custom task of lighteval, run by its own pipeline with a model of our own, without a network."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.abstract_model import LightevalModel, ModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks.lighteval_task import LightevalTask
from lighteval.utils.cache_management import SampleCache

from adapters.hosts.evaluators.lighteval import recipe_metric
from tests.hosts.common import EXPLODES, RECIPE, ROWS, comparing_reward, scored_by_cli
from verifiers import ConfigError, MathEquivalence, Status

TASK = """
from adapters.hosts.evaluators.lighteval import recipe_metric
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc
from tests.hosts.common import breaking_reward

def prompt(line, task_name=None):
    return Doc(task_name=task_name, query=line["question"], choices=[line["answer"]], gold_index=0)

TASKS_TABLE = [
    LightevalTaskConfig(
        name="shared_rows", prompt_function=prompt, hf_repo={folder!r}, hf_subset="default",
        hf_avail_splits=["test"], evaluation_splits=["test"], metrics=[recipe_metric({recipe})],
        generation_size=32, stop_sequence=[], few_shots_split=None, few_shots_select=None,
    )
]
"""


class OneFile:
    """The tasks of a file. lighteval's own registry reads all of its tasks, one of which fetches a pickle."""

    def __init__(self, tasks: str, custom_tasks: str, **options: Any) -> None:
        self._names = tasks.split(",")
        self._tasks = [LightevalTask(config) for config in run_path(custom_tasks)["TASKS_TABLE"]]

    def load_tasks(self) -> dict[str, LightevalTask]:
        return {task.full_name: task for task in self._tasks if task.full_name in self._names}


class Answering(LightevalModel):
    """A model that says what it was told to."""

    def __init__(self, said: Mapping[str, str], folder: Path) -> None:
        self.config = ModelConfig(model_name="answering", cache_dir=str(folder / "cache"))
        self._said = said
        self._cache = SampleCache(self.config)

    def greedy_until(self, docs: Any) -> list[ModelResponse]:
        return [ModelResponse(text=[self._said[doc.query]], output_tokens=[[1]]) for doc in docs]

    def loglikelihood(self, docs: Any) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, docs: Any) -> Any:
        raise NotImplementedError

    @property
    def tokenizer(self) -> Any:
        return None

    @property
    def add_special_tokens(self) -> bool:
        return False

    @property
    def max_length(self) -> int:
        return 2048


def _run(
    folder: Path, rows: Sequence[Mapping[str, str]], recipe: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, Any], dict[str, list[float]]]:
    """The results of a task, and the values of its documents by their numbers."""
    data = folder / "data"
    data.mkdir()
    docs = [
        {"question": f"{place}: {row.get('prompt', '')}", "answer": row["answer"]}
        for place, row in enumerate(rows)
    ]
    (data / "test.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs), encoding="utf-8")
    task = folder / "rows_task.py"
    task.write_text(TASK.format(folder=str(data), recipe=recipe), encoding="utf-8")
    said = {doc["question"]: row["completion"] for doc, row in zip(docs, rows, strict=True)}
    monkeypatch.setattr("lighteval.pipeline.Registry", OneFile)
    pipeline = Pipeline(
        tasks="shared_rows|0",
        pipeline_parameters=PipelineParameters(
            launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(task), bootstrap_iters=20
        ),
        evaluation_tracker=EvaluationTracker(output_dir=str(folder / "out")),
        model=Answering(said, folder),
    )
    pipeline.evaluate()
    logger = pipeline.evaluation_tracker.metrics_logger
    [name] = logger.metrics_values
    order = [int(doc.query.partition(":")[0]) for doc in pipeline.documents_dict[name]]
    values = {
        metric: [value for _, value in sorted(zip(order, found, strict=True), key=lambda pair: pair[0])]
        for metric, found in logger.metrics_values[name].items()
    }
    return dict(logger.metric_aggregated[name]), values


def test_values_are_what_the_command_line_pays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its own result is over the documents that have a reward, with the share of the others beside it."""
    paid = scored_by_cli(ROWS, tmp_path)
    results, values = _run(tmp_path, ROWS, repr(RECIPE), monkeypatch)
    assert [None if math.isnan(value) else value for value in values["reward"]] == paid
    kept = [value for value in paid if value is not None]
    assert results["reward"] == pytest.approx(sum(kept) / len(kept))
    assert (results["unscored"], results["fault"]) == (pytest.approx(1 - len(kept) / len(paid)), 0.0)
    assert 0.0 < results["reward_stderr"] < 1.0


def test_a_verifier_that_breaks_costs_its_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a completion that asks for too much costs its own budget."""
    said = [f"{EXPLODES} \\boxed{{75}}", "\\boxed{75}", "\\boxed{9^{9^{9^{9}}}}"]
    started = time.process_time()
    rows = [{"completion": each, "answer": "75"} for each in said]
    results, values = _run(tmp_path, rows, "breaking_reward()", monkeypatch)
    assert time.process_time() - started < 20
    assert math.isnan(values["reward"][0])
    assert values["reward"][1:] == [1.5, 1.0]
    assert results["fault"] == results["unscored"] == pytest.approx(1 / 3)


def test_a_recipe_that_compares_is_refused() -> None:
    with pytest.raises(ConfigError, match="lighteval's samples of a document are judged one by one"):
        recipe_metric(comparing_reward())


def test_the_formulas_that_sympy_reads_are_the_same() -> None:
    """By the old LaTeX parser that lighteval pins; the case of letters tells unknowns apart."""
    assert version("latex2sympy2_extended") == "1.0.6"
    judge = MathEquivalence()
    cubes = judge.verify(r"\boxed{\sum_{k=1}^n k^3}", r"\frac{n^2(n+1)^2}{4}")
    assert (cubes.status, cubes.reason) == (Status.SCORED, "equal_symbolic")
    case = judge.verify(r"\boxed{\sum_{k=1}^N k^3}", r"\frac{n^2(n+1)^2}{4}")
    assert (case.status, case.score) == (Status.SCORED, 0.0)
    unread = judge.verify(r"\boxed{0}", r"1 = \zzz = x = 0")
    assert unread.status is not Status.FAULT
