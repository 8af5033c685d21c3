r"""Base of the whole grammar: a place in the tokens, numbers, and letters that are functions.

`Grammar` is the parser as its parts know it. Numbers are whole, decimal, mixed and repeating; letters are
functions where brackets follow, ``\Gamma(5)``, ``P(5, 2)``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from ..formulas.cost_limits import MAX_DIGITS, UnreadableError
from ..formulas.formula_tree import Apply, Node, Number, Product, Sum, Symbol, inverse, negative, symbols


class Cursor:
    """Tokens, and how far they were taken.

    Args:
        words: Tokens. Reading a formula may cut some of them into smaller ones.
    """

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.position = 0

    def rest(self) -> list[str]:
        """Return the tokens not yet read."""
        return self.words[self.position :]

    def peek(self, ahead: int = 0) -> str | None:
        """A token that comes, without taking it."""
        at = self.position + ahead
        return self.words[at] if at < len(self.words) else None

    def take(self) -> str:
        """The next token."""
        token = self.peek()
        if token is None:
            raise UnreadableError("it ends too soon")
        self.position += 1
        return token

    def expect(self, token: str) -> None:
        """Take this very token."""
        if self.peek() != token:
            raise UnreadableError(f"{token!r} is missing")
        self.position += 1

    def takes_raised(self, marks: frozenset[str]) -> bool:
        """Take a mark that is raised here, with or without braces; return whether there was one."""
        braced = self.peek(1) == "{" and self.peek(3) == "}"
        if (self.peek(2 if braced else 1) or "").strip('"') not in marks:
            return False
        self.position += 4 if braced else 2
        return True

    def subscript(self) -> str:
        """``_1``, ``_{max}``: a part of a name."""
        if self.peek() != "_":
            return ""
        self.take()
        word = self.take()
        if word != "{":
            return f"_{word.lstrip(chr(92)).lstrip(chr(34))}"
        parts = []
        while (word := self.take()) != "}":
            word = word.lstrip('\\"')
            if not word or not (word.replace(" ", "").isalnum() or word in "+-,"):
                raise UnreadableError("a subscript that is not a name")
            parts.append(word)
        return "_" + "".join(parts)


_LONGEST_PERIOD = 18
"""Digits of a period that dots may stand for: 1/19 has as many."""


def decimal_number(digits: str) -> Number:
    """A decimal number as the fraction that was written.

    Raises:
        UnreadableError: It has more than `MAX_DIGITS` digits.
    """
    if len(digits) > MAX_DIGITS:
        raise UnreadableError("a number of too many digits")
    return Number(Fraction(int(digits)) if digits.isdecimal() else Fraction(digits.rstrip(".") or "0"))


def read_numeral(cursor: Cursor, token: str) -> Number:
    r"""The number that begins with a token: ``2``, ``2\frac12``, ``0.1\overline{6}``, ``0.333...``."""
    value = decimal_number(token)
    after = cursor.peek()
    if after is None:
        return value
    if "." in token and (after in ("\\overline", "\\dot", "\\bar") or (after == "(" and _block(cursor, 1))):
        return _repeating(token, cursor)
    if "." in token and after == "\\dots":
        return _ellipsis(token, cursor)
    if "." not in token:
        part = _fraction(cursor)
        if part is not None:
            return Number(value.value + part)
    return value


def _fraction(cursor: Cursor) -> Fraction | None:
    """The proper fraction after a whole number, which makes it a mixed one."""
    words = cursor.words[cursor.position : cursor.position + 7]
    forms: list[tuple[str, str, int]] = []
    if words[:2] == ["\\frac", "{"] and words[3:5] == ["}", "{"] and words[6:7] == ["}"]:
        forms.append((words[2], words[5], 7))
    elif words[:1] == ["\\frac"] and len(words) > 1 and words[1].isdecimal() and len(words[1]) == 2:
        forms.append((words[1][0], words[1][1], 2))
    elif len(words) > 2 and words[1] == "/" and words[3:4] not in (["^"], ["."], ["!"]):
        forms.append((words[0], words[2], 3))
    for top, bottom, length in forms:
        if top.isdecimal() and bottom.isdecimal() and 0 < int(top) < int(bottom):
            cursor.position += length
            return Fraction(int(top), int(bottom))
    return None


def _block(cursor: Cursor, ahead: int) -> str:
    """The digits in a bracket that closes after them; "" for anything else."""
    digits = cursor.peek(ahead) or ""
    return digits if digits.isdecimal() and cursor.peek(ahead + 1) in (")", "}") else ""


def _repeating(token: str, cursor: Cursor) -> Number:
    r"""``0.1\overline{6}``, ``0.1(6)``, ``0.\dot{1}42\dot{8}``; dots are above the first and last digit."""
    command = cursor.take()
    block = _marked(cursor, command)
    if command == "\\dot":
        between = cursor.peek() or ""
        ahead = 1 if between.isdecimal() else 0
        if cursor.peek(ahead) == "\\dot":
            cursor.position += ahead
            cursor.take()
            block += (between if ahead else "") + _marked(cursor, command)
    if (cursor.peek() or "").replace(".", "").isdecimal():
        raise UnreadableError("digits after a period that has no end")
    return _with_tail(token, block)


def _marked(cursor: Cursor, command: str) -> str:
    """The digits under a mark, or in the bracket that was just opened."""
    if cursor.peek() == "{" or command == "(":
        digits = _block(cursor, 0 if command == "(" else 1)
        cursor.position += 2 if command == "(" else 3
    else:
        digits = cursor.take()
    if not digits.isdecimal():
        raise UnreadableError("an overline above something other than digits")
    return digits


def _ellipsis(token: str, cursor: Cursor) -> Number:
    """``0.1666...``: what comes twice in a row, or more often, is repeated forever."""
    whole, _, digits = token.partition(".")
    for period in range(1, min(_LONGEST_PERIOD, len(digits) // 2) + 1):
        repeated = 0
        for place in range(len(digits) - 1, period - 1, -1):
            if digits[place] != digits[place - period]:
                break
            repeated += 1
        if repeated >= period:
            start = len(digits) - repeated - period
            cursor.take()
            return _with_tail(f"{whole}.{digits[:start]}", digits[start : start + period])
    raise UnreadableError("digits followed by dots, without a period that repeats")


def _with_tail(token: str, block: str) -> Number:
    after = len(token.partition(".")[2])
    tail = Fraction(int(block), (10 ** len(block) - 1) * 10**after)
    return Number(decimal_number(token).value + tail)


_SIXTIETHS = (60, 3600)


def with_minutes(cursor: Cursor, degrees: Node) -> Node:
    """Degrees with the minutes and seconds of arc that follow: ``41^\\circ 30' 36''``."""
    terms = [degrees]
    for parts in _SIXTIETHS:
        words = cursor.words[cursor.position :]
        marks = _marks(words)
        if not marks or not words[0].isdecimal() or (marks == 1) != (parts == _SIXTIETHS[0]):
            break
        terms.append(Apply("degrees", (Number(Fraction(int(words[0]), parts)),)))
        cursor.position += 1 + marks
    return degrees if len(terms) == 1 else Sum(tuple(terms))


