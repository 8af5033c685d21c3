"""Rewards in OpenRLHF: a file for ``--reward.remote_url`` (``--remote_rm_url`` before 0.10).

    # reward.py
    from reward_verifiers.adapters.hosts.trainers.openrlhf import openrlhf_reward_func

    reward_func = openrlhf_reward_func("gsm8k_tags")

OpenRLHF loads the file in each rollout worker and calls ``reward_func(queries, prompts, labels)`` with one
row at a time, from threads. This module's own path does as well, with the recipe in the environment variable
`REWARD_RECIPE`; hence its imports are absolute. OpenRLHF itself is not imported.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.hosts.host import Host, Need, needs_of, recipe_asked, reward_of
from reward_verifiers.adapters.hosts.replies import labelled, reply_after
from reward_verifiers.adapters.hosts.row_calls import RowCalls
from reward_verifiers.adapters.hosts.unscored import Policy
from reward_verifiers.rewards import Payment, Reward, VerdictCache
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.forks import new_lock

OPENRLHF = Host(
    "OpenRLHF",
    frozenset({Need.PROMPT}),
    # A reward that is None ends the run, or is taken for one that a reward model is to fill in.
    ("zero", "raise"),
    cures={
        Need.GROUP: "it asks row by row; use a reward that judges each completion by itself, or a trainer "
        "that passes groups (slime with --group-rm, verl, TRL)",
        Need.TOKENS: "measure lengths with unit='characters' or unit='words', or use OpenRLHF's own "
        "--reward.overlong_buffer_len",
    },
)
CUT = "the query does not begin with its prompt"
"""The note of a row whose prompt was cut, so that the model's words cannot be told from it."""
ENOUGH = 64
"""Rows after which prompts that were never found are no accident of long ones."""

_log = logging.getLogger(__name__)


class OpenRLHFReward:
    """A reward as OpenRLHF's ``reward_func``; made by `openrlhf_reward_func`."""

    def __init__(self, calls: RowCalls) -> None:
        self.calls = calls
        self._columns = [calls.columns.get(name, name) for name in needs_of(calls.reward).columns]
        self._counts = new_lock()
        self._told, self._cut = False, 0

    def __call__(
        self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any]
    ) -> dict[str, Any]:
        """``rewards``, ``scores`` and ``extra_logs``: numbers for one row, lists for several.

        Args:
            queries: Prompt and reply in one text, special tokens included; length N.
            prompts: Length N.
            labels: The references, or objects with all columns that the reward reads; length N.

        Raises:
            ConfigError: The set-up cannot work. OpenRLHF logs that, and the run ends without rewards.
            UnscoredError: A row has no reward, and the policy is to raise.
        """
        try:
            payments = self._payments(queries, prompts, labels)
        except ConfigError as error:
            # OpenRLHF swallows what is raised; what it then says of the missing reward names no cause.
            _log.error("no rewards for OpenRLHF: %s", error)
            raise
        values = self.calls.settled(payments).values
        logs = [self.calls.logs.row(payment) for payment in payments]
        if len(payments) == 1:
            return {"rewards": values[0], "scores": values[0], "extra_logs": logs[0]}
        columns = {name: [each[name] for each in logs] for name in self.calls.logs.names}
        return {"rewards": values, "scores": values, "extra_logs": columns}

    def _payments(
        self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any]
    ) -> list[Payment]:
        if not len(queries) == len(prompts) == len(labels):
            raise ConfigError(f"{len(queries)} queries, {len(prompts)} prompts, {len(labels)} labels")
        replies = [reply_after(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
        rows = [
            {**labelled(self._columns, label), "prompt": prompt}
            for prompt, label in zip(prompts, labels, strict=True)
        ]
        whole = [place for place, reply in enumerate(replies) if reply is not None]
        self._count(len(whole), len(replies) - len(whole))
        paid = self.calls.rows([replies[place] for place in whole], [rows[place] for place in whole])
        found: Mapping[int, Payment] = dict(zip(whole, paid, strict=True))
        without = Payment(self.calls.reward.name, None, note=CUT)
        return [found.get(place, without) for place in range(len(replies))]

    def _count(self, whole: int, cut: int) -> None:
        """Refuse to go on where no prompt is ever found."""
        with self._counts:
            self._told = self._told or whole > 0
            self._cut += cut
            hopeless = not self._told and self._cut >= ENOUGH
        if hopeless:
            raise ConfigError(
                f"none of {self._cut} queries begins with its prompt, so replies cannot be told from them: "
                "if prompts are cut, raise --data.max_len or lower --rollout.max_new_tokens; else the "
                "tokenizer changes their letters, and another one is needed"
            )


def openrlhf_reward_func(
    recipe: Reward | str | Path,
    *,
    unscored: Policy | None = None,
    columns: Mapping[str, str] | None = None,
    progress: float | None = None,
    cache: VerdictCache | None = None,
) -> OpenRLHFReward:
    """Return a reward as ``reward_func`` for OpenRLHF.

    Args:
        recipe: A recipe's name or file, or a reward.
        unscored: Policy for rows without a reward: ``zero`` (the default), or ``raise``, on which OpenRLHF
            goes on without a reward and the run ends.
        columns: The reward's columns by the names that labels have for them.
        progress: The progress at which schedules are read.
        cache: Verdicts to keep.

    Raises:
        ConfigError: The reward cannot be paid in OpenRLHF; the message has the cure.
    """
    reward = reward_of(recipe)
    return OpenRLHFReward(
        RowCalls(reward, OPENRLHF, unscored, columns=columns, progress=progress, cache=cache)
    )


def __getattr__(name: str) -> OpenRLHFReward:
    if name != "reward_func":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = openrlhf_reward_func(recipe_asked("OpenRLHF"))
    globals()[name] = function
    return function
