"""What a user's own module holds, of which verifiers are made; a worker imports it."""

from __future__ import annotations


class Env:
    """What holds what an answer must have."""

    def __init__(self, word: str) -> None:
        self.word = word

    def grade(self, response: str) -> bool:
        """Whether it is there."""
        return self.word in response

    def __call__(self, response: str) -> bool:
        return self.word in response


def contains(word: str, response: str) -> bool:
    """What partials are made of."""
    return word in response
