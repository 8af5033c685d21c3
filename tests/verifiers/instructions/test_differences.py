"""Where the right counting departs from the official one: as the page says, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import FIXTURES, ROOT, in_groups, rows
from tests.timing import examples
from tests.verifiers.instructions.test_instructions import CASES, IDS, TEXTS, parameters_of
from verifiers import InstructionFollowing
from verifiers.instructions.kinds import kinds_by_id

DIFFERENCES = rows(FIXTURES / "instructions" / "differences.jsonl")
LISTED = {name.removeprefix("fr:") for row in DIFFERENCES for name in row["kinds"]}
OTHERS = [name for name in IDS if not name.startswith("ko:") and name.removeprefix("fr:") not in LISTED]
WRITTEN = st.sampled_from([row["completion"] for row in [*CASES, *DIFFERENCES]])
PAGE = (ROOT / "docs" / "instructions.md").read_text(encoding="utf-8")


def verdict(counting: Any, name: str, kwargs: dict[str, Any], completion: str) -> float | None:
    """Of one instruction."""
    reference = {"instruction_id_list": [name], "kwargs": [kwargs]}
    return InstructionFollowing(counting=counting).verify(completion, reference).parts[0].score


@in_groups(DIFFERENCES, lambda row: row["instruction"])
def test_each_difference_has_an_example(row: dict[str, Any]) -> None:
    """One and the other verdict, as it was written down."""
    found = {
        name: verdict(name, row["instruction"], row["kwargs"], row["completion"]) for name in row["verdicts"]
    }
    assert found == row["verdicts"]
    assert found["official"] != found["right"]


@settings(max_examples=examples(100))
@given(text=st.one_of(WRITTEN, TEXTS), language=st.sampled_from(["", "fr:", "es:", "ja:"]))
def test_no_other_kind_differs(text: str, language: str) -> None:
    """Whatever is written, in any language of the sets."""
    for name in OTHERS:
        full = name if name.startswith("fr:") else language + name
        kwargs = parameters_of(name)
        assert verdict("official", full, kwargs, text) == verdict("right", full, kwargs, text), (full, text)


def test_the_page_lists_them_all() -> None:
    """Its rows are those of the file; the counts are the benchmark's."""
    table = PAGE.partition("| kind | official | right | rows |")[2].partition("\n\n")[0].splitlines()[2:]
    listed = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]
    wanted = [
        [", ".join(f"`{name}`" for name in row["kinds"]), row["official"], row["right"]]
        for row in DIFFERENCES
    ]
    assert [cells[:3] for cells in listed] == wanted
    assert all(cells[3].replace(",", "").isdigit() for cells in listed)


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row["kinds"][0])
def test_its_kinds_are_there(row: dict[str, Any]) -> None:
    """Under the names that rows have."""
    assert {name for name in row["kinds"] if name not in kinds_by_id()} <= {
        "fr:detectable_content:informal_address"
    }
