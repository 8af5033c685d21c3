"""Which language a text shows itself to be in: one with an engine, one with a table, or one that nobody reads here.

What nobody reads is no consent: "La respuesta no es 42" says of 42 what no table knows. A language shows itself
by its own words; a script alone shows nothing but for those that one language of the tables writes.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

from ..runtime.patterns import lazy
from .language_patterns import spoken
from .spoken_languages import LANGUAGES
from .spoken_languages.word_table import Table, words

_BEFORE = 600
"""Characters before a sentence that show which language a text is in."""
_ENOUGH = 3
"""Different words of a language that show it for a sentence without one."""
_STOP = lazy(r"[\n。！？]|[.!?](?=\s)")
_FORMULA = lazy(r"\\[a-zA-Z]+|\$[^$\n]{1,300}\$|\b[a-zA-Z]\b")
_LATIN = lazy(r"[^\W\d_一-鿿가-힣ぁ-ヿ\u0370-\u03ff\u0400-\u1cff]{2,}")
_FOREIGN = lazy(r"[\u0400-\u1cffぁ-ヺ\ua800-\uabff]{2,}")
"""Letters that no table has: from Cyrillic to Vedic signs, kana, further Indic scripts. Greek is of formulas."""
_SINGLE = ("affirming", "nouns", "so", "keywords", "labels")
_SIGNED = lazy(r"\bI\b|\b[A-Z]{2,4}\b|\b(?:Rs|Fr)\b")
_KNOWN = lazy(
    rf"[\s*_$]*+(?:{'|'.join(each for language in LANGUAGES if language.common for field in _SINGLE for each in getattr(language, field))})[\s*_$,:!]*+",
    re.IGNORECASE,
)
"""One word that affirms what follows, or names it."""
_TITLE = lazy(r"[\s*_#]{0,6}[^\W\d_]{2,20}[\s*_]{0,4}[:：][\s*_$]{0,6}\Z")
_COMMON = frozenset(word for language in LANGUAGES for word in language.common if " " not in word)
_PHRASES = lazy(
    "|".join(rf"\b{word}\b" for language in LANGUAGES for word in language.common if " " in word) or "(?!)",
    re.IGNORECASE,
)


def is_recognised(text: str, start: int, end: int) -> bool:
    """Return whether the sentence around an unmarked value is in a language of the tables.

    One word that follows the value, as what is counted, a plural before it, or a title before a colon may be of any
    language.

    >>> text = "La respuesta no es 42."
    >>> is_recognised(text, 19, 21), is_recognised("She sells 42 eggs a day.", 10, 12), is_recognised("42 ovos", 0, 2)
    (False, True, True)
    >>> is_recognised("Forse 42", 6, 8), is_recognised("Apples 42", 7, 9)
    (False, True)
    """
    low = 0
    for stop in _STOP.finditer(text, max(0, start - _BEFORE), start):
        low = stop.end()
    stop_after = _STOP.search(text, end)
    high = min(stop_after.start() if stop_after else len(text), end + _BEFORE)
    before, after = text[low:start], text[end:high]
    if _FOREIGN.search(before) or _FOREIGN.search(after):
        return _TITLE.match(before) is not None and not after.strip(" *_$.!")
    words = [each.casefold() for each in _LATIN.findall(_FORMULA.sub(" ", before + " " + after))]
    if not words or not _COMMON.isdisjoint(words) or _PHRASES.search(before) or _PHRASES.search(after):
        return True
    if any(not language.common for language in spoken(before + after)):
        return True  # a script shows it
    titled = before.rstrip(" *_$").endswith((":", "：", "=")) or not _LATIN.search(before)
    known = not before.strip() or words[0].endswith("s") or _KNOWN.fullmatch(before) or _SIGNED.search(before)
    alone = not text[:low].strip() and words[0].isascii() and known
    if (titled or alone) and len(words) <= 1:
        return True
    if any(not word.isascii() for word in words):
        return False
    around = {each.casefold() for each in _LATIN.findall(text[max(0, low - _BEFORE) : low])}
    return len(_COMMON & around) >= _ENOUGH


_LOOKED_AT = 300
"""Characters at the end of a text that show its language."""
_LETTERS = lazy(r"[^\W\d_]")
_WORD = lazy(r"[^\W\d_]{2,}|[a-z](?=['’]\w)")
"""Words, and what is left of one before an apostrophe; a letter by itself is a name or a label."""
_SHOWING = (
    "denied",
    "doubted",
    "supposed",
    "bounded",
    "verbs",
    "fill",
    "choose",
    "right",
    "is_",
    "answer",
    "refusals",
)
_LONG = 3
"""Letters of such a word from which it shows its language, too."""
_MARKUP = lazy(r"\\[a-zA-Z]+|\$[^$\n]{1,300}\$")
_SHARED = frozenset(
    "final or on total no has have son man hat die was an am most more option place error point long note or if also are"
    " distance difference product volume train quotient option solution proposition question unique print output correct in so as me to do pass main use time fin tan par car pour des me per war bin min max sin cos log ln".split()
)
"""Words of English that a table has, too, in another sense, and names of functions: they show nothing."""
_READ = frozenset(
    word
    for language in LANGUAGES
    for word in (*language.common, *language.keywords, *language.labels)
    if " " not in word and word not in _SHARED
)
"""Words of the languages that are read otherwise."""
LEAST = 0.25
"""Share of a text's words that have to show its language."""
_SHORT = 20
"""Letters of a text without blanks in which one word does."""
_HANGUL = lazy("[가-힣]")


