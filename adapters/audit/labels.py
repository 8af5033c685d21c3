"""A verdict held against labels: precision, recall, agreement beyond chance, mistakes by reason."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

CERTAIN = 1.959964
"""Standard errors of a 95 % interval."""


@dataclass
class Confusion:
    """Counts of verdicts against labels, by reason.

    Args:
        right_paid: Labelled right, and passed.
        wrong_paid: Labelled wrong, and passed.
        right_refused: Labelled right, and not passed.
        wrong_refused: Labelled wrong, and not passed.
        unjudged: Without a verdict, whatever the label.
        reasons: Reasons of the mistakes: ``wrong_paid`` and ``right_refused``, by the verdict's reason.
        rows: Numbers of the first rows of each kind of mistake.
    """

    right_paid: int = 0
    wrong_paid: int = 0
    right_refused: int = 0
    wrong_refused: int = 0
    unjudged: int = 0
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    rows: dict[str, list[int]] = field(default_factory=dict)

    def add(self, row: int, label: bool, score: float, reason: str) -> None:
        """Count a row; a score of NaN is no verdict, and below 1 a row has not passed."""
        if math.isnan(score):
            self.unjudged += 1
            return
        kind = f"{'right' if label else 'wrong'}_{'paid' if score >= 1.0 else 'refused'}"
        setattr(self, kind, getattr(self, kind) + 1)
        if kind in ("wrong_paid", "right_refused"):
            self.reasons[kind, reason] += 1
            named = self.rows.setdefault(kind, [])
            if len(named) < 20:
                named.append(row)

    @property
    def judged(self) -> int:
        """Rows with a verdict."""
        return self.right_paid + self.wrong_paid + self.right_refused + self.wrong_refused

    def figures(self) -> dict[str, Any]:
        """Return each figure with its 95 % interval (Wilson's for shares, the large-sample one for kappa).

        >>> Confusion(right_paid=90, wrong_paid=10, wrong_refused=100).figures()["precision"]
        [0.9, 0.8256, 0.9448]
        """
        paid, right = self.right_paid + self.wrong_paid, self.right_paid + self.right_refused
        return {
            "rows": self.judged + self.unjudged,
            "unjudged": self.unjudged,
            "agreement": wilson(self.right_paid + self.wrong_refused, self.judged),
            "precision": wilson(self.right_paid, paid),
            "recall": wilson(self.right_paid, right),
            "wrong_paid": self.wrong_paid,
            "right_refused": self.right_refused,
            "kappa": self._kappa(),
            "reasons": [
                {"mistake": mistake, "reason": reason, "rows": count}
                for (mistake, reason), count in self.reasons.most_common()
            ],
            "first_rows": self.rows,
        }

    def _kappa(self) -> list[float] | None:
        """Return Cohen's kappa with its interval (Cohen 1960)."""
        n = self.judged
        if not n:
            return None
        paid, right = self.right_paid + self.wrong_paid, self.right_paid + self.right_refused
        agreed = (self.right_paid + self.wrong_refused) / n
        by_chance = (paid * right + (n - paid) * (n - right)) / n**2
        if by_chance >= 1.0:
            return None
        kappa = (agreed - by_chance) / (1 - by_chance)
        error = math.sqrt(agreed * (1 - agreed) / n) / (1 - by_chance)
        return [
            round(kappa, 4),
            round(max(-1.0, kappa - CERTAIN * error), 4),
            round(min(1.0, kappa + CERTAIN * error), 4),
        ]


def wilson(hits: int, total: int) -> list[float] | None:
    """Return a share with its 95 % interval (Wilson 1927); None without any rows.

    >>> wilson(0, 10)
    [0.0, 0.0, 0.2775]
    """
    if not total:
        return None
    share, square = hits / total, CERTAIN**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = CERTAIN / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    return [round(share, 4), round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)]


def is_label(value: object) -> bool | None:
    """Return a label as a truth value: booleans, 0 and 1, and the usual words; None for anything else.

    >>> is_label("correct"), is_label(0), is_label("maybe")
    (True, False, None)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return None if value not in (0, 1) else value == 1
    return _WORDS.get(value.strip().casefold()) if isinstance(value, str) else None


_WORDS = {
    **dict.fromkeys(("true", "correct", "right", "yes", "1", "pass", "passed", "정답", "맞음"), True),
    **dict.fromkeys(("false", "incorrect", "wrong", "no", "0", "fail", "failed", "오답", "틀림"), False),
}
