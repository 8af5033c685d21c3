"""Every row of fixtures/steps/claims.jsonl: which calculations a text claims, and what is known of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support import FIXTURES, in_groups, rows
from verifiers.process.calculations.claims import claims
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
