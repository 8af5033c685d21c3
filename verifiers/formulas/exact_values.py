"""Exact values within bounds (python-flint): rational numbers, functions of whole ones, matrices.

A determinant, an inverse, a product or a power of a matrix is written out and not evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ..runtime.packages import deferred
from .cost_limits import MAX_BITS, MAX_FACTORIAL, OverBudgetError, UnreadableError
from .formula_tree import Apply, Node, Number, Power, Product, Root, Sum, inverse, negative, walk

flint = deferred("flint")


_MAX_FACTORED = 1 << 64
"""Largest number that is cut into primes: it takes milliseconds."""
_MAX_DERANGED = 1_000
"""Largest argument of a subfactorial, which is worked out step by step."""
_MAX_WORK = 1 << 22
"""Bits of exponents times bits of the modulus, for all powers of a formula: a tenth of a second at most."""


def counted(function: str, whole: int) -> int | None:
    """A function of one number; None if it is too large.

    Args:
        function: "totient", "divisors" (how many), "sigma" (their sum), or "subfactorial".
        whole: At least 1, of a subfactorial at least 0.

    >>> counted("totient", 12), counted("divisors", 12), counted("sigma", 12), counted("subfactorial", 4)
    (4, 6, 28, 9)
    """
    if function == "subfactorial":
        return _derangements(whole) if whole <= _MAX_DERANGED else None
    if whole > _MAX_FACTORED:
        return None
    number = flint.fmpz(whole)
    if function == "totient":
        return int(number.euler_phi())
    return int(number.divisor_sigma(0 if function == "divisors" else 1))


def _derangements(count: int) -> int:
    found = 1
    for number in range(1, count + 1):
        found = found * number + (-1) ** number
    return found


def residue(node: Node, modulus: int, whole: Callable[[Node], int | None]) -> int | None:
    """Return the remainder of a tree of whole numbers by a modulus; powers are reduced on the way.

    Args:
        node: A tree.
        modulus: At least 1.
        whole: The whole number that a tree stands for, or None.

    Returns:
        The remainder; None for what is not certainly a whole number, or would take too long.
    """
    return _Residues(modulus, whole).of(node)


class _Residues:
    """Remainders by one modulus, and the work that is left."""

    def __init__(self, modulus: int, whole: Callable[[Node], int | None]) -> None:
        self._modulus = modulus
        self._whole = whole
        self._work = _MAX_WORK

    def of(self, node: Node) -> int | None:
        """The remainder of a tree."""
        if isinstance(node, Number):
            return node.value.numerator % self._modulus if node.value.denominator == 1 else None
        if isinstance(node, Sum | Product):
            total = 0 if isinstance(node, Sum) else 1
            for part in node.terms if isinstance(node, Sum) else node.factors:
                value = self.of(part)
                if value is None:
                    return None
                total = (total + value if isinstance(node, Sum) else total * value) % self._modulus
            return total % self._modulus
        return self._power(node) if isinstance(node, Power) else self._other(node)

    def _power(self, node: Power) -> int | None:
        base, exponent = self.of(node.base), self._whole(node.exponent)
        if base is None or exponent is None:
            return None
        self._work -= exponent.bit_length() * max(64, self._modulus.bit_length())
        if self._work < 0:
            return None
        try:
            return pow(base, exponent, self._modulus)
        except ValueError:  # it has no inverse
            return None

    def _other(self, node: Node) -> int | None:
        value = self._whole(node)
        return None if value is None else value % self._modulus


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


def rational_value(node: Node) -> Any | None:
    """The rational number that a tree stands for; None where it is none, or too large to build."""
    try:
        return exact(node)
    except TooLargeError:
        return None


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
    found = counted(function, int(value.p))
    if found is None:
        raise TooLargeError
    return flint.fmpq(found)


def _remainder(node: Node, modulus: Node) -> Any | None:
    """Return the remainder modulo a number; a power is not built for it."""
    divisor = exact(modulus)
    if divisor is None or divisor == 0:
        return None
    if divisor.q == 1:
        found = residue(node, abs(int(divisor.p)), _whole_number)
        if found is not None:
            return flint.fmpq(found if divisor > 0 or not found else found + int(divisor.p))
    value = exact(node)
    return None if value is None else value - divisor * flint.fmpq((value / divisor).floor())


def _whole_number(node: Node) -> int | None:
    value = exact(node)
    return int(value.p) if value is not None and value.q == 1 else None


_MAX_DETERMINANT = 4
"""Rows of the largest determinant that is written out."""
_MAX_POWER = 12
"""Largest exponent of a matrix."""
_MAX_NODES = 20_000

Rows = Sequence[Sequence[Node]]


def determinant(rows: Rows) -> Node:
    """By cofactors of the first row.

    Raises:
        UnreadableError: It is not square, or large.
    """
    _check_square(rows)
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for column, cell in enumerate(rows[0]):
        term = Product((cell, determinant(_minor(rows, 0, column))))
        terms.append(negative(term) if column % 2 else term)
    return Sum(tuple(terms))


def inverted(rows: Rows) -> Rows:
    """The inverse: cofactors over the determinant. Where that is zero, no cell has a value.

    Raises:
        UnreadableError: The matrix is not square, or large.
    """
    _check_square(rows)
    over = inverse(_simple(determinant(rows)))
    if len(rows) == 1:
        return [[over]]
    places = range(len(rows))
    cells = []
    for row in places:
        found: list[Node] = []
        for column in places:
            cofactor = determinant(_minor(rows, column, row))
            found.append(_simple(Product((negative(cofactor) if (row + column) % 2 else cofactor, over))))
        cells.append(found)
    return cells


def multiplied(one: Rows, other: Rows) -> Rows:
    """The product of two matrices.

    Raises:
        UnreadableError: Their sizes do not fit, or it is large.
    """
    if len(one[0]) != len(other):
        raise UnreadableError("a product of matrices that do not fit")
    columns = list(zip(*other, strict=True))
    found = [
        [_simple(Sum(tuple(Product(pair) for pair in zip(row, column, strict=True)))) for column in columns]
        for row in one
    ]
    if sum(sum(1 for _ in walk(cell)) for row in found for cell in row) > _MAX_NODES:
        raise UnreadableError("a product of matrices that is too long")
    return found


def raised(rows: Rows, exponent: int) -> Rows:
    """A power of a matrix; negative ones are powers of its inverse.

    Raises:
        UnreadableError: It is not square, or the exponent is zero or large.
    """
    _check_square(rows)
    if not 0 < abs(exponent) <= _MAX_POWER:
        raise UnreadableError("a large power of a matrix")
    base = rows if exponent > 0 else inverted(rows)
    found = base
    for _ in range(abs(exponent) - 1):
        found = multiplied(found, base)
    return found


def _check_square(rows: Rows) -> None:
    if len(rows) != len(rows[0]) or len(rows) > _MAX_DETERMINANT:
        raise UnreadableError("a matrix that is not square, or large")


def _minor(rows: Rows, without_row: int, without_column: int) -> Rows:
    return [
        [cell for column, cell in enumerate(row) if column != without_column]
        for at, row in enumerate(rows)
        if at != without_row
    ]


def _simple(node: Node) -> Node:
    """A rational number in place of what is one, so that powers stay short."""
    value = rational_value(node)
    return node if value is None else Number(Fraction(int(value.p), int(value.q)))
