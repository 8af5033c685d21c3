r"""From a cleaned formula to a tree: a precedence-climbing grammar over tokens.

It reads scalar expressions in LaTeX, plain text and what `clean` makes of Unicode. Whatever it is not
sure of it refuses (`UnreadableError`), and a later stage decides. Time is linear in the length of the text.
"""

from __future__ import annotations

from fractions import Fraction

from .limits import MAX_DIGITS, MAX_TREE_DEPTH
from .tokens import (
    BRACKETS,
    CLOSING,
    DIVIDED,
    FUNCTION_NAMES,
    GREEK,
    INVERSES,
    TIMES,
    UnreadableError,
    tokens,
)
from .tree import Apply, Constant, Node, Number, Power, Product, Root, Sum, Symbol, inverse, negative


def parse(text: str) -> Node:
    r"""The tree of a cleaned formula.

    Raises:
        UnreadableError: It is not an expression of this grammar.

    >>> parse(r"2\frac{1}{2}")
    Number(value=Fraction(5, 2))
    >>> parse("a(b")
    Traceback (most recent call last):
    ...
    verifiers.maths.tokens.UnreadableError: ')' is missing
    """
    reader = _Reader(tokens(text))
    node = reader.sum()
    if reader.peek() is not None:
        raise UnreadableError(f"{reader.peek()!r} is left over")
    return node


