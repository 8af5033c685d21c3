"""The index over the languages' words misses nothing: over every place of thousands of texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import FIXTURES, rows
from verifiers.language.language_patterns import beginning, behind, fields_behind
from verifiers.language.spoken_languages import LANGUAGES, Language
from verifiers.language.stance import _AFTER_FIELDS

TEXTS = [
    row["completion"]
    for path in sorted((FIXTURES / "own_rows").glob("*.jsonl"))
    for row in rows(path)
    if isinstance(row["completion"], str)
]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_what_is_said_behind_a_value_is_in_the_index(language: Language) -> None:
    for text in TEXTS[::5]:
        for place in range(len(text[:120]) + 1):
            indexed = fields_behind(_AFTER_FIELDS, text, place)
            left = [field for field in _AFTER_FIELDS if (language, field) not in indexed]
            for field in left:
                assert behind(language, field).match(text, place) is None, (text, place, field)


def test_the_index_leaves_most_places_alone() -> None:
    """Otherwise it would be right for nothing."""
    korean = next(each for each in LANGUAGES if each.name == "Korean")
    asked = [
        sum(language is korean for language, _ in fields_behind(_AFTER_FIELDS, text, place))
        for text in TEXTS
        for place in range(1, 60, 7)
    ]
    assert sum(asked) < len(asked) * len(_AFTER_FIELDS) / 3


PATTERNS = (
    "ab|cd", "(?:x|y)?z", r"\s{0,2}(?=q)k", "(?<!a)[^b-d]e", "(?i:A)b", "a*+b?", r"(?!)", "", r"[가-힣]{2,3}|\d", ".x", "(?>a|b)c",
    r"[\w\s]-", r"\s{1,3}(?:a|b)", "[ ,]{0,2}c", " x|\n{2}", r"\s{1,2}", "[^a]b", "[^a][^b]{1,2}e", r".{0,2}a", r"[\Sx]1", r"[\0-9]b",
)  # fmt: skip


@given(st.sampled_from(PATTERNS), st.text("abcdexyzqkAB가힣 1-\n", max_size=6))
def test_a_match_begins_with_a_sign_of_the_index(pattern: str, text: str) -> None:
    """Behind its white space, of which a match may have nothing else."""
    if (found := re.match(pattern, text, re.IGNORECASE)) is not None:
        assert beginning(pattern).fullmatch(found.group().lstrip()[:1]) is not None


@given(st.text(" \n\u3000", max_size=6), st.sampled_from(["입니다", "아니다", "x", ""]))
def test_white_space_before_words_changes_nothing(blanks: str, words: str) -> None:
    """What stands behind a value is known by its first visible sign, so that a new line costs no look."""
    assert fields_behind(_AFTER_FIELDS, f"36{blanks}{words}", 2) == fields_behind(
        _AFTER_FIELDS, f"36{words}", 2
    )
