"""Outcomes for two sides that a text calls equal: right, false, or not known."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from ..formulas.answer_shapes import Value
from ..formulas.cost_limits import HERE, Account, OverBudgetError
from ..formulas.formula_equality import decide, is_equal
from ..formulas.formula_tree import functions, is_understood, symbols
from ..maths.decide.policy import DEFAULT
from ..reading.answer_readings import Reading
from ..reading.spelling.cleaning import clean
from ..runtime.patterns import lazy
from ..units.quantities import conversions, measure
from ..units.table import table
from .calculation_signs import (
    Operand,
    Run,
    decimals_of,
    is_rounding,
    is_whole_rounding,
    range_of,
    value,
    values,
)

Outcome = Literal["right", "false", "unknown", "none"]
"""``none``: nothing is claimed, since nothing is worked out."""
_SCALE = Fraction(3, 20)
"""Tolerance between sizes in everyday use where one unit is no whole number of the other: 1 lb = 450 g."""
_MOST_ROUNDED = 4
"""Rounded values of one calculation that are tried as what they stand for."""
_THIRDS = (3, 6)
"""Parts whose decimals do not end and that people write with two digits: 0.33, 0.67, 0.17."""
_CONSTANTS = tuple(
    map(
        Fraction,
        (
            "3.14159265358979323846",
            "2.71828182845904523536",
            "1.41421356237309504880",
            "1.73205080756887729353",
        ),
    )
)
"""Pi, e, and the roots of 2 and 3, whose decimals people write by heart."""


class Roundings:
    """Decimals of a text that stand for exact values."""

    def __init__(self) -> None:
        self._exact: dict[Fraction, Fraction] = {}

    def note(self, shown: Operand, exact: Fraction) -> None:
        """Remember what a decimal stands for."""
        self._exact.setdefault(shown.value, exact)

    def stands_for(self, operand: Operand) -> Fraction | None:
        """Return the value that a decimal may round; None for itself."""
        known = self._exact.get(operand.value)
        if known is not None or operand.decimals < 2:
            return known
        for parts in _THIRDS:
            exact = Fraction(round(operand.value * parts), parts)
            if exact.denominator % 3 == 0 and is_rounding(operand, exact):
                return exact
        for constant in _CONSTANTS:
            if is_rounding(operand, constant):
                return constant
        return None


def judge(left: Run, right: Run, is_about: bool, roundings: Roundings, goes_on: bool = False) -> Outcome:
    """Return the outcome for two runs with an equality sign between them.

    Args:
        left: Text before it.
        right: Text after it.
        is_about: Whether it says that they are about equal.
        roundings: Values that decimals of the text stand for; found roundings are added.
        goes_on: Whether the left side is what something was worked out to.
    """
    if not are_settled(left, right):
        return "unknown"
    if not (left.is_worked_out or right.is_worked_out or goes_on):
        return _converted(left, right)
    outcome = _compared(left, right, is_about, roundings)
    if outcome != "false":
        return outcome
    unsure = left.unsure_before or left.unsure_behind or right.unsure_behind or right.unsure_before
    return "unknown" if unsure or left.is_loose or right.is_loose or is_about else "false"


def _compared(left: Run, right: Run, is_about: bool, roundings: Roundings) -> Outcome:
    lefts, rights = list(values(left)), list(values(right))
    if not lefts or not rights:
        return "unknown"
    if set(lefts) & set(rights):
        return "false" if _is_another_unit(left, right) else "right"
    whole = False
    for run, other, exacts in ((right, left, lefts), (left, right, rights)):
        shown = run.number
        if shown is None:
            continue
        for exact in exacts:
            if is_rounding(shown, exact):
                roundings.note(shown, exact)
                return "right"
            whole = whole or is_whole_rounding(shown, exact) or (shown.says_less and shown.value == -exact)
        if shown.unit and shown.value in _in_unit(other, shown):
            return "right"
    if _is_rounded_before(left, right, roundings):
        return "right"
    if (
        whole
        or _is_in_range(left, rights[0])
        or _is_in_range(right, lefts[0])
        or _is_converted_on(left, right)
    ):
        return "unknown"
    if _is_mixed_sum(left) or _is_mixed_sum(right) or _is_in_other_units(left, right):
        return "unknown"
    near = any(map(roundings.stands_for, (*left.operands, *right.operands)))
    if near and _may_meet(left, right, lefts[0], rights[0]):
        return "unknown"
    return "false"


def _is_in_range(run: Run, exact: Fraction) -> bool:
    """Return whether a run may give a value that its decimals only round: 10 + 28/60 = 10 + 0.4667."""
    most = max((operand.decimals for operand in run.operands), default=0)
    places = decimals_of(exact)
    ends = range_of(run) if places is None or places > most else None
    return ends is not None and ends[0] <= exact <= ends[1]


def _is_converted_on(left: Run, right: Run) -> bool:
    """Return whether the right side converts the left one's unit: 5 years = 5 * 12 = 60 months."""
    shown = left.number
    if shown is None or not shown.is_measured:
        return False
    return (
        right.is_worked_out
        and any(operand.value == shown.value for operand in right.operands)
        and {each for each in right.program if isinstance(each, str)} <= {"*", "/"}
    )


