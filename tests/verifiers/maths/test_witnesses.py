"""Witnesses: each proof has one that an independent program confirms, and a forged one is rejected."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.witness_check import check
from benchmarks.witnesses import at_hand
from tests.support import from_table
from tests.timing import SOAK, examples
from verifiers import MathEquivalence, Verdict

PAIRS = [
    ("x+2", "x+1"), (r"\sqrt{2}", "1.5"), ("(1,2)", "(2,1)"), ("[0,9)", "[0,1)"), (r"x \le 3", "x<3"),
    ("x^2+y^2=1", "x^2+y^2=2"), ("x+y<3", "x+y>3"), (r"\{1,2\}", r"\{1,3\}"), ("(1,2,3)", "(1,2)"),
    ("3:4", "4:3"), (r"\text{June 3}", r"\text{July 3}"), (r"\infty", r"-\infty"), ("a=3, b=4", "a=3, b=5"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&5\end{pmatrix}"), (r"n!", r"(n+1)!"),
    (r"x \equiv 3 \pmod 7", r"x \equiv 4 \pmod 7"), ("12 cm", "12 mm"), (r"\frac{1}{2004!}", r"\frac{1}{2006!}"),
]  # fmt: skip
EQUAL = [
    ("2(x+1)", "2x+2"), (r"\frac{x^2-1}{x-1}", "x+1"), ("1/2", "0.5"), (r"\sqrt8", r"2\sqrt2"), ("1,2", "2,1"),
    ("x>3", r"(3,\infty)"), (r"(1,\frac12)", "(1,0.5)"), (r"\frac12", r"\dfrac{1}{2}"), (r"\sin^2x+\cos^2x", "1"),
]  # fmt: skip
"""Answers that are equal to their references, or may be: some of these were said to be proved unequal."""


def judged(reference: str, answer: str) -> Verdict:
    return MathEquivalence().verify(rf"\boxed{{{answer}}}", reference, witness=True)


def made(reference: str, answer: str) -> Any:
    """The witness as it comes out of a file."""
    return json.loads(json.dumps(judged(reference, answer).witness))


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_a_proof_is_confirmed(reference: str, answer: str) -> None:
    """Of every kind."""
    assert judged(reference, answer).reason == "proved_unequal"
    assert check(made(reference, answer)) == ""


@pytest.mark.parametrize(("reference", "answer"), EQUAL)
def test_an_equality_is_confirmed(reference: str, answer: str) -> None:
    """By its identity, its sets, its parts or its text."""
    assert judged(reference, answer).passed
    assert check(made(reference, answer)) == ""


def test_every_proof_on_the_rows_at_hand_is_confirmed() -> None:
    """With every option that the rows have; every sixth row, and all of them in ``make soak``."""
    seen = 0
    for row in list(at_hand())[:: 1 if SOAK else 6]:
        judge = MathEquivalence(**row.options)
        verdict = judge.verify(row.completion, row.reference, **row.fields)
        if verdict.reason == "proved_unequal":
            witness = judge.witness(verdict, row.fields)
            assert witness is not None, row
            assert check(witness) == "", row
            assert not row.equal, row
            seen += 1
    assert seen > (300 if SOAK else 50)


@from_table()
def test_what_may_have_been_misread_is_not_proved(reference: str, answer: str) -> None:
    """Whether it is paid or not."""
    assert judged(reference, answer).reason != "proved_unequal"
    assert judged(answer, reference).reason != "proved_unequal"


def test_a_misreading_is_rejected() -> None:
    """What stands in a reading and not in the text that it is of."""
    witness = made("2tp", "8tp")
    witness["given"] = r"\begin{matrix}1\\[8tp]2\end{matrix}"
    assert check(witness).endswith("is not in the text")
    witness = made(r"\frac{x}{17}", r"\frac{x}{19}")
    witness["given"] = r"\frac{x}{23}"
    assert check(witness) == "19 is not in the text"


def forged(witness: Any) -> Iterator[Any]:
    """A witness with one thing in it that is not so."""
    other = copy.deepcopy(witness)
    other["claim"] = "equal_shape"
    yield other
    for side, beside in (("expected", "given"), ("given", "expected")):
        other = copy.deepcopy(witness)
        for shown in other["shown"]:
            shown[side] = shown[beside]
        yield other
    yield {**witness, "shown": []}
    for place, each in enumerate(_below(witness["shown"])):
        for name, change in (("side", _turned), ("values", _reversed), ("at", _elsewhere)):
            if each.get(name):
                other = copy.deepcopy(witness)
                found = list(_below(other["shown"]))[place]
                found[name] = change(found[name])
                yield other


def _below(tree: Any) -> Iterator[Any]:
    if isinstance(tree, dict):
        yield tree
    for each in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _below(each)


def _turned(side: str) -> str:
    return "given" if side == "expected" else "expected"


def _reversed(values: list[Any]) -> list[Any]:
    return values[::-1]


def _elsewhere(at: dict[str, Any]) -> dict[str, Any]:
    return {f"{name}_": value for name, value in at.items()}


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_a_forged_proof_is_rejected(reference: str, answer: str) -> None:
    """Whatever is exchanged in it."""
    for other in forged(made(reference, answer)):
        assert check(other) != ""


@given(st.sampled_from(PAIRS[:2] + PAIRS[14:]), st.data(), st.integers(1, 9))
@settings(max_examples=examples(60), deadline=None)
def test_a_digit_that_is_not_so_is_noticed(pair: tuple[str, str], data: st.DataObject, more: int) -> None:
    """In an enclosure, where it is more than its error."""
    witness = made(*pair)
    values = witness["shown"][0]["because"]["pairs"][0]["values"]
    side = data.draw(st.sampled_from([0, 1]))
    text = values[side][0]
    places = [place for place, sign in enumerate(text[:16]) if sign.isdigit()]
    place = data.draw(st.sampled_from(places))
    values[side][0] = text[:place] + str((int(text[place]) + more) % 10) + text[place + 1 :]
    assert check(witness) != ""


@given(st.sampled_from([EQUAL[0], EQUAL[1], EQUAL[3], EQUAL[4], EQUAL[6]]), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_a_number_that_is_not_so_is_noticed_in_an_identity(
    pair: tuple[str, str], data: st.DataObject
) -> None:
    """On either side, and in the normal form."""
    witness = made(*pair)
    because = witness["shown"][0]["because"]
    while because["is"] == "Parts":
        because = because["pairs"][0][2]
    numbers = [each for each in _below(because) if each.get("is") == "Number"]
    number = data.draw(st.sampled_from(numbers))
    number["value"] = str(int(number["value"].partition("/")[0]) + 7)
    assert check(witness) != ""


def test_no_witness_unless_it_is_asked_for() -> None:
    """And none of what is neither proved nor equal; a verdict with one is read back as it was."""
    assert MathEquivalence().verify(r"\boxed{1}", "2").witness is None
    assert judged("several words", "other words").witness is None
    verdict = judged("x+2", "x+1")
    assert Verdict.from_dict(verdict.to_dict()).witness == verdict.witness
    assert verdict == MathEquivalence().verify(r"\boxed{x+1}", "x+2")
