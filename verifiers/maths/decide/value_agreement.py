"""Agreement of shapes that hold no others: values and units, words, ratios, times, numerals.

And what is allowed where two values are not the same number.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from ...formulas.answer_shapes import Clock, Infinity, Numeral, Ratio, Shape, Value, Words
from ...formulas.ball_comparison import is_decimal, within
from ...formulas.formula_equality import apart, decide, is_equal, to_base_ten
from ...formulas.formula_tree import (
    MINUS_ONE,
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Range,
    Root,
    Sum,
    Symbol,
    decimal_places,
    functions,
    inverse,
    substitute,
    symbols,
    walk,
)
from ...formulas.polynomials import linear
from ...language.maths_words import core
from ...runtime.patterns import lazy
from ...units.dates_and_times import OCLOCK, Date, clock_time
from ...units.quantities import conversions, is_proof, measure
from .allowances import is_arbitrary, renamed, rounds_to, same_family, without_marks
from .policy import Policy
from .question_form import in_asked_units

_LONG, _FULL = 10, 15
"""Digits of a decimal that stands for what rounds to it, and of one that a computer printed (15 to 17)."""
_FLOAT = Fraction(1, 2**50)
"""Relative distance of a float from its exact value: a few units in its last place."""
_GOLDEN = Product((Number(Fraction(1, 2)), Sum((Number(Fraction(1)), Root(Number(Fraction(5)), 2)))))
_CONSTANTS: dict[str, Node] = {"phi": _GOLDEN, "varphi": _GOLDEN, "gamma": Constant("euler")}
"""Values of these letters unless they are unknowns."""
_RUNNING = frozenset({"k", "n", "m"})
"""Letters that beside pi stand for all integers by custom."""


def compare_values(one: Value, other: Value, policy: Policy) -> str | None:
    """The reason code of `MathEquivalence` for two values; None where another stage must decide.

    They are proved to be unequal where each pair of formulas that was compared has a point to show it at.
    """
    reason = _compare(one, other, policy)
    if reason != "proved_unequal" or _are_plain(one, other, policy):
        return reason
    return reason if _shown(one, other, policy) else "not_equal"


Shown = list[tuple[Node, Node, dict[str, Fraction]]]
"""Pairs of formulas, each with a point at which they differ."""


def told_apart(one: Value, other: Value, policy: Policy) -> Shown | None:
    """Return evidence that two values differ: each pair of formulas compared for them; None if there is none.

    >>> from verifiers.reading.formula_parser import parse
    >>> from .policy import DEFAULT
    >>> values = [Value(parse(text)) for text in ("2x", "3x", "2y")]
    >>> [told_apart(values[0], each, DEFAULT) is not None for each in values]
    [False, True, False]
    """
    if _have_other_names(one, other, policy) or _compare(one, other, policy) != "proved_unequal":
        return None
    return _shown(one, other, policy)


def _are_plain(one: Value, other: Value, policy: Policy) -> bool:
    """Return whether two values are numbers with one reading each: they alone show the difference."""
    return (
        isinstance(one.node, Number)
        and isinstance(other.node, Number)
        and not (one.unit or other.unit)
        and policy.question is None
    )


def _have_other_names(one: Value, other: Value, policy: Policy) -> bool:
    """Return whether two formulas have different unknowns, and no unit or question that could change that.

    Then nothing shows that they differ (`separated`), however they compare.
    """
    settled = not (one.unit or other.unit) and policy.question is None
    return settled and symbols(one.node) != symbols(other.node)


def _shown(one: Value, other: Value, policy: Policy) -> Shown | None:
    if any(_may_be_unit(*pair) for pair in ((one, other), (other, one))):
        return None
    if _have_other_names(one, other, policy):
        return None
    found = []
    for left, right in compared(one, other, policy):
        if (at := separated(left, right)) is None:
            return None
        found.append((left, right, at))
    return found or None


def _may_be_unit(value: Value, other: Value) -> bool:
    """Return whether letters of a value may be a unit, or its unit letters: 350m by 3 km, mg by kg."""
    if value.unit and not other.unit and symbols(value.node):
        return True
    return _with_lone_unit(value, other) != value or _with_lone_factors(value, other) != value


def _compare(one: Value, other: Value, policy: Policy) -> str | None:
    if _are_plain(one, other, policy):
        return _compare_converted(one, other, Fraction(1), policy)
    if "rounded" in functions(one.node) | functions(other.node):
        return _compare_rounded(one, other, policy)
    one, other, policy = _settled(one, other, policy)
    if one.unit.startswith("mod ") and one.unit == other.unit:
        return _congruent(one, other)
    if (family := _family_of_class(one, other) or _family_of_class(other, one)) is not None:
        return family
    if "mod " in (one.unit[:4], other.unit[:4]):
        classes = [each for each in (one, other) if each.unit.startswith("mod ")]
        if policy.units == "required" or (one.unit and other.unit):
            return "not_equal"
        return _remainder(classes[0], one if other.unit else other)
    found = [_compare_converted(one, other, factor, policy) for factor in _unit_factors(one, other, policy)]
    return next((reason for reason in found if is_equal(reason)), found[0] if found else "not_equal")


def compared(one: Value, other: Value, policy: Policy) -> list[tuple[Node, Node]]:
    """The pairs of formulas that are compared for two values: in every unit, and under every allowance."""
    one, other = (Value(without_marks(each.node), each.unit) for each in (one, other))
    one, other, policy = _settled(one, other, policy)
    found = []
    for factor in _unit_factors(one, other, policy):
        first = one.node if factor == 1 else Product((Number(factor), one.node))
        found += [(first, other.node), *_allowed(first, other.node, policy)]
    if policy.customs == "assumed":
        logarithms = [pair for pair in found if "log" in functions(pair[0]) | functions(pair[1])]
        found += [(to_base_ten(left), to_base_ten(right)) for left, right in logarithms]
    return found


def _settled(one: Value, other: Value, policy: Policy) -> tuple[Value, Value, Policy]:
    """Two values in units that the question or the other side settle."""
    if policy.question is not None:
        one, other = in_asked_units(one, other, policy.question)
    if policy.customs == "assumed":
        one, other = _with_lone_unit(one, other), _with_lone_unit(other, one)
        one, other = _with_lone_factors(one, other), _with_lone_factors(other, one)
    if "radian" in (one.unit, other.unit):
        one, other = (Value(each.node, "" if each.unit == "radian" else each.unit) for each in (one, other))
        policy = replace(policy, degrees="required")  # 30 radians are not 30 degrees
    return one, other, policy


def _compare_converted(one: Value, other: Value, factor: Fraction, policy: Policy) -> str | None:
    """The reason code once the first is in the other's unit."""
    first = one.node if factor == 1 else Product((Number(factor), one.node))
    second = other.node
    any_base = policy.customs == "assumed"
    reason = decide(first, second, any_base)
    if is_equal(reason):
        return reason
    for pair in _allowed(first, second, policy):
        allowed = decide(*pair, any_base)
        if is_equal(allowed):
            return allowed
    if _near(first, second, policy):
        return "equal_numeric"
    if any_base and not one.unit and not other.unit and same_family(first, second):
        return "equal_numeric"
    return "not_equal" if reason == "proved_unequal" and not is_proof(one.unit, other.unit) else reason


