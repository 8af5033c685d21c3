"""Reading of a reference: a name, a date, a number with its unit, yes or no, or words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

from ..language.compared_words import EASTERN, NO, YEAR, YES, stem, unmangled, words
from ..language.compared_words import plain as narrow
from ..language.english_words import DEGREES, KINDS, STOP_WORDS, TITLES, is_modifier
from ..language.language_patterns import fragments
from ..language.numerals.korean_numerals import parse_number
from ..language.question_words import asks_person, asks_place, asks_time, asks_year
from ..language.spoken_languages import LANGUAGES
from ..runtime.forks import cached_property
from ..runtime.patterns import lazy
from ..units.dates_and_times import Date, read_date
from ..units.quantities import measure

Kind = Literal["name", "place", "date", "number", "yes_no", "text"]
"""What is compared, and how: see `Wanted`."""

_AROUND = " .\u3002\"“”'‘’"
_SHORTEST = 2
_LONGEST_QUANTITY = 3
"""Words of a number with its unit."""
_NAMED = lazy(r"\s{0,3}[(（][^()（）]{1,40}[)）]\s*\Z")
"""What tells a thing from its namesakes: The Piano (film)."""
_SAYS_LITTLE = frozenset("in on at of to by from and for with its his her their it is was were be as".split())


@dataclass(frozen=True)
class Wanted:
    """One accepted answer, as it is compared.

    Args:
        text: As the row has it.
        kind: Kind of comparison: a ``name`` by its parts, without initials and titles; a ``place`` also
            without its region; a ``date`` by day, month and year, where an answer may say more; a ``number``
            by value and unit; ``yes_no``; any other ``text`` by its words.
        forms: Its words, in each of the ways that mean the same.
        eastern: The text where it is searched for letter by letter: Korean, Chinese, Japanese.
        number: Its value.
        unit: Its unit, "" without one.
        date: The day, or the month.
        year: The year, where it is one and nothing else.
        year_is_enough: Whether the question asks for the year alone.
        says: Whether it is yes.
        spans: Whether it is from one year to another.
    """

    text: str
    kind: Kind
    forms: tuple[tuple[str, ...], ...] = ()
    eastern: str = ""
    number: Fraction | None = None
    unit: str = ""
    date: Date | None = None
    year: int | None = None
    year_is_enough: bool = False
    says: bool | None = None
    spans: bool = False

    @cached_property
    def surname(self) -> str:
        """The last part of a name of several parts; "" of anything else."""
        form = self.forms[0] if self.kind == "name" else ()
        last = form[-1] if len(form) > 1 and _SAYS_LITTLE.isdisjoint(form) else ""
        return last if len(last) > _SHORTEST and last not in DEGREES and not last.startswith("#") else ""

    @cached_property
    def is_grammatical(self) -> bool:
        """Whether it is one word of grammar, which any sentence may have."""
        return self.forms == ((self.text.casefold(),),) and self.text.casefold() in STOP_WORDS

    @cached_property
    def is_one(self) -> bool:
        """Whether it is one of something: "a week"."""
        return self.kind == "text" and self.text.casefold().startswith(("a ", "an "))

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The stems of the words that say something."""
        return tuple(dict.fromkeys(stem(word) for word in self.forms[0] if word not in _SAYS_LITTLE))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all its words, and of its remarks."""
        return frozenset(map(stem, (*self.said, *(form for form, *_ in words(self.text)))))

    @cached_property
    def said(self) -> frozenset[str]:
        """All its words."""
        return frozenset(word for form in self.forms for word in form)


@lru_cache(maxsize=16384)
def wanted(text: str, prompt: str) -> Wanted | None:
    """Return the comparison for an accepted answer; None if nothing of it is comparable.

    >>> wanted("Dr. Ada Byron", "Who wrote it?").forms
    (('dr', 'ada', 'byron'), ('ada', 'byron'), ('a', 'byron'))
    >>> wanted("12 May 1931", "When?").kind, wanted("14 islands", "").number, wanted("no", "Is it?").kind
    ('date', Fraction(14, 1), 'yes_no')
    """
    text = " ".join(unmangled(text).split())
    plain = narrow(text).strip(_AROUND)
    folded = plain.casefold()
    if folded in YES | NO:
        return Wanted(text, "yes_no", says=folded in YES)
    plain = _NAMED.sub("", plain) or plain
    plain = _about().sub("", plain) or plain
    said = words(plain)
    if not said:
        return None
    eastern = plain if EASTERN.search(plain) else ""
    forms = [tuple(word.form for word in said)]
    led = tuple(itertools.dropwhile(_SAYS_LITTLE.__contains__, forms[0]))
    short = tuple(form for form in forms[0] if form not in _SAYS_LITTLE)
    spoken = _without_kind(plain, forms[0], prompt) if " " in plain else ()
    forms += [
        each
        for each in dict.fromkeys((led, short, spoken, *_initials(plain, prompt)))
        if each and each != forms[0]
    ]
    if (date := read_date(plain)) is not None:
        enough = asks_year(prompt) and date.year is not None
        return Wanted(text, "date", tuple(forms), eastern, date=date, year_is_enough=enough)
    if (year := YEAR.fullmatch(plain)) is not None and (asks_time(prompt) or not prompt):
        return Wanted(text, "date", tuple(forms), eastern, year=int(year[1]))
    if (number := _quantity(plain, eastern)) is not None:
        return Wanted(text, "number", tuple(forms), eastern, number=number[0], unit=number[1])
    capitals = sum(text[word.start].isupper() for word in said if word.end <= len(text))
    if (years := _YEARS.fullmatch(plain)) is not None:
        return Wanted(text, "date", tuple(_years(*years.groups())), eastern, spans=True)
    if capitals and asks_person(prompt):
        called = _CALLED.sub(" ", plain), _GIVEN.sub(r"\1 ", plain)
        more = (tuple(word.form for word in words(each)) for each in called if each != plain)
        names = [each for form in (forms[0], *more) for each in (form, *_names(form)) if each]
        names += _together(plain)
        return Wanted(text, "name", tuple(dict.fromkeys((*forms, *names))), eastern)
    if capitals and asks_place(prompt):
        heads = dict.fromkeys(each for each in (_head(plain), _place_itself(plain)) if each)
        return Wanted(text, "place", (*forms, *heads), eastern)
    return Wanted(text, "text", tuple(forms), eastern)


def alternatives(text: str) -> list[str]:
    """A reference, what it offers itself, and what it says without its remarks.

    >>> alternatives("flu or influenza"), alternatives("now or never, he said")
    (['flu or influenza', 'flu', 'influenza'], ['now or never, he said'])
    >>> alternatives("(Great) gannet"), alternatives("To Ida Fox, who taught her")
    (['(Great) gannet', 'gannet'], ['To Ida Fox, who taught her', 'To Ida Fox'])
    """
    said = text.strip()
    bare = _REMARK.sub("", _OPENING_REMARK.sub("", said)).strip()
    whole = [text, bare] if bare != said and any(map(str.isalnum, bare)) else [text]
    parts = _OR.split(said) if len(text) <= _LONGEST_OFFER else []
    plain = len(parts) > 1 and all(len(part) > 1 and "," not in part for part in parts)
    return [*whole, *parts] if plain else whole


_LONGEST_OFFER = 60
_OR = lazy(r"(?<!\s),?\s++(?:or|\(or\))\s++")
_OPENING_REMARK = lazy(r"\A\([^()]{1,40}\)\s{0,3}(?=\w)")
_REMARK = lazy(
    r"\s{0,3}\([^()]{1,200}\)[.\s]{0,3}\Z|,\s{1,3}(?:who|which|whose|where|when|after|because|as|named|called)\s[^\n]{2,300}\Z"
    r"|(?<=[a-z]{3})(?<!\bfor)(?<!from|with)\s(?:which|who)\s[^\n]{2,300}\Z"
    r"|(?<=\d%)\s(?:in|as of)\s[12]\d{3}\Z"
)
"""What a reference says of its answer: in brackets, or in a clause behind it."""


def is_negative(text: str, start: int) -> bool:
    """Return whether the number at `start` has a minus, not a dash, a bullet or a joining hyphen.

    >>> is_negative("It is -8.", 7), is_negative("5-8", 2), is_negative("- 8", 2)
    (True, False, False)
    """
    return text[start - 1 : start] in ("-", "−") and (start == 1 or text[start - 2] in " (\n\t=:$€£₩~")


def _quantity(text: str, eastern: str) -> tuple[Fraction, str] | None:
    """The number and the unit that a text is."""
    said = words(text)
    first = said[0]
    negative = is_negative(text, first.start)
    if first.value is not None and text[: first.start - negative].strip(" $€£₩~") == "":
        unit = text[first.end :].strip()
        is_short = len(said) <= _LONGEST_QUANTITY and all(word.value is None for word in said[1:])
        is_thing = len(said) == 1 or (len(said) == 2 and said[1].form.isalpha())
        if is_short and "%" not in unit and (is_thing or measure(unit) is not None):
            return (-first.value if negative else first.value), unit
    if eastern and (value := parse_number(text)) is not None:
        return Fraction(value), ""
    return None


def _names(form: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The ways to say a name: without titles, without middle names, with initials for given names."""
    first, last = 0, len(form)
    while first < last and form[first] in TITLES:
        first += 1
    while last > first and form[last - 1] in DEGREES:
        last -= 1
    bare = form[first:last]
    if bare and bare[0] in _SAYS_LITTLE:
        return []
    if len(bare) < 2:
        return [bare] if bare and bare != form and len(bare[0]) > 2 else []
    found = [bare] if bare != form else []
    if any(word in _SAYS_LITTLE or word.startswith("#") for word in bare):
        head = tuple(itertools.takewhile(lambda word: word != "of", bare))
        return [*found, head] if 1 < len(head) < len(bare) - 1 else found
    if len(bare) == 3:
        found.append((bare[0], bare[2]))
    if len(bare) > 3 and not any(len(word) < 3 for word in bare):
        found.append((bare[0], bare[-1]))
    if len(bare[-1]) > _SHORTEST:
        found.append(("".join(word[0] for word in bare[:-1]), bare[-1]))
    return found


