"""Words before a value or before its phrase, and their effect on it.

A sentence without a mark still says whose number it is: what is a hunch, a slip, a supposition, or what somebody else
reckons is disowned ("my gut says 24", "24 is what a hasty clerk writes", 친구 말로는 24). What a person in the question
has or gets is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

from ...runtime.patterns import lazy
from ..language_patterns import ahead, any_choice, anywhere, fragments, may_match, silent_in_ascii, spoken
from ..spoken_languages import Language
from ..stance import Kind

_LEADS: tuple[tuple[Kind, str], ...] = (
    ("denied", "denied_before"),
    ("denied", "rejecting"),
    ("denied", "corrected_before"),
    ("doubted", "doubted_before"),
    ("supposed", "supposed_before"),
)


def after_so(text: str, start: int, end: int) -> int:
    """Return the place after a sentence's opening "therefore", or `start` without one."""
    for language in spoken(text[start : start + 40]):
        if (found := _leading(language, "so").match(text, start, end)) is not None:
            return found.end()
    return start


@cache
def _leading(language: Language, field: str) -> re.Pattern[str]:
    words = "|".join(fragments(language, field)) or "(?!)"
    edge = language.edges[1]
    return re.compile(rf"[\s*_\"'“‘(]{{0,4}}(?:{words}){edge}[\s:]{{0,3}}", re.IGNORECASE)


def lead_of(text: str, start: int, end: int) -> tuple[Kind, int] | None:
    """Return the kind and the end of the words before a value that speak against it."""
    for language in spoken(text[start : start + 40]):
        for kind, field in _LEADS:
            if (found := _leading(language, field).match(text, start, end)) is not None:
                return kind, found.end()
    return None


@cache
def _but(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "but")) or "(?!)"
    return re.compile(rf"{language.edges[0]}(?:{words})(?![a-z])[\s,:]{{0,3}}", re.IGNORECASE)


def right_after(text: str, start: int, end: int) -> int | None:
    """Return the start of the right value after a denied one: "not 3 but 4"."""
    for language in spoken(text[start:end]):
        if language.but and (found := _but(language).search(text, start, min(end, start + 60))) is not None:
            return found.end()
    return None


_REACH = 80
"""Characters before a phrase in which the clause that it depends on stands."""
_STOPS = lazy(r"[\n,，、;；:：。！？!?]|\.(?=\s)")


def is_supposed(text: str, start: int) -> bool:
    """Return whether the phrase at `start` is only supposed: "if the answer is 3"."""
    before = text[max(0, start - 40) : start]
    before = before[max(before.rfind("\n"), before.rfind(". ")) + 1 :]
    if all(silent_in_ascii(words, 0, _SUPPOSING) for words in (before, before + "the ")):
        return False
    return any(
        ahead(language, field).search(before + "the ") is not None
        or ahead(language, field).search(before) is not None
        for language in spoken(before)
        for field in _SUPPOSING
    )


_SUPPOSING = ("supposed_before", "denied_before", "rejecting")


Governed = Literal["", "denied", "supposed", "reported", "not_understood"]
"""What a phrase depends on makes of what it says: nothing, or that it is denied, supposed, said by another, or
something that no table knows."""


def governed(text: str, start: int) -> Governed:
    """Return the effect of the governing words on a phrase; every reader of answers calls this.

    The clause of the phrase is a closed world: a word in it that the language's table does not have may say
    anything of the answer, and is no consent.

    >>> text = "I don't think the answer is C"
    >>> governed(text, text.index("answer")), governed("The answer is C", 4), governed("If the answer is C", 7)
    ('denied', '', 'supposed')
    >>> governed("The user claims the answer is C", 20)
    'not_understood'
    """
    sentence = text[sentence_start(text, start) : start]
    if not sentence.strip():
        return ""
    clause = _clause(sentence)
    languages = spoken(sentence)
    if any(_conditional(language).search(_since_turn(sentence, language)) for language in languages):
        return "supposed"
    if turns := turned(text, start):
        return "denied" if turns % 2 else ""
    if is_supposed(text, start):
        return "supposed"
    if is_reported(text, start):
        return "reported"
    own = [language for language in languages if not language.edges[1] or clause.isascii()]
    return "" if all(_is_understood(clause, language) for language in own) else "not_understood"


