"""Limits of the verifiers of text: what is on the limit, and what is one further."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import from_table
from verifiers import (
    ConfigError,
    Regex,
    Repetition,
)
from verifiers.text import multiple_choice
from verifiers.text.multiple_choice import MAX_LABELS, read_choice
from verifiers.text.repetition import MAX_N, MAX_WORD


@pytest.mark.parametrize("of", ["response", "thinking"])
def test_tokens_are_known_of_the_whole_only(of: Any) -> None:
    """Whichever part it is."""
    with pytest.raises(ConfigError, match=f"tokens are known of the whole completion only, not of '{of}'"):
        Repetition(unit="tokens", of=of)
    assert Repetition(of=of).verify("<think>a b c</think>a b c").reason == "distinct"
    assert Repetition(unit="tokens").verify("x", completion_ids=[1, 2, 3, 4]).reason == "distinct"


def test_n_grams_are_counted_from_one_on() -> None:
    """Fewer units than n are short, n units are one n-gram."""
    assert MAX_N == 50
    assert Repetition(3).verify("a b").reason == "short"
    assert Repetition(3).verify("a b c").detail == "1 different 3-grams of 1"
    assert Repetition(3).verify("a b c a b c").score == 0.75
    assert Repetition(2, unit="characters").verify("aaaa").score == pytest.approx(1 / 3)
    assert MAX_WORD == 24
    assert Repetition(1).verify("a" * 24 + " b").detail == "2 different 1-grams of 2"
    assert Repetition(1).verify("a" * 25 + " b").detail == "2 different 1-grams of 26"
    for ids, reason in (
        ([1, "2"], "no_tokens"),
        ("12", "no_tokens"),
        (None, "no_tokens"),
        ([1, 1, 1, 1], "repeated"),
    ):
        assert Repetition(1, unit="tokens").verify("x", completion_ids=ids).reason == reason


def test_a_list_of_labels_has_an_end() -> None:
    """A hundred are read, as far as there are so many."""
    assert MAX_LABELS == 100
    hundred = ", ".join(str(number) for number in range(1, 10))
    assert read_choice(hundred) == multiple_choice.Choice("number", frozenset("123456789"))


@from_table()
def test_labels_are_read_up_to_what_is_none(text: str, labels: str | None) -> None:
    """Of one kind, each once."""
    found = read_choice(text)
    assert (None if found is None else found.labels) == (None if labels is None else frozenset(labels))


def test_case_counts_unless_it_is_folded() -> None:
    """And a pattern matches anywhere unless it must cover all."""
    for options, text, reason in (
        ({}, "ABC", "not_matched"),
        ({"ignore_case": True}, "ABC", "matched"),
        ({}, "xabcx", "matched"),
        ({"full": True}, "xabcx", "not_matched"),
        ({"full": True}, " abc\n", "matched"),
    ):
        assert Regex("abc", **options).verify(text).reason == reason, json.dumps(options)
