"""How a completion is taken apart: thinking is what plain tags say, and a tag in disguise makes no response of it."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import from_table
from verifiers import (
    ExactMatch,
    Length,
    MathEquivalence,
    Status,
    split_completion,
)
from verifiers.core.completions import _LONGEST_TAG, _THINK, THINKING_TAGS, _think_tags, split_thinking
from verifiers.core.extraction import Extraction
from verifiers.core.verdicts import Sample

PLAIN = ("<think>", "</think>")
DISGUISED = {
    "invisible": ("<th\u200bink>", "</th\u2060ink>"),
    "full width": ("＜think＞", "＜/think＞"),
    "soft hyphen after the sign": ("<\u00adthink>", "<\u00ad/think>"),
    "dress inside": ("<th<b></b>ink>", "</th<b></b>ink>"),
    "comment inside": ("<<!-- -->think>", "<<!-- -->/think>"),
    "a named sign": ("<thin&#107;>", "<&sol;think>"),
}


def shown(text: str) -> str:
    """What is searched for an answer."""
    split = split_completion(text)
    assert split is not None
    return split.seen().text


@pytest.mark.parametrize("disguise", DISGUISED)
def test_a_tag_in_disguise_hides_nothing(disguise: str) -> None:
    """Where no plain tag says otherwise it is read as its reader sees it."""
    opening, closing = DISGUISED[disguise]
    assert shown(f"<think>41{closing}42") == "42"
    assert shown(f"41{closing}42") == "42"
    assert shown(f"<think>41</think>42{opening}43") == ""
    assert shown(f"<think>40</think>41{closing}42") == "42"


@pytest.mark.parametrize("disguise", DISGUISED)
def test_what_plain_tags_enclose_is_never_the_response(disguise: str) -> None:
    """Whatever tags in disguise stand around and in it: over all orders of six of them."""
    opening, closing = DISGUISED[disguise]
    for order in product((opening, closing, *PLAIN), repeat=5):
        text = "".join(f"{tag} {place} " for place, tag in enumerate(order))
        plain = [place for place, tag in enumerate(order) if tag in PLAIN]
        inside = {
            str(each)
            for first, last in pairwise(plain)
            if order[first] == "<think>" and order[last] == "</think>"
            for each in range(first, last)
        }
        assert not inside & set(shown(text).split()), text


def test_no_answer_is_paid_in_a_block_that_a_plain_tag_closes() -> None:
    for opening, closing in DISGUISED.values():
        for text in (
            f"<think>so {closing} \\boxed{{42}} </think> I do not know",
            f"{opening}\\boxed{{42}}</think>?",
        ):
            assert MathEquivalence().verify(text, "42").score == 0.0


def test_hidden_markup_ends_with_the_thinking() -> None:
    """What a comment swallows in the thinking does not swallow the response."""
    assert shown("<think> <!-- \\boxed{41} </think>\\boxed{42}").strip() == "\\boxed{42}"
    verdict = MathEquivalence().verify("<think>it’s <b>4</think>\n\\boxed{42}</b>", "42")
    assert verdict.passed
    assert verdict.span is not None
    assert "<think>it’s <b>4</think>\n\\boxed{42}</b>"[slice(*verdict.span)] == "42"


def test_a_token_that_opens_a_text_opens_no_response_after_thinking() -> None:
    """There <s> strikes out."""
    assert shown("<think>a</think><s>42</s>") == "<s>42</s>"
    assert shown("<s>42</s>") == "<s>42"
    assert shown("<s><think>a</think>42</s>") == "<s>42"


def test_thinking_is_not_seen() -> None:
    """Nor is the text without it changed."""
    thought, plain = split_completion("<think>5 or 7</think>It is 6."), split_completion("It is 6.")
    assert thought is not None
    assert plain is not None
    assert thought.seen().text.strip() == plain.seen().text == "It is 6."


def test_what_is_found_inside_another_is_placed_in_the_whole_text() -> None:
    """Its beginning and its end; where signs were taken out, it is looked for."""
    text = "so **x = 4** it is"
    outer = Extraction("x = 4", (5, 10), "bold")
    found = Extraction("4", (4, 5), "value").inside(outer, text)
    assert text[slice(*found.span)] == "4"
    assert found.span == (9, 10)
    dressed = Extraction("x = 4", (3, 12), "bold")
    assert Extraction("4", (4, 5), "value").inside(dressed, text).span == (9, 10)


@from_table()
def test_thinking_is_never_searched_for_an_answer(
    text: str, answer: str, thinking: str, is_open: bool
) -> None:
    """In the forms in which models and their templates write it."""
    split = split_completion(text)
    assert split is not None
    assert (split.completion, split.response, split.thinking, split.open_thinking) == (
        text,
        answer,
        thinking,
        is_open,
    )
    verdict = ExactMatch().verify(text, "42")
    assert verdict.passed == (answer == "42")


@from_table()
def test_the_last_thing_that_the_assistant_said_counts(
    messages: Any, answer: str, thinking: str, separate: bool
) -> None:
    """Whatever fields its server uses for thinking."""
    split = split_completion(messages)
    assert split is not None
    assert (split.response, split.thinking, split.separate_thinking) == (answer, thinking, separate)
    assert split_completion(split) is split
    assert (f"<think>{thinking}" in split.completion) or not separate or "<think>1" in str(messages)


@pytest.mark.parametrize(
    "value", [None, 4, 1.5, b"4", bytearray(b"4"), object(), ["4"], [None], [{"content": "4"}, 4], {1, 2}]
)
def test_what_is_neither_text_nor_messages_is_not_judged(value: object) -> None:
    """It is unscored, and says what it got."""
    assert split_completion(value) is None
    verdict = Length().verify(value)
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "not_text")
    assert type(value).__name__ in verdict.detail


def test_how_a_completion_was_taken_apart_is_no_part_of_a_sample() -> None:
    assert Sample("4", "4", split=split_thinking("4")) == Sample("4", "4")


NEAR_TAGS = (
    *("<think>", "</think>", "</ think>", "</think \t>", "</reasoning        >", "</reasoning         >", "<THINK>"),
    *("<thin\u212a>", "<|channel|>", "<|Channel|>", "think>", "</", "<", ">", "a", "\ud55c\ub2e4", "\uc73c\ub85c", "\n"),
)  # fmt: skip


@given(st.lists(st.sampled_from(NEAR_TAGS), max_size=45).map("".join))
def test_tags_found_by_their_ends_are_those_that_the_pattern_finds(text: str) -> None:
    """However many signs a text has that end no tag, and wherever they stand."""
    found = [(tag.span(), tag.groups()) for tag in _think_tags(text)]
    assert found == [(tag.span(), tag.groups()) for tag in _THINK.finditer(text)]


def test_the_longest_tag_is_looked_for_from_its_end() -> None:
    longest = max((f"</{name}{' ' * 8}>" for name in THINKING_TAGS), key=len)
    assert len(longest) == _LONGEST_TAG
    assert [tag.group() for tag in _think_tags(longest)] == [longest]
