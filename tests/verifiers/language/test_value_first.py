"""A short sentence whose subject is the value: 12가 정답이다, "12 is the answer", 12就是答案."""

from __future__ import annotations

import pytest

from verifiers import MathEquivalence

VALUES = ["12", "-3", "$\\sqrt{2}$", "(1,2)", "x+1", "3/4"]
SAID = [
    "{}이 정답이다.", "{}가 정답입니다", "{}가 답이다.", "{} is the answer.", "{} is correct", "{}就是答案",
]  # fmt: skip
DENIED = ["{}가 정답이 아니다.", "{}은 답이 아닙니다", "{} is not the answer.", "{} is wrong", "{}不是答案"]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("frame", SAID)
def test_it_is_read(value: str, frame: str) -> None:
    """The value, and not the sentence."""
    judge = MathEquivalence()
    assert judge.verify(frame.format(value), value).passed
    assert not judge.verify(frame.format(value), "77").passed


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("frame", DENIED)
def test_its_denial_is_not(value: str, frame: str) -> None:
    """Nothing is paid for a value that the sentence denies."""
    assert not MathEquivalence().verify(frame.format(value), value).passed