def _is_mixed_sum(run: Run) -> bool:
    """Return whether a sum mixes measures and plain numbers, so that units may be converted tacitly."""
    units = [operand.unit for operand in run.operands]
    return (
        len(units) > 1
        and _is_sum(run)
        and any(units)
        and not all(units)
        and not any(is_kind(unit, "money") for unit in units)
    )


def _is_in_other_units(left: Run, right: Run) -> bool:
    """Return whether two calculations use different units: 1 km / 2 h = 1000 m / 7200 s."""
    sides = [
        {operand.unit for operand in run.operands if operand.unit and not is_kind(operand.unit, "money")}
        for run in (left, right)
    ]
    return left.is_worked_out and right.is_worked_out and all(sides) and sides[0] != sides[1]


def is_kind(unit: str, kind: str) -> bool:
    """Return whether a unit, below any stroke, measures time, money or another kind of the units' table."""
    said = measure(unit.partition("/")[0]) if unit else None
    return said is not None and [table().kinds.get(name) for name, _ in said.dimension] == [kind]


def _may_meet(left: Run, right: Run, one: Fraction, other: Fraction) -> bool:
    """Return whether two sides may be equal if each of their decimals may be a rounding."""
    first, second = range_of(left) or (one, one), range_of(right) or (other, other)
    return first[0] <= second[1] and second[0] <= first[1]


def _is_rounded_before(left: Run, right: Run, roundings: Roundings) -> bool:
    """Return whether the sides agree with decimals replaced by the values that they round."""
    for run, other in ((left, right), (right, left)):
        exacts = {
            place: exact
            for place, operand in enumerate(run.operands)
            if (exact := roundings.stands_for(operand)) is not None
        }
        shown = other.number
        for instead in _subsets(exacts):
            result = value(run, "share", instead)
            if result is None:
                continue
            if result == value(other) or (shown is not None and is_rounding(shown, result)):
                return True
    return False


def _subsets(exacts: dict[int, Fraction]) -> Iterator[dict[int, Fraction]]:
    some = list(exacts.items())[:_MOST_ROUNDED]
    for size in range(1, len(some) + 1):
        for chosen in itertools.combinations(some, size):
            yield dict(chosen)


def _in_unit(run: Run, shown: Operand) -> Iterator[Fraction]:
    """Yield the results of a sum in the unit of a result: 2 feet + 6 inches in inches."""
    if not all(operand.unit for operand in run.operands) or not _is_sum(run):
        units = {operand.unit for operand in run.operands if operand.unit}
        result = value(run)
        if len(units) == 1 and result is not None:  # 15 minutes * 4 = 1 hour
            for factor in conversions(units.pop(), shown.unit):
                yield result * factor
        return
    factors = [conversions(operand.unit, shown.unit) for operand in run.operands]
    if all(factors):
        instead = {place: operand.value * factors[place][0] for place, operand in enumerate(run.operands)}
        result = value(run, "share", instead)
        if result is not None:
            yield result


