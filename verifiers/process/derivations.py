"""Which calculations rest on what: from the numbers of the question through results to the answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from .calculations.claims import Claims
from .calculations.runs import Run
from .calculations.spoken import Claim
from .calculations.values import value, values
from .sources import COMMON, of_share

Ground = Literal["given", "unknown", "wrong", "nowhere"]
"""What a calculation rests on: numbers that are given or made rightly; some of unknown origin; some that
a wrong step made; or some that come from nowhere. The worst of its numbers counts."""
_WORST: tuple[Ground, ...] = ("given", "unknown", "wrong", "nowhere")
_NOTHING = frozenset({Fraction(0), Fraction(1)})
_OTHER = Fraction(1, 7)


@dataclass(slots=True)
class Derivation:
    """Sides that are equal, or said to be.

    Args:
        start: Where it begins in the text.
        end: Where it ends.
        sides: The calculations in it.
        results: The values that it has, as they are shown and exactly.
        outcome: ``right``, ``false``, or ``unknown``.
        ground: What it rests on.
        parents: The derivations that made its numbers.
    """

    start: int
    end: int
    sides: list[Run]
    results: set[Fraction]
    outcome: Literal["right", "false", "unknown"]
    taken_back: bool = False
    ground: Ground = "given"
    parents: list[Derivation] = field(default_factory=list)

    @property
    def earns(self) -> bool:
        """Whether it is right and rests on what is given."""
        return self.outcome == "right" and self.ground == "given"


def derivations(claims: Claims, known: Collection[Fraction] | None) -> list[Derivation]:
    """The derivations of a text in order, each with what it rests on.

    Args:
        claims: What is claimed.
        known: The numbers of the question; None where there is no question, and any number may be given.
    """
    found = list(_joined(claims.found))
    ledger = _Ledger(known)
    names = sorted((place, operand.value) for place, operand in claims.given)
    passed = 0
    for each in found:
        while passed < len(names) and names[passed][0] < each.start:
            ledger.unclear.add(names[passed][1])
            passed += 1
        ledger.place(each)
    return found


def _joined(found: Sequence[Claim]) -> Iterator[Derivation]:
    """Claims that go on from one another as one derivation, as far as they are right."""
    last: Derivation | None = None
    for claim in found:
        if claim.outcome == "none":
            continue
        sides = [run for run in (claim.left, claim.right) if run is not None]
        if last is not None and claim.is_next and claim.outcome == last.outcome == "right":
            last.end = claim.end
            _add(last, sides[-1:])
            continue
        if last is not None:
            yield last
        last = Derivation(claim.start, claim.end, [], set(), claim.outcome, claim.taken_back)
        if claim.outcome == "false" and claim.right is not None and claim.right.number is None:
            sides.reverse()  # 12 = 3 * 5: what is claimed is the number
        _add(last, sides)
    if last is not None:
        yield last


def _add(derivation: Derivation, sides: Sequence[Run]) -> None:
    for run in sides:
        shown = run.number
        if run.is_worked_out and not _does_nothing(run):
            derivation.sides.append(run)
            if derivation.outcome == "right":
                derivation.results.update(values(run))
        elif shown is not None:
            derivation.results.add(shown.value)
            if shown.is_share:
                derivation.results.add(shown.value / 100)


def _does_nothing(run: Run) -> bool:
    """Whether a calculation gives one of its own numbers back, whatever that is: 75 + 0, 75 + 5 - 5."""
    result = value(run)
    return result is not None and any(
        operand.value == result and value(run, "share", {place: result + _OTHER}) == result + _OTHER
        for place, operand in enumerate(run.operands)
    )


class _Ledger:
    """Where values come from, as the text goes on."""

    def __init__(self, known: Collection[Fraction] | None) -> None:
        self.known = known
        self.made: dict[Fraction, Derivation] = {}
        self.wrong: set[Fraction] = set()
        self.unclear: set[Fraction] = set()

    def place(self, derivation: Derivation) -> None:
        """Note what a derivation rests on, and what it makes."""
        best: tuple[int, list[Derivation]] | None = None
        for run in derivation.sides:
            rank, parents = self._ground(run)
            if best is None or rank < best[0]:
                best = (rank, parents)
        derivation.ground = "unknown" if best is None else _WORST[best[0]]
        derivation.parents = [] if best is None else best[1]
        if derivation.earns:
            for result in derivation.results:
                for form in (result, abs(result)):
                    self.made.setdefault(form, derivation)
                if 0 < result < 1:
                    for form in of_share(result):
                        self.made.setdefault(form, derivation)
        elif derivation.outcome == "false" or derivation.ground in ("wrong", "nowhere"):
            self.wrong |= derivation.results
        else:
            self.unclear |= derivation.results

    def _ground(self, run: Run) -> tuple[int, list[Derivation]]:
        worst, parents, is_rooted = 0, [], self.known is None
        multiplies = any(step in ("*", "/", "^") for step in run.program)
        for operand in run.operands:
            forms = (operand.value, operand.value / operand.factor)
            maker = next((self.made[form] for form in forms if form in self.made), None)
            if self.known is not None and any(form in self.known for form in forms):
                is_rooted = True
            elif maker is not None:
                is_rooted = True
                parents.append(maker)
            elif any(form in self.wrong for form in forms):
                worst = max(worst, _WORST.index("wrong"))
            elif self.known is None or (
                operand.value in COMMON and (multiplies or operand.value in _NOTHING)
            ):
                continue
            elif any(form in self.unclear for form in forms):
                worst = max(worst, _WORST.index("unknown"))
            else:
                worst = _WORST.index("nowhere")
        return (worst, parents) if is_rooted or worst else (_WORST.index("unknown"), parents)


def supporting(found: Sequence[Derivation], answers: Collection[Fraction], known: bool) -> list[Derivation]:
    """The derivations that earn and that an answer rests on, itself among them; none if it is not derived.

    Args:
        found: The derivations of a text.
        answers: The values that the answer may have.
        known: Whether the numbers of the question are known; if not, the answer may not be among those that
            its own derivation starts from.
    """
    for derivation in found:
        if not derivation.earns or not derivation.results & set(answers):
            continue
        used = {id(derivation): derivation}
        waiting = [derivation]
        while waiting:
            for parent in waiting.pop().parents:
                if id(parent) not in used:
                    used[id(parent)] = parent
                    waiting.append(parent)
        chosen = sorted(used.values(), key=lambda each: each.start)
        if known or not _starts_from(chosen, derivation, answers):
            return chosen
    return []


def _starts_from(used: Sequence[Derivation], last: Derivation, answers: Collection[Fraction]) -> bool:
    """Whether the answer is used before it is derived."""
    return any(
        operand.value in answers
        for each in used
        if each is not last
        for run in each.sides
        for operand in run.operands
    )
