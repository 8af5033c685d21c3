"""Places of a wanted answer in a text, word by word, number by number, letter by letter."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from ..language.compared_words import (
    EASTERN_NUMERALS,
    NO,
    PLACE_ENDINGS,
    SAID_FLATLY,
    SYLLABLES,
    YEAR_SIGN,
    YES,
    Word,
    plain,
    stem,
    variants,
    words,
)
from ..language.english_words import CALLED, MINOR_WORDS
from ..language.numerals import chinese_numerals, korean_numerals
from ..language.numerals.korean_numerals import is_particle
from ..language.stance import closes, ending
from ..runtime.forks import cached_property
from ..runtime.patterns import lazy
from ..units.dates_and_times import Date, dates_in
from ..units.quantities import conversions, measure
from .wanted import Wanted, is_negative

_MOST_PLACES = 12
"""Places of one accepted answer that are looked at."""
_MOST_BETWEEN = 2
"""Middle names between the parts of a name."""
_FEWEST_LOOSE = 2
"""Words that say something of a reference whose order may differ; nearly as many may stand among them."""
_PARTING = frozenset(("not", "no", "nor", "or", "but", "than"))
"""What parts two things, and does not join the words of one."""
_MOST_APART = 3
"""Words, with those of grammar, for each of them."""
_SHORTEST_GIVEN = 3
"""Letters of a given name that is cut short."""
_RANGE = lazy(r"\d\s?[-–—~〜]\s?\Z")
_RANGE_AFTER = lazy(r"\s?[-–—~〜]\s?\d")
_LONGEST_NUMBER, _MOST_NUMERALS = 24, 400
"""Characters of a number in Korean or Chinese, and numbers that are read."""
_UNITS = 3
"""Words of a unit."""


class Text:
    """A text that answers are looked for in.

    Args:
        text: Visible text.
        footnotes: Whether digits at the end of a word are a footnote's, not the word's.
    """

    def __init__(self, text: str, footnotes: bool = True) -> None:
        # The numbers of footnotes, which copied texts have at the ends of words.
        self.text = plain(_FOOTNOTE.sub(lambda found: " " * len(found.group()), text) if footnotes else text)

    @cached_property
    def words(self) -> list[Word]:
        """Its words."""
        return words(self.text)

    @cached_property
    def by_form(self) -> dict[str, list[int]]:
        """The numbers of its words, by what they are compared by."""
        found = defaultdict(list)
        for number, word in enumerate(self.words):
            found[word.form].append(number)
        return dict(found)

    @cached_property
    def dates(self) -> list[tuple[int, int, Date]]:
        """Its dates."""
        return dates_in(self.text)

    def places(self, wanted: Wanted) -> list[tuple[int, int]]:
        """The spans of what is wanted, in order."""
        found = {place for place in self._of_kind(wanted) if not self._is_another(*place, wanted)}
        return sorted(found)[:_MOST_PLACES]

    def _is_another(self, start: int, end: int, wanted: Wanted) -> bool:
        """Return whether a word is not the answer's: "me", where that is an alias, and weeks for "a week"."""
        if wanted.is_grammatical and len(self.words) > 1:
            return True
        if not wanted.is_one:
            return False
        before = next((word for word in self.words if word.end <= start and start - word.end <= 1), None)
        return before is not None and before.value not in (None, 1)

    def _of_kind(self, wanted: Wanted) -> Iterator[tuple[int, int]]:
        if wanted.kind == "yes_no":
            yield from self._yes_or_no(YES if wanted.says else NO)
            return
        if wanted.kind == "date" and not wanted.spans:
            yield from self._dated(wanted)
            return
        if wanted.kind == "number":
            yield from self._numbers(wanted)
            return
        if wanted.eastern:
            yield from self._letters(wanted.eastern)
            return
        if _ACRONYM.fullmatch(wanted.text):
            yield from self._spelled_out(wanted.text.casefold())
        for form in wanted.forms:
            yield from self._sequence(form, wanted.kind == "name", _STOPS.search(wanted.text) is not None)
        if wanted.kind in ("text", "place") and len(wanted.content) >= _FEWEST_LOOSE:
            yield from self._loosely(wanted.content)

    def _sequence(self, form: tuple[str, ...], is_name: bool, has_stop: bool) -> Iterator[tuple[int, int]]:
        """Yield the places of consecutive words, joined or not; others may stand between parts of a name."""
        said, sought = self.words, "".join(form)
        place = self._joined.find(sought)
        for _ in range(_MOST_PLACES):
            if place < 0:
                break
            first, last = self._starts.get(place), self._ends.get(place + len(sought))
            if first is not None and last is not None:
                pairs = zip(range(first, last), range(first + 1, last + 1), strict=True)
                if has_stop or all(self._is_one(*pair, is_name) for pair in pairs):
                    yield said[first].start, said[last].end
            place = self._joined.find(sought, place + 1)
        if not is_name or len(form) < 2:
            return
        if len(form) == 2:
            yield from self._called(*form)
        for first in self.by_form.get(form[-2], ())[:_MOST_PLACES]:
            begins = first - len(form) + 2
            if begins < 0 or any(said[begins + at].form != part for at, part in enumerate(form[:-1])):
                continue
            for last in range(first + 2, min(first + 2 + _MOST_BETWEEN, len(said))):
                if said[last].form == form[-1] and self._is_one(first, last, is_name):
                    yield said[begins].start, said[last].end

    def _spelled_out(self, initials: str) -> Iterator[tuple[int, int]]:
        """Yield the places of capitalised words with these initials: Department of Motor Vehicles."""
        said = [word for word in self.words if self.text[word.start].isupper()]
        spelled = "".join(word.form[:1] for word in said)
        place = spelled.find(initials)
        while place >= 0:
            run = said[place : place + len(initials)]
            between = (self.text[one.end : other.start].strip() for one, other in itertools.pairwise(run))
            if all(each in _WITHIN_NAMES for each in between):
                yield run[0].start, run[-1].end
            place = spelled.find(initials, place + 1)

    def _loosely(self, content: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Yield the places where all content words stand close together, in any order and form."""
        said = self.words
        places = sorted((place, word) for word in content for place in self._by_stem.get(word, ()))
        last: dict[str, int] = {}
        for place, word in places:
            last[word] = place
            if len(last) < len(content):
                continue
            first = min(last.values())
            within = [word.form for word in said[first : place + 1]]
            if not _PARTING.isdisjoint(within):
                continue
            told = sum(form not in MINOR_WORDS for form in within)
            if told < 2 * len(content) and place - first < _MOST_APART * len(content):
                between = self.text[said[first].end : said[place].start]
                if not _STOPS.search(between):
                    yield said[first].start, said[place].end

    @cached_property
    def _by_stem(self) -> dict[str, list[int]]:
        found = defaultdict(list)
        for number, word in enumerate(self.words):
            found[stem(word.form)].append(number)
        return dict(found)

    def _called(self, given: str, surname: str) -> Iterator[tuple[int, int]]:
        """Yield the places of a name whose given name is cut short or in full: Will, William."""
        said = self.words
        for last in self.by_form.get(surname, ())[:_MOST_PLACES]:
            for first in range(last - 1, max(-1, last - 2 - _MOST_BETWEEN), -1):
                if not self._is_one(first, last, True):
                    break
                name = said[first].form
                short = min(len(name), len(given)) >= _SHORTEST_GIVEN
                cut = short and (name.startswith(given) or given.startswith(name))
                if cut or name in _called_forms().get(given, ()):
                    yield said[first].start, said[last].end

    @cached_property
    def _joined(self) -> str:
        return "".join(word.form for word in self.words)

    @cached_property
    def _starts(self) -> dict[int, int]:
        """The words by where they begin in the joined text."""
        sizes = itertools.accumulate((len(word.form) for word in self.words), initial=0)
        return {place: number for number, place in zip(range(len(self.words)), sizes, strict=False)}

    @cached_property
    def _ends(self) -> dict[int, int]:
        """The words by where they end in it."""
        sizes = itertools.accumulate(len(word.form) for word in self.words)
        return {place: number for number, place in enumerate(sizes)}

    def _is_one(self, place: int, following: int, is_name: bool) -> bool:
        """Return whether the words from one to another may form one phrase."""
        between = self.text[self.words[place].end : self.words[following].start]
        if _STOPS.search(between) and any(map(self._ends_sentence, range(place, following))):
            return False
        middle = self.words[place + 1 : following]
        return not middle or (is_name and "," not in between and all(map(self._may_be_name, middle)))

    def _ends_sentence(self, place: int) -> bool:
        """Return whether a stop follows a word that is no abbreviation."""
        word, following = self.words[place : place + 2]
        return (
            len(word.form) > _LONGEST_SHORT
            and _STOPS.search(self.text[word.end : following.start]) is not None
        )

    def _may_be_name(self, word: Word) -> bool:
        return self.text[word.start].isupper() or self.text.islower()

    def _letters(self, said: str) -> Iterator[tuple[int, int]]:
        for found in _lettered(said).finditer(self.text):
            after = _REST.match(self.text, found.end())
            rest = "" if after is None else after.group()
            if rest and not self._goes_on(found.end(), rest):
                continue
            yield found.span()

    def _goes_on(self, end: int, rest: str) -> bool:
        """Return whether a particle, an ending or a title follows a Korean noun in its word."""
        while rest.startswith(PLACE_ENDINGS):
            title = next(each for each in PLACE_ENDINGS if rest.startswith(each))
            rest, end = rest[len(title) :], end + len(title)
            if not rest:
                return True
        return is_particle(rest) or closes(rest) or ending(self.text, end) is not None

    def _yes_or_no(self, accepted: frozenset[str]) -> Iterator[tuple[int, int]]:
        for found in SAID_FLATLY.finditer(self.text):
            if found["word"].casefold() in accepted:
                yield found.span("word")

    def _dated(self, wanted: Wanted) -> Iterator[tuple[int, int]]:
        for start, end, date in self.dates:
            if covers(date, wanted):
                yield start, end
        year = wanted.year
        if wanted.year_is_enough and wanted.date is not None:
            year = wanted.date.year
        if year is None:
            return
        for number in self.by_form.get(f"#{year}", ()):
            word = self.words[number]
            if not self._in_range(word.start, word.end) and not self._in_date(word.start):
                yield word.start, word.end
        for found in re.finditer(rf"(?<!\d){year}(?={YEAR_SIGN})", self.text):
            yield found.span()

    def _in_range(self, start: int, end: int) -> bool:
        before = self.text[max(0, start - 4) : start]
        return _RANGE.search(before) is not None or _RANGE_AFTER.match(self.text, end) is not None

    def _in_date(self, start: int) -> bool:
        return any(low <= start < high for low, high, _ in self.dates)

    def _numbers(self, wanted: Wanted) -> Iterator[tuple[int, int]]:
        for number, word in enumerate(self.words):
            if word.value is None or self._in_range(word.start, word.end) or self._in_date(word.start):
                continue
            if self._is_quantity(number, wanted):
                yield word.start - is_negative(self.text, word.start), word.end
        if self.text.isascii():
            return
        for found in itertools.islice(EASTERN_NUMERALS.finditer(self.text), _MOST_NUMERALS):
            stretch = self.text[found.start() : found.start() + _LONGEST_NUMBER]
            for read in (korean_numerals.readings(stretch), chinese_numerals.readings(stretch)):
                value, rest = next(read, (None, ""))
                if value == wanted.number and rest[:1] not in ("%", "."):
                    end = found.start() + len(stretch) - len(rest)
                    if not self._in_range(found.start(), end):
                        yield found.start(), end

    def _is_quantity(self, number: int, wanted: Wanted) -> bool:
        word = self.words[number]
        if is_negative(self.text, word.start) is not (wanted.number is not None and wanted.number < 0):
            return False
        value = abs(wanted.number) if wanted.number is not None else None
        if wanted.unit and measure(wanted.unit) is not None:
            for count in range(_UNITS, 0, -1):
                behind = self.words[number + 1 : number + 1 + count]
                if len(behind) < count:
                    continue
                unit = self.text[word.end : behind[-1].end].strip(" -")
                if measure(unit) is not None:
                    factors = conversions(unit, wanted.unit)
                    return any(word.value * factor == value for factor in factors)  # type: ignore[operator]
            return word.value == value
        return word.value == value and self.text[word.end : word.end + 1] != "%"


def covers(date: Date, wanted: Wanted) -> bool:
    """Return whether a date satisfies the wanted answer in full."""
    if wanted.year is not None:
        return date.year == wanted.year
    due = wanted.date
    if due is None:
        return False
    if wanted.year_is_enough:
        return date.year == due.year
    if due.year is not None and date.year != due.year:
        return False
    return date.month == due.month and due.day in (None, date.day)


def spans_of(text: Text, accepted: Sequence[Wanted]) -> list[tuple[int, int, Wanted]]:
    """Everything in a text that is one of the accepted answers, in order."""
    found = [(start, end, each) for each in accepted for start, end in text.places(each)]
    return sorted(found, key=lambda place: (place[0], -place[1]))


@cache
def _called_forms() -> dict[str, frozenset[str]]:
    """Given names as they are compared, each with the others for the same person."""
    forms = {name: words(name)[0].form for name in CALLED}
    return {forms[name]: frozenset(map(forms.__getitem__, others)) for name, others in CALLED.items()}


@lru_cache(maxsize=1024)
def _lettered(word: str) -> re.Pattern[str]:
    letters = [
        f"[{char}{variants(char)}]" if variants(char) else re.escape(char)
        for char in word
        if not char.isspace()
    ]
    begins = rf"(?<![{SYLLABLES}])" if re.match(f"[{SYLLABLES}]", word) else ""
    return re.compile(begins + r"\s?".join(letters), re.IGNORECASE)


_ACRONYM = lazy("[A-Z]{3,6}")
_WITHIN_NAMES = ("", "-", "of", "for", "and", "&", "on", "in", "of the", "for the", "the")
"""What stands between the words of a name that its initials leave out."""
_FOOTNOTE = lazy(
    r"[⁰¹²³⁴-⁹₀-₉]{1,4}|(?<=[A-Za-z][a-z]{2})\d{1,3}(?=[.,;:)]?(?:\s|\Z))|\[\^?\d{1,3}\^?\]"
    r"|(?:(?<=\bin [12]\d{3})|(?<=[a-z] \d, [12]\d{3})|(?<=[a-z] \d\d, [12]\d{3})|(?<=[a-z]{3} [12]\d{3}))"
    r"\d{1,3}(?=\.?\Z|\.\s)"
)
_REST = lazy(f"(?<=[{SYLLABLES}])[{SYLLABLES}]{{1,8}}")
_STOPS = lazy(r"[.!?;\u3002\n]")
_LONGEST_SHORT = 4
"""Letters of an abbreviation, which a stop may follow within a name: J., Jr., Prof."""