class _Reader:
    """The grammar: sum, product, power, atom."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0

    def peek(self) -> str | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def take(self) -> str:
        token = self.peek()
        if token is None:
            raise UnreadableError("it ends too soon")
        self._position += 1
        return token

    def expect(self, token: str) -> None:
        if self.peek() != token:
            raise UnreadableError(f"{token!r} is missing")
        self._position += 1

    def sum(self) -> Node:
        self._depth += 1
        if self._depth > MAX_TREE_DEPTH:
            raise UnreadableError("nested too deeply")
        sign = 1
        while self.peek() in ("+", "-"):
            sign = -sign if self.take() == "-" else sign
        first = self.product()
        terms = [negative(first) if sign < 0 else first]
        while self.peek() in ("+", "-"):
            minus = self.take() == "-"
            term = self.product()
            terms.append(negative(term) if minus else term)
        self._depth -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def product(self) -> Node:
        factors = [self.signed()]
        while True:
            token = self.peek()
            if token in TIMES:
                self.take()
                factors.append(self.signed())
            elif token in DIVIDED:
                self.take()
                factors.append(inverse(self.signed()))
            elif self._starts_factor(token):
                factors.append(self._implicit(factors[-1]))
            else:
                return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def signed(self) -> Node:
        """A factor that may carry a sign of its own, as in ``2 * -3``."""
        if self.peek() in ("-", "+"):
            minus = self.take() == "-"
            return negative(self.power()) if minus else self.power()
        return self.power()

    def _implicit(self, before: Node) -> Node:
        """A factor without a sign between: never two numbers, whose meaning nobody can be sure of."""
        token = self.peek() or ""
        if isinstance(before, Number) and (token[:1].isdigit() or token[:1] == "."):
            raise UnreadableError("two numbers stand next to one another")
        return self.power()

    def _starts_factor(self, token: str | None) -> bool:
        if token is None or token in ("+", "-", "^", "**", "_", "!", ")", "]", "}", "|"):
            return False
        return token not in ("\\rfloor", "\\rceil", "\\rvert", "\\to", "\\rightarrow")

    def power(self) -> Node:
        base = self.atom()
        while True:
            token = self.peek()
            if token == "!":
                self.take()
                base = Apply("factorial", (base,))
            elif token in ("^", "**"):
                self.take()
                base = Power(base, self._exponent())
            else:
                return base

    def _exponent(self) -> Node:
        if self.peek() == "{":
            return self.group()
        if self.peek() in ("-", "+"):
            return negative(self.power()) if self.take() == "-" else self.power()
        node = self._one_digit() or self.atom()
        # a^b^c is a^(b^c); behind a group LaTeX has none.
        return Power(node, self._chained()) if self.peek() in ("^", "**") else node

    def _chained(self) -> Node:
        self.take()
        self._depth += 1
        if self._depth > MAX_TREE_DEPTH:
            raise UnreadableError("nested too deeply")
        node = self._exponent()
        self._depth -= 1
        return node

    def _one_digit(self) -> Node | None:
        """``x^23`` in LaTeX is x^2 times 3, in plain text x^23: it is refused, since nobody can be sure."""
        token = self.peek() or ""
        if token.isdigit() and len(token) > 1:
            after = self._tokens[self._position + 1 : self._position + 2]
            if any(each.startswith("\\") for each in self._tokens) or after not in ([], ["+"], ["-"], [")"]):
                raise UnreadableError("an exponent of several digits without braces")
        return None

    def group(self) -> Node:
        """``{...}``."""
        self.expect("{")
        node = self.sum()
        self.expect("}")
        return node

    def argument(self) -> Node:
        r"""What a command such as ``\frac`` takes: a group, or one digit or token."""
        token = self.peek() or ""
        if token == "{":
            return self.group()
        if token.isdigit() and len(token) > 1:
            self._tokens[self._position] = token[1:]
            return Number(Fraction(int(token[0])))
        return self.atom()

    def atom(self) -> Node:
        token = self.take()
        if token[0].isdigit() or token[0] == ".":
            return self._number(token)
        if token in CLOSING:
            node = self.sum()
            self.expect(CLOSING[token])
            return node
        if token == "|":
            node = self.sum()
            self.expect("|")
            return Apply("abs", (node,))
        if token.startswith("\\"):
            return self._command(token[1:])
        if token.isalpha():
            return self._letter(token)
        raise UnreadableError(f"{token!r} begins nothing")

    def _number(self, token: str) -> Node:
        digits = token.replace(",", "")
        if len(digits) > MAX_DIGITS:
            raise UnreadableError("a number of too many digits")
        if self.peek() == "\\overline" and "." in token:
            return self._repeating(digits)
        value = Fraction(digits)
        mixed = self._tokens[self._position : self._position + 7]
        if value.denominator == 1 and mixed[:2] == ["\\frac", "{"] and mixed[3:5] == ["}", "{"]:
            top, bottom = mixed[2], mixed[5] if len(mixed) > 5 else ""
            if top.isdigit() and bottom.isdigit() and mixed[6:7] == ["}"] and 0 < int(top) < int(bottom):
                self._position += 7
                return Number(value + Fraction(int(top), int(bottom)))
        return Number(value)

    def _repeating(self, digits: str) -> Node:
        r"""``0.1\overline{6}``."""
        self.take()
        self.expect("{")
        block = self.take()
        self.expect("}")
        if not block.isdigit():
            raise UnreadableError("an overline above something else than digits")
        after = len(digits.partition(".")[2])
        tail = Fraction(int(block), (10 ** len(block) - 1) * 10**after)
        return Number(Fraction(digits) + tail)

    def _letter(self, letter: str) -> Node:
        name = letter + self._subscript()
        if name in ("e", "i"):
            return Constant(name)
        if name in ("f", "g", "h") and self.peek() == "(":
            raise UnreadableError("a function that is not known")
        return Symbol(name)

    def _subscript(self) -> str:
        if self.peek() != "_":
            return ""
        self.take()
        token = self.take()
        if token != "{":
            return f"_{token.lstrip(chr(92))}"
        parts = []
        while (token := self.take()) != "}":
            if not token.lstrip("\\").isalnum():
                raise UnreadableError("a subscript that is not a name")
            parts.append(token.lstrip("\\"))
        return "_" + "".join(parts)

    def _command(self, name: str) -> Node:
        if name == "frac":
            top = self.argument()
            return Product((top, inverse(self.argument())))
        if name == "sqrt":
            return self._root()
        if name == "pi":
            return Constant("pi")
        if name in ("binom", "dbinom", "tbinom"):
            upper = self.argument()
            return Apply("binomial", (upper, self.argument()))
        if name in BRACKETS:
            closing = {
                "lfloor": ("\\rfloor", "floor"),
                "lceil": ("\\rceil", "ceil"),
                "lvert": ("\\rvert", "abs"),
            }
            node = self.sum()
            self.expect(closing[name][0])
            return Apply(closing[name][1], (node,))
        if name in GREEK:
            return Symbol(name + self._subscript())
        if name in FUNCTION_NAMES:
            return self._function(FUNCTION_NAMES[name])
        raise UnreadableError(f"\\{name} is not read here")

    def _root(self) -> Node:
        degree = 2
        if self.peek() == "[":
            self.take()
            token = self.take()
            self.expect("]")
            if not token.isdigit() or not 2 <= int(token) <= 100:
                raise UnreadableError("a root of another degree than 2 to 100")
            degree = int(token)
        return Root(self.argument(), degree)

    def _function(self, name: str) -> Node:
        power: Node | None = None
        base: Node | None = None
        while self.peek() in ("^", "_"):
            if self.take() == "^":
                power = self.argument()
            elif name == "log":
                base = self.argument()
            else:
                raise UnreadableError(f"a subscript of {name}")
        if power == Number(Fraction(-1)) and name in INVERSES:
            name, power = INVERSES[name], None
        node = self._applied(name, base, self._function_argument())
        return node if power is None else Power(node, power)

    def _applied(self, name: str, base: Node | None, argument: Node) -> Node:
        if name == "lg":
            return Apply("log_base", (Number(Fraction(10)), argument))
        if base is not None:
            return Apply("log_base", (base, argument))
        return Apply(name, (argument,))

    def _function_argument(self) -> Node:
        """A bracketed argument, or the factors up to the next function or sign: ``sin 2x cos x``."""
        if self.peek() in ("(", "{", "[", "|"):
            return self.atom()
        minus = self.peek() == "-"
        if minus:
            self.take()
        factors = [self.power()]
        while True:
            token = self.peek()
            name = (token or "")[1:] if (token or "").startswith("\\") else ""
            if not self._starts_factor(token) or token in TIMES | DIVIDED or name in FUNCTION_NAMES:
                break
            if token in ("(", "[", "{"):
                raise UnreadableError("a bracket behind an argument without brackets")
            factors.append(self._implicit(factors[-1]))
        node: Node = factors[0] if len(factors) == 1 else Product(tuple(factors))
        return negative(node) if minus else node