_TOGETHER = lazy(r"(?:,? and|,? &|,? with|,? feat(?:uring|\.)?|,? ft\.?) ", re.IGNORECASE)
_JOINTS = (("and",), (), ("with",), ("featuring",), ("feat",), ("ft",))


def _together(plain: str) -> list[tuple[str, ...]]:
    """The ways to say two names together, in either order.

    >>> ("ida", "fox", "with", "tom", "hill") in _together("Tom Hill & Ida Fox")
    True
    """
    parts = _TOGETHER.split(plain)
    if len(parts) != 2 or not all(each[:1].isupper() for each in parts):
        return []
    one, other = (tuple(word.form for word in words(each)) for each in parts)
    return [(*first, *joint, *last) for first, last in ((one, other), (other, one)) for joint in _JOINTS]


_SHORTEST_INITIALS = 3


def _initials(plain: str, prompt: str) -> list[tuple[str, ...]]:
    """The initials of a name of several words, which may stand for it, unless the question names them: "DMV".

    >>> _initials("Department of Motor Vehicles", ""), _initials("Department of motor vehicles", "")
    ([('dmv',)], [])
    """
    said = [each for each in plain.split() if each not in _SAYS_LITTLE]
    if len(said) < _SHORTEST_INITIALS or not all(each[0].isupper() and each.isalpha() for each in said):
        return []
    short = "".join(each[0] for each in said)
    return [] if short in prompt else [(short.casefold(),)]


