"""Set-ups that judge nothing, and formats that the chat template keeps completions from."""

from __future__ import annotations

from collections.abc import Sequence

from verifiers import Status, Verdict
from verifiers.text.tag_format import UNOPENED

from .payment import Payment

SET_UP = frozenset({"missing_dependency", "no_judge"})
"""Reasons that no row can change; another one may be that of a batch with one bad reference."""
MOST = 0.9
"""The share of a batch from which on one missing tag is the template's."""
LEAST = 4
"""Completions of a batch that says so."""


def judges_nothing(payments: Sequence[Payment]) -> Verdict | None:
    """The first verdict that says why, if no row could be judged and one reason explains all."""
    first: Verdict | None = None
    for payment in payments:
        if payment.value is not None:
            return None
        causes = [each for each in payment.verdicts if each.status is Status.UNSCORED]
        if first is None and causes:
            first = causes[0]
        if first is None or not any(_kind(each) == _kind(first) for each in causes):
            return None
    return first


def _kind(verdict: Verdict) -> tuple[str, str]:
    return verdict.verifier, verdict.reason


def unopened(payments: Sequence[Payment]) -> str:
    """What is told of a batch nearly all of which closes a block that it does not open; "" of any other."""
    refused = [
        verdict.detail
        for payment in payments
        if (verdict := next((each for each in payment.verdicts if UNOPENED in each.detail), None)) is not None
    ]
    if len(payments) < LEAST or len(refused) <= MOST * len(payments):
        return ""
    return f"{len(refused)} of {len(payments)} completions break the format: {refused[0]}"