def opens_a_clause(text: str, start: int) -> bool:
    """Return whether a clause begins at `start`: only a connective stands before it, or who says it in its own.

    >>> [opens_a_clause(f"{words} there is none", len(words) + 1) for words in ("So", "the other", "we see that")]
    [True, False, True]
    """
    first = sentence_start(text, start)
    clause = _clause(text[first:start]).strip(" *_$\"'“‘([")
    first = start - len(text[first:start].lstrip()) if not clause else text.index(clause, first)
    return (
        not clause
        or after_so(text, first, start) >= start
        or clause.endswith(" that")
        or _CAUSE.search(clause) is not None
        or any(
            found.end() == len(clause)
            for language in spoken(clause)
            for found in anywhere(language, "breaks").finditer(clause)
        )
    )


_CAUSE = lazy(any_choice("because"))
_SENTENCE = 300
"""Characters before a phrase in which its sentence begins."""
_SENTENCE_STOP = lazy(r"[\n。！？!?;；]|\.(?=[\s\"'”’)*])")


@lru_cache(maxsize=4)
def sentence_start(text: str, start: int) -> int:
    """Return the start of the sentence around `start`, looking back a bounded stretch; several ask about one place."""
    low = max(0, start - _SENTENCE)
    low = max(low, text.rfind("\n", low, start) + 1)  # nothing before the last line matters
    for stop in _SENTENCE_STOP.finditer(text, low, start):
        low = stop.end()
    return low


def turned_to(text: str, start: int) -> tuple[int, int] | None:
    """Return the span of a sentence's last clause, after its "but".

    >>> text = "I thought the answer was 42, but it is 43."
    >>> text[slice(*turned_to(text, 20))]
    'it is 43.'
    """
    stop = _SENTENCE_STOP.search(text, start, start + _SENTENCE)
    end = stop.start() if stop else min(len(text), start + _SENTENCE)
    places = [
        turn.end()
        for language in spoken(text[start:end])
        if language.turning
        for turn in turning(language).finditer(text, start, end)
    ]
    if not places:
        return None
    place = max(places)
    return place + len(text[place:end]) - len(text[place:end].lstrip(" ,，")), end


def _clause(sentence: str) -> str:
    """Return the words before a phrase in its clause."""
    return sentence[max((stop.end() for stop in _STOPS.finditer(sentence)), default=0) :]


@cache
def _conditional(language: Language) -> re.Pattern[str]:
    return re.compile("|".join(fragments(language, "conditional")) or "(?!)", re.IGNORECASE)


@cache
def turning(language: Language) -> re.Pattern[str]:
    """Finds the words at which a sentence turns: "but"."""
    left, right = language.edges if language.blank.startswith(r"\s{1") else ("", "")
    return re.compile(f"{left}(?:{'|'.join(fragments(language, 'turning'))}){right}", re.IGNORECASE)


def _since_turn(sentence: str, language: Language) -> str:
    """The sentence from its last "but" on: what is supposed before it does not reach further."""
    turns = turning(language).finditer(sentence) if language.turning else ()
    return sentence[max((turn.end() for turn in turns), default=0) :]


def _is_understood(clause: str, language: Language) -> bool:
    """Return whether every word of the phrase's clause affirms the phrase or says nothing of it."""
    if not language.affirming:
        return True
    breaks = [found.end() for found in anywhere(language, "breaks").finditer(clause)]
    return _affirmed(language).fullmatch(clause, max(breaks, default=0)) is not None


@cache
def _affirmed(language: Language) -> re.Pattern[str]:
    parts = (each.split("|") if "(" not in each else [each] for each in fragments(language, "affirming"))
    longest_first = sorted((word for words in parts for word in words), key=len, reverse=True)
    words = "|".join(longest_first)  # a longer word counts before its beginning
    own = f"(?:{language.script}(?:[’'](?={language.script}))?)++"
    word = rf"(?=({own}))(?:{words})(?![’']?{language.script})" if language.edges[1] else f"(?:{words})"
    return re.compile(rf"(?:(?!{language.script})[\s\S]|{word})*+", re.IGNORECASE)


