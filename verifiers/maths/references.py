"""What the references of a row accept, worked out once for all of its completions."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from ..core.verdicts import ReferenceClass
from ..errors import ConfigError
from ..extract.answers import accepted_texts, reference_answer
from ..formulas.limits import MAX_ANSWER_CHARS
from ..reading.readings import Reading
from ..reading.text.cleaning import clean
from ..runtime.forks import cached_property
from .decide.reference_classes import reference_class

_REMEMBERED = 4096
_LONGEST_REMEMBERED = 4 * MAX_ANSWER_CHARS
"""Characters of a text that is remembered, so that what is kept is bounded."""


class References:
    """The accepted answers of a row.

    Args:
        about: What they can be used for.
        accepted: The accepted answers that are usable; all of them, if none is.
        reference: What the row's answer column holds.
    """

    def __init__(self, about: ReferenceClass, accepted: tuple[str, ...], reference: object) -> None:
        self.about = about
        self.accepted = accepted
        self.reference = reference

    @cached_property
    def rounded(self) -> tuple[str, ...]:
        """The decimals that stand beside exact values, for answers in decimals alone."""
        return tuple(each for text in self.accepted for each in _rounded(text))

    @cached_property
    def by_words(self) -> dict[str, str]:
        """The accepted answers, and those as they are written, by their cleaned text."""
        written = [each for each in accepted_texts(self.reference) if reference_answer(each) in self.accepted]
        return {read(each).text: each for each in reversed((*self.accepted, *written))}


def references(reference: object, which: Literal["any", "all"]) -> References:
    """What the row's answer column accepts.

    Args:
        reference: A string, a number, or a list of these.
        which: Whether any of several is accepted, or all of them make up one answer.
    """
    if type(reference) is str and len(reference) <= _LONGEST_REMEMBERED:
        return _of_text(reference, which)
    return _of(reference, which)


def _of(reference: object, which: Literal["any", "all"]) -> References:
    try:
        accepted = [reference_answer(text) for text in accepted_texts(reference)]
    except ConfigError as error:
        return References(ReferenceClass("unusable", "bad_reference", str(error)), (), reference)
    if which == "all" and not any(map(_is_blank, accepted)):
        accepted = ["; ".join(accepted)]
    classes = [_class_of(text) for text in accepted]
    if which == "all":
        return References(max(classes, key=_rank), tuple(accepted), reference)
    usable = [text for text, about in zip(accepted, classes, strict=True) if about.kind != "unusable"]
    return References(min(classes, key=_rank), tuple(usable or accepted), reference)


def _rounded(text: str) -> list[str]:
    """The decimals that a reference gives beside an exact value: ``3\\sqrt2 \\approx 4.24``."""
    reading = read(text)
    exact, *decimals = reading.text.split("\\approx") if "\\approx" in reading.text else ["", ""]
    return [each.strip() for each in decimals if exact.strip() and read(each).number is not None]


_of_text = lru_cache(maxsize=_REMEMBERED)(_of)


def _class_of(text: str) -> ReferenceClass:
    if len(text) > MAX_ANSWER_CHARS:
        detail = f"the reference is longer than {MAX_ANSWER_CHARS} characters"
        return ReferenceClass("unusable", "reference_over_limit", detail)
    return reference_class(read(text))


def _is_blank(text: str) -> bool:
    return len(text) <= MAX_ANSWER_CHARS and not read(text).text


def _rank(about: ReferenceClass) -> int:
    return ("readable", "text only", "unusable").index(about.kind)


def read(text: str) -> Reading:
    """One reading for a reference and for every completion of a group that gives the same answer."""
    return _read(text) if len(text) <= _LONGEST_REMEMBERED else Reading(clean(text))


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> Reading:
    return Reading(clean(text))
