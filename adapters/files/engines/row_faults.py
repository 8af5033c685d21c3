"""What breaks on one row is that row's fault: while it is judged, and when its verdicts are written down.

Files, clusters and the server pay their rows here, so that they say the same of the same row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from reward_verifiers.rewards import Batch, Payment, Reward
from reward_verifiers.rewards.shape.functions import TrlFunction
from reward_verifiers.rewards.tree.payment import same_fault
from reward_verifiers.verifiers import Status, Verdict, VerifierError
from reward_verifiers.verifiers.core.columns_and_faults import told

from ..formats.lines import STRICT, dumps
from .apart import Ended, apart


def paid(
    reward: Reward, batch_of: Callable[[range], Batch], rows: range, place: Callable[[int], str]
) -> list[Payment]:
    """What a reward pays for rows; where it breaks, the rows that it breaks on are faults, and only they.

    Args:
        reward: What pays.
        batch_of: Makes a batch of some of the rows.
        rows: All of them.
        place: What messages call a row.

    Raises:
        VerifierError: The set-up is wrong, whatever the rows: it says so itself.
    """

    def attempt(some: range) -> list[Payment] | Ended:
        try:
            payments = batch_of(some).pay(reward)
        except VerifierError:
            raise
        except (Exception, SystemExit) as error:
            return Ended(told(error))
        # A function that is called with whole batches cannot say which row it raised for.
        if in_batches and len(some) > 1 and (broken := same_fault(payments)) is not None:
            return Ended(broken.detail)
        return payments

    in_batches = not reward.needs_groups and any(isinstance(each, TrlFunction) for each in reward.walk())
    found = attempt(rows)
    if not isinstance(found, Ended):
        return found
    # Completions that are compared with one another have one fate.
    units = batch_of(rows).groups if reward.needs_groups else [range(row, row + 1) for row in rows]

    def span(some: range) -> range:
        return range(units[some.start].start, units[some.stop - 1].stop)

    def broken(some: range, how: str) -> list[Payment]:
        return [ended(reward, f"{how}; {place(row)}", "exception") for row in span(some)]

    parts = apart(lambda some: attempt(span(some)), broken, range(len(units)), most=None)
    return list(chain.from_iterable(parts))


def written(
    reward: Reward, payment: Payment, say: Callable[[Payment], Mapping[str, Any]]
) -> tuple[Payment, bytes]:
    """A payment as a JSON object; where JSON does not hold it, a fault of its row in its place.

    Args:
        reward: What paid.
        payment: For a row.
        say: What is written of a payment.

    Returns:
        What is paid after all, and the object.
    """
    try:
        return payment, dumps(say(payment), STRICT)
    except Exception as error:  # a verdict of a third party may hold anything, and be nested at will
        broken = ended(reward, f"its verdict cannot be written as JSON: {told(error)}", "bad_verdict")
        return broken, dumps(say(broken), STRICT)


def ended(reward: Reward, detail: str, reason: str = "worker_died") -> Payment:
    """What is paid for a row that nothing judges to the end: nothing, and every part is a fault.

    Args:
        reward: What would have paid.
        detail: How it ended.
        reason: The faults' reason.
    """
    faults = tuple(
        Payment(
            part,
            None,
            verdict=Verdict(
                verifier=part, status=Status.FAULT, score=None, reason=reason, detail=detail[:500]
            ),
            logged=True,
        )
        for part in reward.part_names() or (reward.name,)
    )
    return Payment(reward.name, None, faults)