def _is_sum(run: Run) -> bool:
    return all(isinstance(step, int) or step in "+-u" for step in run.program)


def _is_multiple(run: Run) -> bool:
    """Return whether one measure is multiplied or divided by plain numbers."""
    signs = {step for step in run.program if isinstance(step, str)}
    below = len(run.program) > 1 and signs == {"/"} and not run.operands[0].unit
    return signs <= {"*", "/"} and sum(bool(operand.unit) for operand in run.operands) == 1 and not below


def _is_another_unit(left: Run, right: Run) -> bool:
    """Return whether equal numbers have units that contradict one another: 3 km + 4 km = 7 m."""
    for run, other in ((left, right), (right, left)):
        shown, units = other.number, {operand.unit for operand in run.operands if operand.unit}
        if shown is None or not shown.unit or len(units) != 1 or not (_is_sum(run) or _is_multiple(run)):
            continue
        unit = units.pop()
        if unit and unit != shown.unit and measure(unit) is not None and measure(shown.unit) is not None:
            factors = conversions(unit, shown.unit)
            if any(operand.value in (factor, 1 / factor) for factor in factors for operand in run.operands):
                return False  # 2 hours * 60 = 120 minutes
            return 1 not in factors and (bool(factors) or (_is_sum(run) and "/" not in unit + shown.unit))
    return False


def _converted(left: Run, right: Run) -> Outcome:
    """One number in two units: 2 hours = 120 minutes."""
    one, other = left.number, right.number
    if one is None or other is None or not one.unit or not other.unit:
        return "none"
    factors = conversions(one.unit, other.unit)
    if one.unit == other.unit or not factors:
        return "none"
    if any(one.value * factor == other.value for factor in factors):
        return "right"
    is_whole = all(1 in (factor.denominator, factor.numerator) for factor in factors)
    slack = _SCALE * abs(other.value) if not is_whole else 0
    if any(abs(one.value * factor - other.value) <= slack for factor in factors):
        return "unknown"
    is_scale = min(factors) < 1 and is_kind(one.unit, "length")  # 1 cm on a map = 10 km
    unsure = left.unsure_before or left.unsure_behind or right.unsure_behind
    return "unknown" if is_scale or unsure else "false"


def are_settled(*runs: Run) -> bool:
    """Return whether single letters after numbers are surely units: others of their kind stand in full."""
    operands = [operand for run in runs for operand in run.operands]
    letters = {operand.letter for operand in operands if operand.letter}
    if not letters:
        return True
    units = {operand.unit for operand in operands if operand.unit}
    if not all(any(conversions(letter, unit) for unit in units) for letter in letters):
        return False
    for operand in operands:
        if operand.letter:
            operand.unit, operand.letter = operand.letter, ""
    return True


def judge_formulas(left: str, right: str) -> Outcome:
    r"""Return the mathematics engine's outcome for two formulas that the fast way does not read.

    >>> judge_formulas("(x+1)^2", "x^2+2x+1"), judge_formulas("2x+3", "7"), judge_formulas(r"\sqrt{49}", "8")
    ('right', 'unknown', 'false')
    """
    one, other = Reading(clean(left)).shape, Reading(clean(right)).shape
    if not isinstance(one, Value) or not isinstance(other, Value):
        return "unknown"
    if bool(one.unit) != bool(other.unit) or one.unit != other.unit:
        return "unknown"
    try:
        reason = Account(HERE).run(decide, one.node, other.node, DEFAULT.customs == "assumed")
    except OverBudgetError:
        return "unknown"
    if is_equal(reason):
        return "right"
    nodes = (one.node, other.node)
    certain = reason == "proved_unequal" and not any(
        symbols(node) or functions(node) or not is_understood(node) for node in nodes
    )
    return "false" if certain and not _NOT_SURE.search(left + right) else "unknown"


_NOT_SURE = lazy(r"\.|(?<![\\a-zA-Z])[a-zA-Z]|_")
"""Decimals, which may be roundings, and letters, which may be units."""
