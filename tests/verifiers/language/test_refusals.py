"""Values that are denied, doubted, compared, supposed, asked about or offered: none is paid, in three languages."""

from __future__ import annotations

import pytest

from tests.support import from_table, in_groups, tables
from verifiers import AnswerPhrase, LastNumber, MathEquivalence, Verifier
from verifiers.language.stance import says_unknown, stance

JUDGE: Verifier = MathEquivalence()

FRAMES = {
    "english": ("{}.", "So {}.", "We tried a lot of things here.\n\n{}"),
    "korean": ("{}.", "따라서 {}.", "정답은 {}.", "여러 가지를 계산하면 결국 {}."),
    "chinese": ("{}", "所以{}。", "综上，{}。"),
}
REFUSED = [(frame, said) for language, said in tables(__file__)["not_stated"] for frame in FRAMES[language]]


@in_groups(REFUSED, lambda case: case[0].format(case[1]), 60)
def test_a_value_that_is_not_stated_is_not_paid(case: tuple[str, str]) -> None:
    """Whatever stands around the sentence; 0.0, and not None."""
    frame, said = case
    assert JUDGE.verify(frame.format(said), "42").score == 0.0


PAIRS = [
    (
        "The answer is not {} but {}.",
        "正确答案不是{}而是{}。",
        "정답은 {}이 아니라 {}이다.",
        "정답은 {} 대신 {}입니다.",
    ),
    (
        "Not {}, the answer is {}.",
        "不是{}，答案是{}。",
        "{}이 아니다. 정답은 {}이다.",
        "정답은 {}이 아닌 {}입니다.",
    ),
]


@pytest.mark.parametrize("frame", [frame for row in PAIRS for frame in row])
def test_a_correction_pays_the_right_half_alone(frame: str) -> None:
    """Both ways round, so that no completion is paid for two references."""
    for wrong, right in (("3", "6"), ("36", "13"), ("7", "80")):
        text = frame.format(wrong, right)
        assert JUDGE.verify(text, right).score == 1.0, text
        assert JUDGE.verify(text, wrong).score == 0.0, text


@from_table()
def test_a_correction_behind_the_value_pays_the_value(frame: str) -> None:
    """The right half comes first."""
    text = frame.format("6", "3")
    assert (JUDGE.verify(text, "6").score, JUDGE.verify(text, "3").score) == (1.0, 0.0)


@from_table()
def test_what_a_phrase_gives(text: str, answer: str | None) -> None:
    """Of several phrases one decides."""
    found = AnswerPhrase().extract(text)
    assert (found.text if found else None) == answer


@from_table()
def test_the_last_value_is_the_whole_formula(text: str, answer: str) -> None:
    """And not the last number in it."""
    found = LastNumber().extract(text)
    assert found is not None
    assert found.text == answer


def test_what_cannot_be_known_is_no_answer() -> None:
    """In each language, after the number or around it."""
    for text in (
        "It is 41 or so: it cannot be determined.",
        "42쯤이지만 알 수 없습니다.",
        "大概42，但无法确定。",
    ):
        assert says_unknown(text, text.index("4"))
        assert JUDGE.verify(text, "42").score == 0.0


def test_every_value_has_a_stance_anywhere() -> None:
    """At the ends of a text, in an empty one, and with signs of every kind around."""
    for text in ("", "42", " 42 ", "(42)", "**42**입니다", "\n42\n", "42" * 50, "🙂42🙂", "\ud83d42"):
        for start in range(len(text) + 1):
            said = stance(text, start, len(text))
            assert 0 <= said.start <= start <= len(text) <= max(said.end, len(text))
