"""Rewards in slime: a function for ``--custom-rm-path``, and one that normalises them in their groups.

    # my_reward.py
    from reward_verifiers.adapters.hosts.trainers.slime import slime_rm

    custom_rm = slime_rm("gsm8k_tags")

    --custom-rm-path my_reward.custom_rm --group-rm
    --custom-reward-post-process-path adapters.hosts.trainers.slime.post_process_rewards

``adapters.hosts.trainers.slime.custom_rm`` does as well, with the recipe in the environment variable
`REWARD_RECIPE`. slime itself is not imported.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, cast

from reward_verifiers.rewards import Payment, Reward, VerdictCache
from reward_verifiers.verifiers import ConfigError

from ..host import Host, Need, needs_of, recipe_asked, reward_of
from ..replies import labelled, without_tokens
from ..row_calls import RowCalls
from ..unscored import Policy, is_fault, settle, why

SLIME = Host(
    "slime",
    frozenset({Need.GROUP, Need.TOKENS, Need.PROMPT}),
    ("mask", "raise"),
)
WITHOUT = "without_reward"
"""The key of a sample's metadata that says why it has no reward."""
STATUS = "status"
"""The key of a reward's object for ``--log-reward-category``: scored, unscored or fault."""
WITH_MEANS = frozenset({"grpo", "gspo", "cispo", "reinforce_plus_plus_baseline"})
WITH_DEVIATIONS = frozenset({"grpo", "gspo", "cispo"})
"""The estimators whose rewards slime normalises in each group, and by what."""
_EPSILON = 1e-6

_log = logging.getLogger(__name__)


class SlimeReward:
    """A reward as slime's ``custom_rm``; made by `slime_rm`."""

    def __init__(self, calls: RowCalls) -> None:
        self.calls = calls
        self._columns = [calls.columns.get(name, name) for name in needs_of(calls.reward).columns]
        self._masked = 0

    async def __call__(self, args: Any, sample: Any, **_: Any) -> Any:
        """Return a reward for each sample: a number, or with ``--reward-key`` an object of numbers.

        A sample without a reward gets slime's own mask (``remove_sample``). What it is handed over as is the
        mean of its group where the group is known (``--group-rm``), and else 0.

        Args:
            args: slime's arguments.
            sample: A sample, or a list of them; with ``--group-rm`` all of a prompt.

        Raises:
            ConfigError: The set-up cannot work; the message has the cure.
            UnscoredError: A sample has no reward, and the policy is to raise.
        """
        samples: Sequence[Any] = sample if isinstance(sample, list) else [sample]
        replies = [without_tokens(each.response or "") for each in samples]
        rows = [self._row(each) for each in samples]
        # Several samples of one rollout come as a list, too: they are no group.
        grouped = isinstance(sample, list) and bool(getattr(args, "group_rm", False))
        if grouped:
            payments = await asyncio.to_thread(self.calls.group, replies, rows)
        elif self.calls.reward.needs_groups:
            raise ConfigError(
                f"{self.calls.reward.describe()} compares the completions of a prompt, and slime passes them "
                "one by one: start it with --group-rm"
            )
        else:
            payments = await self.calls.rows_async(replies, rows)
        found = self._paid(args, samples, payments, grouped)
        return found if isinstance(sample, list) else found[0]

    def _row(self, sample: Any) -> dict[str, Any]:
        metadata = sample.metadata if isinstance(sample.metadata, dict) else {}
        row = {name: value for name, value in metadata.items() if name not in ("completion", WITHOUT)}
        if sample.label is not None or "answer" not in row:
            row |= labelled(self._columns, sample.label)
        count = int(sample.response_length or 0)
        row |= {"prompt": sample.prompt, "completion_tokens": count}
        if "completion_ids" in self.calls.reward.columns():
            row["completion_ids"] = list(sample.tokens[-count:]) if count else []
        return row

    def _paid(
        self, args: Any, samples: Sequence[Any], payments: Sequence[Payment], grouped: bool
    ) -> list[float | dict[str, float | str]]:
        settled = self.calls.settled(payments)
        filled = (
            settle(payments, "group_mean", [range(len(payments))]) if grouped else settle(payments, "zero")
        )
        for sample, payment, masked in zip(samples, payments, settled.masked, strict=True):
            self._mark(sample, why(payment) if masked else None)
        self._tell(settled.unscored, payments)
        values = cast(list[float], filled.values)
        key = getattr(args, "reward_key", None)
        if not key:
            return list(values)
        return [
            {**self.calls.logs.row(payment), STATUS: _status(payment), key: value}
            for payment, value in zip(payments, values, strict=True)
        ]

    def _mark(self, sample: Any, reason: str | None) -> None:
        """Set or take back the mask: a sample may be judged again, as after a partial rollout."""
        metadata = sample.metadata if isinstance(sample.metadata, dict) else {}
        if reason is not None:
            sample.metadata = {**metadata, WITHOUT: reason}
            sample.remove_sample = True
        elif WITHOUT in metadata:
            sample.metadata = {name: value for name, value in metadata.items() if name != WITHOUT}
            sample.remove_sample = False

    def _tell(self, masked: int, payments: Sequence[Payment]) -> None:
        """Log that samples are masked: at the first, and whenever there are twice as many."""
        before, self._masked = self._masked, self._masked + masked
        if before.bit_length() < self._masked.bit_length():
            last = next(each for each in reversed(payments) if each.value is None)
            _log.warning("%d samples had no reward so far and are masked; last: %s", self._masked, why(last))


