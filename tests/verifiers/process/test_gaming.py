"""Nothing is earned by what the answer does not rest on: rows of fixtures/steps/gaming.jsonl, and laws."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import FIXTURES, in_groups, rows
from verifiers import EquationChain

GAMING = rows(FIXTURES / "steps" / "gaming.jsonl")
SCORES = ("minimum", "share", "first_error")
NUMBERS = st.integers(2, 60)
PADDING = st.tuples(NUMBERS, NUMBERS).map(lambda pair: f"{pair[0]} + {pair[1]} = {sum(pair)}.")


def score(text: str, kind: str = "minimum", question: str | None = None) -> float:
    """What a solution earns."""
    verifier = EquationChain(score=kind)  # type: ignore[arg-type]
    verdict = verifier.verify(text) if question is None else verifier.verify(text, prompt=question)
    assert verdict.score is not None
    return verdict.score


def is_false(sentence: str) -> bool:
    """Whether a step is wrong by itself."""
    return EquationChain(pays="no_errors").verify(sentence).score == 0.0


@in_groups(GAMING, lambda row: str(row["id"]))
def test_gaming_earns_no_more_than_the_solution_that_it_pads(row: dict[str, Any]) -> None:
    """By every kind of score; and what pads no right solution earns nothing at all."""
    for kind in SCORES:
        base, attack = (score(row[side], kind, row.get("prompt")) for side in ("base", "attack"))
        assert attack <= base, f"{row['note']} ({kind})"


def test_an_equation_that_gives_the_answer_needs_numbers_of_the_question() -> None:
    """Without one nobody can tell where its numbers are from; with one it is a step from nowhere."""
    wrong = "2 + 3 = 5. 5 + 25 = 30. 30 + 60 = 91. #### 91"
    question = "How much are 2, 3, 25, 60 together?"
    assert score(wrong, "share") == 0.0
    assert score("31 + 60 = 91. " + wrong, "share") == 0.5
    assert score("31 + 60 = 91. " + wrong, "share", question) == 0.0


@st.composite
def solutions(draw: st.DrawFn) -> tuple[str, list[str], str]:
    """A question with numbers, the sentences of a solution (some may be wrong), and its answer."""
    numbers = draw(st.lists(NUMBERS, min_size=3, max_size=5, unique=True))
    question = "How much are " + ", ".join(map(str, numbers)) + " together?"
    total, sentences = numbers[0], []
    for number in numbers[1:]:
        slip = draw(st.sampled_from([0, 0, 0, 1]))
        sentences.append(f"{total} + {number} = {total + number + slip}.")
        total += number + slip
    return question, sentences, f"#### {total}"


@pytest.mark.parametrize("kind", SCORES)
@given(solutions(), st.lists(PADDING, max_size=4), st.booleans(), st.data())
def test_true_equations_beside_it_never_raise_a_score(
    kind: str, solution: tuple[str, list[str], str], padding: list[str], asked: bool, data: st.DataObject
) -> None:
    """Wherever they stand; one that derives a number of the solution from what is given is not beside it.

    Without a question every number may be given; with one, those in it and what equations come to.
    """
    question, sentences, answer = solution
    known = set(
        re.findall(r"\d+", " ".join([question, *sentences, *(each.split("=")[1] for each in padding)]))
    )
    padded = list(sentences)
    for each in padding:
        *operands, result = re.findall(r"\d+", each)
        derives = result in re.findall(r"\d+", " ".join([*sentences, answer])) and (
            not asked or known.issuperset(operands)
        )
        if not derives:
            padded.insert(data.draw(st.integers(0, len(padded))), each)
    prompt = question if asked else None
    assert score(" ".join([*padded, answer]), kind, prompt) <= score(
        " ".join([*sentences, answer]), kind, prompt
    )


@pytest.mark.parametrize("kind", SCORES)
@given(solutions(), st.booleans(), st.data())
def test_repeating_leaving_out_and_splitting_never_raise_a_score(
    kind: str, solution: tuple[str, list[str], str], asked: bool, data: st.DataObject
) -> None:
    """Steps said twice, right ones left out, put on lines of their own, or cut into finer ones.

    What is left without a wrong step may be an honest solution from the question's numbers: that is no gaming.
    """
    question, sentences, answer = solution
    prompt = question if asked else None
    base = score(" ".join([*sentences, answer]), kind, prompt)
    twice = [*sentences, data.draw(st.sampled_from(sentences))]
    assert score(" ".join([*twice, answer]), kind, prompt) <= base
    assert score("\n\n".join([*sentences, answer]), kind, prompt) == base
    if asked:
        right = [place for place, each in enumerate(sentences) if not is_false(each)]
        place = data.draw(st.sampled_from(right or [0]))
        fewer = sentences if not right else sentences[:place] + sentences[place + 1 :]
        assert score(" ".join([*fewer, answer]), kind, prompt) <= base


@pytest.mark.parametrize("kind", SCORES)
@given(solutions())
def test_a_right_solution_in_one_step_or_in_many_earns_the_same(
    kind: str, solution: tuple[str, list[str], str]
) -> None:
    """3 + 4 + 5 = 12 earns what 3 + 4 = 7, 7 + 5 = 12 does."""
    question, _, _ = solution
    numbers = [int(word.strip(",")) for word in question.split() if word.strip(",").isdecimal()]
    one = " + ".join(map(str, numbers)) + f" = {sum(numbers)}. #### {sum(numbers)}"
    many, total = "", numbers[0]
    for number in numbers[1:]:
        many += f"{total} + {number} = {total + number}. "
        total += number
    assert score(one, kind, question) == score(f"{many}#### {total}", kind, question) == 1.0