@cache
def tables() -> tuple[Table, ...]:
    """Every table: whatever file of the languages has one."""
    folder = importlib.import_module(f"{__package__}.spoken_languages")
    names = sorted(each.name for each in pkgutil.iter_modules(folder.__path__))
    files = (importlib.import_module(f"{folder.__name__}.{name}") for name in names)
    return tuple(file.TABLE for file in files if hasattr(file, "TABLE"))


def table_of(text: str) -> Table | None:
    """The table that a text is in; None for a language that is read otherwise, or that nobody reads.

    >>> table_of("La respuesta es 42.").name, table_of("The answer is 42."), table_of("Ответ не 42.")
    ('Spanish', None, None)
    """
    end = _MARKUP.sub(" ", text[-_LOOKED_AT:]).lower()
    if not _LETTERS.search(end) or _HANGUL.search(end):
        return None
    said = [word for word in _WORD.findall(end) if word not in _SHARED]
    read = sum(map(_READ.__contains__, said))
    if not said or read * 3 >= len(said) > 1:
        return None  # mostly English: no table is loaded
    best, most = None, read
    for table in tables():
        shown = _shown(table)
        if table.spaced:
            here = sum(map(shown.__contains__, said))
            enough = here >= LEAST * len(said)
        else:
            here = sum(word in end for word in shown)
            enough = here > 1 or len(end) <= _SHORT
        if enough and here > most:
            best, most = table, here
    return best


@cache
def _shown(table: Table) -> frozenset[str]:
    phrases = [phrase for field in _SHOWING for phrase in words(getattr(table, field))]
    phrases += [*table.pairs["numbers"], *table.pairs["units"]]
    known = (word.strip(",") for phrase in phrases for word in phrase.split())
    long = (word for word in known if len(word) >= _LONG)
    return frozenset([*words(table.shown_by), *(long if table.spaced else ())]) - _READ - _SHARED


def refusal_in(sentence: str) -> int:
    """Return the end of a refusal in a sentence of a table's language; 0 without one.

    >>> refusal_in("Lo siento, pero no puedo ayudar con eso."), refusal_in("No se puede dividir por cero.")
    (24, 0)
    """
    table = table_of(sentence)
    found = _refusals(table).search(sentence.lower()) if table else None
    return found.end() if found else 0


@cache
def _refusals(table: Table) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, words(table.refusals))) or "(?!)")
