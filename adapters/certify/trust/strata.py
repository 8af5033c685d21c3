"""Rows by how the witnesses agree: the model of Dawid and Skene says how likely each is right.

Dawid, Skene: Maximum likelihood estimation of observer error-rates using the EM algorithm (1979). Witnesses
are taken to err independently given the truth, which they do not: so the model only says where errors are
likely, and the intervals (`rates`) rest on labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .witnesses import Vote

STEPS = 60
"""Steps of the EM algorithm, which is settled long before."""
LEVELS = 5
"""Strata of each verdict: by the share of witnesses that call a row right, in quarters."""
_HALF = 0.5


@dataclass(frozen=True)
class Stratum:
    """Rows that are alike as far as the witnesses tell.

    Args:
        paid: Whether the reward pays them.
        rows: Their places.
        expected: The probability that the verdict is wrong, by the model.
    """

    paid: bool
    rows: tuple[int, ...]
    expected: float


def right_by_agreement(votes: Mapping[str, Sequence[Vote]]) -> list[float]:
    """How likely each row is right, from the votes of witnesses alone.

    Labels have no part in it: rows are labelled by where this puts them, and it must not move them.

    Args:
        votes: Of every witness, for every row.
    """
    columns = list(votes.values())
    rows = list(zip(*columns, strict=True))
    right = [(_yes(row) + _HALF) / (_said(row) + 1) for row in rows]
    for _ in range(STEPS):
        share = min(0.99, max(0.01, sum(right) / len(right)))
        says = [_rates(column, right) for column in columns]
        right = [
            _posterior(
                share, [(rate, vote) for rate, vote in zip(says, row, strict=True) if vote is not None]
            )
            for row in rows
        ]
    return right


def _yes(row: Sequence[Vote]) -> int:
    return sum(vote is True for vote in row)


def _said(row: Sequence[Vote]) -> int:
    return sum(vote is not None for vote in row)


def _rates(column: Sequence[Vote], right: Sequence[float]) -> tuple[float, float]:
    """How often a witness says yes to right rows and to wrong ones; four rows of belief say it is good."""
    known = [(vote, weight) for vote, weight in zip(column, right, strict=True) if vote is not None]
    of_right, of_wrong = sum(weight for _, weight in known), sum(1 - weight for _, weight in known)
    yes_right = sum(weight for vote, weight in known if vote)
    yes_wrong = sum(1 - weight for vote, weight in known if vote)
    return (yes_right + 3) / (of_right + 4), (yes_wrong + 1) / (of_wrong + 4)


def _posterior(share: float, said: Sequence[tuple[tuple[float, float], bool]]) -> float:
    odds = math.log(share / (1 - share))
    for (of_right, of_wrong), vote in said:
        odds += math.log(of_right / of_wrong) if vote else math.log((1 - of_right) / (1 - of_wrong))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def strata_of(
    votes: Mapping[str, Sequence[Vote]], paid: Sequence[Vote], right: Sequence[float]
) -> list[Stratum]:
    """Rows that are judged, by verdict and by how many witnesses say that they are right.

    Args:
        votes: Of every witness, for every row.
        paid: The verdicts.
        right: How likely each row is right.
    """
    found: dict[tuple[bool, int], list[int]] = {}
    rows = list(zip(*votes.values(), strict=True))
    for place, verdict in enumerate(paid):
        if verdict is not None:
            share = _yes(rows[place]) / max(1, _said(rows[place]))
            found.setdefault((verdict, round(share * (LEVELS - 1))), []).append(place)
    return [
        Stratum(
            verdict,
            tuple(places),
            sum((1 - right[row]) if verdict else right[row] for row in places) / len(places),
        )
        for (verdict, _), places in sorted(found.items())
    ]
