"""The instructions that a small model is trained on: each can be followed, and what is held out is nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from training.config import load_config, stages_of
from training.instruction_tasks import HELD_KINDS, HELD_SUBJECTS, KINDS, SUBJECTS, mentions, rows
from verifiers import InstructionFollowing

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


def test_what_is_held_out_is_in_no_training_row() -> None:
    """Neither its subjects nor its kinds."""
    assert not {*SUBJECTS} & {*HELD_SUBJECTS}
    assert not {wish.kind for wish in KINDS} & {wish.kind for wish in HELD_KINDS}
    asked = " ".join(row["question"] for row in rows())
    assert not [subject for subject in HELD_SUBJECTS if subject in asked]
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


def test_the_configuration_can_be_read() -> None:
    """Its model, its reward and what it measures."""
    kind, own = stages_of(load_config("smollm2_instructions", []))["grpo"]
    assert (kind, own.evaluation.outcome) == ("grpo", "instructions")
    assert own.model.lora is not None
