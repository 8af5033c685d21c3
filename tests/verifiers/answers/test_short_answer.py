"""Laws of short answers: what holds of any name, place, date and number that is asked for."""

from __future__ import annotations

from functools import partial
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import timed, within
from verifiers import ShortAnswer

NAMES = st.sampled_from(("Ada Holm", "Bruno Keel", "Clara van Dyk", "Dario Sand", "Edda Lind", "Ferro Maas"))
QUESTIONS = st.sampled_from(
    ("Who wrote the report?", "Who is the mayor of the town?", "Which painter was born there?")
)
FRAMES = st.sampled_from(
    (
        "{}", "{}.", "It was {}.", "The answer is {}.", "**{}**", "<answer>{}</answer>", "I think that it is {}.",
    )
)  # fmt: skip
YEARS = st.integers(1100, 2050)
MONTHS = "January February March April May June July August September October November December".split()
JOINTS = st.sampled_from((", ", " or ", " / ", "\n", "; ", " and ", ", or "))


@given(NAMES, QUESTIONS, FRAMES)
def test_a_name_earns_in_every_frame(name: str, question: str, frame: str) -> None:
    """The reference, stated, is paid wherever it stands."""
    assert ShortAnswer().verify(frame.format(name), name, prompt=question).passed


@given(NAMES, NAMES, QUESTIONS, FRAMES)
def test_another_name_earns_nothing(name: str, other: str, question: str, frame: str) -> None:
    """A name that shares nothing is never paid."""
    if name != other:
        assert ShortAnswer().verify(frame.format(other), name, prompt=question).score == 0.0


@given(st.lists(NAMES, min_size=3, max_size=6, unique=True), st.data(), JOINTS)
def test_a_list_of_names_earns_nothing(names: list[str], data: st.DataObject, joint: str) -> None:
    """Whoever lists candidates gives none, in whatever order, where one is asked for."""
    due = data.draw(st.sampled_from(names))
    verdict = ShortAnswer().verify(joint.join(names), due, prompt="Who is the mayor of the town?")
    assert verdict.score == 0.0, verdict


@given(st.lists(NAMES, min_size=2, max_size=5, unique=True), st.data())
def test_every_alternative_accepted_is_an_answer(names: list[str], data: st.DataObject) -> None:
    """Alternatives that are all accepted say one thing."""
    shown = " or ".join(data.draw(st.permutations(names)))
    assert ShortAnswer().verify(shown, names, prompt="Who is it?").passed


@given(
    st.sampled_from(
        (
            "Maybe {}.", "Perhaps {}.", "I'm not sure, but {}.", "It could be {}.", "Is it {}?", "My guess is {}.",
        )
    ),
    NAMES,
)  # fmt: skip
def test_a_hedge_earns_nothing(frame: str, name: str) -> None:
    """What is doubted, asked or guessed is not stated; a lenient reading takes what is doubted."""
    assert ShortAnswer().verify(frame.format(name), name).reason == "hedged"


@given(YEARS, st.integers(1, 12), st.integers(1, 28))
def test_a_day_says_more_than_its_year(year: int, month: int, day: int) -> None:
    """The more specific date counts, in every order of its parts; the less specific one does not."""
    question = "When did the bridge open?"
    name = MONTHS[month - 1]
    written = (f"{day} {name} {year}", f"{name} {day}, {year}", f"{year}-{month:02}-{day:02}")
    for one in written:
        assert ShortAnswer().verify(f"It opened on {one}.", str(year), prompt=question).passed
        assert ShortAnswer().verify(one, f"{name} {year}", prompt=question).passed
        for other in written:
            assert ShortAnswer().verify(one, other, prompt=question).passed
        assert ShortAnswer().verify(f"It opened in {year}.", one, prompt=question).reason == "less_specific"


@given(st.integers(2, 99_999), st.integers(2, 99_999))
def test_a_number_is_its_whole_stretch(one: int, other: int) -> None:
    """Equal numbers are paid with or without signs that group digits, others never."""
    question = "How many people live there?"
    verdict = ShortAnswer().verify(f"There are {one:,} people.", str(other), prompt=question)
    assert verdict.passed == (one == other), verdict
    assert ShortAnswer().verify(f"{one:,}", str(one), prompt=question).passed


@given(st.sampled_from(("Ada Holm", "Oslo")), st.sampled_from(("Bruno Keel", "Bergen")))
def test_the_question_is_no_answer(due: str, other: str) -> None:
    """A copy of a question that names the answer earns nothing, in whatever clothes."""
    question = f"Which of them came to the harbour first, {due} or {other}?"
    for copy in (
        question,
        question.lower(),
        f"Question: {question}",
        f"{question} {question}",
        f"You ask: {question}",
    ):
        assert ShortAnswer().verify(copy, due, prompt=question).score == 0.0, copy
    assert ShortAnswer().verify(f"{question} {due}.", due, prompt=question).passed


