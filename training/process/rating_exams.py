"""Exams of saved models of steps, outcomes and preferences, asked as `PrmScore` and `OrmScore` ask them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers.metrics.local_models import chosen_device
from reward_verifiers.verifiers.process.orm_score import OutcomeModel
from reward_verifiers.verifiers.process.step_layout import FORMATS
from reward_verifiers.verifiers.process.step_model import OverLimitError, StepModel

from .preference_pairs import Pair, preferred
from .rated_rows import Outcome
from .rating_measures import auc, best_threshold, picked, picks, share, step_figures
from .step_labels import StepLabels

MEASURED_AT_ONCE = 8
CHOSEN_ON = 1000
"""Rows of training that a threshold is chosen on, at most."""


def step_scores(folder: Path, rows: Sequence[StepLabels]) -> list[list[float] | None]:
    """What a saved model of steps says of rows, as `PrmScore` would; None where a row is too long for it."""
    device = chosen_device(None)
    model = StepModel(str(folder), FORMATS["trl"], device, "float32")
    asked = [(row.question.strip(), row.steps) for row in rows]
    found = model.scores(asked, MEASURED_AT_ONCE)
    return [None if isinstance(each, OverLimitError) else each for each in found]


def outcome_scores(folder: Path, rows: Sequence[Outcome]) -> list[float | None]:
    """What a saved model of outcomes says of rows: a log odds; None where a row is too long for it."""
    model = OutcomeModel(str(folder), chosen_device(None), "float32")
    found = model.figures([(row.question.strip(), row.text) for row in rows], MEASURED_AT_ONCE)
    return [None if isinstance(each, OverLimitError) else each for each in found]


def step_exam(folder: Path, rows: Sequence[StepLabels], held: Sequence[StepLabels]) -> dict[str, Any]:
    """The figures of a model of steps, also with the threshold that is best on rows of training."""
    seen = rows[:CHOSEN_ON]
    threshold = best_threshold(seen, step_scores(folder, seen))
    scores = step_scores(folder, held)
    return {
        **step_figures(held, scores),
        "at_threshold": step_figures(held, scores, threshold),
        "picks": picks(held, scores),
    }


def outcome_exam(folder: Path, held: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of a model of outcomes on rows that it was not trained on."""
    scores = outcome_scores(folder, held)
    known = [(row, score) for row, score in zip(held, scores, strict=True) if score is not None]
    groups: dict[Any, list[tuple[float | None, bool]]] = {}
    for row, score in zip(held, scores, strict=True):
        groups.setdefault(row.question, []).append((score, row.right))
    several = {question: group for question, group in groups.items() if len(group) > 1}
    return {
        "rows": len(held),
        "unread": len(held) - len(known),
        "accuracy": share([(row.question, (score >= 0) == row.right) for row, score in known]),
        "auc": auc([(row.question, row.right, score) for row, score in known]),
        "picks": {"questions": len(several), **picked(several)} if several else {},
    }


def pair_exam(folder: Path, held: Sequence[Pair]) -> dict[str, Any]:
    """How often a reward model prefers what was preferred, on pairs that it was not trained on."""
    both = [Outcome(row.question, row[side], True) for side in (1, 2) for row in held]
    found = outcome_scores(folder, both)
    chosen, rejected = found[: len(held)], found[len(held) :]
    unread = sum(None in each for each in zip(chosen, rejected, strict=True))
    return {"pairs": len(held), "unread": unread, "accuracy": preferred(held, chosen, rejected)}
