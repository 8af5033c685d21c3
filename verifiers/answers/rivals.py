"""Rivals of an answer in the same role: alternatives, lists, the same said of something else.

Answers may be joined by nothing: "Porto Lisbon Faro", "honey amber", and the same without blanks in Chinese.
Where a phrase is all that a sentence says, or all that follows its "is", it is a closed world: each word
beside the answer has to be the question's own, a title, what kind of thing it is, or what only says more of
it. A word that nobody here knows may be another answer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from ..language.compared_words import (
    CHINESE_GRAMMAR,
    CHINESE_KINDS,
    CHINESE_PERSONS,
    CHINESE_TIES,
    EASTERN,
    IDEOGRAPHS,
    PLACE_ENDINGS,
    SAYING_SO,
    SYLLABLES,
    Word,
    is_bare_noun,
    simplified,
    stem,
    words,
)
from ..language.english_words import DEGREES, KINDS, STOP_WORDS, SUBSTANCES, TITLES, VERBS, is_modifier
from ..language.language_patterns import ahead, fragments, prose, spoken
from ..language.numerals.english_numerals import is_grammatical
from ..language.spoken_languages import LANGUAGES
from ..runtime.patterns import lazy
from .wanted import Wanted

Shape = Literal["number", "name", "eastern", "word"]
"""What items of one list have in common."""
MOST_ITEMS = 24
"""Items of a list that are looked at."""
_LONGEST = 48
"""Characters of an item, and of what stands between two."""
_MOST_WORDS = 5
_LEAD = (
    r"(?:\b(?:then|later|now|also|maybe|perhaps|possibly|sometimes|some|even)\s)?"
    r"(?:\b(?:the|a|an|in|on|by|at|to|of|from|it is|it's)\s)?[\"“‘'*_(]{0,4}"
)
_TRAIL = r"[\"”’'*_)]{0,4}"
_CAPITAL, _INNER = "A-ZÀ-ÞŁŚŠŽ", r"[\w'’.&-]{0,29}"
_BETWEEN = "(?:(?:of|of the|de|da|di|la|le|von|van|&)[ ])?"
_PROPER = rf"[{_CAPITAL}]{_INNER}(?:[ ]{_BETWEEN}[{_CAPITAL}0-9]{_INNER}){{0,5}}"
_ITEM: dict[Shape, str] = {
    "number": r"[-−]?[$€£₩]?(?:[A-Z][a-z]{2,8}\.? (?:\d{1,2},? )?)?\d++(?:[.,]\d++)*+",
    "name": _PROPER,
    "eastern": rf"[{SYLLABLES}{IDEOGRAPHS}A-Za-z]{{1,12}}",
    "word": r"(?:(?!or\b|and\b)[a-z][\w'’-]*+[ ](?!or\b|and\b)){0,2}[a-z][\w'’-]*+",
}


@dataclass(frozen=True)
class Listing:
    """The items that stand beside an answer, and how they are joined.

    Args:
        items: Their texts.
        alternatives: Whether one of several is offered ("or", "/").
        commas: Whether nothing but commas joins them: in a running sentence that is no list, but says more of
            one thing ("Graz, Austria") or when and where ("In 1962, Ada Holm ...").
        start: Start of the first one, the answer included.
        end: End of the last one.
    """

    items: tuple[str, ...]
    alternatives: bool
    commas: bool
    start: int
    end: int


@cache
def _joints() -> tuple[str, str]:
    """Between alternatives, and between parts of one list."""
    either, both = (
        "|".join(
            f"{language.edges[0]}{each}{language.edges[1]}" if language.blank.startswith(r"\s{1") else each
            for language in LANGUAGES
            for each in fragments(language, field)
        )
        for field in ("or_", "and_")
    )
    return either, both


@cache
def _joint(shape: Shape) -> str:
    either, both = _joints()
    # Between numbers these are signs of a calculation.
    signs = "" if shape == "number" else "+→="
    return (
        rf"(?:(?P<either>\s{{0,2}}[,;(]?\s{{0,2}}(?:{either})\s{{0,2}}|\s?/\s?|\s?\bvs\.?\s)|(?P<both>\s{{0,2}}[,;]?\s{{0,2}}(?:{both}|&)\s{{0,2}})"
        r"|(?P<line>[.,;]?\s?\n\s{0,4}(?:[-*•]|\d{1,2}[.)])?\s{0,3})"
        rf"|(?P<comma>\s?(?:[,;、，；|•·{signs}]|->|…|\.{{2,3}})\s{{0,2}}(?:\d{{1,2}}[.)]\s)?)|(?P<dash>\s[-–—]\s))"
    )


@cache
def _behind(shape: Shape) -> re.Pattern[str]:
    return re.compile(
        rf"{_TRAIL}{_joint(shape)}{_LEAD}(?P<item>{_ITEM[shape]})", re.IGNORECASE if shape == "eastern" else 0
    )


@cache
def _ahead(shape: Shape) -> re.Pattern[str]:
    edge = r"(?<![^\W_])" if shape != "eastern" else ""
    return re.compile(rf"{edge}(?P<item>{_ITEM[shape]}){_TRAIL}{_joint(shape)}{_LEAD}\Z")


_EXTENDED = lazy(rf"(?:[ -]{_PROPER})")
_BEGINS = lazy(rf"(?<![^\W_]){_PROPER}[ -]\Z")


_LABEL = lazy(
    r"(?:(?:\A|(?<=[.;,\n])\s{0,2})[A-Za-z]{3,9}\s|(?<![^\s;,.]))[(]?(?:\d{1,2}|[A-Ea-e])[).:]\s{1,3}"
)
_MOST_LABELS, _LONGEST_LABELLED = 24, 6
"""Labels that are looked at, and words of a labelled answer."""


def labelled(text: str, start: int) -> list[str]:
    """Return the items of one list with labels, if the place is in one of them and each is short.

    >>> labelled("1) Rome 2) Oslo", 3), labelled("Option 1: Rome. Option 2: Oslo.", 10)
    (['Rome', 'Oslo'], ['Rome.', 'Oslo.'])
    """
    marks = list(itertools.islice(_LABEL.finditer(text), _MOST_LABELS))
    if len(marks) < 2:
        return []
    spans = [(mark.end(), after.start()) for mark, after in itertools.pairwise(marks)]
    spans.append((marks[-1].end(), len(text)))
    items = [text[low:high].strip() for low, high in spans]
    inside = any(low <= start < high for low, high in spans)
    short = all(0 < len(words(item)) <= _LONGEST_LABELLED for item in items)
    return items if inside and short else []


def shape_of(text: str, start: int) -> Shape:
    """Return the expected shape of items beside the one at `start`."""
    first = text[start]
    if first.isdigit():
        return "number"
    if EASTERN.match(first):
        return "eastern"
    return "name" if first.isupper() else "word"


def listing(text: str, start: int, end: int, shape: Shape | None = None) -> Listing:
    """Return the list around ``text[start:end]``.

    >>> listing("It is Rome, Paris or Oslo.", 6, 10).items, listing("Rome, which is old", 0, 4).items
    (('Paris', 'Oslo'), ())
    """
    shape = shape or shape_of(text, start)
    if shape == "name":
        if (more := _EXTENDED.match(text, end)) is not None:
            end = more.end()
        if (less := _BEGINS.search(text, max(0, start - _LONGEST), start)) is not None:
            start = less.start()
    items: list[str] = []
    kinds: set[str] = set()
    place = end
    while len(items) < MOST_ITEMS:
        found = _behind(shape).match(text, place, place + 2 * _LONGEST)
        if found is None or not _is_item(text, found, shape):
            break
        items.append(found["item"].rstrip("."))
        kinds.add(_joined_by(found))
        place = found.end()
    last, place = place, start
    before: list[str] = []
    while len(items) + len(before) < MOST_ITEMS:
        low = max(0, place - 2 * _LONGEST)
        found = _ahead(shape).search(text[low:place])
        if found is None or not _is_item(text[low:place], found, shape):
            break
        before.append(found["item"])
        kinds.add(_joined_by(found))
        place = low + found.start("item")
    if kinds == {"dash"} and len(items) + len(before) == 1:
        return Listing((), False, False, start, end)  # one dash says more of the same
    words_before = text[max(0, place - _LONGEST) : place]
    if any(ahead(language, "either").search(words_before) for language in spoken(words_before)):
        kinds.add("either")
    return Listing((*reversed(before), *items), "either" in kinds, kinds <= {"comma", "dash"}, place, last)


def _joined_by(found: re.Match[str]) -> str:
    return next(name for name in ("either", "both", "line", "comma", "dash") if found[name] is not None)


def _is_item(text: str, found: re.Match[str], shape: Shape) -> bool:
    """Return whether the words beside an answer may be another one, not a sentence that goes on."""
    item = found["item"]
    if _joined_by(found) == "line":
        after = text.find("\n", found.end("item"))
        rest = text[found.end("item") : after if after >= 0 else len(text)]
        if len(rest.split()) > 2 or len(item.split()) > _MOST_WORDS:
            return False
    if shape != "word":
        return True
    said = item.split()
    ends = re.match(r"\s?(?:[.,;!?\n|/•·→]|\Z|(?:or|and)\b)", text[found.end("item") :]) is not None
    return len(item) > 2 and not is_grammatical(said) and (ends or found.re.pattern.endswith(r"\Z"))


_SENTENCE = lazy(
    r"(?:[^.!?;\n。！？；]|(?<=(?<![A-Za-z])[A-Z])[.]|(?<=Dr|Mr|Ms|St|Jr|Sr)[.]|(?<=Mrs)[.]|[.](?!\s|\Z))++"
)
_BULLET = lazy(r"\s{0,4}(?:[-*•]|\d{1,2}[.)]|[(]?[a-zA-Z][)])\s{1,3}|\s++")
_MOST_SENTENCES = 400


def said_of_others(
    text: str,
    start: int,
    end: int,
    is_accepted: Callable[[str], bool],
    folded: Callable[[str], tuple[str, ...]],
    shape: Shape | None = None,
) -> bool:
    """Return whether another sentence says the same of something else, as in "It is Rome. It is Oslo".

    Args:
        text: The text.
        start: Start of the answer.
        end: Its end.
        is_accepted: Whether a value is an accepted answer.
        folded: The words of a text, as they are compared.
        shape: Shape of another value; None takes that of this one.
    """
    sentences = [found.span() for found in _SENTENCE.finditer(text)][:_MOST_SENTENCES]
    own = next(((low, high) for low, high in sentences if low <= start < high), None)
    if own is None:
        return False
    shape = shape or shape_of(text, start)
    frame, rest = folded(text[own[0] : start]), folded(text[end : own[1]])
    if len(rest) > 2 and len(frame) < 2:
        return False
    for low, high in sentences:
        if (low, high) == own:
            continue
        said = text[low:high]
        begins = _BULLET.match(said)
        value = said[begins.end() :] if begins else said
        if frame:
            if folded(said)[: len(frame)] != frame:
                continue
            value = _after(said, len(frame), folded)
        value = value.strip(" \"“”'*_")
        found = re.match(
            rf"(?:(?:the|an?|in)\s)?{_ITEM[shape]}", value, re.IGNORECASE if shape == "eastern" else 0
        )
        if found is None or len(folded(value)) > _MOST_WORDS or is_accepted(value):
            continue
        if any(prose(language).search(value) for language in spoken(value)):
            continue
        if not frame and rest and set(rest).isdisjoint(folded(value[found.end() :])):
            continue  # of another one it says something else
        return True
    return False


def _after(said: str, count: int, folded: Callable[[str], tuple[str, ...]]) -> str:
    """Return the rest of a sentence after its first words."""
    for found in re.finditer(r"\s++", said):
        if len(folded(said[: found.start()])) >= count:
            return said[found.end() :]
    return ""


_LONGEST_SENTENCE = 200
"""Characters of a phrase on either side of an answer."""
_ENDS = lazy(r"[.!?;:,()（）\[\]\n。！？；：，、\"“”/|]|\s[-–—]\s")
_SYLLABLE = lazy(f"[{SYLLABLES}]")
_TIE = lazy(rf"\b(?:is|are|was|were|be|called|named)\s++|{CHINESE_TIES}")
_SHORTEST = 2
"""Letters of a word that may be an answer."""
_LOOSE_SIGNS = " *_'‘’~"
_LOOSE = " \t\n.!*_\"'”’"
_AUXILIARIES = frozenset("would could may might must shall cannot".split())
_JOINING = frozenset("then now once again and or".split())
"""Words of grammar that join two things as well as two sentences."""
_MOST_BEFORE_A_KIND = 3
_SAYING_LITTLE = frozenset(
    word.form
    for word in words(
        "often always sometimes also now then later afterwards still about around approximately roughly "
        "circa near simply maybe perhaps possibly"
    )
)
_KINDS = frozenset(form for each in KINDS for form, *_ in words(each))
_FULL_NAME = 2
"""Words of a name that is given in full."""


@cache
def regions() -> frozenset[str]:
    """States and their largest divisions, in lower case."""
    text = files(__package__).joinpath("regions.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return frozenset(name.strip().casefold() for line in lines for name in line.split(","))


def run_together(
    text: str,
    start: int,
    end: int,
    low: int,
    wanted: Wanted,
    accepted: AbstractSet[str],
    asked: AbstractSet[str],
) -> bool:
    """Return whether words in one phrase with an answer may be other answers.

    Args:
        text: The text.
        start: Start of the answer.
        end: Its end.
        low: Start of the answer in the text.
        wanted: The accepted answer that stands there.
        accepted: The stems of the words of all accepted answers.
        asked: The stems of those of the question.
    """
    if wanted.kind == "yes_no":
        return False
    first, last = _phrase(text, start, end, low)
    if wanted.eastern:
        return _eastern(text[first:start], text[end:last], wanted, asked)
    beside = [*_words(text, first, start), *_words(text, end, last)]
    grammar = STOP_WORDS - _JOINING | _AUXILIARIES
    if any(word.form in grammar for word in beside) or EASTERN.search(text[first:last]):
        return False  # a sentence, which has words of its own
    opening = len(text) - len(text.lstrip(_LOOSE + "([#"))
    others = (word for word in beside if not (word.start == opening and only_describes(word.form)))
    strange = [word for word in others if not _known(word, accepted, asked, wanted)]
    if not strange:
        return False
    if wanted.kind in ("number", "date"):
        return all(word.value not in (None, wanted.number) for word in strange)
    if any(char.isdigit() for char in wanted.text):
        return False
    small = text.islower() and any(char.isupper() for char in wanted.text)
    if small or text[start].isupper():
        if not small and any(text[word.start].islower() for word in strange):
            return False
        if not small:
            strange = _capitals(text, beside, strange, start)
        if wanted.kind == "name" or not strange:
            return bool(strange) and _other_person(wanted, strange, start)
        head = words(text[first:last])[-1].form
        return not (head in _KINDS and len(strange) <= _MOST_BEFORE_A_KIND)  # Los Angeles Memorial Coliseum
    leading = (word.form in STOP_WORDS or stem(word.form) in asked for word in words(text[low:first]))
    whole = all(leading) and not text[last:].strip(_LOOSE)
    spoken = any(word.form in VERBS for word in strange)
    made = not any(form in SUBSTANCES for form in wanted.forms[0])
    return (
        whole
        and not spoken
        and any(
            word.start > start or not (is_modifier(word.form) or (made and word.form in SUBSTANCES))
            for word in strange
        )
    )


def only_describes(word: str) -> bool:
    """Return whether a word is an adjective or adverb by a form that names hardly have.

    At the beginning of a text, its capital does not tell.

    >>> [only_describes(each) for each in ("beautiful", "definitely", "porto", "beverly", "sicily")]
    [True, True, False, False, False]
    """
    return _DESCRIBES.fullmatch(word) is not None


_DESCRIBES = lazy(r"[a-z]{3,12}(?:ful|ous|able|ible|less)|[a-z]{4,12}ly(?<!erly|.ily)")


def _words(text: str, start: int, end: int) -> list[Word]:
    return [word._replace(start=word.start + start) for word in words(text[start:end])]


def _phrase(text: str, start: int, end: int, low: int) -> tuple[int, int]:
    """Return the span of the phrase around an answer."""
    first = max(low, start - _LONGEST_SENTENCE)
    first = max((stop.end() for stop in _ENDS.finditer(text, first, start)), default=first)
    first = max((tie.end() for tie in _TIE.finditer(text, first, start)), default=first)
    stop = _ENDS.search(text, end, end + _LONGEST_SENTENCE)
    return first, stop.start() if stop else min(len(text), end + _LONGEST_SENTENCE)


def _capitals(text: str, beside: Sequence[Word], strange: Sequence[Word], start: int) -> list[Word]:
    """Those of the strange words that stand in one run of capitals with the answer."""
    beside = [word for word in beside if word.form not in _SAYING_LITTLE]
    after = itertools.takewhile(
        lambda word: text[word.start].isupper(), (word for word in beside if word.start > start)
    )
    before = itertools.takewhile(
        lambda word: text[word.start].isupper(), (word for word in reversed(beside) if word.start < start)
    )
    run = {word.start for word in (*before, *after)}
    return [word for word in strange if word.start in run]


def _known(word: Word, accepted: AbstractSet[str], asked: AbstractSet[str], wanted: Wanted) -> bool:
    """Return whether a word beside an answer is understood."""
    return (
        len(word.form) < _SHORTEST
        or word.form in _SAYING_LITTLE
        or (word.form in _KINDS and wanted.kind != "name")
        or word.form in TITLES
        or word.form in DEGREES
        or stem(word.form) in accepted
        or stem(word.form) in asked
    )


def _other_person(wanted: Wanted, strange: Sequence[Word], start: int) -> bool:
    """Return whether the words beside a name exceed its further parts or the person's description."""
    full = all(len(form) >= _FULL_NAME for form in wanted.forms)
    behind = sum(word.start > start for word in strange)
    return behind > 1 or len(strange) > (1 if full else _FULL_NAME)


