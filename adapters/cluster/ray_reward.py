"""A reward whose batches are paid by actors of a Ray cluster, for trainers whose own cores are busy."""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from reward_verifiers.rewards import Batch, Payment, Reward, TrlFunction
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.forks import forgets, new_lock
from reward_verifiers.verifiers.runtime.worker_process import IN_WORKER

from ..files.chunk_scorer import ended
from ..files.row_faults import Ended, apart
from .actors import Session, extend_search_path, starting
from .crew import IN_FLIGHT, Crew, LostError

MOST_ROWS = 256
"""Rows of a call; fewer cost more in passing them around, more make other actors wait."""

Part = tuple[list[object], dict[str, list[object]], list[str] | None, int | None]
"""Completions, their columns, what messages call them, and how many of them are one group."""


@dataclass(frozen=True, repr=False)
class RayReward(Reward):
    """A reward computed by Ray actors; it works wherever a reward does, in any adapter of a trainer.

    Payments, parts, columns and signature are those of the reward. Actors start with the first batch. A lost
    actor is replaced, and another one judges its rows; a row that kills every actor is a fault. You can use
    it from any thread; a copy in another process has its own actors.

    Args:
        reward: The reward; it is sent to the actors with the user's own functions.
        actors: Number of actors; None for one per core of the cluster.
        address: Address of the cluster; see `Session`.
        gpus: Number of GPUs per actor, for models that judge.

    Raises:
        ConfigError: The reward is a function that is to see whole batches.
    """

    reward: Reward
    actors: int | None = None
    address: str | None = None
    gpus: float = 0.0
    _held: Any = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.actors is not None and self.actors < 1:
            raise ConfigError(f"actors is at least 1, got {self.actors}")
        if any(isinstance(node, TrlFunction) for node in self.reward.walk()):
            raise ConfigError(
                f"{self.reward.describe()} has a function that is called with whole batches, and actors get "
                "parts of them; call it where the trainer is, or make it a verifier"
            )
        object.__setattr__(self, "_held", _Held())

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`; verdicts that the batch's cache holds are judged anew.

        Raises:
            RunError: No actor can be started.
            ConfigError: The reward raised it.
        """
        crew = self._held.crew(self)
        grouped = self.needs_groups
        calls = [
            (rows, crew.call(_sent(batch, rows, grouped=grouped), batch.progress))
            for rows in self._split(batch, crew)
        ]
        payments: list[Payment] = []
        for rows, call in calls:
            try:
                payments += [each for part in crew.result(call) for each in part]
            except LostError:
                payments += self._apart(batch, rows, crew)
        return payments

    async def pay_async(self, batch: Batch) -> list[Payment]:
        """Pay a batch as `pay` does, for event loops."""
        return await asyncio.to_thread(self.pay, batch)

    def close(self) -> None:
        """End the actors, and the cluster if it was started here; the next batch would start others."""
        self._held.close()

    # It is what it pays by ---------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The reward's name."""
        return self.reward.name

    @property
    def total_name(self) -> str:
        """The name of the total in the reward's logs."""
        return self.reward.total_name

    def children(self) -> tuple[Reward, ...]:
        return (self.reward,)

    def describe(self) -> str:
        return self.reward.describe()

    def signature(self) -> str:
        return self.reward.signature()

    def to_spec(self) -> Any:
        return self.reward.to_spec()

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_held": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({**state, "_held": _Held()})

    # ------------------------------------------------------------------------------------------

    def _split(self, batch: Batch, crew: Crew) -> Iterator[list[range]]:
        """Split the batch into calls of some parts each: groups, or any rows."""
        most = max(1, min(MOST_ROWS, -(-len(batch) // (IN_FLIGHT * crew.count))))
        if not self.needs_groups:
            for start in range(0, len(batch), most):
                yield [range(start, min(start + most, len(batch)))]
            return
        held: list[range] = []
        for group in batch.groups:
            held.append(group)
            if sum(map(len, held)) >= most:
                yield held
                held = []
        if held:
            yield held

    def _apart(self, batch: Batch, parts: Sequence[range], crew: Crew) -> list[Payment]:
        """Pay parts one by one after some of them lost their actors."""
        whole = self.needs_groups

        def attempt(rows: range) -> list[Payment] | Ended:
            try:
                [paid] = crew.result(crew.call(_sent(batch, [rows], grouped=whole), batch.progress))
            except LostError as lost:
                return Ended(lost)
            found: list[Payment] = paid
            return found

        def broken(rows: range, detail: str) -> list[Payment]:
            return [ended(self.reward, f"{detail}; {batch.where(row)}") for row in rows]

        return [
            each
            for rows in parts
            for paid in apart(attempt, broken, rows, whole=lambda: whole)
            for each in paid
        ]


class BatchPayer:
    """An actor's work: it pays parts of batches.

    Args:
        paths: Module search path of the caller.
        pickled: A `Reward`.
    """

    def __init__(self, paths: list[str], pickled: bytes) -> None:
        extend_search_path(paths)
        os.environ[IN_WORKER] = "1"  # there is one actor for each core
        self._pickled = pickled

    def ready(self) -> bool:
        """Load the reward."""
        self._reward: Reward = pickle.loads(self._pickled)  # noqa: S301  (the caller's)
        return True

    def work(self, parts: Sequence[Part], progress: float) -> list[list[Payment]]:
        """Return the payments of each part."""
        return [
            Batch(
                completions,
                columns,
                progress,
                group_size,
                place=None if places is None else places.__getitem__,
            ).pay(self._reward)
            for completions, columns, places, group_size in parts
        ]


class _Held:
    """A reward's actors, started when they are needed."""

    joined_by: ClassVar[int | None] = None
    """The process that has joined Ray; a child that is forked from it finds Ray's threads gone."""

    def __init__(self) -> None:
        self._lock = new_lock()
        self._crew: Crew | None = None
        self._session: Session | None = None
        forgets(self)

    def after_fork(self) -> None:
        """Forget the actors in a forked child, where nothing serves those that the parent started."""
        self._crew = self._session = None

    def crew(self, reward: RayReward) -> Crew:
        with self._lock:
            if _Held.joined_by not in (None, os.getpid()):
                raise ConfigError(
                    "RayReward: this process was forked from one that had started actors, and Ray cannot be "
                    "used in such a child; start a new process (spawn), or fork before the first batch"
                )
            if self._crew is None:
                _Held.joined_by = os.getpid()
                self._session = session = Session(reward.address, reward.actors)
                pickled = pickle.dumps(reward.reward)
                start = starting(session.ray, BatchPayer, pickled, gpus=reward.gpus)
                self._crew = Crew(session.ray, start, reward.actors or session.cores)
            return self._crew

    def close(self) -> None:
        with self._lock:
            if self._crew is not None:
                self._crew.close()
            if self._session is not None:
                self._session.close()
            self._crew = self._session = None


def _sent(batch: Batch, parts: Sequence[range], *, grouped: bool) -> list[Part]:
    """Return the parts of a batch as they are sent to an actor."""
    alone = batch.place is None and len(batch) == 1
    return [
        (
            [batch.completions[row] for row in rows],
            {name: [column[row] for row in rows] for name, column in batch.columns.items()},
            None if alone else [batch.where(row) for row in rows],
            len(rows) if grouped else None,
        )
        for rows in parts
    ]
