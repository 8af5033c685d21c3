"""What most verifiers start with: the answer of a completion, and the accepted answers of a reference."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import Verifier
from ..errors import ConfigError
from ..language.normalization import normalize
from . import Extractor

_LONGEST_WHOLE = 2_000
"""Characters of an answer that is compared whole before a part of it is."""


def find_answer(
    verifier: Verifier, extractor: Extractor, sample: Sample, wanted: Sequence[str] = ()
) -> str | Verdict:
    """The answer of a completion, or the verdict (0.0, ``no_answer``) that there is none.

    Args:
        verifier: Who asks.
        extractor: Where the answer is.
        sample: The completion.
        wanted: Accepted answers. One that reads like all that a mark holds is compared with all of it, and
            not with the number in it.
    """
    if sample.open_thinking:
        return verifier.scored(0.0, "no_answer", "the think block is not closed")
    found = extractor.extract(sample.answer)
    if found is None:
        return verifier.scored(0.0, "no_answer", "nothing in the completion is marked as an answer")
    if found.whole is not None and wanted and len(found.whole) <= _LONGEST_WHOLE:
        words = normalize(found.whole, "squad")
        if any(words == normalize(each, "squad") for each in wanted):
            return found.whole
    if found.text is None:
        return verifier.scored(0.0, "no_answer", found.problem)
    return found.text


def accepted_texts(reference: object) -> list[str]:
    """The accepted answers of a reference: a string, a number, or a list of these.

    Raises:
        ConfigError: It is anything else, or an empty list.
    """
    if isinstance(reference, str):
        return [reference]
    if isinstance(reference, int | float) and not isinstance(reference, bool):
        return [_number_text(reference)]
    if isinstance(reference, Sequence) and not isinstance(reference, bytes) and reference:
        texts = []
        for each in reference:
            if isinstance(each, str):
                texts.append(each)
            elif isinstance(each, int | float) and not isinstance(each, bool):
                texts.append(_number_text(each))
            else:
                raise ConfigError(f"an accepted answer is a string or a number, got {each!r:.80}")
        return texts
    raise ConfigError(
        f"a reference is a string, a number or a non-empty list of accepted answers, got {reference!r:.80}"
    )


def _number_text(number: int | float) -> str:
    if isinstance(number, float) and not math.isfinite(number):
        raise ConfigError(f"a reference must be a finite number, got {number}")
    try:
        return str(number)
    except ValueError as error:  # more digits than Python converts
        raise ConfigError(f"the reference is a number that is too long: {error}") from error
