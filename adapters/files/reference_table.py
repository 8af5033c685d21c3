"""Table of a file's references by usability: counts by class and reason, with their lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers.core import ReferenceClass
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE
from reward_verifiers.verifiers.runtime.pool import available_cores, in_threads

from .columns import column_of, has_column

SHOWN = 5
"""Lines of each reason that are named, unless all are asked for."""
WIDTH = 60
"""Characters of a reference that are shown."""
NOT_A_ROW = "not_a_row"
"""The reason of a line that holds no row."""

_KINDS = ("readable", "usable", "text only", "unusable")
"""From the best to the worst: a row is of the worst class among its parts."""


@dataclass(frozen=True)
class Place:
    """Location of a reference, with its description.

    Args:
        where: A file with a line, or a row.
        reference: The beginning of it.
        detail: A sentence for a person.
    """

    where: str
    reference: str
    detail: str


class ReferenceTable:
    """Counts references by class and reason.

    Args:
        reward: The reward that reads the references.
        column: The column that stands for ``answer``.
        shown: Lines of each reason that are kept; None for all of them.
    """

    def __init__(self, reward: Reward, column: str = "answer", shown: int | None = SHOWN) -> None:
        self.reward, self.column, self.shown = reward, column, shown
        self.counts: Counter[tuple[str, str]] = Counter()
        self.places: dict[tuple[str, str], list[Place]] = {}

    @property
    def rows(self) -> int:
        """Number of rows read."""
        return self.counts.total()

    @property
    def unusable(self) -> int:
        """Number of rows for which no completion can be scored."""
        return sum(count for (kind, _), count in self.counts.items() if kind == "unusable")

    def add_row(self, where: str, row: Mapping[str, Any]) -> ReferenceClass | None:
        """Classify a row's references; None if no part of the reward reads any."""
        row = self._with_reference(row)
        return self._add_classes(where, row, self._classes(row))

    def add_rows(self, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Classify the references of several rows, on all cores where programs must run."""
        cores = available_cores() if any(each.runs_programs for each in self.reward.verifiers()) else 1
        if cores == 1 or len(rows) == 1:
            for where, row in rows:
                self.add_row(where, row)
            return
        given = [self._with_reference(row) for _, row in rows]
        found = in_threads([partial(self._classes, row) for row in given], min(cores, len(rows)))
        for (where, _), row, classes in zip(rows, given, found, strict=True):
            self._add_classes(where, row, classes)

    def _with_reference(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.column != REFERENCE or has_column(row, self.column):
            return {**row, REFERENCE: column_of(row, self.column)}
        return row

    def _classes(self, row: Mapping[str, Any]) -> list[tuple[str, ReferenceClass]]:
        try:
            return list(self.reward.reference_classes(row))
        except RuntimeError as error:  # no worker process: ours, but such a row cannot be scored either
            return [("", ReferenceClass("unusable", "worker", str(error)))]
        except Exception as error:  # a plug-in must not end the survey of a file
            return [("", ReferenceClass("unusable", "exception", f"{type(error).__name__}: {error}"))]

    def _add_classes(
        self, where: str, row: Mapping[str, Any], found: list[tuple[str, ReferenceClass]]
    ) -> ReferenceClass | None:
        if not found:
            return None
        part, about = max(found, key=lambda each: _KINDS.index(each[1].kind))
        detail = f"{part}: {about.detail}" if len(found) > 1 and about.detail else about.detail
        self._add(about, Place(where, shortened(row.get("answer")), detail))
        return about

    def add_unread(self, where: str, problem: str) -> None:
        """Count a line that holds no row."""
        self._add(ReferenceClass("unusable", NOT_A_ROW, problem), Place(where, "", problem))

    def _add(self, about: ReferenceClass, place: Place) -> None:
        key = about.kind, about.reason
        self.counts[key] += 1
        kept = self.places.setdefault(key, [])
        # What the grammar reads is as it should be, and most of a file.
        plain = about.kind in ("readable", "usable") and not about.detail
        if not plain and (self.shown is None or len(kept) < self.shown):
            kept.append(place)

    def ordered(self) -> Iterator[tuple[str, str, int, list[Place]]]:
        """Yield class, reason, rows and the kept lines: the worst class first, then by size."""
        for kind, reason in sorted(
            self.counts, key=lambda each: (-_KINDS.index(each[0]), -self.counts[each], each[1])
        ):
            yield kind, reason, self.counts[kind, reason], self.places[kind, reason]

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the table as lines of text, each with its style."""
        width = max((len(f"{kind}: {reason}") for kind, reason in self.counts), default=0)
        for kind, reason, count, places in self.ordered():
            style = "red" if kind == "unusable" else "yellow" if kind == "text only" else ""
            named = f"{kind}: {reason}" if reason else kind
            yield f"{named:{width}}  {count:>9,}  {100 * count / self.rows:5.1f} %", style
            for place in places:
                yield f"    {place.where}: {place.reference!r}: {place.detail}", style
            if places and count > len(places):
                yield f"    and {count - len(places):,} more", style

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain JSON data."""
        return {
            "rows": self.rows,
            "unusable": self.unusable,
            "classes": [
                {
                    "kind": kind,
                    "reason": reason,
                    "rows": count,
                    "lines": [vars(place) for place in places],
                }
                for kind, reason, count, places in self.ordered()
            ],
        }


def shortened(reference: object) -> str:
    """Return the beginning of a reference on one line, reading no more than it shows."""
    if isinstance(reference, str):
        shown = reference[: 4 * WIDTH]
    else:
        try:
            shown = repr(reference)[: 4 * WIDTH]
        except (ValueError, RecursionError):
            shown = f"<{type(reference).__name__}>"
    shown = " ".join(shown.split())
    return shown if len(shown) <= WIDTH else f"{shown[:WIDTH]}…"
