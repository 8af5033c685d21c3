"""Exams of saved models of steps, outcomes and preferences, asked as `PrmScore` and `OrmScore` ask them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from reward_verifiers.rewards.select.prompt_figures import mean_interval
from reward_verifiers.verifiers.metrics.local_models import chosen_device
from reward_verifiers.verifiers.process.orm_score import OutcomeModel
from reward_verifiers.verifiers.process.prm_score import Aggregate, aggregated
from reward_verifiers.verifiers.process.step_layout import FORMATS
from reward_verifiers.verifiers.process.step_model import OverLimitError, StepModel
from reward_verifiers.verifiers.runtime.packages import require

from .label_formats import StepLabels
from .rated_rows import Outcome, Pair

THRESHOLD = 0.5
RESAMPLES = 400
AGGREGATES: tuple[Aggregate, ...] = ("min", "product", "mean", "last")
Figure: TypeAlias = list[float] | None
"""A figure and the ends of its 95 % interval, over questions; None where it is of nothing."""
Rated: TypeAlias = Sequence[float] | None
"""What a model says of the steps of a solution; None where it cannot read it."""


def step_figures(
    rows: Sequence[StepLabels], rated: Sequence[Rated], threshold: float = THRESHOLD
) -> dict[str, Any]:
    """Return the accuracy of a model of steps on labelled rows.

    Args:
        rows: With their labels.
        rated: Its scores for each row's steps.
        threshold: Least value of a right step.

    Returns:
        ``steps`` with labels, ``accuracy`` on them and ``auc``; ``first_error``, ProcessBench's F1: the
        harmonic mean of the share of wrong solutions whose first error is named exactly, and the share of
        right ones in which none is (arXiv:2412.06559). A row that cannot be read names nothing right.
    """
    labels: list[tuple[Hashable, bool, float]] = []
    named: list[tuple[Hashable, bool, bool]] = []
    for row, scores in zip(rows, rated, strict=True):
        for label, score in zip(row.labels, scores or (), strict=False):
            if label is not None:
                labels.append((row.question, label, score))
        if row.first_error is not None:
            first = next((at for at, score in enumerate(scores or ()) if score < threshold), -1)
            named.append(
                (row.question, row.first_error >= 0, scores is not None and first == row.first_error)
            )
    return {
        "rows": len(rows),
        "unread": sum(each is None for each in rated),
        "steps": len(labels),
        "threshold": threshold,
        "accuracy": share([(question, (score >= threshold) == label) for question, label, score in labels]),
        "auc": auc(labels),
        "first_error": first_error_f1(named),
    }


def best_threshold(rows: Sequence[StepLabels], rated: Sequence[Rated]) -> float:
    """Return the threshold with the highest F1 on rows, which should not be the measured ones."""
    known = [
        (row.first_error, scores)
        for row, scores in zip(rows, rated, strict=True)
        if row.first_error is not None and scores
    ]

    def f1(threshold: float) -> float:
        hits = [
            (error >= 0, next((at for at, score in enumerate(scores) if score < threshold), -1) == error)
            for error, scores in known
        ]
        return harmonic(
            *(_mean([hit for is_error, hit in hits if is_error == kind]) for kind in (True, False))
        )

    return max((step / 50 for step in range(1, 50)), key=lambda each: (f1(each), -abs(each - THRESHOLD)))


def picked(
    groups: Mapping[Hashable, Sequence[tuple[float | None, bool]]],
) -> dict[str, Figure]:
    """Measure how often the best-rated of several solutions is right.

    Args:
        groups: For each question the rating of each solution, and whether it is right. What has no rating is
            never picked while another has one; of equals the share that is right counts.

    Returns:
        ``picked``, beside ``any`` (one of them is right) and ``random`` (their share that is).
    """
    chosen, possible, usual = [], [], []
    for question, group in groups.items():
        known = [each for each in group if each[0] is not None]
        best = max((score for score, _ in known if score is not None), default=None)
        ties = [right for score, right in group if score == best]
        chosen.append((question, sum(ties) / len(ties)))
        possible.append((question, any(right for _, right in group)))
        usual.append((question, sum(right for _, right in group) / len(group)))
    return {"picked": share(chosen), "any": share(possible), "random": share(usual)}


def picks(rows: Sequence[StepLabels], rated: Sequence[Rated]) -> dict[str, Any]:
    """Return `picked` by each figure of the steps, over questions with several known solutions."""
    found: dict[str, Any] = {}
    for by in AGGREGATES:
        groups: dict[Hashable, list[tuple[float | None, bool]]] = {}
        for row, scores in zip(rows, rated, strict=True):
            if row.outcome is not None:
                figure = aggregated(scores, by) if scores else None
                groups.setdefault(row.question, []).append((figure, row.outcome))
        several = {question: group for question, group in groups.items() if len(group) > 1}
        if several:
            figures = picked(several)
            found |= {"questions": len(several), "any": figures["any"], "random": figures["random"]}
            found[by] = figures["picked"]
    return found


def share(values: Sequence[tuple[Hashable, float]]) -> Figure:
    """Return a mean of shares, with the interval of `rewards.select.prompt_figures` over questions.

    >>> share([("a", 1.0), ("b", 0.0), ("c", 1.0)])
    [0.6667, 0.0438, 0.9887]
    """
    sums: dict[Hashable, tuple[float, int]] = {}
    for question, value in values:
        total, count = sums.get(question, (0.0, 0))
        sums[question] = (total + value, count + 1)
    found = mean_interval(sums.values(), bounded=True)
    if found is None:
        return None
    ends = (0.0, 1.0) if found.low is None or found.high is None else (found.low, found.high)
    return [round(each, 4) for each in (found.mean, *ends)]


def auc(values: Sequence[tuple[Hashable, bool, float]]) -> Figure:
    """Return the share of pairs in which a right step has the higher score; equals count a half.

    >>> auc([("a", True, 0.9), ("a", False, 0.2), ("b", True, 0.8), ("b", False, 0.1)])[0]
    1.0
    """
    np = require("numpy", extra="train")
    if len({right for _, right, _ in values}) < 2:
        return None
    right = np.array([each for _, each, _ in values], dtype=float)
    _, places = np.unique(np.array([score for _, _, score in values]), return_inverse=True)

    def area(weights: Any) -> float:
        ups = np.bincount(places, weights * right)
        downs = np.bincount(places, weights * (1 - right))
        below = np.cumsum(downs) - downs
        pairs = ups.sum() * downs.sum()
        return float((ups * (below + downs / 2)).sum() / pairs) if pairs else math.nan

    return resampled([question for question, _, _ in values], area)


def first_error_f1(values: Sequence[tuple[Hashable, bool, bool]]) -> dict[str, Any]:
    """Return ProcessBench's F1 of (question, whether it has an error, whether the finding is right)."""
    np = require("numpy", extra="train")
    errors = [(question, hit) for question, is_error, hit in values if is_error]
    clean = [(question, hit) for question, is_error, hit in values if not is_error]
    if not errors or not clean:
        return {"f1": None, "with_error": share(errors), "without": share(clean)}
    is_error = np.array([each for _, each, _ in values], dtype=float)
    hits = np.array([each for _, _, each in values], dtype=float)

    def f1(weights: Any) -> float:
        totals = [(weights * kind).sum() for kind in (is_error, 1 - is_error)]
        if not all(totals):
            return math.nan
        found = [(weights * kind * hits).sum() for kind in (is_error, 1 - is_error)]
        return harmonic(found[0] / totals[0], found[1] / totals[1])

    return {
        "f1": resampled([question for question, _, _ in values], f1),
        "with_error": share(errors),
        "without": share(clean),
    }


