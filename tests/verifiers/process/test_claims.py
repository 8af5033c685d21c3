"""Every row of fixtures/steps/claims.jsonl: which calculations a text claims, and what is known of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support import FIXTURES, in_groups, rows
from verifiers.process.claims import claims
from verifiers.visible.seen import visible

CLAIMS = rows(FIXTURES / "steps" / "claims.jsonl")
NUMBERS = st.integers(0, 10**6).map(str) | st.decimals(0, 10**4, places=2).map(str)
SIGNS = st.sampled_from(["+", "-", "*", "/", "×", "÷"])


def outcomes(text: str) -> list[str]:
    """What is known of each claim of a text."""
    return ["taken back" if each.taken_back else each.outcome for each in claims(visible(text)).found]


@in_groups(CLAIMS, lambda row: str(row["id"]))
def test_claims(row: dict[str, Any]) -> None:
    """So many are right, and so many proven false."""
    found = outcomes(row["text"])
    assert (found.count("right"), found.count("false")) == (row["right"], row["false"]), f"{row}: {found}"


@given(st.lists(NUMBERS, min_size=2, max_size=5), st.data())
def test_sums_are_right_with_their_value_alone(numbers: list[str], data: st.DataObject) -> None:
    """A sum is right with what it comes to, and false with anything that this does not round to."""
    signs = [data.draw(st.sampled_from("+-")) for _ in numbers[1:]]
    text, total = numbers[0], Decimal(numbers[0])
    for sign, number in zip(signs, numbers[1:], strict=True):
        text += f" {sign} {number}"
        total += Decimal(number) if sign == "+" else -Decimal(number)
    assert outcomes(f"{text} = {total}") == ["right"]
    wrong = total + 13 if (total + 13) % 10 else total + 14  # 524,300 may be a rounding of 524,287
    assert outcomes(f"We get {text} = {wrong} here.") == ["false"]


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from([*"0123456789+-*/=()%$ .,\n", "\\frac", "{", "}", "x"])).map("".join)
)
def test_no_text_breaks_it(text: str) -> None:
    """Claims stand in order within the text."""
    for claim in claims(text).found:
        assert 0 <= claim.start <= claim.end <= len(text)


NOUNS = (
    "Day", "Week", "Step", "Room", "Total for week", "Sales in", "Bus", "Cost of plan", "Level", "No.",
    "Box",
)  # fmt: skip
LABELS = (
    "{}년", "{}일째", "{}호", "{}번 상자", "{}학년 학생 수", "{}월", "제{}일", "第{}天", "{}年", "{}班", "{}층",
)  # fmt: skip
TITLES = st.one_of(
    st.builds("{} {}".format, st.sampled_from(NOUNS), st.integers(1, 2100)),
    st.builds(lambda label, number: label.format(number), st.sampled_from(LABELS), st.integers(1, 2100)),
    st.builds(
        lambda noun, first: f"{noun}s {first}-{first + 2}", st.sampled_from(NOUNS[:4]), st.integers(1, 40)
    ),
)
UNITS = st.sampled_from(["", " pages", "명", " students", "쪽", "人", " km"])
TERMS = st.lists(st.integers(1, 999), min_size=2, max_size=4)


@given(TITLES, TERMS, UNITS, st.sampled_from(["", "**"]))
def test_a_title_is_no_side_of_an_equation(title: str, terms: list[int], unit: str, bold: str) -> None:
    """Whatever number it ends in, or begins with: a right chain is not accused, and a wrong one is."""
    left = " + ".join(map(str, terms))
    assert "false" not in outcomes(f"{bold}{title}{bold} = {left} = {sum(terms)}{unit}")
    wrong = sum(terms) + 13 if (sum(terms) + 13) % 10 else sum(terms) + 14
    assert "false" in outcomes(f"{bold}{title}{bold} = {left} = {wrong}{unit}")


@given(
    st.sampled_from(["he has", "the total is", "so", "which gives", "then we get", "합계는", "따라서"]), TERMS
)
def test_what_is_said_of_a_number_is_claimed(words: str, terms: list[int]) -> None:
    """A verb or a conjunction before a number makes no name of it."""
    left = " + ".join(map(str, terms))
    assert outcomes(f"{words} {sum(terms)} = {left}") == ["right"]
    wrong = sum(terms) + 13 if (sum(terms) + 13) % 10 else sum(terms) + 14
    assert outcomes(f"{words} {wrong} = {left}") == ["false"]


@given(
    st.sampled_from(["Week", "Day", "Team", "Stage"]),
    st.integers(1, 9),
    st.integers(10, 99),
    st.integers(1, 9),
)
def test_a_title_stays_a_name_further_on(noun: str, number: int, value: int, more: int) -> None:
    """Week 1 + 5 is no sum of 1 and 5 where Week 1 was given a value before."""
    text = f"{noun} {number} = {value}. {noun} {number + 1} = {noun} {number} + {more} = {value + more}"
    assert "false" not in outcomes(text)


CONVERTED = (
    ("$", "", 100, " cents"),
    ("", " km", 1000, " m"),
    ("", " hours", 60, " minutes"),
    ("", " kg", 1000, " g"),
)


@given(st.sampled_from(CONVERTED), st.integers(1, 40), st.integers(1, 40))
def test_units_in_a_chain_convert(units: tuple[str, str, int, str], one: int, other: int) -> None:
    """And a result in another unit that does not fit is wrong."""
    before, behind, factor, smaller = units
    total = one + other
    chain = f"{before}{one}{behind} + {before}{other}{behind} = {before}{total}{behind}"
    assert "false" not in outcomes(f"{chain} = {total * factor}{smaller}")
    assert "false" in outcomes(f"{chain} = {total * factor + 7}{smaller}")