def separated(one: Node, other: Node) -> dict[str, Fraction] | None:
    """The point at which differing values prove that two formulas are different answers; None for none.

    A name that one side alone has may be a unit, a constant, or what the other side calls by another name;
    letters of constants and of all integers stand for sets, of which one value says nothing; and letters
    may be positive, or whole, so that there they have to differ.

    >>> from verifiers.reading.formula_parser import parse
    >>> [separated(parse("2x"), parse(text)) is not None for text in ("3x", "2y", "2")]
    [True, False, False]
    """
    if isinstance(one, Number) and isinstance(other, Number):
        return None if one.value == other.value else {}
    names = symbols(one)
    if names != symbols(other) or any(name[0] in "#@" or is_arbitrary(name) for name in names):
        return None
    if names and names <= _RUNNING and any(Constant("pi") in walk(node) for node in (one, other)):
        return None
    return apart(one, other) if names else {}  # what has one value was told apart already


def _compare_rounded(one: Value, other: Value, policy: Policy) -> str | None:
    """A decimal of a reference against an exact value that may round to it."""
    ends = {
        shift: (
            Value(without_marks(one.node, shift), one.unit),
            Value(without_marks(other.node, shift), other.unit),
        )
        for shift in (-1, 0, 1)
    }
    reason = _compare(*ends[0], policy)
    factor = next(iter(_unit_factors(*ends[0], policy)), None)
    if is_equal(reason) or factor is None or symbols(one.node) or symbols(other.node):
        return reason
    is_first = "rounded" in functions(one.node)
    readings = {}
    for shift, (left, right) in ends.items():
        first = left.node if factor == 1 else Product((Number(factor), left.node))
        readings[shift] = [(first, right.node), *_allowed(first, right.node, policy)]
    for low, (left_node, right_node), high in zip(readings[-1], readings[0], readings[1], strict=True):
        decimal, value = (left_node, right_node) if is_first else (right_node, left_node)
        place = 0 if is_first else 1
        if rounds_to(value, decimal, {-1: low[place], 1: high[place]}):
            return "equal_numeric"
    return reason


