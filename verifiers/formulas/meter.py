"""How much work an answer may be: counted, not timed, so that no verdict depends on the machine's load."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

READING = 10_000
"""Units for reading one text: what its parts are may take a few comparisons."""
HERE = 10_000
"""Units for deciding about an answer in the process that asks. A unit is one node of a formula, evaluated at
the first precision: 1 to 2 microseconds. Ordinary pairs take a few hundred."""
WORKER = 40_000
"""Units in a worker, where several answers of a batch are judged at once: 0.06 s."""
LIKELY = 250_000
"""Units that a worker adds where two values agree as far as they are known: nobody is there who does not know
the value, and proving it to hundreds of digits is worth a third of a second."""


class OverBudgetError(Exception):
    """The work for one answer is more than it may be."""


@dataclass(slots=True)
class Account:
    """What is left, and whether two values agreed as far as they are known."""

    units: int
    extra: int = 0
    on_likely: Callable[[], None] | None = None
    likely: bool = False


_account: ContextVar[Account | None] = ContextVar("account", default=None)


@contextmanager
def budget(units: int, extra: int = 0, on_likely: Callable[[], None] | None = None) -> Iterator[Account]:
    """Allow so much work inside; what is inside another budget has its own, and does not spend the other's.

    Args:
        units: How much.
        extra: What is added once it is likely that two values are equal.
        on_likely: Called then.

    >>> with budget(10):
    ...     spend(11)
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.formulas.meter.OverBudgetError: the work for one answer is more than it may be
    """
    account = Account(units, extra, on_likely)
    token = _account.set(account)
    try:
        yield account
    finally:
        _account.reset(token)


def spend(units: int) -> None:
    """Note that work is about to be done.

    Raises:
        OverBudgetError: The budget, if there is one, does not suffice.
    """
    account = _account.get()
    if account is not None:
        account.units -= units
        if account.units < 0:
            raise OverBudgetError("the work for one answer is more than it may be")


def left(most: int) -> int:
    """The units that are left, or `most` if that is fewer."""
    account = _account.get()
    return most if account is None else min(most, max(account.units, 0))


def note_likely() -> None:
    """Note that two values agree as far as they are known: what would prove it is worth more work."""
    account = _account.get()
    if account is not None and not account.likely:
        account.likely = True
        account.units += account.extra
        if account.on_likely is not None:
            account.on_likely()


def may_add() -> bool:
    """Whether more work would be allowed for values that are likely to be equal."""
    account = _account.get()
    return account is not None and account.extra > 0 and not account.likely
