"""A file of somebody's own that verl is pointed at: a function, and a manager with a reward made in Python."""

from __future__ import annotations

from adapters.hosts.trainers.verl import verl_reward
from adapters.hosts.trainers.verl_manager import RewardManager
from rewards import Pay
from verifiers import MathEquivalence, verifier


@verifier
def unbroken(response: str) -> bool:
    """A verifier that breaks on some completions."""
    if "it explodes" in response:
        raise RuntimeError(response)
    return True


REWARD = Pay(unbroken).named("unbroken") + 0.5 * Pay(MathEquivalence())

compute_score = verl_reward(REWARD)


class OwnManager(RewardManager):  # type: ignore[misc, valid-type]
    """Pays what this file says."""

    reward = REWARD
