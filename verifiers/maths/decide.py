"""Whether two formulas that the grammar reads are equal: exactly, as rational functions, then by balls."""

from __future__ import annotations

import contextlib
from functools import lru_cache

from . import algebra, balls
from .algebra import TooLargeError
from .parser import parse
from .tokens import UnreadableError
from .tree import Apply, Node, symbols, walk

MAX_SIDES = 20
"""Sides of the longest calculation that is followed."""


def decide(expected: str, given: str) -> str | None:
    r"""The reason code of `MathEquivalence` for two cleaned formulas; None where another stage must decide.

    >>> decide(r"\sqrt{8}", r"2\sqrt{2}"), decide("(x+1)(x-1)", "x^2-1"), decide("1/2", "1/3")
    ('equal_numeric', 'equal_algebra', 'proved_unequal')
    >>> decide("x < 3", "3 > x") is None
    True
    """
    wanted, answer = _tree(expected), _tree(given)
    if wanted is None or answer is None:
        return None
    with contextlib.suppress(TooLargeError):
        one, other = algebra.exact(wanted), algebra.exact(answer)
        if one is not None and other is not None:
            return "equal_rational" if one == other else "proved_unequal"
    if _bare_logarithm(wanted) != _bare_logarithm(answer):
        return None  # nobody has said which base is meant
    with contextlib.suppress(TooLargeError):
        identical = algebra.identical(wanted, answer)
        if identical is not None:
            return "equal_algebra" if identical else "proved_unequal"
    same = balls.equal(wanted, answer)
    return None if same is None else "equal_numeric" if same else "proved_unequal"


def chain(sides: list[str]) -> bool | None:
    """Whether all sides of a calculation have one value; None if one has unknowns or is not decided."""
    if len(sides) > MAX_SIDES:
        return None
    trees = [_tree(side) for side in sides]
    if any(tree is None or symbols(tree) for tree in trees):
        return None
    reasons = [decide(side, sides[-1]) if side != sides[-1] else "equal_text" for side in sides[:-1]]
    if any(reason == "proved_unequal" for reason in reasons):
        return False
    return True if all(reason is not None for reason in reasons) else None


@lru_cache(maxsize=4096)
def _tree(text: str) -> Node | None:
    try:
        return parse(text)
    except UnreadableError:
        return None


def _bare_logarithm(node: Node) -> bool:
    return any(isinstance(each, Apply) and each.function == "log" for each in walk(node))
