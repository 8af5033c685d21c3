"""The answer of mathematics: a mark's, else a bare answer, else the last number of the prose.

A bare answer is a short text that is an answer by itself, rather than prose that only holds one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..language.language_patterns import (
    alternative,
    behind,
    changing,
    is_silent,
    linking,
    next_question,
    numerals,
    prose,
    spoken,
)
from ..language.maths_words import said_without_number
from ..language.numerals.in_words import in_words
from ..language.sentences.marks import sentence_end
from ..language.sentences.words_before import after_so, disowned, governed, opens_a_clause, sentence_start
from ..language.signs import VULGAR_FRACTIONS
from ..reading import prose as running
from ..reading.prose_quantities import spelled_at_end
from ..runtime.patterns import lazy
from .chain import FirstOf, Inside, WholeText
from .marked_answers import Boxed, HashMarks, JsonAnswer, Tag
from .numbers import AROUND, SAID, WINDOW, LastNumber
from .phrases import AnswerPhrase, OtherLanguage

_BARE_WORDS, _BARE_LIMIT = 3, 400
_HAS_VALUE = lazy(rf"[\d∞√π{VULGAR_FRACTIONS}]|\\(?!text)[a-zA-Z]")


def is_bare(text: str) -> bool:
    """Return whether a text is an answer rather than prose.

    An answer has hardly any words outside LaTeX, and "costs $5" leads up to a number where "5 dollars"
    starts with it.
    """
    if is_silent(text):
        return True
    plain = running.unset(text).strip()
    if running.opens_as_prose(plain) and (_HAS_VALUE.search(text) or spelled_at_end(plain) is not None):
        return False
    has_value = _HAS_VALUE.search(text) is not None
    if (has_value or not plain.isascii()) and any(prose(each).search(plain) for each in spoken(plain)):
        return False
    if any(after_so(plain, clause, len(plain)) > clause for clause in _clauses(plain)):
        return False
    if _is_judged(text) or _goes_on(text):
        return False
    said = len(running.words(text))
    if said > _BARE_WORDS and in_words(plain) is None:
        return False
    numbers = running.numbers(text) if said else []
    return not any(disowned(text, *each.span()) for each in (*numbers[:1], *numbers[1:][-1:]))


_TITLED = lazy(r"[:：][ \t*_]{0,4}\n\s*\S")
"""A line that only announces what follows it."""


def _goes_on(text: str) -> bool:
    """Return whether another sentence follows the first."""
    if _TITLED.search(text) is not None:
        return True
    end = sentence_end(text, 0)
    return (
        end < len(text)
        and bool(running.words(text[end:]))
        and bool(running.words(text[:end]) or _HAS_VALUE.search(text, 0, end))
    )


def _is_judged(text: str) -> bool:
    """Return whether a text is a value and the sentence that judges it: "12 is the answer"."""
    value = _HAS_VALUE.search(text)
    if value is None:
        return False
    for language in spoken(text):
        said = behind(language, "stated").search(text, value.end())
        if said is not None and said.end() - said.start("words") >= _LONGER_THAN_COPULAS:
            return not text[said.end() :].strip(" .!*。！")
    return False


_LONGER_THAN_COPULAS = 4
"""Characters: an ending that is shorter is cut off the value where it is read."""


def _clauses(text: str) -> list[int]:
    """Return the starts of a text's clauses."""
    return [0, *(comma.end() for comma in _COMMA.finditer(text))]


