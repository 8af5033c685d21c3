"""Laws of MultipleChoice: which labels there are, what a sentence says of them, and what is paid."""

from __future__ import annotations

import itertools
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table, in_groups
from tests.timing import SOAK, examples
from verifiers import LastLabel, MultipleChoice, Status
from verifiers.language.choice_words import ORDERS, SIGNS
from verifiers.language.spoken_languages.korean_endings import Mood, copulas
from verifiers.text.multiple_choice import read_choice
from verifiers.text.offered_options import HEAD, TAIL, offered, view_of
from verifiers.text.option_labels import Choice

VERIFIER = MultipleChoice()
LABELS = (("③", "3"), ("②", "2"), ("②번", "2"), ("B", "B"), ("4번", "4"), ("(나)", "나"), ("ㄷ", "ㄷ"))
HEADS = ("정답은 ", "따라서 답은 ", "답: ", "그러므로 정답은 ")
JOINING = ("이거든", "거든", "이니")
"""Endings that state, and join what they state to the next clause: 'since it is 3'. They are refused at the end of a text."""


@pytest.mark.parametrize(("written", "label"), LABELS)
def test_every_ending_that_states_is_read(written: str, label: str) -> None:
    """With and without the vowel of the copula."""
    missed = [
        completion
        for head, ending in itertools.product(HEADS, copulas("stated"))
        if (VERIFIER.verify(completion := f"{head}{written}{ending}", label).score == 1.0)
        == (ending in JOINING)
    ]
    assert not missed


@pytest.mark.parametrize(("written", "label"), LABELS)
@pytest.mark.parametrize("mood", ["asked", "supposed", "conceded"])
def test_no_ending_that_asks_or_supposes_is_paid(written: str, label: str, mood: Mood) -> None:
    """Nor one that concedes."""
    paid = [
        completion
        for head, ending in itertools.product((*HEADS, ""), copulas(mood))
        if len(ending) > 1 and VERIFIER.verify(completion := f"{head}{written}{ending}.", label).score
    ]
    assert not paid


@from_table()
def test_no_denial_is_paid(denial: str) -> None:
    """After any mark, and after none."""
    for (written, label), head in itertools.product(LABELS, (*HEADS, "")):
        completion = f"{head}{written}{denial}"
        assert VERIFIER.verify(completion, label).score == 0.0, completion


@in_groups(list(SIGNS), ascii, 100)
def test_every_sign_is_a_label(sign: str) -> None:
    """Bare, after a mark and in a sentence."""
    kind, name = SIGNS[sign]
    for completion in (sign, f"Answer: {sign}", f"정답은 {sign}입니다.", f"答案是{sign}。"):
        assert read_choice(completion) == Choice(kind, frozenset({name})), completion


@pytest.mark.parametrize("letter", string.ascii_uppercase)
def test_every_letter_is_a_label(letter: str) -> None:
    """The article and the pronoun among them, where a mark shows that they are meant."""
    for completion in (
        letter,
        f"({letter})",
        f"Answer: {letter}",
        f"The answer is ({letter}).",
        f"정답은 {letter}입니다.",
        f"故选{letter}。",
        f"**{letter}**",
        f"\\boxed{{\\text{{{letter}}}}}",
    ):
        assert VERIFIER.verify(completion, letter).score == 1.0, completion
        assert VERIFIER.verify(completion, "B" if letter == "A" else "A").score == 0.0, completion


SHAPES = ("{}. {}", "{}) {}", "({}) {}", "{}: {}")
TEXTS = ("apple", "사과", "$x^2$", "①②", "苹果")


