"""The figures of a report: means with intervals, by prompt, step, source and reason, and first rows."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from reward_verifiers.rewards.select import Candidate, GroupStatistics, group_statistics, mean_interval
from reward_verifiers.rewards.select.prompt_figures import pass_at_k
from reward_verifiers.rewards.select.statistics import SIZES

from ..files.scored_candidates import verifier_class
from .report_table import FLIPPED, NOT_JUDGED, NOT_STRICT, SAME_TEXT, STATUSES, UNPAID, Table
from .run_sides import missing_pairs

TEN = 10
"""Rows that are named: what somebody reads before anything else."""


def first_rows(table: Table, right: Sequence[float] | None) -> list[dict[str, object]]:
    """Return rows from every cause of doubt in turn, costliest first; none for a table without doubts.

    Args:
        table: The rows.
        right: The outcome of each; None where no part says it.

    Returns:
        The ``row`` (its place), and ``why``, which is one of `WHY`; ``wrong_alone`` is wrong where most other
        completions of the prompt are right.
    """
    waiting = {why: _places(table, right, why) for why in WHY}
    named: dict[int, str] = {}
    while waiting and len(named) < TEN:
        for why, places in list(waiting.items()):
            place = next((each for each in places if each not in named), None)
            if place is None:
                del waiting[why]
            elif len(named) < TEN:
                named[place] = why
    order = {why: turn for turn, why in enumerate(WHY)}
    return [
        {"row": place, "why": why}
        for place, why in sorted(named.items(), key=lambda pair: (order[pair[1]], pair[0]))
    ]


WHY = (
    *("lost", "won", "fault", "unscored", "reference_unpaid", "not_strict", "same_text", "wrong_alone"),
    "wrong",
)
"""In the order in which they are looked at."""


def _places(table: Table, right: Sequence[float] | None, why: str) -> Iterator[int]:
    every = range(len(table))
    flags, statuses = table.flags, table.statuses
    bits = {"reference_unpaid": UNPAID, "not_strict": NOT_STRICT, "same_text": SAME_TEXT}
    if why in bits:
        return (place for place in every if flags[place] & bits[why])
    if why in ("lost", "won"):
        later = (place for place in every if flags[place] & FLIPPED and table.runs[place])
        return (place for place in later if (table.changes[place] < 0) == (why == "lost"))
    if why in ("fault", "unscored"):
        return (place for place in every if statuses[place] == (3 if why == "fault" else 2))
    values = table.rewards if right is None else right
    wrong = (place for place in every if values[place] == 0.0)
    return wrong if why == "wrong" else _alone(table, values, wrong)


def _alone(table: Table, values: Sequence[float], wrong: Iterator[int]) -> Iterator[int]:
    """Yield wrong rows of otherwise right groups."""
    best: dict[int, list[float]] = {}
    for group, value in zip(table.groups, values, strict=True):
        if not math.isnan(value):
            counted = best.setdefault(group, [0.0, 0.0])
            counted[0] += value == 1.0
            counted[1] += 1.0
    return (place for place in wrong if best[table.groups[place]][0] > 0.5 * best[table.groups[place]][1])


MOST_STEPS = 120
"""Points of a curve; of more steps several make one point."""

_pass_at_k: Callable[[int, int, int], float] = lru_cache(maxsize=100_000)(pass_at_k)

MOST_UNPAID = 40
"""Reasons for which responses that hold their reference were not paid."""
FEW = 12
"""Different values that have a bar each."""


class Figures:
    """Figures of a table of rows.

    Args:
        table: The numbers of all rows.
        outcome: The part that is the accuracy; None where there is none.
    """

    def __init__(self, table: Table, outcome: str | None) -> None:
        self.table, self.outcome = table, outcome
        self.right = table.parts[outcome].values if outcome is not None else None
        self.groups = table.by_group(table.groups)
        self.bounded = {name: _bounded(part.values) for name, part in table.parts.items()}

    def all(self) -> dict[str, Any]:
        """Return every figure as plain data; each of several runs has its own, as no mean covers all."""
        table, several = self.table, self.table.several_runs
        everything = range(0 if several else len(self.table))
        return {
            "rows": len(table),
            "prompts": len(set(table.prompts)),
            "outcome": self.outcome,
            "confidence": 0.95,
            "status": {
                name: count
                for name, count in zip(STATUSES, _counts(table.statuses, len(STATUSES)), strict=True)
                if name
            },
            "reward": self.interval(table.rewards, everything),
            "accuracy": self.accuracy(everything),
            "parts": {
                name: {
                    **(self.interval(part.values, everything, self.bounded[name]) or {}),
                    "unscored": part.statuses.count(2),
                    "faults": part.statuses.count(3),
                }
                for name, part in table.parts.items()
            },
            "pass_at_k": [] if several else self.passes(self.groups.values()),
            "groups": self.group_figures(),
            "flags": {
                name: sum(1 for flags in table.flags if flags & flag)
                for name, flag in (
                    ("not_judged", NOT_JUDGED),
                    ("not_strict", NOT_STRICT),
                    ("same_text", SAME_TEXT),
                    ("reference_unpaid", UNPAID),
                    *((("flipped", FLIPPED),) if table.several_runs else ()),
                )
            },
            "reference_unpaid": [
                {"part": part, "reason": reason, "count": count}
                for (part, reason), count in table.unpaid.most_common(MOST_UNPAID)
            ],
            "reasons": self.reasons(),
            "runs": self.runs(),
            "first": first_rows(table, self.right),
            "sources": self.sources(),
            "steps": self.steps(),
            "length_unit": "tokens" if table.tokens == len(table) else "characters",
        }

    def interval(
        self, values: Sequence[float], places: Iterable[int], bounded: bool = False
    ) -> dict[str, Any] | None:
        """Return a mean with its interval, clustered by prompt; None where there is no value."""
        sums: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0])
        prompts = self.table.prompts
        for place in places:
            value = values[place]
            if not math.isnan(value):
                entry = sums[prompts[place]]
                entry[0] += value
                entry[1] += 1
        found = mean_interval(((total, int(count)) for total, count in sums.values()), bounded)
        if found is None:
            return None
        return {
            "mean": found.mean,
            "low": found.low,
            "high": found.high,
            "n": found.values,
            "prompts": found.prompts,
        }

    def accuracy(self, places: Iterable[int]) -> dict[str, Any] | None:
        """Return the mean outcome of rows."""
        return None if self.right is None else self.interval(self.right, places, bounded=True)

    def passes(self, groups: Iterable[list[int]]) -> list[dict[str, Any]]:
        """Return pass@k with intervals over prompts: for other prompts of the kind, not for other samples."""
        if self.right is None:
            return []
        sums: dict[int, defaultdict[int, list[float]]] = {}
        for places in groups:
            judged = [value for place in places if not math.isnan(value := self.right[place])]
            n, c = len(judged), sum(value == 1.0 for value in judged)
            for k in SIZES:
                if k <= n:
                    entry = sums.setdefault(k, defaultdict(lambda: [0.0, 0]))[self.table.prompts[places[0]]]
                    entry[0] += _pass_at_k(n, c, k)
                    entry[1] += 1
        found = []
        for k in sorted(sums):
            made = mean_interval(((total, int(count)) for total, count in sums[k].values()), bounded=True)
            if made is not None:
                found.append(
                    {"k": k, "mean": made.mean, "low": made.low, "high": made.high, "prompts": made.prompts}
                )
        return found

    def group_figures(self) -> dict[str, Any]:
        """Return group statistics of the reward, and the groups by their number of right completions."""
        figures: GroupStatistics = group_statistics(
            [self._candidate(place) for place in places] for places in self.groups.values()
        )
        rates: Counter[tuple[int, int]] = Counter()
        deviations: list[float] = []
        for places in self.groups.values():
            judged = [value for place in places if not math.isnan(value := self.outcome_of(place))]
            if len(places) > 1:
                rates[sum(value == 1.0 for value in judged), len(judged)] += 1
                rewards = [value for place in places if not math.isnan(value := self.table.rewards[place])]
                if len(rewards) > 1:
                    middle = math.fsum(rewards) / len(rewards)
                    deviations.append(
                        math.sqrt(math.fsum((value - middle) ** 2 for value in rewards) / len(rewards))
                    )
        judged_groups = figures.judged_groups
        return {
            "groups": figures.groups,
            "several": sum(rates.values()),
            "all_right": _share(figures.all_right, judged_groups),
            "all_wrong": _share(figures.all_wrong, judged_groups),
            "flat_rewards": _share(figures.flat_rewards, judged_groups),
            "shaped_only": _share(figures.shaped_only, judged_groups),
            "deviation": figures.deviation,
            "rates": [
                {"right": right, "of": of, "groups": count} for (right, of), count in sorted(rates.items())
            ],
            "deviations": histogram(deviations, 24),
        }

    def outcome_of(self, place: int) -> float:
        """Return a row's outcome; NaN where there is none."""
        return math.nan if self.right is None else self.right[place]

    def _candidate(self, place: int) -> Candidate:
        outcome, reward = self.outcome_of(place), self.table.rewards[place]
        if self.right is None:
            outcome = reward
        return Candidate("", None if math.isnan(outcome) else outcome, None if math.isnan(reward) else reward)

    def reasons(self) -> list[dict[str, Any]]:
        """Count each reason of each part, most frequent first."""
        names = list(self.table.reasons)
        found = []
        for name, part in self.table.parts.items():
            kind = verifier_class(self.table.verifiers.get(name, ""))
            meanings = {} if kind is None else kind.all_reasons()
            totals: Counter[tuple[int, int]] = Counter(zip(part.reasons, part.statuses, strict=True))
            by_run: defaultdict[tuple[int, int], list[int]] = defaultdict(
                lambda: [0] * len(self.table.run_names)
            )
            if self.table.several_runs:
                for each in zip(part.reasons, part.statuses, self.table.runs, strict=True):
                    by_run[each[:2]][each[2]] += 1
            sums: Counter[tuple[int, int]] = Counter()
            for reason, status, reward in zip(part.reasons, part.statuses, self.table.rewards, strict=True):
                if reason and not math.isnan(reward):
                    sums[reason, status] += reward  # type: ignore[assignment]
            for (reason, status), count in totals.most_common():
                if reason:
                    found.append(
                        {
                            "part": name,
                            "reason": names[reason],
                            "status": STATUSES[status],
                            "count": count,
                            "reward": sums[reason, status] / count,
                            "meaning": meanings.get(names[reason], ""),
                            **({"runs": by_run[reason, status]} if by_run else {}),
                        }
                    )
        return found

    def runs(self) -> list[dict[str, Any]]:
        """Return figures of each run, in the order of the rows; none where there is one run."""
        if not self.table.several_runs:
            return []
        by_run = self.table.by_group(self.table.runs)
        alone = missing_pairs(self.table)
        runs = self.table.runs
        return [
            {
                "run": name,
                **self._about(by_run.get(number, [])),
                "alone": alone[name],
                "pass_at_k": self.passes(each for each in self.groups.values() if runs[each[0]] == number),
                "parts": {
                    part: self.interval(each.values, by_run.get(number, []), self.bounded[part])
                    for part, each in self.table.parts.items()
                },
            }
            for name, number in self.table.run_names.items()
        ]

    def sources(self) -> list[dict[str, Any]]:
        """Return figures of each source, in the order of the rows."""
        if not self.table.source_names or self.table.several_runs:
            return []
        by_source = self.table.by_group(self.table.sources)
        return [
            {"source": name, **self._about(by_source.get(number, []))}
            for name, number in self.table.source_names.items()
        ]

    def steps(self) -> list[dict[str, Any]]:
        """Return figures of each step, or of several consecutive steps."""
        found = sorted({step for step in self.table.steps if not math.isnan(step)})
        if len(found) < 2 or self.table.several_runs:
            return []
        each = -(-len(found) // MOST_STEPS)
        point = {step: found[index - index % each] for index, step in enumerate(found)}
        places: defaultdict[float, list[int]] = defaultdict(list)
        for place, step in enumerate(self.table.steps):
            if not math.isnan(step):
                places[point[step]].append(place)
        # A strict twin has no verdict of its own; that of its part says why, but for the strictness.
        judged = (self.outcome or "").removeprefix("strict.")
        part = self.table.parts.get(judged)
        given = [] if part is None else part.reasons
        return [
            {
                "step": step,
                **self._about(places[step]),
                "parts": {
                    name: self.interval(part.values, places[step], self.bounded[name])
                    for name, part in self.table.parts.items()
                },
                "reasons": dict(Counter(given[place] for place in places[step])) if given else {},
                "flat": self._flat(places[step]),
            }
            for step in sorted(places)
        ]

    def _about(self, places: Sequence[int]) -> dict[str, Any]:
        lengths = [self.table.lengths[place] for place in places]
        return {
            "rows": len(places),
            "prompts": len({self.table.prompts[place] for place in places}),
            "reward": self.interval(self.table.rewards, places),
            "accuracy": self.accuracy(places),
            "length": math.fsum(lengths) / len(lengths) if lengths else None,
            "unscored": sum(self.table.statuses[place] != 1 for place in places),
        }

    def _flat(self, places: Sequence[int]) -> float | None:
        """Return the share of groups of several completions whose rewards are all equal."""
        groups: defaultdict[int, list[float]] = defaultdict(list)
        for place in places:
            reward = self.table.rewards[place]
            if not math.isnan(reward):
                groups[self.table.groups[place]].append(reward)
        several = [rewards for rewards in groups.values() if len(rewards) > 1]
        return _share(sum(len(set(rewards)) == 1 for rewards in several), len(several))


def histogram(values: Sequence[float], bins: int) -> list[dict[str, float]]:
    """Count values between equal steps from least to greatest; a few different values have a bar each.

    >>> histogram([0.0, 1.0, 1.0], 4)
    [{'low': 0.0, 'high': 0.0, 'count': 1}, {'low': 1.0, 'high': 1.0, 'count': 2}]
    """
    own = sorted(value for value in values if not math.isnan(value))
    if not own:
        return []
    counted = Counter(own)
    if len(counted) <= min(bins, FEW):
        return [{"low": value, "high": value, "count": count} for value, count in counted.items()]
    width = (own[-1] - own[0]) / bins
    if not 0 < width < math.inf:
        return []
    totals = Counter(min(int((value - own[0]) / width), bins - 1) for value in own)
    return [
        {"low": own[0] + index * width, "high": own[0] + (index + 1) * width, "count": totals[index]}
        for index in range(bins)
    ]


def _counts(values: Iterable[int], size: int) -> list[int]:
    found = Counter(values)
    return [found[index] for index in range(size)]


def _bounded(values: Sequence[float]) -> bool:
    return all(0.0 <= value <= 1.0 for value in values if not math.isnan(value))


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
