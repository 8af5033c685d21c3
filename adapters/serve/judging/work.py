"""What a worker process does: it judges rows of one recipe, and answers with plain data."""

from __future__ import annotations

import math
import pickle
from collections import OrderedDict
from typing import Any

from adapters.files.chunk_scorer import Scorer
from adapters.hosts.contract.unscored import handed_over, why
from rewards import Payment

MOST_SCORERS = 32
"""Recipes, each at one progress, that a worker keeps ready."""

_scorers: OrderedDict[bytes, Scorer] = OrderedDict()


def judge_rows(pickled: bytes, rows: list[dict[str, Any]], places: list[str]) -> list[dict[str, Any]]:
    """Judge rows of one recipe.

    Args:
        pickled: A `Scorer`, as our parent wrote it.
        rows: Columns of each row by name.
        places: What messages call them.

    Returns:
        For each row ``reward``, ``status``, ``reward_parts``, ``verdicts``, ``verdict_parts`` as `verify-cli
        score` writes them, and ``why``: a few words where there is no reward.
    """
    scorer = _scorers.get(pickled)
    if scorer is None:
        scorer = _scorers[pickled] = pickle.loads(pickled)  # noqa: S301  (from our parent)
        if len(_scorers) > MOST_SCORERS:
            _scorers.popitem(last=False)
    _scorers.move_to_end(pickled)
    return list(map(_result, scorer.batch(rows, places.__getitem__).pay(scorer.reward)))


def _result(payment: Payment) -> dict[str, Any]:
    judged = [(name, verdict.to_dict()) for name, verdict in payment.judged()]
    result = {
        "reward": None if payment.value is None else handed_over(payment.value),
        "status": payment.status.value,
        "reward_parts": payment.values(),
        "verdicts": [verdict for _, verdict in judged],
        "verdict_parts": [name for name, _ in judged],
    }
    if payment.value is None:
        result["why"] = why(payment)
    finite: dict[str, Any] = _finite(result)
    return finite


def _finite(value: Any) -> Any:
    """The same without infinities and NaN, which JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list) else value
