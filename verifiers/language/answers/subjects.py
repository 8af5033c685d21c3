"""A sentence whose subject is the value: "Lisbon is the right answer", 강릉이 정답입니다."""

from __future__ import annotations

import re
from functools import cache

from ...runtime.patterns import lazy
from ..languages import Language
from ..patterns import fragments, spoken
from .judgement import unsaid
from .leads import after_so, governed, lead_of

_LAST = 400
"""Characters at the end of a text in which such a sentence is looked for."""
_START = lazy(r"(?:\A|[\n。！!?？;；,，:：]|\.(?=\s))[\s*_#>-]{0,8}")
_END = lazy(r"[\s*_\"'”’)]{0,6}(?:[.!,;。！，；~]|\Z)")


def subject(text: str) -> tuple[int, int] | None:
    """The span of the last value that a sentence names before it says that it is the answer; None without one.

    >>> text = "Thus Lisbon must be the correct answer."
    >>> text[slice(*subject(text))]
    'Lisbon'
    >>> subject("This is the answer."), subject("Nobody thinks Lisbon is the answer.")
    (None, None)
    """
    low = max(0, len(text) - _LAST)
    for opening in reversed(list(_START.finditer(text, low))):
        start = after_so(text, opening.end(), len(text))
        for language in spoken(text[start : start + _LONGEST]):
            if language.subject_first and (found := _saying(language).match(text, start)) is not None:
                span = found.span("value")
                plain = lead_of(text, *span) is None and not governed(text, start)
                if plain and _ends(text, found.end()) and not _speaks(language).search(text, *span):
                    return span
    return None


_LONGEST = 60


def _ends(text: str, end: int) -> bool:
    """Whether the sentence ends there, or nothing in the rest of it unsays it."""
    return _END.match(text, end) is not None and unsaid(text, end) is None


@cache
def _saying(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "subject_first"))
    led = "|".join(fragments(language, "subject_led")) or "(?!)"
    blank = r"\s{1,3}" if language.blank == r"\s{1,4}" else ""
    return re.compile(
        rf"[*_\"'“‘「『]{{0,3}}(?:(?:{led}){blank})?(?P<value>[^\n.。,，!?:：*_\"'”’」』]{{1,{_LONGEST}}}?)[*_\"'”’」』]{{0,3}}{blank}(?:{words})",
        re.IGNORECASE,
    )


@cache
def _speaks(language: Language) -> re.Pattern[str]:
    words = "|".join(each for field in ("opposing", "pointing", "or_") for each in fragments(language, field))
    edges = language.edges if language.blank == r"\s{1,4}" else ("", "")
    return re.compile(f"{edges[0]}(?:{words or '(?!)'}){edges[1]}", re.IGNORECASE)
