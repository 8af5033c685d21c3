"""The bundled tasks: their truth is known, their teachers are as unreliable as they say, and nothing is on both sides."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rewards import load_recipe
from training import arithmetic, chains, tool_task, word_sums
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
from training.instruction_tasks import HELD_KINDS, HELD_SUBJECTS, KINDS, SUBJECTS, mentions, rows
from verifiers import EquationChain, InstructionFollowing


def turned(question: str) -> str:
    """A sum with its numbers in the other order, which is no other sum."""
    numbers, equals, rest = question.partition("=")
    return "+".join(reversed(numbers.split("+"))) + equals + rest


def changes(question: str) -> str:
    """A chain without its things: the same calculations with other words are no other chain."""
    return question.split(".", 1)[1] + question[:2]


TASKS: dict[str, tuple[Any, Callable[[str], str], dict[str, Any], dict[str, Any]]] = {
    "sums": (arithmetic, turned, {"train": 3000, "held": 200}, {}),
    "prices": (tool_task, str, {"train": 6000, "held": 100}, {}),
    "word sums": (word_sums, str, {"train": 400, "held": 200}, {"rows": 400}),
    "chains": (chains, changes, {"train": 400, "held": 100}, {}),
}
"""Each with what makes two questions one, and its sizes."""


@pytest.mark.parametrize("name", TASKS)
def test_what_is_held_out_is_taught_nowhere(name: str) -> None:
    """Whatever the seed, which decides alone; lessons are of the questions to train on."""
    task, told_apart, sizes, more = TASKS[name]
    for seed in range(3):
        train = [row["question"] for row in task.problems(**sizes, seed=seed)]
        held = [row["question"] for row in task.problems("heldout", **sizes, seed=seed)]
        assert (len(train), len(held)) == (sizes["train"], sizes["held"])
        assert not {*map(told_apart, train), *train} & {*map(told_apart, held), *held}
        assert train == [row["question"] for row in task.problems(**sizes, seed=seed)]
        if name != "prices":  # a lesson of several turns has no question of its own
            assert len(set(train)) == len(train)
            assert [row["question"] for row in task.lessons(**sizes, **more, seed=seed)] == train


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


def test_a_word_sums_answer_follows_from_its_words() -> None:
    signs = {"buys": 1, "gets": 1, "finds": 1, "sells": -1, "loses": -1, "gives": -1}
    for row in [*word_sums.problems(), *word_sums.problems("heldout")]:
        first, *others = map(int, re.findall(r"\d+", row["question"]))
        said = [signs[verb] for verb in re.findall(r"(?:It|then) (\w+)", row["question"])]
        now = first
        for sign, other in zip(said, others, strict=True):
            now += sign * other
            assert now > 0
        assert row["answer"] == str(now)


def test_lessons_of_word_sums_are_paid_in_full_and_their_steps_hold() -> None:
    taught = list(word_sums.lessons())
    paid = load_recipe("gsm8k_tags")(
        [row["completion"] for row in taught], answer=[row["answer"] for row in taught]
    )
    assert paid == [1.5] * 96
    worked = [row for row in taught if row["completion"].count(" = ") == 2]
    assert len(worked) == 48
    for row in worked:
        steps = re.findall(r"(\d+) ([+-]) (\d+) = (\d+)\.", row["completion"])
        assert [int(one) + int(sign + other) for one, sign, other, _ in steps] == [
            int(each[3]) for each in steps
        ]
        assert (steps[0][3], steps[1][3]) == (steps[1][0], row["answer"])


@pytest.mark.parametrize("stage", ["sft", "grpo"])
def test_the_configuration_of_word_sums_has_both_stages(stage: str) -> None:
    config = load_config("smollm2_word_sums", [])
    assert stages_of(config)[stage][1].model.lora is not None


PARTS: Any = ("train", "prompts", "kinds")
FOLLOWED = {"change_case:english_lowercase": "tea is warm.", "punctuation:no_comma": "Tea is warm.",
            "length_constraints:number_words": "Tea is warm.", "startend:quotation": '"Tea is warm."',
            "startend:end_checker": "Tea is warm. That is all.",
            "detectable_format:number_bullet_lists": "* tea\n* water", "keywords:frequency": "Tea is tea.",
            "change_case:english_capital": "TEA IS WARM.",
            "length_constraints:number_sentences": "Tea is warm.",
            "detectable_format:title": "<<Tea>>\nTea is warm.",
            "keywords:forbidden_words": "Tea is warm."}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_every_row_can_be_judged(part: Any) -> None:
    """And none of its instructions is left to the model to guess."""
    found = list(rows(part))
    assert len(found) == 120
    for row in found + list(mentions(part)):
        assert InstructionFollowing().verify("tea", row["answer"]).score is not None
        assert "{" not in row["question"] + str(row["answer"]["kwargs"]).replace("{'", "").replace("{}", "")
    assert list(rows(part)) == found != list(rows(part, seed=1))


def test_held_out_instructions_are_in_no_training_row() -> None:
    """Neither its subjects nor its kinds."""
    assert not {*SUBJECTS} & {*HELD_SUBJECTS}
    assert not {wish.kind for wish in KINDS} & {wish.kind for wish in HELD_KINDS}
    every = " ".join(row["question"] for row in rows())
    assert not [subject for subject in HELD_SUBJECTS if subject in every]
    assert {name for row in rows("kinds") for name in row["answer"]["instruction_id_list"]} == {
        wish.kind for wish in HELD_KINDS
    }


@pytest.mark.parametrize("wish", [*KINDS, *HELD_KINDS], ids=lambda wish: wish.kind)
def test_each_instruction_can_be_followed(wish: Any) -> None:
    """By a text that is no trick."""
    parameters = {
        name: value.format("tea") if isinstance(value, str) else value
        for name, value in wish.parameters.items()
    }
    judge = InstructionFollowing(instructions=({wish.kind: parameters},))
    assert judge.verify(FOLLOWED[wish.kind]).score == 1.0


def test_the_configuration_of_instructions_can_be_read() -> None:
    """Its model, its reward and what it measures."""
    kind, own = stages_of(load_config("smollm2_instructions", []))["grpo"]
    assert (kind, own.evaluation.outcome) == ("grpo", "instructions")
    assert own.model.lora is not None
