"""The left side of ``x = 5``: which expressions name what is on the right, rather than make an equation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..formulas.cost_limits import UnreadableError
from ..formulas.formula_tree import Node, Symbol
from ..language.signs import FUNCTION_NAMES, GREEK
from ..runtime.patterns import lazy
from .formula_parser import scalar
from .spelling.tokens import encloses, is_word, split

_MAX_WORDS = 8
_LETTER = lazy(r"[A-Za-z]'*")
_NAMING = frozenset(
    r"""
    \angle \triangle \overline \vec \overrightarrow \widehat \hat \bar \tilde \widetilde \dot \ddot
    """.split()
)
_SEGMENT = lazy(r"[A-Z]'?[A-Z]'?")
_ANGLE = lazy(r"[A-Z]{3}")
_CAPITALIZED = lazy(r"[A-Z][a-z]+|[a-z]{3,}")
# After these a text says something about a value, and is not a name of one.
_SAYING = frozenset(
    """
    not no never isn't is are if because since so
    """.split()
)
_LINKING = frozenset("is are was were has have had gets get equals equal of".split())
_HEDGING = frozenset("about approximately or either maybe perhaps possibly first then".split())
"""After these a value is not what its label is worth for certain."""
_FUNCTIONS = frozenset("fghFGH")
_ROUNDING = {"\\lfloor": "\\rfloor", "\\lceil": "\\rceil"}
_OPERATORS = frozenset({"\\det", "\\mathbbE", "\\mathbbP", "\\Pr", "\\dim", "\\ker", "\\deg"})
"""Operators on something in brackets, which is not solved for them."""
_COMPOSED = lazy(r"\(([fghFGH])\\circ([fghFGH])\)\(([a-z])\)|([fghFGH])\(([fghFGH])\(([a-z])\)\)")
_ARTICLES = frozenset({"the", "a", "an"})
_SHORT = {"max": "maximum", "min": "minimum", "avg": "average"}
_CHOOSING = frozenset({"C", "P"})
"""``C(5, 2)`` and ``P(5, 2)`` count selections; they are not points."""


def name_of(words: Sequence[str]) -> tuple[str, Node | None, bool] | None:
    r"""Return a left side's name, tree, and whether it is an unknown or function; None for an expression.

    One thing has one name, however it is set: ``\overline{BA}`` is AB.

    >>> name_of(["f", "(", "x", ")"])[::2], name_of(["Max"])[::2], name_of(["2", "x"])
    (('f(x)', True), ('maximum', False), None)
    """
    if not words:
        return None
    if list(words) in (["\\max"], ["\\min"]):
        return _SHORT[words[0][1:]], None, False
    if (composed := _composed(words)) is not None:
        return composed, Symbol(composed), True
    if _is_variable(words):
        return "".join(words).replace("{", "").replace("}", ""), _tree(words), True
    if (segment := _segment(words)) is not None:
        return segment, _tree(words), False
    if _is_words(words):
        return _phrase(words), None, False
    if _is_tuple(words) or _is_label(words):
        return "".join(words), _tree(words), False
    return None


def names_of(words: Sequence[str]) -> list[tuple[str, Node | None, bool]]:
    """The names in ``(x, y)``; none for anything else."""
    if words[:1] != ["("] or not encloses(words):
        return []
    found = [name_of(part) for part in split(words[1:-1], frozenset({","}))]
    names = [name for name in found if name is not None]
    return names if len(names) == len(found) else []


def is_label(words: Sequence[str]) -> bool:
    """Return whether words before a colon say whose value follows: ``Ann``, ``the length``, not ``AB``."""
    return bool(words) and all(
        word[0] == '"' or is_word(word) or _CAPITALIZED.fullmatch(word) for word in words
    )


def point_of(words: Sequence[str], among: bool = False) -> tuple[str, list[str]] | None:
    """The name and the bracket of ``A(1, 2)`` or ``Q'(5, -2)``; None for anything else.

    Args:
        words: Tokens.
        among: Whether other points stand beside it, so that ``C(5, 2)`` is no binomial coefficient.
    """
    end = 1
    if words[1:2] == ["_"]:
        end = 6 if words[2:3] == ["{"] else 3
    bracket = list(words[end:])
    if not words or not re.fullmatch(r"[A-Z]'*", words[0]) or bracket[:1] != ["("] or not encloses(bracket):
        return None
    parts = split(bracket[1:-1], frozenset({","}))
    if len(parts) < 2 or not all(parts) or (words[0] in _CHOOSING and len(parts) == 2 and not among):
        return None
    return "".join(words[:end]).replace("{", "").replace("}", ""), bracket


def _tree(words: Sequence[str]) -> Node | None:
    try:
        node, rest = scalar(words)
    except UnreadableError:
        return None
    return None if rest else node


def _is_variable(words: Sequence[str]) -> bool:
    """A letter with its subscript, and possibly arguments in brackets."""
    first = words[0]
    if not (_LETTER.fullmatch(first) or first[1:] in GREEK) or (first in ("e", "i") and words[1:2] != ["("]):
        return False
    if first in _FUNCTIONS and "(" in words[2:] and encloses(words[1:]):
        return isinstance(_tree(words), Symbol)  # f(f(2))
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
    return (
        words[at] == "("
        and words[-1] == ")"
        and "(" not in inside
        and ("," in inside or not {"+", "-"} & set(inside))
    )


def _composed(words: Sequence[str]) -> str | None:
    r"""``(f \circ g)(x)`` and ``f(g(x))``, which are one."""
    match = _COMPOSED.fullmatch("".join(words))
    if match is None:
        return None
    outer, inner, argument = match.groups()[:3] if match[1] else match.groups()[3:]
    return f"{outer}({inner}({argument}))"


def label_of(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """The phrase before a value and the value: ``the center is (2, -1)``, ``Bob has 7``; else None.

    >>> label_of(['"The center is', "(", "2", ",", "3", ")"])
    ('center', ['(', '2', ',', '3', ')'])
    """
    end = 0
    while end < len(words) and (words[end][0] == '"' or (words[end].isalpha() and len(words[end]) > 1)):
        end += 1
    if not 0 < end < len(words) or not is_label(words[:1]) or words[end] in ("=", ":", "^", "_", "!"):
        return None
    said = " ".join(word.strip('"').casefold() for word in words[:end]).split()
    while said and said[-1] in _LINKING:
        said.pop()
    if not said or set(said) & (_SAYING - _LINKING) or set(said) & _HEDGING:
        return None
    return _phrase(said), list(words[end:])


def _segment(words: Sequence[str]) -> str | None:
    r"""``AB``, ``|AB|`` or ``\overline{BA}`` as AB, ``\angle CBA`` as the angle ABC: ends have no order."""
    bare = [word.strip('"') for word in words if word not in ("{", "}", "|", "\\overline", "m")]
    if len(bare) == 1 and _SEGMENT.fullmatch(bare[0]):
        return min(bare[0], "".join(re.findall("[A-Z]'?", bare[0])[::-1]))
    if len(bare) == 2 and bare[0] in ("\\angle", "\\widehat") and _ANGLE.fullmatch(bare[1]):
        return "\\angle" + min(bare[1], bare[1][::-1])
    return None


def _is_words(words: Sequence[str]) -> bool:
    folded = [word.strip('"').casefold() for word in words]
    return (
        len(words) <= _MAX_WORDS
        and all(
            is_word(word) or (word[0].isalpha() and len(word) > 1 and not word.islower()) for word in words
        )
        and not set(" ".join(folded).split()) & _SAYING
    )


def _phrase(words: Sequence[str]) -> str:
    """Words without case, articles and marks; short forms in full. A letter keeps its case: R is not r."""
    alone = " ".join(words).strip('" :.')
    if len(alone) == 1:
        return alone
    said = " ".join(word.strip('"').casefold() for word in words).strip(" :.").split()
    kept = [each for each in said if each not in _ARTICLES] or said
    return " ".join(_SHORT.get(each.strip("."), each) for each in kept)


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
    if (words[0][0] == '"' or words[0] in _OPERATORS) and encloses(words[1:]):
        return True  # Var(X)
    if words[0] in _ROUNDING and words[-1] == _ROUNDING[words[0]] and len(words) < _MAX_WORDS:
        return True
    if len(words) > 2 and words[-2] == "^" and words[-1].isdecimal():
        powered = name_of(words[:-2])
        return powered is not None and not powered[2] and powered[1] is not None  # AB^2, |z|^2
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
