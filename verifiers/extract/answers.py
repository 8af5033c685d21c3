"""What most verifiers start with: the answer of a completion, and the accepted answers of a reference."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from ..core.extraction import Answer, Extraction
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import Verifier
from ..errors import ConfigError
from ..visible.markup import DRESS, has_markup
from ..visible.seen import Form, Seen
from . import AnswerPhrase, Extractor, Tag
from .chain import NO_MARK

LONGEST_WHOLE = 2_000
"""Characters of a text that is compared whole before a part of it is."""
_LONGER, _LONGER_BY = 3, 60
"""How much longer than the longest reference, as a factor and in characters, such a text may be."""


def find_answer(
    verifier: Verifier,
    extractor: Extractor,
    sample: Sample,
    *,
    form: Form = "visible",
    accepted: Sequence[str] = (),
    whole: Callable[[str, bool], Verdict | None] | None = None,
) -> Answer | Verdict:
    """The answer of a completion, or the verdict (0.0, ``no_answer``) that there is none.

    Args:
        verifier: Who asks.
        extractor: Where the answer is.
        sample: The completion.
        form: What of the text is settled before it is searched; see `Sample.seen`.
        accepted: The accepted answers, where `whole` is given.
        whole: Judges what the answer was found inside, the whole response first: the verdict if that is
            right, else None, and then the part decides as if there were no whole. It is also told whether a
            mark inside says which part counts: such a whole is an answer only where it is the reference word
            for word; a number that was cut from a sentence has no mark, and the sentence may mean the same.
    """
    seen = _seen(extractor, sample, form)
    if sample.open_thinking and not seen.text:
        return verifier.scored(0.0, "no_answer", "the think block is not closed")
    found = extractor.extract(seen.text)
    if whole is not None:
        longest = min(LONGEST_WHOLE, _LONGER * max(map(len, accepted)) + _LONGER_BY)
        for text, span, is_marked in _wholes(found, longest):
            if (verdict := whole(text, is_marked)) is not None:
                return dataclasses.replace(verdict, span=seen.span(*span))
    if found is None:
        return verifier.scored(0.0, "no_answer", NO_MARK)
    if found.text is None:
        return verifier.scored(0.0, "no_answer", found.problem)
    return Answer(found.text, seen.span(*found.span))


def _wholes(found: Extraction | None, longest: int) -> list[tuple[str, tuple[int, int], bool]]:
    """What an answer was found inside, the largest first: its text, its span, whether a mark is in it."""
    wholes: list[tuple[str, tuple[int, int], bool]] = []
    part, is_marked = found, False
    while part is not None and (outer := part.whole) is not None:
        is_marked = is_marked or part.method not in _CUTS
        is_marked = is_marked or outer.method == "whole_text"  # the words around a number are unknown there
        if outer.text is not None and len(outer.text) <= longest:
            wholes.append((outer.text, outer.span, is_marked))
        part = outer
    return wholes[::-1]


_CUTS = frozenset({"last_number"})
"""What takes a part of a text that nothing marks."""


def _seen(extractor: Extractor, sample: Sample, form: Form) -> Seen:
    looked_for = form == "visible" and has_markup(sample.answer) and _tags(extractor) & DRESS
    return sample.seen(form, looked_for) if looked_for else sample.seen(form)


@lru_cache(maxsize=256)
def _tags(extractor: Extractor) -> frozenset[str]:
    """The names of the tags that an extractor looks for, in lower case."""
    found: set[str] = set()
    if isinstance(extractor, Tag):
        names = (extractor.name,) if isinstance(extractor.name, str) else extractor.name
        found.update(name.lower() for name in names)
    for field in dataclasses.fields(extractor):  # type: ignore[arg-type]  # as all of them are
        value = getattr(extractor, field.name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Extractor):
                found |= _tags(each)
    return frozenset(found)


@lru_cache(maxsize=4096)
def stated(text: str) -> str | None:
    """What a sentence such as "The answer is 42." states, where it is all of a text; None for any other text.

    >>> stated("The answer is 42."), stated("정답은 서울입니다."), stated("It is 3, so the answer is 4.")
    ('42', '서울', None)
    """
    found = AnswerPhrase().extract(text) if len(text) <= LONGEST_WHOLE else None
    if found is None or found.text is None:
        return None
    before, after = text[: found.span[0]], text[found.span[1] :]
    is_all = len(before) <= _LONGEST_PHRASE and len(after) <= _LONGEST_ENDING
    return (
        found.text if is_all and not any(char.isdigit() or char == "\\" for char in before + after) else None
    )


_LONGEST_PHRASE, _LONGEST_ENDING = 40, 12
"""Characters that may stand before and after what an answer sentence states."""


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
