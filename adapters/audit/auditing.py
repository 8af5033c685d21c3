"""An audit from rows to findings; of a run that goes on, of its last rows and figures since its start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import group_evidence, time_evidence, verdict_evidence
from .audited_rows import COURSES, Rows
from .findings import LIMITS, Finding, Limits, worst_first
from .row_traits import known

Detector = Callable[[Rows, Limits], Iterator[Finding]]
AUDITS: tuple[Detector, ...] = (
    time_evidence.alarms,
    time_evidence.flat_accuracy,
    time_evidence.drifts,
    time_evidence.tags_over_time,
    group_evidence.one_completion,
    group_evidence.always_true,
    verdict_evidence.faults,
    verdict_evidence.masked_by_completion,
    verdict_evidence.cheats,
    group_evidence.length_bias,
    group_evidence.tag_stuffing,
    verdict_evidence.no_answer_paid,
    verdict_evidence.hidden_answers,
    verdict_evidence.reference_unpaid,
    verdict_evidence.unscored,
    verdict_evidence.disagreement,
    group_evidence.zero_variance,
    group_evidence.duplicates,
    group_evidence.dominance,
    group_evidence.saturated,
)


def audit(rows: Rows, detectors: Sequence[Detector] = AUDITS, limits: Limits = LIMITS) -> list[Finding]:
    """Return all findings, worst first; a kind that two detectors find is listed once for each part.

    Args:
        rows: At least one.
        detectors: That look at them, the stronger evidence first.
        limits: Limits to compare them with.
    """
    found: dict[tuple[str, str], Finding] = {}
    for detector in detectors:
        for finding in detector(rows, limits):
            found.setdefault((finding.name, finding.part), finding)
    return worst_first(list(found.values()))


NOT_LIVE: frozenset[Detector] = frozenset(
    (
        time_evidence.alarms,
        verdict_evidence.unscored,
        group_evidence.zero_variance,
        group_evidence.dominance,
        group_evidence.saturated,
    )
)
"""What the alarms on a run's history tell (`alarms.Watcher`), and what is never more than a note."""
LIVE_DETECTORS = tuple(each for each in AUDITS if each not in NOT_LIVE)
FEWEST = 200
"""Rows without which nothing is said: one fault among fifty would be two in a hundred."""
MOST_POINTS = 512
"""Points of a course; of longer ones two become one."""


class Course:
    """A figure over the steps of a run, in a bounded number of points that stand for equally many steps."""

    def __init__(self) -> None:
        self.points: list[float] = []
        self._each = 1
        self._waiting: list[float] = []

    def add(self, mean: float) -> None:
        """Take in the mean of a step."""
        self._waiting.append(mean)
        if len(self._waiting) < self._each:
            return
        self.points.append(sum(self._waiting) / self._each)
        self._waiting = []
        if len(self.points) >= MOST_POINTS:
            pairs = zip(self.points[::2], self.points[1::2], strict=True)
            self.points = [(one + other) / 2 for one, other in pairs]
            self._each *= 2

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint."""
        return {"points": list(self.points), "each": self._each, "waiting": list(self._waiting)}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the state from a checkpoint."""
        self.points, self._each, self._waiting = saved["points"], saved["each"], saved["waiting"]


class RecentRows(Rows):
    """The last rows of a run, and the course of its figures since the first step.

    Args:
        window: Rows that are looked back at; whole steps are forgotten, so there may be some more.
        limits: Limits to compare them with.
        outcome: The part that says whether an answer is right; None to find it.
    """

    def __init__(self, window: int, limits: Limits = LIMITS, outcome: str | None = None) -> None:
        super().__init__(outcome)
        self.window, self.limits = window, limits
        self.forgotten = 0
        self._courses = {name: Course() for name in COURSES}
        self._seen = -1.0

    def look(self) -> list[Finding]:
        """Return the findings in the rows, worst first; rows are numbered from the first of the run."""
        self._follow()
        self._forget()
        if self.count < FEWEST:
            return []
        found = audit(self, LIVE_DETECTORS, self.limits)
        return [replace(each, rows=[row + self.forgotten for row in each.rows]) for each in found]

    def state(self) -> dict[str, Any]:
        """Return the state that a checkpoint needs besides the rows that are still kept."""
        courses = {name: course.state() for name, course in self._courses.items()}
        return {"forgotten": self.forgotten, "seen": self._seen, "courses": courses}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the state of a checkpoint; the rows from number ``forgotten`` on must then be added."""
        self.forgotten, self._seen = int(saved["forgotten"]), float(saved["seen"])
        for name, course in saved["courses"].items():
            self._courses[name].restore(course)

    def means_by_step(self, course: str) -> list[float]:
        """Return the means over all rows of the run, in `MOST_POINTS` points at most."""
        return self._courses[course].points

    def _follow(self) -> None:
        """Take the steps that are over into the courses: rows of the last one may be still to come."""
        steps = [step for step in self.by_step() if step > self._seen][:-1]
        for name, course in self._courses.items():
            means = self.step_means(name)
            for step in steps:
                if step in means:
                    course.add(means[step])
        self._seen = steps[-1] if steps else self._seen

    def _forget(self) -> None:
        """Forget rows beyond the window, as far as their steps are in the courses."""
        most = self.count - self.window
        rows = 0
        while rows < most and (known([self.step[rows]]) == [] or self.step[rows] <= self._seen):
            rows += 1
        while rows > 0 and rows < self.count and self.step[rows] == self.step[rows - 1]:
            rows -= 1
        if rows > 0:
            self.drop(rows)
            self.forgotten += rows


def worst_of_each(findings: Sequence[Finding]) -> Mapping[str, Finding]:
    """Return the worst finding of each name: several parts may have the same fault."""
    found: dict[str, Finding] = {}
    for each in findings:
        found.setdefault(each.name, each)
    return found
