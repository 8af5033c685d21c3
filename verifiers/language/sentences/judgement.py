"""The text's final judgement of a value found in it, the same on every path of every verifier.

Who finds a value looks for it where its own laws say; whether it stands is decided here, and nowhere after: by
what governs its phrase, by the rest of its sentence, and by what follows in the same role, which replaces it or
stands beside it. A sentence whose subject is the value ("Lisbon is the right answer", 강릉이 정답입니다) is found here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from ...runtime.patterns import lazy
from ..language_patterns import CLOSING, fragments, spoken
from ..spoken_languages import Language
from ..stance import ending
from .marks import marks
from .retractions import retraction
from .words_before import after_so, disowned, governed, lead_of, sentence_start, turning

_WINDOW = 160
"""Characters after an answer in which the writer looks again and comes to another value."""
_LONGEST_STEP = 60
"""Characters between looking again and the value that is found."""
_NEAR = 24
"""Characters after an answer in which another one stands beside it."""
_VALUE = (
    r"[*_$\"'“‘(]{0,4}(?P<value>[-+−]?\d[\d,]*(?:\.\d+)?(?:/\d+)?|\\boxed\{[^{}\n]{1,60}\}|(?:option |choice )?\(?[A-J]\)?(?![\w'’])|[①-⑳]"
    r"|[가-힣]{2,8}?(?=입니다|이다|이에요|예요|네요|이네요|가 맞|이 맞|[.\s]*\Z)|[A-Z][\w-]{2,30}|[一-鿿]{2,6}(?=。|才对|\Z))[*_$\"'”’)]{0,4}"
)
_SHOWN = lazy(_VALUE)
_LABEL_OR_NUMBER = lazy(
    r"[\s*_$\"'“‘(]{0,4}(?P<value>[-+−]?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?![A-Za-z\d]|\.\d)|\(?[A-J]\)?(?![A-Za-z\d'’])|[①-⑳])"
)
_ENDED = lazy(
    r"\s?(?:번|개|원|명)?(?:입니다|이다|이에요|예요|네요|이네요|다|임|(?:이|가) (?:맞|됩|된)[가-힣]{0,4}|(?:로|으로) 고[가-힣]{1,4}|才对|才是)?[\s*]*(?:[.!。！\n]|\Z)"
)
_BETWEEN = lazy(r"(?:번|개|명|원)?(?:입니다|이다|임|예요|이에요)?[\s*_$)\]\"'”’.。,，;；(（]{0,6}")
_OPENS = lazy(r"(?:[.!?。！？;；\n…]|\A)[\s*_$)\]}\"'”’(]{0,6}")
_LETTER = lazy("[A-J]")
_SENTENCE = lazy(r"[.!。！][ ]{0,2}")
_SUM = lazy(r"[=+*/×÷<>]|\d\s?[-−]\s?\d")


def replaced(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of the value that the writer comes to after looking again; None where there is none.

    A sentence that opens with such words may have a reason between them and the value. A sum is a check, and
    nothing follows from it.

    >>> text = "정답은 42입니다. 다시 확인해 보니 43입니다."
    >>> text[slice(*replaced(text, 4, 6))]
    '43'
    >>> replaced("The answer is 42. Rechecking: 6*7 = 42.", 14, 16) is None
    True
    """
    rest = text[end : end + _WINDOW]
    found: tuple[int, int] | None = None
    for language in spoken(rest):
        if not language.rethinking:
            continue
        for opening in _OPENS.finditer(rest):
            again = _words(language, "rethinking").match(rest, opening.end())
            if again is None:
                continue
            given = _conclusion(rest, again.end(), language)
            if given is not None and (found is None or given[0] >= found[0]):
                found = given
    if found is None or _folded(rest[slice(*found)]) == _folded(text[start:end]):
        return None
    return end + found[0], end + found[1]


