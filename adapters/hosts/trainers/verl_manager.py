"""Rewards as a reward manager of verl, with a prompt's rows and tokens, unlike ``compute_score``.

    reward.reward_manager.source=importlib
    reward.reward_manager.module.path=pkg://adapters.hosts.trainers.verl_manager
    reward.reward_manager.name=RewardManager
    +reward.reward_kwargs.recipe=dapo_math

verl hands single rows to any of its ``reward.num_workers`` processes. Each prompt has one of these that
gathers its rows; the others pass theirs on to it, by verl's own method. Nothing waits for ever: a prompt
whose rows do not all come is judged with those that came. verl is imported when it asks for the class.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
import zlib
from collections import OrderedDict
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

from reward_verifiers.rewards import Payment, Reward, load_recipe
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.forks import cached_property

from ..host import Host, Need
from ..row_calls import RowCalls
from ..unscored import Policy
from .verl import Tally, VerlRows, plain

_log = logging.getLogger(__name__)

KEPT = 512
"""Prompts that are remembered when they are done, for rows that come late."""


class _Prompt:
    """The rows of a prompt so far."""

    def __init__(self) -> None:
        self.completions: list[object] = []
        self.rows: list[Mapping[str, Any]] = []
        self.values: list[Payment] = []
        self.last = time.monotonic()
        self.complete = asyncio.Event()
        self.judged: asyncio.Future[list[Payment]] | None = None


class PromptGroups:
    """Pays rows that come one by one as rows of their prompt, for coroutines of one event loop.

    A reward that compares completions is worked out once all of a prompt are there. With any other, only a
    row without a reward waits for the others, to get the mean of what they were paid.

    Args:
        calls: Judges, and has the policy for rows without a reward.
        wait: Seconds that a row waits after the last one of its prompt came.
    """

    def __init__(self, calls: RowCalls, wait: float) -> None:
        self.calls, self.wait = calls, wait
        self.compares = calls.reward.needs_groups
        self._prompts: OrderedDict[str, _Prompt] = OrderedDict()

    async def pay(
        self,
        prompt: str,
        size: int,
        completion: object,
        row: Mapping[str, Any],
        *,
        wait: float | None = None,
    ) -> tuple[float, Payment]:
        """Return a row's reward, and the payment that explains it.

        Args:
            prompt: Which prompt it belongs to.
            size: Number of rows of the prompt.
            completion: The completion.
            row: Its columns.
            wait: Seconds, in place of the usual ones.

        Raises:
            UnscoredError: The policy is to raise, and the row has no reward.
            ConfigError: A column is missing.
        """
        wait = self.wait if wait is None else wait
        if self.compares:
            return await self._compared(prompt, size, completion, row, wait)
        [payment] = await self.calls.rows_async([completion], [row])
        if self.calls.unscored != "group_mean":
            return self._alone(payment), payment
        group = self._of(prompt)
        place = len(group.values)
        group.values.append(Payment(payment.name, payment.value))
        if len(group.values) >= size:
            group.complete.set()
        elif payment.value is None:
            await self._come(group, size, wait)
        return self._with_mean(group.values, place), payment

    async def _compared(
        self, prompt: str, size: int, completion: object, row: Mapping[str, Any], wait: float
    ) -> tuple[float, Payment]:
        group = self._of(prompt)
        place = len(group.rows)
        group.completions.append(completion)
        group.rows.append(row)
        if group.judged is not None:
            # Late, or one more than the prompt should have: what the others were paid stays as it is.
            payments = await self._judge(group)
        else:
            if len(group.rows) >= size:
                group.complete.set()
            await self._come(group, size, wait)
            # A caller that goes away must not take the judging with it.
            payments = await asyncio.shield(self._close(group))
        if self.calls.unscored == "group_mean":
            return self._with_mean(payments, place), payments[place]
        return self._alone(payments[place]), payments[place]

    # ------------------------------------------------------------------------------------------

    def _of(self, prompt: str) -> _Prompt:
        group = self._prompts.get(prompt)
        if group is None:
            while len(self._prompts) >= KEPT:
                oldest = next(iter(self._prompts.values()))
                if not oldest.complete.is_set() and time.monotonic() - oldest.last < self.wait:
                    break
                self._prompts.popitem(last=False)
            group = self._prompts[prompt] = _Prompt()
        group.last = time.monotonic()
        return group

    async def _come(self, group: _Prompt, size: int, wait: float) -> None:
        """Wait until all rows are there, or no row has come for too long."""
        while not group.complete.is_set():
            left = group.last + wait - time.monotonic()
            if left <= 0:
                came = max(len(group.rows), len(group.values))
                _log.warning(
                    "%d of %d rows of a prompt came within %g s; they make the group", came, size, wait
                )
                group.complete.set()
                return
            try:
                await asyncio.wait_for(group.complete.wait(), left)
            except TimeoutError:
                continue

    def _close(self, group: _Prompt) -> asyncio.Future[list[Payment]]:
        if group.judged is None:
            group.judged = asyncio.ensure_future(self._judge(group))
        return group.judged

    def _judge(self, group: _Prompt) -> Coroutine[Any, Any, list[Payment]]:
        return asyncio.to_thread(self.calls.group, list(group.completions), list(group.rows))

    def _alone(self, payment: Payment) -> float:
        [value] = self.calls.settled([payment]).values
        return value or 0.0

    def _with_mean(self, payments: list[Payment], place: int) -> float:
        return self.calls.settled(payments, [range(len(payments))]).values[place] or 0.0


MANAGER = Host(
    "verl's reward manager",
    frozenset({Need.GROUP, Need.TOKENS, Need.PROMPT}),
    ("group_mean", "zero", "raise"),
    cures={
        Need.PROGRESS: "name the progress at which schedules are read: +reward.reward_kwargs.progress=1.0"
    },
)
SLOTS = 1000
"""Calls that a Ray actor with coroutines works on at a time; what they wait for may stand in line behind."""
UNSURE_WAIT = 20.0
"""Seconds for which a row without a reward waits where nobody knows how many others there are."""
_WORKER = re.compile(r"reward_loop_worker_(\d+)")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings under ``reward.reward_kwargs``.

    Args:
        recipe: The name or file of a recipe; not for a class that has a reward of its own.
        unscored: Policy for rows without a reward: ``group_mean`` (the default), ``zero`` or ``raise``.
        columns: The reward's columns by the names that ``extra_info`` has for them.
        progress: The progress at which schedules are read.
        group_wait: Seconds that a row waits after the last one of its prompt came.
    """

    recipe: str | None = None
    unscored: Policy | None = None
    columns: Mapping[str, str] | None = None
    progress: float | None = None
    group_wait: float = 600.0

    @classmethod
    def of(cls, config: Any) -> Settings:
        """Read the settings of verl's configuration.

        Raises:
            ConfigError: There are others, or verl would pay by something else.
        """
        said = plain(_at(config, "reward.reward_kwargs") or {})
        for name in said:
            if name not in cls.__dataclass_fields__:
                raise ConfigError(
                    f"reward.reward_kwargs has {name!r}, which this manager does not know"
                    + nearest(name, cls.__dataclass_fields__)
                )
        for other in ("reward.custom_reward_function.path", "reward.reward_model.enable"):
            if _at(config, other):
                raise ConfigError(
                    f"{other} is set, and this manager pays by its recipe: leave one of them out"
                )
        return cls(**said)


