"""The word sums that a real small model is trained on: their truth is known, and nothing is on both sides."""

from __future__ import annotations

import re

import pytest

from rewards import load_recipe
from training.config import load_config, stages_of
from training.word_sums import lessons, problems

ROWS = list(problems())
HELD = list(problems("heldout"))


def numbers(row: dict[str, str]) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", row["question"])]


def test_the_answer_follows_from_the_words() -> None:
    signs = {"buys": 1, "gets": 1, "finds": 1, "sells": -1, "loses": -1, "gives": -1}
    for row in ROWS + HELD:
        first, *others = numbers(row)
        said = [signs[verb] for verb in re.findall(r"(?:It|then) (\w+)", row["question"])]
        now = first
        for sign, other in zip(said, others, strict=True):
            now += sign * other
            assert now > 0
        assert row["answer"] == str(now)


def test_no_sum_is_on_both_sides() -> None:
    train = {row["question"] for row in ROWS}
    assert len(train) == len(ROWS) == 400
    assert not train & {row["question"] for row in HELD}
    assert len(HELD) == 200


def test_lessons_are_paid_in_full_and_their_steps_hold() -> None:
    rows = list(lessons())
    paid = load_recipe("gsm8k_tags")(
        [row["completion"] for row in rows], answer=[row["answer"] for row in rows]
    )
    assert paid == [1.5] * 96
    worked = [row for row in rows if row["completion"].count(" = ") == 2]
    assert len(worked) == 48
    for row in worked:
        steps = re.findall(r"(\d+) ([+-]) (\d+) = (\d+)\.", row["completion"])
        assert [int(one) + int(sign + other) for one, sign, other, _ in steps] == [
            int(each[3]) for each in steps
        ]
        assert (steps[0][3], steps[1][3]) == (steps[1][0], row["answer"])


def test_held_out_questions_are_in_no_lesson() -> None:
    assert not {row["question"] for row in lessons()} & {row["question"] for row in HELD}


@pytest.mark.parametrize("stage", ["sft", "grpo"])
def test_the_configuration_has_both_stages(stage: str) -> None:
    config = load_config("smollm2_word_sums", [])
    assert stages_of(config)[stage][1].model.lora is not None
