"""Evaluations of inspect_ai, and scoring of its logs, by its own code and its own command."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as evaluate
from inspect_ai import score as score_again
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import match

from adapters.hosts.evaluators.inspect_ai import recipe
from tests.hosts.common import EXPLODES, RECIPE, ROWS, breaking_reward, comparing_reward, scored_by_cli
from tests.hosts.inspect_ai.task_of_rows import answering, samples, task_with
from verifiers import ConfigError, MathEquivalence

COMPLETIONS = [row["completion"] for row in ROWS]


def _evaluated(tmp_path: Path, scorer: Any, **options: Any) -> EvalLog:
    options = {"dataset": None, "completions": COMPLETIONS, **options}
    dataset, completions = options.pop("dataset"), options.pop("completions")
    [log] = evaluate(
        task_with(scorer, dataset), model=answering(completions), display="none", log_dir=str(tmp_path),
        max_samples=1, **options,
    )  # fmt: skip
    assert log.status == "success", log.error
    return log


def _values(log: EvalLog, name: str = "recipe", part: str = "reward") -> list[float | None]:
    """A part of every sample's score, None where it is unscored."""
    found = []
    for sample in sorted(log.samples or [], key=lambda each: (each.id, each.epoch)):
        value = (sample.scores or {})[name].value
        found.append(value[part] if isinstance(value, dict) else None)
    return found


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """The shared rows, evaluated with the shared recipe."""
    return _evaluated(tmp_path_factory.mktemp("logs"), recipe(RECIPE))


@pytest.fixture(scope="module")
def paid(tmp_path_factory: pytest.TempPathFactory) -> list[float | None]:
    """What `verify-cli score` pays for them."""
    return scored_by_cli(ROWS, tmp_path_factory.mktemp("cli"))


def test_scores_are_what_the_command_line_pays(log: EvalLog, paid: list[float | None]) -> None:
    assert _values(log) == paid
    assert None in paid
    assert len({*paid}) > 2


def test_unscored_rows_are_in_no_metric(log: EvalLog, paid: list[float | None]) -> None:
    """Its own means are those of the rows that have a reward, and it counts the others."""
    kept = [value for value in paid if value is not None]
    scores = {score.name: score for score in log.results.scores}
    assert {*scores} == {"reward", "accuracy", "format"}
    for score in scores.values():
        assert (score.scored_samples, score.unscored_samples) == (len(kept), len(paid) - len(kept))
    assert scores["reward"].metrics["mean"].value == pytest.approx(sum(kept) / len(kept))
    without = next(sample for sample, value in zip(log.samples, paid, strict=True) if value is None)
    score = without.scores["recipe"]
    assert math.isnan(score.value)
    assert score.reason == "bad_reference"
    assert "MathEquivalence" in score.explanation


def test_a_score_says_what_was_found_and_why(log: EvalLog) -> None:
    score = log.samples[0].scores["recipe"]
    assert score.answer == "75"
    assert "accuracy: 1" in score.explanation
    assert score.metadata["verdicts"]["accuracy"]["verifier"] == "MathEquivalence"


def test_a_log_is_read_back_and_scored_again(log: EvalLog, paid: list[float | None]) -> None:
    """Another scorer joins what a log has, and the same one gives the same."""
    read = read_eval_log(log.location)
    assert _values(read) == paid
    again = score_again(read, recipe(RECIPE), action="overwrite", display="none")
    assert _values(again) == paid
    joined = score_again(read, recipe(MathEquivalence()), action="append", display="none")
    assert _values(joined) == paid
    assert _values(joined, "recipe1") == [None if each is None else float(each >= 1) for each in paid]


TASK_FILE = """
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver
from adapters.hosts.evaluators.inspect_ai import recipe

@solver
def answers():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("mockllm/model", "The answer is 75.")
        return state
    return solve

@task
def rows(name: str) -> Task:
    samples = [Sample(input="50 + 25?", target="75"), Sample(input="50 + 26?", target="76")]
    return Task(dataset=MemoryDataset(samples), solver=answers(), scorer=recipe(name))
"""


