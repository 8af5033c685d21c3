"""A set-up that never works: every row breaks in the same way."""

from __future__ import annotations

from collections.abc import Sequence

from verifiers import Status, Verdict

from .payment import Payment


def same_fault(payments: Sequence[Payment]) -> Verdict | None:
    """The first fault, if no row could be paid and each has a fault of the same kind; else None.

    Faults are of one kind if they come from one verifier and name one reason and one type of exception: their
    texts may differ from row to row.
    """
    first: Verdict | None = None
    for payment in payments:
        if payment.value is not None:
            return None
        faults = [verdict for verdict in payment.verdicts if verdict.status is Status.FAULT]
        if first is None and faults:
            first = faults[0]
        if first is None or not any(_kind(fault) == _kind(first) for fault in faults):
            return None
    return first


def _kind(fault: Verdict) -> tuple[str, str, str]:
    kind = fault.detail.partition(":")[0] if fault.reason == "exception" else ""
    return fault.verifier, fault.reason, kind
