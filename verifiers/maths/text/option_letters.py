"""Letters of options: ``B`` and "(B) 12", ``ACD`` and "A, C, D"."""

from __future__ import annotations

import re

_CHOICE = re.compile(r"\(?[A-J]\)?")
# "(B) 12" and "Option B" choose B, if no other letter is offered as well.
_CHOSEN = re.compile(
    r"(?:\\text(?:bf)?\s*\{\s*)?(?:\(([A-J])\)(?!.*\([A-J]\)).{1,40}"
    r"|(?:option|choice|answer)\s*:?\s*\(?([A-J])\)?)\s*\}?",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"\\text(?:bf)?\s*\{\s*\([A-J]\)\s*\}\s*([^\s(].{0,200})")
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
    return (chosen[1] or chosen[2]).casefold() if chosen else ""


def behind_letter(text: str) -> str | None:
    r"""What follows the letter of an option: ``5`` in ``\text{(A)} 5``; None without a letter."""
    lettered = _LETTERED.fullmatch(text) if text.startswith("\\text") else None
    return None if lettered is None else lettered[1]
