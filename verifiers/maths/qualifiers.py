r"""What stands behind a statement and says for which letters it holds: "for all x", ``k \in \mathbb{Z}``.

Only what is made of such words and signs alone is taken off. "42 if any, 41 otherwise" says two things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_OPENING = frozenset(["for", "where", "with", "when", "whenever"])
_WORDS = """
    for where with when whenever all any some every each positive nonnegative non-negative nonzero natural
    real rational integer integers whole number numbers constant constants arbitrary is are be being a an the
    of and values value both
    """.split()
_SET = r"\\mathbb(?P<set>[A-Z])(?:\s*[_^]\s*\{?\s*(?:>=?\s*0|[+*])\s*\}?)?"
_TAIL = re.compile(
    rf"(?:[(,]\s*)?(?:\\forall\s*)?(?:(?:(?:{'|'.join(_WORDS)})(?![a-z])|(?:\\(?!in\b|mathbb)[a-z]+|[a-z])(?:_\w)?'?(?![a-z])"
    rf"|,|\\in\s*{_SET})\s*)+\)?",
    re.IGNORECASE,
)
_QUANTIFIER = re.compile(
    r"\b(?:all|any|some|every|each|integers?|positive|natural|real|constants?|arbitrary)\b|\\in", re.I
)
_EVERY = re.compile(r"\b(?:all|every|each)\b|\\forall", re.IGNORECASE)
_LETTER = re.compile(r"(?<![\w\\])[a-zA-Z](?!\w)")
_INEQUALITIES = frozenset({"<", "<=", ">", ">=", "!="})
_LONGEST = 30  # tokens


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
        if match is None or not _QUANTIFIER.search(text):
            continue
        return _taken_off(words[:position], text, match["set"])
    return words, {}


def _may_begin(word: str, tail: Sequence[str]) -> bool:
    first = word.strip('" ,').casefold().partition(" ")[0]
    return first in _OPENING or word == "\\forall" or (word in ("(", ",") and "\\in" in tail)


def _taken_off(head: list[str], text: str, domain: str | None) -> tuple[list[str], dict[str, str]]:
    inequality = not _INEQUALITIES.isdisjoint(head)
    if inequality and domain not in (None, "R"):
        return [*head, ",", *_membership(text)], {}  # whole numbers above 2 are not all numbers above 2
    head = head[:-1] if head[-1:] == [","] else head
    if inequality or _EVERY.search(text):
        return head, {}
    kind = domain or _kind(text)
    arguments = head[: head.index("=")] if "=" in head else []
    letters = [letter for letter in _LETTER.findall(text) if letter in head and letter not in arguments]
    return head, {letter: f"#{kind}:{letter}" for letter in sorted(set(letters))}


def _membership(text: str) -> list[str]:
    match = re.search(r"([a-zA-Z])\s*\\in\s*(\\mathbb[A-Z])", text)
    return [match[1], "\\in", match[2]] if match else ["\\forall"]


def _kind(text: str) -> str:
    folded = text.casefold()
    if "natural" in folded or "positive integer" in folded:
        return "N"
    return "Z" if "integer" in folded else "R"
