"""The languages' words repeat nothing that is tried again: each repetition is bounded or possessive."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from verifiers.language.language_patterns import fragments
from verifiers.language.spoken_languages import LANGUAGES

CLAUSES = 400
"""Characters that a class which holds no blanks, or a clause without its ends, may take."""


def repeated(tree: Any) -> Iterator[tuple[Any, int]]:
    """Every repetition in a tree that can be tried again, with how often it repeats at most."""
    for code, value in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            yield code, int(value[1])
            yield from repeated(value[2])
        elif code is codes.POSSESSIVE_REPEAT:
            yield from repeated(value[2])
        elif code is codes.BRANCH:
            for each in value[1]:
                yield from repeated(each)
        elif code is codes.SUBPATTERN:
            yield from repeated(value[3])
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from repeated(value[1])
        elif code is codes.ATOMIC_GROUP:
            yield from repeated(value)


def faults(fragment: str) -> list[int]:
    """How often what may be tried again repeats, where that is unbounded."""
    return [most for _, most in repeated(parser.parse(fragment)) if most > CLAUSES]


def words() -> Iterator[tuple[str, str]]:
    """Every fragment of every language, by its field."""
    for language in LANGUAGES:
        for field in dataclasses.fields(language):
            value = getattr(language, field.name)
            if isinstance(value, tuple):
                yield from (
                    (f"{language.name}.{field.name}", each) for each in fragments(language, field.name)
                )
        for field in dataclasses.fields(language.choices):
            if isinstance(value := getattr(language.choices, field.name), str) and value:
                yield f"{language.name}.choices.{field.name}", value


def test_every_repetition_is_bounded_or_possessive() -> None:
    found = {name: fragment for name, fragment in words() if faults(fragment)}
    assert not found, "write \\s*+ or \\s{0,4}: what may be tried again makes a search quadratic or worse"


@pytest.mark.parametrize("fragment", [r"\s*(?:번)?\s*", r"(?:a|b)*", r".*\Z", r"x\s+", r"[^.]{3,}?"])
def test_what_is_refused(fragment: str) -> None:
    assert faults(fragment)


@pytest.mark.parametrize("fragment", [r"\s*+(?:번)?\s{0,4}", r"(?:a|b){0,4}", r".*+\Z", r"(?>x\s++)"])
def test_what_is_allowed(fragment: str) -> None:
    assert not faults(fragment)
