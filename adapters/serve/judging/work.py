"""What a worker process does: it judges rows of one recipe, and answers with plain data."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from typing import Any

from reward_verifiers.rewards import Payment, Reward

from ...files.chunk_scorer import Scorer, shown
from ...files.engines.row_faults import ended, written
from ...files.formats.lines import parse
from ...hosts.unscored import handed_over, why

MOST_SCORERS = 32
"""Recipes, each at one progress, that a worker keeps ready."""

_scorers: OrderedDict[bytes, Scorer] = OrderedDict()


def judge_rows(pickled: bytes, lines: list[bytes], places: list[str]) -> bytes:
    """Judge rows of one recipe, as `verify-cli score` judges the lines of a file.

    Args:
        pickled: A `Scorer`, as our parent wrote it.
        lines: A JSON object for each row: what is nested as deeply as JSON may be does not pickle.
        places: What messages call them.

    Returns:
        A JSON array with an object for each row: ``reward``, ``status``, ``reward_parts``, ``verdicts``,
        ``verdict_parts`` as `verify-cli score` writes them, and ``why``, where there is no reward.
    """
    scorer = _scorers.get(pickled)
    if scorer is None:
        scorer = _scorers[pickled] = pickle.loads(pickled)  # noqa: S301  (from our parent)
        if len(_scorers) > MOST_SCORERS:
            _scorers.popitem(last=False)
    _scorers.move_to_end(pickled)
    rows = list(map(parse, lines))
    payments = scorer.payments(rows, places.__getitem__)
    return b"[" + b", ".join(written(scorer.reward, each, _result)[1] for each in payments) + b"]"


def broken_row(reward: Reward, detail: str, reason: str) -> dict[str, Any]:
    """The result of a row that no worker gets done.

    Args:
        reward: What would have paid.
        detail: What went wrong.
        reason: The faults' reason.
    """
    return _result(ended(reward, detail, reason))


def _result(payment: Payment) -> dict[str, Any]:
    result = shown(payment) | {"status": payment.status.value}
    if payment.value is None:
        return result | {"why": why(payment)}
    return result | {"reward": handed_over(payment.value)}
