"""Pairs of rows, against a plain loop over them."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.comparison.figures import matched
from adapters.comparison.sides import Rows, Spilled

NAMED = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), max_size=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For what is spilled."""
    return tmp_path_factory.mktemp("spilled")


def _rows(folder: Path, named: list[tuple[int, int]]) -> Rows:
    spilled = Spilled(folder, 1)
    spilled.take(
        (key, 0, completion, 0, 0, 0, line, ((0, 1.0, 0),)) for line, (key, completion) in enumerate(named)
    )
    return spilled.read(0)


@given(NAMED, NAMED)
def test_pairs_are_those_of_a_plain_loop(
    folder: Path, first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    """Equal completions of a key in the order of lines, the only two rows of a key whatever they hold."""
    sides = [_rows(folder, each) for each in (first, second)]
    found = matched(*sides)
    lines = [each.fields["line"][place].tolist() for each, place in zip(sides, found.sides, strict=True)]
    rows: list[dict[int, list[int]]] = [defaultdict(list), defaultdict(list)]
    for side, named in enumerate((first, second)):
        for line, (key, _) in enumerate(named):
            rows[side][key].append(line)
    expected: set[tuple[int, int]] = set()
    for key in rows[0].keys() & rows[1].keys():
        ours, theirs = rows[0][key], rows[1][key]
        if len(ours) == len(theirs) == 1:
            expected.add((ours[0], theirs[0]))
            continue
        for completion in range(3):
            same = [line for line in ours if first[line][1] == completion]
            others = [line for line in theirs if second[line][1] == completion]
            expected |= set(zip(same, others, strict=False))
    assert (set(zip(*lines, strict=True)), len(lines[0])) == (expected, len(expected))
    paired = Counter(first[line][0] for line in lines[0])
    keys = sorted({key for key, _ in first + second})
    assert found.paired.tolist() == [paired[key] for key in keys]
    other = [
        first[rows[0][key][0]][1] != second[rows[1][key][0]][1]
        if len(rows[0][key]) == len(rows[1][key]) == 1
        else min(len(rows[0][key]), len(rows[1][key])) > paired[key]
        for key in keys
    ]
    assert found.other.tolist() == other
