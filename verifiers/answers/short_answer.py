"""The answer to a question in words is an accepted one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from ..core.extraction import Answer, Extraction, Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract.answers_and_references import accepted_texts, find_answer
from ..extract.chain import FirstOf, Inside, WholeText, not_taken_back
from ..extract.marked_answers import Boxed, HashMarks, Tag
from ..language.compared_words import YEAR, Word, stem, words
from ..language.english_words import TITLES
from ..language.openers import only_opens
from ..language.question_words import asks_place, asks_several
from ..language.sentences.marks import marks
from ..language.sentences.words_before import governed, is_supposed
from ..language.stance import is_measured_by, is_unsure, stance
from ..runtime.patterns import lazy
from .answer_places import Text, covers, spans_of
from .predicates import Passing
from .rivals import MOST_ITEMS, Listing, Shape, labelled, listing, regions, run_together, said_of_others
from .wanted import Kind, Wanted, alternatives, wanted

_SHARE = 0.6
"""The share of a question's words that, in a row, make a copy."""
_FEWEST = 4
"""Words of a copy: fewer in a row are how anybody answers."""


def copies(text: Sequence[Word], question: Sequence[Word]) -> list[tuple[int, int]]:
    """The spans in which a text says the words of the question in their order."""
    asked = [word.form for word in question]
    least = max(_FEWEST, int(_SHARE * len(asked)))
    if len(asked) < _FEWEST or len(text) < _FEWEST:
        return []
    starts: dict[tuple[str, ...], list[int]] = {}
    for place in range(len(asked) - _FEWEST + 1):
        starts.setdefault(tuple(asked[place : place + _FEWEST]), []).append(place)
    found = []
    place = 0
    said = [word.form for word in text]
    while place <= len(said) - _FEWEST:
        longest = 0
        for start in starts.get(tuple(said[place : place + _FEWEST]), ())[:_FEWEST]:
            length = _FEWEST
            while (
                place + length < len(said)
                and start + length < len(asked)
                and said[place + length] == asked[start + length]
            ):
                length += 1
            longest = max(longest, length)
        if longest >= least:
            found.append((text[place].start, text[place + longest - 1].end))
        place += max(longest, 1)
    return found


