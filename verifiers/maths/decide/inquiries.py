"""Questions that deciding leaves to a worker, and compared pairs, for a witness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar, copy_context
from functools import partial
from typing import ParamSpec

from ...formulas.answer_shapes import Shape
from ...runtime.packages import deferred
from ...runtime.records import dataclass
from .policy import Policy

_POOL = deferred("reward_verifiers.verifiers.runtime.pool")  # few pairs are left to a worker
P = ParamSpec("P")

SECONDS = 0.5
"""Processor time that a worker has for one inquiry before sympy is asked: several times what the units of
rigorous arithmetic (`limits.WORKER`) take, which are what ends it."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Question whether two cleaned answers are equal under a policy."""

    expected: str
    given: str
    policy: Policy


Found = tuple[str, str] | Inquiry
"""A reason code with a sentence for a person, or what is left to ask."""
Ask = Callable[[Inquiry], tuple[str, str]]
"""Function that settles an inquiry: a reason and a sentence."""


class PendingError(Exception):
    """A inquiry has to be asked before an answer can be judged."""

    def __init__(self, inquiry: Inquiry) -> None:
        super().__init__(inquiry)
        self.inquiry = inquiry


def asked(inquiry: Inquiry) -> tuple[str, str]:
    """The reason and the sentence that a worker finds.

    Raises:
        RuntimeError: No worker process can be started, or none works any more.
    """
    outcome = _POOL.shared_pool().run(
        "reward_verifiers.verifiers.maths.decide.symbolic:settle",
        (inquiry.expected, inquiry.given, inquiry.policy),
        cpu_seconds=SECONDS,
        fork=True,
    )
    if outcome.ok:
        reason, detail = outcome.value
        return reason, detail
    if outcome.by_task:
        return "over_limit", f"too expensive to evaluate: {outcome.detail}"
    raise RuntimeError(outcome.detail)


class Asked:
    """Questions of one batch, each asked once, several at a time."""

    def __init__(self) -> None:
        self._found: dict[Inquiry, tuple[str, str] | Exception] = {}

    def answer(self, inquiry: Inquiry) -> tuple[str, str]:
        """Return the finding for a question.

        Raises:
            PendingError: It was not asked yet.
            Exception: Asking it failed.
        """
        found = self._found.get(inquiry)
        if found is None:
            raise PendingError(inquiry)
        if isinstance(found, Exception):
            raise found
        return found

    def ask(self, inquiries: Sequence[Inquiry]) -> None:
        """Ask what is new among some inquiries."""
        new = [each for each in dict.fromkeys(inquiries) if each not in self._found]
        calls = [_call(inquiry) for inquiry in new]
        self._found.update(zip(new, _POOL.shared_pool().run_all(calls), strict=True))


def _call(inquiry: Inquiry) -> Callable[[], tuple[str, str] | Exception]:
    def call() -> tuple[str, str] | Exception:
        try:
            return asked(inquiry)
        except Exception as error:  # the rows that asked it are judged again, each by itself
            return error

    return call


Note = tuple[Shape, Shape, Policy, str | None]
"""The reference, the answer, what counted as the same, and the reason code that was found."""

_notes: ContextVar[list[Note] | None] = ContextVar("notes", default=None)


def noted(function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> list[Note]:
    """Return the comparisons of a function, kept in a context that ends with the call."""
    return copy_context().run(_kept, partial(function, *args, **kwargs))


def _kept(call: Callable[[], object]) -> list[Note]:
    found: list[Note] = []
    _notes.set(found)
    call()
    return found


def note(one: Shape, other: Shape, policy: Policy, reason: str | None) -> str | None:
    """Keep a comparison, if somebody asked for it.

    Returns:
        The reason.
    """
    notes = _notes.get()
    if notes is not None:
        notes.append((one, other, policy, reason))
    return reason
