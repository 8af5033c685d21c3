"""The languages' fragments as patterns: one for each question that the engine asks of a language.

With which characters a match can begin is read off the pattern: an index over many of them.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from ..runtime.patterns import lazy, parsed
from .spoken_languages import LANGUAGES, Language

_CLASSES = {"CATEGORY_SPACE": r"\s", "CATEGORY_DIGIT": r"\d", "CATEGORY_WORD": r"\w",
            "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_NOT_WORD": r"\W"}  # fmt: skip
_NO_WIDTH = frozenset({"AT", "ASSERT", "ASSERT_NOT"})
_REPEATED = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_ANY = r"[\s\S]"
_ODD = "[\u0307\u0131\u017f]"
"""Signs in a text in small letters that a pattern may take for one of ASCII, where capitals do not matter."""


def beginning(pattern: str) -> re.Pattern[str]:
    """A pattern for one character (or none): behind its white space, no match of the given one has another first.

    Capitals do not matter.

    >>> [beginning(r"(?:is|was)?\\s{0,2}(?:not|no)").match(char) is not None for char in "iwn x"]
    [True, True, True, False, False]
    """
    return _beginning_of(parsed(pattern))


def _beginning_of(read: Any) -> re.Pattern[str]:
    found: set[str] = set()
    if read is None:
        return re.compile(f"{_ANY}|")
    may_be_empty = _first(read, found)
    return re.compile("|".join(sorted(found)) + ("|" if may_be_empty else "") or "(?!)", re.IGNORECASE)


def _first(sequence: Iterable[tuple[Any, Any]], found: set[str]) -> bool:
    """Collect what may begin a sequence of the parser's; whether it may match nothing, or white space alone."""
    for operator, argument in sequence:
        name = str(operator)
        if _never_matches(name, argument):
            return False
        if name in _NO_WIDTH:
            continue
        if name == "LITERAL":
            if chr(argument).isspace():
                continue
            found.add(re.escape(chr(argument)))
        elif name == "IN":
            blank = [_is_blank(*item) for item in argument]
            if not all(blank):
                found.add(f"[{''.join(_items(argument))}]")
            if any(each is not False for each in blank):
                continue
        elif name == "BRANCH":
            empty = [_first(branch, found) for branch in argument[1]]
            if any(empty):
                continue
        elif name == "SUBPATTERN":
            if _first(argument[3], found):
                continue
        elif name == "ATOMIC_GROUP":
            if _first(argument, found):
                continue
        elif name in _REPEATED:
            if _first(argument[2], found) or argument[0] == 0:
                continue
        else:
            found.add(_ANY)
            continue
        return False
    return True


def _never_matches(name: str, argument: Any) -> bool:
    """Return whether an item is ``(?!)``, which versions of Python read differently."""
    return name == "FAILURE" or (name == "ASSERT_NOT" and not len(argument[1]))


def _is_blank(operator: Any, argument: Any) -> bool | None:
    """Return whether an item of a set is white space; None if it may be."""
    name = str(operator)
    if name == "LITERAL":
        return chr(argument).isspace()
    if name == "RANGE":
        return None if any(chr(each).isspace() for each in range(argument[0], argument[1] + 1)) else False
    kind = str(argument)
    return (
        True if kind == "CATEGORY_SPACE" else False if kind in ("CATEGORY_DIGIT", "CATEGORY_WORD") else None
    )


