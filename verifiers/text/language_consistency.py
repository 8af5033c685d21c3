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
    """The share of running words' letters that belong to the language's script; 0.9 and above is in it.

    Running words are what remains of a text without its formulas, variables, identifiers, units, names,
    code, addresses, tags, quotations, glosses in brackets, numbers and lone jamo, whether or not delimiters
    say what they are. More of these than a text in the language has beside its words count, letter by
    letter, so that nothing hides in them. One more name or formula never costs more than its own letters.
    Languages that share a script are not told apart. DeepSeek-R1 (arXiv:2501.12948, section 2.3.2) adds such
    a share to its reward, for the chain of thought.

    Args:
        language: An ISO 639-1 code such as ``ko``, or a Unicode script such as ``Hangul`` or ``Tibetan``.
        of: What is looked at: the ``completion``, its ``response``, or its ``thinking``.
        least: Letters of running words without which a text is in no language: a number alone is not
            fluent. With 0 such a text is 1.0 (``no_letters``).

    Raises:
        ConfigError: A language whose script is not known here, an unknown part, or a negative minimum.

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
        "empty": "nothing is there to be in any language",
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
