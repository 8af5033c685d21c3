"""Korean endings: what is stated is read, what is denied is refused; an analyser agrees with what is generated."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from tests.support import in_groups
from tests.verifiers.language.answers import DENIED, STATED, SUBJECTS, sentence
from verifiers import ExactMatch, MathEquivalence, MultipleChoice, Verifier
from verifiers.language.spoken_languages.korean_endings import Predicate, attached, forms, past
from verifiers.language.stance import stance

MATHS, CHOICE, EXACT = MathEquivalence(), MultipleChoice(), ExactMatch()

# Value, whether it is spoken with a vowel at its end, who judges it, reference.
VALUES: list[tuple[str, bool, Verifier, str]] = [
    *((number, vowel, MATHS, number) for number, vowel in (("2", True), ("3", False), ("4", True), ("9", True), ("36", False), ("45", True), ("50%", False))),
    ("36개", True, MATHS, "36"), ("**36**", False, MATHS, "36"), ("$x=4$", True, MATHS, "4"), ("12 cm", False, MATHS, "12"),
    ("3√2", True, MATHS, "3\\sqrt{2}"), ("{1, 2}", True, MATHS, "\\{1, 2\\}"), ("x = 2 또는 x = 3", False, MATHS, "2, 3"),
    ("③", False, CHOICE, "3"), ("②", True, CHOICE, "2"), ("2번", False, CHOICE, "2"), ("B", True, CHOICE, "B"),
    *((word, vowel, EXACT, word) for word, vowel in (("철수", True), ("금", False), ("고양이", True), ("36개", True), ("세종대왕", False), ("김치찌개", True))),
]  # fmt: skip


@in_groups(list(itertools.product(VALUES, STATED)), lambda case: f"{case[0][0]}-{case[1]}", 100)
def test_a_stated_value_is_read(case: tuple[tuple[str, bool, Verifier, str], str]) -> None:
    """Whatever the ending, and whichever verifier."""
    (value, vowel, judge, reference), ending = case
    for subject in SUBJECTS:
        verdict = judge.verify(sentence(subject, value, ending, vowel=vowel), reference)
        assert verdict.score == 1.0, verdict


@in_groups(list(itertools.product(VALUES, DENIED)), lambda case: f"{case[0][0]}-{case[1]}", 100)
def test_a_denied_value_is_refused(case: tuple[tuple[str, bool, Verifier, str], str]) -> None:
    """Denied, doubted, supposed or asked: 0.0, and not None."""
    (value, vowel, judge, reference), ending = case
    for subject in SUBJECTS:
        verdict = judge.verify(sentence(subject, value, ending, vowel=vowel), reference)
        assert verdict.score == 0.0, verdict


@in_groups(list(itertools.product(VALUES, STATED)), lambda case: f"{case[0][0]}-{case[1]}", 200)
def test_the_stance_of_a_value_reaches_to_the_end_of_its_ending(
    case: tuple[tuple[str, bool, Verifier, str], str],
) -> None:
    """So that a value can be cut off at both sides."""
    (value, vowel, _, _), ending = case
    text = sentence("정답은", value, ending, vowel=vowel)
    start = text.index(value)
    said = stance(text, start, start + len(value))
    assert said.kind == "stated"
    assert text[said.end :].strip(" .!~😊") == ""


@in_groups(list(itertools.product(VALUES, DENIED)), lambda case: f"{case[0][0]}-{case[1]}", 200)
def test_no_denial_holds(case: tuple[tuple[str, bool, Verifier, str], str]) -> None:
    """The same of what is denied."""
    (value, vowel, _, _), ending = case
    text = sentence("정답은", value, ending, vowel=vowel)
    start = text.index(value)
    assert not stance(text, start, start + len(value)).holds


@pytest.mark.parametrize(
    ("stem", "infinitive", "spoken"),
    [
        ("되", "돼", "됩니다, 된다, 됐다, 될 것이다, 됨, 되므로"),
        ("맞", "맞아", "맞습니다, 맞는다, 맞았다, 맞을 것이다, 맞음, 맞으므로"),
        ("구하", "구해", "구합니다, 구한다, 구했다, 구할 것이다, 구함, 구하므로"),
        ("얻", "얻어", "얻습니다, 얻는다, 얻었다, 얻을 것이다, 얻음, 얻으므로"),
        ("만들", "만들어", "만듭니다, 만든다, 만들었다, 만들 것이다, 만듦, 만들므로"),
    ],
)
def test_forms_are_those_of_the_grammar(stem: str, infinitive: str, spoken: str) -> None:
    """By hand, for stems in a vowel, in a consonant and in ㄹ."""
    present = [
        attached(stem, shape)
        for shape in (
            ("ㅂ니다", "습니다"),
            ("ㄴ다", "는다"),
            ("ㄹ 것이다", "을 것이다"),
            ("ㅁ", "음"),
            ("므로", "으므로"),
        )
    ]
    assert [*present[:2], f"{past(infinitive)}다", *present[2:]] == spoken.split(", ")
    assert set(spoken.split(", ")) <= set(forms(Predicate(stem, infinitive), "stated"))


FINAL = ["다", "ㅂ니다", "네요", "지요", "군요", "구나", "거든요", "잖아요"]
BEFORE_FINAL: list[list[tuple[str, str]]] = [[], [("었", "EP")], [("겠", "EP")]]
NOUNS = ["철수", "금", "36개", "12명", "김치찌개", "세종대왕"]
VERBS = [
    ("되", "이"), ("나오", "이"), ("구하", "으로"), ("보이", "으로"), ("판단되", "으로"), ("생각하", "이라고"), ("얻", "을"),
]  # fmt: skip


@pytest.fixture(scope="module")
def joined() -> Callable[[list[tuple[str, str]]], str]:
    """Morphemes put together by an analyser that knows nothing of this grammar."""
    kiwipiepy = pytest.importorskip("kiwipiepy")
    kiwi = kiwipiepy.Kiwi()
    return lambda morphemes: str(kiwi.join(morphemes))


def _kind(text: str, noun: str) -> str:
    return stance(text, text.index(noun), text.index(noun) + len(noun)).kind


def test_an_analysers_copulas_and_denials_are_read(joined: Callable[[list[tuple[str, str]]], str]) -> None:
    """이다 and 아니다 in every tense and level of speech, after nouns in a vowel and in a consonant."""
    wrong = []
    for noun, before, final in itertools.product(NOUNS, BEFORE_FINAL, FINAL):
        tail = [*before, (final, "EF")]
        stated = "정답은 " + joined([(noun, "NNP"), ("이", "VCP"), *tail]) + "."
        denied = "정답은 " + joined([(noun, "NNP"), ("이", "JKC"), ("아니", "VCN"), *tail]) + "."
        if _kind(stated, noun) != "stated":
            wrong.append(stated)
        if _kind(denied, noun) != "denied":
            wrong.append(denied)
    assert not wrong


def test_an_analysers_reports_and_their_denials_are_read(
    joined: Callable[[list[tuple[str, str]]], str],
) -> None:
    """된다, 구한다, 생각한다 ... and the same with 지 않다, in every tense and level of speech."""
    wrong = []
    for noun, (verb, particle), before, final in itertools.product(NOUNS, VERBS, BEFORE_FINAL, FINAL):
        if (before, final) == ([], "다"):
            final = "는다"
        start = [(noun, "NNP"), (particle, "JKB" if particle != "을" else "JKO"), (verb, "VV")]
        stated = "정답은 " + joined([*start, *before, (final, "EF")]) + "."
        denied = "정답은 " + joined([*start, ("지", "EC"), ("않", "VX"), *before, (final, "EF")]) + "."
        if _kind(stated, noun) != "stated":
            wrong.append(stated)
        if _kind(denied, noun) != "denied":
            wrong.append(denied)
    assert not wrong
