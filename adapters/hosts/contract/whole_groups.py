"""Groups that lie on several processes of one training, paid whole by the one with their first row."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from reward_verifiers.rewards import Payment
from reward_verifiers.rewards.tree.batch import group_ranges
from reward_verifiers.verifiers import ConfigError, SandboxError

Columns = Mapping[str, Sequence[object]]
Failure = tuple[type[Exception], str] | None


@dataclass(frozen=True)
class Processes:
    """The processes that train together, as one of them sees them.

    Args:
        number: Of this one.
        gather: Gives each process what all have given, in the order of their numbers.
    """

    number: int
    gather: Callable[[Any], list[Any]]


def processes() -> Processes | None:
    """Those of this training; None where there is one alone."""
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
    """The payments of this process's completions, each compared with its whole group.

    All processes call it together. What one of them refuses, all refuse: none is left waiting.

    Args:
        those: The processes.
        completions: Its own.
        columns: Of its rows.
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
