"""An answer survives being said: what a box is paid for, every plain statement of it is paid for, and for nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.timing import SOAK
from tests.verifiers.reading.materials import LANGUAGES, Frame, boxed, frames, judged, report, values
from verifiers import Verdict

REFUSED_BY_A_RULE = {"no_answer", "several_answers"}
MAY_BE_REFUSED = 0.01
"""Share of statements without an answer by a rule of docs/verifiers.md; any other refusal is a fault."""
LEAST = {"en": 70, "ko": 70, "zh": 40}

Said = tuple[Frame, dict[str, Any], str]


@cache
def _paid_in_a_box() -> frozenset[str]:
    pairs = [(boxed(value["value"]), value["reference"]) for value in values()]
    return frozenset(
        value["value"] for value, verdict in zip(values(), judged(pairs), strict=True) if verdict.score == 1.0
    )


@cache
def _said(language: str) -> tuple[Said, ...]:
    return tuple(
        (frame, value, frame.says(value))
        for place, frame in enumerate(frames(language))
        for number, value in enumerate(values())
        # Each frame takes every other value, and each value every other frame; ``make soak`` takes all.
        if (SOAK or (place + number) % 2 == 0 or len(frame.takes) > 1 or "any" not in frame.takes)
        and frame.fits(value)
        and value["value"] in _paid_in_a_box()
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_frames(language: str) -> None:
    """And none stands there twice."""
    texts = [frame.text for frame in frames(language)]
    assert len(set(texts)) == len(texts) >= LEAST[language]


def test_a_box_is_paid_for_each_value() -> None:
    """What nobody reads in a box cannot be asked of a sentence."""
    pairs = [(boxed(value["value"]), value["reference"]) for value in values()]
    wrong = [
        (value["kind"], str(pair), verdict)
        for value, pair, verdict in zip(values(), pairs, judged(pairs), strict=True)
        if verdict.score != 1.0
    ]
    assert not wrong, report(wrong, len(pairs))


def test_a_box_is_paid_for_no_other_value() -> None:
    """The parts and neighbours of a value are not the value."""
    cases = [(value, other) for value in values() for other in value["wrong"]]
    verdicts = judged([(boxed(value["value"]), other) for value, other in cases])
    wrong = [
        (value["kind"], f"{value['value']} for {other}", verdict)
        for (value, other), verdict in zip(cases, verdicts, strict=True)
        if verdict.score != 0.0
    ]
    assert not wrong, report(wrong, len(cases))


@pytest.mark.parametrize("language", LANGUAGES)
def test_said_is_boxed(language: str) -> None:
    """Law A: what the box is paid for, the sentence is paid for, or it has no answer by a stated rule."""
    said = _said(language)
    verdicts = judged([(text, value["reference"]) for _, value, text in said])
    refused: list[tuple[str, str, Verdict]] = []
    wrong: list[tuple[str, str, Verdict]] = []
    for (_, value, text), verdict in zip(said, verdicts, strict=True):
        if verdict.score != 1.0:
            row = (value["kind"], f"{text!r} for {value['reference']}", verdict)
            (refused if verdict.score == 0.0 and verdict.reason in REFUSED_BY_A_RULE else wrong).append(row)
    assert not wrong, report(wrong, len(said))
    assert len(refused) <= MAY_BE_REFUSED * len(said), report(refused, len(said))


@pytest.mark.parametrize("language", LANGUAGES)
def test_said_is_no_other_value(language: str) -> None:
    """Law B: no statement of a value is paid for another one, least of all for a part of it."""
    cases = [
        (value, text, other)
        for number, (_, value, text) in enumerate(_said(language))
        # One wrong reference for every third statement; ``make soak`` takes all of them for each.
        for turn, other in enumerate(value["wrong"])
        if SOAK or (turn == number // 3 % len(value["wrong"]) and number % 3 == 0)
    ]
    verdicts = judged([(text, other) for _, text, other in cases])
    wrong = [
        (value["kind"], f"{text!r} for {other}", verdict)
        for (value, text, other), verdict in zip(cases, verdicts, strict=True)
        if verdict.score != 0.0
    ]
    assert not wrong, report(wrong, len(cases))
