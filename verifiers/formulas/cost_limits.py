"""Limits on the cost of an answer, each far above any answer that a person would write.

Work is counted, not timed, so that no verdict depends on the machine's load.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class UnreadableError(Exception):
    """The text is not an expression of the grammar, or larger than what it reads."""


MAX_ANSWER_CHARS = 4_000
"""Longest text that is read as mathematics. The longest gold answer of the MATH test set has 159."""
MAX_DIGITS = 4_000
"""Longest digit run that becomes an integer; CPython itself refuses 4,300. Equal text needs no integer."""
MAX_SYMBOLIC_CHARS = 1_000
"""Longest text for the LaTeX parser, whose time grows faster than linearly."""
MAX_SYMBOLIC_DIGITS = 300
"""Longest digit run there."""
MAX_NESTING = 30
"""Deepest brackets there: 40 nested fractions already take its parser 5 s."""
MAX_EXPONENT = 10_000
"""Largest numeric exponent: 2024^{4046} is a contest answer, 10^{100000000} is an attack."""
MAX_FACTORIAL = 3_000
"""Largest argument of a factorial or a binomial: 1/2004! is a contest answer."""
MAX_RANGE = 1_000
"""Largest bound of a sum or product there."""
MAX_CELLS = 100
"""Most cells of a matrix."""
MAX_LIST = 200
"""Most elements of a list or set."""
MAX_TREE_TOKENS = 1_000
"""Tokens of the longest formula that the grammar reads."""
MAX_TREE_DEPTH = 100
"""Deepest nesting that the grammar reads, brackets and powers counted; Python's own recursion bears several
times that."""
MAX_WRITTEN_OUT = 4_000
"""Nodes of the largest sum or product that is written out term by term."""
MAX_BITS = 200_000
"""Size of the largest exact number that is built: 2024^{4046} has 44,000 bits."""
MAX_TERMS = 2_000
"""Terms of the largest polynomial that is expanded."""
MAX_DEGREE = 400
"""Highest degree of a polynomial that is expanded."""


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
    """Remaining work, and whether two values agreed as far as they are known.

    Attributes:
        units: Amount that is left.
        extra: Units to add once two values are probably equal.
        on_likely: Called then.
        likely: Whether that was so.
    """

    units: int
    extra: int = 0
    on_likely: Callable[[], None] | None = None
    likely: bool = False

    def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function, which may do so much work; inside another account it does not spend the other's.

        The call has a context of its own, which ends with it even where an interrupt meets its last step: no
        account is left behind that would refuse all later work.

        >>> try:
        ...     Account(10).run(spend, 11)
        ... except OverBudgetError as error:
        ...     print(error)
        the work for one answer is more than it may be
        """
        return copy_context().run(self._charge, partial(function, *args, **kwargs))

    def _charge(self, call: Callable[[], T]) -> T:
        _account.set(self)
        return call()


_account: ContextVar[Account | None] = ContextVar("account", default=None)


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
    """Return whether more work would be allowed for values that are likely to be equal."""
    account = _account.get()
    return account is not None and account.extra > 0 and not account.likely
