"""The left side of ``x = 5``: which expressions name what is on the right, rather than make an equation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..formulas.formula_tree import Node
from ..text.token_splitting import split
from ..text.tokens import FUNCTION_NAMES, GREEK, UnreadableError, is_word
from .formula_parser import scalar

_MAX_WORDS = 8
_LETTER = re.compile(r"[A-Za-z]'*")
_NAMING = frozenset(
    {"\\angle", "\\triangle", "\\overline", "\\vec", "\\overrightarrow", "\\widehat", "\\hat", "\\bar"}
)
# After these a text says something about a value, and is not a name of one.
_SAYING = frozenset(
    """
    not no never isn't is are if because since so
    """.split()
)


def name_of(words: Sequence[str]) -> tuple[str, Node | None, bool] | None:
    """What a left side names, its tree, and whether it is one unknown or function; None for an expression.

    >>> name_of(["f", "(", "x", ")"])[::2], name_of(["Maximum"])[::2], name_of(["2", "x"])
    (('f(x)', True), ('maximum', False), None)
    """
    if not words:
        return None
    if list(words) in (["\\max"], ["\\min"]):
        return words[0][1:], None, False
    if _is_variable(words):
        return "".join(words).replace("{", "").replace("}", ""), _tree(words), True
    if _is_words(words):
        return " ".join(word.strip('"').casefold().strip(" :") for word in words), None, False
    if _is_tuple(words) or _is_label(words):
        return "".join(words), _tree(words), False
    return None


def _tree(words: Sequence[str]) -> Node | None:
    try:
        node, rest = scalar(words)
    except UnreadableError:
        return None
    return None if rest else node


def _is_variable(words: Sequence[str]) -> bool:
    """A letter with its subscript, and possibly arguments in brackets."""
    first = words[0]
    if not (_LETTER.fullmatch(first) or first[1:] in GREEK) or first in ("e", "i"):
        return False
    at = 1
    if words[at : at + 1] == ["_"]:
        at += 2
        if words[at - 1 : at] == ["{"]:
            if "}" not in words[at:]:
                return False
            at = list(words).index("}", at) + 1
    if list(words[at : at + 5]) == ["^", "{", "-", "1", "}"]:
        at += 5  # an inverse function
    if at >= len(words):
        return at == len(words)
    # n(x + 1) would be a product, f(x) and P(A \cap B) are not.
    inside = list(words[at + 1 : -1])
    return words[at] == "(" and words[-1] == ")" and "(" not in inside and not {"+", "-"} & set(inside)


def _is_words(words: Sequence[str]) -> bool:
    folded = [word.strip('"').casefold() for word in words]
    return (
        len(words) <= _MAX_WORDS
        and all(
            is_word(word) or (word[0].isalpha() and len(word) > 1 and not word.islower()) for word in words
        )
        and not set(" ".join(folded).split()) & _SAYING
    )


def _is_tuple(words: Sequence[str]) -> bool:
    r"""``(x, y)``, ``(f(n), g(n))``."""
    if words[0] != "(" or words[-1] != ")" or "," not in words:
        return False
    names = split(words[1:-1], frozenset({","}))
    return all(name and _is_variable(name) for name in names)


def _is_label(words: Sequence[str]) -> bool:
    r"""``\cos(x)``, ``\angle ABC``, ``AB``, ``\frac{NO}{BO}``, ``A:B``: measured, not solved for."""
    if words[0][1:] in FUNCTION_NAMES and words[0][0] == "\\":
        inside = [word for word in words[1:] if word not in ("(", ")", "{", "}")]
        return len(inside) == 1 or inside[:1] in (["\\angle"], ["\\theta"])
    if words[0] == words[-1] == "|" and 2 < len(words) < 8 and name_of(words[1:-1]) is not None:
        return True  # |z| = 5
    if words[:2] == ["\\frac", "{"] and all(word in ("\\frac", "{", "}") or word[0] == "d" for word in words):
        return True  # a derivative
    if any(word in _NAMING for word in words):
        return all(word not in ("+", "-", "=") for word in words)
    letters = [word for word in words if word[0].isalpha()]
    allowed = {"\\frac", "{", "}", "/", ":", "_", "|", "[", "]"}
    if not letters or not all(word in allowed or word in letters or word.isdecimal() for word in words):
        return False
    if ":" in words:
        return len(letters) > 1
    return sum(map(len, letters)) > 1 and all(word.isupper() for word in letters)
