"""Word and character error rates: how many edits lie between a transcript and the reference."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rapidfuzz.distance import Levenshtein

from ..core.verifier_base import VERIFIERS
from ..language.normalization import clean, normalize
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError

MAX_STEPS = 400_000_000
"""Cells of the table of edits, which are worked out 64 at a time: a second."""
_SYLLABLES = range(0xAC00, 0xD7A4)


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ErrorRate(TextMetric):
    """1 minus the error rate of a transcript: WER by words, CER by characters or Korean letters.

    The rate is the least number of insertions, deletions and substitutions, divided by the length of the
    reference. `raw` is the rate, which may exceed 1; the score is 1 - rate, at least 0.

    Args:
        unit: ``words``; ``characters`` without blanks, with a Korean syllable as one; ``jamo``, the letters
            of syllables, so one wrong letter of three is a third of an error; ``spaced``, characters with
            blanks, if word spacing counts.
        normalize: Normalisation before the comparison: ``text`` (NFC, invisible characters, white space),
            ``squad`` (also case, punctuation and English articles), ``korquad`` (case and punctuation), or
            ``none``.

    >>> print(ErrorRate().verify("the cat sat down", "the cat sat"))
    ErrorRate 0.67 edited  'the cat sat down' for 'the cat sat'
    >>> round(ErrorRate("characters").verify("the cat", "the hat").raw, 2)
    0.17
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "equal": "no edit lies between the two",
        "edited": "some edits lie between them",
        "all_wrong": "as many edits as the reference is long, or more",
        "reference_erased": "normalisation leaves nothing of the reference",
        **METRIC_REASONS,
    }
    depends: ClassVar[tuple[str, ...]] = ("rapidfuzz",)

    unit: Literal["words", "characters", "jamo", "spaced"] = "words"
    normalize: Literal["none", "text", "squad", "korquad"] = "korquad"

    def measure(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Measure | UnusableError]:
        return [self._measure(text, reference) for text, reference in pairs]

    def _measure(self, text: str, reference: str) -> Measure | UnusableError:
        said, due = self._units(text), self._units(reference)
        if not due:
            return UnusableError("reference_erased", f"nothing is left of {reference!r:.80}")
        if len(said) * len(due) > MAX_STEPS:
            return Measure(0.0, "over_limit", f"{len(said):,} and {len(due):,} {self.unit}")
        edits = Levenshtein.distance(said, due)
        rate = edits / len(due)
        reason = "equal" if edits == 0 else "edited" if rate < 1 else "all_wrong"
        return Measure(max(0.0, 1 - rate), reason, f"{edits} edits of {len(due)} {self.unit}", raw=rate)

    def _units(self, text: str) -> Sequence[str]:
        plain = clean(text) if self.normalize == "text" else normalize(text, self.normalize)
        if self.unit == "words":
            return plain.split()
        if self.unit == "spaced":
            return plain
        letters = "".join(plain.split())
        if self.unit == "characters":
            return unicodedata.normalize("NFC", letters)
        return "".join(
            unicodedata.normalize("NFD", char) if ord(char) in _SYLLABLES else char for char in letters
        )
