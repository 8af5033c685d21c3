"""Formulas as rational functions: quotients of polynomials, compared exactly (python-flint).

What is not a polynomial (a root, a function, pi) counts as an unknown of its own. An identity that holds
with such unknowns holds; one that fails proves something only where there are none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..runtime.packages import deferred
from .cost_limits import MAX_DEGREE, MAX_TERMS
from .exact_values import TooLargeError, bits, check_size, exact, rational
from .formula_tree import MINUS_ONE, Apply, Constant, Node, Number, Power, Product, Sum, Symbol, walk

flint = deferred("flint")

_I = Constant("i")
MAX_SOLVED_DEGREE = 12
"""Largest degree of an equation or inequality that is solved."""


def same_function(one: Node, other: Node) -> bool | None:
    """Return whether two trees are one rational function; None if that does not decide.

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
    """Return whether two trees vanish together since their numerators agree up to a rational factor.

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


Terms = list[tuple[str, tuple[int, ...]]]
"""A polynomial: coefficients with the exponents of its unknowns."""


def normal_form(node: Node) -> tuple[list[Node], Terms, Terms]:
    """A tree as a reduced quotient of polynomials: what counts as unknown in it, what is above, what below.

    Raises:
        TooLargeError: They would be larger than the limits allow.
    """
    crossed = _Crossed(node, MINUS_ONE)
    if not crossed.table:
        value = exact(node)
        if value is None:
            raise TooLargeError
        return [], [(str(value), ())], [("1", ())]
    above, below = crossed.quotients[0]
    common = above.gcd(below)
    common *= (below / common).leading_coefficient()
    terms = [
        [(str(coefficient), tuple(map(int, exponents))) for exponents, coefficient in (each / common).terms()]
        for each in (above, below)
    ]
    return [*map(Symbol, crossed.names), *crossed.opaque], terms[0], terms[1]


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
    return next(iter(crossed.names)), by_exponent[1], by_exponent.get(0, flint.fmpq(0))


def real_factors(node: Node) -> tuple[Callable[[Fraction], Fraction], list[Any], list[Any]] | None:
    """A rational function of one unknown as a function, and the irreducible factors above and below.

    Returns:
        Its value at a number that is no pole, and the coefficients of the factors of its numerator and of
        its denominator, each from the constant one up; None for a tree that is anything else.

    Raises:
        TooLargeError: Its polynomials would be larger than the limits allow.
    """
    crossed = _Crossed(node, MINUS_ONE)
    if len(crossed.names) != 1 or crossed.opaque:
        return None
    top, bottom = crossed.quotients[0]
    if top == 0 or max(top.total_degree(), bottom.total_degree()) > MAX_SOLVED_DEGREE:
        return None
    above, below = (flint.fmpq_poly(_coefficients(each)) for each in (top, bottom))
    common = above.gcd(below)
    poles = [list(factor) for factor, _ in below.factor()[1]]
    above, below = above // common, below // common

    def value(at: Fraction) -> Fraction:
        where = rational(at)
        found = above(where) / below(where)
        return Fraction(int(found.p), int(found.q))

    zeros = [list(factor) for factor, _ in above.factor()[1]]
    return value, [each for each in zeros if each not in poles], poles


def _coefficients(polynomial: Any) -> list[Any]:
    """Return the coefficients of a polynomial in one unknown, from the constant up."""
    found = [flint.fmpq(0)] * (polynomial.total_degree() + 1)
    for exponents, coefficient in polynomial.terms():
        found[exponents[0]] = coefficient
    return found


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
    if isinstance(node, Apply) and node.function == "of":
        return _collect(Product(node.arguments), names, opaque)
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
        self._ring = flint.fmpq_mpoly_ctx.get(
            tuple(f"v{index}" for index in range(len(generators))), flint.Ordering.lex
        )
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
            return self._ring.constant(rational(node.value)), self._one
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
        if isinstance(node, Apply) and node.function == "of":
            return self.quotient(Product(node.arguments))
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
            check_size((_coefficient_bits(one) + _coefficient_bits(other)) * max(len(one), len(other)))
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
            check_size(exponent * (_coefficient_bits(base) + terms.bit_length()))
            return base**exponent
        power = self._one
        for _ in range(exponent):
            power = self.times(power, base)
        return power


def _coefficient_bits(polynomial: Any) -> int:
    return max(map(bits, polynomial.coeffs()), default=0)
