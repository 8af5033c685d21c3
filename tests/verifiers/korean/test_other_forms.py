"""A reason that calls another form right, or says a word over and over, is not paid."""

from __future__ import annotations

import pytest

from verifiers.korean.reason_content import content_problem

SENTENCE = "오늘이 몇 월 며칠이야?"
GOLD = "'며칠'은 어원이 분명하지 않으므로 소리 나는 대로 적는다. '몇일'로 적지 않는다."


@pytest.mark.parametrize("form", ["몇일"])
@pytest.mark.parametrize("right", ["이 맞다", "이 옳다", "이 표준어이다", "이 더 바른 표기이다"])
def test_another_form_that_is_called_right(form: str, right: str) -> None:
    """Whatever else the reason says; the same words about the sentence's own form, or denied, are one."""
    rest = "어원이 분명하지 않아 소리 나는 대로 적는다."
    found = content_problem(f'하지만 사실은 "{form}"{right}. {rest}', GOLD, SENTENCE)
    assert found is not None
    assert found[0] == "reversed"
    assert content_problem(f'사실은 "며칠"{right}. {rest}', GOLD, SENTENCE) is None


def test_a_form_that_is_called_wrong_is_a_reason() -> None:
    """It is what the reference says."""
    rest = "어원이 분명하지 않으므로 소리 나는 대로 적는다."
    assert content_problem(f"'몇일'이 맞지 않다. {rest}", GOLD, SENTENCE) is None


def test_a_word_said_over_and_over_is_no_reason() -> None:
    """Its terms are there, and nothing is said; twice is emphasis."""
    found = content_problem("소리 소리 소리 소리 나는 대로 적는다 적는다 적는다.", GOLD, SENTENCE)
    assert found is not None
    assert found[0] == "no_content"
    assert content_problem("어원이 분명하지 않아 소리 소리 나는 대로 적는다.", GOLD, SENTENCE) is None
