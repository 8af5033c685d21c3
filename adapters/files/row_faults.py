"""Faults of single rows: rows are halved until the one that breaks stands alone.

This holds while rows are judged, when they end the process that judges them, and when their verdicts are
written down. Files, clusters and the server pay their rows here, so that they say the same of the same row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, TypeVar

from reward_verifiers.rewards import Batch, Payment, Reward
from reward_verifiers.rewards.shape.functions import TrlFunction
from reward_verifiers.rewards.tree.payment import same_fault
from reward_verifiers.verifiers import Status, Verdict, VerifierError
from reward_verifiers.verifiers.core.columns_and_faults import told

from .formats.lines import STRICT, dumps
from .scored_output import RunError

MOST_ENDED = 8
"""Rows that end their process, one after another and none that survives in between, before a run ends."""

Result = TypeVar("Result")


class Ended(str):
    """The way in which rows repeatedly ended their scorer."""

    __slots__ = ()


def apart(
    attempt: Callable[[range], Result | Ended],
    broken: Callable[[range, str], Result],
    rows: range,
    *,
    whole: Callable[[], bool] = lambda: False,
    most: int | None = MOST_ENDED,
) -> list[Result]:
    """Score rows, halving those that end their scorer until one stands alone.

    Args:
        attempt: Scores some of the rows, or says how they ended what scored them.
        broken: Handling of single rows that failed.
        rows: All of them.
        whole: Whether the rows are compared, and stay together; asked where some end what scores them.
        most: Rows that break it one after another, and none that does not, before nothing more is tried; None
            for any number.

    Returns:
        What became of parts of the rows, in order.

    Raises:
        RunError: Every row that was tried ends what scores it.

    >>> seven = lambda rows: Ended("it is gone") if 7 in rows else f"{rows.start} to {rows.stop - 1}"
    >>> apart(seven, lambda rows, how: f"{rows.start}: {how}", range(12))
    ['0 to 5', '6 to 6', '7: it is gone', '8 to 8', '9 to 11']
    """
    alone, survived = 0, False

    def parts(rows: range) -> list[Result]:
        nonlocal alone, survived
        found = attempt(rows)
        if not isinstance(found, Ended):
            survived = True
            return [found]
        if len(rows) == 1 or whole():
            alone += 1
            if alone == most and not survived:
                raise RunError(f"scoring ends its process on row after row: {found}")
            return [broken(rows, found)]
        half = len(rows) // 2
        return parts(rows[:half]) + parts(rows[half:])

    return parts(rows)


def paid(
    reward: Reward, batch_of: Callable[[range], Batch], rows: range, place: Callable[[int], str]
) -> list[Payment]:
    """Return a reward's payments for rows; only the rows on which it breaks become faults.

    Args:
        reward: The reward.
        batch_of: Makes a batch of some of the rows.
        rows: All of them.
        place: Name of a row in messages.

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
    """Return a payment as a JSON object, or its row's fault where JSON does not hold it.

    Args:
        reward: The reward.
        payment: For a row.
        say: Output for a payment.

    Returns:
        What is paid after all, and the object.
    """
    try:
        return payment, dumps(say(payment), STRICT)
    except Exception as error:  # a verdict of a third party may hold anything, and be nested at will
        broken = ended(reward, f"its verdict cannot be written as JSON: {told(error)}", "bad_verdict")
        return broken, dumps(say(broken), STRICT)


def ended(reward: Reward, detail: str, reason: str = "worker_died") -> Payment:
    """Return the payment of a row that ended its scorer: no value, and a fault for every part.

    Args:
        reward: Reward that would have applied.
        detail: Outcome in words.
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
