"""Two scorings held against one another: matching, flips, and figures that do not depend on the order of rows."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.comparison import comparing, side_reading
from adapters.comparison.comparing import compare
from adapters.comparison.figures import matched, state
from adapters.comparison.side_reading import side_of
from adapters.comparison.sides import Columns, Rows, Spilled
from tests.adapters.cli.test_score import write
from verifiers import ConfigError


def scored(
    score: float | None, completion: str = "x", part: str = "accuracy", reason: str = "", **columns: Any
) -> dict[str, Any]:
    status = "unscored" if score is None else "scored"
    reason = reason or {None: "bad_reference", 0.0: "not_equal", 1.0: "equal_text"}.get(score, "graded")
    verdict = {"verifier": "MathEquivalence", "status": status, "score": score, "reason": reason}
    return {
        "completion": completion, "answer": "1", **columns, "reward": score, "reward_parts": {part: score},
        "verdicts": [verdict], "verdict_parts": [part], "signature": "s",
    }  # fmt: skip


def diff(folder: Path, first: list[Any], second: list[Any], **options: Any) -> dict[str, Any]:
    sides = [side_of(str(write(folder / name, rows))) for name, rows in (("a", first), ("b", second))]
    found = compare(sides[0], sides[1], **options)
    return json.loads(json.dumps(found).replace(str(folder), ""))


def _rollouts(chance: random.Random, prompts: int, group: int) -> tuple[list[Any], list[Any]]:
    first, second = [], []
    for prompt in range(prompts):
        for sample in range(group):
            before = chance.choice([0.0, 1.0, 1.0, 0.5, None])
            after = chance.choice([before, before, 0.0, 1.0, None])
            about = {"prompt": f"p{prompt}", "source": "ab"[prompt % 2]}
            text = f"c{chance.randrange(sample + 1)}"  # some completions of a prompt are equal
            first.append(scored(before, text, **about))
            second.append(scored(after, text, **about))
    return first, second


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_rows_does_not_matter(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shuffled on either side, in one partition or many, the difference is the same but for line numbers."""
    chance = random.Random(seed)
    first, second = _rollouts(chance, 12, 3)
    # Equal completions of a prompt are told apart by nothing: they have the same verdict.
    for rows in (first, second):
        known: dict[tuple[str, str], Any] = {}
        rows[:] = [known.setdefault((row["prompt"], row["completion"]), row) for row in rows]
    found = diff(tmp_path, first, second)
    monkeypatch.setattr(side_reading, "partitions_for", lambda size: 7)
    again = diff(tmp_path, chance.sample(first, len(first)), chance.sample(second, len(second)))
    lines = [each.pop("flipped") for each in (found, again)]
    assert (found, found["pairs"], found["compared_by"]) == (again, len(first), "row")
    assert len(lines[0]) == len(lines[1])


def test_counts_are_those_of_a_plain_loop(tmp_path: Path) -> None:
    """Means over rows that both could judge, flips by state and reason."""
    first, second = _rollouts(random.Random(9), 30, 1)
    found = diff(tmp_path, first, second)
    part = found["parts"]["accuracy"]
    pairs = [(a["reward"], b["reward"]) for a, b in zip(first, second, strict=True)]
    judged = [(a, b) for a, b in pairs if a is not None and b is not None]
    assert (part["pairs"], part["left_out"]) == (len(judged), len(pairs) - len(judged))
    assert part["difference"] == pytest.approx(sum(b - a for a, b in judged) / len(judged))
    assert part["right_to_wrong"] == sum(a == 1 and b < 1 for a, b in judged)
    assert part["wrong_to_right"] == sum(a < 1 and b == 1 for a, b in judged)
    assert part["right_to_unjudged"] == sum(a == 1 and b is None for a, b in pairs)
    assert part["rose"] == sum(b > a for a, b in judged)
    changed = sum(
        a["verdicts"][0]["reason"] != b["verdicts"][0]["reason"] for a, b in zip(first, second, strict=True)
    )
    assert sum(each["rows"] for each in part["changes"]) == changed
    by_source = {each["source"]: each["outcome"]["pairs"] for each in found["sources"]}
    assert (sum(by_source.values()), set(by_source)) == (len(judged), {"a", "b"})


