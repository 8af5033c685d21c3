"""Rewards in AReaL: a function for the ``reward_fn`` of its workflows.

    # my_reward.py
    from reward_verifiers.adapters.hosts.trainers.areal import areal_reward_fn

    reward_fn = areal_reward_fn("gsm8k_tags")

    workflow_kwargs = dict(reward_fn="my_reward.reward_fn", ...)

AReaL calls it in a pool of processes, a completion at a time. ``adapters.hosts.trainers.areal.reward_fn``
does as well, with the recipe in the environment variable `REWARD_RECIPE`. AReaL itself is not imported.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward

from ..host import Host, Need, recipe_asked, reward_of
from ..replies import without_tokens
from ..row_calls import RowCalls
from ..unscored import Policy, UnscoredError, why

AREAL = Host(
    "AReaL",
    frozenset({Need.PROMPT, Need.TOKENS}),
    ("drop", "zero"),
    cures={
        Need.GROUP: "its workflows judge each completion by itself; use a reward that does, or a workflow of "
        "your own that pays a group"
    },
)
_log = logging.getLogger(__name__)


class AReaLReward:
    """A reward as AReaL's ``reward_fn``; made by `areal_reward_fn`.

    It is pickled with every call, so what travels is bytes made once; a process of the pool reads them once.
    """

    __name__ = "reward_fn"

    def __init__(self, calls: RowCalls) -> None:
        self.calls = calls
        self._bytes = pickle.dumps(calls)
        self._digest = hashlib.sha256(self._bytes).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return _read, (self._digest, self._bytes)

    def __call__(
        self,
        prompt: str | None = None,
        completions: str | None = None,
        prompt_ids: Any = None,
        completion_ids: Any = None,
        **data: Any,
    ) -> float:
        """Return the reward of a completion.

        Args:
            prompt: The prompt as text.
            completions: Completions, with special tokens.
            prompt_ids: Its tokens.
            completion_ids: The completion's tokens.
            data: The other columns of the row.

        Raises:
            UnscoredError: The completion has no reward, and the policy is to drop it: AReaL logs that, and
                rejects the prompt's episodes.
            ConfigError: The set-up cannot work; the message has the cure.
        """
        row = {name: value for name, value in data.items() if name not in ("completion", "completion_tokens")}
        # The conversation before the reply: the question, and not what verifiers know as messages.
        messages = row.pop("messages", None)
        question = messages if isinstance(messages, list) else prompt
        row |= {} if question is None else {"prompt": question}
        if completion_ids is not None:
            row |= {"completion_ids": list(completion_ids), "completion_tokens": len(completion_ids)}
        payments = self.calls.rows([without_tokens(completions or "")], [row])
        settled = self.calls.settled(payments)
        if not settled.values:
            raise UnscoredError(f"no reward, so this prompt is left out: {why(payments[0])}")
        if settled.unscored:
            _log.warning("no reward, 0 is paid: %s", why(payments[0]))
        [value] = settled.values
        return 0.0 if value is None else value


_KEPT: dict[tuple[int, str], AReaLReward] = {}


def _read(digest: str, written: bytes) -> AReaLReward:
    """Return the reward of a process, read once, so that its models and servers are kept.

    What a parent had when it forked is not used: its locks may be held by threads that are not here.
    """
    key = os.getpid(), digest
    if key not in _KEPT:
        _KEPT[key] = AReaLReward(pickle.loads(written))  # noqa: S301
    return _KEPT[key]


def areal_reward_fn(
    recipe: Reward | str | Path,
    *,
    unscored: Policy | None = None,
    columns: Mapping[str, str] | None = None,
    progress: float | None = None,
) -> AReaLReward:
    """Return a reward as ``reward_fn`` for AReaL's workflows.

    Args:
        recipe: A recipe's name or file, or a reward.
        unscored: Policy for completions without a reward: ``drop`` (the default) raises, so AReaL rejects the
            prompt with all its completions and takes another one; ``zero`` pays 0.
        columns: The reward's columns by the names that the data have for them.
        progress: The progress at which schedules are read.

    Raises:
        ConfigError: The reward cannot be paid in AReaL, or sent to a process; the message has the cure.
    """
    reward = reward_of(recipe)
    return AReaLReward(RowCalls(reward, AREAL, unscored, columns=columns, progress=progress))


def __getattr__(name: str) -> AReaLReward:
    if name != "reward_fn":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = areal_reward_fn(recipe_asked("AReaL"))
    globals()[name] = function
    return function
