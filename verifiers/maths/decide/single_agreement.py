"""Whether shapes that hold no others agree with anything: words, ratios, times, numerals, infinities."""

from __future__ import annotations

from itertools import pairwise

from ..formulas.formula_tree import Number, Product, inverse
from ..formulas.shapes import Clock, Infinity, Numeral, Ratio, Shape, Value, Words
from .policy import Policy
from .values import agree, all_agree

_HALF_DAY = 12 * 3600


def same_words(one: Words, other: Shape, policy: Policy) -> bool | None:
    """The same words."""
    if not isinstance(other, Words):
        return False
    return one.text == other.text


def same_ratio(one: Ratio, other: Shape, policy: Policy) -> bool | None:
    """The same up to a factor; a ratio of two is a quotient, and may be meant as a time."""
    if isinstance(other, Clock):
        # 20:34 is a ratio, too: the one that 10:17 is.
        return policy.customs == "assumed" and _as_seconds(one) == other.seconds
    if isinstance(other, Value) and len(one.parts) == 2:
        return agree(Value(Product((one.parts[0].node, inverse(one.parts[1].node)))), other, policy)
    if not isinstance(other, Ratio) or len(one.parts) != len(other.parts):
        return False
    crossed = []
    for (left, right), (low, high) in zip(pairwise(one.parts), pairwise(other.parts), strict=True):
        pair = Value(Product((left.node, high.node))), Value(Product((right.node, low.node)))
        crossed.append(agree(*pair, policy))
    return all_agree(crossed)


def _as_seconds(ratio: Ratio) -> int | None:
    numbers = [part.node.value for part in ratio.parts if isinstance(part.node, Number)]
    if len(numbers) != len(ratio.parts) or len(numbers) > 3:
        return None
    return sum(int(number) * (3600, 60, 1)[place] for place, number in enumerate(numbers))


def same_clock(one: Clock, other: Shape, policy: Policy) -> bool | None:
    """The same time."""
    if not isinstance(other, Clock):
        return False
    if policy.units == "optional" and one.half != other.half:
        return (
            one.seconds - other.seconds
        ) % _HALF_DAY == 0  # the half of the day may be missing, as a unit may
    return one.seconds == other.seconds


def same_numeral(one: Numeral, other: Shape, policy: Policy) -> bool | None:
    """The same digits to the same base. Without one, 42 is another number than 42 to base eight."""
    if not isinstance(other, Numeral):
        return False
    return one.base == other.base and one.digits.lstrip("0") == other.digits.lstrip("0")


def same_infinity(one: Infinity, other: Shape, policy: Policy) -> bool | None:
    """The same infinity."""
    return one == other
