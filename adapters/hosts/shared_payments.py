"""A reward's payments for the batches of a trainer that calls several functions with the same batch.

Groups that lie on several processes of one training are paid whole by the one with their first row.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from reward_verifiers.rewards import Batch, Payment, Reward, VerdictCache
from reward_verifiers.rewards.trainer_arguments import gathering
from reward_verifiers.rewards.tree.batch import columns_of, group_ranges, training_progress, with_references
from reward_verifiers.rewards.tree.payment import SET_UP, same_fault, unopened
from reward_verifiers.verifiers import ConfigError, SandboxError, Status
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.forks import forgets, new_lock

from .unscored import BROKEN

Columns = Mapping[str, Sequence[object]]
Failure = tuple[type[Exception], str] | None


@dataclass(frozen=True)
class Processes:
    """The processes that train together, as one of them sees them.

    Args:
        number: Number of this one.
        gather: Gives each process what all have given, in the order of their numbers.
    """

    number: int
    gather: Callable[[Any], list[Any]]


def processes() -> Processes | None:
    """Return the processes of this training; None where there is only one."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)  # loaded where there are several
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    count = distributed.get_world_size()
    if count < 2:
        return None

    def gather(value: Any) -> list[Any]:
        found = [None] * count
        distributed.all_gather_object(found, value)
        return found

    return Processes(distributed.get_rank(), gather)


def pay_whole(
    those: Processes,
    completions: Sequence[object],
    columns: Columns,
    size: Callable[[Columns, int], int | None],
    pay: Callable[[Sequence[object], Columns, int | None], list[Payment]],
) -> list[Payment]:
    """Return the payments of this process's completions, each compared with its whole group.

    All processes call it together. What one of them refuses, all refuse: none is left waiting.

    Args:
        those: The processes.
        completions: Its own.
        columns: Columns of its rows.
        size: The group size of all rows together; None where equal neighbouring prompts are a group.
        pay: Pays the completions of whole groups.

    Raises:
        ConfigError: The groups are not known, or a process cannot pay.
    """
    number = those.number
    parts = those.gather((list(completions), {name: list(column) for name, column in columns.items()}))
    starts = [sum(len(each) for each, _ in parts[:rank]) for rank in range(len(parts) + 1)]
    together = list(chain.from_iterable(each for each, _ in parts))
    names = [name for name in parts[0][1] if all(name in each for _, each in parts)]
    every: Columns = {name: list(chain.from_iterable(each[name] for _, each in parts)) for name in names}
    group = size(every, len(together))
    prompts = every.get("prompts", every.get("prompt"))
    payments: list[Payment] = []
    failure: Failure = None
    try:
        ranges = group_ranges(len(together), prompts, group)
        own = [rows for rows in ranges if starts[number] <= rows.start < starts[number + 1]]
        if own:
            rows = slice(own[0].start, own[-1].stop)
            payments = pay(together[rows], {name: column[rows] for name, column in every.items()}, group)
    except (ConfigError, SandboxError) as error:
        failure = type(error), str(error)
    paid: list[tuple[list[Payment], Failure]] = those.gather((payments, failure))
    for kind, said in (each for _, each in paid if each is not None):
        raise kind(said)
    return list(chain.from_iterable(each for each, _ in paid))[starts[number] : starts[number + 1]]


OnFault = Literal["stop", "mask"]
"""What happens where every row of the first batch breaks in the same way."""

Split = Literal["here", "gather", "refuse"]
"""What happens where a group that is compared may lie on several processes."""
PROMPTS = ("prompts", "prompt")
SEVERAL = 4
"""Prompts of a batch whose references are all unusable: of fewer, they may be the few of a sound data set."""
CURE = "Mend it, or pass on_fault='mask' to train on without these rows"
"""What helps where a reward breaks on every row; who has no such parameter says something else."""

_log = logging.getLogger(__name__)


class _Call:
    """A batch that is being paid, or was paid last, with its result."""

    def __init__(self, seen: tuple[Any, ...]) -> None:
        self.seen = seen
        self.payments: Future[list[Payment]] = Future()