MAX_CHARS = 20_000
"""Characters of a response: what is longer is no short answer."""
_MOST_TRIED = 24
"""Places of accepted answers that are looked at; the reasons of the first ones are told."""
_MOST_SURNAMES = 400
"""Words among which a surname is looked for."""
_LONGEST_PHRASE, _NEAR = 80, 20
_MANY = 2
"""Other names beside one that are a list in any sentence."""
_MOST_AROUND = 2
"""Places that say where another one lies: Graz, Styria, Austria."""
_QUOTED = lazy('["“]([^"”“\\n]{3,80})["”]')
_DIGIT_BEHIND = lazy(r"[a-z]\d")
_SHAPES: dict[Kind, Shape] = {"date": "number", "number": "number"}
SHOWN = Inside(WholeText(), FirstOf(Tag(), Boxed(), HashMarks()))
"""The marks that show an answer and nothing else; without one all of the text."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ShortAnswer(Verifier):
    """The response answers the question with an accepted answer, in a sentence or alone.

    The kind of the reference decides how it is compared: names (without titles, initials and middle names),
    places, dates and years, numbers with units or in words, yes and no, other words in the singular or
    plural. Then the text must state the answer (`verifiers.language.stance`). A denied, doubted or reported
    answer earns nothing, and neither does one of several alternatives or one that occurs only in a copy of
    the question. An answer may be more specific than the reference, but not less.

    Args:
        extract: Finds the answer: in a tag, a box, after ``####`` or after "the answer is". Without these,
            the whole text is searched.
        due: ``any`` accepted answer, or ``all`` of them. If the items of a reference are lists, each list has
            the alternatives for one of several required answers.
        reading: ``usual``; ``strict``: the answer must stand alone, or after a mark or a phrase such as "the
            answer is"; ``lenient``: a doubted answer counts as well.
        split: Separator of the accepted answers in a reference that is one text, such as "/"; "" for none.

    >>> print(ShortAnswer().verify("It is by Clara M. Holm.", "Clara Holm", prompt="Who wrote it?"))
    ShortAnswer 1.00 equal_name  'Clara M. Holm' for 'Clara Holm'
    >>> ShortAnswer().verify("Either Oslo or Bergen", "Oslo", prompt="Where is it?").reason
    'several_answers'
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "equal_name": "the name of the reference, titles, initials and middle names aside",
        "equal_place": "the place of the reference, or a place in it",
        "equal_date": "the date or the year of the reference, or a day in it",
        "equal_number": "the number of the reference",
        "equal_yes_no": "yes or no, as the reference",
        "equal_text": "the words of the reference",
        "all_equal": "everything that is due is there",
        "some_missing": "something that is due is not there",
        "not_found": "no accepted answer stands in the response",
        "less_specific": "the response says less than the reference",
        "denied": "the response says that the accepted answer is wrong, or takes it back",
        "hedged": "the response doubts, supposes or asks, and states nothing",
        "several_answers": "the accepted answer is one of several that the response gives",
        "in_passing": "the response says the accepted answer of something else than was asked about",
        "copied_question": "the accepted answer stands in a copy of the question alone",
        "not_alone": "of a strict reading: the answer does not stand by itself",
        "no_answer": "there is no text, no answer in its mark, or the text says that there is no answer",
        "over_limit": f"the response is longer than {MAX_CHARS:,} characters",
    }

    extract: Extractor = field(default=SHOWN)
    due: Literal["any", "all"] = "any"
    reading: Literal["usual", "strict", "lenient"] = "usual"
    split: str = ""

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt", "prompts")

    def check(self, sample: Sample) -> Verdict:
        prompt = sample.prompt[:MAX_CHARS]
        try:
            groups = self._groups(sample.reference, prompt)
        except ConfigError as error:
            return self.unscored("bad_reference", str(error))
        if len(sample.response) > MAX_CHARS:
            return self.scored(0.0, "over_limit", f"{len(sample.response):,} characters")
        answer = find_answer(self, self.extract, sample)
        if isinstance(answer, Verdict):
            return answer
        if not answer.strip() or only_opens(answer):
            return self.scored(0.0, "no_answer", expected=groups[0][0].text)
        case = _Case(self, answer, prompt, groups)
        if len(groups) == 1:
            return case.verdict(groups[0])
        parts = tuple(case.verdict(group) for group in groups)
        wrong = next((part for part in parts if not part.passed), None)
        if wrong is None:
            return self.scored(1.0, "all_equal", parts=parts, extracted=parts[0].extracted)
        reason = "some_missing" if wrong.reason in ("not_found", "less_specific") else wrong.reason
        return self.scored(0.0, reason, f"{wrong.expected!r} is due", parts=parts, expected=wrong.expected)

    def _groups(self, reference: Any, prompt: str) -> list[list[Wanted]]:
        """Return the groups of accepted answers; the completion has to give one of each."""
        if isinstance(reference, bool):
            reference = "yes" if reference else "no"
        nested = isinstance(reference, Sequence) and any(isinstance(each, list | tuple) for each in reference)
        if nested and not isinstance(reference, str):
            due = [accepted_texts(each) for each in reference]
        else:
            texts = accepted_texts(reference)
            if self.split and isinstance(reference, str):
                texts = [part for text in texts for part in text.split(self.split)]
            due = [[text] for text in texts] if self.due == "all" else [texts]
        texts_of = [
            list(dict.fromkeys(part for text in texts for part in alternatives(text))) for texts in due
        ]
        groups = [
            [each for text in texts if (each := wanted(text, prompt)) is not None] for texts in texts_of
        ]
        if not groups or not all(groups):
            raise ConfigError(f"nothing can be compared in the reference {reference!r:.80}")
        return groups