def agree(one: Value, other: Value, policy: Policy) -> bool | None:
    """Return whether two values agree; None if that is unknown."""
    reason = _compare(one, other, policy)
    return None if reason is None else is_equal(reason)


def all_agree(found: list[bool | None]) -> bool | None:
    """Return whether all parts agree; None if that is unknown."""
    return False if False in found else None if None in found else True


def _with_lone_unit(value: Value, other: Value) -> Value:
    """``1 m`` against 100 cm is a metre, though m alone would be an unknown; so is the product ``5 N m``."""
    node = value.node
    if not other.unit or value.unit or not isinstance(node, Product) or measure(other.unit) is None:
        return value
    numbers = [each for each in node.factors if not symbols(each)]
    letters = [spelled for each in node.factors if symbols(each) and (spelled := _as_symbol(each))]
    unit = " ".join(letters)
    if len(numbers) + len(letters) != len(node.factors) or not numbers or measure(unit) is None:
        return value
    return Value(numbers[0] if len(numbers) == 1 else Product(tuple(numbers)), unit)


def _with_lone_factors(value: Value, other: Value) -> Value:
    """A force ``mu mg`` is no number of milligrams where the other side has m and g."""
    letters = {Symbol(letter).name for letter in value.unit}
    if (
        other.unit
        or not value.unit.isalpha()
        or not letters <= symbols(other.node)
        or not symbols(value.node)
    ):
        return value
    return Value(Product((value.node, *map(Symbol, value.unit))))


def _as_symbol(node: Node) -> str:
    """A letter, or its power, as it would be written for a unit; "" for anything else."""
    if isinstance(node, Power) and isinstance(node.base, Symbol):
        exponent = _number(node.exponent)
        return f"{node.base.name}^{exponent}" if exponent and exponent.denominator == 1 else ""
    return node.name if isinstance(node, Symbol) else ""


def _family_of_class(one: Value, other: Value) -> str | None:
    """``3 mod 7`` and ``7k + 3`` for any integer k; None where they are nothing like it."""
    modulus = one.unit.removeprefix("mod ")
    if not one.unit.startswith("mod ") or not modulus.isdecimal() or not isinstance(one.node, Number):
        return None
    line = linear(other.node) if symbols(other.node) else None
    if line is None or other.unit or not line[0].startswith("#Z") or line[0][2:3] not in ("", ":"):
        return None
    step, rest = (Fraction(int(each.p), int(each.q)) for each in line[1:])
    same = abs(step) == int(modulus) and (rest - one.node.value) % int(modulus) == 0
    return "equal_algebra" if same else "not_equal"


def _remainder(of: Value, plain: Value) -> str | None:
    """A class of numbers beside one number, which has to be its remainder: 4 (mod 9) is 4, and not 13."""
    reason = decide(of.node, plain.node)
    modulus = of.unit.removeprefix("mod ")
    if not modulus.isdecimal() or not isinstance(plain.node, Number):
        return reason
    if is_equal(reason):
        return reason if 0 <= plain.node.value < int(modulus) else "not_equal"
    return "not_equal" if is_equal(_congruent(of, Value(plain.node, of.unit))) else reason


