"""Matching rows of two sides, how parts judged them, and the counts and sums over them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.rewards.select.paired import RESAMPLES, Difference, paired_difference
from reward_verifiers.rewards.select.prompt_figures import PromptSums

from .sides import Column, Judged, Rows


@dataclass(frozen=True, slots=True)
class Matched:
    """The rows of a partition side by side. A unit is the rows of one key: those of a prompt, or one row.

    Args:
        sides: For each side, an array of the places of paired rows; of the same length.
        unit: For each row of each side, the number of its unit.
        rows: For each unit, the number of rows on each side.
        paired: For each unit, the number of pairs.
        heads: For each unit, the place of its first row on each side; meaningless if it has none.
        prompt: For each unit, what intervals count: the prompt, or the key of rows without one.
        other: For each unit, whether rows may be the same with another completion.
    """

    sides: tuple[Column, Column]
    unit: tuple[Column, Column]
    rows: tuple[Column, Column]
    paired: Column
    heads: tuple[Column, Column]
    prompt: Column
    other: Column

    @property
    def shared(self) -> Column:
        """For each unit, whether both sides have it."""
        return (self.rows[0] > 0) & (self.rows[1] > 0)


def matched(first: Rows, second: Rows) -> Matched:
    """Pair rows of one key by their completions, in the order of lines; else the only two that there are.

    Args:
        first: Those of one side of a partition.
        second: Those of the other.
    """
    import numpy

    both = (first.fields, second.fields)
    keys, unit = numpy.unique(numpy.concatenate([each["key"] for each in both]), return_inverse=True)
    units = numpy.split(unit, [len(both[0])])
    count = [numpy.bincount(each, minlength=len(keys)) for each in units]
    heads = []
    for each in units:
        head = numpy.zeros(len(keys), numpy.intp)
        found, places = numpy.unique(each, return_index=True)
        head[found] = places
        heads.append(head)
    alone = (count[0] == 1) & (count[1] == 1)
    pairs = _equal(both, units)
    pairs = [each[~alone[units[0][pairs[0]]]] for each in pairs]
    of_unit = numpy.bincount(units[0][pairs[0]], minlength=len(keys))
    only = [head[alone] for head in heads]
    pairs = [numpy.concatenate(each) for each in zip(pairs, only, strict=True)]
    other = (count[0] > of_unit) & (count[1] > of_unit) & ~alone
    completions = [fields["completion"][place] for fields, place in zip(both, only, strict=True)]
    other[alone] = completions[0] != completions[1]
    prompt = keys.copy()
    for side in (1, 0):  # the first side's, where it has rows
        has = count[side] > 0
        own = both[side]["prompt"][heads[side][has]]
        prompt[has] = numpy.where(own > 0, own, keys[has])
    return Matched(
        (pairs[0], pairs[1]),
        (units[0], units[1]),
        (count[0], count[1]),
        of_unit + alone,
        (heads[0], heads[1]),
        prompt,
        other,
    )


def _equal(both: tuple[Column, Column], units: list[Column]) -> list[Column]:
    """Match rows of the same unit and completion: the first of one side with the first of the other."""
    import numpy

    orders, ranks = [], []
    for fields, unit in zip(both, units, strict=True):
        order = numpy.lexsort((fields["completion"], unit))
        named = numpy.stack([unit[order].astype("<u8"), fields["completion"][order]])
        new = numpy.ones(len(order), bool)
        new[1:] = (named[:, 1:] != named[:, :-1]).any(axis=0)
        places = numpy.arange(len(order))
        orders.append(order)
        ranks.append((*named, places - numpy.maximum.accumulate(numpy.where(new, places, 0))))
    columns = [numpy.concatenate(each) for each in zip(*ranks, strict=True)]
    rows = numpy.concatenate(orders)
    joined = numpy.lexsort(columns[::-1])  # stable: of equal ones that of the first side stands first
    same = numpy.ones(max(len(joined) - 1, 0), bool)
    for column in columns:
        same &= column[joined][1:] == column[joined][:-1]
    return [rows[joined[:-1][same]], rows[joined[1:][same]]]


WRONG, RIGHT, UNJUDGED = 0, 1, 2


def state(value: float | None) -> int:
    """Return the state of a score: right from 1 on.

    >>> state(0.5) == WRONG, state(1.0) == RIGHT, state(None) == UNJUDGED
    (True, True, True)
    """
    return UNJUDGED if value is None else RIGHT if value >= 1.0 else WRONG


@dataclass(frozen=True, slots=True)
class PartColumns:
    """Columns of one part, for each judgement of a table, or each row.

    Args:
        there: Whether it has the part.
        value: Value of the part; NaN if it is unscored.
        state: Its state; see `state`.
        reason: Its number.
    """

    there: Column
    value: Column
    state: Column
    reason: Column

    def at(self, places: Column) -> PartColumns:
        """Return the columns for rows that are judged as these places of the table say."""
        return PartColumns(self.there[places], self.value[places], self.state[places], self.reason[places])


class Judgements:
    """A table of judgements as columns for each part.

    Args:
        table: Different judgements, each by all parts of a row.
        renamed: Numbers that parts have here; None where they have their own.
    """

    def __init__(self, table: Sequence[tuple[Judged, ...]], renamed: Mapping[int, int] | None = None) -> None:
        import numpy

        self._columns: dict[int, PartColumns] = {}
        for place, judged in enumerate(table):
            for own, value, reason in judged:
                number = own if renamed is None else renamed[own]
                columns = self._columns.get(number)
                if columns is None:
                    columns = self._columns[number] = PartColumns(
                        numpy.zeros(len(table), bool),
                        numpy.full(len(table), numpy.nan),
                        numpy.full(len(table), UNJUDGED, "<u4"),
                        numpy.zeros(len(table), "<u4"),
                    )
                columns.there[place] = True
                columns.value[place] = numpy.nan if value is None else value
                columns.state[place] = state(value)
                columns.reason[place] = reason

    @property
    def numbers(self) -> set[int]:
        """Numbers of the parts."""
        return set(self._columns)

    def of(self, number: int) -> PartColumns:
        """Return the columns of a part."""
        return self._columns[number]


STATES = ("wrong", "right", "unjudged")
MOST_OF_A_SOURCE = 2048
"""Prompts of one source that are counted one by one."""


Change = tuple[int, int, int, int]
"""State and reason of a row before, and after."""


class OtherCompletionsError(Exception):
    """Rows of one prompt hold other completions on the two sides: they are compared by prompt."""


@dataclass
class Part:
    """Counts of one part.

    Args:
        most: Prompts that are counted one by one.
        rose: Rows, or prompts, that are paid more by the second side.
        fell: Those that are paid less.
        left_out: Rows, or prompts, that one side could not judge.
        changes: Pairs of rows by state and reason, before and after.
        reasons: Rows by reason, before and after.
        low: The least value.
        high: The greatest.
    """

    most: int = 8192
    rose: int = 0
    fell: int = 0
    left_out: int = 0
    low: float = 0.0
    high: float = 1.0
    changes: Counter[Change] = field(default_factory=Counter)
    reasons: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))

    def __post_init__(self) -> None:
        self.sums = PromptSums(self.most, self.most // 4)

    def add(self, prompts: Column, before: Column, after: Column) -> None:
        """Count values, of rows or of prompts.

        Args:
            prompts: The prompt of each.
            before: The first side's; not a number where it could not judge.
            after: The second side's.
        """
        import numpy

        both = ~(numpy.isnan(before) | numpy.isnan(after))
        self.left_out += len(both) - int(both.sum())
        if not both.any():
            return
        prompts, before, after = prompts[both], before[both], after[both]
        self.rose += int((after > before).sum())
        self.fell += int((after < before).sum())
        self.low = min(self.low, float(before.min()), float(after.min()))
        self.high = max(self.high, float(before.max()), float(after.max()))
        if self.sums.grouped:
            prompts = prompts % numpy.uint64(self.sums.groups)
        keys, place = numpy.unique(prompts, return_inverse=True)
        sums = [numpy.bincount(place, each).tolist() for each in (before, after)]
        for key, *values in zip(keys.tolist(), *sums, numpy.bincount(place).tolist(), strict=True):
            self.sums.add(key, values)

    def flips(self, before: int, after: int) -> int:
        """Return the number of pairs of rows that went from one state to another."""
        return sum(
            count
            for (first, _, second, _), count in self.changes.items()
            if (first, second) == (before, after)
        )

    def difference(self, resamples: int = RESAMPLES) -> Difference | None:
        """Return the difference of the means, with its interval."""
        sums = ((before, after, int(pairs)) for _, (before, after, pairs) in self.sums.items())
        return paired_difference(sums, self.low >= 0.0 and self.high <= 1.0, resamples)


class Figures:
    """All counts of a comparison.

    Args:
        by_prompt: Whether prompts are compared by the means of their rows; else row by row.
        renamed: Parts of the second side that are called otherwise there.
        outcome: The part that says what is right, if any does; its flipped rows are named.
        named_rows: Number of named rows.
    """

    def __init__(
        self, by_prompt: bool, renamed: Mapping[int, int], outcome: int | None, named_rows: int
    ) -> None:
        self.by_prompt, self._renamed, self._outcome, self._most = by_prompt, renamed, outcome, named_rows
        self.parts: defaultdict[int, Part] = defaultdict(Part)
        self.sources: defaultdict[int, defaultdict[int, Part]] = defaultdict(
            lambda: defaultdict(lambda: Part(MOST_OF_A_SOURCE))
        )
        self.rows = [0, 0]
        self.alone = [0, 0]
        self.prompts_alone = [0, 0]
        self.units = self.pairs = 0
        self.other_completions = self.other_references = self.other_prompts = 0
        self._flipped: dict[tuple[int, int], list[tuple[int, ...]]] = defaultdict(list)

    def add(self, sides: tuple[Rows, Rows], found: Matched) -> None:
        """Count the rows of a partition.

        Args:
            sides: Both sides.
            found: Which belong together.

        Raises:
            OtherCompletionsError: They have to be compared by prompt, and rows are.
        """
        shared = found.shared
        if found.other.any() and not self.by_prompt:
            raise OtherCompletionsError
        for side, rows in enumerate(found.rows):
            self.rows[side] += int(rows.sum())
            self.alone[side] += int(rows[~shared].sum())
            self.prompts_alone[side] += int(((rows > 0) & ~shared).sum())
            if not self.by_prompt:
                self.alone[side] += int((rows - found.paired)[shared].sum())
        self.units += int(shared.sum())
        self.pairs += int(found.paired.sum())
        rest = found.rows[0] - found.paired
        self.other_completions += int(rest[found.other].clip(min=1).sum())
        fields = sides[0].fields, sides[1].fields
        heads = [each["prompt"][head[shared]] for each, head in zip(fields, found.heads, strict=True)]
        self.other_prompts += int((heads[0] != heads[1]).sum())
        pairs = [each["reference"][places] for each, places in zip(fields, found.sides, strict=True)]
        self.other_references += int((pairs[0] != pairs[1]).sum())
        judged = (Judgements(sides[0].judged), Judgements(sides[1].judged, self._renamed))
        self._pairs(sides, found, judged)
        if self.by_prompt:
            self._means(sides, found, judged)

    def _pairs(self, sides: tuple[Rows, Rows], found: Matched, judged: tuple[Judgements, Judgements]) -> None:
        rows = [each.fields[places] for each, places in zip(sides, found.sides, strict=True)]
        prompts = found.prompt[found.unit[0][found.sides[0]]]
        sources = rows[0]["source"]
        for number in judged[0].numbers & judged[1].numbers:
            first, second = (
                each.of(number).at(row["judged"]) for each, row in zip(judged, rows, strict=True)
            )
            there = first.there & second.there
            for part, chosen in self._counting(number, sources, there):
                if not self.by_prompt:
                    part.add(prompts[chosen], first.value[chosen], second.value[chosen])
                if number:
                    columns = (first.state, first.reason, second.state, second.reason)
                    part.changes.update(_counted(*(each[chosen] for each in columns)))
            if number and number == self._outcome:
                flipped = there & (first.state != second.state)
                places = (rows[0]["file"], rows[0]["line"], rows[1]["file"], rows[1]["line"])
                self._name(
                    *(each[flipped] for each in (first.state, second.state)),
                    *(each[flipped] for each in (*places, first.reason, second.reason)),
                )

    def _counting(self, number: int, sources: Column, there: Column) -> Iterator[tuple[Part, Column]]:
        """Yield the parts that count some rows, or prompts: the part of all, and that of each source."""
        import numpy

        if not there.any():
            return
        yield self.parts[number], there
        if number in (0, self._outcome):
            for source in numpy.unique(sources[there]).tolist():
                yield self.sources[source][number], there & (sources == source)

    def _means(self, sides: tuple[Rows, Rows], found: Matched, judged: tuple[Judgements, Judgements]) -> None:
        import numpy

        shared = found.shared
        means: tuple[dict[int, Column], ...] = ({}, {})
        has: tuple[dict[int, Column], ...] = ({}, {})
        for side, (rows, unit) in enumerate(zip(sides, found.unit, strict=True)):
            kept = shared[unit]
            units, places = unit[kept], rows.fields["judged"][kept]
            for number in judged[side].numbers:
                own = judged[side].of(number).at(places)
                counts = [
                    numpy.bincount(units, each, len(shared))
                    for each in (own.there, own.there & ~numpy.isnan(own.value))
                ]
                has[side][number] = counts[0] > 0
                sums = numpy.bincount(units, numpy.nan_to_num(own.value), len(shared))
                means[side][number] = numpy.where(
                    counts[1] > 0, sums / numpy.maximum(counts[1], 1), numpy.nan
                )
                if number and own.there.any():
                    reasons = Counter(own.reason[own.there].tolist())
                    self.parts[number].reasons[side].update(reasons)
        sources = numpy.zeros(len(shared), "<u4")
        sources[shared] = sides[0].fields["source"][found.heads[0][shared]]
        for number in means[0].keys() & means[1].keys():
            for part, chosen in self._counting(number, sources, has[0][number] & has[1][number]):
                part.add(found.prompt[chosen], means[0][number][chosen], means[1][number][chosen])

    def _name(self, before: Column, after: Column, *about: Column) -> None:
        for states in _counted(before, after):
            chosen = (before == states[0]) & (after == states[1])
            columns = [each[chosen].tolist() for each in about]
            held = self._flipped[states[0], states[1]] + list(zip(*columns, strict=True))
            self._flipped[states[0], states[1]] = sorted(held)[: self._most]

    def flipped(self) -> Iterator[tuple[tuple[int, int], tuple[int, ...]]]:
        """Yield the first rows of each flip of the outcome: state, file, line and reason of both sides."""
        for states, found in sorted(self._flipped.items()):
            for each in found:
                yield states, each


def _counted(*columns: Column) -> dict[Any, int]:
    """Count each combination of values in columns of numbers."""
    import numpy

    code = numpy.zeros(len(columns[0]), "<i8")
    for column in columns:
        code = code * (int(column.max(initial=0)) + 1) + column
    _, first, counts = numpy.unique(code, return_index=True, return_counts=True)
    return {
        tuple(int(column[place]) for column in columns): count
        for place, count in zip(first.tolist(), counts.tolist(), strict=True)
    }


def plain(found: Difference | None) -> dict[str, Any] | None:
    """Return a difference as data, rounded so that the order of rows does not show."""
    if found is None:
        return None
    names = ("before", "after", "difference", "low", "high")
    rounded = {name: _rounded(getattr(found, name)) for name in names}
    return {
        **rounded,
        "p": float(f"{found.chance:.6g}"),
        "exact": found.exact,
        "pairs": found.values,
        "prompts": found.prompts,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9) + 0.0
