"""A reference earns 1.0 in whatever it is wrapped; what does not is named here, with its reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.references_in_wrappers import WRAPPERS, lost, references
from tests.support import FIXTURES
from verifiers import ExactMatch, MathEquivalence, MultipleChoice, Verifier

CASES = FIXTURES / "cases"
OWN = """초속 15m|분속 70미터|한 시간에 45km|하루 3번|일주일에 5시간|1개당 700원|약 35명|만 19세 이상|오후 2시 10분|새벽 5시
7월 4일|2031년 1월 2일|수요일|영수와 민지|6 이상 9 미만|세 배|반|5분의 3|1과 3분의 1|2할 4푼|영하 12도|섭씨 31도|4만 2천 원
6억 3,210만|14㎡|9㎤|7ℓ|24제곱센티미터|여섯 팩|사과 6개와 배 2개|원뿔 4개|가로 9cm, 세로 4cm|파란색|직각삼각형|짝수|거짓
ㄴ, ㄹ|②|해가 무수히 많다|구할 수 없다|3의 7제곱|루트 5|4파이|x = 2, y = 7|(4, 1)|5:2|5 대 2|다섯째|제12조|6년 전|3점 앞섬
B팀|세 번째|남서쪽|45명 중 18명|최소 4개|많아야 6명|3/7|7cm 2mm|2kg 300g|1시간 5분 9초|스물두 살|A=1, B=6|가: 2, 나: 5
60 miles per hour|12 m/s|3.25 dollars each|7 pages a week|roughly 15 people|4:45 AM|October 9|Thursday|Dr. Brown|no more than 8
y < 6|a third|-8 degrees Celsius|5 boxes|9 cm by 2 cm|dark blue|rhombus|no real solution|does not exist|3^{7}|the 4th
6 weeks earlier|Room 12|clockwise|18 out of 45|at least 6|5!|2n!|0.1666...|U.S.A.|St. John's|a.m.|12 sq. ft.|vs. 3|x != 4
答案是三十五|3 千克|每小时60公里|二分之一|無解"""
REFERENCES = [each for each in OWN.replace("\n", "|").split("|") if each]
_SENTENCES = ("the answer is", "final answer", "정답은", "답:")

EXCEPTIONS: dict[str, Callable[[str, str, str], bool]] = {
    # The mark inside decides, as it does in a completion.
    "a mark of its own in another": lambda name, text, by: (
        ("boxed" in text or "####" in text) and (name in ("box", "tag", "lines") or by == "MultipleChoice")
    ),
    "braces that do not match, in a box": lambda name, text, by: (
        name == "box" and text.count("{") != text.count("}")
    ),
    "two stars in bold": lambda name, text, by: name == "bold" and "**" in text,
    # The line is the answer: what follows may be anything.
    "several lines after a line's mark": lambda name, text, by: (
        "\n" in text and name in (*_SENTENCES, "hash marks")
    ),
    # 정답은 없다입니다 is no Korean; without its 입니다 it would say that there is no answer.
    "a denial as a Korean noun": lambda name, text, by: (
        name == "정답은" and text.endswith(("없다", "없음", "exist}"))
    ),
    "nothing to read before a Korean ending": lambda name, text, by: (
        name == "정답은" and not any(map(str.isalnum, text))
    ),
    "a word that ends like a verb, before a Korean ending": lambda name, text, by: (
        name == "정답은" and by == "ExactMatch" and text.endswith("해")
    ),
    # 时 says "when", in Chinese; nobody puts Chinese words into a Korean sentence like this.
    "Chinese words before a Korean ending": lambda name, text, by: name == "정답은" and "每" in text,
    # 나, 다입니다: its last syllable may be the ending's.
    "several labels of one syllable before a Korean ending": lambda name, text, by: (
        name == "정답은" and by == "MultipleChoice" and text in ("나, 다", "가, 다")
    ),
    "a stop of a label's before a Korean ending": lambda name, text, by: (
        name == "정답은" and text.endswith((" .", "!"))
    ),
    "bold marks after a space, which are none": lambda name, text, by: (
        name == "bold" and text.endswith((" ", " ."))
    ),
}


def unexplained(verifier: Verifier, texts: list[str]) -> list[tuple[str, str]]:
    """The references that are lost, with their wrapper, for no reason that has a name here."""
    by = type(verifier).__name__
    return [
        (name, text)
        for name, missing in lost(verifier, texts).items()
        for text in missing
        if not any(excepted(name, text, by) for excepted in EXCEPTIONS.values())
    ]


@pytest.mark.parametrize(
    "verifier", [MathEquivalence(), ExactMatch(), ExactMatch(normalize="squad")], ids=repr
)
def test_an_answer_is_paid_in_every_wrapper(verifier: Verifier) -> None:
    """Units, dates, times, names, words, denials, abbreviations: what it is does not matter."""
    assert not unexplained(verifier, REFERENCES)


@pytest.mark.parametrize("verifier", [MathEquivalence(), ExactMatch()], ids=repr)
def test_the_references_of_the_cases_are_paid_in_every_wrapper(verifier: Verifier) -> None:
    """One in four, and all that are no mathematics; `benchmarks.references_in_wrappers` tries all there are."""
    texts = [
        *list(references([CASES / "math_equivalence.jsonl"]))[::4],
        *references([CASES / "exact_match.jsonl", CASES / "token_f1.jsonl"]),
    ]
    assert len(texts) > 250
    assert not unexplained(verifier, texts)


def test_labels_are_paid_in_every_wrapper() -> None:
    """Letters, numbers, signs and combinations."""
    labels = [
        *references([CASES / "multiple_choice.jsonl"], labels=True), *"ABCDE", *"12345", "③", "(나)", "ㄱ, ㄷ",
    ]  # fmt: skip
    assert len(labels) > 30
    assert not unexplained(MultipleChoice(), labels)


def test_every_wrapper_is_a_completion() -> None:
    """With one place for the reference."""
    assert all(template.format("<>").count("<>") == 1 for template in WRAPPERS.values())


@pytest.mark.parametrize(
    "reference",
    ["The answer is 42.", "정답은 42입니다.", "Answer: 42", "So\n#### 42", r"thus $\boxed{42}$", "**42**"],
)
@pytest.mark.parametrize("verifier", [MathEquivalence(), ExactMatch(), MultipleChoice()], ids=repr)
def test_a_reference_is_read_like_an_answer(verifier: Verifier, reference: str) -> None:
    """Where it says which part of it counts."""
    if isinstance(verifier, MultipleChoice):
        reference = reference.replace("42", "C")
    right, wrong = ("C", "B") if isinstance(verifier, MultipleChoice) else ("42", "41")
    assert verifier.verify(f"The answer is {right}.", reference).passed
    assert verifier.verify(f"<answer>{reference}</answer>", reference).passed or "####" in reference
    assert verifier.verify(f"The answer is {wrong}.", reference).score == 0.0