def _congruent(one: Value, other: Value) -> str | None:
    modulus = one.unit.removeprefix("mod ")
    if modulus == "?":
        return decide(one.node, other.node)
    if not (
        modulus.isdecimal()
        and int(modulus)
        and isinstance(one.node, Number)
        and isinstance(other.node, Number)
    ):
        return None
    return "equal_rational" if (one.node.value - other.node.value) % int(modulus) == 0 else "proved_unequal"


def _unit_factors(one: Value, other: Value, policy: Policy) -> tuple[Fraction, ...]:
    """By what the first is multiplied to have the other's unit; nothing if they measure different things."""
    for value, unit in ((one, other.unit), (other, one.unit)):
        if unit and isinstance(value.node, Apply) and value.node.function in ("percent", "degrees"):
            return ()
    if policy.units == "ignored" or one.unit == other.unit:
        return (Fraction(1),)
    if policy.units == "required" and not (one.unit and other.unit):
        return ()
    return conversions(one.unit, other.unit)


def _allowed(one: Node, other: Node, policy: Policy) -> list[tuple[Node, Node]]:
    """Other readings of two values, any of which makes them agree."""
    found = []
    used = functions(one), functions(other)
    for function, allowed in (
        ("percent", policy.percent == "either"),
        ("degrees", policy.degrees == "optional"),
    ):
        if allowed and (function in used[0]) != (function in used[1]):
            found.append((_without(one, function), _without(other, function)))
    names = symbols(one), symbols(other)
    if policy.customs == "assumed" and len(names[0] | names[1]) == 1 and not (names[0] and names[1]):
        # Letters that are numbers where the other side has no unknown.
        (letter,) = names[0] | names[1]
        if letter in _CONSTANTS:
            found.append((substitute(one, _CONSTANTS), substitute(other, _CONSTANTS)))
    if names[0] != names[1] and len(names[0]) == len(names[1]):
        first = renamed(one, other, policy)
        if first is not None:
            found.append((first, other))
    return found


def _without(node: Node, function: str) -> Node:
    """A value without the percent or degree sign after it, or after its terms."""
    if isinstance(node, Apply) and node.function == function:
        return node.arguments[0]
    if isinstance(node, Sum):
        return Sum(tuple(_without(term, function) for term in node.terms))
    if isinstance(node, Product) and node.factors[0] == MINUS_ONE:
        return Product((MINUS_ONE, *(_without(factor, function) for factor in node.factors[1:])))
    return node


def _near(one: Node, other: Node, policy: Policy) -> bool:
    """Return whether two values differ only by a rounding that the policy allows, or that a computer made."""
    for written, exact in ((one, other), (other, one)):
        places = decimal_places(written)
        if places is None:
            continue
        size = abs(_number(written))
        if policy.customs == "assumed" and size:
            computed = _is_long(written, _FULL) and not _is_long(exact, _FULL)
            if computed and within(written, exact, max(size * _FLOAT, Fraction(1, 10**places))):
                return True
            half = Fraction(1, 2 * 10**places)
            if _is_long(written, _LONG) and within(written, exact, half) and not is_decimal(exact):
                return True
        if policy.decimals == "rounded" and places and within(written, exact, Fraction(1, 2 * 10**places)):
            return True
    if not policy.tolerance or symbols(one) or symbols(other):
        return False
    return within(one, other, None, Fraction(policy.tolerance))


def _number(node: Node) -> Fraction:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Product) and len(node.factors) == 2 and node.factors[0] == Number(Fraction(-1)):
        return -_number(node.factors[1])
    return Fraction(0)


def _is_long(node: Node, digits: int) -> bool:
    """Return whether a decimal has at least that many digits."""
    places = decimal_places(node)
    return (
        isinstance(node, Number) and places is not None and abs(node.value) * 10**places >= 10 ** (digits - 1)
    )


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