@pytest.mark.parametrize(
    "mark", ["Answer: ", "정답: ", "The answer is ", "答案：", "Answer:\n", "<answer>", "\\boxed{"]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_copied_list_is_no_answer(mark: str, shape: str) -> None:
    """In one line or in several, whatever the reference."""
    closing = {"<answer>": "</answer>", "\\boxed{": "}"}.get(mark, "")
    for kind, text, between, count in itertools.product(
        ("letter", "number"), TEXTS, (" ", "\n", ", "), (2, 4)
    ):
        names = [*ORDERS["letter"][:count]] if kind == "letter" else [str(one + 1) for one in range(count)]
        completion = mark + between.join(shape.format(name, text) for name in names) + closing
        found = VERIFIER.verify(completion, names[0])
        assert found.score == 0.0, (completion, names[0])
        # Where nothing was found, no reference has anything to agree with.
        for reference in names[1:] if found.extracted is not None or SOAK else ():
            assert VERIFIER.verify(completion, reference).score == 0.0, (completion, reference)


PIECES = (
    "A", "B", "C", "(D)", "③", "①", "2번", "4)", "1.", "ㄱ", "ㄴ, ㄷ", "BC", "A and C", "B와 D", "\n", " ", ". ", ", ", ": ",
    "정답은 ", "정답: ", "The answer is ", "Answer: ", "답은 ", "故选", "答案是", "입니다", "이다.", "이 아니라 ", "가 정답이다. ",
    "not ", "or ", "또는 ", "I choose ", "is correct. ", "is wrong. ", "따라서 범인은 ", "최종 정답: ", "**", "\\boxed{", "}",
    "<answer>", "</answer>", "보다 ", "을 고른다. ", "C) Paris ", "만약 ", "라면 ", "? ", "#### ", "Therefore, ", "일 것이다. ",
)  # fmt: skip
REFERENCES = (
    *"ABCD", "1", "2", "3", "4", "ㄱ", "ㄴ", "ㄷ", "ㄴ, ㄷ", "BC", "AC", "BD", "A, B", "CD", "1, 3", "2, 4", "ㄱ, ㄷ",
)  # fmt: skip


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_nothing_is_paid_for_two_references(completion: str) -> None:
    """A text names one set of labels, or none."""
    verdicts = [VERIFIER.verify(completion, reference) for reference in REFERENCES]
    assert all(verdict.status is Status.SCORED for verdict in verdicts)
    assert sum(verdict.passed for verdict in verdicts) <= 1


@settings(max_examples=examples(80), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_what_was_extracted_is_read_as_it_was_meant(completion: str) -> None:
    """A label that was found in a text is the same label by itself."""
    found = VERIFIER.extract.extract(completion)
    named = None if found is None or found.text is None else read_choice(found.text)
    assert VERIFIER.verify(completion, "A").passed == (named == read_choice("A"))


QUESTION = "Which one is a prime?\nA. nine\nB. twenty-one\nC. two hundred and eleven\nD. eleven"


@from_table()
def test_the_question_says_what_its_options_are(completion: str, reference: str, score: float) -> None:
    """An option's own text counts for its label; without the question it says nothing."""
    assert VERIFIER.verify(completion, reference, prompt=QUESTION).score == score
    if "eleven" in completion and "D" not in completion:
        assert VERIFIER.verify(completion, reference).score == 0.0
    assert VERIFIER.verify(f"{QUESTION}\n{completion}", reference).score in (
        0.0,
        VERIFIER.verify(completion, reference).score,
    )


@pytest.mark.parametrize(
    ("question", "label", "pairs"),
    [
        ("Pick.\n① red\n② blue", "2", (("1", "red"), ("2", "blue"))),
        ("Pick: (A) red (B) blue", "A", (("A", "red"), ("B", "blue"))),
        ("고르시오. ㄱ. 하나 ㄴ. 둘\n1. 셋\n2. 넷", "1", (("1", "셋"), ("2", "넷"))),
        ("고르시오.\n가. 하나\n나. 둘", "나", (("가", "하나"), ("나", "둘"))),
        ("A: 'It was C.'\nB: 'It was me.'", "B", ()),
        ("A. red\nB. blue", "3", ()),
        ("no options at all", "A", ()),
    ],
)
def test_the_list_that_has_the_reference_is_on_offer(
    question: str, label: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    """The last one; what people say is none."""
    wanted = read_choice(label)
    assert wanted is not None
    assert offered(question, frozenset({wanted})) == pairs


def test_both_ends_of_a_long_text_are_read() -> None:
    """What stands between them is working, and its places are those of the text."""
    working = "We try one thing and another. " * 2_000
    for completion in (f"Answer: **C**\n{working}", f"{working}\nAnswer: **C**"):
        assert VERIFIER.verify(completion, "C").score == 1.0
        found = LastLabel().extract(completion)
        assert found is not None
        assert completion[slice(*found.span)] == found.text == "C"
    assert len(view_of(working * 3).text) == HEAD + TAIL + 1


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_gets_a_verdict(completion: str, reference: str) -> None:
    """And no exception."""
    assert VERIFIER.verify(completion, reference).status is not Status.FAULT
    assert VERIFIER.verify(completion, "B", prompt=reference).status is Status.SCORED
