"""What one process does not decide, and how a worker is asked about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...runtime.pool import shared_pool
from .one_value.policy import Policy

SECONDS = 0.5
"""Processor time that a worker has for one inquiry before sympy is asked: several times what the units of
rigorous arithmetic (`meter.WORKER`) take, which are what ends it."""
WALL_SECONDS = 120.0
"""When a worker counts as stuck. Processor time decides about answers: this many seconds only pass where
something sleeps, or hundreds of processes share a core."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Whether two cleaned answers are equal under a policy."""

    expected: str
    given: str
    policy: Policy


Found = tuple[str, str] | Inquiry
"""A reason code with a sentence for a person, or what is left to ask."""
Ask = Callable[[Inquiry], tuple[str, str]]
"""What settles a inquiry: a reason and a sentence."""


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
    outcome = shared_pool().run(
        "reward_verifiers.verifiers.maths.decide.by_sympy.symbolic:settle",
        (inquiry.expected, inquiry.given, inquiry.policy),
        cpu_seconds=SECONDS,
        wall_seconds=WALL_SECONDS,
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
        """What was found.

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
        self._found.update(zip(new, shared_pool().run_all(calls), strict=True))


def _call(inquiry: Inquiry) -> Callable[[], tuple[str, str] | Exception]:
    def call() -> tuple[str, str] | Exception:
        try:
            return asked(inquiry)
        except Exception as error:  # the rows that asked it are judged again, each by itself
            return error

    return call
