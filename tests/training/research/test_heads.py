"""Models of steps and outcomes: what they learn, where, and that they are asked as they were trained."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import RATING, jsonl, rating, same_weights, weights
from training.config import Data, Head, RunConfig, stages_of
from training.models.model_loading import load_tokenizer
from training.research.label_formats import StepLabels
from training.research.rated_rows import held_apart, step_rows
from training.research.rating_trainer import (
    NOTHING,
    collated,
    head_loss,
    head_model,
    outcome_examples,
    step_examples,
)
from training.stages import train_outcome_model, train_step_model
from training.stages.pipeline import check_stages
from verifiers import ConfigError, OrmScore, PrmScore

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

TRAINER = {**RATING, "max_steps": 40}


def step_lines(count: int = 240) -> list[dict[str, Any]]:
    """Solutions whose steps are right where they say an even number, until the first that is not."""
    rng = random.Random(0)
    found = []
    for number in range(count):
        digits = [rng.choice("02468" if rng.random() < 0.7 else "13579") for _ in range(rng.randint(1, 4))]
        right = [all(int(each) % 2 == 0 for each in digits[: at + 1]) for at in range(len(digits))]
        steps = [f"ones {digit}" for digit in digits]
        found.append({
            "prompt": f"{number // 4}+1=?\n", "completion": "\n".join(steps), "completions": steps,
            "labels": [label if at < 3 else None for at, label in enumerate(right)],
            "soft": [0.9 if label else 0.1 for label in right],
            "outcome": right[-1], "steps_by": "lines",
        })  # fmt: skip
    return found


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """A model of steps and one of outcomes on the same lines, with their metrics."""
    folder = tmp_path_factory.mktemp("heads")
    return folder, train_step_model(config(folder, "prm")), train_outcome_model(config(folder, "orm"))


def config(folder: Path, kind: str, **changes: Any) -> RunConfig:
    """A run of seconds on `step_lines`."""
    return RunConfig.model_validate(settings(folder, kind, **changes))


def settings(folder: Path, kind: str, **changes: Any) -> dict[str, Any]:
    """The same as data."""
    return rating(
        folder, kind, step_lines(), **{"evaluation": {"holdout": 20}, "trainer": TRAINER, **changes}
    )


def test_a_head_learns_and_is_measured_on_other_questions(trained: Any) -> None:
    """With intervals; what is right is one digit away, so a minute of training tells it."""
    _, steps, outcomes = trained
    assert steps["loss_last"] < 0.7 * steps["loss_first"]
    held = steps["heldout"]
    assert (held["rows"], held["unread"], outcomes["heldout"]["rows"]) == (80, 0, 80)
    assert steps["rows"] == 160
    for figure in (
        held["accuracy"],
        held["auc"],
        held["first_error"]["f1"],
        held["picks"]["min"],
        outcomes["heldout"]["auc"],
    ):
        middle, low, high = figure
        assert 0.0 <= low <= middle <= high <= 1.0
    assert held["auc"][0] > 0.9
    assert held["at_threshold"]["first_error"]["f1"][0] > 0.8
    assert outcomes["heldout"]["auc"][0] > 0.9
    assert held["picks"]["random"][0] < held["picks"]["min"][0] <= held["picks"]["any"][0]


def test_what_is_saved_scores_to_the_bit_what_was_measured(trained: Any) -> None:
    """By the verifiers, from the text of the completion, and by a pass through the weights of the test's own."""
    import torch
    from transformers import (
        AutoModelForSequenceClassification,
        AutoModelForTokenClassification,
        AutoTokenizer,
    )

    from training.research.rated_rows import outcome_rows
    from training.research.rating_exams import outcome_scores, step_scores

    folder, steps, outcomes = trained
    rows = step_lines(24)
    assert steps["load"] == f'PrmScore("{folder}/prm/model", "trl", by="lines")'
    prm = PrmScore(f"{folder}/prm/model", "trl", by="lines", device="cpu", batch_size=8)
    found = prm.verify_batch([row["completion"] for row in rows], prompt=[row["prompt"] for row in rows])
    few = Data(source=jsonl(folder / "few.jsonl", rows))
    wanted = step_scores(folder / "prm" / "model", step_rows(few, "positive", 0))
    assert [[part.score for part in verdict.parts] for verdict in found] == wanted
    assert outcomes["load"] == f'OrmScore("{folder}/orm/model")'
    orm = OrmScore(f"{folder}/orm/model", device="cpu", batch_size=8)
    rated = orm.verify_batch([row["completion"] for row in rows], prompt=[row["prompt"] for row in rows])
    figures = outcome_scores(folder / "orm" / "model", outcome_rows(few, lambda row: "", "response", 0))
    assert [verdict.raw for verdict in rated] == figures
    assert all(verdict.score == pytest.approx(1 / (1 + math.exp(-verdict.raw))) for verdict in rated)  # type: ignore[operator]
    tokenizer = AutoTokenizer.from_pretrained(folder / "prm" / "model")
    model = AutoModelForTokenClassification.from_pretrained(folder / "prm" / "model").eval()
    text = rows[0]["prompt"].strip() + "".join(step + "\n" for step in rows[0]["completions"])
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    newline = tokenizer.convert_tokens_to_ids("\n")
    with torch.no_grad():
        said = model(torch.tensor([ids])).logits[0].softmax(-1)[:, 1]
    assert [float(said[at]) for at, each in enumerate(ids) if each == newline] == pytest.approx(
        wanted[0], abs=1e-6
    )
    classifier = AutoModelForSequenceClassification.from_pretrained(folder / "orm" / "model").eval()
    shown = rows[0]["prompt"].strip() + rows[0]["completion"] + "="
    with torch.no_grad():
        one = classifier(torch.tensor([tokenizer(shown, add_special_tokens=False)["input_ids"]])).logits[0, 0]
    assert float(one) == pytest.approx(figures[0], abs=1e-5)


