r"""What follows a statement and says for which letters it holds: "for all x", ``k \in \mathbb{Z}``.

Only what is made of such words and signs alone is taken off. "42 if any, 41 otherwise" says two things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...runtime.patterns import lazy
from .token_splitting import split

_OPENING = frozenset(["for", "where", "with", "when", "whenever"])
_WORDS = """
    for where with when whenever all any some every each positive nonnegative non-negative nonzero natural
    real rational integer integers whole number numbers constant constants arbitrary is are be being a an the
    of and values value both
    """.split()
_SET = r"\\mathbb(?P<set>[A-Z](?:\s*+[_^]\s*+(?:\{\s*+)?(?:>=?\s*+0|[+*])\s*+\}?)?)"
_BOUND = r"(?:>=?\s*+[01](?![\d.])|!=\s*+-?\s*+\d++)"
"""That a letter counts, or is positive: n > 5 says more."""
_EXCEPT = lazy(r"(?:for|where|with|when)\s++[a-zA-Z]\s*+!=[^<>=]*+")
"""Where a formula has no value, as anybody sees: (x^2 - 9)/(x - 3) for x != 3."""
_TAIL = lazy(
    rf"(?:[(,]\s*+)?(?:\\forall\s*+)?(?:(?:(?:\\(?!in\b|mathbb)[a-z]+|[a-z])(?:\s?_\s?\w)?'?(?![a-z])|(?:{'|'.join(_WORDS)})(?![a-z])"
    rf"|,|\\in\s*+{_SET}|{_BOUND})\s*+)++\)?",
    re.IGNORECASE,
)
_QUANTIFIER = lazy(
    r"\b(?:all|any|some|every|each|integers?|positive|natural|real|constants?|arbitrary)\b|\\in", re.I
)
_EVERY = lazy(r"\b(?:all|every|each)\b|\\forall", re.IGNORECASE)
_LETTER = lazy(r"(?<![\w\\])[a-zA-Z](?!\w)")
_INEQUALITIES = frozenset({"<", "<=", ">", ">=", "!="})
_RELATIONS = _INEQUALITIES | {"="}
_LONGEST = 30  # tokens
_WORD = 4  # letters: a run as long as that is not a product


def unqualified(words: list[str]) -> tuple[list[str], dict[str, str]]:
    r"""A statement without its qualifier, and the name of each letter that stands for any number of a set.

    >>> unqualified(["2", "k", ",", "k", "\\in", "\\mathbbZ"])
    (['2', 'k'], {'k': '#Z:k'})
    >>> unqualified(["5", '"if any', ",", "6"])
    (['5', '"if any', ',', '6'], {})
    """
    depth = 0
    for position, word in enumerate(words):
        depth += word in ("(", "[", "{", "\\{")
        depth -= word in (")", "]", "}", "\\}")
        tail = words[position:]
        if not position or len(tail) > _LONGEST or not _may_begin(word, tail):
            continue
        if depth and not (word == "(" and depth == 1 and words[-1] == ")"):
            continue
        text = " ".join(each.strip('"') for each in tail)
        match = _TAIL.fullmatch(text)
        if match is None:
            continue
        if _EXCEPT.fullmatch(text):
            return words[:position], {}
        if not _QUANTIFIER.search(text):
            continue
        return _taken_off(words[:position], text, match["set"])
    return words, {}


def _may_begin(word: str, tail: Sequence[str]) -> bool:
    first = word.strip('" ,').casefold().partition(" ")[0]
    return (
        first in _OPENING
        or word == "\\forall"
        or (word in ("(", ",") and ("\\in" in tail or any("integer" in each for each in tail)))
    )


def _taken_off(head: list[str], text: str, domain: str | None) -> tuple[list[str], dict[str, str]]:
    kind = _kind(text, domain)
    letters = sorted(set(_LETTER.findall(text)))
    plain = head[:-1] if head[-1:] == [","] else head
    sides = split(plain, _RELATIONS)
    subjects = [letter for letter in letters if [letter] in sides]
    if not _INEQUALITIES.isdisjoint(plain) and subjects:
        # x > 2 over the whole numbers is not x > 2.
        if kind == "R":
            return plain, {}
        return (
            [*plain, ",", subjects[0], "\\in", f"\\mathbb{kind}"]
            if kind in ("Z", "N")
            else [*head, "\\forall"]
        ), {}
    if len(sides) > 1 and _EVERY.search(text):
        return plain, {}  # f(x) = 2x for all x: of what numbers was said in the question
    arguments = "".join(sides[0]) if len(sides) > 1 else ""
    runs = [word for word in plain if word.isalpha() and len(word) < _WORD]
    found = [letter for letter in letters if letter not in arguments and any(letter in run for run in runs)]
    if not found and not _EVERY.search(text) and domain is None:
        return [*head, "\\forall"], {}  # "for some x": it is unknown for which
    return plain, {letter: f"#{kind}:{letter}" for letter in found}


def _kind(text: str, domain: str | None) -> str:
    """The set of numbers that a qualifier speaks of: "Z" with a sign for what is left out of it."""
    folded = text.casefold()
    positive = "positive" in folded or (domain is not None and any(mark in domain for mark in "+>"))
    if domain is not None:
        letter = domain[0]
    else:
        letter = "N" if "natural" in folded else "Z" if "integer" in folded or "whole" in folded else "R"
    if letter == "Z" and positive and "nonnegative" not in folded and "non-negative" not in folded:
        return "N"
    marks = [word[:4] for word in ("nonnegative", "non-negative", "nonzero", "rational") if word in folded]
    return letter + ("+" if positive and letter != "N" else "") + "".join(marks)