def _conclusion(text: str, start: int, language: Language) -> tuple[int, int] | None:
    """The value that what follows ends with, at once or after words that conclude."""
    places = [re.compile(r"[\s,，:：.…!]{0,4}").match(text, start).end()]  # type: ignore[union-attr]
    limit = min(len(text), start + _LONGEST_STEP)
    places += [
        found.end() for found in _words(language, "concluding").finditer(text, max(0, start - 8), limit)
    ]
    sentences = {stop.end() for stop in _SENTENCE.finditer(text, start, limit)} - set(places)
    places += sorted(sentences)
    last: tuple[int, int] | None = None
    for place in places:
        at = re.compile(r"[\s:：,，]{0,3}").match(text, place).end()  # type: ignore[union-attr]
        shown = _SHOWN.match(text, at)
        if shown is None or _SUM.search(text, start, shown.start()):
            continue
        ended = _ENDED.match(text, shown.end())
        if ended and (place not in sentences or any(map(str.isalpha, ended.group()))):
            last = shown.span("value")
    return last


def beside(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of a second answer that is given beside the first, across a clause or a sentence.

    >>> text = "The answer is C, and also D."
    >>> text[slice(*beside(text, 14, 15))]
    'D'
    >>> beside("The answer is 42, or forty-two.", 14, 16) is None
    True
    """
    rest = text[end : end + _NEAR + 40]
    between = _BETWEEN.match(rest)
    at = between.end() if between else 0
    for language in spoken(rest):
        places = []
        for place in (0, at):
            found = _words(language, "adding").match(rest, place) if language.adding else None
            if found is not None:
                places.append((found.end(), False))
            places.append((place, True))
        for place, needs_verdict in places:
            other = _LABEL_OR_NUMBER.match(rest, place)
            if other is None or _folded(other["value"]) == _folded(text[start:end]):
                continue
            said = ending(rest, other.end("value"))
            if said is not None and said.kind not in ("stated", "bare"):
                continue
            added = re.compile(r"\s{0,2}").match(rest, other.end("value")).end()  # type: ignore[union-attr]
            is_said = _words(language, "added").match(rest, added) if language.added else None
            ended = _ENDED.match(rest, other.end("value")) is not None
            label = other["value"].strip("()")
            closed = other["value"].endswith(")") or rest[other.end("value") :][:1] in (")", "）")
            is_gloss = rest[:at].endswith(("(", "（")) and closed
            if is_gloss and _LETTER.fullmatch(text, start, end) and _LETTER.fullmatch(label):
                return end + other.start("value"), end + other.end("value")
            if is_said is not None or (not needs_verdict and (ended or rest[other.end("value")] in ")）")):
                return end + other.start("value"), end + other.end("value")
    return None


def wavers(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The words after an answer that say that it may be another one as well.

    >>> text = "The answer is 42. Then again, it could just as well be 43."
    >>> text[slice(*wavers(text, 14, 16))]
    'Then again, it could just as well be'
    """
    rest = text[end : end + _NEAR + 80]
    for language in spoken(rest):
        if not language.wavering:
            continue
        for opening in _OPENS_CLAUSE.finditer(rest, 0, _NEAR):
            again = _words(language, "wavering").match(rest, opening.end())
            stop = _SENTENCE_END.search(rest, again.end()) if again is not None else None
            if again is None or (stop is not None and stop.group() in "?？"):
                continue  # whoever asks goes on to answer
            if _folded(text[start:end]) not in _folded(rest[again.end() :]):
                return end + again.start(), end + again.end()
    return None


_SENTENCE_END = lazy(r"[.!?。！？\n]")
_OPENS_CLAUSE = lazy(r"[.!?。！？;；,，\n][\s*_)\"'”’]{0,6}")


def undone(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The words of the sentence right after an answer that judge it, offer another, or excuse the first one.

    What is said again there, asked, or only explained, leaves the answer as it is.

    >>> text = "The answer is Lisbon. Alternatively, Porto."
    >>> text[slice(*undone(text, 14, 20))]
    'Alternatively'
    >>> undone("The answer is 42. Or is it? Yes, 42.", 14, 16) is None
    True
    """
    rest = text[end : end + _WINDOW]
    for language in spoken(rest):
        if not language.undoing:
            continue
        for opening in _OPENS_SENTENCE.finditer(rest, 0, _NEAR):
            judged = _words(language, "judged_after").match(rest, opening.end())
            stop = _SENTENCE_END.search(rest, judged.end()) if judged is not None else None
            if judged is not None and (stop is None or stop.group() not in "?？"):
                return end + judged.start(), end + judged.end()
            words = _words(language, "undoing").match(rest, opening.end())
            if words is None:
                continue
            stop = _SENTENCE_END.search(rest, words.end())
            said = rest[words.end() : stop.end() if stop else len(rest)]
            asked = said.endswith(("?", "？"))
            if not asked and said.strip(" .!,，。") and _folded(text[start:end]) not in _folded(said):
                return end + words.start(), end + words.end()
    return None


_OPENS_SENTENCE = lazy(r"[.!。！;；\n][\s*_)\"'”’]{0,6}")


def shared(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of what the next clause says is the answer as well, whatever it is: "Porto is also acceptable".

    >>> text = "The answer is Lisbon; Porto is also acceptable."
    >>> text[slice(*shared(text, 14, 20))]
    'Porto'
    """
    rest = text[end : end + _NEAR + 80]
    for language in spoken(rest):
        if not language.sharing:
            continue
        for opening in _OPENS_CLAUSE.finditer(rest, 0, _NEAR):
            said = _shared(language).match(rest, opening.end())
            if said is not None and _folded(text[start:end]) not in _folded(said["other"]):
                return end + said.start("other"), end + said.end("other")
    return None


@cache
def _shared(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "sharing"))
    blank = "" if language.edges[1] == "" else r"\s{0,2}"
    return re.compile(rf"(?P<other>[^.!?。！？,，;；:：\n]{{1,40}}?){blank}(?:{words})", re.IGNORECASE)


@cache
def _words(language: Language, field: str) -> re.Pattern[str]:
    words = "|".join(fragments(language, field)) or "(?!)"
    edge = language.edges[1] if language.blank.startswith(r"\s{1") else ""
    return re.compile(
        f"(?:{words}){edge if field in ('rethinking', 'adding', 'undoing') else ''}", re.IGNORECASE
    )


def _folded(text: str) -> str:
    return (
        "".join(filter(str.isalnum, text.casefold()))
        .replace("boxed", "")
        .removeprefix("option")
        .removesuffix("번")
    )


Finally = Literal["stands", "replaced", "taken_back", "several", "not_understood"]
"""What a text finally says of a value.

- ``stands``: nothing speaks against it.
- ``replaced``: another value is given in its place.
- ``taken_back``: it is denied, doubted or put under a condition, and no other is given.
- ``several``: another one stands beside it in the same role.
- ``not_understood``: its sentence ties it to something in words that no table knows.
"""
_LONGEST_TAIL = 80
"""Characters after a value in which its sentence may unsay it."""


class Judgement(NamedTuple):
    """A text's final judgement of a value.

    Args:
        kind: See `Finally`.
        start: Start of the words that say so.
        value: The span of the value that stands, or of the words that speak against it.
    """

    kind: Finally
    start: int
    value: tuple[int, int]


def judgement(text: str, start: int, end: int, *, shown: bool = False, named: bool = False) -> Judgement:
    """Judge what a text finally says of ``text[start:end]``.

    Args:
        text: The text.
        start: Start of the value.
        end: Its end.
        shown: Whether a box, a tag or the like shows it, so that no words tie it to its sentence.
        named: Whether it is the name of an option, whose sentence has been understood where it was found.

    >>> text = "The answer is 42. No wait, it is 43."
    >>> found = judgement(text, 14, 16)
    >>> found.kind, text[slice(*found.value)]
    ('replaced', '43')
    >>> judgement("My teacher claims the answer is 42.", 32, 34).kind
    'not_understood'
    >>> judgement("The answer is 42 if the sign is reversed.", 14, 16).kind
    'taken_back'
    """
    if not _WORDLESS.fullmatch(text, end) and (said := _said_after(text, start, end, shown)) is not None:
        return said
    marked = not shown and next(marks(text[sentence_start(text, start) : start]), None) is not None
    if not shown and (words := disowned(text, start, end, marked=marked)) is not None:
        return Judgement("taken_back", start, words)
    if not shown and (ties := _tied(text, start)) is not None:
        return Judgement("not_understood", start, ties)
    if not (shown or named) and (words := _unknown_tail(text, start, end)) is not None:
        return Judgement("not_understood", start, words)
    return Judgement("stands", start, (start, end))


_WORDLESS = lazy(r"[\x00-@\[-`{-\x7f]*")
"""A rest in which no language has a word, so that it says nothing of what stands before it."""


def _said_after(text: str, start: int, end: int, shown: bool) -> Judgement | None:
    """Return the judgement of the words after a value that speak against it."""
    taken = retraction(text, start, end)
    if (taken is None or taken.value is None) and (other := replaced(text, start, end)) is not None:
        return Judgement("replaced", other[0], other)
    if taken is not None:
        kind: Finally = "taken_back" if taken.value is None else "replaced"
        return Judgement(kind, taken.start, taken.value or (start, end))
    if (second := beside(text, start, end)) is not None:
        return Judgement("several", start, second)
    if shown:
        return None
    if (words := undone(text, start, end)) is not None:
        return Judgement("taken_back", start, words)
    for another in (shared, wavers):
        if (second := another(text, start, end)) is not None:
            return Judgement("several", start, second)
    if (words := unsaid(text, end)) is not None:
        return Judgement("taken_back", start, words)
    return None


def unsaid(text: str, end: int) -> tuple[int, int] | None:
    """The words in the rest of a value's sentence that unsay it."""
    for language in spoken(text[end : end + _LONGEST_TAIL]):
        if (
            language.unsaid
            and (found := _unsaying(language).match(text, end, end + _LONGEST_TAIL)) is not None
        ):
            return found.span()
    return None


@cache
def _unsaying(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "unsaid"))
    return re.compile(rf"{CLOSING}(?:{words})", re.IGNORECASE)