def test_parts_have_a_verdict_each() -> None:
    """Where several things are due, each is a part, in order."""
    verdict = ShortAnswer(due="all").verify("Oslo and Rome", ["Oslo", "Bern"], prompt="Which two cities?")
    assert [part.score for part in verdict.parts] == [1.0, 0.0]
    assert verdict.reason == "some_missing"


def test_a_long_text_is_bounded() -> None:
    """Whatever is written over and over costs little, and a megabyte costs nothing."""
    due = ["Paris", "11", "2 km", "서울", "5 May 1990", "yes"]
    for piece in ("Paris or ", "1, ", "It is Oslo. ", "서울 ", "May 5, ", "I ", "(", "no. "):
        text = piece * (19_000 // len(piece))
        assert within(timed(partial(ShortAnswer().verify, text, due, prompt="Where?"))[1], 1.5)
    assert ShortAnswer().verify("x " * 500_000, "Paris").reason == "over_limit"


_CITIES = ("Lisbon", "Porto", "Madrid", "Oslo", "Faro")
_JOINTS = (" ", ", ", " or ", " | ", " / ", "\n", "; ", "  ", " • ", " → ")


@pytest.mark.parametrize("joint", _JOINTS)
def test_a_list_earns_nothing_however_it_is_joined(joint: str) -> None:
    """Wherever the right answer stands in it, bare, in a box, or after a phrase, in capitals or not."""
    asked = "What is the capital of Portugal?"
    for count in (2, 3, 5):
        for start in range(count):
            said = joint.join((*_CITIES[1 : start + 1], "Lisbon", *_CITIES[start + 1 : count]))
            for text in (said, said.lower(), f"\\boxed{{{said}}}", f"The answer is {said}."):
                assert not ShortAnswer().verify(text, "Lisbon", prompt=asked).passed, text
    numbers = joint.join(("11", "12", "13"))
    assert not ShortAnswer().verify(numbers, "12", prompt="How many are there?").passed


@pytest.mark.parametrize("joint", [" ", "", "、", "，"])
def test_a_list_of_eastern_names_earns_nothing(joint: str) -> None:
    """Chinese needs no blank between two names; Korean does."""
    assert (
        not ShortAnswer()
        .verify(joint.join(("伦敦", "巴黎", "柏林")), "巴黎", prompt="法国的首都是哪里？")
        .passed
    )
    if joint:
        said = joint.join(("런던", "파리", "베를린"))
        assert not ShortAnswer().verify(said, "파리", prompt="프랑스의 수도는?").passed


def test_every_variant_is_a_character_of_its_own() -> None:
    """No character is both, and none is said to be two."""
    text = files("verifiers.language").joinpath("variants.txt").read_text(encoding="utf-8")
    groups = [word for line in text.splitlines() if not line.startswith("#") for word in line.split()]
    letters = "".join(groups)
    assert len(letters) == len(set(letters))
    assert all(len(group) > 1 for group in groups)


@given(NAMES, NAMES, st.sampled_from(("wrote", "signed", "translated")))
def test_the_verb_of_the_question_decides(name: str, other: str, verb: str) -> None:
    """Who has it answers; whoever has another one is named in passing, on either side of it."""
    if name == other:
        return
    question = f"Who {verb} the report?"
    for text in (
        f"{other} {verb} the report; {name} only printed it.",
        f"{name} printed it, and {other} {verb} the report.",
        f"{other}, who knew {name}",
        f"Many name {name}, but in fact it was {other}.",
    ):
        assert not ShortAnswer().verify(text, name, prompt=question).passed, text
        assert ShortAnswer().verify(text, other, prompt=question).passed, text


@given(NAMES, NAMES, st.sampled_from(("then", "later", "and then", "or maybe", "failing that,", "otherwise")))
def test_an_adverb_joins_two_answers(name: str, other: str, joint: str) -> None:
    """As well as a comma does."""
    if name != other:
        assert not ShortAnswer().verify(f"{name} {joint} {other}", name, prompt="Who wrote it?").passed


@given(
    YEARS,
    st.integers(1, 99),
    st.sampled_from(("{} in {}.", "{} on May 3, {}.", "{} (see below) in {}. It stands.")),
)
def test_a_footnote_is_no_part_of_a_year(year: int, note: int, frame: str) -> None:
    """A year and a footnote's number are no number of five digits, where a year is asked for."""
    text = frame.format("It was built", f"{year}{note}")
    assert ShortAnswer().verify(text, str(year), prompt="When was it built?").passed, text


@given(NAMES, st.sampled_from(("{} (painter)", "(old) {}", "{}, who lived there", "{}, or the painter")))
def test_a_remark_of_the_reference_is_not_due(name: str, frame: str) -> None:
    """What a reference says of its answer is no part of the answer."""
    assert ShortAnswer().verify(f"It was {name}.", frame.format(name), prompt="Which person is it?").passed
