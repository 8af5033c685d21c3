"""The answer is the reference, word for word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ..core.extraction import Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract.answers_and_references import accepted_texts, judge_answer, reference_answer
from ..extract.chain import MARKED_OR_WHOLE
from ..language.normalization import Normalization, normalize
from ..visible.seen import Form, see


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ExactMatch(Verifier):
    """The answer equals an accepted one after normalisation (exact match, EM).

    Args:
        extract: Finds the answer; without a mark the whole text counts.
        normalize: ``none`` (keeps invisible characters as well); ``text`` (NFC, width, invisible characters,
            HTML that only formats, white space, one final full stop); ``squad`` or ``korquad``, exactly as
            published, on the visible text; or ``unicode``, which is ``squad`` with the punctuation of every
            script. See `Sample.seen` and `verifiers.language.normalization.normalize`.
        ignore_case: Fold case; the last three always do.

    >>> print(ExactMatch().verify("The answer is Seoul.", ["Seoul", "Soul"]))
    ExactMatch 1.00 equal  'Seoul' for 'Seoul'
    >>> ExactMatch().verify("The answer is Busan.", ["Seoul", "Soul"]).reason
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
        form: Form = "raw" if self.normalize == "none" else "visible"
        accepted = usable_references(self, sample, lambda text: self._normal(see(text, form).text))
        if isinstance(accepted, Verdict):
            return accepted

        def same(answer: str, is_marked: bool = False) -> Verdict | None:
            normal = self._normal(answer)
            for text, expected in accepted:
                if normal == expected:
                    return self.scored(1.0, "equal", extracted=answer, expected=text)
            return None

        def judged(answer: str) -> Verdict:
            first = accepted[0][0]
            verdict = same(answer)
            if verdict is None:
                return self.scored(0.0, "not_equal", extracted=answer, expected=first)
            return verdict

        texts = [text for text, _ in accepted]
        return judge_answer(self, self.extract, sample, judged, same, accepted=texts, form=form)

    def _normal(self, text: str) -> str:
        normal = normalize(text, self.normalize)
        return normal.casefold() if self.ignore_case else normal


def usable_references(
    verifier: Verifier, sample: Sample, normal: Callable[[str], str]
) -> list[tuple[str, str]] | Verdict:
    """Pairs of an accepted answer and its normal form, or the verdict that there is none."""
    try:
        texts = accepted_texts(sample.reference)
    except ConfigError as error:
        return verifier.unscored("bad_reference", str(error))
    pairs = [(text, normal(text)) for text in texts]
    pairs += [(text, normal(part)) for text in texts if (part := reference_answer(text)) != text]
    usable = [pair for pair in pairs if pair[1]]
    if not usable:
        return verifier.unscored("bad_reference", f"nothing is left of {texts!r:.80} after normalisation")
    return usable