def _marks(words: list[str]) -> int:
    """Count the strokes right after a number: one for minutes, two for seconds."""
    count = 0
    while words[1 + count : 2 + count] == ["'"]:
        count += 1
    return count


class Grammar(Cursor, ABC):
    """A place in the tokens, and what can be read from there."""

    @abstractmethod
    def sum(self) -> Node:
        """Terms between plus and minus signs."""

    @abstractmethod
    def whole(self) -> Node:
        """A sum, and what binds more loosely than one."""

    @abstractmethod
    def product(self) -> Node:
        """Factors, with or without signs between them."""

    @abstractmethod
    def power(self) -> Node:
        """An atom with what follows it: exponents, factorials, percent and degree signs."""

    @abstractmethod
    def exponent(self) -> Node:
        """Read the exponent after ``^``."""

    @abstractmethod
    def atom(self) -> Node:
        """A number, a letter, a group in brackets, or a command with its arguments."""

    @abstractmethod
    def argument(self) -> Node:
        """Read the argument of a command such as ``\\frac``: a group, or one digit or token."""

    @abstractmethod
    def arguments(self) -> tuple[Node, ...]:
        """Values in brackets, with commas between them."""

    @abstractmethod
    def implicit(self, before: Node) -> Node:
        """A factor without a sign between it and the one before."""

    @abstractmethod
    def starts_factor(self, token: str | None) -> bool:
        """Return whether a token can begin a factor, rather than end a value."""


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


def left_index(reader: Grammar) -> Node:
    """``{}^5 C_2`` and ``{}_5 C_2``, of which the brace or the ``^`` is taken."""
    if reader.peek() == "}":
        reader.position += 2
    number = reader.peek() or ""
    upper = decimal_number(reader.take()) if number.isdecimal() else reader.argument()
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
    """Return whether a letter before a bracket may be a function: a Greek or capital one, and not pi.

    A small one may be one of a number, or of the time: ``x(0)``, ``u(t - 1)``.
    """
    if not isinstance(node, Symbol):
        return False
    if len(node.name.partition("_")[0]) > 1 or node.name[0].isupper():
        return True
    unknowns = symbols(argument)
    return not unknowns or unknowns == {"t"}
