"""Points at which two formulas certainly differ, and the enclosures that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from ...runtime.packages import deferred
from ..formula_tree import Node, symbols
from .ball_comparison import FIRST, MAX_PEAK, SECOND
from .ball_values import NoValueError, Point, value_at
from .points import KINDS, coordinate, has_pieces, points_at_switches

flint = deferred("flint")

_COUNTING = frozenset("ijklmn")
"""Letters that stand for whole numbers by custom: (-1)^n and cos(n pi) differ nowhere else."""
_POSITIVE, _WHOLE = (
    tuple(number for number, kind in enumerate(KINDS) if kind == wanted) for wanted in ("positive", "whole")
)
_DIGITS = (20, 60, 300, 2_000)
"""Digits of an enclosure: the first number of them that tells two values apart."""


def apart(one: Node, other: Node) -> dict[str, Fraction] | None:
    """A point at which two formulas in the same unknowns certainly differ; None where none is known.

    All unknowns are positive there, and those that count are whole: a question may say as much of them.

    Args:
        one: A formula.
        other: Another.

    >>> from verifiers.reading.formula_parser import parse
    >>> apart(parse("x+1"), parse("x+2")) is None, apart(parse("(-1)^n"), parse(r"\\cos(n\\pi)")) is None
    (False, True)
    """
    names = sorted(symbols(one) | symbols(other))
    return next((at for at in _points(one, other, names) if _differ(one, other, at)), None)


def _points(one: Node, other: Node, names: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    if not names:
        yield {}
        return
    for number, whole in zip((*_POSITIVE, *_WHOLE), (*_WHOLE, *_WHOLE), strict=True):
        yield {name: coordinate(name, whole if name[0] in _COUNTING else number) for name in names}
    if has_pieces(one) or has_pieces(other):
        for at in points_at_switches(one, other, names):
            if all(
                value > 0 and (name[0] not in _COUNTING or value.denominator == 1)
                for name, value in at.items()
            ):
                yield at


def _differ(one: Node, other: Node, at: Mapping[str, Fraction]) -> bool:
    peak = 0
    for precision in (FIRST, SECOND):
        try:
            point = Point(at)
            with precise(precision + 2 * peak):
                difference = value_at(one, point) - value_at(other, point)
        except NoValueError:
            return False
        if difference.is_finite() and not difference.contains(0):
            return True
        peak = point.peak
        if peak > MAX_PEAK:
            return False
    return False


@contextmanager
def precise(bits: int) -> Iterator[None]:
    """Work with so many bits inside."""
    before = flint.ctx.prec
    try:
        flint.ctx.prec = bits
        yield
    finally:
        flint.ctx.prec = before


def ball_at(node: Node, at: Mapping[str, Fraction], precision: int = FIRST) -> Any:
    """The ball of a formula at a point.

    Raises:
        NoValueError: It has no certain value there.
    """
    with precise(precision):
        return value_at(node, Point(at))


def enclosures(one: Node, other: Node, at: Mapping[str, Fraction]) -> tuple[list[str], list[str]] | None:
    """Two values as decimals with their errors, real and imaginary part, so many that they do not meet.

    Args:
        one: A formula.
        other: Another.
        at: A point at which they differ.

    >>> from verifiers.reading.formula_parser import parse
    >>> enclosures(parse("1/4"), parse(r"\\sqrt{2}"), {})[0]
    ['0.25000000000000000000', '0']
    """
    for digits in _DIGITS:
        try:
            values = [ball_at(each, at, FIRST + 4 * digits) for each in (one, other)]
        except NoValueError:
            return None
        texts = [[part.str(digits) for part in (value.real, value.imag)] for value in values]
        with precise(FIRST + 4 * digits):
            read = [flint.acb(*map(flint.arb, each)) for each in texts]
            if not (read[0] - read[1]).contains(0):
                return texts[0], texts[1]
    return None
