"""What a text says of the question's own predicate: where that is another thing, an answer is in passing.

"Ida Fox wrote it; Tom Hill only sold it" answers who wrote it, and says Tom Hill in passing. Verb and object
are those of the question, and a rival is a name or a date in the answer's place. The words that turn a text
to another answer, or give examples, are English and few.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ..language.compared_words import OWNER, Word, stem, words
from ..language.english_words import MINOR_WORDS, STOP_WORDS, TITLES
from ..language.question_words import asks_person
from ..runtime.forks import cached_property
from ..runtime.patterns import lazy
from .answer_places import Text

_ASKS_WHO = lazy(
    r"\b(?i:who|which\s++\w{2,20}|what\s++\w{2,20})\s++(?!is\b|are\b|was\b|were\b|has\b|had\b|have\b|did\b|does\b|do\b|can\b|will\b|would\b)(?P<verb>[a-z]\w{2,20})\b(?P<rest>[^?\n]{0,200})"
)
_APPOSITION = lazy(
    r"[\"”’*_)]{0,3}(?:,\s(?:who|which|whose|whom|a|an|the|one\sof|another)|\s(?:who|which|whose))\s[^,.;\n]{1,200}"
)
_FROM = ("of", "from", "in", "at", "for", "by", "to", "with")
_PARTICLES = frozenset("van von der den de da di del la le al bin ibn".split())
_LONGEST_NAME, _FULL = 4, 2
"""Words of a name; one word may say where somebody is from."""
_REACH = 400
"""Characters behind an answer in which a text may turn to another one."""
_TURN = lazy(
    r"(?i:;|\bbut|\bwhile|\bwhereas|\bin\sfact|\bactually|\bin\sreality|\btoday|\bnow|\bnowadays),?\s{1,2}(?:in\sfact,?\s|actually\s)?"
    r"(?:it|that|(?:the|its|their)\s(?P<what>(?:\w{2,20}\s){1,4}?)(?:itself\s)?)\s?(?:is|was|are|were)\s(?:called\s|named\s|the\s){0,2}[\"“'‘*_]{0,3}(?=[A-ZÀ-Þ])"
)
_ELSE = lazy(r"(?i:\bfailing\s(?:that|this|him|her|them)|\botherwise|\bif\snot),?\s{1,2}(?=[A-ZÀ-Þ])")
_EXAMPLES = lazy(r"\b(?:include[sd]?|including|such\sas|among\sthem|e\.g\.)[,:]?\s{1,2}")
_EXAMPLE = lazy(
    r"\be\.g\.[,:]?\s{1,2}(?:in\s|the\s){0,2}[\"“'‘*_]{0,3}\Z|\bif\snot\s[^.;!?\n]{1,30}\Z", re.IGNORECASE
)
_NEAR = 50
_STOP = lazy(r"[.!?]\s(?=[A-Z])(?<![A-Z]\.\s)|\n")
_IT = ("it", "this", "them")
_MOST_WORDS = 2_000
_LOOSE = " .\n\"”’'*_)"


@dataclass(frozen=True)
class Predicate:
    """The thing that a question asks about.

    Args:
        verb: The base of the verb whose subject is asked for; "" without one.
        thing: The stem of the word behind it.
        named: The stems of all its words of content.
    """

    verb: str
    thing: str
    named: frozenset[str]


@lru_cache(maxsize=1024)
def predicate(question: str) -> Predicate:
    """Read a question.

    >>> asked = predicate("Who wrote the lake songs?")
    >>> asked.verb, asked.thing
    ('wrote', 'lake')
    """
    said = [word.form for word in words(question) if word.form not in STOP_WORDS]
    named = frozenset(map(stem, said))
    who = _ASKS_WHO.search(question)
    thing = ""
    if who is not None:
        rest = [word.form for word in words(who["rest"]) if word.form not in STOP_WORDS]
        thing = stem(rest[0]) if rest else ""
    return Predicate(
        _base(words(who["verb"])[0].form) if who is not None else "",
        thing,
        named,
    )


def _base(form: str) -> str:
    """A verb without its endings: plays and played are one."""
    ending = next((each for each in ("ing", "ed", "es", "s", "d") if form.endswith(each)), "")
    return form[: len(form) - len(ending)] if len(form) - len(ending) > 2 else form


class Passing:
    """A text, read for who or what has the question's predicate in it.

    Args:
        read: The text.
        question: The question.
        is_accepted: Whether a text is an accepted answer.
    """

    def __init__(self, read: Text, question: str, is_accepted: Callable[[str], bool]) -> None:
        self.read, self.question, self.is_accepted = read, question, is_accepted
        self.text, self.said = read.text, read.words[:_MOST_WORDS]

    @cached_property
    def asked(self) -> Predicate:
        """The predicate of the question."""
        return predicate(self.question)

    def is_in_passing(self, start: int, end: int, kind: str) -> bool:
        """Return whether a due answer at a place is not what the text says of the question's predicate."""
        if kind in ("number", "yes_no"):
            return False
        if kind == "date":
            return self._dates_another(start)
        if OWNER.match(self.text, end):
            return self._owns(start, end)
        return self._describes(start, kind) or self._does_another(start) or self._turns(end)

    def is_example(self, start: int) -> bool:
        """Return whether the answer is a later one of examples: "they include Tom Hill and Ida Fox"."""
        low = max(0, start - _REACH)
        if _EXAMPLE.search(self.text, max(0, start - _NEAR), start):
            return True
        for found in _EXAMPLES.finditer(self.text, low, start):
            place = next((at for at, word in enumerate(self.said) if word.start >= found.end()), None)
            stopped = _STOP.search(self.text, found.end(), start) is not None
            between = place is not None and not stopped and self.said[place].start < start
            if place is not None and between and self._is_rival(*self._name_behind(place)):
                return True
        return False

    def _is_rival(self, first: int, last: int, least: int = _FULL) -> bool:
        """Return whether a run of capitals is a name, neither the question's nor an accepted one."""
        run = self.said[first:last]
        told = [word for word in run if word.form not in TITLES and word.form not in STOP_WORDS]
        return (
            len(told) >= least
            and any(stem(word.form) not in self.asked.named for word in told)
            and not self.is_accepted(self.text[run[0].start : run[-1].end])
        )

    def _may_name(self, word: Word) -> bool:
        """Return whether a word may be of a name: in capitals, or a particle of names."""
        return self.text[word.start].isupper() or word.form in _PARTICLES

    def _name_before(self, place: int) -> tuple[int, int]:
        """The run of capitals that ends before a word."""
        first = place
        while first > 0 and place - first < _LONGEST_NAME:
            word, following = self.said[first - 1], self.said[first] if first < len(self.said) else None
            between = "" if following is None else self.text[word.end : following.start]
            if not self._may_name(word) or (between.strip(" \"”’'*_.") and first < place) or "\n" in between:
                break
            first -= 1
        return first, place

    def _name_behind(self, place: int) -> tuple[int, int]:
        """The run of capitals that begins with a word."""
        last = place
        while last < len(self.said) and last - place < _LONGEST_NAME and self._may_name(self.said[last]):
            if last > place and self.text[self.said[last - 1].end : self.said[last].start].strip(
                " \"“”’'*_."
            ):
                break
            last += 1
        return place, last

    def _describes(self, start: int, kind: str) -> bool:
        """Return whether the text begins with another name, and the answer stands in what describes that."""
        if not self.said or self.said[0].start > start:
            return False
        first, last = self._name_behind(0)
        told = _APPOSITION.match(self.text, self.said[last - 1].end) if last else None
        if told is None or not told.start() < start < told.end() or self.text[told.end() :].strip(_LOOSE):
            return False  # elsewhere, or in a sentence that goes on
        relative = " wh" in told.group()[:6]
        return (relative or kind != "place") and self._is_rival(first, last, 1 if relative else _FULL)

    def _owns(self, start: int, end: int) -> bool:
        """Return whether a text names somebody of the answer's: her brother, not her."""
        behind = self.text[end + 1 :].strip()
        alone = not self.text[:start].strip(_LOOSE)
        return alone and asks_person(self.question) and len(behind) > 1 and behind[:2] not in self.question

    def _turns(self, end: int) -> bool:
        """Return whether the text turns to another name behind the answer: "but in fact it was Tom Hill"."""
        for found in _ELSE.finditer(self.text, end, end + _NEAR):
            place = next((at for at, word in enumerate(self.said) if word.start >= found.end()), None)
            if place is not None and self._is_rival(*self._name_behind(place), 1):
                return True
        for found in _TURN.finditer(self.text, end, end + _REACH):
            told = {stem(word.form) for word in words(found["what"] or "") if word.form not in STOP_WORDS}
            place = next((at for at, word in enumerate(self.said) if word.start >= found.end()), None)
            if (
                place is not None
                and told <= self.asked.named
                and self._is_rival(*self._name_behind(place), 1)
            ):
                return True
        return False

    def _does_another(self, start: int) -> bool:
        """Return whether another name has the question's verb, and the answer has not."""
        verb, thing = self.asked.verb, self.asked.thing
        if not verb:
            return False
        rival = False
        for place, word in enumerate(self.said):
            if _base(word.form) != verb:
                continue
            follows = place + 1 < len(self.said)
            if follows and self.said[place + 1].form == "by":
                run = self._name_behind(place + 2)
            elif (
                follows
                and thing
                and (stem(self.said[place + 1].form) == thing or self.said[place + 1].form in _IT)
            ):
                run = self._name_before(place)
                if run[0] and self.said[run[0] - 1].form in _FROM:
                    return False  # of Norland, where somebody is from
            else:
                continue
            if run[0] == run[1]:
                return False
            low, high = self.said[run[0]].start, self.said[run[1] - 1].end
            if (low <= start < high) or self.is_accepted(self.text[low:high]):
                return False
            rival = rival or self._is_rival(*run)
        return rival

    def _dates_another(self, start: int) -> bool:
        """Return whether another date stands behind a word of the question, and the answer behind none."""
        if self._is_behind_asked(start):
            return False
        dates = [(low, high) for low, high, _ in self.read.dates]
        years = [
            (word.start, word.end)
            for word in self.said
            if word.value is not None and word.end - word.start == 4
        ]
        for low, high in (*dates, *years):
            if low <= start < high or start <= low < start + 4:
                continue
            if self._is_behind_asked(low) and not self.is_accepted(self.text[low:high]):
                return not any(
                    one <= low < other and self.is_accepted(self.text[one:other]) for one, other in dates
                )
        return False

    def _is_behind_asked(self, start: int) -> bool:
        before = [word for word in self.said if word.end <= start][-2:]
        if before and before[-1].form in MINOR_WORDS:
            before = before[:-1]
        if not before or stem(before[-1].form) not in self.asked.named:
            return False
        return before[-1].form.endswith("ed")