def disowned(text: str, start: int, end: int, *, marked: bool = False) -> tuple[int, int] | None:
    """The clause of a value that gives it as a hunch, a slip, a supposition, or what somebody else reckons.

    Args:
        text: The text.
        start: First character of the value.
        end: Place behind its last character.
        marked: Whether an answer phrase ties it to its sentence: where that clause is a closed world (see
            `governed`), nothing else is asked.

    >>> text = "24 is what a hasty clerk writes."
    >>> disowned(text, 0, 2) is None, disowned("24 is what Natalia sold.", 0, 2) is None
    (False, True)
    >>> disowned("My gut says 24.", 12, 14) is None, disowned("Selling them yields 24.", 20, 22) is None
    (False, True)
    """
    low = sentence_start(text, start)
    if (counter := _COUNTER.search(text[start:end])) is not None:
        end = start + counter.start()
    stop = _SENTENCE_STOP.search(text, end, end + _TAIL)
    high = stop.start() if stop else min(len(text), end + _TAIL)
    before, after = (_SET.sub("", each) for each in (text[low:start], text[end:high]))
    for language in spoken(before + after):
        if not language.disowned or (marked and language.affirming):
            continue
        so = [
            found
            for found in anywhere(language, "so").finditer(before)
            if _OPENS.search(before, 0, found.start())
        ]
        concluded = max((found.end() for found in so), default=0)
        clause = f"{_since_turn(before[concluded:], language)}<>{after}"
        said_of_it = [True] if _HAS_WORDS.search(after) else []
        if any(
            may(clause) and _clause_of(each).search(clause)
            for opens in [False, *said_of_it]
            for each, may in _disowning(language, opens)
        ):
            return low, high
    return None


_COUNTER = lazy(r"(?<=\d)\s?[^\W\d_]\D*\Z")
"""What a number counts, its unit, or a particle."""
_HAS_WORDS = lazy(r"[^\W\d_]{2}")
_OPENS = lazy(r"(?:\A|[,，、;；:：]|\band)\s*+\Z")
_TAIL = 80
"""Characters after a value in which its sentence may say whose it is."""
_SET = lazy(r"[*_$`\"“”‘「」『』]")


@cache
def _disowning(language: Language, opens: bool) -> tuple[tuple[str, Callable[[str], object]], ...]:
    """The clauses that the value opens, or the others, each with a quick test of texts: most are never compiled."""
    chosen = (each for each in fragments(language, "disowned") if each.startswith("<>") == opens)
    return tuple((each, may_match(each.replace("<>", r"[\s\S]"))) for each in chosen)


@cache
def _clause_of(fragment: str) -> re.Pattern[str]:
    return re.compile(fragment, re.IGNORECASE)


def turned(text: str, start: int) -> int:
    """Count the reversals of the phrase at `start` by its governing clause: "I doubt that" is one.

    It has to depend on a verb of saying or thinking; each word in that clause that denies counts.

    >>> text = "I doubt that the answer is 4, it is not hard to see that the answer is 5"
    >>> turned(text, text.index("answer")), turned(text, text.rindex("answer"))
    (1, 2)
    """
    before = text[max(0, start - _REACH) : start]
    clause = before[max((stop.end() for stop in _STOPS.finditer(before)), default=0) :]
    for language in spoken(clause):
        if not language.reporting or ahead(language, "reporting").search(clause) is None:
            continue
        breaks = [found.end() for found in anywhere(language, "breaks").finditer(clause)]
        return len(anywhere(language, "opposing").findall(clause, max(breaks, default=0)))
    return 0


def is_reported(text: str, start: int) -> bool:
    """Return whether the phrase at `start` reports what somebody else says, thinks or claims.

    >>> text = "He said the answer is 4. I said the answer is 5."
    >>> is_reported(text, text.index("answer")), is_reported(text, text.rindex("answer"))
    (True, False)
    """
    before = text[max(0, start - _REACH) : start]
    clause = before[max((stop.end() for stop in _STOPS.finditer(before)), default=0) :]
    for language in spoken(clause):
        if not language.reported_before or ahead(language, "reported_before").search(clause) is None:
            continue
        if not language.reported:
            return True
        rest = text[start : start + _REACH]
        stop = _STOPS.search(rest)
        rest = rest[: stop.start()] if stop else rest
        if any(re.search(each, rest) for each in fragments(language, "reported")):
            return True
    return False