def test_labels_are_at_the_last_token_of_separators_alone(tmp_path: Path) -> None:
    """One for each step that has one; none in the question, whatever it says."""
    run = config(tmp_path, "prm")
    place = tmp_path / "m"
    from training.arithmetic import model as save

    save(place, hidden=32, layers=2)
    tokenizer = load_tokenizer(run.model, str(place))
    model = head_model("prm", run, str(place), tokenizer)
    row = StepLabels(
        "1+1=?\n2\n", ("ones 2\ncarry 1", "tens 3", "tens 4"), (True, None, False), (0.5, 0.2, 0.0)
    )
    newline = tokenizer.convert_tokens_to_ids("\n")
    for labels, wanted in (("hard", [1.0, NOTHING, 0.0]), ("soft", [0.5, NOTHING, 0.0])):
        [example] = step_examples([row], Head(labels=labels), "m", tokenizer, model)  # type: ignore[arg-type]
        ends = [at for at, each in enumerate(example["input_ids"]) if each == newline][-3:]
        assert [example["labels"][at] for at in ends] == wanted
        assert sum(each != NOTHING for each in example["labels"]) == 2
    # What does not fit is left out with its labels, and a row of which nothing is left as a whole.
    short = Head(max_length=len(example["input_ids"]) - 1)
    [cut] = step_examples([row], short, "m", tokenizer, model)
    assert len(cut["input_ids"]) == ends[1] + 1
    assert sum(each != NOTHING for each in cut["labels"]) == 1
    with pytest.raises(ConfigError, match=r"no row fits into 3 tokens; see head\.max_length"):
        step_examples([row], Head(max_length=3), "m", tokenizer, model)
    tokenizer.chat_template = None
    from training.research.rated_rows import Outcome

    with pytest.raises(ConfigError, match="has no chat template; set it to a file"):
        outcome_examples([Outcome("1", "2", True)], Head(), "m", tokenizer, model)


