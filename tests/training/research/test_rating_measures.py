"""Figures by hand, and intervals that hold what is true."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from training.research.label_formats import StepLabels
from training.research.rating_exams import auc, best_threshold, picked, picks, share, step_figures


def solution(question: str, *labels: bool | None, outcome: bool | None = None) -> StepLabels:
    """Steps with labels."""
    return StepLabels(question, tuple("abcdefgh"[: len(labels)]), labels, outcome=outcome)


def test_first_errors_are_counted_as_processbench_counts() -> None:
    """Exactly named, or rightly none; what cannot be read names nothing right; unknown rows are left out."""
    rows = [solution("a", True, False, None), solution("b", True, False, None), solution("c", False, None),
            solution("d", True, True), solution("e", True, True), solution("f", True, None, True),
            solution("g", True, True)]  # fmt: skip
    rated = [[0.9, 0.1, 0.9], [0.4, 0.1, 0.9], [0.8, 0.9], [0.9, 0.5], [0.9, 0.4], [0.9, 0.1, 0.9], None]
    found = step_figures(rows, rated)
    first = found["first_error"]
    assert first["with_error"][0] == pytest.approx(1 / 3, abs=1e-4)
    assert first["without"][0] == pytest.approx(1 / 3, abs=1e-4)
    assert first["f1"][0] == pytest.approx(1 / 3, abs=1e-4)
    assert (found["rows"], found["unread"], found["steps"]) == (7, 1, 11)
    assert found["accuracy"][0] == pytest.approx(8 / 11, abs=1e-4)


def test_equals_count_a_half_in_auc() -> None:
    """And by the order of pairs, one by one."""
    rng = random.Random(2)
    values: list[tuple[Hashable, bool, float]] = [
        (at // 3, rng.random() < 0.4, round(rng.random(), 1)) for at in range(150)
    ]
    ups = [score for _, right, score in values if right]
    downs = [score for _, right, score in values if not right]
    pairs = sum((one > other) + (one == other) / 2 for one in ups for other in downs)
    found = auc(values)
    assert found is not None
    assert found[0] == pytest.approx(pairs / len(ups) / len(downs), abs=1e-4)
    assert found[1] < 0.5 < found[2]
    assert auc([("a", True, 0.5)]) is None


def test_intervals_of_order_hold_the_truth_nineteen_times_in_twenty() -> None:
    """Where the solutions of a question are alike."""
    held = 0
    for seed in range(40):
        rng = random.Random(seed)
        values: list[tuple[Hashable, bool, float]] = []
        for question in range(60):
            shift = rng.gauss(0, 1)
            for _ in range(4):
                right = rng.random() < 0.5
                values.append((question, right, rng.gauss(right, 1) + shift))
        found = auc(values)
        assert found is not None
        held += found[1] <= 0.6915 <= found[2]  # 0.5 standard deviations of the difference: Phi(1/2)
    assert held >= 35


def test_all_alike_is_not_certainty() -> None:
    """A perfect figure of ten questions says less than one of a thousand."""
    for count in (10, 1000):
        values: list[tuple[Hashable, bool, float]] = [
            (at, bool(at % 2), float(at % 2)) for at in range(count)
        ]
        found = auc(values)
        assert found is not None
        assert found[0] == found[2] == 1.0
        assert (found[1] < 0.8) == (count == 10)
    assert share([]) is None
    assert share([("a", 1.0)]) == [1.0, 0.0, 1.0]


def test_the_best_is_picked_and_equals_share() -> None:
    """What has no rating is picked only where nothing has one."""
    groups: dict[Hashable, list[tuple[float | None, bool]]] = {
        "a": [(0.9, True), (0.1, False)],
        "b": [(0.5, True), (0.5, False)],
        "c": [(None, True), (0.0, False)],
        "d": [(None, True), (None, True)],
    }
    found = picked(groups)
    assert [found[name][0] for name in ("picked", "any", "random")] == [0.625, 1.0, 0.625]  # type: ignore[index]
    rows = [
        solution("a", True, outcome=True),
        solution("a", False, outcome=False),
        solution("b", True, outcome=True),
    ]
    rated = [[0.9, 0.4], [0.5, 0.6], [0.1]]
    by = picks(rows, rated)
    assert (by["questions"], by["min"][0], by["last"][0], by["mean"][0]) == (1, 0.0, 0.0, 1.0)
    assert picks(rows[2:], rated[2:]) == {}


def test_a_threshold_is_chosen_where_first_errors_are_named_best() -> None:
    """Of equals the one nearest to a half."""
    rows = [solution("a", True, False), solution("b", True, True), solution("c", True, True)]
    assert 0.7 < best_threshold(rows, [[0.9, 0.7], [0.9, 0.8], [0.85, 0.8]]) <= 0.8
    assert best_threshold(rows[:2], [[0.9, 0.1], [0.9, 0.8]]) == 0.5
