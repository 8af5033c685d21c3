"""What is seen of a completion, and where a thing stands that was found inside another."""

from __future__ import annotations

from verifiers import split_completion
from verifiers.core.extraction import Extraction


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
