r"""From tokens to a tree: a precedence-climbing grammar for one value.

It reads expressions in LaTeX, plain text and what `clean` makes of Unicode. Whatever it is not sure of, it
refuses (`UnreadableError`), and a later stage decides. Time is linear in the number of tokens, except for
sums and products whose terms are written out (`limits.MAX_WRITTEN_OUT`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..formulas.cost_limits import MAX_TREE_DEPTH, UnreadableError
from ..formulas.formula_tree import (
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    inverse,
    negative,
)
from ..language.signs import GREEK
from .grammar import (
    Grammar,
    applied,
    decimal_number,
    factorial_power,
    left_index,
    may_be_function,
    read_numeral,
    remainder,
    with_minutes,
)
from .latex_commands import read_command
from .range_notation import continued
from .spelling.tokens import CLOSING, COMMON_WORDS, DIVIDED, ORDINALS, TIMES, is_word, tokens

_UNKNOWN_FUNCTIONS = frozenset(["f", "g", "h", "F", "G", "H"])


def read_letters(reader: Grammar, token: str, spelled: bool) -> Node:
    """One unknown or constant; of a run of letters the first, and the others follow.

    Args:
        reader: The place after the token.
        token: The run of letters, with its primes.
        spelled: Whether it is a product of unknowns even where it could be a unit.

    Raises:
        UnreadableError: It is a word.
    """
    name = token.rstrip("'")
    if len(name) > 1 and name.isupper() and name.isascii():
        return Symbol(token)  # a segment, or letters drawn in an order: not a product
    if len(name) > 1:
        if name in GREEK or name == "pi":
            return read_command(reader, name)
        if is_word(token) and not spelled:
            raise UnreadableError(f"{token!r} is a word")
        if len(name) > 3 or not name.isascii() or name in COMMON_WORDS:
            raise UnreadableError(f"{token!r} is a word")
        reader.position -= 1
        reader.words[reader.position : reader.position + 1] = [*name[:-1], name[-1] + token[len(name) :]]
        token = reader.take()
    token += reader.subscript()
    if reader.peek() == "(" and (known := applied(reader, token)) is not None:
        return known
    if token in ("e", "i"):
        return Constant(token)
    if token.rstrip("'")[:1] in _UNKNOWN_FUNCTIONS and reader.peek() == "(":
        return Symbol(token + _skipped(reader))
    return Symbol(token)


def _skipped(reader: Grammar) -> str:
    """The text of a bracketed group that is not evaluated."""
    start = reader.position
    reader.arguments()
    return "".join(reader.words[start : reader.position])


_ENDS = frozenset(
    r"""
    + - ^ _ ! ) ] } \} | , ; = != < <= > >= & % ' $ € £ ¥ ₩ \\ : \bmod \rfloor \rceil \to \rightarrow
    \Rightarrow \cup \cap \setminus \in \notin \subset \approx \pm \mp \rangle \sim \dots \choose
    and or mod
    """.split()
)
_DOTS = Symbol("\\dots")
_DEGREES = frozenset({"\\circ"})


def parse(text: str) -> Node:
    r"""The tree of a cleaned formula.

    Raises:
        UnreadableError: It is not an expression of this grammar.

    >>> parse(r"2\frac{1}{2}")
    Number(value=Fraction(5, 2))
    >>> parse("a(b")
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.formulas.cost_limits.UnreadableError: ')' is missing
    """
    node, rest = scalar(tokens(text))
    if rest:
        raise UnreadableError(f"{rest[0]!r} is left over")
    return node


def scalar(words: Sequence[str], spelled: bool = False) -> tuple[Node, list[str]]:
    """The value with which tokens begin, and the tokens after it.

    Args:
        words: Tokens.
        spelled: Whether runs of letters are products of unknowns even where they could be a unit.

    Raises:
        UnreadableError: They do not begin with a value.
    """
    reader = Reader(list(words), spelled)
    return reader.whole(), reader.rest()


class Reader(Grammar):
    """The grammar: sum, product, power, atom."""

    def __init__(self, words: list[str], spelled: bool) -> None:
        super().__init__(words)
        self._spelled = spelled
        self._depth = 0

    def sum(self) -> Node:
        """Terms between plus and minus signs."""
        self._down()
        sign = 1
        while self.peek() in ("+", "-"):
            sign = -sign if self.take() == "-" else sign
        first = self.product()
        terms = [negative(first) if sign < 0 else first]
        while self.peek() in ("+", "-"):
            minus = self.take() == "-"
            if self.peek() == "\\dots":
                terms.append(Symbol(self.take()))
                continue
            term = self.product()
            terms.append(negative(term) if minus else term)
        self._depth -= 1
        if _DOTS in terms and (whole := continued(terms)) is not None:
            return whole
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def whole(self) -> Node:
        """A sum, and what binds more loosely: ``n \\choose k``, ``17 \\bmod 5``."""
        node = self.sum()
        if self.peek() == "\\choose":
            self.take()
            return Apply("binomial", (node, self.sum()))
        return remainder(self, node) if self.peek() == "\\bmod" else node

    def product(self) -> Node:
        """Factors, with or without signs between them."""
        factors = [self._signed()]
        while True:
            token = self.peek()
            if token in TIMES:
                self.take()
                if (
                    token == "\\times"
                    and isinstance(factors[-1], Symbol)
                    and factors[-1].name.startswith("vec")
                ):
                    raise UnreadableError("a vector product")
                factors.append(self._signed())
            elif token in DIVIDED and (token != ":" or self._depth > 1):
                self.take()
                factors.append(inverse(self._signed()))
            elif token == "\\dots" and self.peek(1) is not None and self.peek(1) not in _ENDS:
                factors.append(Symbol(self.take()))
            elif self.starts_factor(token):
                is_next = self.words[self.position - 1] != ")"  # (x)(0) is a product
                factor = self.implicit(factors[-1])
                if token == "(" and is_next and may_be_function(factors[-1], factor):
                    factors[-1] = Apply("of", (factors[-1], factor))
                else:
                    factors.append(factor)
            else:
                return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def _signed(self) -> Node:
        """A factor that may carry a sign of its own, as in ``2 * -3``."""
        if self.peek() in ("-", "+"):
            minus = self.take() == "-"
            return negative(self.power()) if minus else self.power()
        return self.power()

    def implicit(self, before: Node) -> Node:
        """A factor without a sign between: never two numbers, whose meaning is uncertain."""
        token = self.peek() or ""
        if isinstance(before, Number) and (token[:1].isdecimal() or token[:1] == "."):
            raise UnreadableError("two numbers stand next to one another")
        return self.power()

    def starts_factor(self, token: str | None) -> bool:
        """Return whether a token can begin a factor, rather than end a value."""
        if token is None or token in _ENDS or token.startswith("\\end"):
            return False
        return self._spelled or not is_word(token)

    def power(self) -> Node:
        """An atom with what follows it: exponents, factorials, percent and degree signs."""
        self._down()
        base = self.atom()
        while True:
            token = self.peek()
            if token == "!":
                marks = 0
                while self.peek() == "!":
                    self.take()
                    marks += 1
                if marks > 2:
                    raise UnreadableError("more than two factorial signs")
                base = Apply("factorial" if marks == 1 else "double_factorial", (base,))
            elif token == "%":
                self.take()
                base = Apply("percent", (base,))
            elif token == "^" and self.takes_raised(_DEGREES):
                base = with_minutes(self, Apply("degrees", (base,)))
            elif token == "^" and self.takes_raised(ORDINALS):
                continue
            elif token == "^":
                self.take()
                base = factorial_power(self, base) or Power(base, self.exponent())
            elif token == "_" and (indexed := self._indexed(base)) is not None:
                base = indexed
            else:
                self._depth -= 1
                return base

    def _indexed(self, base: Node) -> Node | None:
        """``v^2_0`` as ``v_0^2``, and ``{g}_k`` as ``g_k``: TeX sets them alike; None for anything else."""
        letter = base.base if isinstance(base, Power) else base
        if not isinstance(letter, Symbol) or "_" in letter.name:
            return None
        if letter is base and self.words[self.position - 1] != "}":
            return None
        named = Symbol(letter.name + self.subscript())
        return Power(named, base.exponent) if isinstance(base, Power) else named

    def exponent(self) -> Node:
        """Read the exponent after ``^``."""
        if self.peek() == "{":
            return self.group()
        if self.peek() in ("-", "+"):
            return negative(self.power()) if self.take() == "-" else self.power()
        node = self.atom()
        if self.peek() != "^":
            return node
        # a^b^c is a^(b^c); after a group LaTeX has none.
        self.take()
        self._down()
        node = Power(node, self.exponent())
        self._depth -= 1
        return node

    def group(self) -> Node:
        """``{...}``, and ``{n \\choose k}``."""
        self.expect("{")
        node = self.whole()
        self.expect("}")
        return node

    def argument(self) -> Node:
        r"""Read the argument of a command such as ``\frac``: a group, or one digit or token."""
        token = self.peek() or ""
        if token == "{":
            return self.group()
        if token.isdecimal() and len(token) > 1:
            self.words[self.position] = token[1:]
            return decimal_number(token[0])
        if token.isalpha() and len(token) > 1:
            self.words[self.position : self.position + 1] = list(token)
        self._down()
        node = self.atom()
        self._depth -= 1
        return node

    def arguments(self) -> tuple[Node, ...]:
        """Values in brackets, with commas between them."""
        closing = CLOSING.get(self.take())
        if closing is None:
            raise UnreadableError("a list of arguments has brackets")
        found = [self.sum()]
        while self.peek() == ",":
            self.take()
            found.append(self.sum())
        self.expect(closing)
        return tuple(found)

    def atom(self) -> Node:
        """A number, a letter, a group in brackets, or a command with its arguments."""
        token = self.take()
        if token[0].isdecimal() or token[0] == ".":
            return read_numeral(self, token)
        if token == "^" or (token == "{" and self.peek() == "}" and self.peek(1) in ("^", "_")):
            return left_index(self)
        if token == "!" and (self.peek() or "").isdecimal():
            return Apply("subfactorial", (decimal_number(self.take()),))
        if token == "{":
            self.position -= 1
            return self.group()
        if token in CLOSING and token != "\\{":
            node = self.whole()
            self.expect(CLOSING[token])
            return node
        if token == "|":
            node = self.sum()
            self.expect("|")
            return Apply("abs", (node,))
        if token[0] == "\\":
            return read_command(self, token[1:])
        if token[0].isalpha():
            return read_letters(self, token, self._spelled)
        raise UnreadableError(f"no value can begin with {token!r}")

    def _down(self) -> None:
        self._depth += 1
        if self._depth > MAX_TREE_DEPTH:
            raise UnreadableError("nested too deeply")