def test_flipped_rows_are_named_with_their_reasons(tmp_path: Path) -> None:
    """By file and line on both sides; as many as are asked for."""
    first = [scored(1.0, id=number) for number in range(5)]
    second = [scored(0.0 if number in (1, 3, 4) else 1.0, id=number) for number in reversed(range(5))]
    found = diff(tmp_path, first, second, named_rows=2)
    assert found["flipped"] == [
        {"flip": "right_to_wrong", "first": "/a:2", "second": "/b:4", "reasons": ["equal_text", "not_equal"]},
        {"flip": "right_to_wrong", "first": "/a:4", "second": "/b:2", "reasons": ["equal_text", "not_equal"]},
    ]
    assert found["parts"]["accuracy"]["right_to_wrong"] == 3


def test_the_first_flipped_rows_are_named_out_of_many(tmp_path: Path) -> None:
    first = [scored(1.0, id=number) for number in range(300)]
    found = diff(tmp_path, first, [{**row, **scored(0.0, id=row["id"])} for row in first], named_rows=3)
    assert [each["first"] for each in found["flipped"]] == ["/a:1", "/a:2", "/a:3"]


def test_checkpoints_are_compared_by_prompt(tmp_path: Path) -> None:
    """Other completions, and not even as many: each prompt counts once, by its mean."""
    first = [scored(score, f"a{n}", prompt="p") for n, score in enumerate([1.0, 0.0, 0.0, 0.0])]
    first += [scored(0.0, "only", prompt="q")]
    second = [scored(1.0, f"b{n}", prompt="p") for n in range(2)]
    second += [scored(1.0, "x", prompt="q"), scored(1.0, "y", prompt="q"), scored(1.0, "z", prompt="new")]
    found = diff(tmp_path, first, second)
    part = found["parts"]["accuracy"]
    assert (found["compared_by"], (part["before"], part["after"])) == ("prompt", (0.125, 1.0))
    assert ((part["prompts"], part["pairs"], part["rose"]), found["only"]) == ((2, 2, 2), [0, 1])
    assert part["reasons"] == [{"not_equal": 4, "equal_text": 1}, {"equal_text": 4}]


def test_one_other_completion_of_each_id_still_flips(tmp_path: Path) -> None:
    """One greedy answer to each question: rows are paired, and equal short answers hide nothing."""
    first = [scored(float(n % 2), "A", id=n, prompt=f"p{n}") for n in range(10)]
    second = [scored(1.0, "A" if n % 2 else "B", id=n, prompt=f"p{n}") for n in range(10)]
    found = diff(tmp_path, first, second)
    assert (found["parts"]["accuracy"]["wrong_to_right"], found["other_completions"]) == (5, 5)
    assert found["parts"]["accuracy"]["difference"] == 0.5


def test_rows_of_one_side_are_counted(tmp_path: Path) -> None:
    rows = [scored(1.0, id=number) for number in range(4)]
    found = diff(tmp_path, rows[:3], [*rows[1:], scored(0.0, id=7)])
    assert ((found["only"], found["pairs"]), found["parts"]["reward"]["after"]) == (([1, 2], 2), 1.0)


def test_an_outcome_may_be_called_otherwise(tmp_path: Path) -> None:
    """Two recipes name their parts as they like; what says what is right is compared with what does."""
    found = diff(tmp_path, [scored(1.0, id=1)], [scored(0.0, id=1, part="MathEquivalence")])
    assert (found["outcome"], found["parts"]["accuracy"]["right_to_wrong"]) == ("accuracy", 1)


