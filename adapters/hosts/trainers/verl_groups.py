"""The rows of a prompt, gathered where the host hands them over one by one, in any order and at any time.

Nothing waits for ever: a prompt whose rows do not all come is judged with those that came.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Coroutine, Mapping
from typing import Any

from reward_verifiers.rewards import Payment

from ..contract.row_calls import RowCalls

_log = logging.getLogger(__name__)

KEPT = 512
"""Prompts that are remembered when they are done, for rows that come late."""


class _Prompt:
    """What has come of a prompt so far."""

    def __init__(self) -> None:
        self.completions: list[object] = []
        self.rows: list[Mapping[str, Any]] = []
        self.values: list[Payment] = []
        self.last = time.monotonic()
        self.complete = asyncio.Event()
        self.judged: asyncio.Future[list[Payment]] | None = None


class PromptGroups:
    """Pays rows that come one by one, as rows of their prompt; for the coroutines of one event loop.

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
        """What a row is paid, and how that came about.

        Args:
            prompt: Which prompt it belongs to.
            size: How many rows the prompt has.
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
        """Wait until all rows are there, or none has come for too long."""
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
