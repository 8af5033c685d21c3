"""The task of several steps: its truth, its teacher, and what judges its steps."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from training.chains import (
    Chain,
    Language,
    StepTruth,
    asked,
    lessons,
    model,
    problems,
    read,
    truth,
    worked_out,
    written,
)
from training.config import hub_names, load_config, stages_of
from verifiers import EquationChain

LANGUAGES: tuple[Language, ...] = ("en", "ko")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_says_its_chain(language: Language) -> None:
    """What is asked is read back, whole; its own working is right throughout."""
    for row in problems(train=50, held=50, language=language):
        chain = read(row["question"])
        assert asked(chain, language) == row["question"]
        assert str(chain.answer) == row["answer"]
        steps = truth(row["question"], written(chain, chain.values[1:], language))
        assert [(step.holds, step.right) for step in steps] == [(True, True)] * 4
    with pytest.raises(ValueError, match="not a question of this task"):
        read("17 pens. 5 come, 8 melt. How many?")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_wrong_number_is_wrong_from_its_step_on(language: Language) -> None:
    """Of a wrong number that is carried on, the step is false, and what follows holds but is not right."""
    rng = random.Random(1)
    for row in problems(train=100, held=50, language=language):
        chain = read(row["question"])
        at = rng.randrange(3)
        values, value = [], chain.start
        for place, (kind, number) in enumerate(chain.changes):
            value = worked_out(kind, value, number) + (place == at)
            values.append(value)
        steps = truth(row["question"], written(chain, tuple(values), language))
        # A later step may double or keep the error; none takes it back.
        assert [step.holds for step in steps] == [place != at for place in range(3)] + [False]
        assert [step.right for step in steps] == [place < at for place in range(3)] + [False]


def test_truth_of_other_texts() -> None:
    """Steps that are left out, put together, or say nothing."""
    question = "17 pens. 5 come, 8 go, 2 times. How many?\n"
    for said, expected in (
        ("", []),
        ("<SOLUTION>28</SOLUTION>", [(True, False)]),
        ("17+5=22\n14*2=28\n<SOLUTION>28</SOLUTION>", [(True, True), (True, False), (True, False)]),
        ("Well.\n17+5=22\n", [(None, True), (True, True)]),
        ("17+5=22, 22-8=14\n14*2=28", [(True, True), (True, True)]),
        ("17+5=22\n17+5=22\n", [(True, True), (True, False)]),
    ):
        assert [(step.holds, step.right) for step in truth(question, said)] == expected, said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verifier_of_steps_agrees_with_the_truth(language: Language) -> None:
    """EquationChain splits the teacher's lines as they are meant, and judges each as it is."""
    chain, judged = EquationChain(), 0
    for row in islice(lessons(train=300, held=10, language=language), 60):
        parts = chain.verify(row["completion"], prompt=row["question"]).parts
        known: list[StepTruth] = truth(row["question"], row["completion"])
        assert [part.span for part in parts] == [(step.start, step.end) for step in known]
        for part, step in zip(parts, known, strict=True):
            if part.score is not None:
                assert (part.score == 1.0) == step.holds
                judged += 1
    assert judged > 140


def test_the_teacher_is_right_about_half_the_time() -> None:
    """Some right answers come from wrong steps; borrows are wrong more often than not."""
    rows = list(lessons(train=1500, held=10))
    known = [truth(row["question"], row["completion"]) for row in rows]
    answered = [steps[-1].holds for steps in known]
    worked = [steps[-1].right for steps in known]
    assert 0.55 < sum(map(bool, answered)) / len(rows) < 0.75
    assert 0.4 < sum(worked) / len(rows) < 0.6


def test_train_and_heldout_are_disjoint() -> None:
    """No question is on both sides; and the same options give the same rows."""
    options: dict[str, Any] = {"train": 400, "held": 100}
    train = [row["question"] for row in problems("train", **options)]
    held = [row["question"] for row in problems("heldout", **options)]
    assert (len(set(train)), len(set(held))) == (400, 100)
    assert not {question.split(".", 1)[1] + question[:2] for question in train} & {
        question.split(".", 1)[1] + question[:2] for question in held
    }
    assert train == [row["question"] for row in lessons(**options)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_model_reads_and_writes_all_of_it(language: Language, tmp_path: Path) -> None:
    """Every text of the task comes back from the tokenizer as it was."""
    from transformers import AutoTokenizer

    model(tmp_path, hidden=16, layers=1, language=language)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    for row in lessons(train=200, held=10, language=language):
        text = row["question"] + row["completion"]
        ids = tokenizer(text)["input_ids"]
        assert tokenizer.unk_token_id not in ids
        assert tokenizer.decode(ids) == text


@pytest.mark.parametrize("name", ["chains", "chains_ko"])
def test_configurations_of_the_task(name: str) -> None:
    """They load, stay off the network, and train and measure on different rows of one split."""
    config = load_config(name, ["output_dir=out"])
    assert not hub_names(config)
    assert list(stages_of(config)) == ["sft", "grpo"]


def test_chains_are_their_own_answers() -> None:
    """A chain by hand."""
    assert Chain(17, (("add", 5), ("take", 8), ("double", 2))).values == (17, 22, 14, 28)
