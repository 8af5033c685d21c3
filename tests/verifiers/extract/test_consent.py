"""Laws of numbers that nothing marks: a sentence must give them as a conclusion, or as the answer to what is asked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import FIXTURES, rows
from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.extract.consent import not_consented

NUMBERS = st.integers(2, 999).map(str)
LEAST = 0.95
STRANGE = (
    "A flurbish {}.",
    "The flurbish grombled {}.",
    "My flurbish is {}.",
    "Flurbish {} is closed.",
    "Somebody grombled {} into the flurbish.",
    "무르베가 {}를 꾸렁했다.",
    "내 무르베는 {}이다.",
    "무르베는 {}번을 타면 된다.",
    "犀犇鹑着{}。",
    "我的犀犇是{}。",
    "犀犇停在{}号站台。",
)
"""Sentences in words that nobody knows."""
ASKED = {
    "How many zorbles does Fen keep?": ("Fen keeps {}.", "She keeps {} zorbles.", "It's {}.", "{} zorbles remain."),
    "펜에게 남은 조르블은 몇 개인가?": ("남은 조르블은 {}개이다.", "조르블이 {}개 남는다.", "{}개입니다."),
    "芬还剩几个佐布尔？": ("芬还剩{}个佐布尔。", "还剩{}个。", "佐布尔有{}个。"),
}  # fmt: skip
ELSEWHERE = ("The hall has {} lamps.", "나무에 참새 {}마리가 앉았다.", "屋顶上有{}只麻雀。")
"""Sentences that count something."""
AFTER_A_SUM = ("7 + 1 = {}. ", "그래서 7 + 1 = {}. ", "7+1={}。")
SO = ("So ", "따라서 ", "所以")


def pays(completion: str, number: str, question: str = "") -> bool:
    return MathEquivalence().verify(completion, number, prompt=question).passed


def test_rows_that_were_written_before_the_rule_or_held_back() -> None:
    judged = [
        (row, pays(row["completion"], row["reference"], row["prompt"] or ""))
        for row in rows(FIXTURES / "own_rows" / "unmarked_numbers.jsonl")
    ]
    assert [row["completion"] for row, right in judged if right and not row["expected"]] == []
    wrong = [row["completion"] for row, right in judged if right != bool(row["expected"])]
    assert len(wrong) <= (1 - LEAST) * len(judged), wrong


@pytest.mark.parametrize("said", STRANGE)
@settings(deadline=None, max_examples=examples(4))
@given(number=NUMBERS)
def test_words_that_nobody_knows_give_no_number(said: str, number: str) -> None:
    """Asked or not, unless the text has come to the number."""
    sentence = said.format(number)
    assert not pays(sentence, number)
    assert not any(pays(sentence, number, question) for question in ASKED)


@pytest.mark.parametrize("question", ASKED)
@settings(deadline=None, max_examples=examples(4))
@given(number=NUMBERS)
def test_what_is_asked_is_answered_in_the_words_of_the_question(question: str, number: str) -> None:
    assert [said for said in ASKED[question] if not pays(said.format(number), number, question)] == []


@settings(deadline=None, max_examples=examples(6))
@given(number=NUMBERS)
def test_what_is_counted_answers_who_does_not_ask_for_something_else(number: str) -> None:
    """The same sentence is an answer by itself, or behind "so", and none to another question."""
    for said, so, question in zip(ELSEWHERE, SO, ASKED, strict=True):
        sentence = said.format(number)
        assert pays(sentence, number)
        assert pays(so + sentence, number, question)
        assert not pays(sentence, number, question)


@settings(deadline=None, max_examples=examples(6))
@given(number=NUMBERS, more=st.integers(1, 9))
def test_the_result_of_a_sum_may_be_said_in_any_words(number: str, more: int) -> None:
    """Another number behind it may not."""
    for solved, said, question in zip(AFTER_A_SUM, ELSEWHERE, ASKED, strict=True):
        other = str(int(number) + more)
        assert pays(solved.format(number) + said.format(number), number, question)
        assert not pays(solved.format(number) + said.format(other), other, question)


@settings(deadline=None, max_examples=examples(20))
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=40))
def test_whatever_stands_around_a_number_is_judged(before: str, after: str, question: str) -> None:
    """Never an error, and a span of the text that holds the number."""
    text = f"{before}42{after}"
    found = not_consented(text, len(before), len(before) + 2, question)
    assert found is None or found[0] <= len(before) < found[1] <= len(text)
