"""The number of a sentence that holds just one."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.extraction import EXTRACTORS, Extraction, Extractor
from ...language.patterns import changing, is_silent, linking, spoken
from .bare import is_bare
from .last_number import LastNumber
from .written import AROUND, NUMBER, SAID, WINDOW


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class OnlyNumber(Extractor):
    """The number of a sentence that holds just one, however often; nothing where it holds several.

    "Janet makes $18 a day" says 18; "either 41 or it could be 42" says nothing that could be paid.

    Args:
        with_unit: As for `LastNumber`.

    >>> OnlyNumber().extract("Janet makes $18 every day").text
    '18'
    >>> OnlyNumber().extract("it is either 41 or perhaps it is 42")
    """

    with_unit: bool = False

    def extract(self, text: str) -> Extraction | None:
        if len(text) > WINDOW or is_silent(text):
            return None  # a number by itself is bare, and no sentence
        reader = _READERS[self.with_unit]
        if (last := _linked(text, reader)) is not None:
            return last
        if "\\" in text or is_bare(text) or _is_changed(text):
            return None
        numbers = list(NUMBER.finditer(text))
        if len({number.group().replace("$", "").strip() for number in numbers}) != 1:
            return None
        return reader.extract(text)


_READERS = {each: LastNumber(each) for each in (False, True)}


def _linked(text: str, reader: LastNumber) -> Extraction | None:
    """The last value of a sentence that names its subject first, and no verb after it."""
    found = reader.extract(text) if any(language.links for language in spoken(text)) else None
    if found is None or found.text is None:
        return None
    before = text[max(0, found.span[0] - AROUND) : found.span[0]]
    if "=" in found.text and found.span[1] >= len(text.rstrip()) and SAID.search(text, 0, found.span[0]):
        return found
    if not any(language.links and linking(language).search(before) for language in spoken(before)):
        return None
    return found


def _is_changed(text: str) -> bool:
    return any(changing(language).search(text) for language in spoken(text))
