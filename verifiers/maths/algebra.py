"""Exact comparison: rational numbers, and rational functions as quotients of polynomials (python-flint).

What is no polynomial (a root, a function, pi) stands as an unknown of its own. An identity that holds
with such unknowns holds; one that fails proves something only where there are none.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from .limits import MAX_BITS, MAX_DEGREE, MAX_FACTORIAL, MAX_TERMS
from .tree import MINUS_ONE, Apply, Constant, Node, Number, Power, Product, Root, Sum, Symbol, walk


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
    line = -crossed.left / crossed.quotients[0][1].leading_coefficient() if crossed.left != 0 else crossed.left
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
        for each in (one, other):
            _collect(each, self.names, self.opaque)
        generators = [*self.names, *self.opaque.values()]
        ring = fmpq_mpoly_ctx.get(tuple(f"v{index}" for index in range(len(generators))), Ordering.lex)
        self.table: dict[str, Any] = dict(zip(generators, ring.gens(), strict=True))
        if not generators:
            return
        top, bottom = _quotient(one, ring, self.table, self.opaque)
        other_top, other_bottom = _quotient(other, ring, self.table, self.opaque)
        self.quotients = (top, bottom), (other_top, other_bottom)
        self.left, self.right = _times(top, other_bottom), _times(other_top, bottom)
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


def _factorials(whole: int) -> Any:
    return fmpq(fmpz.fac_ui(whole))  # type: ignore[arg-type]  # its stub asks for what it makes


def _collect(node: Node, names: dict[str, None], opaque: dict[Node, str]) -> None:
    """The unknowns of a tree, and the parts that are treated as such."""
    if isinstance(node, Symbol):
        names[node.name] = None
    elif isinstance(node, Sum | Product):
        for part in node.terms if isinstance(node, Sum) else node.factors:
            _collect(part, names, opaque)
    elif isinstance(node, Power) and _whole_exponent(node) is not None:
        _collect(node.base, names, opaque)
    elif isinstance(node, Apply) and node.function == "percent":
        _collect(node.arguments[0], names, opaque)
    elif not isinstance(node, Number) and _constant(node) is None:
        opaque.setdefault(node, f"({len(opaque)}")


def _constant(node: Node) -> Any | None:
    """The rational value of a part without unknowns, where it has one."""
    if any(isinstance(each, Symbol | Constant) for each in walk(node)):
        return None
    return exact(node)


def _whole_exponent(node: Power) -> int | None:
    exponent = _constant(node.exponent)
    return int(exponent.p) if exponent is not None and exponent.q == 1 else None


def _quotient(node: Node, ring: Any, table: dict[str, Any], opaque: dict[Node, str]) -> tuple[Any, Any]:
    """Numerator and denominator of a tree, as polynomials."""
    one = ring.constant(1)
    if isinstance(node, Symbol):
        return table[node.name], one
    if node in opaque:
        return table[opaque[node]], one
    if isinstance(node, Sum):
        top, bottom = ring.constant(0), one
        for term in node.terms:
            other_top, other_bottom = _quotient(term, ring, table, opaque)
            top = _times(top, other_bottom) + _times(other_top, bottom)
            bottom = _times(bottom, other_bottom)
        return top, bottom
    if isinstance(node, Product):
        top, bottom = one, one
        for factor in node.factors:
            other_top, other_bottom = _quotient(factor, ring, table, opaque)
            top, bottom = _times(top, other_top), _times(bottom, other_bottom)
        return top, bottom
    if isinstance(node, Power) and (exponent := _whole_exponent(node)) is not None:
        top, bottom = _quotient(node.base, ring, table, opaque)
        if exponent < 0:
            top, bottom, exponent = bottom, top, -exponent
        if bottom == 0:
            raise TooLargeError  # a division by zero, which no stage decides
        return _power(top, exponent), _power(bottom, exponent)
    if isinstance(node, Apply) and node.function == "percent" and _constant(node) is None:
        top, bottom = _quotient(node.arguments[0], ring, table, opaque)
        return top / 100, bottom
    value = _constant(node)
    if value is None:
        raise TooLargeError
    return ring.constant(value), one


def _times(one: Any, other: Any) -> Any:
    if len(one) * len(other) > 50 * MAX_TERMS:
        raise TooLargeError
    if len(one) and len(other):
        # What all coefficients take together is bounded too, not only their number.
        _check((_coefficient_bits(one) + _coefficient_bits(other)) * max(len(one), len(other)))
    product = one * other
    if len(product) > MAX_TERMS or (product != 0 and max(product.degrees(), default=0) > MAX_DEGREE):
        raise TooLargeError
    return product


def _coefficient_bits(polynomial: Any) -> int:
    return max(map(bits, polynomial.coeffs()), default=0)


def _power(base: Any, exponent: int) -> Any:
    if exponent > MAX_DEGREE:
        raise TooLargeError
    power = base**0
    for _ in range(exponent):
        power = _times(power, base)
    return power
