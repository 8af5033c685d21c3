"""What a user's own module holds, of which verifiers are made; a worker imports it."""

from __future__ import annotations

import os

from verifiers import verifier

DEADLY = "deadly"


class Env:
    def __init__(self, word: str) -> None:
        self.word = word

    def grade(self, response: str) -> bool:
        return self.word in response

    def __call__(self, response: str) -> bool:
        return self.word in response


def contains(word: str, response: str) -> bool:
    return word in response


@verifier
def red(response: str) -> bool:
    return "red" in response


@verifier
def green(response: str) -> bool:
    return "green" in response


@verifier
def blue(response: str) -> bool:
    """It is defined twice."""
    return "blue" in response


first_blue = blue


@verifier
def blue(response: str) -> bool:  # type: ignore[no-redef]
    """Under the same name, and the same path."""
    return "blue" in response and bool(response)


@verifier
def survived(response: str) -> bool:
    """Ends the process that judges some texts."""
    if DEADLY in response:
        os._exit(7)
    return True