def _unknown_tail(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The words after a number that end its sentence as a verb, where no table knows what they say of it."""
    last = max((place for place in range(start, end) if text[place].isdigit()), default=None)
    if last is None:
        return None
    at = _BEHIND_DIGITS.match(text, last + 1).end()  # type: ignore[union-attr]
    if text[at : at + 1] in ("(", "（"):
        return None
    stop = _CLAUSE_END.search(text, at, at + _LONGEST_TAIL)
    tail = text[at : stop.start() if stop else min(len(text), at + _LONGEST_TAIL)]
    for language in spoken(tail):
        if not language.predicates or not (
            _phrases(language, "citing").match(tail) or _is_in_a_phrase(text, start)
        ):
            continue
        if _ends_as_verb(language).search(tail):
            said = [ending(text, place) for place in {at, end}]
            if not any(each is not None and each.kind == "stated" for each in said):
                return at, at + len(tail)
    return None


def _is_in_a_phrase(text: str, start: int) -> bool:
    """Return whether an answer phrase that is no title stands before the value in its sentence."""
    mark = next(marks(text[sentence_start(text, start) : start]), None)
    return mark is not None and not mark.titled


@cache
def _phrases(language: Language, field: str) -> re.Pattern[str]:
    return re.compile("|".join(fragments(language, field)) or "(?!)", re.IGNORECASE)


@cache
def _ends_as_verb(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(fragments(language, 'predicates'))})[\"'”’)*_ ]{{0,4}}\Z")


_BEHIND_DIGITS = lazy(r"[)}\]$*%°]{0,4}")
_CLAUSE_END = lazy(r"[\n。！？!?,，;；]|\.(?=[\s\"'”’)*]|\Z)")


def _tied(text: str, start: int) -> tuple[int, int] | None:
    """The words before a value that tie its phrase to what is not understood, supposed or somebody else's."""
    low = _since_turn(text, sentence_start(text, start), start)
    mark = next(marks(text[low:start]), None)
    if mark is not None:
        return (low, low + mark.end) if not mark.titled and governed(text, low + mark.start) else None
    at = max((stop.end() for stop in _CLAUSE_START.finditer(text, low, start)), default=low)
    for language in spoken(text[at:start]):
        if language.answer and _phrases(language, "answer").search(text, at, start) is not None:
            return at, start  # the answer is spoken of, and nobody knows how
    return None


def _since_turn(text: str, low: int, start: int) -> int:
    """The start of a sentence's clause behind its "but", where that gives a value of its own: "but it is 43"."""
    for language in spoken(text[low:start]):
        turns = (
            [found.end() for found in turning(language).finditer(text, low, start)]
            if language.turning
            else []
        )
        if turns and language.concluding and _words(language, "concluding").search(text, turns[-1], start):
            return turns[-1]
    return low


_CLAUSE_START = lazy(r"[,，、;；:：(（—–]|\b(?:so|but|thus|hence|therefore|and)\b")


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
    """Return whether the sentence ends at `end`, or nothing in the rest of it takes the value back."""
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
