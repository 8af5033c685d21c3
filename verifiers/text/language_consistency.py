"""The completion is written in the asked language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from ..core.checks import Range
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..language.running_text import FURTHER, LONE_JAMO, SCRIPTS, running_letters, words_of

MAX_CHARS = 100_000
"""Characters that are looked at: some 50 pages."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class LanguageConsistency(Verifier):
    """Share of a text's letters in the script of the language; 0.9 and above counts as in the language.

    Only running words count: formulas, variables, identifiers, units, names, code, addresses, tags,
    quotations, glosses in brackets, numbers and lone jamo are left out, with or without delimiters. If a text
    has more of these than texts in the language usually have, the excess counts letter by letter, so nothing
    hides in them. One more name or formula never costs more than its own letters. Languages of the same
    script are not told apart. DeepSeek-R1 (arXiv:2501.12948, section 2.3.2) rewards such a share of the chain
    of thought.

    Args:
        language: ISO 639-1 code such as ``ko``, or a Unicode script such as ``Hangul`` or ``Tibetan``.
        of: Judged text: the ``completion``, its ``response``, or its ``thinking``.
        least: Least number of letters in running words; with fewer, a text is in no language. With 0 such a
            text scores 1.0 (``no_letters``).

    Raises:
        ConfigError: The script of the language is not known here, the part is unknown, or the minimum is
            negative.

    >>> LanguageConsistency("en").verify("Let f(x) = x^2 + 1; then f(2) is 5.").score
    1.0
    >>> LanguageConsistency("ko").verify("Therefore the answer is 3.").reason
    'other_language'
    >>> LanguageConsistency("en").verify("<think>1</think>").reason
    'too_little_text'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "in_language": "at least 0.9 of the letters belong to the language's script",
        "mixed": "at least half of the letters, but less than 0.9",
        "other_language": "less than half of the letters",
        "too_little_text": "fewer letters of running words than `least`: numbers, mathematics or code only",
        "no_letters": "numbers, mathematics or code only, and `least` is 0",
        "empty": "the text has no words in any language",
    }
    needs_reference: ClassVar[bool] = False

    language: str = "ko"
    of: TextPart = "completion"
    least: Annotated[int, Range(least=0)] = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if words_of(self.language) is None:
            raise ConfigError(
                "LanguageConsistency: language must be a Unicode script such as 'Tibetan', or one of "
                f"{', '.join(sorted({*SCRIPTS, *FURTHER}))}; got {self.language!r}"
            )

    def check(self, sample: Sample) -> Verdict:
        text = sample.characters(self.of)[:MAX_CHARS]
        if not any(map(str.isalnum, LONE_JAMO.sub("", text))):
            return self.scored(0.0, "empty")
        own, foreign = running_letters(text, self.language)
        if own + foreign < self.least:
            return self.scored(0.0, "too_little_text", f"{own + foreign} of at least {self.least} letters")
        if not own + foreign:
            return self.scored(1.0, "no_letters")
        share = own / (own + foreign)
        reason = "in_language" if share >= 0.9 else "mixed" if share >= 0.5 else "other_language"
        return self.scored(share, reason, f"{own:,} of {own + foreign:,} letters")
