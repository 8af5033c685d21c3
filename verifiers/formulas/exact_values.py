"""Exact rational values of formulas, within bounds (python-flint)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ..runtime.packages import deferred
from . import whole_functions
from .formula_tree import Apply, Node, Number, Power, Product, Root, Sum
from .limits import MAX_BITS, MAX_FACTORIAL
from .meter import OverBudgetError

flint = deferred("flint")


WHOLE = frozenset(
    {"gcd", "lcm", "double_factorial", "mod", "totient", "divisors", "sigma", "subfactorial", "rounded"}
)
"""Functions that have a value only where their arguments are known exactly."""


class TooLargeError(OverBudgetError):
    """An exact value or polynomial would be larger than the limits allow. It was not built."""


def exact(node: Node) -> Any | None:
    """The rational number (fmpq) that a tree stands for; None where it is not certain to be one.

    Raises:
        TooLargeError: It, or something on the way to it, has more than `MAX_BITS` bits.
    """
    if isinstance(node, Number):
        return rational(node.value)
    if isinstance(node, Sum | Product):
        parts = node.terms if isinstance(node, Sum) else node.factors
        total = flint.fmpq(0) if isinstance(node, Sum) else flint.fmpq(1)
        for part in parts:
            value = exact(part)
            if value is None:
                return None
            check_size(bits(total) + bits(value))
            total = total + value if isinstance(node, Sum) else total * value
        return total
    if isinstance(node, Power):
        base, exponent = exact(node.base), exact(node.exponent)
        if base is None or exponent is None or exponent.q != 1:
            return None
        if base == 0 and exponent <= 0:
            return None
        check_size(bits(base) * abs(int(exponent.p)) if base not in (0, 1, -1) else 0)
        return base ** int(exponent.p)
    if isinstance(node, Root):
        return _exact_root(node)
    return _exact_function(node) if isinstance(node, Apply) else None


def bits(value: Any) -> int:
    """The size of a rational number: bits of the longer of its numerator and denominator."""
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def check_size(size: int) -> None:
    """Refuse what would have more than `MAX_BITS` bits.

    Raises:
        TooLargeError: It would.
    """
    if size > MAX_BITS:
        raise TooLargeError


def rational(value: Fraction) -> Any:
    """A fraction as python-flint has it."""
    return flint.fmpq(value.numerator, value.denominator)


def _exact_root(node: Root) -> Any | None:
    """The root where it is rational."""
    value = exact(node.radicand)
    if value is None or (value < 0 and node.degree % 2 == 0):
        return None
    sign = -1 if value < 0 else 1
    parts = []
    for part in (abs(value.p), value.q):
        root = part.root(node.degree)
        if root**node.degree != part:
            return None
        parts.append(root)
    return flint.fmpq(sign * parts[0], parts[1])


def _exact_function(node: Apply) -> Any | None:
    if node.function == "mod":
        return _remainder(*node.arguments)
    values: list[Any] = [exact(argument) for argument in node.arguments]
    if None in values:
        return None
    if node.function == "abs":
        return abs(values[0])
    if node.function in ("floor", "ceil"):
        return flint.fmpq(values[0].floor() if node.function == "floor" else values[0].ceil())
    if node.function == "percent":
        return values[0] / 100
    if node.function == "of":
        return values[0] * values[1]
    if node.function in ("max", "min"):
        return max(values) if node.function == "max" else min(values)
    if node.function in ("gcd", "lcm"):
        return _common(node.function, values)
    if node.function == "degrees":
        return values[0] if values[0] == 0 else None
    if node.function == "factorial":
        return _factorial(values[0])
    if node.function == "gamma":
        return _factorial(values[0] - 1)
    if node.function == "sgn":
        return flint.fmpq((values[0] > 0) - (values[0] < 0))
    if node.function in ("totient", "divisors", "sigma", "subfactorial"):
        return _counted(node.function, values[0])
    if node.function == "double_factorial":
        return _double_factorial(values[0])
    if node.function == "binomial" and all(value.q == 1 for value in values):
        upper, lower = (int(value.p) for value in values)
        if not 0 <= upper <= MAX_FACTORIAL:
            raise TooLargeError
        if not 0 <= lower <= upper:
            return flint.fmpq(0)
        return _factorials(upper) / (_factorials(lower) * _factorials(upper - lower))
    return None


def _common(function: str, values: list[Any]) -> Any | None:
    if any(value.q != 1 for value in values):
        return None
    total = values[0].p
    for value in values[1:]:
        check_size(bits(flint.fmpq(total)) + bits(value))
        total = total.gcd(value.p) if function == "gcd" else total.lcm(value.p)
    return flint.fmpq(abs(total))


def _factorial(value: Any) -> Any | None:
    if value.q != 1 or value < 0:
        return None
    if value > MAX_FACTORIAL:
        raise TooLargeError
    return _factorials(int(value.p))


def _double_factorial(value: Any) -> Any | None:
    if value.q != 1 or value < 0:
        return None
    if value > MAX_FACTORIAL:
        raise TooLargeError
    return flint.fmpq(math.prod(range(int(value.p), 0, -2)))


def _factorials(whole: int) -> Any:
    return flint.fmpq(flint.fmpz.fac_ui(whole))


def _counted(function: str, value: Any) -> Any | None:
    if value.q != 1 or value < (0 if function == "subfactorial" else 1):
        return None
    found = whole_functions.counted(function, int(value.p))
    if found is None:
        raise TooLargeError
    return flint.fmpq(found)


def _remainder(node: Node, modulus: Node) -> Any | None:
    """What a division by the modulus leaves; of a power without the power being built."""
    divisor = exact(modulus)
    if divisor is None or divisor == 0:
        return None
    if divisor.q == 1:
        found = whole_functions.residue(node, abs(int(divisor.p)), _whole_number)
        if found is not None:
            return flint.fmpq(found if divisor > 0 or not found else found + int(divisor.p))
    value = exact(node)
    return None if value is None else value - divisor * flint.fmpq((value / divisor).floor())


def _whole_number(node: Node) -> int | None:
    value = exact(node)
    return int(value.p) if value is not None and value.q == 1 else None
