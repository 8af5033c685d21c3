"""Letters of other scripts between the words of a language: names and formulas, or words of another language.

What stands between two words of the language, or before the end of a sentence, is a segment. A segment gives
reasons why some of its pieces are no words of another language: each sign of a formula or of code, a word of
the language right after it. The reasons are counted, and that many pieces, the longest, are no running text.
So one more variable, name or formula never makes another piece count: there is no cliff.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...runtime.patterns import lazy
from .scripts import GREEK, LATIN

OWN, ASIDE, CALL = "\ue000", "\ue001", "\ue002"
"""What stands in a text for a word of the language, for what is set apart, and for brackets after a name."""
FREE_NAMES = 4
"""Names in a row that need no further reason: two people, or the four words of an institution."""
FREE_SHORTS = 4
"""Pieces of one or two letters that need no further reason: variables, points, units."""
FREE_TERMS = 2
"""Words right in front of a word of the language that are taken for a term: ``git commit``."""
FREE_COMMANDS = 6
"""LaTeX commands in an unbroken row; more are words with backslashes before them."""

_L = f"{LATIN}{GREEK}"
_SIGN = "=+×÷√±≤≥≠≈→⇒∈∪∩∥⊥∠△∑∫∂^*<>"
_TOKEN = lazy(
    rf"(?P<own>{OWN}(?:[ ]*{OWN})*+)"
    # n! and 5! are factorials, and end no sentence.
    rf"|(?P<end>(?:[.?]|(?<!(?<![{_L}])[{_L}\d])!)(?=[\s\"'”’)\]*]|\Z)|[。！？\n])"
    r"|(?P<command>\\[A-Za-z]+)"
    rf"|(?P<sign>(?<=[{_L}])[ ]?[{_SIGN}]|[{_SIGN}](?=[ ]?[{_L}])|(?<=[{_L}])[_/.:@](?=\w)|(?<=\d)[_/](?=[{_L}])"
    rf"|(?<=[{_L}])[{CALL}(\[]|(?<=[\w){CALL}])[:;{{](?=[ \t]*(?:\n|\Z))"
    rf"|(?<=[{_L}])-?\d+(?![{_L}\d])|(?<![\w-])--?(?=[{_L}]{{2}}))"
    r"|(?P<number>\d+)"
    r"|(?P<comma>[,、，;；·])"
    rf"|(?P<latin>[{LATIN}]+)"
    rf"|(?P<other>(?:(?![{LATIN}])[^\W\d_])+)"
)
_PIECE = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lcm lim liminf limsup ln log"
    " max min mod sec sin sinh sup tan tanh".split()
)
"""The names of functions that LaTeX sets upright (log-like symbols), with lcm and mod."""
_GREEK_LETTERS = lazy(f"[{GREEK}]{{1,2}}")
_SIGNS_OF_MATHEMATICS = lazy("[\u2100-\u214f\U0001d400-\U0001d7ff]")


@dataclass
class Foreign:
    """Letters that are not the language's own.

    Args:
        running: Words of another language.
        names: Names, identifiers and words in formulas.
        terms: Words with a particle, or in front of a word of the language: terms, or words of another language.
        loose: Those among them without a particle, which are less sure to be terms.
    """

    running: int = 0
    names: int = 0
    terms: int = 0
    loose: int = 0


@dataclass
class _Segment:
    reasons: int = 0
    numbers: int = 0
    commas: int = 0
    singles: int = 0
    pairs: list[int] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)

    def short(self, letters: int) -> None:
        """Count a piece of one or two letters."""
        if letters == 1:
            self.singles += 1
        else:
            self.pairs.append(letters)

    def close(self, foreign: Foreign, *, embedded: bool) -> None:
        """Count the pieces: the longest are excused."""
        for sizes in (self.pairs, self.names, self.words):
            sizes.sort(reverse=True)
        free = self.reasons + (FREE_TERMS if embedded else 0)
        foreign.names += sum(self.words[: self.reasons])
        loose = sum(self.words[self.reasons : free])
        foreign.terms += loose
        foreign.loose += loose
        foreign.running += sum(self.words[free:])
        # In a sentence of another language a capital begins it, and a piece of two letters is a word: two words
        # without an excuse are one.
        sentence = 2 * max(0, len(self.words) - free)
        more = 2 * self.reasons + self.numbers + self.commas
        foreign.running += max(0, self.singles - FREE_SHORTS - more)
        foreign.running += sum(self.pairs[max(0, FREE_SHORTS - sentence) + more :])
        free = max(0, FREE_NAMES - sentence) + self.reasons + self.commas
        foreign.names += sum(self.names[:free])
        foreign.running += sum(self.names[free:])


def foreign_letters(text: str) -> Foreign:
    r"""Count the letters of a text whose own words, and what is set apart in it, are replaced by `OWN` and `ASIDE`.

    >>> foreign_letters(f"x + y = 3{OWN} then we went home")
    Foreign(running=14, names=0, terms=0, loose=0)
    >>> foreign_letters(f"the loss{OWN}")
    Foreign(running=0, names=0, terms=7, loose=3)
    >>> foreign_letters("total = price")
    Foreign(running=5, names=5, terms=0, loose=0)
    """
    foreign, segment = Foreign(), _Segment()
    commands, before, is_new = 0, 0, True
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if is_new and kind in ("own", "end"):
            commands, before = 0, token.end()
            continue
        is_new = False
        said = token.group()
        commands = 0 if text[before : token.start()].strip() else commands
        before = token.end()
        if kind == "command":
            commands += 1
            segment.reasons += 1
            if commands > FREE_COMMANDS:
                foreign.running += len(said) - 1
            continue
        commands = 0
        if kind == "latin":
            _latin(said, text[token.end() : token.end() + 1] == OWN, segment, foreign)
        elif kind in ("own", "end"):
            segment.close(foreign, embedded=kind == "own")
            segment, is_new = _Segment(), True
        elif kind == "sign":
            segment.reasons += 1
        elif kind == "number":
            segment.numbers += 1
        elif kind == "comma":
            segment.commas += 1
        elif _GREEK_LETTERS.fullmatch(said):
            segment.short(len(said))
        else:
            foreign.running += sum(map(str.isalpha, _SIGNS_OF_MATHEMATICS.sub("", said)))
    segment.close(foreign, embedded=False)
    return foreign


def _latin(word: str, attached: bool, segment: _Segment, foreign: Foreign) -> None:
    """A run of Latin letters, by its shape."""
    if len(word) <= 2:
        segment.short(len(word))
    elif word.lower() in _FUNCTIONS:
        pass
    elif word != word.lower():
        segment.names += map(len, _PIECE.findall(word) if word.isascii() else [word])
    elif attached:
        foreign.terms += len(word)
    else:
        segment.words.append(len(word))
