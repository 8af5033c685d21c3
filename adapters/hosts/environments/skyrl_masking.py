"""Rows without a reward in SkyRL's trainer: left out of the loss and of their group's mean and deviation.

    class Experiment(BasePPOExp):
        def get_generator(self, *given, **named):
            return mask_unscored(super().get_generator(*given, **named))

        def get_trainer(self, *given, **named):
            return set_masked_apart(super().get_trainer(*given, **named))

SkyRL has a mask for each token, and no way for an environment to set it; and it takes masked rows into the
statistics of their group all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableMapping, Sequence
from functools import wraps
from typing import Any, TypeVar

from reward_verifiers.verifiers import ConfigError

from ..unscored import UNSCORED, group_means

Wrapped = TypeVar("Wrapped")


def mask_unscored(generator: Wrapped) -> Wrapped:
    """Make a generator of SkyRL mask the tokens of rows without a reward, and give these their group's mean.

    The mean is for what SkyRL works out of the rewards alone: which groups all got the same, and the logs.
    Rows of evaluations are left as they are.

    Args:
        generator: SkyRL's ``SkyRLGymGenerator``, whose environments are of `skyrl_environment`.

    Raises:
        ConfigError: The generator works in one batch, and so does not say which rows have no reward.
    """
    host: Any = generator
    if getattr(host, "batched", False):
        raise ConfigError(
            "SkyRL's batched generation drops the environments' metrics: set generator.batched=false"
        )
    generate = host.generate

    @wraps(generate)
    async def masking(input_batch: Any, *given: Any, **named: Any) -> Any:
        output = await generate(input_batch, *given, **named)
        about = input_batch.get("batch_metadata")
        if getattr(about, "training_phase", "train") == "train":
            _mask(output, output.get("trajectory_ids") or input_batch["trajectory_ids"])
        return output

    host.generate = masking
    return generator


def set_masked_apart(trainer: Wrapped) -> Wrapped:
    """Make a trainer of SkyRL work out advantages as if rows whose tokens are all masked were not there."""
    host: Any = trainer
    compute = host.compute_advantages_and_returns

    @wraps(compute)
    def apart(data: Any, *given: Any, **named: Any) -> Any:
        uids = data.metadata["uids"]
        live = (data["loss_mask"] != 0).any(dim=-1).tolist()
        data.metadata["uids"] = _apart(uids, live, data.metadata.get("is_last_step") or [True] * len(live))
        try:
            return compute(data, *given, **named)
        finally:
            data.metadata["uids"] = uids

    host.compute_advantages_and_returns = apart
    return trainer


def _mask(output: MutableMapping[str, Any], ids: Sequence[Any]) -> None:
    """Mask the rows of trajectories without a reward; of rows for each step, the last has the reward."""
    rewards, masks = output["rewards"], output["loss_masks"]
    last = output.get("is_last_step") or [True] * len(rewards)
    metrics = output.get("env_metrics") or [{}] * len(rewards)
    rows = range(len(rewards))
    unscored = {_name(ids[row]) for row in rows if last[row] and metrics[row].get(UNSCORED)}
    ends = [row for row in rows if last[row]]
    totals = [None if _name(ids[row]) in unscored else _total(rewards[row]) for row in ends]
    means = dict(zip(ends, group_means(totals, [ids[row].instance_id for row in ends]), strict=True))
    for row in rows:
        if _name(ids[row]) in unscored:
            tokens, mean = len(masks[row]), means.get(row, 0.0)
            masks[row] = [0] * tokens
            spread = [*[0.0] * (tokens - 1), mean][:tokens]
            rewards[row] = spread if isinstance(rewards[row], list) else mean


def _total(reward: float | Sequence[float]) -> float:
    """Return the total of a reward, which in SkyRL is a number, or a list with one for each token."""
    return float(sum(reward) if isinstance(reward, Sequence) else reward)


def _name(trajectory: Any) -> tuple[str, int]:
    return trajectory.instance_id, trajectory.repetition_id


def _apart(uids: Sequence[str], live: Sequence[bool], last: Sequence[bool]) -> list[str]:
    """Return the group of each row; masked rows get groups of their own if others remain to compare."""
    left = Counter(uid for uid, alive, ends in zip(uids, live, last, strict=True) if alive and ends)
    return [
        uid if alive or left[uid] < 2 else f"{uid}, masked row {row}"
        for row, (uid, alive) in enumerate(zip(uids, live, strict=True))
    ]
