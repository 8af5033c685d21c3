"""The answer is the reference, word for word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract import MARKED_OR_WHOLE, Extractor
from ..extract.answers import accepted_texts, find_answer
from ..language.normalization import Normalization, normalize


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ExactMatch(Verifier):
    """The answer equals an accepted one after normalisation (exact match, EM).

    Args:
        extract: Where the answer is; without any mark the whole text counts.
        normalize: ``none``; ``text`` (NFC, white space, one closing full stop); ``squad`` (also case,
            punctuation and articles) or ``korquad`` (case and punctuation). See
            `verifiers.language.normalization.normalize`.
        ignore_case: Fold case; ``squad`` and ``korquad`` always do.

    >>> print(ExactMatch().verify("The answer is Seoul.", ["Seoul", "서울"]))
    ExactMatch 1.00 equal  'Seoul' for 'Seoul'
    >>> ExactMatch().verify("정답은 부산입니다.", ["Seoul", "서울"]).reason
    'not_equal'
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "equal": "equal to an accepted answer",
        "not_equal": "different from every accepted answer",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
    }

    extract: Extractor = field(default=MARKED_OR_WHOLE)
    normalize: Normalization = "text"
    ignore_case: bool = False

    def check(self, sample: Sample) -> Verdict:
        accepted = usable_references(self, sample, self._normal)
        if isinstance(accepted, Verdict):
            return accepted
        answer = find_answer(self, self.extract, sample)
        if isinstance(answer, Verdict):
            return answer
        normal = self._normal(answer)
        for text, expected in accepted:
            if normal == expected:
                return self.scored(1.0, "equal", extracted=answer, expected=text)
        return self.scored(0.0, "not_equal", extracted=answer, expected=accepted[0][0])

    def _normal(self, text: str) -> str:
        normal = normalize(text, self.normalize)
        return normal.casefold() if self.ignore_case else normal


def usable_references(verifier: Verifier, sample: Sample, normal: object) -> list[tuple[str, str]] | Verdict:
    """Pairs of an accepted answer and its normal form, or the verdict that there is none."""
    assert callable(normal)  # noqa: S101
    try:
        texts = accepted_texts(sample.reference)
    except ConfigError as error:
        return verifier.unscored("bad_reference", str(error))
    pairs = [(text, normal(text)) for text in texts]
    usable = [pair for pair in pairs if pair[1]]
    if not usable:
        return verifier.unscored("bad_reference", f"nothing is left of {texts!r:.80} after normalisation")
    return usable
