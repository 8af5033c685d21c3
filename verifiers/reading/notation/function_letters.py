r"""Letters that are functions where brackets follow: ``\Gamma(5)``, ``P(5, 2)``; and other rare notations."""

from __future__ import annotations

from fractions import Fraction

from ...formulas.formula_tree import Apply, Node, Number, Product, Sum, Symbol, inverse, negative, symbols
from ...formulas.limits import UnreadableError
from .. import decimals
from .grammar import Grammar

_ANY = {"Gamma": "gamma"}
"""Letters that are read as functions whatever is in the brackets."""
_LITERAL = {"zeta": "zeta", "psi": "digamma", "W": "lambertw", "W_0": "lambertw"}
"""Those that are functions of numbers, and may otherwise be unknowns before a bracket."""
_WHOLE = {
    "phi": "totient", "varphi": "totient", "tau": "divisors", "sigma_0": "divisors", "d": "divisors",
    "sigma": "sigma", "sigma_1": "sigma",
}  # fmt: skip
"""Those that are functions of whole numbers."""
_PAIRS = frozenset({"C", "P", "B", "beta", "Beta"})
_WRITTEN_OUT = 30
"""Most factors of a falling factorial that are written out."""


def applied(reader: Grammar, letter: str) -> Node | None:
    """A letter with the brackets after it as a known function; None, and nothing taken, for any other."""
    if letter not in _ANY and letter not in _LITERAL and letter not in _WHOLE and letter not in _PAIRS:
        return None
    start = reader.position
    found = reader.arguments()
    node = (
        _pair(letter, *found) if len(found) == 2 else _single(letter, found[0]) if len(found) == 1 else None
    )
    if node is None:
        reader.position = start
    return node


def _single(letter: str, argument: Node) -> Node | None:
    if letter in _ANY:
        return Apply(_ANY[letter], (argument,))
    if letter in _WHOLE and _is_whole(argument, 2 if letter == "d" else 1):
        return Apply(_WHOLE[letter], (argument,))
    return Apply(_LITERAL[letter], (argument,)) if letter in _LITERAL and not symbols(argument) else None


def _pair(letter: str, one: Node, other: Node) -> Node | None:
    if letter == "C":
        return Apply("binomial", (one, other))
    if letter == "P":
        return falling(one, other) if _is_whole(one) and _is_whole(other) else None
    literal = letter in _PAIRS and not (symbols(one) or symbols(other))
    return Apply("beta", (one, other)) if literal else None


def _is_whole(node: Node, least: int = 0) -> bool:
    return isinstance(node, Number) and node.value.denominator == 1 and node.value >= least


def falling(base: Node, count: Node) -> Node:
    """``n (n - 1) ...``, of as many factors as are counted."""
    if isinstance(count, Number) and _is_whole(count, 1) and count.value <= _WRITTEN_OUT:
        steps = (Number(Fraction(-step)) for step in range(int(count.value)))
        return Product(tuple(Sum((base, step)) for step in steps))
    rest = Apply("factorial", (Sum((base, negative(count))),))
    return Product((Apply("factorial", (base,)), inverse(rest)))


def factorial_power(reader: Grammar, base: Node) -> Node | None:
    r"""``x^{\underline{3}}``, after the ``^``; None, and nothing taken, for any other exponent."""
    if reader.peek() != "{" or reader.peek(1) != "\\underline":
        return None
    reader.position += 2
    count = reader.argument()
    reader.expect("}")
    return falling(base, count)


def prescript(reader: Grammar) -> Node:
    """``{}^5 C_2`` and ``{}_5 C_2``, of which the brace or the ``^`` is taken."""
    if reader.peek() == "}":
        reader.position += 2
    number = reader.peek() or ""
    upper = decimals.number(reader.take()) if number.isdecimal() else reader.argument()
    letter = reader.take().strip('"')
    if letter not in ("C", "P", "A"):
        raise UnreadableError("a number raised before something else")
    reader.expect("_")
    lower = reader.argument()
    return Apply("binomial", (upper, lower)) if letter == "C" else falling(upper, lower)


def remainder(reader: Grammar, node: Node) -> Node:
    r"""``17 \bmod 5``; what is reduced already, as in ``2 \bmod 5``, is left: it may be a class."""
    start = reader.position
    reader.take()
    modulus = reader.product()
    if isinstance(node, Number) and isinstance(modulus, Number) and 0 <= node.value < modulus.value:
        reader.position = start
        return node
    return Apply("mod", (node, modulus))


def may_be_function(node: Node, argument: Node) -> bool:
    """Whether a letter with a bracket after it may be a function: a Greek or capital one, and not pi.

    A small one may be one of a number, or of the time: ``x(0)``, ``u(t - 1)``.
    """
    if not isinstance(node, Symbol):
        return False
    if len(node.name.partition("_")[0]) > 1 or node.name[0].isupper():
        return True
    unknowns = symbols(argument)
    return not unknowns or unknowns == {"t"}