class _Case:
    """One response, and what is asked about it."""

    def __init__(
        self, owner: ShortAnswer, answer: Answer, prompt: str, groups: Sequence[Sequence[Wanted]]
    ) -> None:
        self.owner, self.answer, self.prompt = owner, answer, prompt
        self.accepted = accepted = [each for group in groups for each in group]
        self.due = len(groups)
        self.said = frozenset().union(*(each.stems for each in accepted))
        self.several = asks_several(prompt)
        self.text = str(answer)
        self.start = _after_phrase(self.text)
        phrases = (mark for mark in marks(self.text) if not mark.titled)
        self.not_said = [mark.end for mark in phrases if governed(self.text, mark.start)]
        question = words(prompt)
        self.asked = {word.form for word in question}
        self.stated = self._without_titles()
        self.read = Text(self.text, not any(_DIGIT_BEHIND.search(each.text) for each in accepted))
        self.copied = copies(self.read.words, question)
        self.named = frozenset(map(stem, self.asked))
        self.passing = Passing(self.read, prompt, self._accepts)
        self.opposites = [replace(each, says=not each.says) for each in accepted if each.kind == "yes_no"]

    def _without_titles(self) -> str:
        """The text without what it quotes of the question, which is not its own words: "Call Me Maybe"."""

        def blank(found: re.Match[str]) -> str:
            said = [word.form for word in words(found[1])]
            known = len(said) > 1 and self.asked.issuperset(said)
            return " " * len(found.group()) if known and not self._is_due(found[1]) else found.group()

        return _QUOTED.sub(blank, self.text) if self.asked else self.text

    def verdict(self, group: Sequence[Wanted]) -> Verdict:
        """Score whether the completion gives one of a group of accepted answers."""
        first: tuple[str, Wanted, int, int] | None = None
        for start, end, each in spans_of(self.read, group)[:_MOST_TRIED]:
            if start < self.start or self._contradicts(each, start, group):
                continue
            wrong = self._wrong(start, end, each)
            if wrong is None:
                return self._scored(1.0, f"equal_{each.kind}", each, start, end)
            if first is None or first[0] == "copied_question":
                first = (wrong, each, start, end)
        if first is not None:
            return self._scored(0.0, first[0], *first[1:])
        for named, word in self._surnames(group):
            if self._wrong(word.start, word.end, named) is None:
                return self._scored(1.0, "equal_name", named, word.start, word.end)
        return self.owner.scored(0.0, self._missing(group), extracted=self.text[:200], expected=group[0].text)

    def _surnames(self, group: Sequence[Wanted]) -> Iterator[tuple[Wanted, Word]]:
        """The places where a due person is called by the surname, behind no other's given name."""
        said = self.read.words
        for place, word in enumerate(said[:_MOST_SURNAMES]):
            named = next((each for each in group if each.surname == word.form), None)
            if named is None or word.start < self.start:
                continue
            before = said[place - 1] if place else None
            alone = before is None or not self.text[before.start].isupper() or before.form in TITLES
            if len(said) == 1 or (alone and self._is_called(word)):
                yield named, word

    def _is_called(self, word: Word) -> bool:
        """Return whether a word is a name, and all of one: in capitals, and nobody's else."""
        after = self.text[word.end : word.end + 3].lstrip(" -")
        return self.text[word.start].isupper() and not after[:1].isupper() and after[:1] not in ("'", "’")

    def _contradicts(self, each: Wanted, start: int, group: Sequence[Wanted]) -> bool:
        """Return whether a day in an accepted year differs from the accepted day of that year."""
        if each.year is None:
            return False
        days = [other for other in group if other.date is not None and other.date.year == each.year]
        given = [date for low, high, date in self.read.dates if low <= start < high]
        return bool(days and given) and not any(covers(date, other) for date in given for other in days)

    def _scored(self, score: float, reason: str, each: Wanted, start: int, end: int) -> Verdict:
        said = Answer(self.text[start:end], self._span(start, end))
        return self.owner.scored(score, reason, extracted=said, expected=each.text)

    def _span(self, start: int, end: int) -> tuple[int, int] | None:
        low = None if self.answer.span is None else self.answer.span[0]
        return None if low is None else (low + start, low + end)

    def _wrong(self, start: int, end: int, each: Wanted) -> str | None:
        """Why what stands at a place is not the answer; None where it is."""
        text, kind = self.stated, each.kind
        if any(low <= start and end <= high for low, high in self.copied):
            return "copied_question"
        lenient = self.owner.reading == "lenient"
        if self._says_both():
            return "several_answers"
        said = stance(text, start, end).kind
        if said in ("denied", "corrected"):
            return "denied"
        if (several := self._among_others(start, end, kind)) is not None:
            return several
        if said == "offered" and not self._all_accepted(start, end, kind):
            return "several_answers"
        if said in ("doubted", "asked", "supposed") and not lenient:
            return "hedged"
        if said == "compared" and (kind in _SHAPES or is_measured_by(text, start, end)):
            return "hedged"
        if (standing := governed(text, start)) == "denied":
            return "denied"
        # A sentence has words of its own: only what an answer phrase depends on is a closed world.
        supposed = standing == "supposed" and is_supposed(text, start)
        if supposed or standing == "reported" or any(0 <= start - place <= _NEAR for place in self.not_said):
            return "hedged"
        if not lenient and is_unsure(text, start, end):
            return "hedged"
        if not self.several and run_together(
            self.read.text, start, end, self.start, each, self.said, self.named
        ):
            return "several_answers"
        if not self.several and self.passing.is_in_passing(start, end, kind):
            return "in_passing"
        low = start if lenient and said == "doubted" else 0  # what stands before it has been judged
        span = start - low, end - low
        kept = not_taken_back(text[low:], Extraction(text[start:end], span, "short_answer"))
        if kept.text is None or kept.span != span:
            return "denied" if kept.problem != "a second answer is given beside it" else "several_answers"
        if self.owner.reading == "strict" and not self._alone(start, end):
            return "not_alone"
        return None

    def _says_both(self) -> bool:
        """Return whether the text says both yes and no, where one of them is due."""
        opposite = next((each for each in self.opposites if self.read.places(each)), None)
        return opposite is not None

    def _accepts(self, item: str) -> bool:
        """Return whether an item is an accepted answer, a part of one, or named in the question anyway."""
        said = {word.form for word in words(item)}
        if not said or said <= self.asked or any(said <= each.said for each in self.accepted):
            return True
        read = Text(item)
        return any(read.places(each) for each in self.accepted)

    def _all_accepted(self, start: int, end: int, kind: Kind) -> bool:
        found = listing(self.text, start, end, _SHAPES.get(kind))
        return bool(found.items) and all(map(self._accepts, found.items))

    def _among_others(self, start: int, end: int, kind: Kind) -> str | None:
        """Return the reason if other things stand beside a due answer, as alternatives or in one list."""
        text, shape = self.text, _SHAPES.get(kind)
        found = listing(text, start, end, shape)
        in_question = {word.form for word in words(text[start:end])} <= self.asked
        others = [
            item
            for item in found.items
            if (in_question and item[:1].isupper() and not self._is_due(item)) or not self._accepts(item)
        ]
        if others:
            if found.alternatives or (self.due > 1 and len(others) > self.due):
                return "several_answers"
            if not self._may_be_one(found, len(others), start, kind):
                return "several_answers"
        items = labelled(text, start)
        most = 2 * sum(map(self._accepts, items)) <= len(items) if items else False
        if not self.several and (most or self.passing.is_example(start)):
            return "several_answers"
        if not self.several and said_of_others(
            text, start, end, self._accepts, lambda part: tuple(word.form for word in words(part)), shape
        ):
            return "several_answers"
        return None

    def _may_be_one(self, found: Listing, others: int, start: int, kind: Kind) -> bool:
        """Return whether a list without "or" is one answer: several asked for, most due, or a location."""
        if self.several or 2 * others < len(found.items) + 1:
            return True
        if not found.commas or len(found.items) >= MOST_ITEMS:
            return False
        if (others >= _MANY and kind == "name") or (kind == "date" and any(map(_is_year, found.items))):
            return False
        if not self._is_all(found):
            return True
        most = _MOST_AROUND if found.start == start else 1
        return asks_place(self.prompt) and others <= most and self._says_where(found, start)

    def _says_where(self, found: Listing, start: int) -> bool:
        """Return whether a list ends with the others' region: "Graz, Austria", but not "Graz, Vienna"."""
        last = found.items[-1] if found.start == start else self.text[start : found.end]
        return last.strip(" .*_\"'”’").casefold() in regions()

    def _is_all(self, found: Listing) -> bool:
        """Return whether a list fills its line."""
        low = max(self.text.rfind("\n", 0, found.start), self.text.rfind(":", 0, found.start)) + 1
        low = max(low, self.start) if self.start <= found.start else low
        high = self.text.find("\n", found.end)
        rest = (
            self.text[low : found.start] + " " + self.text[found.end : high if high >= 0 else len(self.text)]
        )
        return len(words(rest)) == 0

    def _is_due(self, item: str) -> bool:
        read = Text(item)
        return any(read.places(each) for each in self.accepted)

    def _alone(self, start: int, end: int) -> bool:
        before = words(self.text[self.start : start])
        after = words(self.text[end:])
        return len(before) + len(after) == 0

    def _missing(self, group: Sequence[Wanted]) -> str:
        """Why none of a group is there."""
        said = {word.form for word in self.read.words}
        if is_unsure(self.text, 0, min(len(self.text), 1)):
            return "no_answer"
        if any(said and said < each.said for each in group):
            return "less_specific"
        years = {f"#{each.date.year}" for each in group if each.date is not None}
        if years & said and all(date.year is None for _, _, date in self.read.dates):
            return "less_specific"
        return "not_found"


def _is_year(item: str) -> bool:
    return YEAR.fullmatch(item.strip()) is not None


def _after_phrase(text: str) -> int:
    """Return the start of the last statement of an answer, after "the answer is"; 0 without one."""
    for mark in marks(text):
        says = any(map(str.isalnum, text[mark.end : mark.end + _LONGEST_PHRASE]))
        if says and (mark.titled or not governed(text, mark.start)):
            return mark.end
    return 0
