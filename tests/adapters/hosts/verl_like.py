"""Rows as verl's reward workers get them, and the base class of its managers, without verl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.hosts.trainers.verl_manager import GroupedRewards
from rewards import Reward


class Ids(list[int]):
    """A tensor of one dimension, as far as managers look at it."""

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)

    def sum(self) -> int:
        return sum(self)

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Ids(found) if isinstance(place, slice) else found


class Item:
    """A row of a batch: tensors and columns."""

    def __init__(self, completion: str, columns: Mapping[str, Any], padding: int) -> None:
        text = completion.encode()
        ids = Ids([*text, *[0] * padding])
        self.batch = {"responses": ids, "attention_mask": Ids([1, 1, *[1] * len(text), *[0] * padding])}
        self.non_tensor_batch = dict(columns)


class Data(list[Item]):
    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Data(found) if isinstance(place, slice) else found


def data(
    completion: str,
    answer: object,
    uid: str | None = None,
    *,
    padding: int = 7,
    extra_info: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Data:
    """The batch of one row that verl hands to a manager."""
    columns |= {"data_source": "sums", "reward_model": {"ground_truth": answer}} | (
        {} if uid is None else {"uid": uid}
    )
    return Data([Item(completion, {**columns, "extra_info": dict(extra_info or {})}, padding)])


class _Bytes:
    def decode(self, ids: list[int], *, skip_special_tokens: bool) -> str:
        return bytes(ids).decode() if skip_special_tokens else "special"


class _Base:
    def __init__(self, config: Any, tokenizer: Any, compute_score: Any) -> None:
        self.config, self.tokenizer, self.compute_score = config, tokenizer, compute_score


class Manager(GroupedRewards, _Base):
    """What this library adds to verl's base class, on a base class like it."""


def config(n: int = 4, val_n: int | None = None, workers: int = 1, **kwargs: Any) -> dict[str, Any]:
    """verl's configuration, as far as managers look at it."""
    reward = {"num_workers": workers, "reward_kwargs": kwargs, "custom_reward_function": {"path": None}}
    rollout = {"n": n, "val_kwargs": {"n": n if val_n is None else val_n}}
    return {
        "reward": {**reward, "reward_model": {"enable": False}},
        "actor_rollout_ref": {"rollout": rollout},
        "data": {"train_batch_size": 8},
        "algorithm": {"adv_estimator": "grpo"},
    }


def manager(settings: Mapping[str, Any], reward: Reward | None = None) -> Manager:
    """A manager of a recipe, or of a reward made in Python; inside a running loop."""
    kind = Manager if reward is None else type("Own", (Manager,), {"reward": reward})
    made: Manager = kind(settings, _Bytes())
    return made
