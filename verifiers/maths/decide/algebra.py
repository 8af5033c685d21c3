"""Exact comparison: rational numbers, and rational functions as quotients of polynomials (python-flint).

What is no polynomial (a root, a function, pi) stands as an unknown of its own. An identity that holds
with such unknowns holds; one that fails proves something only where there are none.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from ..read.formula_tree import (
    MINUS_ONE,
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Root,
    Sum,
    Symbol,
    walk,
)
from ..text.limits import MAX_BITS, MAX_DEGREE, MAX_FACTORIAL, MAX_TERMS


class TooLargeError(Exception):
    """An exact value or polynomial would be larger than the limits allow. It was not built."""


_I = Constant("i")


def exact(node: Node) -> Any | None:
    """The rational number (fmpq) that a tree stands for; None where it is not certain to be one.

    Raises:
        TooLargeError: It, or something on the way to it, has more than `MAX_BITS` bits.
    """
    if isinstance(node, Number):
        return _fmpq(node.value)
    if isinstance(node, Sum | Product):
        parts = node.terms if isinstance(node, Sum) else node.factors
        total = fmpq(0) if isinstance(node, Sum) else fmpq(1)
        for part in parts:
            value = exact(part)
            if value is None:
                return None
            _check(bits(total) + bits(value))
            total = total + value if isinstance(node, Sum) else total * value
        return total
    if isinstance(node, Power):
        base, exponent = exact(node.base), exact(node.exponent)
        if base is None or exponent is None or exponent.q != 1:
            return None
        if base == 0 and exponent <= 0:
            return None
        _check(bits(base) * abs(int(exponent.p)) if base not in (0, 1, -1) else 0)
        return base ** int(exponent.p)
    if isinstance(node, Root):
        return _exact_root(node)
    return _exact_function(node) if isinstance(node, Apply) else None


def bits(value: Any) -> int:
    """The size of a rational number: bits of the longer of its numerator and denominator."""
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def identical(one: Node, other: Node) -> bool | None:
    """Whether two trees are one rational function; None where that does not decide.

    Raises:
        TooLargeError: Their polynomials would be larger than the limits allow.
    """
    crossed = _Crossed(one, other)
    if not crossed.table:
        return None
    difference = crossed.left - crossed.right
    if _I in crossed.opaque:
        unit = crossed.table[crossed.opaque[_I]]
        difference = divmod(difference, unit * unit + 1)[1]
    if difference == 0:
        return True
    # Over the complex rationals, too, different quotients are different functions.
    return None if crossed.opaque.keys() - {_I} else False


def ratio(one: Node, other: Node) -> Any | bool | None:
    """The rational number by which one tree is a multiple of the other; False for none, None if unsure.

    Raises:
        TooLargeError: Their polynomials would be larger than the limits allow.
    """
    crossed = _Crossed(one, other)
    if not crossed.names or crossed.left == 0 or crossed.right == 0:
        return None
    factor = _factor(crossed.left, crossed.right)
    if factor is not None:
        return factor
    # With unknowns in a denominator the factor may hold some too, and the equation be the same.
    return None if crossed.opaque or crossed.divided else False


def same_zeros(one: Node, other: Node) -> bool | None:
    """Whether two trees are zero together because their numerators agree up to a rational factor.

    Raises:
        TooLargeError: Their polynomials would be larger than the limits allow.
    """
    crossed = _Crossed(one, other)
    if not crossed.names:
        return None
    left, right = (top / top.gcd(bottom) for top, bottom in crossed.quotients)
    if left == 0 or right == 0:
        return None
    return _factor(left, right) is not None or (None if crossed.opaque else False)


def linear(node: Node) -> tuple[str, Any, Any] | None:
    """The unknown x and the rational a != 0 and b for a tree that is ax + b; None for any other.

    Raises:
        TooLargeError: Its polynomials would be larger than the limits allow.
    """
    crossed = _Crossed(node, MINUS_ONE)
    if len(crossed.names) != 1 or crossed.opaque or crossed.divided:
        return None
    line = crossed.left / crossed.quotients[0][1].leading_coefficient() if crossed.left != 0 else crossed.left
    if line.total_degree() != 1:
        return None
    by_exponent = {exponents[0]: coefficient for exponents, coefficient in line.terms()}
    return next(iter(crossed.names)), by_exponent[1], by_exponent.get(0, fmpq(0))


def _factor(one: Any, other: Any) -> Any | None:
    factor = one.leading_coefficient() / other.leading_coefficient()
    return factor if one == other * factor else None


class _Crossed:
    """Two trees as polynomials over one denominator: each numerator times the other's denominator.

    Raises:
        TooLargeError: They would be larger than the limits allow.
    """

    def __init__(self, one: Node, other: Node) -> None:
        self.opaque: dict[Node, str] = {}
        self.names: dict[str, None] = {}
        size = sum(_collect(each, self.names, self.opaque) for each in (one, other))
        generators = [*self.names, *self.opaque.values()]
        expansion = _Expansion(generators, self.opaque, size <= MAX_DEGREE)
        self.table = expansion.table
        if not generators:
            return
        (top, bottom), (other_top, other_bottom) = expansion.quotient(one), expansion.quotient(other)
        self.quotients = (top, bottom), (other_top, other_bottom)
        self.left, self.right = expansion.times(top, other_bottom), expansion.times(other_top, bottom)
        self.divided = bool(bottom.total_degree() or other_bottom.total_degree())


def _check(size: int) -> None:
    if size > MAX_BITS:
        raise TooLargeError


def _fmpq(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)


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
    return fmpq(sign * parts[0], parts[1])


def _exact_function(node: Apply) -> Any | None:
    values: list[Any] = [exact(argument) for argument in node.arguments]
    if None in values:
        return None
    if node.function == "abs":
        return abs(values[0])
    if node.function in ("floor", "ceil"):
        return fmpq(values[0].floor() if node.function == "floor" else values[0].ceil())
    if node.function == "percent":
        return values[0] / 100
    if node.function in ("max", "min"):
        return max(values) if node.function == "max" else min(values)
    if node.function in ("gcd", "lcm"):
        return _common(node.function, values)
    if node.function == "degrees":
        return values[0] if values[0] == 0 else None
    if node.function == "factorial":
        return _factorial(values[0])
    if node.function == "double_factorial":
        return _double_factorial(values[0])
    if node.function == "binomial" and all(value.q == 1 for value in values):
        upper, lower = (int(value.p) for value in values)
        if not 0 <= upper <= MAX_FACTORIAL:
            raise TooLargeError
        if not 0 <= lower <= upper:
            return fmpq(0)
        return _factorials(upper) / (_factorials(lower) * _factorials(upper - lower))
    return None


def _common(function: str, values: list[Any]) -> Any | None:
    if any(value.q != 1 for value in values):
        return None
    total = values[0].p
    for value in values[1:]:
        _check(bits(fmpq(total)) + bits(value))
        total = total.gcd(value.p) if function == "gcd" else total.lcm(value.p)
    return fmpq(abs(total))


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
    return fmpq(math.prod(range(int(value.p), 0, -2)))


def _factorials(whole: int) -> Any:
    return fmpq(fmpz.fac_ui(whole))  # type: ignore[arg-type]  # its stub asks for what it makes


def _collect(node: Node, names: dict[str, None], opaque: dict[Node, str]) -> int:
    """Note the unknowns of a tree, and the parts that are treated as such.

    Returns:
        A bound of the degree, and of the bits of the coefficients, of what the tree expands to.
    """
    if isinstance(node, Number):
        return node.value.numerator.bit_length() + node.value.denominator.bit_length()
    if isinstance(node, Symbol):
        names[node.name] = None
        return 1
    if isinstance(node, Sum | Product):
        parts = node.terms if isinstance(node, Sum) else node.factors
        return sum(_collect(part, names, opaque) for part in parts) + len(parts)
    if isinstance(node, Power) and (exponent := _whole_exponent(node)) is not None:
        return _collect(node.base, names, opaque) * max(1, abs(exponent))
    if isinstance(node, Apply) and node.function == "percent":
        return _collect(node.arguments[0], names, opaque) + 8
    value = _constant(node)
    if value is not None:
        return 2 * bits(value)
    opaque.setdefault(node, f"({len(opaque)}")
    return 1


def _constant(node: Node) -> Any | None:
    """The rational value of a part without unknowns, where it has one."""
    if any(isinstance(each, Symbol | Constant) for each in walk(node)):
        return None
    return exact(node)


def _whole_exponent(node: Power) -> int | None:
    if isinstance(node.exponent, Number):
        value = node.exponent.value
        return value.numerator if value.denominator == 1 else None
    exponent = _constant(node.exponent)
    return int(exponent.p) if exponent is not None and exponent.q == 1 else None


class _Expansion:
    """Trees as quotients of polynomials in one ring."""

    def __init__(self, generators: list[str], opaque: dict[Node, str], small: bool) -> None:
        self._ring = fmpq_mpoly_ctx.get(tuple(f"v{index}" for index in range(len(generators))), Ordering.lex)
        self.table: dict[str, Any] = dict(zip(generators, self._ring.gens(), strict=True))
        self._opaque = opaque
        self._small = small
        self._one = self._ring.constant(1)

    def quotient(self, node: Node) -> tuple[Any, Any]:
        """Numerator and denominator of a tree.

        Raises:
            TooLargeError: They would be larger than the limits allow, or something is divided by zero.
        """
        if isinstance(node, Symbol):
            return self.table[node.name], self._one
        if isinstance(node, Number):
            return self._ring.constant(_fmpq(node.value)), self._one
        if node in self._opaque:
            return self.table[self._opaque[node]], self._one
        if isinstance(node, Sum):
            top, bottom = self._ring.constant(0), self._one
            for term in node.terms:
                other_top, other_bottom = self.quotient(term)
                top = self.times(top, other_bottom) + self.times(other_top, bottom)
                bottom = self.times(bottom, other_bottom)
            return top, bottom
        if isinstance(node, Product):
            top, bottom = self._one, self._one
            for factor in node.factors:
                other_top, other_bottom = self.quotient(factor)
                top, bottom = self.times(top, other_top), self.times(bottom, other_bottom)
            return top, bottom
        if isinstance(node, Power) and (exponent := _whole_exponent(node)) is not None:
            top, bottom = self.quotient(node.base)
            if exponent < 0:
                top, bottom, exponent = bottom, top, -exponent
            if bottom == 0:
                raise TooLargeError  # a division by zero, which no stage decides
            return self._power(top, exponent), self._power(bottom, exponent)
        if isinstance(node, Apply) and node.function == "percent":
            top, bottom = self.quotient(node.arguments[0])
            return top / 100, bottom
        value = _constant(node)
        if value is None:
            raise TooLargeError
        return self._ring.constant(value), self._one

    def times(self, one: Any, other: Any) -> Any:
        """A product within the limits."""
        if one is self._one or other is self._one:
            return other if one is self._one else one
        if len(one) * len(other) > 50 * MAX_TERMS:
            raise TooLargeError
        if not self._small and len(one) and len(other):
            # What all coefficients take together is bounded too, not only their number.
            _check((_coefficient_bits(one) + _coefficient_bits(other)) * max(len(one), len(other)))
        product = one * other
        if len(product) > MAX_TERMS:
            raise TooLargeError
        if not self._small and product != 0 and max(product.degrees(), default=0) > MAX_DEGREE:
            raise TooLargeError
        return product

    def _power(self, base: Any, exponent: int) -> Any:
        if exponent in (0, 1) or base is self._one or base == 0:
            return base if exponent else self._one
        if exponent > MAX_DEGREE:
            raise TooLargeError
        terms = len(base)
        spread = math.prod(degree * exponent + 1 for degree in base.degrees())
        if min(spread, math.comb(exponent + terms - 1, terms - 1) if terms < 20 else spread) <= MAX_TERMS:
            _check(exponent * (_coefficient_bits(base) + terms.bit_length()))
            return base**exponent
        power = self._one
        for _ in range(exponent):
            power = self.times(power, base)
        return power


def _coefficient_bits(polynomial: Any) -> int:
    return max(map(bits, polynomial.coeffs()), default=0)