class GroupedRewards:
    """Mixin with the work of `RewardManager`, the class for verl; see there."""

    reward: ClassVar[Reward | None] = None
    """A reward made in Python, for a class of one's own, in place of ``reward.reward_kwargs.recipe``."""

    def __init__(
        self,
        config: Any,
        tokenizer: Any,
        compute_score: Any = None,
        reward_router_address: str | None = None,
        reward_model_tokenizer: Any = None,
    ) -> None:
        super().__init__(config, tokenizer, compute_score)  # type: ignore[call-arg]
        settings = Settings.of(config)
        paying = self.reward if settings.recipe is None else load_recipe(settings.recipe)
        if paying is None or (self.reward is not None and settings.recipe is not None):
            raise ConfigError("name the recipe: +reward.reward_kwargs.recipe=NAME_OR_FILE")
        self.calls = RowCalls(
            paying, MANAGER, settings.unscored, columns=settings.columns, progress=settings.progress
        )
        self.groups = PromptGroups(self.calls, settings.group_wait)
        self.rows, self.tally = VerlRows(paying), Tally()
        self._nameless = count()
        self.gathers = paying.needs_groups or self.calls.unscored == "group_mean"
        self.workers = int(_at(config, "reward.num_workers") or 1)
        rollout = "actor_rollout_ref.rollout"
        self.size = int(_at(config, f"{rollout}.n") or 1)
        self.validation_size = int(_at(config, f"{rollout}.val_kwargs.n") or self.size)
        if paying.needs_groups:
            self._check_groups(config)

    async def run_single(self, data: Any) -> dict[str, Any]:
        """Return a row's reward, and floats under the same names for every row."""
        item = data[-1:][0]  # of several sequences verl judges the last
        fields = item.non_tensor_batch
        prompt = fields.get("uid")
        if prompt is not None and self.gathers:
            peer = self._peer(str(prompt))
            if peer is not None:
                passed_on = await _ask(peer, data)
                if passed_on is not None:
                    return passed_on
        ids = item.batch["responses"]
        tokens = int(item.batch["attention_mask"][-ids.shape[-1] :].sum())
        completion = await asyncio.to_thread(self._decoded, ids[:tokens])
        row = self._row(fields, tokens)
        size, wait = self._expected(row, prompt)
        key = f"row {next(self._nameless)}" if prompt is None else str(prompt)
        value, payment = await self.groups.pay(key, size, completion, row, wait=wait)
        self.tally.count(payment)
        logged = self.rows.logged(self.calls, payment)
        return {"reward_score": value, "reward_extra_info": {**logged, "score": value}}

    # ------------------------------------------------------------------------------------------

    def _decoded(self, ids: Any) -> str:
        text: str = self.tokenizer.decode(ids, skip_special_tokens=True)  # type: ignore[attr-defined]
        return text

    def _row(self, fields: Mapping[str, Any], tokens: int) -> dict[str, Any]:
        truth = (fields.get("reward_model") or {}).get("ground_truth")
        row = self.rows.row(fields.get("data_source"), truth, fields.get("extra_info"))
        of_tools = fields.get("tool_extra_fields") or {}
        for name in (*self.calls.reward.columns(), *self.calls.columns.values()):
            for found in (fields, of_tools):
                if name in found:
                    row.setdefault(name, plain(found[name]))
        if fields.get("raw_prompt") is not None:
            row["prompt"] = plain(fields["raw_prompt"])
        return {**row, "completion_tokens": tokens}

    def _expected(self, row: Mapping[str, Any], prompt: object) -> tuple[int, float | None]:
        """Return the number of rows of the prompt, and how long to wait for them if not the usual time.

        Raises:
            ConfigError: Completions are to be compared, and nothing says with how many.
        """
        if self.size == self.validation_size and prompt is not None:
            return self.size, None
        split = row.get("split")
        if prompt is not None and isinstance(split, str):
            return (self.size if split.startswith("train") else self.validation_size), None
        if not self.groups.compares:
            return (1, None) if prompt is None else (max(self.size, self.validation_size), UNSURE_WAIT)
        raise ConfigError(
            "the row has no uid, so that nothing says which rows are of one prompt"
            if prompt is None
            else f"rollout.n is {self.size} and rollout.val_kwargs.n is {self.validation_size}, and the row "
            "does not say of which it is: write extra_info.split ('train' or 'test', as verl's own data "
            "preparation does), or make the two equal"
        )

    def _check_groups(self, config: Any) -> None:
        """Refuse a set-up that cannot gather groups."""
        what = self.calls.reward.describe()
        if self.size == 1:
            raise ConfigError(
                f"{what} compares the completions of a prompt, and there is one: set rollout.n above 1"
            )
        if _at(config, "algorithm.adv_estimator") == "remax":
            raise ConfigError(
                f"{what} compares the completions of a prompt, and remax adds a greedy one to them"
            )
        prompts = _at(config, "data.gen_batch_size") or _at(config, "data.train_batch_size") or 0
        validated = (_at(config, "data.val_batch_size") or 0) if self.validation_size > 1 else 0
        rows = max(int(prompts) * self.size, int(validated) * self.validation_size)
        if not _fits(rows, self.workers):
            enough = next(more for more in range(self.workers, rows + 1) if _fits(rows, more))
            raise ConfigError(
                f"{what} compares the completions of a prompt, so that rows wait for one another; of "
                f"{rows:,} rows too many may wait in each of {self.workers} processes: "
                f"set reward.num_workers={enough}"
            )

    def _peer(self, prompt: str) -> Any:
        """Return the process that gathers this prompt; None where that is this one."""
        if self.workers == 1 or self._number is None:
            return None
        number = zlib.crc32(prompt.encode()) % self.workers
        if number == self._number:
            return None
        import ray

        if number not in self._peers:
            self._peers[number] = ray.get_actor(f"reward_loop_worker_{number}")
        return self._peers[number]

    @cached_property
    def _peers(self) -> dict[int, Any]:
        return {}

    @cached_property
    def _number(self) -> int | None:
        """Number of this process among verl's reward workers."""
        import ray

        if not ray.is_initialized():
            return None
        name = _WORKER.fullmatch(ray.get_runtime_context().get_actor_name() or "")
        return int(name[1]) if name else None


def _fits(rows: int, workers: int) -> bool:
    """Return whether all waiting rows have a slot, allowing five deviations of their random spread."""
    each = rows / workers * (1 if workers == 1 else 2)
    return each + 5 * math.sqrt(each) <= SLOTS


async def _ask(peer: Any, data: Any) -> dict[str, Any] | None:
    """Return another process's payment, or None where that process is gone."""
    import ray

    try:
        paid: dict[str, Any] = await peer.compute_score.remote(data)
    except ray.exceptions.RayActorError:
        _log.exception("the process that gathers this prompt is gone; the row is judged without it")
        return None
    return paid


def _at(config: Any, path: str) -> Any:
    """Return a setting of verl's configuration, or None."""
    for name in path.split("."):
        if config is None:
            return None
        config = config.get(name)
    return config


def __getattr__(name: str) -> Any:
    """`RewardManager`: made when verl asks for it, since it needs verl's own class."""
    if name != "RewardManager":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

    class RewardManager(GroupedRewards, RewardManagerBase):  # type: ignore[misc]
        """A reward manager of verl's that pays a recipe; its settings are those of `Settings`."""

    RewardManager.__qualname__ = name
    globals()[name] = RewardManager
    return RewardManager
