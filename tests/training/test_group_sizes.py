"""Groups of different sizes: how completions are divided, what they are worth, and real steps with them."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rewards import advantages
from tests.training.runs import config, kept_by, logged_by, same_weights
from training.stages import train_policy
from training.stages.adaptive_sizes import allocated, expected_deviation, own_advantages

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

MANY = random.Random(0)
DIVISIONS = [
    ([MANY.uniform(0.01, 0.5) for _ in range(MANY.randint(1, 12))], MANY.choice([2, 4, 8]), MANY.random())
    for _ in range(200)
]


def test_the_budget_is_spent_within_bounds() -> None:
    """To the last completion; who varies more gets no fewer, and only proportions count."""
    for deviations, least, share in DIVISIONS:
        usual = least + 1 + round(8 * share)
        most = 3 * usual
        budget = usual * len(deviations)
        sizes = allocated(deviations, budget, least, most)
        assert sum(sizes) == budget
        assert all(least <= each <= most for each in sizes)
        for (one, first), (other, second) in product(zip(deviations, sizes, strict=True), repeat=2):
            assert one <= other or first >= second
        assert sizes == allocated([2.0 * each for each in deviations], budget, least, most)


def test_equal_prompts_get_equal_groups() -> None:
    """And one prompt all of it."""
    assert allocated([0.3] * 5, 40, 4, 24) == [8] * 5
    assert allocated([0.3], 8, 4, 24) == [8]
    assert sorted(allocated([0.3] * 3, 25, 4, 24)) == [8, 8, 9]


def test_no_other_division_has_less_variance() -> None:
    """By trying all of them: the variance of the mean of the prompts' means."""
    for deviations in ([0.1, 0.4, 0.5], [0.05, 0.3, 0.31], [0.2, 0.2, 0.5]):
        budget, least, most = 24, 2, 18

        def variance(sizes: Any, deviations: Any = deviations) -> float:
            return sum(each * each / size for each, size in zip(deviations, sizes, strict=True))

        best = min(
            variance((one, other, budget - one - other))
            for one in range(least, most + 1)
            for other in range(least, most + 1)
            if least <= budget - one - other <= most
        )
        # Rounding may be off by one completion.
        assert variance(allocated(deviations, budget, least, most)) <= best * 1.01


def test_what_a_few_completions_say_of_a_prompt() -> None:
    """The mean over the posterior, by integration; more of the same make it smaller, and it is never 0."""
    for right, judged in ((0, 4), (1, 4), (2, 4), (4, 4), (0, 0), (2.5, 8)):
        cells = 2000
        density = total = 0.0
        for cell in range(cells):
            p = (cell + 0.5) / cells
            weight = p ** (right - 0.5) * (1 - p) ** (judged - right - 0.5)
            density += weight
            total += weight * math.sqrt(p * (1 - p))
        assert expected_deviation(right, judged) == pytest.approx(total / density, rel=0.02)
    known = [expected_deviation(0, judged) for judged in (2, 4, 8, 64, 10_000)]
    assert known == sorted(known, reverse=True)
    assert known[-1] > 0.0


def test_equal_sizes_give_the_usual_advantages() -> None:
    """Those of `rewards.advantages`, as TRL divides."""
    rng = random.Random(1)
    rewards = [rng.choice([0.0, 0.2, 1.0]) for _ in range(24)]
    usual = advantages.grpo(rewards, 8, ddof=1, epsilon=1e-4)
    assert own_advantages(rewards, [8] * 3, "group") == pytest.approx(usual)
    assert own_advantages(rewards, [8] * 3, "none") == pytest.approx(advantages.dr_grpo(rewards, 8))