def slime_rm(
    recipe: Reward | str | Path,
    *,
    unscored: Policy | None = None,
    columns: Mapping[str, str] | None = None,
    progress: float | None = None,
    cache: VerdictCache | None = None,
) -> SlimeReward:
    """Return a reward as ``custom_rm`` for slime.

    Args:
        recipe: A recipe's name or file, or a reward.
        unscored: Policy for samples without a reward: ``mask`` (the default), or ``raise``, which ends the
            rollout.
        columns: The reward's columns by the names that labels and metadata have for them.
        progress: The progress at which schedules are read.
        cache: Verdicts to keep.

    Raises:
        ConfigError: The reward cannot be paid in slime; the message has the cure.
    """
    reward = reward_of(recipe)
    return SlimeReward(RowCalls(reward, SLIME, unscored, columns=columns, progress=progress, cache=cache))


def post_process_rewards(args: Any, samples: Sequence[Any]) -> tuple[list[float], list[float]]:
    """Return rewards under slime's own normalisation, without samples that have no reward.

    For ``--custom-reward-post-process-path``. Their placeholders would else enter the group's mean, and make
    its deviation smaller. They get 0.

    Args:
        args: slime's arguments.
        samples: All samples of a rollout, the completions of a prompt next to one another.

    Returns:
        The rewards as they were handed over, and the normalised ones.
    """
    raw = [float(sample.get_reward_value(args)) for sample in samples]
    if args.advantage_estimator not in WITH_MEANS or not args.rewards_normalization:
        return raw, raw
    scaled = args.advantage_estimator in WITH_DEVIATIONS and args.grpo_std_normalization
    normalised = [0.0] * len(raw)
    for group in _groups(args, len(raw)):
        kept = [row for row in group if WITHOUT not in (samples[row].metadata or {})]
        mean = fmean(raw[row] for row in kept) if kept else 0.0
        squares = sum((raw[row] - mean) ** 2 for row in kept)
        deviation = (squares / (len(kept) - 1)) ** 0.5 if len(kept) > 1 else 0.0
        for row in kept:
            normalised[row] = (raw[row] - mean) / (deviation + _EPSILON if scaled else 1.0)
    return raw, normalised


def _groups(args: Any, count: int) -> Iterator[range]:
    """Yield slime's groups: one of all samples where their number is not the usual one."""
    size = args.n_samples_per_prompt
    usual = count == size * args.rollout_batch_size
    for start in range(0, count, size if usual else max(count, 1)):
        yield range(start, start + size if usual else count)


def _status(payment: Payment) -> str:
    if payment.value is not None:
        return "scored"
    return "fault" if is_fault(payment) else "unscored"


def __getattr__(name: str) -> SlimeReward:
    if name != "custom_rm":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = slime_rm(recipe_asked("slime"))
    globals()[name] = function
    return function
