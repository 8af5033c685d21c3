"""Thinking is what plain tags say; a tag in disguise hides nothing from a reader, and makes no response of thinking."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from verifiers import MathEquivalence
from verifiers.core.completions import split_completion

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