def _items(items: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    for operator, argument in items:
        name = str(operator)
        if name == "NEGATE":
            yield "^"
        elif name == "LITERAL":
            yield re.escape(chr(argument))
        elif name == "RANGE":
            yield "-".join(re.escape(chr(each)) for each in argument)
        else:
            yield _CLASSES[str(argument)]


def may_match(pattern: str) -> Callable[[str], object]:
    """A quick test of texts, which is false only where the pattern matches nowhere in them.

    Every match holds one of some strings, which are looked for at once: of long ones, then of few ones. Capitals do
    not matter.

    >>> may = may_match(r"(?:it )?is(?:n't| not)|wrong")
    >>> [bool(may(text)) for text in ("that IS NOT so", "this is so", "wrong?")]
    [True, False, True]
    """
    return _test_for(_all_held(parsed(pattern)))


_Held = frozenset[str] | None
"""Strings in small letters of which every match holds one; None for unknown."""


def _all_held(read: Any) -> tuple[_Held, _Held]:
    return (None, None) if read is None else (_held(read, _length), _held(read, _fewness))


def _test_for(found: Iterable[_Held]) -> Callable[[str], object]:
    held = {each: None for each in found if each is not None}
    tests = [_any_of(each) for each in held]
    if not tests:
        return lambda text: True
    if len(tests) == 1:
        return tests[0]
    first, second = tests
    return lambda text: first(text) and second(text)


def _any_of(held: frozenset[str]) -> Callable[[str], object]:
    """A test whether a text holds one of some strings."""
    least = [each for each in held if not any(other != each and other in each for other in held)]
    found = re.compile("|".join(map(re.escape, sorted(least))) or "(?!)").search
    if not any(map(str.islower, "".join(least))):
        return found
    found = re.compile("|".join((*map(re.escape, sorted(least)), _ODD))).search
    return lambda text: found(text.lower())


def _length(held: frozenset[str]) -> tuple[int, ...]:
    """Long strings are rare."""
    return (min((len(said.strip()) for said in held), default=sys.maxsize),)


def _fewness(held: frozenset[str]) -> tuple[int, ...]:
    """So is one of few strings, but for letters of ASCII."""
    letters = any(len(said.strip()) == 1 and said.isascii() for said in held)
    return (-letters, -len(held), *_length(held))


_Rarity = Callable[[frozenset[str]], tuple[int, ...]]


def _held(sequence: Iterable[tuple[Any, Any]], rarity: _Rarity) -> _Held:
    """Return what every match of the parser's sequence holds.

    Args:
        sequence: A pattern as the parser gives it.
        rarity: Chooses among several such sets: the highest, and the last of equal ones.
    """
    best: _Held = None
    run = ""

    def keep(held: _Held) -> None:
        nonlocal best
        if held is not None and (best is None or rarity(held) >= rarity(best)):
            best = held

    for operator, argument in (*sequence, ("END", None)):
        name = str(operator)
        if name == "LITERAL" and _is_plain(chr(argument)):
            run += chr(argument).lower()
            continue
        if run.strip():
            keep(frozenset({run}))
        run = ""
        if _never_matches(name, argument):
            return frozenset()
        if name == "IN" and all(str(kind) == "LITERAL" and _is_plain(chr(each)) for kind, each in argument):
            keep(frozenset(chr(each).lower() for _, each in argument))
        elif name == "BRANCH":
            branches = [_held(branch, rarity) for branch in argument[1]]
            keep(None if None in branches else frozenset().union(*filter(None, branches)))
        elif name == "SUBPATTERN":
            keep(_held(argument[3], rarity))
        elif name == "ATOMIC_GROUP":
            keep(_held(argument, rarity))
        elif name in _REPEATED and argument[0] > 0:
            keep(_held(argument[2], rarity))
    return best


def _is_plain(char: str) -> bool:
    """Return whether a character of a pattern stands for itself in small letters, and for no other."""
    return char.isascii() or char.lower() == char.upper() == char


OPENING = r"(?:[\s*_(\[{<\"'“‘「『《〈【`$]|\\[(\[]|\\text(?:bf)?\{|\\boxed\{|:|：){0,12}"
"""Signs between a word and the value after it."""
_CLOSING_SIGN = r"[*_)\]}>\"'”’」』》〉】`$°]|\\[)\]]"
CLOSING = rf"(?:{_CLOSING_SIGN}){{0,12}}"
"""Signs between a value and the word after it."""


def spoken(text: str) -> tuple[Language, ...]:
    """The languages whose script occurs in a text; one sentence is asked for again and again."""
    if text.isascii():
        return _IN_ASCII if _ASCII_LETTER.search(text) else ()
    return _spoken(text) if len(text) <= _REMEMBERED else _written_in(text)


_REMEMBERED = 1_000
"""Characters up to which the languages of a text are remembered."""


def _written_in(text: str) -> tuple[Language, ...]:
    return tuple([language for language, has_letter in _scripts() if has_letter(text)])


_spoken = lru_cache(maxsize=1024)(_written_in)


def is_silent(text: str, start: int = 0, end: int = sys.maxsize) -> bool:
    """Return whether a stretch is too plain for a word of any language, as a number with its signs is.

    It needs no look at any language's words, which take much longer to look for.

    >>> is_silent("A: $1,250.50", 3), is_silent("5 kg")
    (True, False)
    """
    return _SILENT.fullmatch(text, start, end) is not None


_SILENT = lazy(r"[\s\d$%.,/+−-]*")
_ASCII_LETTER = lazy("[a-zA-Z]")
_IN_ASCII = tuple(each for each in LANGUAGES if re.search(each.script, string.ascii_letters))
"""The languages that are written in letters of ASCII."""


@cache
def _scripts() -> tuple[tuple[Language, Callable[[str], re.Match[str] | None]], ...]:
    return tuple((each, re.compile(each.script).search) for each in LANGUAGES)


def fragments(language: Language, field: str) -> Iterable[str]:
    """Yield a language's words for a field, with its white space for the blanks."""
    return ("".join(each).replace(" ", language.blank) for each in getattr(language, field))


def _words(language: Language, field: str) -> str:
    return "|".join(fragments(language, field)) or "(?!)"


@cache
def behind(language: Language, field: str) -> re.Pattern[str]:
    """Matches at the end of a value what `field` lists, with the signs and the blank before it.

    The groups are ``close``, the signs, and ``words``. One pattern serves whoever asks: those of Korean take
    a tenth of a second to compile.
    """
    words = _words(language, field)
    # Where it is searched for, most places are told by their sign.
    sign = rf"(?={_CLOSING_SIGN}|\s|{_begins(language, field).pattern})"
    return re.compile(rf"{sign}(?P<close>{CLOSING})\s{{0,2}}(?P<words>{words})", re.IGNORECASE)


def fields_behind(
    fields: tuple[str, ...], text: str, place: int, *, in_ascii: bool = False
) -> tuple[tuple[Language, str], ...]:
    """The languages and fields of which `behind` may match at a place, by the sign that stands there: in no time.

    Args:
        fields: The fields that are asked for.
        text: The text.
        place: End of a value.
        in_ascii: Whether only the languages are asked that are written in ASCII.

    >>> [field for each, field in fields_behind(("denied", "stated"), "36입니다", 2) if each.name == "Korean"]
    ['stated']
    >>> fields_behind(("stated",), "36", 0)
    ()
    """
    before = _BEFORE_WORDS.match(text, place)
    signs = "".join(text[place : before.end() + 1].split()) if before else ""
    return _beginning(_IN_ASCII if in_ascii else LANGUAGES, fields, signs)


_BEFORE_WORDS = lazy(rf"{CLOSING}\s*+")


@lru_cache(maxsize=8192)
def _beginning(
    languages: tuple[Language, ...], fields: tuple[str, ...], signs: str
) -> tuple[tuple[Language, str], ...]:
    # The words may begin behind any of the signs before them, or be such signs themselves.
    return tuple(
        (language, field)
        for language in languages
        for field in fields
        if any(_begins(language, field).match(sign) is not None for sign in (*signs, ""))
    )


@cache
def _begins(language: Language, field: str) -> re.Pattern[str]:
    return _beginning_of(_read(language, field))


@lru_cache(maxsize=4)
def _read(language: Language, field: str) -> Any:
    """Parse the words of a field, once for those who ask about it one after the other: some are long."""
    return parsed(_words(language, field))


@cache
def _held_by(language: Language, field: str) -> tuple[_Held, _Held]:
    return _all_held(_read(language, field))


@cache
def behind_in_ascii(fields: tuple[str, ...]) -> re.Pattern[str]:
    """Matches after a value, in lower case, wherever `behind` matches with one of the fields in ASCII.

    One look tells that none of them does, which is what they say of most values.
    """
    words = "|".join(
        each for language in _IN_ASCII for field in fields for each in fragments(language, field)
    )
    return re.compile(rf"{CLOSING}\s{{0,2}}(?:{words})")


def silent_in_ascii(text: str, start: int, fields: tuple[str, ...]) -> bool:
    """Return, in one look, whether no word of the fields begins from `start` on; False if unsure.

    >>> silent_in_ascii("18 dollars a day", 0, ("denied",)), silent_in_ascii("18 is wrong", 0, ("denied",))
    (True, False)
    """
    return text.isascii() and _in_ascii(fields).search(text.lower(), start) is None


@cache
def _in_ascii(fields: tuple[str, ...]) -> re.Pattern[str]:
    words = (each for language in _IN_ASCII for field in fields for each in fragments(language, field))
    return re.compile("|".join(f"(?:{each})" for each in words))


@cache
def may_say(language: Language, fields: tuple[str, ...]) -> Callable[[str], object]:
    """A quick test of texts, which is false only where no word of the fields stands in them: see `may_match`."""
    each_rarity = zip(*(_held_by(language, field) for field in fields), strict=True)
    return _test_for(None if None in held else frozenset().union(*held) for held in each_rarity)


@cache
def ahead(language: Language, field: str) -> re.Pattern[str]:
    """Finds what `field` lists directly before the end of the searched text."""
    edge = language.edges[1] if language.blank.startswith(r"\s{1") else ""
    return re.compile(
        rf"(?:{_words(language, field)}){edge}[\s:]{{0,3}}(?:{_words(language, 'nouns')})?{OPENING}\Z",
        re.IGNORECASE,
    )


@cache
def anywhere(language: Language, field: str) -> re.Pattern[str]:
    """Finds what `field` lists as words of their own."""
    edge = language.edges[1] if language.blank.startswith(r"\s{1") else ""
    return re.compile(f"{language.edges[0]}(?:{_words(language, field)}){edge}", re.IGNORECASE)


@cache
def joining() -> re.Pattern[str]:
    """Compile the joints of two values that belong together: "or", "and", a comma with one of these."""
    words = "|".join(
        each for language in LANGUAGES for field in ("or_", "and_") for each in fragments(language, field)
    )
    about = "|".join(each for language in LANGUAGES for each in fragments(language, "about"))
    return re.compile(
        rf"\s{{0,3}}[,，]?\s{{0,3}}(?:(?:{words})\s{{0,3}}(?:(?:{about})\s{{0,3}})?|(?:{about})\s{{0,3}})",
        re.IGNORECASE,
    )


@cache
def alternative() -> re.Pattern[str]:
    """A word between alternatives, by itself in languages that write blanks."""
    parts = (
        f"{language.edges[0]}(?:{_words(language, 'or_')}){language.edges[1]}"
        for language in LANGUAGES
        if language.or_
    )
    return re.compile("|".join(parts), re.IGNORECASE)


@cache
def numerals() -> re.Pattern[str]:
    """Numbers with words in them."""
    words = "|".join(each for language in LANGUAGES for each in fragments(language, "numerals"))
    # Most places are told by their sign.
    return re.compile(rf"(?=\s|{beginning(words).pattern})(?:{words})")


@cache
def may_be_numeral() -> Callable[[str], object]:
    """A quick test of texts, which is false only where none of `numerals` stands in them."""
    return may_match(numerals().pattern)


@cache
def factorials() -> re.Pattern[str]:
    """Return the pattern of a mention of factorials: one in a formula, or a word."""
    words = "|".join(each for language in LANGUAGES for each in fragments(language, "factorials"))
    return re.compile(rf"[\w)\]}}]!\s*+(?:[-+*/=^<>×÷·!\d(]|\\[a-z])|{words}", re.IGNORECASE)


@cache
def changing(language: Language) -> re.Pattern[str]:
    """Words that make the number of their sentence another one."""
    left, right = language.edges if language.blank.startswith(r"\s{1") else ("", "")
    return re.compile(f"{left}(?:{_words(language, 'changing')}){right}", re.IGNORECASE)


@cache
def linking(language: Language) -> re.Pattern[str]:
    """Finds what links a value to its subject directly before the end of the searched text."""
    return re.compile(rf"(?:{_words(language, 'links')}){OPENING}\Z", re.IGNORECASE)


@cache
def prose(language: Language) -> re.Pattern[str]:
    """Compile the words that mark a short text as a sentence."""
    return re.compile(_words(language, "prose"), re.IGNORECASE)


@cache
def next_question() -> re.Pattern[str]:
    """The title of a question at the beginning of a line: "Question 2:", "### Problem"."""
    words = "|".join(each for language in LANGUAGES for each in fragments(language, "questions"))
    return re.compile(
        rf"(?<=\n)[ \t*_#>]{{0,8}}(?:{words})\s{{0,2}}\d{{0,4}}[*_ ]{{0,4}}(?:[:：.．)][*_]{{0,3}}|(?=\n))",
        re.IGNORECASE,
    )


@cache
def rounding() -> re.Pattern[str]:
    """Compile the words and signs that mark the next value as a rounding of the one before."""
    about = "|".join(each for language in LANGUAGES for each in fragments(language, "about"))
    return re.compile(rf"≈|≒|\\approx|(?<![a-z가-힣])(?:{about})(?![a-z가-힣])", re.IGNORECASE)


def any_choice(*fields: str) -> str:
    """Join every language's words of a choice for these fields; a pattern that never matches if there are none."""
    found = [
        words for language in LANGUAGES for field in fields if (words := getattr(language.choices, field))
    ]
    return f"(?:{'|'.join(found)})" if found else "(?!)"
