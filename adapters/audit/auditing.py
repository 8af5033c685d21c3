"""An audit from rows to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .audited_rows import Rows
from .detectors import across_prompts, in_groups, over_time, paid_for, verdicts
from .findings import Finding, worst_first
from .thresholds import LIMITS, Limits

Detector = Callable[[Rows, Limits], Iterator[Finding]]
DETECTORS: tuple[Detector, ...] = (
    over_time.alarms,
    over_time.flat_accuracy,
    over_time.drifts,
    over_time.tags_over_time,
    across_prompts.one_completion,
    across_prompts.always_true,
    verdicts.faults,
    verdicts.masked_by_completion,
    verdicts.cheats,
    paid_for.length_bias,
    paid_for.tag_stuffing,
    verdicts.no_answer_paid,
    verdicts.hidden_answers,
    verdicts.reference_unpaid,
    verdicts.unscored,
    verdicts.disagreement,
    in_groups.zero_variance,
    in_groups.duplicates,
    paid_for.dominance,
    in_groups.saturated,
)


def audit(rows: Rows, detectors: Sequence[Detector] = DETECTORS, limits: Limits = LIMITS) -> list[Finding]:
    """All findings, the worst first; a kind that two detectors find is named once for each part.

    Args:
        rows: At least one.
        detectors: That look at them, the stronger evidence first.
        limits: What they are held against.
    """
    found: dict[tuple[str, str], Finding] = {}
    for detector in detectors:
        for finding in detector(rows, limits):
            found.setdefault((finding.name, finding.part), finding)
    return worst_first(list(found.values()))
