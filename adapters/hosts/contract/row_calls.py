"""Payments for hosts that call row by row, or group by group, from many threads or event loops."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from reward_verifiers.rewards import Batch, Payment, Reward, VerdictCache
from reward_verifiers.verifiers import ConfigError, SandboxError, Verifier
from reward_verifiers.verifiers.core import nearest

from .gathering import WINDOW, Gatherer
from .host import Host
from .row_logs import RowLogs
from .unscored import BROKEN, Policy, Settled, settle

_log = logging.getLogger(__name__)
_Row = tuple[object, Mapping[str, Any], float]


class RowCalls:
    """A reward in a host that hands over rows as they come.

    Rows of concurrent calls are judged together, and never make a group: that is what `group` is for. A
    set-up that has never worked is told; once a row was judged, what cannot be judged is a row without a
    reward, since nothing of one row may end a run that costs money.

    Args:
        reward: What pays.
        host: Who calls.
        unscored: What is done about a row without a reward; by default what the host does best.
        columns: The reward's columns by the names that the host's rows have.
        progress: The progress at which schedules are read, where the host does not know it.
        cache: Verdicts to keep.
        window: Seconds for which a call waits for others.

    Raises:
        ConfigError: The reward cannot be paid in this host; the message has the cure.
    """

    def __init__(
        self,
        reward: Reward,
        host: Host,
        unscored: Policy | None = None,
        *,
        columns: Mapping[str, str] | None = None,
        progress: float | None = None,
        cache: VerdictCache | None = None,
        window: float = WINDOW,
    ) -> None:
        host.check(reward, progress=progress)
        self.reward, self.host, self.unscored = reward, host, host.policy(unscored)
        self.columns, self.progress, self.cache = dict(columns or {}), progress, cache
        self.window = window
        self.logs = RowLogs(reward)
        self._start()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    def rows(
        self,
        completions: Sequence[object],
        rows: Sequence[Mapping[str, Any]],
        *,
        progress: float | None = None,
    ) -> list[Payment]:
        """One payment for each completion, in order; the calling thread waits for it.

        Args:
            completions: Length N.
            rows: Their other columns; length N.
            progress: How far training has come.

        Raises:
            ConfigError: The reward compares completions; or a column is missing, and nothing was judged
                before.
        """
        self._check(completions, rows)
        try:
            payments = self._gatherer.call(self._asked(completions, rows, progress))
        except Exception as error:
            return self._broken(error, len(completions))
        return self._done(payments)

    async def rows_async(
        self,
        completions: Sequence[object],
        rows: Sequence[Mapping[str, Any]],
        *,
        progress: float | None = None,
    ) -> list[Payment]:
        """The same for event loops.

        Raises:
            ConfigError: As for `rows`.
        """
        self._check(completions, rows)
        try:
            payments = await self._gatherer.call_async(self._asked(completions, rows, progress))
        except Exception as error:
            return self._broken(error, len(completions))
        return self._done(payments)

    def group(
        self,
        completions: Sequence[object],
        rows: Sequence[Mapping[str, Any]],
        *,
        progress: float | None = None,
    ) -> list[Payment]:
        """One payment for each completion of one prompt, in order, judged apart from other calls.

        Args:
            completions: All completions of a prompt.
            rows: Their other columns.
            progress: How far training has come.

        Raises:
            ConfigError: A column is missing and no row was judged before.
        """
        self._check(completions, rows, grouped=True)
        try:
            asked = self._asked(completions, rows, progress)
            payments = _paid(self.reward, asked, self.cache, len(asked) or None)
        except Exception as error:
            return self._broken(error, len(completions))
        return self._done(payments)

    def settled(self, payments: Sequence[Payment], groups: Sequence[range] | None = None) -> Settled:
        """What the host is handed for payments: its policy for rows without a reward is applied.

        Raises:
            UnscoredError: The policy is to raise.
            ConfigError: The policy needs groups, and they are not known.
        """
        return settle(payments, self.unscored, groups)

    # ------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self.worked = False
        """Whether anything was judged: from then on one row ends nothing."""
        together = any(
            verifier.isolate or type(verifier).check_batch is not Verifier.check_batch
            for verifier in self.reward.verifiers()
        )
        self._gatherer: Gatherer[_Row, Payment] = Gatherer(self._judge, together=together, window=self.window)

    def _check(
        self, completions: Sequence[object], rows: Sequence[Mapping[str, Any]], *, grouped: bool = False
    ) -> None:
        if len(completions) != len(rows):
            raise ConfigError(f"{len(rows)} rows for {len(completions)} completions")
        if self.reward.needs_groups and not grouped:
            raise ConfigError(
                f"{self.reward.describe()} compares the completions of a prompt, and rows that happen to "
                "come together are no group: pass all completions of a prompt to `group`"
            )

    def _asked(
        self, completions: Sequence[object], rows: Sequence[Mapping[str, Any]], progress: float | None
    ) -> list[_Row]:
        if progress is None:
            progress = 1.0 if self.progress is None else self.progress
        return [
            (completion, self._renamed(row), progress)
            for completion, row in zip(completions, rows, strict=True)
        ]

    def _done(self, payments: list[Payment]) -> list[Payment]:
        self.worked = self.worked or bool(payments)
        return payments

    def _broken(self, error: Exception, count: int) -> list[Payment]:
        """What a set-up cannot do is told; a reward that breaks on some rows leaves these without one."""
        if isinstance(error, ConfigError | SandboxError) and not self.worked:
            raise error
        if isinstance(error, ConfigError):  # the row lacks what others had: nothing broke
            _log.error("rows have no reward: %s", error)
            return [Payment(self.reward.name, None, note=str(error))] * count
        _log.error("the reward %s broke; these rows have none", self.reward.describe(), exc_info=error)
        return [Payment(self.reward.name, None, note=BROKEN)] * count

    def _renamed(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        for ours, theirs in self.columns.items():
            if theirs not in row:
                raise ConfigError(f"the row has no column {theirs!r} for {ours!r}{nearest(theirs, row)}")
            row = {**row, ours: row[theirs]}
        return row

    def _judge(self, rows: Sequence[_Row]) -> list[Payment]:
        # Columns that only some rows have would become None in the others.
        alike: dict[tuple[object, ...], list[int]] = {}
        for place, (_, row, progress) in enumerate(rows):
            alike.setdefault((progress, *sorted(row)), []).append(place)
        found: dict[int, Payment] = {}
        for places in alike.values():
            paid = _paid(self.reward, [rows[place] for place in places], self.cache, None)
            found |= zip(places, paid, strict=True)
        return [found[place] for place in range(len(rows))]


def _paid(
    reward: Reward, rows: Sequence[_Row], cache: VerdictCache | None, group_size: int | None
) -> list[Payment]:
    if not rows:
        return []
    names = dict.fromkeys(name for _, row, _ in rows for name in row)
    columns = {name: [row.get(name) for _, row, _ in rows] for name in names}
    return Batch([each for each, _, _ in rows], columns, rows[0][2], group_size, cache).pay(reward)
