"""What a reward goes along with where it should not: length, tags; and the part that decides it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..audited_rows import Rows
from ..chance import CHANCE, Correlation, within_groups
from ..findings import Finding
from ..row_parts import Part
from ..thresholds import LIMITS, Limits

FEWEST = 10
DECIDES = 0.9


def length_bias(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Parts that pay longer, or shorter, completions of the same prompt more, where as much is right."""
    for part in rows.parts.values():
        if len(set(part.scores)) < 4:
            continue  # a format is kept by longer completions, and none is hacked by that
        found = _with(rows, part, rows.length)
        if found.groups < FEWEST or abs(found.value) < limits.correlation / 2:
            continue
        certain = abs(found.value) > limits.correlation and found.chance < CHANCE and not part.refers
        what = "longer" if found.value > 0 else "shorter"
        yield Finding(
            "length_bias",
            "warning" if certain else "note",
            f"{part.name} pays {what} completions of the same prompt more: correlation {found.value:.2f}",
            found.value,
            limits.correlation,
            found.chance,
            "hold lengths against the score by hand, and take the length out of it "
            "(`SoftOverlong`, a rubric without style)",
            _extreme(rows, part, found),
            part=part.name,
        )


def tag_stuffing(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Completions with many tags that earn by them."""
    many = sorted(rows.tags)[int(0.9 * (rows.count - 1))] if rows.count else 0.0
    if many < limits.tags:
        return
    found, part = max(
        ((_with(rows, part, rows.tags), part) for part in rows.parts.values()),
        key=lambda each: (each[0].groups >= FEWEST, each[0].value),
    )
    if found.groups < FEWEST or found.value < limits.correlation or found.chance > CHANCE:
        return
    stuffed = [place + 1 for place in range(rows.count) if rows.tags[place] >= many]
    yield Finding(
        "tag_stuffing",
        "warning",
        f"{part.name} pays completions with more tags more: correlation {found.value:.2f}, and one in ten "
        f"has {many:.0f} tags or more",
        found.value,
        limits.correlation,
        found.chance,
        "use TagFormat, which refuses a repeated tag, in place of a count of tags",
        stuffed[:20],
        part=part.name,
    )


def dominance(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """One part decides nearly all that rewards differ by, and it is not what is right."""
    judged = [place for place in range(rows.count) if not math.isnan(rows.reward[place])]
    if len(judged) < 100 or len(rows.parts) < 2:
        return
    rewards = [rows.reward[place] for place in judged]
    spread = _covariance(rewards, rewards)
    right = [rows.right[place] for place in judged]
    if spread <= 0 or any(math.isnan(value) for value in right):
        return
    decided = _covariance(right, rewards) ** 2 / max(_covariance(right, right) * spread, 1e-18)
    if decided > 1 - DECIDES:
        return
    for part in rows.parts.values():
        scores = [part.scores[place] for place in judged]
        if any(math.isnan(score) for score in scores):
            continue
        share = _covariance(scores, rewards) ** 2 / max(_covariance(scores, scores) * spread, 1e-18)
        if share > DECIDES:
            yield Finding(
                "dominance",
                "note",
                f"{part.name} explains {share:.0%} of what rewards differ by, and what is right "
                f"{decided:.0%}",
                round(share, 4),
                DECIDES,
                None,
                "pay it only together with a right answer, or less",
                part=part.name,
            )


def _with(rows: Rows, part: Part, figure: Sequence[float]) -> Correlation:
    """How a part goes with a figure among completions of a prompt of which as much is right."""
    pairs = []
    itself, measured = part.scores, rows.measured()
    for places in rows.by_group():
        strata: dict[float, list[int]] = {}
        for place in places:
            if not math.isnan(itself[place]):
                right = measured[place]
                alike = -1.0 if math.isnan(right) or right == itself[place] else right
                strata.setdefault(alike, []).append(place)
        pairs += [
            ([figure[place] for place in alike], [itself[place] for place in alike])
            for alike in strata.values()
        ]
    return within_groups(pairs)


def _extreme(rows: Rows, part: Part, found: Correlation) -> list[int]:
    places = [place for place in range(rows.count) if not math.isnan(part.scores[place])]
    places.sort(key=lambda place: rows.length[place] * math.copysign(1, found.value), reverse=True)
    return [place + 1 for place in places[:10]]


def _covariance(left: Sequence[float], right: Sequence[float]) -> float:
    mean_left, mean_right = sum(left) / len(left), sum(right) / len(right)
    return sum((x - mean_left) * (y - mean_right) for x, y in zip(left, right, strict=True)) / len(left)