def _without_kind(plain: str, form: tuple[str, ...], prompt: str) -> tuple[str, ...]:
    """A name without the kind of thing that it is: what is asked for, or what is no part of the name.

    >>> _without_kind("Danube River", ("danube", "river"), "Which river is it?")
    ('danube',)
    >>> _without_kind("the ARPANET project", ("arpanet", "project"), "What came first?")
    ('arpanet',)
    """
    rest = form[:-1]
    if not rest or len(rest[-1]) <= _SHORTEST or rest[-1].startswith("#") or all(map(is_modifier, rest)):
        return ()
    asked = {word.form for word in words(prompt)}
    *_, before, last = plain.split()
    is_kind = form[-1] in asked or (last.islower() and form[-1] in KINDS and before[:1].isupper())
    return rest if is_kind and not set(rest) <= asked | _SAYS_LITTLE else ()


def _years(first: str, last: str) -> Iterator[tuple[str, ...]]:
    """The ways to say from one year to another."""
    if len(last) < len(first):
        yield f"#{first}", f"#{last}"
    last = first[: len(first) - len(last)] + last
    for between in ((), ("to",), ("until",), ("and",), ("through",)):
        yield (f"#{first}", *between, f"#{last}")


@cache
def _about() -> re.Pattern[str]:
    """Compile the words that mark a number as rounded, at the beginning of a reference."""
    said = "|".join(each for language in LANGUAGES for each in fragments(language, "about"))
    return re.compile(rf"\A(?:{said})\s{{0,2}}(?=[\d$€£])", re.IGNORECASE)


_YEARS = lazy(r"(?:from |between )?([12]\d{3})\s?(?:[-–—~]|to|and)\s?(\d{2}|[12]\d{3})")
_CALLED = lazy(r"\s?[\"“'‘(][A-Z][\w. -]{1,20}[\"”'’)]\s?")
_GIVEN = lazy(r"\A\S{1,20} [\"“'‘(]([A-Z][\w. -]{1,20})[\"”'’)]\s?")


def _place_itself(plain: str) -> tuple[str, ...]:
    """A place without what kind it is, before or behind its name.

    >>> _place_itself("the town of Lorn"), _place_itself("Isle of Man"), _place_itself("Aral Sea")
    (('lorn',), (), ('aral',))
    """
    found = _OF_KIND.fullmatch(plain) or _SEA.fullmatch(plain)
    form = tuple(word.form for word in words(found["name"])) if found is not None else ()
    return () if all(map(is_modifier, form)) else form


_OF_KIND = lazy(
    r"(?:[Tt]he )?(?i:republic|kingdom|state|commonwealth|county|city|town|village|province|island|district)"
    r" of (?P<name>[A-Z][^,]{2,40})"
)
"""A kind that is no part of a place's name: an isle, a bay or a palace is."""
_SEA = lazy(r"(?:[Tt]he )?(?P<name>[A-Z][\w-]{2,20}) (?:Sea|Ocean|Mountains|River|Desert)")


def _head(text: str) -> tuple[str, ...]:
    """The place itself, of one that says where it lies: Graz of "Graz, Austria"."""
    head, comma, rest = text.partition("," if "," in text else " in ")
    if not comma or " and " in rest or "," in rest or not rest.strip()[:1].isupper():
        return ()
    return tuple(word.form for word in words(head))