def resampled(questions: Sequence[Hashable], figure: Callable[[Any], float]) -> Figure:
    """Return a figure with its percentile interval over resampled questions (Efron, 1979).

    Args:
        questions: Question of each value.
        figure: Value of each prompt; NaN if it has none.
    """
    np = require("numpy", extra="train")
    number = {question: place for place, question in enumerate(dict.fromkeys(questions))}
    places = np.array([number[each] for each in questions])
    rng = random.Random(0)  # noqa: S311
    drawn = []
    for _ in range(RESAMPLES):
        again = np.bincount(rng.choices(range(len(number)), k=len(number)), minlength=len(number))
        drawn.append(figure(again[places].astype(float)))
    known = sorted(each for each in drawn if not math.isnan(each))
    middle = figure(np.ones(len(places)))
    if not known or known[0] == known[-1]:
        # All alike is not certainty.
        return share([(question, middle) for question in questions])
    ends = known[int(0.025 * len(known))], known[min(int(0.975 * len(known)), len(known) - 1)]
    return [round(float(each), 4) for each in (middle, *ends)]


def harmonic(one: float, other: float) -> float:
    """Return the harmonic mean; 0 where either value is 0.

    >>> harmonic(1.0, 0.5)
    0.6666666666666666
    """
    return 2 * one * other / (one + other) if one and other else 0.0


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


