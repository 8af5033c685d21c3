"""Whether shapes that hold no others agree with anything: words, ratios, times, numerals, infinities."""

from __future__ import annotations

from itertools import pairwise

from ....formulas.formula_tree import Number, Product, Range, Symbol, inverse, walk
from ....formulas.shapes import Clock, Infinity, Numeral, Ratio, Shape, Value, Words
from ....language.english_frames import core
from ....runtime.patterns import lazy
from ....units.clock_times import OCLOCK, clock_time
from ....units.dates import Date
from .policy import Policy
from .values import agree, all_agree

_LETTER_FIRST = lazy(r"[a-z](?= )")
_HOUR, _HALF_DAY = 3600, 12 * 3600
_TEN = 10
_COLONS = 3
_NOON = 12


def same_words(one: Words, other: Shape, policy: Policy) -> bool | None:
    """The same words; by custom a sentence about the answer is the answer."""
    if not isinstance(other, Words):
        return False
    if one.text == other.text:
        return True
    if policy.customs != "assumed" or core(one.text) != core(other.text):
        return False
    # "x is odd" may only lead in "odd", or say it of x: beside "y is odd" it says so.
    named = [_LETTER_FIRST.match(words.text) for words in (one, other)]
    return None in named or named[0][0] == named[1][0]  # type: ignore[index]  # neither is None


def same_ratio(one: Ratio, other: Shape, policy: Policy) -> bool | None:
    """The same up to a factor; a ratio of two is a quotient, and may be meant as a time."""
    if isinstance(other, Clock):
        # 20:34 is a ratio, too: the one that 10:17 is.
        clock = _as_clock(one)
        return clock is not None and policy.customs != "none" and _one_time(clock, other, policy)
    if isinstance(other, Value) and len(one.parts) == 2:
        return agree(Value(Product((one.parts[0].node, inverse(one.parts[1].node)))), other, policy)
    if not isinstance(other, Ratio) or len(one.parts) != len(other.parts):
        return False
    if policy.question is not None and policy.question.asks_time:
        clocks = _as_clock(one), _as_clock(other)
        if clocks[0] is not None and clocks[1] is not None:
            return _one_time(clocks[0], clocks[1], policy)
    crossed = []
    for (left, right), (low, high) in zip(pairwise(one.parts), pairwise(other.parts), strict=True):
        pair = Value(Product((left.node, high.node))), Value(Product((right.node, low.node)))
        crossed.append(agree(*pair, policy))
    return all_agree(crossed)


def _as_clock(ratio: Ratio) -> Clock | None:
    """The time that two or three numbers between colons may be."""
    numbers = [part.node.value for part in ratio.parts if isinstance(part.node, Number) and not part.unit]
    if (
        len(numbers) != len(ratio.parts)
        or len(numbers) > _COLONS
        or any(each.denominator > 1 for each in numbers)
    ):
        return None
    time = clock_time([int(number) for number in numbers]) if min(numbers) >= 0 else None
    return None if time is None else Clock(*time)


def same_clock(one: Clock, other: Shape, policy: Policy) -> bool | None:
    """The same time; 9 may stand for 9 AM, but not for 9:00."""
    if isinstance(other, Value) and isinstance(other.node, Number) and policy.units == "optional":
        hour = other.node.value
        allowed = other.unit in OCLOCK or (not other.unit and one.half and hour <= _NOON)
        if not allowed or hour.denominator > 1 or hour < 0:
            return False
        time = clock_time([int(hour)])
        return time is not None and _one_time(one, Clock(*time), policy)
    return isinstance(other, Clock) and _one_time(one, other, policy)


def _one_time(one: Clock, other: Clock, policy: Policy) -> bool:
    plain = other if one.half else one
    if policy.units == "optional" and one.half != other.half and _HOUR <= plain.seconds < _HOUR + _HALF_DAY:
        # The half of the day may be missing, as a unit may, where the hour leaves it open: 15:30 does not.
        return (one.seconds - other.seconds) % _HALF_DAY == 0
    return one.seconds == other.seconds


def same_date(one: Date, other: Shape, policy: Policy) -> bool | None:
    """The same day; its year may be missing, as a unit may."""
    return isinstance(other, Date) and one.agrees(other, policy.units == "optional")


def same_numeral(one: Numeral, other: Shape, policy: Policy) -> bool | None:
    """The same digits to the same base; where none is written, to ten or to the one that is asked for."""
    digits = one.digits.lstrip("0") or "0"
    if isinstance(other, Value) and isinstance(other.node, Number) and not other.unit:
        asked = policy.question.base if policy.question is not None else None
        return one.base in (_TEN, asked) and str(other.node.value) == digits
    if isinstance(other, Value) and isinstance(other.node, Symbol) and policy.question is not None:
        return one.base == policy.question.base and other.node.name.upper() == digits  # FF
    return (
        isinstance(other, Numeral) and one.base == other.base and digits == (other.digits.lstrip("0") or "0")
    )


def same_infinity(one: Infinity, other: Shape, policy: Policy) -> bool | None:
    """The same infinity; a sum, integral or limit may have none else."""
    if isinstance(other, Value) and any(isinstance(each, Range) for each in walk(other.node)):
        return None
    return one == other
