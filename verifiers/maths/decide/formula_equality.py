"""Whether two trees are equal: exactly, as rational functions, then by balls."""

from __future__ import annotations

import contextlib
from fractions import Fraction

from ..read.formula_tree import Apply, Node, Number, functions, rebuild
from . import algebra, balls
from .algebra import TooLargeError

_TEN = Number(Fraction(10))


def decide(one: Node, other: Node) -> str | None:
    r"""The reason code of `MathEquivalence` for two values; None where another stage must decide.

    >>> from .parser import parse
    >>> decide(parse(r"\sqrt{8}"), parse(r"2\sqrt{2}")), decide(parse("(x+1)(x-1)"), parse("x^2-1"))
    ('equal_numeric', 'equal_algebra')
    >>> decide(parse("1/2"), parse("1/3"))
    'proved_unequal'
    """
    if isinstance(one, Number) and isinstance(other, Number):
        return "equal_rational" if one.value == other.value else "proved_unequal"
    if one == other:
        return "equal_algebra"
    with contextlib.suppress(TooLargeError):
        first, second = algebra.exact(one), algebra.exact(other)
        if first is not None and second is not None:
            return "equal_rational" if first == second else "proved_unequal"
    reason = _decided(one, other)
    if reason in ("equal_algebra", "equal_numeric") or "log" not in functions(one) | functions(other):
        return reason
    # Nobody has said which base is meant: one under which both agree is enough.
    return _decided(_to_base_ten(one), _to_base_ten(other))


def _decided(one: Node, other: Node) -> str | None:
    with contextlib.suppress(TooLargeError):
        identical = algebra.identical(one, other)
        if identical is not None:
            return "equal_algebra" if identical else "proved_unequal"
    same = balls.equal(one, other)
    return None if same is None else "equal_numeric" if same else "proved_unequal"


def _to_base_ten(node: Node) -> Node:
    return rebuild(
        node,
        lambda each: (
            Apply("log_base", (_TEN, *each.arguments))
            if isinstance(each, Apply) and each.function == "log"
            else None
        ),
    )
