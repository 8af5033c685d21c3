"""Laws of comparison over every row of the cases: what is equal is equal both ways, and to itself."""

from __future__ import annotations

import re
from typing import Any

from tests.support import FIXTURES, in_groups, rows
from verifiers import MathEquivalence, Status
from verifiers.formulas.answer_shapes import Value
from verifiers.reading.answer_readings import Reading
from verifiers.reading.spelling.cleaning import clean
from verifiers.units.quantities import without_remark

ROWS = [
    row
    for name in ("math_equivalence", "units")
    for row in rows(FIXTURES / "cases" / f"{name}.jsonl")
    if row.get("spec", "MathEquivalence") == "MathEquivalence"
    and "prompt" not in row
    and isinstance(row["reference"], str)
    and isinstance(row["completion"], str)
]
_BOX = re.compile(r"\\boxed\{(.*)\}", re.DOTALL)
PAIRS = [
    (row, box[1]) for row in ROWS if row["score"] is not None and (box := _BOX.fullmatch(row["completion"]))
]
ROUNDED = {
    f"math_equivalence-{number}"
    for number in (
        191, 445, 1530, 1536, 1542, 1545, 1546, 1548, 1549, 1551, 1553, 1560, 1563, 1564, 1594, 1597, 1605, 1607, 1609, 1610,
        1613, 1614, 1662, 1663, 1664,
    )
}  # fmt: skip
"""Rows whose reference is a rounding of the answer; taken at its word, it is another number."""
NO_REFERENCE = {"math_equivalence-076"}
"""Right answers that are none as references: a box in an unfinished one."""
STATED = {"math_equivalence-314", "math_equivalence-915", *(f"stated-values-{n:02}" for n in range(1, 20))}
"""Answers that say what an expression is worth."""
ONE_WAY = {"math_equivalence-555"}
"""A line solved for another unknown than the reference's: y = 2x asks for a line, x = y/2 for a value of x."""
# A reference that holds a mark of its own is read as what the mark holds.
REFERENCES = [
    text
    for text in dict.fromkeys(row["reference"] for row in ROWS)
    if "####" not in text and "boxed" not in text
]


@in_groups(PAIRS, lambda pair: str(pair[0]["id"]))
def test_the_other_way_round_it_is_worth_the_same(pair: tuple[dict[str, Any], str]) -> None:
    """Unless the answer is nothing that a reference could be; but for what a reference alone may be rounded to."""
    row, answer = pair
    judge = MathEquivalence(reference_decimals="exact")
    verdict = judge.verify(f"\\boxed{{{row['reference']}}}", answer)
    if verdict.status is Status.UNSCORED:
        assert verdict.reason in ("bad_reference", "reference_over_limit")
        assert row["score"] == 0.0 or row["id"] in NO_REFERENCE
    else:
        if _is_remark(answer):
            return  # only a reference may say more than its number
        if row["id"] in STATED:
            return  # an equation states a value as an answer; as a reference it may be what is asked for
        if row["id"] in ONE_WAY:
            assert verdict.score == 0.0
            return
        assert verdict.score == judge.verify(row["completion"], row["reference"]).score, verdict
        assert (verdict.score == row["score"]) == (row["id"] not in ROUNDED)


def _is_remark(answer: str) -> bool:
    shape = Reading(clean(answer)).shape
    return isinstance(shape, Value) and without_remark(shape.unit) != shape.unit


@in_groups(REFERENCES, ascii)
def test_a_reference_equals_itself(reference: str) -> None:
    """Unless it is none."""
    verdict = MathEquivalence().verify(f"\\boxed{{{reference}}}", reference)
    assert verdict.passed or MathEquivalence().judge_reference(reference).kind == "unusable"