_COMMA = lazy("[,，]")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class BareAnswer(Extractor):
    r"""The whole text if it is nothing but an answer: short, one paragraph, no prose.

    >>> BareAnswer().extract(r"\frac{1}{2}").text
    '\\frac{1}{2}'
    >>> BareAnswer().extract("There are 3 of them, so 12 legs.")
    """

    def extract(self, text: str) -> Extraction | None:
        stripped = text.strip()
        if not stripped or len(stripped) > _BARE_LIMIT or "\n\n" in stripped or not is_bare(stripped):
            return None
        return trimmed(text, 0, len(text), "bare_answer", "the completion is empty")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class OnlyNumber(Extractor):
    """The number of a sentence that has only one, however often; nothing if it has several.

    "Janet makes $18 a day" gives 18; "either 41 or it could be 42" gives nothing.

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
        if is_bare(text) or _is_changed(text):
            return None
        numbers = running.numbers(text)
        if "\\" not in text and len({number.group().replace("$", "").strip() for number in numbers}) == 1:
            return reader.in_any_language(text)
        leads = running.opens_as_prose(text) or numerals().search(text)
        found = reader.in_any_language(text) if leads else None
        return found if found is not None and all(_within_span(each, found) for each in numbers) else None


def _within_span(number: re.Match[str], found: Extraction) -> bool:
    """Return whether a number stands in the extracted value, or in the formula of which that is a side."""
    outer = found.whole or found
    return outer.span[0] <= number.start() and number.end() <= outer.span[1]


_READERS = {each: LastNumber(each) for each in (False, True)}


def _linked(text: str, reader: LastNumber) -> Extraction | None:
    """The last value of a sentence that names its subject first, and no verb after it."""
    found = reader.in_any_language(text) if any(language.links for language in spoken(text)) else None
    if found is None or found.text is None:
        return None
    before = text[max(0, found.span[0] - AROUND) : found.span[0]]
    if alternative().search(before) and any(map(str.isdigit, before)):
        return None  # another was given, and this one instead
    if "=" in found.text and found.span[1] >= len(text.rstrip()) and SAID.search(text, 0, found.span[0]):
        return found
    if not any(language.links and linking(language).search(before) for language in spoken(before)):
        return None
    return found


def _is_changed(text: str) -> bool:
    return any(changing(language).search(text) for language in spoken(text))


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class NoNumber(Extractor):
    """The answer that the last sentence gives and that is no number: that there is none, or no end of them.

    >>> NoNumber().extract("The discriminant is -7. So the equation has no real solutions.").text
    'the equation has no real solutions'
    >>> NoNumber().extract("If a = 2, there is no solution.")
    """

    def extract(self, text: str) -> Extraction | None:
        end = len(text.rstrip(" \t\n.。*_$"))
        start = sentence_start(text, end)
        said = said_without_number(text[start:end])
        if said is None or governed(text, start + said[1]) or not opens_a_clause(text, start + said[1]):
            return None
        span = (start + said[1], end)
        said_so = text[slice(*span)].replace("'", "").replace("’", "")  # in a formula it would be a prime
        return Extraction(said_so, span, "last_sentence")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class UntilNextQuestion(Extractor):
    """Search with `inner` before the next question, which a base model adds after its answer.

    Args:
        inner: Extractor; by default that of mathematics.

    >>> UntilNextQuestion().extract("The answer is 4.\\n\\nQuestion: 3 + 4?\\nAnswer: 7").text
    '4'
    """

    inner: Extractor = field(default_factory=lambda: MARKED_OR_NUMBER)

    def extract(self, text: str) -> Extraction | None:
        start = len(text) - len(text.lstrip())
        following = next_question().search(text, start)
        return self.inner.extract(text[: following.start()] if following else text)


MARKED_OR_NUMBER: Extractor = Inside(
    WholeText(),
    FirstOf(
        Inside(
            Tag(),
            FirstOf(
                Boxed(),
                JsonAnswer(),
                Inside(AnswerPhrase(), OnlyNumber(with_unit=True)),
                OnlyNumber(with_unit=True),
            ),
        ),
        Boxed(),
        HashMarks(),
        JsonAnswer(),
        OtherLanguage(),
        Inside(AnswerPhrase(), FirstOf(Boxed(), OnlyNumber(with_unit=True))),
        BareAnswer(),
        NoNumber(),
        LastNumber(with_unit=True),
    ),
    else_all=False,
)
"""For mathematics: the same marks; without one a bare answer, or the last number of the prose."""