def test_intervals_count_prompts(tmp_path: Path) -> None:
    """Eight equal completions of a prompt say no more than one."""
    chance = random.Random(3)
    flips = [(chance.choice([0.0, 1.0]), chance.choice([0.0, 1.0])) for _ in range(40)]
    sides = [
        [
            scored(flip[side], f"c{n}", prompt=f"p{p}", id=8 * p + n)
            for p, flip in enumerate(flips)
            for n in range(8)
        ]
        for side in (0, 1)
    ]
    once = [[row for row in rows if row["id"] % 8 == 0] for rows in sides]
    eight, one = (diff(tmp_path, *rows)["parts"]["accuracy"] for rows in (sides, once))
    assert (eight["pairs"], eight["prompts"]) == (320, 40)
    for name in ("difference", "low", "high", "p"):
        assert eight[name] == pytest.approx(one[name], abs=0.03)


@pytest.mark.parametrize(
    ("first", "second", "options", "part"),
    [
        ([scored(1.0, id=1)], [scored(1.0, id=2)], {}, "not the same rows; choose the column"),
        ([scored(1.0)], [scored(1.0)], {}, "nothing tells which rows belong together"),
        ([scored(1.0, id=1, prompt="p")], [scored(1.0, id=1, prompt="q")], {}, "different prompts"),
        ([scored(1.0, id=1)], [{"completion": "x", "id": 1}], {}, "is not a scored row"),
        ([scored(1.0, id=1)], [], {}, "b: no rows"),
        ([scored(1.0, id=1), "bad"], [scored(1.0, id=1)], {}, "a:2: not JSON"),
        ([scored(1.0, id=1), scored(1.0)], [scored(1.0, id=1)], {}, "a:2 has no column 'id'"),
        ([scored(1.0, id=1)], [scored(1.0, id=1)], {"outcome": "acuracy"}, "did you mean 'accuracy'"),
        (
            [scored(1.0, id=1)], [scored(1.0, id=1)], {"columns": Columns(key="di")},
            "no column 'di'; known: .*--key",
        ),
        ([scored(1.0, id=1)], [scored(1.0, id=1)], {"columns": Columns(source="sauce")}, "'sauce'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(
    tmp_path: Path, first: list[Any], second: list[Any], options: dict[str, Any], part: str
) -> None:
    with pytest.raises(ConfigError, match=part):
        diff(tmp_path, first, second, **options)


def test_places_and_named_keys_match_what_else_would_not(tmp_path: Path) -> None:
    """Rows without an id, and questions that were written otherwise."""
    found = diff(tmp_path, [scored(1.0)] * 3, [scored(0.0)] * 3, columns=Columns(key="line"))
    assert found["parts"]["accuracy"]["right_to_wrong"] == 3
    rows = [scored(1.0, id=1, prompt="p")], [scored(0.0, id=1, prompt="<user>p")]
    found = diff(tmp_path, *rows, columns=Columns(key="id"))
    assert (found["other_prompts"], found["pairs"]) == (1, 1)


def test_large_files_are_read_in_processes_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same figures, and the same refusals."""
    first, second = _rollouts(random.Random(5), 20, 1)
    here = diff(tmp_path, first, second)
    monkeypatch.setattr(side_reading, "APART_BYTES", 0)
    monkeypatch.setattr(side_reading, "available_cores", lambda: 2)
    assert diff(tmp_path, first, second) == here
    with pytest.raises(ConfigError, match="b:2: not JSON"):
        diff(tmp_path, first, [second[0], "bad"])


def test_names_beyond_a_limit_share_one() -> None:
    from adapters.comparison.sides import REST, Names

    names = Names(2, REST)
    assert [names.number(each) for each in ("a", "b", "c", "d", "a")] == [0, 1, 2, 2, 0]
    assert names.all() == ["a", "b", REST]


def test_states_and_limits_are_what_they_are_said_to_be() -> None:
    assert ([state(each) for each in (0.99, 1.0, 1.5, None)], comparing.NAMED_ROWS) == ([0, 1, 1, 2], 10)


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
