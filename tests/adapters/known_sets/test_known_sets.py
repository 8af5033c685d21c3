"""Public data sets are known by their rows: right columns, right verifier, right scores, no option given."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.cli.taking import scorer_for
from adapters.files.chunk_scorer import Scorer
from adapters.files.jsonl import Source
from adapters.known_sets.known_set import NotOfTheSetError
from adapters.known_sets.maths_sets import last_boxed
from adapters.known_sets.recognition import SETS, Found, proposal, recognised
from tests.adapters.cli.test_score import write
from tests.support import FIXTURES, rows
from tests.timing import examples
from verifiers import ConfigError

CASES = rows(FIXTURES / "known_sets" / "rows.jsonl")
DEFAULTS = {
    "completion_field": "completion", "reference_field": "answer", "prompt_field": "prompt",
    "group_field": "prompt", "tokens_field": "completion_tokens",
}  # fmt: skip


class Chosen:
    def __init__(self, **given: str) -> None:
        self.values = {**DEFAULTS, **given}
        self._given = given

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def chosen(self, name: str) -> bool:
        return name in self._given


def _scored(path: Path, made: list[dict[str, Any]], **given: str) -> tuple[Scorer, list[Any], dict[int, str]]:
    write(path, made)
    source = Source([str(path)])
    scorer = scorer_for(source, Chosen(**given), None)  # type: ignore[arg-type]
    lines = [line.raw for chunk in source.chunks() if isinstance(chunk, list) for line in chunk]
    scored = scorer.score(lines)
    return scorer, [json.loads(line)["reward"] for line in scored.output.splitlines()], scored.problems


@pytest.mark.parametrize("case", CASES, ids=[case["set"] for case in CASES])
def test_a_known_set_is_scored_without_an_option(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the completions' column is called; what was taken for what is said."""
    scorer, rewards, problems = _scored(tmp_path / "rows.jsonl", case["rows"])
    assert not problems
    assert scorer.reading is not None
    assert scorer.reading.signature == case["set"]
    assert case["verifier"] in scorer.reward.describe()
    if case["rewards"][-1] == "less":
        assert rewards[0] > rewards[-1]
    else:
        assert rewards == case["rewards"]
    said = capsys.readouterr().err
    for part in (f"rows of {case['set']}", "reference ", "recipe ", "completion ", case["verifier"]):
        assert part in said


def test_the_fifteen_are_there() -> None:
    promised = (
        "GSM8K MATH DAPO HumanEval MBPP APPS LiveCodeBench KMMLU HRM8K MMLU ARC Malpyeong open-r1".split()
    )
    assert set(promised) <= {case["set"] for case in CASES}
    assert {case["set"] for case in CASES} <= set(SETS)


@pytest.mark.parametrize("case", CASES, ids=[case["set"] for case in CASES])
def test_rows_without_completions_say_what_to_do(case: dict[str, Any], tmp_path: Path) -> None:
    given = {"completion", "responses", "response", "generated_text", "prediction"}
    given |= {"output"} if case["set"] == "DAPO" else set()
    bare = [{name: value for name, value in row.items() if name not in given} for row in case["rows"]]
    with pytest.raises(ConfigError, match=f"the rows of {case['set']} have no completions"):
        _scored(tmp_path / "rows.jsonl", bare)


def _known(*rows: dict[str, Any]) -> Found:
    return recognised([(f"x:{number}", row) for number, row in enumerate(rows, 1)])


OPTIONS = {"question": "q", "choices": ["red", "blue", "green"]}


@pytest.mark.parametrize("case", rows(FIXTURES / "known_sets" / "unsure.jsonl"), ids=lambda case: case["why"])
def test_a_guess_that_could_pay_wrongly_is_refused(case: dict[str, Any]) -> None:
    """Numbers that could be places, rows of two shapes, sources that nobody knows."""
    found = _known(*case["rows"])
    assert found.known is None
    assert case["why"] in found.refusal


