"""The index over the languages' words misses nothing: over every place of thousands of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import FIXTURES, rows
from verifiers.language.language_patterns import (
    _REPEATED,
    _words,
    ahead,
    beginning,
    behind,
    fields_behind,
    fragments,
    may_match,
    may_say,
    numerals,
    spoken,
)
from verifiers.language.maths_words import _SENTENCE, _may_be_said
from verifiers.language.spoken_languages import LANGUAGES, Language
from verifiers.language.stance import _AFTER_FIELDS, _BEFORE_FIELDS, _DENYING, _SEEN

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


HELD = (
    *PATTERNS, "(?:it )?is(?:n't| not)|wrong", "ab{2}c|[xy]z", "(?:a|b)?[ck]d", "(?:ab|c)+d*", "(?!)|ab", "i(?=s)|k", "\u00e9a|b", "[^a]", "\u017f",
)  # fmt: skip


@given(
    st.sampled_from(HELD),
    st.text("abcdeikstxyzqABIKS\u0130\u0131\u017f\u212a\u00e9\u00c9\uac00\ud7a3 1-\n'", max_size=9),
)
def test_what_has_no_string_of_a_pattern_has_no_match(pattern: str, text: str) -> None:
    """Whatever letters stand for one another where capitals do not matter."""
    if re.search(pattern, text, re.IGNORECASE) is not None:
        assert may_match(pattern)(text)


@pytest.mark.parametrize("fields", [_BEFORE_FIELDS, _DENYING], ids=lambda each: each[0])
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_a_text_without_the_strings_of_words_has_none_of_the_words(
    language: Language, fields: tuple[str, ...]
) -> None:
    asked = passed = 0
    for text in TEXTS[::3]:
        for end in range(7, len(text[:200]), 23):
            words = text[max(0, end - 80) : end]
            if language not in spoken(words):
                continue
            asked += 1
            if not may_say(language, fields)(words):
                passed += 1
                assert all(ahead(language, field).search(words) is None for field in fields), words
    assert passed > asked / 3 > 0


def test_an_answer_without_a_number_is_not_passed_by() -> None:
    said = 0
    for text in (
        *TEXTS,
        "The system has no real solutions",
        "해가 없다",
        "근이 무수히 많습니다",
        "极限不存在",
    ):
        for line in text.splitlines():
            found = _SENTENCE.search(line) is not None
            said += found
            assert not found or _may_be_said()(line), line
    assert said > 5
    assert not _may_be_said()("따라서 민수에게는 모두 9개가 남는다")


def _width_before(sequence: Iterable[tuple[Any, Any]]) -> int:
    """Characters before a place that a parsed pattern looks back at."""
    widths = [0]
    for operator, argument in sequence:
        name = str(operator)
        if name == "AT":
            widths.append(1)
        elif name in ("ASSERT", "ASSERT_NOT"):
            widths += [argument[1].getwidth()[1] if argument[0] < 0 else 0, _width_before(argument[1])]
        elif name == "BRANCH":
            widths += map(_width_before, argument[1])
        elif name == "SUBPATTERN":
            widths.append(_width_before(argument[3]))
        elif name == "ATOMIC_GROUP":
            widths.append(_width_before(argument))
        elif name in _REPEATED:
            widths.append(_width_before(argument[2]))
    return max(widths)


def test_what_is_said_behind_a_place_is_known_by_few_characters_before_it() -> None:
    """So it is found once for a place, whatever stands further on before it."""
    widths = [
        _width_before(_parser.parse(_words(language, field)))
        for language in LANGUAGES
        for field in _AFTER_FIELDS
    ]
    assert max(widths) == _SEEN


def test_numerals_are_found_where_their_words_are() -> None:
    plain = re.compile("|".join(each for language in LANGUAGES for each in fragments(language, "numerals")))
    found = 0
    for text in (*TEXTS, "2\u00bd, 3 and a half, minus 4"):
        spans = [each.span() for each in plain.finditer(text)]
        found += len(spans)
        assert [each.span() for each in numerals().finditer(text)] == spans
    assert found > 10
