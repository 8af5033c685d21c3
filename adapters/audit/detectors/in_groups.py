"""What the completions of a prompt say beside one another: groups that teach nothing, and duplicates."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..audited_rows import Rows
from ..chance import CHANCE, share_above
from ..findings import Finding
from ..row_parts import known
from ..thresholds import LIMITS, Limits

FEWEST = 10
"""Groups without which nothing is said about groups."""
SATURATED = 0.95
SOLVED = 0.9


def zero_variance(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Groups whose completions are all paid alike teach nothing."""
    groups = _judged(rows)
    if len(groups) < FEWEST:
        return
    same = [places for places in groups if len({rows.reward[place] for place in places}) == 1]
    share, chance = len(same) / len(groups), share_above(len(same), len(groups), limits.zero_variance)
    right = _mean_right(rows)
    solved = right is not None and right > SOLVED
    if share > limits.zero_variance / 2:
        certain = share > limits.zero_variance and chance < CHANCE and not solved
        yield Finding(
            "zero_variance",
            "warning" if certain else "note",
            f"in {len(same):,} of {len(groups):,} groups all completions are paid the same, so they "
            "teach nothing",
            round(share, 4),
            limits.zero_variance,
            chance,
            "the prompts are solved: take harder ones"
            if solved
            else "choose prompts that some completions solve and some do not (verify-cli groups), or raise "
            "the temperature",
            [places[0] + 1 for places in same[:20]],
        )


def saturated(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Parts that are nearly always paid in full."""
    for part in rows.parts.values():
        scores = known(part.scores)
        full = sum(score >= 1.0 for score in scores)
        if len(scores) >= 100 and full / len(scores) > SATURATED:
            yield Finding(
                "saturated",
                "note",
                f"{part.name} is at its maximum on {full / len(scores):.1%} of the rows: it no "
                "longer tells them apart",
                round(full / len(scores), 4),
                SATURATED,
                None,
                "leave it as a condition (`.when`), or take harder prompts",
                part=part.name,
            )


def duplicates(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Completions that say the same word for word.

    A text that stands in several prompts is an answer that several questions have, as with four choices, or
    is found by `one_completion`: neither is a copy within a group.
    """
    homes: dict[int, set[int]] = {}
    for text, group in zip(rows.text, rows.group, strict=True):
        homes.setdefault(text, set()).add(group)
    twins = counted = 0
    named: list[int] = []
    for places in rows.by_group():
        # Of short ones many are equal without any harm.
        long = [place for place in places if rows.length[place] >= 40 and len(homes[rows.text[place]]) < 3]
        if len(long) < 2:
            continue
        counted += len(long)
        seen: dict[int, int] = {}
        for place in long:
            if rows.text[place] in seen:
                twins += 1
                if len(named) < 20:
                    named.append(place + 1)
            seen.setdefault(rows.text[place], place)
    if counted < 2 * FEWEST or twins / counted < 0.2:
        return
    share, chance = twins / counted, share_above(twins, counted, limits.duplicates)
    right = _mean_right(rows)
    certain = share > limits.duplicates and chance < CHANCE and (right is None or right < SOLVED)
    yield Finding(
        "duplicates",
        "warning" if certain else "note",
        f"{share:.0%} of the completions repeat another one of their group word for word",
        round(share, 4),
        limits.duplicates,
        chance,
        "raise the temperature; DuplicatePenalty pays copies less",
        named,
    )


def _judged(rows: Rows) -> list[list[int]]:
    groups = ([place for place in places if not math.isnan(rows.reward[place])] for places in rows.by_group())
    return [places for places in groups if len(places) > 1]


def _mean_right(rows: Rows) -> float | None:
    values = known(rows.measured())
    return sum(values) / len(values) if values else None
