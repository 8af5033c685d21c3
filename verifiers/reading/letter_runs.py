"""What a run of letters is in a formula: an unknown, a constant, a product, a function, or no formula."""

from __future__ import annotations

from ..formulas.formula_tree import Constant, Node, Symbol
from ..formulas.limits import UnreadableError
from ..language.signs import GREEK
from . import latex_commands
from .notation import function_letters
from .notation.grammar import Grammar
from .text.tokens import COMMON_WORDS, is_word

_UNKNOWN_FUNCTIONS = frozenset(["f", "g", "h", "F", "G", "H"])


def read(reader: Grammar, token: str, spelled: bool) -> Node:
    """One unknown or constant; of a run of letters the first, and the others follow.

    Args:
        reader: The place after the token.
        token: The run of letters, with its primes.
        spelled: Whether it is a product of unknowns even where it could be a unit.

    Raises:
        UnreadableError: It is a word.
    """
    name = token.rstrip("'")
    if len(name) > 1 and name.isupper() and name.isascii():
        return Symbol(token)  # a segment, or letters drawn in an order: not a product
    if len(name) > 1:
        if name in GREEK or name == "pi":
            return latex_commands.read(reader, name)
        if is_word(token) and not spelled:
            raise UnreadableError(f"{token!r} is a word")
        if len(name) > 3 or not name.isascii() or name in COMMON_WORDS:
            raise UnreadableError(f"{token!r} is a word")
        reader.position -= 1
        reader.words[reader.position : reader.position + 1] = [*name[:-1], name[-1] + token[len(name) :]]
        token = reader.take()
    token += reader.subscript()
    if reader.peek() == "(" and (known := function_letters.applied(reader, token)) is not None:
        return known
    if token in ("e", "i"):
        return Constant(token)
    if token.rstrip("'")[:1] in _UNKNOWN_FUNCTIONS and reader.peek() == "(":
        return Symbol(token + _skipped(reader))
    return Symbol(token)


def _skipped(reader: Grammar) -> str:
    """The text of a bracketed group that is not evaluated."""
    start = reader.position
    reader.arguments()
    return "".join(reader.words[start : reader.position])
