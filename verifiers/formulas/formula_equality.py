"""Whether two trees are equal: exactly, as rational functions, then by balls."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from typing import TypeGuard

from . import polynomials
from .balls import ball_comparison
from .exact_values import TooLargeError, exact
from .formula_tree import Apply, Node, Number, functions, is_understood, rebuild, walk
from .meter import spend

_COMPARISON = 60
"""Units that a comparison as rational functions takes at least."""
_TEN = Number(Fraction(10))


def decide(one: Node, other: Node, any_base: bool = True) -> str | None:
    r"""The reason code of `MathEquivalence` for two values; None where another stage must decide.

    Args:
        one: A value.
        other: Another.
        any_base: Whether ``log`` may have the base 10 as well, if then both agree; else it is the natural
            logarithm.

    >>> from verifiers.reading.formula_parser import parse
    >>> decide(parse(r"\sqrt{8}"), parse(r"2\sqrt{2}")), decide(parse("(x+1)(x-1)"), parse("x^2-1"))
    ('equal_numeric', 'equal_algebra')
    >>> decide(parse("1/2"), parse("1/3"))
    'proved_unequal'
    """
    if isinstance(one, Number) and isinstance(other, Number):
        return "equal_rational" if one.value == other.value else "proved_unequal"
    if one == other:
        return "equal_algebra"
    size = len(walk(one)) + len(walk(other))
    spend(size)
    with contextlib.suppress(TooLargeError):
        first, second = exact(one), exact(other)
        if first is not None and second is not None:
            return "equal_rational" if first == second else "proved_unequal"
    spend(_COMPARISON + size)
    reason = _decided(one, other)
    if any_base and not is_equal(reason) and "log" in functions(one) | functions(other):
        # It is unknown which base is meant: one under which both agree is enough.
        reason = _decided(to_base_ten(one), to_base_ten(other))
    if reason == "proved_unequal" and not (is_understood(one) and is_understood(other)):
        return "not_equal"
    return reason


def is_equal(reason: str | None) -> TypeGuard[str]:
    """Whether a reason code says that two things are equal; None, for what is not decided, does not."""
    return reason is not None and reason.startswith("equal_")


def _decided(one: Node, other: Node) -> str | None:
    with contextlib.suppress(TooLargeError):
        identical = polynomials.identical(one, other)
        if identical is not None:
            return "equal_algebra" if identical else "proved_unequal"
    same = ball_comparison.equal(one, other)
    return None if same is None else "equal_numeric" if same else "proved_unequal"


def to_base_ten(node: Node) -> Node:
    """A formula whose logarithms without a base are those to ten."""
    return rebuild(
        node,
        lambda each: (
            Apply("log_base", (_TEN, *each.arguments))
            if isinstance(each, Apply) and each.function == "log"
            else None
        ),
    )
