"""What another says that the answer is, is no answer; what the writer says is."""

from __future__ import annotations

import pytest

from verifiers import MathEquivalence, MultipleChoice

ANOTHER = """
    철수는 정답이 {}라고 했다.|김 선생님은 답이 {}라고 주장했다.|그는 답이 {}라고 말했습니다.|He said the answer is {}.
    Tom claims that the answer is {}.|The student thought that the answer was {}.|Some people say the answer is {}.
    小明说答案是{}。|老师认为答案是{}。
    """
OWN = """
    나는 정답이 {}라고 했다.|저는 답이 {}라고 주장합니다.|문제에서 정답은 {}라고 할 수 있다.|I said the answer is {}.
    We found that the answer is {}.|This says the answer is {}.|我说答案是{}。|따라서 정답은 {}라고 한다.
    """


def _rows(table: str) -> list[str]:
    return [each.strip() for each in table.strip().replace("\n", "|").split("|")]


@pytest.mark.parametrize("frame", _rows(ANOTHER))
def test_what_another_says_is_not_paid(frame: str) -> None:
    """Neither as a number nor as an option; what the writer adds is."""
    assert MathEquivalence().verify(frame.format("42"), "42").score == 0.0
    assert MultipleChoice().verify(frame.format("B"), "B").score == 0.0
    text = frame.format("42") + " The answer is 43."
    assert [MathEquivalence().verify(text, each).score for each in ("42", "43")] == [0.0, 1.0]


@pytest.mark.parametrize("frame", _rows(OWN))
def test_what_the_writer_says_is_paid(frame: str) -> None:
    """In the same words."""
    assert MathEquivalence().verify(frame.format("42"), "42").score == 1.0
    assert MultipleChoice().verify(frame.format("B"), "B").score == 1.0


@pytest.mark.parametrize("verb", ["고르지 마세요", "선택하지 마시오", "고르지 말 것", "고르면 안 됩니다"])
def test_an_option_that_is_not_to_be_chosen_is_not_paid(verb: str) -> None:
    """It is told off."""
    assert MultipleChoice().verify(f"3번을 {verb}.", "3").score == 0.0
    assert MultipleChoice().verify(f"3번을 {verb}. 정답은 2번입니다.", "2").score == 1.0