MEASURED_AT_ONCE = 8
CHOSEN_ON = 1000
"""Rows of training that a threshold is chosen on, at most."""


def step_scores(folder: Path, rows: Sequence[StepLabels]) -> list[list[float] | None]:
    """Return the scores of a saved model of steps, as by `PrmScore`; None where a row is too long."""
    device = chosen_device(None)
    model = StepModel(str(folder), FORMATS["trl"], device, "float32")
    asked = [(row.question.strip(), row.steps) for row in rows]
    found = model.scores(asked, MEASURED_AT_ONCE)
    return [None if isinstance(each, OverLimitError) else each for each in found]


def outcome_scores(folder: Path, rows: Sequence[Outcome]) -> list[float | None]:
    """Return the log odds of a saved model of outcomes; None where a row is too long."""
    model = OutcomeModel(str(folder), chosen_device(None), "float32")
    found = model.figures([(row.question.strip(), row.text) for row in rows], MEASURED_AT_ONCE)
    return [None if isinstance(each, OverLimitError) else each for each in found]


def step_exam(folder: Path, rows: Sequence[StepLabels], held: Sequence[StepLabels]) -> dict[str, Any]:
    """Return the figures of a model of steps, also with the best threshold on rows of training."""
    seen = rows[:CHOSEN_ON]
    threshold = best_threshold(seen, step_scores(folder, seen))
    scores = step_scores(folder, held)
    return {
        **step_figures(held, scores),
        "at_threshold": step_figures(held, scores, threshold),
        "picks": picks(held, scores),
    }


def outcome_exam(folder: Path, held: Sequence[Outcome]) -> dict[str, Any]:
    """Return the figures of a model of outcomes on rows that it was not trained on."""
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
    """Measure how often a reward model prefers the chosen side, on pairs that it was not trained on."""
    both = [Outcome(row.question, row[side], True) for side in (1, 2) for row in held]
    found = outcome_scores(folder, both)
    chosen, rejected = found[: len(held)], found[len(held) :]
    unread = sum(None in each for each in zip(chosen, rejected, strict=True))
    return {"pairs": len(held), "unread": unread, "accuracy": preferred(held, chosen, rejected)}


def preferred(rows: Sequence[Pair], chosen: Sequence[Any], rejected: Sequence[Any]) -> Figure:
    """Return how often the chosen side has the higher figure, with its interval; equals count a half."""
    told = [
        (row.question, 0.5 if one == other else float(one > other))
        for row, one, other in zip(rows, chosen, rejected, strict=True)
        if one is not None and other is not None
    ]
    return share(told)
