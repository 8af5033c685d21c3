"""What verdicts on steps say: places, parts, and what is not known."""

from __future__ import annotations

import pytest

from verifiers import AnswerFollows, EquationChain, NumbersGrounded, Status


def test_parts_are_the_steps_with_their_places() -> None:
    """Thinking included, hidden characters not."""
    text = "<think>48/2 = 24.\u200b\nHm.\n5+5 = 11.</think>\\boxed{24}"
    verdict = EquationChain().verify(text)
    assert [part.score for part in verdict.parts] == [1.0, None, 0.0]
    assert verdict.span is not None
    assert text[slice(*verdict.span)] == verdict.extracted == "5+5 = 11"
    for part in verdict.parts:
        assert part.span is not None
        assert (part.status is Status.UNSCORED) == (part.reason == "unchecked")


def test_a_conversation_is_judged_by_its_last_message() -> None:
    """And the question of chat prompts is the user's."""
    prompt = [{"role": "user", "content": "What is 48 + 27?"}]
    right = [{"role": "assistant", "content": "48 + 27 = 75. #### 75"}]
    wrong = [{"role": "assistant", "content": "60 + 15 = 75. #### 75"}]
    assert EquationChain().verify(right, prompt=prompt).reason == "derived"
    assert EquationChain().verify(wrong, prompt=prompt).reason == "from_nowhere"
    assert NumbersGrounded().verify(wrong, prompt=prompt).reason == "from_nowhere"


@pytest.mark.parametrize("verifier", [EquationChain(), EquationChain(pays="no_errors"), AnswerFollows()])
def test_too_much_is_refused(verifier: EquationChain | AnswerFollows) -> None:
    """By its length and by its signs, at hardly any cost."""
    for text in ("1+1=2 " * 200_000, "=" * 150_000, "x" * 200_001):
        assert verifier.verify(text).reason == "over_limit"
