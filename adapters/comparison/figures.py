"""Counts and sums over rows that belong together, and what they come to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rewards.select.paired import RESAMPLES, Difference, paired_difference
from rewards.select.prompt_sums import PromptSums

from .matching import Unit
from .sides import Judged, Record

WRONG, RIGHT, UNJUDGED = 0, 1, 2
STATES = ("wrong", "right", "unjudged")
MOST_OF_A_SOURCE = 2048
"""Prompts of one source that are counted one by one."""


Change = tuple[int, int, int, int]
"""State and reason of a row before, and after."""
_MOST_PLANS = 1 << 14


class OtherCompletionsError(Exception):
    """Rows of one prompt hold other completions on the two sides: they are compared by prompt."""


@dataclass
class Part:
    """What is counted of one part.

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
    changes: dict[Change, int] = field(default_factory=dict)
    reasons: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))

    def __post_init__(self) -> None:
        self.sums = PromptSums(self.most, self.most // 4)

    def add(self, before: float | None, after: float | None, count: int = 1) -> None:
        """Count rows that are judged so, or a prompt by its means; their sums are added apart."""
        if before is None or after is None:
            self.left_out += count
            return
        self.rose += count * (after > before)
        self.fell += count * (after < before)
        self.low, self.high = min(self.low, before, after), max(self.high, before, after)

    def change(self, key: Change, count: int = 1) -> None:
        """Count pairs of rows by state and reason."""
        self.changes[key] = self.changes.get(key, 0) + count

    def flips(self, before: int, after: int) -> int:
        """Pairs of rows that went from one state to another."""
        return sum(
            count
            for (first, _, second, _), count in self.changes.items()
            if (first, second) == (before, after)
        )

    def difference(self, resamples: int = RESAMPLES) -> Difference | None:
        """Of the means, with its interval."""
        sums = ((before, after, int(pairs)) for _, (before, after, pairs) in self.sums.items())
        return paired_difference(sums, self.low >= 0.0 and self.high <= 1.0, resamples)


def state(value: float | None) -> int:
    """Of a score: right from 1 on.

    >>> STATES[state(0.5)], STATES[state(None)]
    ('wrong', 'unjudged')
    """
    return UNJUDGED if value is None else RIGHT if value >= 1.0 else WRONG


class _Plan:
    """What a pair of rows adds to, found once for all pairs that are judged alike."""

    __slots__ = ("count", "flip", "parts", "sums")

    def __init__(self) -> None:
        self.count = 0
        self.parts: list[tuple[Part, float | None, float | None, Change | None]] = []
        self.sums: list[tuple[PromptSums, tuple[float, float, float]]] = []
        self.flip: Change | None = None


class Figures:
    """Everything that is counted.

    Args:
        by_prompt: Whether prompts are compared by the means of their rows; else row by row.
        renamed: Parts of the second side that are called otherwise there.
        outcome: The part that says what is right, if any does; its flipped rows are named.
        named_rows: How many rows are.
    """

    def __init__(
        self, by_prompt: bool, renamed: Mapping[int, int], outcome: int | None, named_rows: int
    ) -> None:
        self.by_prompt, self._renamed, self._outcome, self._most = by_prompt, renamed, outcome, named_rows
        self.parts: dict[int, Part] = {}
        self.sources: defaultdict[int, dict[int, Part]] = defaultdict(dict)
        self.rows = [0, 0]
        self.alone = [0, 0]
        self.prompts_alone = [0, 0]
        self.units = self.pairs = 0
        self.other_completions = self.other_references = self.other_prompts = 0
        self._plans: dict[tuple[int, tuple[Judged, ...], tuple[Judged, ...]], _Plan] = {}
        self._flipped: dict[tuple[int, int], list[tuple[int, int, int, int, int, int]]] = defaultdict(list)

    def add(self, unit: Unit) -> None:
        """Count the rows of a key.

        Raises:
            OtherCompletionsError: They have to be compared by prompt, and rows are.
        """
        self.rows[0] += len(unit.first)
        self.rows[1] += len(unit.second)
        for side, rows, others in ((0, unit.first, unit.second), (1, unit.second, unit.first)):
            if not others:
                self.alone[side] += len(rows)
                self.prompts_alone[side] += 1
        if not unit.first or not unit.second:
            return
        pairs = unit.pairs()
        if not pairs.same and not self.by_prompt:
            raise OtherCompletionsError
        self.units += 1
        self.other_prompts += unit.first[0].prompt != unit.second[0].prompt
        self.pairs += len(pairs.both)
        self.other_completions += len(pairs.first) if pairs.first else not pairs.same
        for before, after in pairs.both:
            self._pair(unit.prompt, before, after)
        if self.by_prompt:
            self._means(unit)
        else:
            self.alone[0] += len(pairs.first)
            self.alone[1] += len(pairs.second)

    def _pair(self, prompt: int, before: Record, after: Record) -> None:
        self.other_references += before.reference != after.reference
        key = (before.source, before.judged, after.judged)
        plan = self._plans.get(key)
        if plan is None:
            if len(self._plans) == _MOST_PLANS:
                self.finish()
            plan = self._plans[key] = self._planned(*key)
        plan.count += 1
        for sums, values in plan.sums:
            sums.add(prompt, values)
        if plan.flip is not None:
            self._name(before, after, plan.flip)

    def _planned(self, source: int, first: tuple[Judged, ...], second: tuple[Judged, ...]) -> _Plan:
        judged = {self._renamed[each[0]]: each for each in second}
        plan = _Plan()
        for number, before, reason in first:
            if number not in judged:
                continue
            _, after, other = judged[number]
            key = (state(before), reason, state(after), other) if number else None
            parts = [self._part(self.parts, number)]
            if number in (0, self._outcome):
                parts.append(self._part(self.sources[source], number, MOST_OF_A_SOURCE))
            plan.parts += [(part, before, after, key) for part in parts]
            if before is not None and after is not None and not self.by_prompt:
                plan.sums += [(part.sums, (before, after, 1)) for part in parts]
            if key is not None and number == self._outcome and key[0] != key[2]:
                plan.flip = key
        return plan

    def finish(self) -> None:
        """Add up what was put off."""
        for plan in self._plans.values():
            for part, before, after, key in plan.parts:
                if not self.by_prompt:
                    part.add(before, after, plan.count)
                if key is not None:
                    part.change(key, plan.count)
        self._plans.clear()

    def _means(self, unit: Unit) -> None:
        before, after = self._values(unit.first, False), self._values(unit.second, True)
        source = self.sources[unit.first[0].source]
        for number, values in before.items():
            if number not in after:
                continue
            means = _mean(values), _mean(after[number])
            parts = [self._part(self.parts, number)]
            if number in (0, self._outcome):
                parts.append(self._part(source, number, MOST_OF_A_SOURCE))
            for part in parts:
                part.add(*means)
                if means[0] is not None and means[1] is not None:
                    part.sums.add(unit.prompt, (means[0], means[1], 1))

    def _values(self, records: list[Record], second: bool) -> dict[int, list[float | None]]:
        found: defaultdict[int, list[float | None]] = defaultdict(list)
        for record in records:
            for part, value, reason in record.judged:
                number = self._renamed[part] if second else part
                found[number].append(value)
                if number:
                    self._part(self.parts, number).reasons[second][reason] += 1
        return found

    def _part(self, parts: dict[int, Part], number: int, most: int = 8192) -> Part:
        found = parts.get(number)
        if found is None:
            found = parts[number] = Part(most)
        return found

    def _name(self, before: Record, after: Record, key: Change) -> None:
        found = self._flipped[key[0], key[2]]
        found.append((before.file, before.line, after.file, after.line, key[1], key[3]))
        if len(found) > 4 * self._most + 100:
            found.sort()
            del found[self._most :]

    def flipped(self) -> Iterator[tuple[tuple[int, int], tuple[int, int, int, int, int, int]]]:
        """The first rows of each flip of the outcome, by state, file, line and reason of both sides."""
        for states, found in sorted(self._flipped.items()):
            for each in sorted(found)[: self._most]:
                yield states, each


def _mean(values: list[float | None]) -> float | None:
    judged = [value for value in values if value is not None]
    return sum(judged) / len(judged) if judged else None


def plain(found: Difference | None) -> dict[str, Any] | None:
    """A difference as data; rounded, so that the order of rows does not show."""
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
