"""The answer shares tokens with the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ..core.extraction import Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..extract.answers_and_references import judge_answer
from ..extract.chain import MARKED_OR_WHOLE
from ..language.normalization import Normalization, normalize
from ..visible.seen import Form, see
from .exact_match import usable_references


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class TokenF1(Verifier):
    """Harmonic mean of token precision and recall, for the best accepted answer.

    As in SQuAD (Rajpurkar et al., 2016, arXiv:1606.05250), a token counts as often as it occurs.

    Args:
        extract: Finds the answer; without a mark the whole text counts.
        tokens: ``words`` splits at white space. ``characters`` suits Korean, whose particles change words
            (KorQuAD, Lim et al., 2019, arXiv:1909.07005).
        normalize: As in `ExactMatch`. None takes that of published scores: ``squad`` for words, and
            ``korquad`` for characters, which keeps English articles, because A may be a blood type.

    >>> round(TokenF1().verify("the cat sat", "a cat sat down").score, 2)
    0.8
    >>> TokenF1(tokens="characters").verify("A", "A").score, TokenF1().verify("A", "A").reason
    (1.0, 'bad_reference')
    """

    reference_first: ClassVar[bool] = True
    graded: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "equal": "the same tokens",
        "overlap": "some tokens are shared",
        "no_overlap": "no token is shared",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
    }

    extract: Extractor = field(default=MARKED_OR_WHOLE)
    normalize: Normalization | None = None
    tokens: Literal["words", "characters"] = "words"

    def check(self, sample: Sample) -> Verdict:
        form: Form = "raw" if self.normalize == "none" else "visible"
        accepted = usable_references(self, sample, lambda text: self._normal(see(text, form).text))
        if isinstance(accepted, Verdict):
            return accepted

        def same(whole: str, is_marked: bool) -> Verdict | None:
            normal = self._normal(whole)
            equal = next((text for text, expected in accepted if normal == expected), None)
            return None if equal is None else self.scored(1.0, "equal", extracted=whole, expected=equal)

        def judged(answer: str) -> Verdict:
            given = self._counted(self._normal(answer))
            scores = [(_f1(given, self._counted(normal)), text) for text, normal in accepted]
            score, best = max(scores, key=lambda pair: pair[0])
            reason = "equal" if score == 1.0 else "overlap" if score else "no_overlap"
            return self.scored(score, reason, extracted=answer, expected=best)

        texts = [text for text, _ in accepted]
        return judge_answer(self, self.extract, sample, judged, same, accepted=texts, form=form)

    def _normal(self, text: str) -> str:
        return normalize(text, self.normalize or ("squad" if self.tokens == "words" else "korquad"))

    def _counted(self, text: str) -> Counter[str]:
        return Counter(text.split() if self.tokens == "words" else text.replace(" ", ""))


def _f1(given: Counter[str], wanted: Counter[str]) -> float:
    shared = (given & wanted).total()
    return 2 * shared / (given.total() + wanted.total()) if shared else 0.0
