"""Rules first, and somebody else only about what rules leave undecided."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

from ..core.checks import Range
from ..core.specs import from_spec
from ..core.verdicts import Sample, Status, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..runtime.forks import new_lock


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Cascade(Verifier):
    """Ask a second verifier about the rows that the first leaves undecided, within a budget.

    A verdict is undecided if nothing speaks for or against the answer (`Verdict.decided`). Among undecided
    rows, those with the longest references come first; then a draw by question and reference decides, which
    no completion can influence. `most` limits what `then` can add. If `then` cannot judge a row, the verdict
    of `first` stays.

    Args:
        first: Rules: a verifier that says whether it is certain.
        then: A `Judge`, a `ModelVerifier`, or any other verifier.
        budget: Largest number of rows to ask about per batch: a share of the batch up to 1, or a whole number
            above.
        per_run: Largest number of rows in this process; None for no limit.
        most: Most that a row can earn by `then`.

    Raises:
        ConfigError: The budget is above 1 and not a whole number.

    >>> cascade = Cascade("ShortAnswer", "ExactMatch", budget=1.0)
    >>> cascade.verify("Oslo", "Oslo").reason, cascade.verify("Rome", "Oslo").reason
    ('decided', 'asked')
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "decided": "the first verifier decides",
        "asked": "the first one leaves it open, and the second one was asked",
        "over_budget": "the first one leaves it open, and the budget is spent",
        "not_answered": "the first one leaves it open, and the second one cannot say",
    }
    graded: ClassVar[bool] = True

    first: Verifier = field()
    then: Verifier = field()
    budget: Annotated[float, Range(least=0)] = 0.2
    per_run: Annotated[int, Range(least=0)] | None = None
    most: Annotated[float, Range(0, 1)] = 1.0

    def __post_init__(self) -> None:
        for name in ("first", "then"):
            if isinstance(getattr(self, name), str | dict):
                object.__setattr__(self, name, from_spec(getattr(self, name)))
        super().__post_init__()
        if self.budget > 1 and not float(self.budget).is_integer():
            raise ConfigError(
                f"Cascade: budget is a share up to 1 or a whole number of rows, got {self.budget}"
            )
        object.__setattr__(self, "needs_reference", self.first.needs_reference)
        object.__setattr__(self, "reference_first", type(self.first).reference_first)

    def check(self, sample: Sample) -> Verdict:
        return self.check_batch([sample])[0]

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        firsts = self.first._guarded_batch(samples)
        open_rows = [row for row, verdict in enumerate(firsts) if self._is_open(verdict)]
        drawn = {row: _drawn(samples[row]) for row in open_rows}
        order = sorted(open_rows, key=lambda row: (-_words_due(samples[row]), drawn[row]))
        chosen = order[: self._allowed(len(samples), drawn[order[0]] if order else 0.0)]
        granted = _spent.take(self.identity(), len(chosen), self.per_run)
        chosen = sorted(chosen[:granted])
        seconds = dict(zip(chosen, self.then._guarded_batch([samples[row] for row in chosen]), strict=True))
        counts = f"{len(chosen)} of {len(open_rows)} undecided rows asked, {len(samples)} in the batch"
        return [
            self._verdict(verdict, seconds.get(row), row in drawn, counts)
            for row, verdict in enumerate(firsts)
        ]

    @staticmethod
    def _is_open(verdict: Verdict) -> bool:
        return verdict.status is Status.SCORED and not verdict.decided

    def _allowed(self, rows: int, drawn: float) -> int:
        """Return how many rows of a batch may be asked about; a fractional row is drawn for."""
        if self.budget > 1:
            return int(self.budget)
        whole, part = divmod(self.budget * rows, 1)
        return int(whole) + (drawn < part)

    def _verdict(self, first: Verdict, then: Verdict | None, is_open: bool, counts: str) -> Verdict:
        if first.score is None or (not is_open and then is None):
            return (
                replace(first, verifier=self._name(), parts=(first,))
                if first.score is None
                else self._of(first, first.score, "decided", first.reason, (first,))
            )
        if then is None:
            return self._of(first, first.score, "over_budget", counts, (first,))
        if then.score is None:
            return self._of(
                first, first.score, "not_answered", f"{then.reason}: {then.detail}"[:500], (first, then)
            )
        score = max(first.score, min(then.score, self.most))
        return self._of(first, score, "asked", counts, (first, then))

    def _of(
        self, first: Verdict, score: float, reason: str, detail: str, parts: tuple[Verdict, ...]
    ) -> Verdict:
        return self.scored(
            score,
            reason,
            detail,
            extracted=first.extracted,
            expected=first.expected,
            span=first.span,
            parts=parts,
        )

    def fields_read(self) -> tuple[str, ...] | None:
        read = (self.first.fields_read(), self.then.fields_read())
        return None if None in read else tuple(dict.fromkeys((*read[0], *read[1], "prompt")))  # type: ignore[misc]

    def columns_needed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.first.columns_needed(), *self.then.columns_needed())))


def proposed_case(
    completion: str, reference: Any, verdict: Verdict, prompt: str = ""
) -> dict[str, Any] | None:
    """Turn the decision of a cascade's second verifier into a case for its first; None if not asked.

    The rules grow by such rows once a person has agreed with them: ``verify-cli test`` runs them.

    >>> verdict = Cascade("ShortAnswer", "ExactMatch", budget=1.0).verify("Rome", "Oslo")
    >>> proposed_case("Rome", "Oslo", verdict)["score"]
    0.0
    """
    if verdict.reason != "asked" or len(verdict.parts) != 2:
        return None
    first, then = verdict.parts
    said = hashlib.sha256(json.dumps([completion, reference, prompt], default=str).encode()).hexdigest()[:12]
    row = {"id": f"proposed-{said}", "spec": first.verifier, "completion": completion, "reference": reference}
    note = f"proposed: {then.verifier} says so; the rule said {first.reason}"
    return {**row, **({"prompt": prompt} if prompt else {}), "score": then.score, "note": note}


def _words_due(sample: Sample) -> int:
    """The fewest words of an accepted answer: the more it takes, the more ways there are to say it."""
    accepted = sample.reference if isinstance(sample.reference, list | tuple) else [sample.reference]
    return min((len(each.split()) for each in accepted if isinstance(each, str) and each.strip()), default=0)


def _drawn(sample: Sample) -> float:
    """A number in [0, 1) from what a row asks, and from nothing that a completion writes."""
    said = json.dumps([sample.prompt, sample.reference], ensure_ascii=True, default=str)
    return int.from_bytes(hashlib.blake2b(said.encode(), digest_size=7).digest()) / 2**56


class _Spent:
    """Number of rows that each cascade has asked about in this process."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}
        self._lock = new_lock()

    def take(self, whose: str, wanted: int, most: int | None) -> int:
        """Return how many of the rows may be asked about, and count them."""
        with self._lock:
            asked = self._asked.get(whose, 0)
            granted = wanted if most is None else max(0, min(wanted, most - asked))
            self._asked[whose] = asked + granted
            return granted


_spent = _Spent()