def _inspect(tmp_path: Path, *arguments: str) -> None:
    command = [str(Path(sys.executable).parent / "inspect"), *arguments]
    surroundings = {**os.environ, "INSPECT_LOG_DIR": str(tmp_path), "INSPECT_DISPLAY": "none"}
    surroundings.pop("PYTHONPATH", None)  # the installed library is what is tested
    done = subprocess.run(
        command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_command_scores_a_log(tmp_path: Path, paid: list[float | None]) -> None:
    """A log of another scorer; ours is found by its name, with nothing imported before."""
    before = _evaluated(tmp_path, match())
    output = tmp_path / "again.eval"
    options = ["--scorer", "reward_verifiers/recipe", "--action", "append", "--output-file", str(output)]
    given = ["-S", f"recipe={RECIPE}", "-S", "columns={answer: gold}"]
    _inspect(tmp_path, "score", before.location, *options, *given)
    after = read_eval_log(str(output))
    assert (_values(after), after.results.scores[0].name) == (paid, "match")
    # The log says how the scorer was made.
    [_, made] = after.eval.scorers
    assert (made.name, made.options) == ("recipe", {"recipe": RECIPE, "columns": {"answer": "gold"}})


def test_a_task_file_on_the_command_line(tmp_path: Path) -> None:
    """As users write and run it; the answers are those of a solver."""
    (tmp_path / "task_of_rows.py").write_text(TASK_FILE, encoding="utf-8")
    _inspect(tmp_path, "eval", "task_of_rows.py", "--model", "mockllm/model", "-T", "name=MathEquivalence")
    [file] = tmp_path.glob("*.eval")
    log = read_eval_log(str(file))
    assert (log.eval.scorers[0].name, _values(log)) == ("recipe", [1.0, 0.0])


def test_a_verifier_that_breaks_costs_its_row(tmp_path: Path) -> None:
    """And a completion that asks for too much costs its own budget."""
    completions = [f"{EXPLODES} \\boxed{{75}}", "\\boxed{75}", "\\boxed{9^{9^{9^{9}}}}"]
    rows = [Sample(input="50 + 25?", target="75", id=place) for place in range(3)]
    started = time.process_time()
    log = _evaluated(tmp_path, recipe(breaking_reward()), dataset=rows, completions=completions)
    assert time.process_time() - started < 20
    assert _values(log) == [None, 1.5, 1.0]
    score = log.samples[0].scores["recipe"]
    assert score.reason == "scoring_failed"
    assert EXPLODES in score.explanation


def test_a_recipe_that_compares_is_refused() -> None:
    with pytest.raises(ConfigError, match="inspect_ai scores each epoch of a sample by itself"):
        recipe(comparing_reward())


def test_epochs_are_reduced_without_the_unscored(tmp_path: Path) -> None:
    """Its reducers take the best or the mean of each sample's epochs."""
    rows = samples()[:1] + samples()[4:5]
    answers = [COMPLETIONS[0], COMPLETIONS[1], COMPLETIONS[4], COMPLETIONS[5]]
    from inspect_ai import Epochs

    [log] = evaluate(
        task_with(recipe(RECIPE), rows), model=answering(answers), display="none", log_dir=str(tmp_path),
        max_samples=1, epochs=Epochs(2, ["mean", "max", "pass_at_1"]),
    )  # fmt: skip
    assert log.status == "success", log.error
    found = {(score.name, score.reducer): score.metrics["mean"].value for score in log.results.scores}
    by_epoch = sorted(each for each in _values(log) if each is not None)
    assert (len(by_epoch), found["reward", "mean"]) == (2, pytest.approx(sum(by_epoch) / 2))
    assert found["reward", "max"] == max(by_epoch)
    assert found["accuracy", "pass_at_1"] in (0.0, 0.5, 1.0)


def test_thinking_and_tools_are_told_from_the_answer(tmp_path: Path) -> None:
    """What a provider passes on as reasoning is no answer; examples in the input are no words of the model's."""
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageUser,
        ContentReasoning,
        ContentText,
        ModelOutput,
    )  # fmt: skip

    asked = [
        ChatMessageUser(content="1 + 1?"),
        ChatMessageAssistant(content="\\boxed{2}"),
        ChatMessageUser(content="50 + 25?"),
    ]
    rows = [Sample(input=asked, target="2", id=0), Sample(input="2 + 2?", target="4", id=1)]
    model = answering(["", ""])
    said = [ContentReasoning(reasoning="is it \\boxed{2}?"), ContentText(text="\\boxed{75}")]
    thought = [ContentReasoning(reasoning="\\boxed{5}"), ContentText(text="\\boxed{4}")]
    outputs = [
        ModelOutput.from_message(ChatMessageAssistant(content=each, source="generate"))
        for each in (said, thought)
    ]
    for output, old in zip(outputs, list(model.api.outputs), strict=True):
        output.usage = old.usage
    model.api.outputs = iter(outputs)
    [log] = evaluate(
        task_with(recipe(MathEquivalence()), rows), model=model, display="none", log_dir=str(tmp_path),
        max_samples=1,
    )  # fmt: skip
    assert log.status == "success", log.error
    assert _values(log) == [0.0, 1.0]
    assert json.dumps(log.samples[0].scores["recipe"].metadata)
