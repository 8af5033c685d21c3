"""The tokens of a formula: numbers, commands, letters and signs, and the names that the grammar knows."""

from __future__ import annotations

import re

from .limits import MAX_TREE_TOKENS


class UnreadableError(Exception):
    """The text is no expression of this grammar, or larger than it reads."""


_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<command>\\[a-zA-Z]+)"
    r"|(?P<word>[a-zA-Z]+)"
    r"|(?P<sign>\*\*|[-+*/^_(){}\[\]|!])"
    r")"
)
GREEK = frozenset(
    """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho varrho
    sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega ell""".split()
)
_NAMES = {
    "sin": "sin", "cos": "cos", "tan": "tan", "tg": "tan", "cot": "cot", "ctg": "cot", "sec": "sec",
    "csc": "csc", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctg": "atan", "asin": "asin",
    "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "ln": "ln",
    "log": "log", "lg": "lg", "exp": "exp",
}  # fmt: skip
INVERSES = {"sin": "asin", "cos": "acos", "tan": "atan"}
FUNCTION_NAMES = {**_NAMES, "abs": "abs", "floor": "floor", "ceil": "ceil"}
TIMES = {"*", "\\cdot", "\\times", "\\ast"}
DIVIDED = {"/", "\\div"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
BRACKETS = {
    "lfloor": ("\\rfloor", "floor"),
    "lceil": ("\\rceil", "ceil"),
    "lvert": ("\\rvert", "abs"),
}
_MAX_PRODUCT_WORD = 3
"""Letters of the longest run that is read as a product of unknowns: ``xyz``, but never ``apples``."""


def tokens(text: str) -> list[str]:
    """The tokens of a cleaned formula.

    Raises:
        UnreadableError: A character, or a word, that the grammar does not know; or too many tokens.
    """
    found: list[str] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise UnreadableError(f"{text[position]!r} is not read here")
        token = match.group().strip()
        if match["word"]:
            found.extend(_words(token))
        else:
            found.append(token)
        position = match.end()
        if len(found) > MAX_TREE_TOKENS:
            raise UnreadableError("too long")
    if not found:
        raise UnreadableError("empty")
    return found


def _words(run: str) -> list[str]:
    """A run of letters: a function's name, ``pi``, ``sqrt``, or unknowns that are multiplied."""
    if run in FUNCTION_NAMES or run in ("pi", "sqrt"):
        return [f"\\{run}"]
    if len(run) > _MAX_PRODUCT_WORD:
        raise UnreadableError(f"{run!r} is a word")
    return list(run)
