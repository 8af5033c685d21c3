"""What `parse_number` reads is what mathematics pays: one reader of Korean numerals."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.korean import parse_number

_BEFORE = ["", "약 ", "대략 ", "총 ", "제", "한 ", "+"]
_NUMBERS = [
    "3", "12", "1,200", "0.5", "3만", "3만 5천", "이십삼", "열두", "스물세", "백이십", "삼분의 일", "육분의 일", "3분의 2", "영점오",
    "2할 5푼", "1억 2천만", "2의 10제곱", "3 대 4", "1과 1/2", "반", "절반", "첫째", "스무", "석", "이백오십만 삼천",
]  # fmt: skip
_BEHIND = [
    "", "개", " 개", "명", " 명", " 원", "쯤", "명쯤", " 마리 정도", "배", "도", "팩", " 박스", "학점", "번째", " 시간", "다스", "쪽",
    " 리터", "g", "층",
]  # fmt: skip
_WRAPPERS = ["\\boxed{%s}", "<answer>%s</answer>", "답: %s", "정답은 %s입니다."]
_JUDGE = MathEquivalence()


@settings(max_examples=examples(150))
@given(
    st.sampled_from(_BEFORE), st.sampled_from(_NUMBERS), st.sampled_from(_BEHIND), st.sampled_from(_WRAPPERS)
)
def test_what_is_parsed_is_paid_and_its_neighbour_is_not(
    before: str, number: str, behind: str, wrapper: str
) -> None:
    """With any words around it that change nothing, in any wrapper."""
    text = f"{before}{number}{behind}"
    value = parse_number(text)
    if value is not None:
        completion = wrapper % text
        assert _JUDGE.verify(completion, str(value)).passed, (completion, value)
        assert not _JUDGE.verify(completion, str(value + 1)).passed, (completion, value)


@given(st.sampled_from(_NUMBERS), st.sampled_from([each for each in _BEHIND if each]))
def test_a_quantity_is_paid_for_itself(number: str, behind: str) -> None:
    """Word for word, whatever it counts."""
    text = f"{number}{behind}"
    assert _JUDGE.verify(f"\\boxed{{{text}}}", text).passed


def test_words_around_a_number_are_read() -> None:
    """Those that the two readers disagreed about."""
    said = {
        "약 20명": 20, "만 14세": 14, "2의 10제곱": 1024, "육분의 일": Fraction(1, 6), "3다스": 36, "8팩": 8, "사과": None,
        "세종대왕": None,
    }  # fmt: skip
    assert {text: parse_number(text) for text in said} == said
    assert _JUDGE.verify("\\boxed{루트 2}", r"\sqrt{2}").passed
    assert _JUDGE.verify("\\boxed{3 대 4}", "3:4").passed
    assert not _JUDGE.verify("\\boxed{사과}", "4").passed
