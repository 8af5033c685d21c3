"""Functions of number theory and counting: of whole numbers, exactly."""

from __future__ import annotations

from collections.abc import Callable

from ..runtime.packages import deferred
from .formula_tree import Node, Number, Power, Product, Sum

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
    """What a tree of whole numbers leaves when it is divided; powers are reduced on the way.

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
