"""Which table a text is in: its own words show it, a script never does."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

from ...runtime.patterns import lazy
from ..languages import LANGUAGES
from .table import Table, words

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
_FORMULA = lazy(r"\\[a-zA-Z]+|\$[^$\n]{1,300}\$")
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
    """Every table: a file of this folder that has one is one."""
    folder = importlib.import_module(f"{__package__}.languages")
    names = sorted(each.name for each in pkgutil.iter_modules(folder.__path__))
    return tuple(importlib.import_module(f"{folder.__name__}.{name}").TABLE for name in names)


def table_of(text: str) -> Table | None:
    """The table that a text is in; None for a language that is read otherwise, or that nobody reads.

    >>> table_of("La respuesta es 42.").name, table_of("The answer is 42."), table_of("Ответ не 42.")
    ('Spanish', None, None)
    """
    end = _FORMULA.sub(" ", text[-_LOOKED_AT:]).lower()
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
    """Where the words end by which a sentence in a table's language declines to help; 0 where there are none.

    >>> refusal_in("Lo siento, pero no puedo ayudar con eso."), refusal_in("No se puede dividir por cero.")
    (24, 0)
    """
    table = table_of(sentence)
    found = _refusals(table).search(sentence.lower()) if table else None
    return found.end() if found else 0


@cache
def _refusals(table: Table) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, words(table.refusals))) or "(?!)")
