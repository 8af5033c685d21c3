"""What the notations of formulas need of the grammar whose parts they are."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...formulas.formula_tree import Node
from ..text.token_cursor import Cursor


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
        """What follows ``^``."""

    @abstractmethod
    def atom(self) -> Node:
        """A number, a letter, a group in brackets, or a command with its arguments."""

    @abstractmethod
    def argument(self) -> Node:
        """What a command such as ``\\frac`` takes: a group, or one digit or token."""

    @abstractmethod
    def arguments(self) -> tuple[Node, ...]:
        """Values in brackets, with commas between them."""

    @abstractmethod
    def implicit(self, before: Node) -> Node:
        """A factor without a sign between it and the one before."""

    @abstractmethod
    def starts_factor(self, token: str | None) -> bool:
        """Whether a token can begin a factor, rather than end a value."""
