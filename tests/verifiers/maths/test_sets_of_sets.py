"""Sets of many members are decided in time that does not grow with the pairs of their members."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples, timed, within
from verifiers import MathEquivalence
from verifiers.maths.decide.group_agreement import exact
from verifiers.maths.decide.policy import DEFAULT, STRICT, Policy
from verifiers.maths.decide.shape_agreement import same
from verifiers.reading.statements import read

JUDGE = MathEquivalence()
MEMBERS = {
    "numbers": "{}",
    "sets of one": r"\{{{}\}}",
    "sets of two": r"\{{{}, 0\}}",
    "points": "({}, 1)",
    "decimals": r"\{{{}.5\}}",
    "fractions": r"\{{\frac{{{}}}{{7}}\}}",
    "roots": r"\{{\sqrt{{{}}}\}}",
    "unknowns": r"\{{x + {}\}}",
    "words": r"\{{\text{{cat}}, \text{{dog number {}}}\}}",
}


def written(form: str, numbers: list[int]) -> str:
    """A set of one member for each number."""
    return r"\{" + ", ".join(form.format(each) for each in numbers) + r"\}"


@pytest.mark.parametrize("form", MEMBERS.values(), ids=list(MEMBERS))
@pytest.mark.parametrize("many", [20, 60, 120, 180])
def test_one_wrong_member_of_many_costs_little(form: str, many: int) -> None:
    numbers = list(range(2, many + 2))
    wrong = [9_999 if each == many // 2 else each for each in reversed(numbers)]
    reference = written(form, numbers)
    JUDGE.verify(r"\boxed{1}", "1")
    verdict, seconds = timed(JUDGE.verify, rf"\boxed{{{written(form, wrong)}}}", reference)
    assert verdict.score != 1.0
    assert within(seconds, 0.25)
    right = JUDGE.verify(rf"\boxed{{{written(form, numbers[::-1])}}}", reference)
    assert right.score == 1.0 or right.reason == "reference_over_limit"


def test_other_spellings_of_the_members_are_theirs() -> None:
    halves = r"\{" + ", ".join(rf"\{{{each}.5\}}" for each in range(100)) + r"\}"
    fractions = r"\{" + ", ".join(rf"\{{{2 * each + 1}/2\}}" for each in reversed(range(100))) + r"\}"
    assert JUDGE.verify(rf"\boxed{{{fractions}}}", halves).score == 1.0


_NUMBERS = st.one_of(
    st.integers(-3, 3).map(str),
    st.sampled_from(["0.5", "1/2", r"\frac{1}{2}", "0.25", r"\frac{2}{4}", r"\frac{1}{3}", "0.3333333333", "12345678901"]),
    st.sampled_from(["x", r"\sqrt{4}", "2", "50%", "3 cm", "0.333"]),
)  # fmt: skip


def _groups(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    many = st.lists(inner, min_size=2, max_size=4).map(", ".join)
    return st.one_of(many.map(r"\{{{}\}}".format), many.map("({})".format), many.map("[{}]".format))


@settings(max_examples=examples(200), deadline=None)
@given(
    *[st.recursive(_NUMBERS, _groups, max_leaves=6)] * 2,
    st.sampled_from([DEFAULT, STRICT, Policy(order="kept")]),
)
def test_what_is_exact_agrees_just_where_comparing_says_so(one: str, other: str, policy: Policy) -> None:
    left, right = read(one), read(other)
    if left is None or right is None:
        return
    keys = exact(left, policy), exact(right, policy)
    if None not in keys:
        assert (keys[0] == keys[1]) is (same(left, right, policy) is True), (one, other)
