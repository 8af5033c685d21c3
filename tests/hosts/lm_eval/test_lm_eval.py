"""Tasks of lm-eval from YAML files, run by its own `simple_evaluate` with a model of our own."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import lm_eval
import pytest
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from tests.hosts.common import EXPLODES, RECIPE, ROWS, scored_by_cli
from verifiers import ConfigError

METRICS = """
metric_list:
  - {metric: reward, aggregation: mean, higher_is_better: true}
  - {metric: accuracy, aggregation: mean, higher_is_better: true}
  - {metric: unscored, aggregation: mean, higher_is_better: false}
  - {metric: fault, aggregation: mean, higher_is_better: false}
"""
BY_NAME = f"process_results: !function adapters.hosts.evaluators.lm_eval.{RECIPE}"
BY_FILE = "process_results: !function rewards_of_mine.process_results"


class Answering(LM):
    """A model that says what it was told to, a repeat after another."""

    def __init__(self, said: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self._said = {prompt: iter(completions) for prompt, completions in said.items()}

    def generate_until(self, requests: Any, **options: Any) -> list[str]:
        return [next(self._said[request.args[0]]) for request in requests]

    def loglikelihood(self, requests: Any, **options: Any) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: Any, **options: Any) -> Any:
        raise NotImplementedError


def _run(
    folder: Path, rows: Sequence[Mapping[str, Any]], said: Sequence[Sequence[str]], lines: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The results of a task and its documents' metrics, as lm-eval has them."""
    docs = [{**row, "question": f"{place}: {row.get('prompt', '')}"} for place, row in enumerate(rows)]
    (folder / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs), encoding="utf-8")
    (folder / "task.yaml").write_text(
        "task: shared_rows\ndataset_path: json\n"
        f"dataset_kwargs: {{data_files: {{test: {folder / 'docs.jsonl'}}}, cache_dir: {folder / 'cache'}}}\n"
        "test_split: test\noutput_type: generate_until\n"
        "doc_to_text: '{{question}}'\ndoc_to_target: '{{answer}}'\n"
        "generation_kwargs: {until: ['\\n\\n'], max_gen_toks: 32}\nmetadata: {version: 1.0}\n"
        + METRICS
        + lines,
        encoding="utf-8",
    )
    found = lm_eval.simple_evaluate(
        model=Answering({doc["question"]: each for doc, each in zip(docs, said, strict=True)}),
        tasks=["shared_rows"],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        log_samples=True,
    )
    assert found is not None
    samples = sorted(found["samples"]["shared_rows"], key=lambda sample: sample["doc_id"])
    return found["results"]["shared_rows"], samples


@pytest.fixture(scope="module")
def paid(tmp_path_factory: pytest.TempPathFactory) -> list[float | None]:
    """What `verify-cli score` pays for the shared rows."""
    return scored_by_cli(ROWS, tmp_path_factory.mktemp("cli"))


def test_rewards_are_what_the_command_line_pays(tmp_path: Path, paid: list[float | None]) -> None:
    """And its own mean is over the documents that have one, with the share of the others beside it."""
    rows = [{"prompt": row["prompt"], "answer": row["answer"]} for row in ROWS]
    results, samples = _run(tmp_path, rows, [[row["completion"]] for row in ROWS], BY_NAME)
    assert [sample.get("reward") for sample in samples] == paid
    kept = [value for value in paid if value is not None]
    mean = sum(kept) / len(kept)
    assert results["reward,none"] == pytest.approx(mean)
    error = math.sqrt(sum((value - mean) ** 2 for value in kept) / (len(kept) - 1) / len(kept))
    assert results["reward_stderr,none"] == pytest.approx(error)
    assert results["unscored,none"] == pytest.approx(1 - len(kept) / len(paid))
    assert results["fault,none"] == 0.0


def test_repeats_and_filters(tmp_path: Path) -> None:
    """The first of them, their mean, and the answer of most, in one run."""
    answers = ["\\boxed{3}", "\\boxed{\\frac12}", "The answer is 0.5."]
    (tmp_path / "rewards_of_mine.py").write_text(
        "from adapters.hosts.evaluators.lm_eval import recipe_results\n"
        "process_results = recipe_results('MathEquivalence', columns={'answer': 'gold'})\n",
        encoding="utf-8",
    )
    filters = (
        "\nrepeats: 3\nfilter_list:\n"
        "  - {name: first, filter: [{function: take_first}]}\n"
        "  - {name: all, filter: [{function: take_first_k, k: 3}]}\n"
        "  - name: most\n    filter:\n"
        "      - {function: custom, filter_fn: !function adapters.hosts.evaluators.lm_eval.majority}\n"
        "      - {function: take_first}\n"
    )
    results, _ = _run(tmp_path, [{"answer": "-", "gold": "1/2"}], [answers], BY_FILE + filters)
    found = {name: results[f"reward,{name}"] for name in ("first", "all", "most")}
    assert found == {"first": 0.0, "all": pytest.approx(2 / 3), "most": 1.0}


def test_a_verifier_that_breaks_costs_its_document(tmp_path: Path) -> None:
    """And a completion that asks for too much costs its own budget."""
    (tmp_path / "rewards_of_mine.py").write_text(
        "from adapters.hosts.evaluators.lm_eval import recipe_results\n"
        "from tests.hosts.common import breaking_reward\n"
        "process_results = recipe_results(breaking_reward())\n",
        encoding="utf-8",
    )
    said = [[f"{EXPLODES} \\boxed{{75}}"], ["\\boxed{75}"], ["\\boxed{9^{9^{9^{9}}}}"]]
    started = time.process_time()
    results, samples = _run(tmp_path, [{"answer": "75"}] * 3, said, BY_FILE)
    assert time.process_time() - started < 20
    assert [sample.get("reward") for sample in samples] == [None, 1.5, 1.0]
    assert results["fault,none"] == results["unscored,none"] == pytest.approx(1 / 3)


def test_nothing_can_be_judged_at_all(tmp_path: Path) -> None:
    """A mean of no documents is not there; the share says why."""
    results, _ = _run(tmp_path, [{"answer": ""}] * 2, [["75"], ["76"]], BY_NAME)
    assert results["unscored,none"] == 1.0
    assert "reward,none" not in results


def test_a_recipe_that_compares_is_refused(tmp_path: Path) -> None:
    """When the task is read, before the model is asked anything."""
    (tmp_path / "rewards_of_mine.py").write_text(
        "from adapters.hosts.evaluators.lm_eval import recipe_results\n"
        "from tests.hosts.common import comparing_reward\n"
        "process_results = recipe_results(comparing_reward())\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match="repeats of a document are judged one by one"):
        _run(tmp_path, [{"answer": "75"}], [[]], BY_FILE)