def test_the_loss_is_cross_entropy_where_there_is_a_label() -> None:
    """Of two labels as torch's own; soft ones by the formula; batches that make up a step by all their labels."""
    from types import SimpleNamespace

    import torch

    logits = torch.tensor([[[0.3, -1.0], [2.0, 0.5], [0.0, 0.7]]])
    outputs = SimpleNamespace(logits=logits)
    labels = torch.tensor([[1.0, NOTHING, 0.0]])
    wanted = torch.nn.functional.cross_entropy(logits[0, [0, 2]], torch.tensor([1, 0]))
    assert float(head_loss(outputs, labels)) == pytest.approx(float(wanted))
    assert float(head_loss(outputs, labels, num_items_in_batch=4)) == pytest.approx(float(wanted) / 2)
    soft = torch.tensor([[0.25, NOTHING, NOTHING]])
    logp = logits[0, 0].log_softmax(-1)
    assert float(head_loss(outputs, soft)) == pytest.approx(float(-0.25 * logp[1] - 0.75 * logp[0]))
    one = SimpleNamespace(logits=torch.tensor([[0.4], [-2.0]]))
    wanted = torch.nn.functional.binary_cross_entropy_with_logits(one.logits[:, 0], torch.tensor([1.0, 0.0]))
    assert float(head_loss(one, torch.tensor([1.0, 0.0]))) == pytest.approx(float(wanted))
    assert float(head_loss(outputs, torch.full((1, 3), float(NOTHING)))) == 0.0
    batch = collated(
        [{"input_ids": [5, 6], "labels": [NOTHING, 1.0]}, {"input_ids": [7], "labels": [0.5]}], 9
    )
    assert batch["input_ids"].tolist() == [[5, 6], [7, 9]]
    assert batch["attention_mask"].tolist() == [[1, 1], [1, 0]]
    assert batch["labels"].tolist() == [[NOTHING, 1.0], [0.5, NOTHING]]


def test_a_head_alone_leaves_the_rest_as_it_is(tmp_path: Path) -> None:
    """And a small adapter is saved merged, so that it loads."""
    import torch

    train_step_model(config(tmp_path, "prm", head={"only": True}, trainer={**TRAINER, "max_steps": 2}))
    before, after = weights(tmp_path / "prm" / "initial-model"), weights(tmp_path / "prm" / "model")
    same = [name for name in before if name in after]
    assert len(same) > 10
    assert all(torch.equal(before[name], after[name]) for name in same)
    run = settings(tmp_path, "orm", trainer={**TRAINER, "max_steps": 2})
    run["model"] = {**run["model"], "lora": {"r": 2}}
    metrics = train_outcome_model(RunConfig.model_validate(run))
    assert not (tmp_path / "orm" / "model" / "adapter_config.json").exists()
    assert metrics["heldout"]["unread"] == 0
    assert metrics["heldout"]["rows"] == 80


def test_a_run_that_was_cut_off_continues(tmp_path: Path) -> None:
    """From its checkpoint, to the weights of one that was not."""
    saving = {**TRAINER, "save_strategy": "steps", "save_steps": 2}
    for name, lengths in (("once", (4,)), ("twice", (2, 4))):
        (tmp_path / name).mkdir()
        for steps in lengths:
            run = config(tmp_path / name, "prm", trainer={**saving, "max_steps": steps}, evaluation={})
            assert train_step_model(run)["steps"] == steps
    assert same_weights(tmp_path / "once" / "prm" / "model", tmp_path / "twice" / "prm" / "model")


def test_questions_are_on_one_side() -> None:
    """All solutions of a question."""
    rows = [StepLabels(str(at % 10), ("a",), (True,)) for at in range(40)]
    kept, held = held_apart(rows, 3, seed=1)
    assert (len(kept), len(held)) == (28, 12)
    assert not {row.question for row in kept} & {row.question for row in held}


def test_a_pipeline_goes_on_with_the_model_that_writes(tmp_path: Path) -> None:
    """After a stage that rates; what it holds out are labels of its own."""
    data = settings(tmp_path, "prm")
    kinds = [{"kind": "prm", "trainer": TRAINER}, {"kind": "sft"}]
    base = {key: data[key] for key in ("output_dir", "model", "data")}
    stages = stages_of(RunConfig.model_validate({**base, "stages": kinds}))
    check_stages(stages)
    assert stages["sft"][1].model.name == data["model"]["name"]
    held = {**base, "evaluation": {"holdout": 4}, "stages": kinds}
    assert stages_of(RunConfig.model_validate(held))["prm"][1].evaluation.data is None
