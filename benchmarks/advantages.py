"""The advantages of `rewards.advantages` compared with verl's, on random groups.

python -m benchmarks.advantages      (needs verl; see benchmarks/README.md)
"""

from __future__ import annotations

import random
from importlib.metadata import version
from typing import Any

import numpy
import torch
from verl.trainer.ppo import core_algos

from rewards.advantages import dr_grpo, grpo, reinforce_plus_plus, remax, rloo

GROUPS, SIZE, TOKENS = 200, 8, 5


def theirs(function: Any, rewards: list[float], **options: Any) -> list[float]:
    """The advantage of every completion, which verl spreads over its tokens."""
    scores = torch.zeros(len(rewards), TOKENS, dtype=torch.float64)
    scores[:, -1] = torch.tensor(rewards, dtype=torch.float64)
    mask = torch.ones(len(rewards), TOKENS, dtype=torch.float64)
    index = numpy.repeat(numpy.arange(GROUPS), SIZE)
    if "baselines" in options:
        baselines = torch.tensor(options["baselines"], dtype=torch.float64).repeat_interleave(SIZE)
        advantages, _ = function(scores, baselines, mask)
    elif function is core_algos.compute_reinforce_plus_plus_outcome_advantage:
        config = type("Config", (), {"gamma": 1.0})()
        advantages, _ = function(scores, mask, config)
    else:
        advantages, _ = function(scores, mask, index, **options)
    return [float(each) for each in advantages[:, 0]]


def main() -> None:
    """Print the largest difference of each estimator."""
    chance = random.Random(0)
    rewards = [chance.choice([0.0, 1.0, round(chance.gauss(0, 2), 3)]) for _ in range(GROUPS * SIZE)]
    greedy = [chance.choice([0.0, 1.0]) for _ in range(GROUPS)]
    group = core_algos.compute_grpo_outcome_advantage
    pairs = {
        "grpo": (grpo(rewards, SIZE, epsilon=1e-6), theirs(group, rewards)),
        "dr_grpo": (dr_grpo(rewards, SIZE), theirs(group, rewards, norm_adv_by_std_in_grpo=False)),
        "rloo": (rloo(rewards, SIZE), theirs(core_algos.compute_rloo_outcome_advantage, rewards)),
        "remax": (
            remax(rewards, greedy, SIZE),
            theirs(core_algos.compute_remax_outcome_advantage, rewards, baselines=greedy),
        ),
        "reinforce_plus_plus": (
            reinforce_plus_plus(rewards),
            theirs(core_algos.compute_reinforce_plus_plus_outcome_advantage, rewards),
        ),
    }
    print(f"verl {version('verl')}, {GROUPS} groups of {SIZE}")
    for name, (ours, other) in pairs.items():
        difference = max(abs(one - two) for one, two in zip(ours, other, strict=True))
        print(f"  {name}: largest difference {difference:.1e}")


if __name__ == "__main__":
    main()
