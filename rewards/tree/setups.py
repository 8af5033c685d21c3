"""Set-ups that judge nothing, and formats that the chat template keeps completions from."""

from __future__ import annotations

from collections.abc import Sequence

from reward_verifiers.verifiers.text.tag_format import UNOPENED

from .payment import Payment

SET_UP = frozenset({"missing_dependency", "no_judge"})
"""Reasons that no row can change; another one may be that of a batch with one bad reference."""
MOST = 0.9
"""The share of a batch from which on one missing tag is the template's."""
LEAST = 4
"""Completions of a batch that says so."""


def unopened(payments: Sequence[Payment]) -> str:
    """A hint about a batch nearly all of which closes a block that it does not open; "" for any other."""
    refused = [
        verdict.detail
        for payment in payments
        if (verdict := next((each for each in payment.verdicts if UNOPENED in each.detail), None)) is not None
    ]
    if len(payments) < LEAST or len(refused) <= MOST * len(payments):
        return ""
    return f"{len(refused)} of {len(payments)} completions break the format: {refused[0]}"
