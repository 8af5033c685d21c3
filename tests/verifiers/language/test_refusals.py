"""Values that are denied, doubted, compared, supposed, asked about or offered: none is paid, in three languages."""

from __future__ import annotations

import itertools

import pytest

from tests.support import from_table, in_groups
from verifiers import AnswerPhrase, LastNumber, MathEquivalence, Verifier
from verifiers.language.stance import says_unknown, stance

JUDGE: Verifier = MathEquivalence()

ENGLISH = """
    42 is rejected|42 is too high|42 is wrong|42 is impossible|42 is not the answer|42 isn't right|42 cannot be right
    42 was ruled out|42 would be too much|42 fails the check|42 contradicts this|42 does not work|42 can't be it
    42 doesn't satisfy it|42 must be excluded|42 is out of the question|not 42|it is not 42|it can't be 42|no, not 42
    certainly not 42|anything but 42|neither 41 nor 42|I doubt it is 42|maybe 42|perhaps 42|possibly it is 42
    it might be 42|it could be 42|is it 42?|if it were 42|unless it is 42|suppose it is 42|more than 42|less than 42
    greater than 42|twice 42|half of 42|over 42|under 42|other than 42|rather than 42|instead of 42|41 or 42|42 or 43
    either 41 or 42|41 or maybe 42|between 41 and 42|I cannot tell whether it is 42|42, or perhaps 43|42 divided by two
    42 squared|the square root of 42|a multiple of 42|I am not sure, but 42|I guess 42|wrong: 42|incorrect: 42
    42 (wrong)|42?|is 42 right?|42 is false|the opposite of 42|minus 42|negative 42|except 42|all but 42
    42 seems wrong|42 looks incorrect|42 is a common mistake|a wrong answer is 42|the wrong answer would be 42
    the answer is not 42|the answer isn't 42|the answer cannot be 42|the answer is anything but 42|42 doubled|42 tripled
    42 was my first guess, but that is wrong|if we guess 42, we get a contradiction|options: 41, 42|41, 42, 43
    it is impossible for it to be 42|we rule out 42|the answer lies between 41 and 42
    the answer might be 42|the answer is unlikely to be 42|42 to the power of 3|42 minus one|42 plus one|42 per mille
    """
KOREAN = """
    42가 아니다|42일 수 없다|42일 리 없다|42는 틀렸다|42는 오답이다|42라고 볼 수 없다|42일까?|42인가요?|42일지도 모른다
    42일 수도 있다|42라면 좋겠다|42라고 가정하자|아마 42|42 이상|42 이하|42 초과|42보다 크다|42보다 작다|41 또는 42
    41이거나 42|42의 절반|42의 두 배|42의 제곱|루트 42|42는 제외한다|42는 될 수 없다|42는 답이 아니다|42가 답일 리 없다
    42인지 모르겠다|42를 빼고|42 말고|42 대신|42는 불가능하다|42는 모순이다|42가 나오지 않는다|42는 조건에 맞지 않는다
    42는 해가 아니다|답은 42가 아닌 다른 수이다|42라는 주장은 거짓이다|42로 착각하기 쉽다|42라고 생각하기 쉽다
    42라고 생각했지만 아니다|42처럼 보이지만 아니다|음수 42|영하 42|마이너스 42|42만|42백|42분의 1|42번째가 아니다
    혹시 42|42 아니면 43|42거나 43
    """
CHINESE = """
    不是42|并非42|可能是42|也许是42|42是错误的|42不正确|42不对|x=42（舍去）|x=42舍去|42被排除|答案不是42|答案可能是42
    答案是42吗？|答案是41或42|如果答案是42|大于42|小于42|42以上|42的一半|42的平方|要么41要么42|无法确定是不是42|而不是42
    答案是41，不是42|并不是42|未必是42|42吗|绝不是42|除了42
    """
FRAMES = {
    ENGLISH: ("{}.", "So {}.", "We tried a lot of things here.\n\n{}"),
    KOREAN: ("{}.", "따라서 {}.", "정답은 {}.", "여러 가지를 계산하면 결국 {}."),
    CHINESE: ("{}", "所以{}。", "综上，{}。"),
}
REFUSED = [
    (frame, each.strip())
    for table, frames in FRAMES.items()
    for frame, each in itertools.product(frames, table.strip().replace("\n", "|").split("|"))
]


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
