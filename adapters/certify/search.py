"""A search by mutation: texts that reach new code, other reasons or more reward are changed further.

What is found has to transfer, as in `floor`: it is an exploit where rows with different references pay it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .certificate_findings import Found
from .certified_rows import DataRow
from .floor import Floor, families, words
from .golden import ALARM, Scale
from .subject import Paid, Subject

BUDGET_SHARE = 0.9
"""The share of the budget after which it ends: what was found is asked again."""
BATCH = 40
"""Texts that are tried at once."""
STALE, STALE_TYPED = 100, 12
"""Batches in which nothing is new, after which the search ends; a typed reward has no code of the user's."""
MOST = 300
"""Texts that are kept to be changed further."""
LONGEST = 3000
"""Characters of a text."""
_SAYS = "a text that a search made is paid, whatever the reference"
_FILLS = ("", "0", "1", "-1", "1.0", "nan", "A", "yes", "correct", "zq", "x", "\n", " ", "1/0", "0.5")


@dataclass(frozen=True)
class _Kept:
    """A text that reached something new."""

    text: str
    share: float


class Search:
    """Looks for rewarded texts that no list names.

    Args:
        subject: The reward.
        scale: Meaning of its payments.
        rows: Rows with different references.
        floor: Collection of the findings.
    """

    def __init__(self, subject: Subject, scale: Scale, rows: Sequence[DataRow], floor: Floor) -> None:
        self.subject, self.scale, self.rows, self.floor = subject, scale, rows, floor
        self._rng = random.Random(0)  # noqa: S311
        self._reached: set[object] = set()
        self._kept: list[_Kept] = []
        literals = subject.about.get("literals", {})
        self._atoms: list[str] = list(dict.fromkeys((*literals.get("texts", ()), *_FILLS)))
        self._lengths = [*literals.get("lengths", ()), 100, 300, 1000]

    def findings(self) -> list[Found]:
        """Search until the budget is spent or nothing new is reached, and return the findings."""
        known = set(self.floor.causes)
        self._try(list(self._seeds()))
        stale, most = 0, STALE_TYPED if self.subject.about["typed"] else STALE
        while stale < most and self.subject.left(BUDGET_SHARE) and self._kept:
            stale = 0 if self._try([self._changed() for _ in range(BATCH)]) else stale + 1
        return [found for text, found in self.floor.causes.items() if text not in known]

    # ------------------------------------------------------------------------------------------

    def _seeds(self) -> Iterator[str]:
        yield from self._atoms
        for form in self.scale.forms:
            yield from (form.of(fill) for fill in _FILLS)
        for family in families():
            yield from family.texts[:4]

    def _try(self, texts: Sequence[str]) -> bool:
        """Call the reward on texts, and return whether one of them reached something new."""
        row, new = self.rows[0], False
        for text, paid in zip(
            texts, self.subject.pay(((text, row) for text in texts), traced=True), strict=True
        ):
            share = self.scale.share(paid)
            traits = self._traits(paid, share)
            if traits <= self._reached:
                continue
            self._reached |= traits
            new = True
            self._kept.append(_Kept(text, share))
            if share >= ALARM:
                hits = self.floor.transfers(text, text)
                if hits and not any(
                    self.floor.transfers(each, each) for each in ("zq", words(7), words(len(text)))
                ):
                    self.floor.add("search_paid", _SAYS, text, hits, "search")
        del self._kept[:-MOST]
        return new

    def _traits(self, paid: Paid, share: float) -> set[object]:
        """Return the traits of a call: lines with the reward, the reason, and the kind of problem."""
        pay = round(share, 1)
        return {*((line, share > 0) for line in paid.lines), (paid.reason[:60], pay), (paid.problem, pay)}

    def _changed(self) -> str:
        kept = self._kept[-20:] if self._rng.random() < 0.5 else self._kept
        text = max(self._rng.sample(kept, min(2, len(kept))), key=lambda each: each.share).text
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            text = self._once(text)
        return text[:LONGEST]

    def _once(self, text: str) -> str:
        """Return a text with one change."""
        rng = self._rng
        atom = rng.choice(self._atoms)
        place = rng.choice((0, len(text), rng.randint(0, len(text))))
        match rng.randrange(9):
            case 0 | 1:
                return text[:place] + atom + text[place:]
            case 2:
                return f"{text}{rng.choice((' ', chr(10), ''))}{rng.choice(self._kept).text}"
            case 3:
                return self._wrapped(rng.choice([text, atom]))
            case 4:
                return rng.choice((text.upper(), text.lower(), text.title(), text.strip()))
            case 5:
                return text + " " + words(max(0, rng.choice(self._lengths) - len(text)))
            case 6:
                return text * rng.choice((2, 3, 8))
            case 7:
                cut = rng.randint(0, len(text))
                return rng.choice((text[:cut], text[cut:]))
            case _:
                return f"{atom} {rng.choice(_FILLS)} {text}"

    def _wrapped(self, text: str) -> str:
        """Return a text in one of the forms that earn."""
        return self._rng.choice(self.scale.forms).of(text) if self.scale.forms else text
