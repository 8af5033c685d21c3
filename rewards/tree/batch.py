"""Batches of completions for a reward, with the other columns of their rows.

Groups are the completions of one prompt, which are next to one another.
"""

from __future__ import annotations

import bisect
import gc
import json
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Protocol

from reward_verifiers.verifiers import (
    ConfigError,
    SplitCompletion,
    Status,
    Verdict,
    Verifier,
    split_completion,
)
from reward_verifiers.verifiers.core.columns_and_faults import (
    REFERENCE,
    STAND_INS,
    as_column,
    column_or_none,
    reference_column,
    tell_reference,
)
from reward_verifiers.verifiers.runtime.forks import cached_property
from reward_verifiers.verifiers.runtime.packages import uncollected

from ..cache import VerdictCache
from ..trainer_arguments import for_rows
from .payment import Payment


def group_ranges(count: int, keys: Sequence[object] | None = None, size: int | None = None) -> list[range]:
    """Return the rows of each group, checked.

    Args:
        count: Number of rows.
        keys: Value that the rows of a group share, such as the prompt; length `count`.
        size: Rows of each group. Without it, equal neighbours are one group.

    Returns:
        Ranges of rows, in order, that cover all of them.

    Raises:
        ConfigError: The groups are not known, the rows do not divide into groups of `size`, rows of one
            group differ in their keys, or the rows of one prompt are not next to one another.

    >>> group_ranges(5, ["p", "p", "p", "q", "q"])
    [range(0, 3), range(3, 5)]
    >>> group_ranges(4, size=2)
    [range(0, 2), range(2, 4)]
    """
    frozen = None if keys is None else [_frozen(key) for key in keys]
    if size is not None:
        return _sized(count, frozen, size)
    if frozen is None:
        raise ConfigError(
            "comparing the completions of a prompt needs to know which belong together: "
            "give a prompts column, or group_size"
        )
    ranges, start = [], 0
    seen: dict[Hashable, int] = {}
    repeated = None
    for key, rows in groupby(frozen):
        length = sum(1 for _ in rows)
        ranges.append(range(start, start + length))
        if key in seen:
            repeated = repeated or (seen[key], start)
        seen[key] = start
        start += length
    # A prompt that was drawn twice comes back as a group of the same size; anything else is a layout
    # in which the completions of a prompt are not next to one another.
    if repeated and (len({len(rows) for rows in ranges}) > 1 or len(ranges[0]) == 1):
        raise ConfigError(
            f"the completions of one prompt must follow one another, but rows {repeated[0]} and "
            f"{repeated[1]} have one prompt and others between them; sort the rows by prompt"
        )
    return ranges


def _sized(count: int, keys: Sequence[Hashable] | None, size: int) -> list[range]:
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise ConfigError(f"group_size must be a whole number from 1, got {size!r}")
    if count % size:
        raise ConfigError(f"{count} rows do not divide into groups of {size}")
    ranges = [range(start, start + size) for start in range(0, count, size)]
    for rows in ranges if keys is not None else ():
        if any(keys[row] != keys[rows[0]] for row in rows):  # type: ignore[index]  # keys is not None here
            raise ConfigError(
                f"rows {rows[0]} to {rows[-1]} should be one group of {size}, but their prompts differ"
            )
    return ranges


def _frozen(key: object) -> Hashable:
    """Return a key that is quick to compare; chat messages become text."""
    if isinstance(key, str | int | float | None):
        return key
    return json.dumps(key, sort_keys=True, ensure_ascii=False, default=repr)


class Payer(Protocol):
    """A reward, as a batch calls it."""

    def pay(self, batch: Batch) -> list[Payment]:
        """Return one payment per completion, in order."""
        ...