def test_what_removes_the_doubt() -> None:
    """A row whose answer only one way of counting allows."""
    from_0 = _known({**OPTIONS, "answer": 1}, {**OPTIONS, "answer": 0})
    from_1 = _known({**OPTIONS, "answer": 1}, {**OPTIONS, "answer": 3})
    assert from_0.known is not None
    assert from_1.known is not None
    assert from_0.known.reference({**OPTIONS, "answer": 1}) == ["B", "2"]
    assert from_1.known.reference({**OPTIONS, "answer": 1}) == ["A", "1"]


def test_labels_that_an_options_text_could_pass_for() -> None:
    """Of the options 4, 1, 2, 3 the answer "1" is the text of B, and no label of A."""
    known = SETS["MMLU"]
    row = {"question": "2+2?", "subject": "s", "choices": ["4", "1", "2", "3"], "answer": 0}
    read = known.read(row)
    assert (read["answer"], read["prompt"].splitlines()[1:]) == (["A"], ["A. 4", "B. 1", "C. 2", "D. 3"])
    assert known.read({**row, "prompt": "as it was asked"})["prompt"] == "as it was asked"
    for signs, label in (("ABCD", "A"), ("1234", "1")):
        asked = "2+2?\n" + "\n".join(
            f"{sign}. {text}" for sign, text in zip(signs, row["choices"], strict=True)
        )
        for prompt in (asked, [{"role": "user", "content": asked}]):
            assert known.read({**row, "prompt": prompt})["answer"] == [label]


def test_a_row_of_another_kind_further_down_is_rejected(tmp_path: Path) -> None:
    rows = [{"question": "q", "answer": f"#### {n}", "completion": str(n)} for n in range(3)]
    scorer, _, _ = _scored(tmp_path / "rows.jsonl", rows)
    scored = scorer.score([json.dumps({**rows[0], "answer": "no mark"}).encode()])
    assert "not a row of GSM8K, as the first are" in scored.problems[0]
    assert scorer.signature.endswith("|rows:GSM8K")


@pytest.mark.parametrize(
    ("answers", "recipe", "why"),
    [
        (["1/2", 7, "\\frac{1}{3}"], "MathEquivalence", ""),
        (["A", "C"], "MultipleChoice", ""),
        ([0, 3, 2], None, "could be answers, or places"),
        (["Paris", "London"], None, "words (2)"),
        ([["a"]], None, "of type list"),
    ],
)
def test_a_verifier_for_rows_of_no_known_set(answers: list[Any], recipe: str | None, why: str) -> None:
    """By their references, and none where these could mean two things."""
    found, problem = proposal([("x:1", {"answer": answer}) for answer in answers], "answer")
    assert found == recipe
    assert why in problem


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 6)
    | st.floats()
    | st.sampled_from(["", "#### 1", "A", "{", "apps"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "label", "answer", "ground_truth", "test_cases"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


def _rows_with_columns_of(name: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    top = {column.partition(".")[0]: VALUES for column in SETS[name].columns}
    return st.lists(st.fixed_dictionaries(top), min_size=1, max_size=2)


@given(st.sampled_from(sorted(SETS)).flatmap(_rows_with_columns_of))
@settings(deadline=None, max_examples=examples(60))
def test_no_row_breaks_recognition(rows: list[dict[str, Any]]) -> None:
    """Whatever its columns hold: it is of a set, or it is not, and the reason is a sentence."""
    found = _known(*rows)
    assert found.known is None or not found.refusal
    for known in SETS.values():
        for row in rows:
            with contextlib.suppress(NotOfTheSetError):
                assert known.read(row).keys() >= row.keys()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\\boxed{1} then \\boxed{\\frac{1}{2}}", "\\frac{1}{2}"), ("\\fbox{3}", "3"), ("\\boxed 5", "5"),
        ("\\boxed{\\{1, 2\\}}", "\\{1, 2\\}"), ("\\boxed{5", None), ("\\boxed{}", None),
        ("\\boxedness", None), ("", None),
    ],
)  # fmt: skip
def test_the_last_box_is_the_answer(text: str, found: str | None) -> None:
    assert last_boxed(text) == found
