"""The completion mentions the keywords."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract.answers_and_references import accepted_texts
from ..language.normalization import clean


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Keywords(Verifier):
    """The response mentions the keywords.

    Args:
        words: Keywords; empty to take them from the reference (a string or a list).
        mode: ``all`` of them, ``any`` of them, or the ``fraction`` that occurs.
        ignore_case: Whether to fold case.
        whole_words: Whether Latin letters and digits may not touch a keyword. Hangul may always follow one,
            as particles do.

    >>> Keywords(("photosynthesis", "light"), mode="fraction").verify("Light drives it.").score
    0.5
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "found": "the keywords are there as the mode asks",
        "partly_found": "a fraction of the keywords is there",
        "not_found": "keywords are missing",
    }
    needs_reference: ClassVar[bool] = False

    words: tuple[str, ...] = ()
    mode: Literal["all", "any", "fraction"] = "all"
    ignore_case: bool = True
    whole_words: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(map(str.strip, self.words)):
            raise ConfigError(f"Keywords: words must be non-empty strings, got {self.words}")

    def check(self, sample: Sample) -> Verdict:
        words = self.words
        if not words:
            try:
                words = tuple(accepted_texts(sample.reference))
            except ConfigError as error:
                return self.unscored("bad_reference", f"Keywords without words reads the reference: {error}")
        if not all(map(str.strip, words)):
            return self.unscored("bad_reference", f"a keyword is empty: {words!r:.80}")
        text = clean(sample.characters("response"))
        missing = [word for word in words if not self._holds(text, clean(word))]
        share = 1 - len(missing) / len(words)
        expected = ", ".join(words)
        if not missing or (self.mode == "any" and share):
            return self.scored(1.0, "found", expected=expected)
        detail = f"missing: {', '.join(missing)}"
        if self.mode == "fraction" and share:
            return self.scored(share, "partly_found", detail, expected=expected)
        return self.scored(0.0, "not_found", detail, expected=expected)

    def _holds(self, text: str, word: str) -> bool:
        if self.ignore_case:
            text, word = text.casefold(), word.casefold()
        if not self.whole_words:
            return word in text
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            before, after = text[start - 1 : start], text[end : end + 1]
            if not (_touches(before, word[0]) or _touches(after, word[-1])):
                return True
            start = text.find(word, start + 1)
        return False


def _touches(neighbour: str, edge: str) -> bool:
    """Return whether a neighbour belongs to the same word: both characters are ASCII letters or digits."""
    return neighbour.isascii() and neighbour.isalnum() and edge.isascii() and edge.isalnum()