@dataclass(frozen=True, eq=False)
class Batch:
    """Completions, the other columns of their rows, and the progress of training.

    Args:
        completions: N strings or lists of chat messages.
        columns: Other columns, of length N. ``completion_tokens`` is derived from a trainer's
            ``completion_ids``, and ``prompt`` from its ``prompts``, if the batch has only these.
        progress: Share of training that is done, in [0, 1], for schedules. Outside training it is 1.
        group_size: Number of completions per prompt, which follow one another. None finds groups by the
            column ``prompts`` or ``prompt``.
        cache: Verdicts of earlier batches.
        place: Name of each row in messages; by default its place in `completions`.
        arguments: Other arguments of a trainer, for your own reward functions.

    Raises:
        ConfigError: A column has another length, or progress is not in [0, 1].
    """

    completions: Sequence[object]
    columns: Mapping[str, Sequence[object]] = field(default_factory=dict)
    progress: float = 1.0
    group_size: int | None = None
    cache: VerdictCache | None = None
    place: Callable[[int], str] | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _parent: tuple[Batch, Sequence[int]] | None = field(default=None, repr=False)
    _paid: dict[Payer, list[Payment]] = field(default_factory=dict, init=False, repr=False)
    _judged: dict[tuple[Verifier, str], Sequence[Verdict]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        if type(self.completions) is not list:
            object.__setattr__(self, "completions", as_column(self.completions, "completions"))
        if any(type(column) is not list for column in self.columns.values()):
            listed = {name: as_column(column, f"column {name!r}") for name, column in self.columns.items()}
            object.__setattr__(self, "columns", listed)
        for name, column in self.columns.items():
            if len(column) != len(self.completions):
                raise ConfigError(
                    f"column {name!r} has {len(column)} rows, but completions has {len(self.completions)}"
                )
        if not 0.0 <= self.progress <= 1.0:
            raise ConfigError(
                f"progress is the share of training that is done, in [0, 1]; got {self.progress}"
            )
        ids = self.columns.get("completion_ids")
        if ids is not None and "completion_tokens" not in self.columns:
            counted = [len(each) if isinstance(each, Sequence) else None for each in ids]
            object.__setattr__(self, "columns", {**self.columns, "completion_tokens": counted})
        if "prompts" in self.columns and "prompt" not in self.columns:
            object.__setattr__(self, "columns", {**self.columns, "prompt": self.columns["prompts"]})

    def __len__(self) -> int:
        return len(self.completions)

    @cached_property
    def splits(self) -> list[object]:
        """Return the completions, each split once for all verifiers; other values than text stay."""
        return [_split(completion) for completion in self.completions]

    @cached_property
    def groups(self) -> list[range]:
        """Return the rows of each prompt, in order.

        Raises:
            ConfigError: Completions of a prompt do not follow one another, or nothing tells the groups.
        """
        if self._parent is not None:
            whole, rows = self._parent
            return _kept(whole.groups, rows)
        prompts = self.columns.get("prompts", self.columns.get("prompt"))
        return group_ranges(len(self), prompts, self.group_size)

    def pay(self, reward: Payer) -> list[Payment]:
        """Return a reward's payments for the batch; equal rewards are computed once.

        Raises:
            ConfigError: A column is missing.
        """
        try:
            known = self._paid.get(reward)
        except TypeError:  # a verifier of a third party with an unhashable field
            return reward.pay(self)
        if known is None:
            quick = gc.isenabled() and _is_quick(reward)
            known = self._paid[reward] = uncollected(reward.pay, self) if quick else reward.pay(self)
        return known

    def judged(
        self, verifier: Verifier, reference: str, judge: Callable[[], Sequence[Verdict]]
    ) -> Sequence[Verdict]:
        """Return a verifier's verdicts; each verifier judges once, however many rewards use it."""
        try:
            known = self._judged.get((verifier, reference))
        except TypeError:  # a verifier of a third party with an unhashable field
            return judge()
        if known is None:
            known = self._judged[verifier, reference] = judge()
        return known

    def rows(self, rows: Sequence[int]) -> Batch:
        """Return a batch of some of the rows; they keep their groups."""
        some = Batch(
            [self.completions[row] for row in rows],
            {name: [column[row] for row in rows] for name, column in self.columns.items()},
            self.progress,
            cache=self.cache,
            place=lambda row: self.where(rows[row]),
            arguments=for_rows(self.arguments, rows, len(self)),
            _parent=(self, rows),
        )
        some.__dict__["splits"] = [self.splits[row] for row in rows]
        return some

    def where(self, row: int) -> str:
        """Return the name of a row in messages."""
        return f"completions[{row}]" if self.place is None else self.place(row)

    def placed(self, verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
        """Return verdicts whose faults name their row."""
        if not any(verdict.status is Status.FAULT for verdict in verdicts):
            return verdicts
        return [self.placed_at(row, verdict) for row, verdict in enumerate(verdicts)]

    def placed_at(self, row: int, verdict: Verdict) -> Verdict:
        """Return the verdict of a row; a fault names the row."""
        if verdict.status is not Status.FAULT or (self.place is None and len(self) == 1):
            return verdict
        return replace(verdict, detail=f"{verdict.detail}; {self.where(row)}")

    def texts(self, of: str) -> Iterator[str | None]:
        """Yield a part of every completion, by its name in `SplitCompletion`; None if there is no text."""
        for split in self.splits:
            yield getattr(split, of) if isinstance(split, SplitCompletion) else None

    def lengths(self, of: str, unit: str) -> Iterator[int | None]:
        """Yield the length of every completion, or None if it is unknown.

        Raises:
            ConfigError: The unit is tokens, and no column has their number.
        """
        if unit == "tokens":
            yield from map(_count, self._tokens())
            return
        for text in self.texts(of):
            yield None if text is None else len(text) if unit == "characters" else len(text.split())

    def _tokens(self) -> Sequence[object]:
        column = self.columns.get("completion_tokens")
        if column is None:
            raise ConfigError(
                "lengths in tokens need a column completion_tokens (numbers) or completion_ids (lists); "
                "add one, or choose unit='characters'"
            )
        return column


def _is_quick(reward: Payer) -> bool:
    """Return whether all of a reward pays in a moment, and makes no garbage that only a collector finds."""
    nodes = reward.walk() if hasattr(reward, "walk") else [reward]
    return all(
        type(node).__module__.startswith("reward_verifiers.rewards.")
        and getattr(getattr(node, "verifier", None), "quick", True)
        for node in nodes
    )


def _kept(groups: Sequence[range], rows: Sequence[int]) -> list[range]:
    """Return the groups over the kept rows, in order; empty groups are dropped."""
    ends, start = [], 0
    for group in groups:
        count = bisect.bisect_left(rows, group.stop) - bisect.bisect_left(rows, group.start)
        if count:
            ends.append(range(start, start + count))
        start += count
    return ends


def _split(completion: object) -> object:
    split = split_completion(completion)
    return completion if split is None else split


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def training_progress(state: Any) -> float:
    """Return the share of training done, by a trainer's state (`transformers.TrainerState`); 1.0 without."""
    step, steps = getattr(state, "global_step", None), getattr(state, "max_steps", None)
    if not isinstance(step, int) or not isinstance(steps, int) or steps <= 0:
        return 1.0
    return min(max(step / steps, 0.0), 1.0)


def columns_of(
    columns: Mapping[str, Any], count: int, needed: Collection[str] = ()
) -> dict[str, Sequence[object]]:
    """Return the columns among a trainer's keyword arguments.

    Args:
        columns: The keyword arguments; a trainer passes other things, too.
        count: Number of completions.
        needed: Names that must be columns.

    Raises:
        ConfigError: One of these is something else, or of another length.
    """
    found = {}
    if REFERENCE in needed and REFERENCE not in columns:
        needed = {*needed, *STAND_INS}
    for name, given in columns.items():
        column = as_column(given, f"column {name!r}") if name in needed else column_or_none(given)
        if column is not None and len(column) == count:
            found[name] = column
        elif name in needed and column is not None:
            raise ConfigError(f"column {name!r} has {len(column)} rows, but completions has {count}")
    return found


def with_references(
    columns: dict[str, Sequence[object]], *, reads: bool, cure: str
) -> dict[str, Sequence[object]]:
    """Return the columns with the one for references, which data may hold under another name.

    Args:
        columns: By their names.
        reads: Whether the reward reads references.
        cure: Advice on how to name the right column, if several are possible.

    Raises:
        ConfigError: Several could be, and differ.
    """
    name = reference_column(columns, cure) if reads else None
    if name is None or name == REFERENCE:
        return columns
    tell_reference(name)
    return {**columns, REFERENCE: columns[name]}
