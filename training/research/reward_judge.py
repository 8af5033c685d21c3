"""A judge made from a reward that does not see the reference, and a search's view of a row."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from reward_verifiers.rewards import Batch, Clip, Named, Optional, Pay, Payment, Reward, Scale, Sum, When
from reward_verifiers.rewards.shape.combinations import Number
from reward_verifiers.rewards.tree.schedules import Schedule
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, STAND_INS

from ..data import Row
from ..run.run_inputs import RESERVED
from .search_session import Attempt, Judged

Ends: TypeAlias = tuple[float, float]


@functools.lru_cache(maxsize=64)
def score_range(reward: Reward) -> Ends:
    """Return the lowest and the highest reward at the end of training.

    Raises:
        ConfigError: The tree does not tell, or it pays everything the same.

    >>> from verifiers import ExactMatch, TagFormat
    >>> score_range(Pay(ExactMatch()) + 0.5 * Pay(TagFormat()))
    (0.0, 1.5)
    """
    low, high = _ends(reward)
    if low == high:
        raise ConfigError(f"search: the reward pays {low:g} whatever is written, so it cannot choose")
    return low, high


def _ends(reward: Reward) -> Ends:
    if isinstance(reward, Pay):
        return 0.0, 1.0
    if isinstance(reward, Number):
        return float(reward.value), float(reward.value)
    if isinstance(reward, Named | Optional):
        return _ends(reward.reward)
    if isinstance(reward, Scale):
        weight = reward.weight.at(1.0) if isinstance(reward.weight, Schedule) else reward.weight
        low, high = sorted(weight * end for end in _ends(reward.reward))
        return low, high
    if isinstance(reward, Sum):
        ends = [_ends(term) for term in reward.terms]
        return sum(low for low, _ in ends), sum(high for _, high in ends)
    if isinstance(reward, When):
        low, high = _ends(reward.reward)
        return min(low, reward.otherwise), max(high, reward.otherwise)
    if isinstance(reward, Clip):
        least = -math.inf if reward.low is None else reward.low
        most = math.inf if reward.high is None else reward.high
        try:
            low, high = _ends(reward.reward)
        except ConfigError:
            if math.inf in (-least, most):
                raise
            return float(least), float(most)
        return float(min(max(low, least), most)), float(min(max(high, least), most))
    raise ConfigError(
        f"search: scores are shares of the most that a reward can pay, and {reward.name} does not say how "
        "much that is; limit it (clip: {low: 0, high: 1}), or choose another reward with --by"
    )


SEEN = ("prompt", "task")
"""The columns that a search sees, unless others are named."""
_GIVEN = ("completion_tokens", "completion_ids", "messages")
"""What is known of a completion without a column."""
_SHOWN = 200
"""Characters of what a verdict took from a completion that a model is told."""


def blind(row: Row, columns: Sequence[str], *, oracle: bool) -> Row:
    """Return a search's view of a row: the prompt and the named columns, and no others.

    >>> blind({"prompt": "2+2?", "answer": "4", "final": 4}, [], oracle=False)
    {'prompt': '2+2?'}
    """
    return dict(row) if oracle else {name: row[name] for name in (*SEEN, *columns) if name in row}


def check_sighted(reward: Reward, columns: Sequence[str], rows: Sequence[Row], *, oracle: bool) -> None:
    """Refuse a judge that needs columns hidden from a search.

    Args:
        reward: Reward that guides the search.
        columns: Columns that the search may see besides the prompt.
        rows: As they were read.
        oracle: Whether it may see everything.

    Raises:
        ConfigError: It needs a reference or a column, or a named column holds the reference.
    """
    if reward.needs_groups:
        raise ConfigError(
            "search: the reward compares completions with one another, and a search scores each by itself; "
            "choose another with --by"
        )
    score_range(reward)
    if oracle:
        return
    hidden = {REFERENCE, *STAND_INS}
    hidden |= {node.reference for node in reward.walk() if isinstance(node, Pay)}
    for name in columns:
        if name in hidden or (rows and all(name in row and _is_reference(row, name) for row in rows)):
            raise ConfigError(
                f"search: the column {name!r} holds the reference, which a search must not see; leave out "
                f"--column {name}, or say --oracle"
            )
    needing = [each._name() for each in reward.verifiers() if each.needs_reference]
    if needing:
        raise ConfigError(
            f"search: {needing[0]} needs the reference, which a search must not see; choose a "
            "scorer with --by (a reward or verifier without a reference, such as EquationChain), or say "
            "--oracle to measure what a perfect judge would reach"
        )
    lacking = [each for each in reward.columns() if each not in (*SEEN, *_GIVEN, *columns)]
    if lacking:
        raise ConfigError(
            f"search: the reward reads the column {lacking[0]!r}, and a search sees the prompt alone; say "
            f"--column {lacking[0]} if it gives nothing of the answer away, or --oracle"
        )


def _is_reference(row: Row, name: str) -> bool:
    reference = row.get(REFERENCE)
    return name not in SEEN and reference is not None and str(row[name]) == str(reference)


@dataclass(frozen=True)
class RewardJudge:
    """Scores attempts by their share of a reward's maximum; see `search_session.Judge`.

    Args:
        reward: Any.
        row: Columns of the row that it sees, besides the completion.
    """

    reward: Reward
    row: Row

    def judge(self, attempts: Sequence[Attempt]) -> list[Judged]:
        """See `search_session.Judge`. A fault is no score, as is what could not be judged."""
        low, high = score_range(self.reward)
        count = len(attempts)
        columns: dict[str, Sequence[Any]] = {
            name: [value] * count
            for name, value in self.row.items()
            if name == "prompt" or name not in RESERVED
        }
        columns["completion_tokens"] = [each.tokens for each in attempts]
        batch = Batch([each.completion for each in attempts], columns, group_size=count)
        return [_judged(each, low, high) for each in batch.pay(self.reward)]


def _judged(payment: Payment, low: float, high: float) -> Judged:
    value = payment.value
    score = None if value is None else min(max((value - low) / (high - low), 0.0), 1.0)
    return Judged(score, feedback(payment))


def feedback(payment: Payment) -> str:
    """Return feedback on a payment for a model: each verdict below full marks, never the reference."""
    said = []
    for verdict in payment.verdicts:
        if verdict.score is None or verdict.score == 1.0:
            continue
        taken = "" if verdict.extracted is None else f" in {verdict.extracted[:_SHOWN]!r}"
        said.append(f"{verdict.verifier}: {verdict.reason}{taken}")
    return "\n".join(said)