class Evaluation:
    """Works out a batch once for all the functions that a trainer calls, and never ends a run.

    Calls of several threads are judged side by side: nothing is locked meanwhile, and a call with a batch
    that another is working on waits for that one.

    Args:
        reward: The reward.
        columns: The reward's columns by the names that the rows have.
        group_size: Completions of each prompt, for rewards that compare them; where it does not fit, equal
            neighbouring prompts are one group.
        cache: Verdicts to keep.
        on_fault: Policy if every row of the batches so far fails in the same way: "stop" raises, "mask" goes
            on without them, as it does once any row was judged.
        split: Policy for groups that may span several processes of the trainer: "here" compares the rows of
            this process, for trainers that pass whole groups; "gather" rewards whole groups, for trainers
            that call all processes alike; "refuse" raises.
    """

    def __init__(
        self,
        reward: Reward,
        columns: Mapping[str, str],
        group_size: int | None,
        cache: VerdictCache | None,
        on_fault: OnFault = "stop",
        split: Split = "here",
    ) -> None:
        if on_fault not in ("stop", "mask"):
            raise ConfigError(f"on_fault is 'stop' or 'mask', got {on_fault!r}")
        read = [verifier.fields_read() for verifier in reward.verifiers()]
        known = {*reward.columns(), *(name for names in read for name in names or ())}
        for name in columns:
            if name not in known and None not in read:
                raise ConfigError(f"the reward reads no column {name!r}{nearest(name, reward.columns())}")
        self.reward, self.columns, self.group_size, self.cache = reward, dict(columns), group_size, cache
        self.on_fault, self.split = on_fault, split
        self.cure = CURE
        self._start()

    def _start(self) -> None:
        self._lock = new_lock()
        self._worked = self._hinted = False
        self._calls: list[_Call] = []
        forgets(self)

    def after_fork(self) -> None:
        """Forget, in a forked child, the batches that other threads of the parent are working on."""
        self._calls = []

    def __getstate__(self) -> dict[str, Any]:
        kept = ("reward", "columns", "group_size", "cache", "on_fault", "split", "cure")
        return {name: getattr(self, name) for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    def payments(self, completions: Sequence[object], given: Mapping[str, Any]) -> list[Payment]:
        """Return one payment per completion, in order.

        Args:
            completions: Length N.
            given: Other arguments of the trainer.

        Raises:
            ConfigError: The set-up cannot work, and has not worked before.
        """
        progress = training_progress(given.get("trainer_state"))
        needed = {self.columns.get(name, name) for name in self.reward.columns()}
        columns = columns_of(given, len(completions), needed if not self._worked else ())
        known = list(columns)
        columns |= {ours: columns[theirs] for ours, theirs in self.columns.items() if theirs in columns}
        columns = self._with_references(columns)
        seen = (
            progress,
            tuple(columns),
            *completions,
            *(each for column in columns.values() for each in column),
        )
        those = self._processes(len(completions))
        with self._lock:
            call = next((each for each in self._calls if _same(each.seen, seen)), None)
            if those is not None and any(those.gather(call is None)):
                call = None  # what one process has seen before another may not have
            ours = call is None
            if call is None:
                call = _Call(seen)
                self._calls.append(call)
        if ours:
            others = {name: value for name, value in given.items() if name not in columns}

            def pay() -> list[Payment]:
                arguments, log = gathering(others, len(completions))
                size = self._size(columns, len(completions))
                batch = Batch(completions, columns, progress, size, self.cache, arguments=arguments)
                payments = self._pay(batch, known)
                log()
                return payments

            def pay_rows(rows: Sequence[object], own: Columns, size: int | None) -> list[Payment]:
                # Logged columns would be of other rows than the trainer's.
                arguments = {name: value for name, value in others.items() if name != "log_extra"}
                return self._pay(Batch(rows, own, progress, size, self.cache, arguments=arguments), known)

            def pay_together() -> list[Payment]:
                assert those is not None  # noqa: S101  (it is called where there are several)
                shared = self._shared(columns)
                return pay_whole(those, completions, shared, self._size, pay_rows)

            self._work(call, pay if those is None else pay_together)
        try:
            return call.payments.result()
        except CancelledError:  # the thread that worked on it was interrupted
            return self.payments(completions, given)

    def _work(self, call: _Call, pay: Callable[[], list[Payment]]) -> None:
        """Pay a batch, for all that wait for it."""
        try:
            payments = pay()
        except BaseException as error:
            with self._lock:
                self._calls.remove(call)
            if isinstance(error, Exception):
                call.payments.set_exception(error)
                return
            call.payments.cancel()
            raise
        with self._lock:
            # Of those that are done the last is kept, which the trainer's next function asks for.
            self._calls = [each for each in self._calls if each is call or not each.payments.done()]
        call.payments.set_result(payments)

    def _processes(self, count: int) -> Processes | None:
        """Return the processes that may share groups of this batch; None where each has whole ones."""
        if self.split == "here" or not self.reward.needs_groups:
            return None
        if self.group_size is not None and count % self.group_size == 0:
            return None
        those = processes()
        if those is not None and self.split == "refuse":
            part = next(node.describe() for node in self.reward.walk() if node.compares_groups)
            raise ConfigError(
                f"{part} compares the completions of a prompt, which may lie on several processes: let each "
                "hold whole groups (per_device_train_batch_size x steps_per_generation a multiple of "
                "num_generations, which is given here as num_generations=...), or leave out asynchronous=True"
            )
        return those

    def _shared(self, columns: Columns) -> Columns:
        """Return the columns that other processes need to pay these rows."""
        names = {*self.reward.columns(), *PROMPTS, *self.columns.values()}
        names.update(name for node in self.reward.walk() for name in node.reads())
        if any(verifier.fields_read() is None for verifier in self.reward.verifiers()):
            names.update(name for name in columns if name != "environments")
        if "completion_tokens" in names:
            names.add("completion_ids")
        return {name: column for name, column in columns.items() if name in names}

    def _with_references(self, columns: dict[str, Sequence[object]]) -> dict[str, Sequence[object]]:
        cure = 'columns={"answer": "solution"}'
        try:
            return with_references(columns, reads=self.reward.reads_references(), cure=cure)
        except ConfigError:
            if not self._worked:
                raise
            return columns  # a batch without references is masked, and told

    def _size(self, columns: Mapping[str, Sequence[object]], count: int) -> int | None:
        """Return the group size where it fits: evaluation may sample another number of completions."""
        prompts = columns.get("prompts")
        if self.group_size is None or prompts is None:
            return self.group_size
        try:
            group_ranges(count, prompts, self.group_size)
        except ConfigError:
            return None
        return self.group_size

    def _check(self, payments: list[Payment], batch: Batch) -> None:
        """Refuse a reward that breaks on every row of the first batch, or judges none of them."""
        if not self._hinted and (said := unopened(payments)):
            self._hinted = True
            _log.warning("%s", said)
        if self._worked or self.on_fault == "mask":
            return
        cause = same_fault(payments, Status.UNSCORED)
        told = [batch.columns[name] for name in ("prompts", "answer") if name in batch.columns]
        prompts = len({repr(row) for row in zip(*told, strict=True)})
        enough = cause is not None and prompts >= (SEVERAL if cause.reason == "bad_reference" else 2)
        if cause is not None and (cause.reason in SET_UP or enough):
            raise ConfigError(
                f"no row can be judged: of every row of the first batch {cause.verifier} says "
                f"{cause.reason}: {cause.detail or 'see its documentation'}. Mend it, or pass "
                "on_fault='mask' to train on without these rows"
            )
        fault = same_fault(payments)
        if fault is not None:
            raise ConfigError(
                f"no row can be paid: {fault.verifier} breaks on every row of the first batch: "
                f"{fault.detail}. {self.cure}"
            )

    def _pay(self, batch: Batch, known: Sequence[str]) -> list[Payment]:
        try:
            for ours, theirs in self.columns.items():
                if theirs not in known:
                    raise ConfigError(
                        f"the rows have no column {theirs!r} for {ours!r}{nearest(theirs, known)}"
                    )
            payments = batch.pay(self.reward)
            self._check(payments, batch)
            self._worked = True
        except Exception as error:
            # What never works is told at the first step; later on nothing may end a run that costs money.
            if isinstance(error, ConfigError | SandboxError) and not self._worked:
                raise
            _log.exception("the reward %s broke; this batch is masked", self.reward.describe())
            payments = [Payment(self.reward.name, None, note=BROKEN)] * len(batch)
        return payments


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return (
        len(one) == len(other) and one[:2] == other[:2] and all(map(lambda a, b: a is b, one[2:], other[2:]))
    )
