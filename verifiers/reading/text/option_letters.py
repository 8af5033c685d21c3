"""Letters of options: ``B`` and "(B) 12", ``ACD`` and "A, C, D"."""

from __future__ import annotations

import re

from ...runtime.patterns import lazy

_CHOICE = lazy(r"\(?[A-J]\)?")
# "(B) 12", "(b)", "b)" and "Option B" choose B, if no other letter is offered as well.
_CHOSEN = lazy(
    r"(?:\\text(?:bf)?\s*\{\s*)?(?:\(([A-J])\)(?!.*\([A-J]\)).{0,40}"
    r"|(?:option|choice|answer)\s*+:?\s*+\(?([A-J])\)?|([A-J])[).]?)\s*\}?",
    re.IGNORECASE,
)
# "B) 12", "(B) 12", "B. 12", "B: 12", "Option B: 12", the letter set as text or all of it.
_OPTION = lazy(
    r"""
    (?P<set>\\(?:text(?:bf|rm|it)?|mathrm)\s*\{\s*)? (?P<word>(?:[Oo]ption|[Cc]hoice|[Aa]nswer)\s*+:?\s*+)?
    (?: \((?P<round>[A-J])\) | (?P<half>[A-J])\) | (?P<stop>[A-J])[.:](?=[\s}]) )
    [.:]?(?P<end>\s*\})? (?P<space>\s*) (?P<rest>\S.{0,200})
    """,
    re.VERBOSE | re.DOTALL,
)
# What makes the letter a part of a formula or of a list: (A) + 3, (A)(B), (A), (B).
_CONTINUED = lazy(
    r"(?:[+*/^_=<>|,;.!)}]|'(?![\w ])|-\s"
    r"|\\(?:cdot|times|div|leq?|geq?|neq?|cup|cap|in|pm|mp|to|equiv)(?![a-zA-Z]))"
)
_OTHER_OPTION = lazy(
    r"\([A-J]\)|(?<![\w\\])[A-J](?:\)|[.:]\s)|\b(?:option|choice|or|maybe|perhaps)\b", re.IGNORECASE
)
# What makes a text with a letter in brackets no choice of it: (A) + 1, (A)7, (A) or 17, (A), 17.
_NO_CHOICE = lazy(
    r"[\d-]|[a-z](?![a-z])|[\s}]*+(?:[+*/^_=<>|!']|,?\s*+(?:or|and|but)\b|[,;]\s*[-\d\\(]|-\s+[\d\\(]"
    r"|\\text\s*+\{\s*+,?\s*+(?:or|and|but)\b|\\(?:cdot|times|div|pm|mp)(?![a-z]))",
    re.IGNORECASE,
)
_DENIED = lazy(r"\b(?:wrong|incorrect|is not|isn't|is false|cannot|can't)(?!\w)", re.IGNORECASE)
_LETTERS, _LETTER_LIST = re.compile("[A-J]{2,8}"), re.compile(r"\(?[A-J]\)?(?:\s*,\s*\(?[A-J]\)?)+")


def letter_run(text: str) -> list[str]:
    """The letters of ``ACD`` in their order; none for anything else."""
    return sorted(text) if _LETTERS.fullmatch(text) else []


def letter_list(text: str) -> list[str]:
    """The letters of "A, C, D" in their order; none for anything else.

    >>> letter_list("(C), A")
    ['A', 'C']
    """
    return sorted(re.findall("[A-J]", text)) if _LETTER_LIST.fullmatch(text) else []


def lone_letter(text: str) -> str:
    """The letter of ``B`` or ``(B)``, folded; "" for anything else."""
    return text.strip("()").casefold() if _CHOICE.fullmatch(text) else ""


def chosen_letter(text: str) -> str:
    """The letter that "(B) 12" or "Option B" chooses, folded; "" for anything else.

    >>> chosen_letter("(B) 12"), chosen_letter("(B) or (C)")
    ('b', '')
    """
    chosen = _CHOSEN.fullmatch(text)
    if chosen is None or _DENIED.search(text):
        return ""
    if chosen[1]:
        behind = text[chosen.end(1) + 1 :]
        if _NO_CHOICE.match(behind.removeprefix("}") if text.startswith("\\text") else behind):
            return ""
    return (chosen[1] or chosen[2] or chosen[3]).casefold()


def option(text: str) -> tuple[str, str] | None:
    r"""The letter of an option, folded, and its text; None for anything else, and for several options.

    >>> option("B) 12"), option(r"\textbf{(B)} 12"), option(r"\text{C. the Nile}")
    (('b', '12'), ('b', '12'), ('c', '\\text{the Nile}'))
    >>> option("A(1,2)"), option("(A) + 3"), option("B) 12, C) 13")
    (None, None, None)
    """
    found = _OPTION.fullmatch(text)
    if found is None or _CONTINUED.match(found["rest"]) or _OTHER_OPTION.search(found["rest"]):
        return None
    if _DENIED.search(found["rest"]):
        return None
    rest = found["rest"]
    if bool(found["set"]) < bool(found["end"]):
        return None
    if found["set"] and not found["end"]:
        rest = r"\text{" + rest
    elif found["round"] and not (found["set"] or found["word"] or found["space"]):
        return None  # (A)5 is a product
    letter = found["round"] or found["half"] or found["stop"]
    return letter.casefold(), rest