def test_a_prompt_weighs_the_same_whatever_its_group() -> None:
    """The sum over its completions is what it is with a group of the mean size; what is masked counts for none."""
    nan = float("nan")
    found = own_advantages([1.0, 0.0, nan, 0.0, *[1.0] * 3, *[0.0] * 5], [4, 8], "none")
    assert found[2] == 0.0
    assert sum(found[:4]) == pytest.approx(0.0)
    assert found[0] == pytest.approx(2 / 3 * 6 / 4)
    assert found[4] == pytest.approx(5 / 8 * 6 / 8)
    assert own_advantages([nan, nan, 1.0, 1.0], [2, 2], "group") == [0.0] * 4
    # Over draws the weighted sum of a prompt's advantages times a score is the same for every size.
    rng = random.Random(2)

    def gradient(size: int) -> float:
        drawn = [float(rng.random() < 0.3) for _ in range(size)]
        sizes = [size, 16 - size]
        worth = own_advantages([*drawn, *[0.0] * (16 - size)], sizes, "none")
        return sum(each * one for each, one in zip(worth, drawn, strict=False)) * size / (size - 1)

    means = {size: sum(gradient(size) for _ in range(4000)) / 4000 for size in (4, 12)}
    assert means[4] == pytest.approx(means[12], rel=0.1)


def adaptive(folder: Path, **changes: Any) -> Any:
    """A run of groups of 8 on average, of which 4 come first."""
    trainer = {"num_generations": 8, "per_device_train_batch_size": 32, "max_steps": 2,
               **changes.pop("trainer", {})}  # fmt: skip
    own = {"group_size": {"first": 4, "outcome": "digits"}, **changes}
    return config(folder, trainer=trainer, **own)


def test_real_steps_divide_their_completions(tmp_path: Path) -> None:
    """As many as ever; prompts that vary have more, and the others fewer; resumed, the same to the bit."""
    saving = {"save_strategy": "steps", "save_steps": 1, "max_steps": 2}
    train_policy("grpo", adaptive(tmp_path / "once", trainer=saving))
    kept = kept_by(tmp_path / "once")
    assert Counter(row["step"] for row in kept) == {0: 32, 1: 32}
    sizes = []
    for step in (0, 1):
        groups: dict[str, list[float]] = {}
        for row in kept:
            if row["step"] == step:
                groups.setdefault(row["prompt"], []).append(row["reward_parts"]["digits"])
        firsts = {prompt: sum(values[:4]) for prompt, values in groups.items()}
        assert len(groups) == 4
        for one, other in product(groups, repeat=2):
            if abs(firsts[one] - 2) < abs(firsts[other] - 2):
                assert len(groups[one]) >= len(groups[other])
        sizes += [len(values) for values in groups.values()]
    assert min(sizes) >= 4
    assert max(sizes) > min(sizes)
    history = logged_by(tmp_path / "once")
    assert [row["groups/largest"] for row in history] == [max(sizes[:4]), max(sizes[4:])]
    train_policy("grpo", adaptive(tmp_path / "twice", trainer={**saving, "max_steps": 1}))
    train_policy("grpo", adaptive(tmp_path / "twice", trainer=saving))
    assert same_weights(tmp_path / "once" / "model", tmp_path / "twice" / "model")


def test_equal_sizes_train_like_the_trainer_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bound that leaves no choice the advantages are TRL's own, to rounding."""
    from trl import GRPOTrainer

    from training.stages import adaptive_sizes

    seen: list[tuple[Any, Any]] = []
    ours = adaptive_sizes.AdaptiveSizes._advantages
    theirs = GRPOTrainer._generate_and_score_completions

    def watched(self: Any, inputs: Any) -> Any:
        output = theirs(self, inputs)
        seen.append((output["advantages"].tolist(), list(self._of_groups)))
        return output

    monkeypatch.setattr(GRPOTrainer, "_generate_and_score_completions", watched)
    run = adaptive(tmp_path, group_size={"first": 4, "most": 1.0, "outcome": "digits"})
    train_policy("grpo", run)
    assert ours is adaptive_sizes.AdaptiveSizes._advantages
    assert len(seen) == 2
    for usual, own in seen:
        assert own == pytest.approx(usual, abs=1e-5)
        assert any(own)