def _eastern(before: str, after: str, wanted: Wanted, asked: AbstractSet[str]) -> bool:
    """The same of a text in Korean, Chinese or Japanese."""
    if _SYLLABLE.search(wanted.eastern):
        behind = after.split()
        attached = bool(behind) and not after[0].isspace()
        if attached and not is_bare_noun(behind[0]):
            return False  # the answer is a part of a sentence
        beside = [word.strip(_LOOSE_SIGNS) for word in (*before.split(), *behind[attached:])]
        return all(map(is_bare_noun, beside)) and any(_strange_korean(word, wanted, asked) for word in beside)
    letters, said = simplified(before + after), simplified("".join(asked)) + simplified(wanted.eastern)
    if not CHINESE_GRAMMAR.isdisjoint(letters):
        return False
    if not after.strip(_LOOSE) and before.rstrip().endswith(CHINESE_PERSONS):
        return False  # whoever it is, the name follows
    return any(
        EASTERN.match(char) is not None and char not in said and char not in CHINESE_KINDS for char in letters
    )


def _strange_korean(word: str, wanted: Wanted, asked: AbstractSet[str]) -> bool:
    """Return whether a Korean word beside an answer may be another answer."""
    if word in SAYING_SO or word in PLACE_ENDINGS or not EASTERN.match(word) or word in wanted.eastern:
        return False
    return not any(word.startswith(each) or each.startswith(word) for each in asked if len(each) > 1)
