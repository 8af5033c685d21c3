"""A place in a list of tokens, and what can be said or taken there without knowing the grammar."""

from __future__ import annotations

from ...formulas.limits import UnreadableError


class Cursor:
    """Tokens, and how far they were taken.

    Args:
        words: Tokens. Reading a formula may cut some of them into smaller ones.
    """

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.position = 0

    def rest(self) -> list[str]:
        """What was not read."""
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
        """Whether a mark is raised here, with or without braces; then it is taken."""
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
