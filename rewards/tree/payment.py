"""The payment for one completion, with all its parts.

This module also detects, from a batch's payments, set-ups that judge nothing and formats that the chat
template keeps completions from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reward_verifiers.verifiers import Status, Verdict
from reward_verifiers.verifiers.core.verdicts import text_html
from reward_verifiers.verifiers.text.tag_format import UNOPENED


# This class is not frozen: freezing doubles the time to make one, and a tree makes a dozen per completion.
@dataclass(slots=True)
class Payment:
    """The reward of one completion, with the parts and verdicts behind it; immutable.

    Args:
        name: Name of the reward.
        value: A finite number, or None if a required part has no value.
        parts: Payments of which the value consists.
        verdict: Verdict behind a leaf.
        note: Explanation of the value, for a person.
        logged: Whether logs show the value as a part, under `name`.
        left_out: The value is None, and sums go on without it.
    """

    name: str
    value: float | None
    parts: tuple[Payment, ...] = ()
    verdict: Verdict | None = None
    note: str = ""
    logged: bool = False
    left_out: bool = False

    def under(self, name: str, value: float | None, note: str = "", *, logged: bool = False) -> Payment:
        """Return a payment of another value whose only part is this one; a left-out one stays left out."""
        return Payment(name, value, (self,), note=note, logged=logged, left_out=self.left_out)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Return all verdicts below, in the order of the tree, each once."""
        return tuple(verdict for _, verdict in self.judged())

    @property
    def status(self) -> Status:
        """Return SCORED if there is a value, FAULT if anything below failed, else UNSCORED."""
        if self.value is not None:
            return Status.SCORED
        broken = any(verdict.status is Status.FAULT for verdict in self.verdicts)
        return Status.FAULT if broken else Status.UNSCORED

    def values(self) -> dict[str, float | None]:
        """Return the value of every part, by name; of a route, only the parts that this row uses."""
        found: dict[str, float | None] = {}
        self._collect(found)
        return found

    def _collect(self, found: dict[str, float | None]) -> None:
        if self.logged:
            found.setdefault(self.name, self.value)
        for part in self.parts:
            part._collect(found)

    def judged(self) -> Iterator[tuple[str, Verdict]]:
        """Yield every part that has a verdict, with the verdict, in the order of `verdicts`."""
        seen: set[int] = set()
        for leaf in self._leaves():
            if leaf.verdict is not None and id(leaf.verdict) not in seen:
                seen.add(id(leaf.verdict))
                yield leaf.name, leaf.verdict

    def _leaves(self) -> Iterator[Payment]:
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part._leaves()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        """Return the explanation for a notebook, with the verdicts behind it."""
        steps = f'<pre style="unicode-bidi:isolate">{text_html(self)}</pre>'
        return steps + "".join(verdict._repr_html_() for verdict in self.verdicts[:20])

    def lines(self, depth: int = 0) -> Iterator[str]:
        """Yield the explanation, one line per part; consecutive single steps share a line."""
        shown, steps = self.step()
        yield f"{'  ' * depth}{self.headline(shown, steps)}"
        for part in shown.parts:
            yield from part.lines(depth + 1)

    def step(self) -> tuple[Payment, str]:
        """Return the first payment below that has more than one part, and the single steps above it."""
        shown, notes = self, []
        while len(shown.parts) == 1:
            if shown.note:
                notes.append(shown.note)
            shown = shown.parts[0]
        return shown, " ".join(notes)

    def headline(self, shown: Payment, steps: str) -> str:
        """Return ``name: value``, its derivation and its verdict."""
        line = f"{self.name}: {self.shown_value(shown, steps)}"
        if shown.verdict is not None:
            line += f"  {_said(shown)}"
        elif shown.note:
            line += f"  {shown.note}"
        return line

    def shown_value(self, shown: Payment, steps: str) -> str:
        """Return the value and its derivation."""
        if self.left_out:
            return "left out"
        return _number(self.value) + (f" = {steps} {_number(shown.value)}" if steps else "")


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value + 0.0:.4g}"  # no minus before a zero


def _said(leaf: Payment) -> str:
    """Return the verdict, without the name where the line has it already."""
    return str(leaf.verdict).removeprefix(f"{leaf.name} ")


def same_fault(payments: Sequence[Payment], status: Status = Status.FAULT) -> Verdict | None:
    """Return the first fault, if no row has a value and each has a fault of the same kind; else None.

    Faults are of one kind if they come from one verifier and name one reason and one type of exception: their
    texts may differ from row to row.

    Args:
        payments: Payments of a batch.
        status: `Status.UNSCORED` for why no row can be judged.
    """
    first: Verdict | None = None
    for payment in payments:
        if payment.value is not None:
            return None
        causes = [verdict for verdict in payment.verdicts if verdict.status is status]
        if first is None and causes:
            first = causes[0]
        if first is None or not any(_kind(each) == _kind(first) for each in causes):
            return None
    return first


def _kind(fault: Verdict) -> tuple[str, str, str]:
    kind = fault.detail.partition(":")[0] if fault.reason == "exception" else ""
    return fault.verifier, fault.reason, kind


SET_UP = frozenset({"missing_dependency", "no_judge"})
"""Reasons that no row can change; another one may be that of a batch with one bad reference."""
UNOPENED_SHARE = 0.9
"""The share of a batch from which on one missing tag is the template's."""
UNOPENED_ROWS = 4
"""Completions of a batch that says so."""


def unopened(payments: Sequence[Payment]) -> str:
    """Return a hint for a batch whose completions nearly all close a block they never open; else ""."""
    refused = [
        verdict.detail
        for payment in payments
        if (verdict := next((each for each in payment.verdicts if UNOPENED in each.detail), None)) is not None
    ]
    if len(payments) < UNOPENED_ROWS or len(refused) <= UNOPENED_SHARE * len(payments):
        return ""
    return f"{len(refused)} of {len(payments)} completions break the format: {refused[0]}"


def finite(value: float) -> float | None:
    """Return the value, or None where it is not finite: such a value must never reach an optimizer."""
    return value if math.isfinite(value) else None


def exact(value: float) -> str:
    """Return a number as a signature shows it: short, and different for different numbers."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
