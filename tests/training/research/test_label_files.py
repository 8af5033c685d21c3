"""What a file of labels holds, whatever ends the run; second opinions; other formats."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rewards import Pay, load_recipe
from tests.training.runs import lines
from training.data import Row
from training.generation import Generated, Prompt, Sampling
from training.research.label_formats import NotStepsError, read_labels, written_as
from training.research.label_rows import (
    WINDOW,
    Labeller,
    ModelRolls,
    agreed,
    check_solutions,
    counted,
    label_rows,
    opinions,
)
from training.research.rollouts import Solution
from verifiers import ConfigError, EquationChain, MathEquivalence
from verifiers.process.steps import Steps


class Digits:
    """A backend that ends with the right answer now and then, by the seed, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        """`k` completions each."""
        rng = random.Random(sampling.seed)
        for prompt in prompts:
            assert isinstance(prompt, str)
            self.asked.append(prompt)
            yield [Generated(f"\n#### {rng.choice('345')}", 3, True) for _ in range(sampling.k)]


def labeller(backend: Any = None, **changes: Any) -> Labeller:
    """Labels by the strict answer, four completions each."""
    rolls = ModelRolls(
        backend or Digits(),
        Sampling(k=4, max_tokens=40),
        lambda prompt: prompt if isinstance(prompt, str) else f"<{prompt[-1]['content']}>",
        lambda text: len(text.split()),
        Pay(MathEquivalence()),
        "MathEquivalence",
    )
    return dataclasses.replace(
        Labeller(rolls, Steps(), "every", seed=5, second=None, name="a labelling"), **changes
    )


ROWS: list[Row] = [
    {
        "prompt": [{"role": "user", "content": f"{at}+1=?"}],
        "answer": str(at + 1),
        "completion": f"1단계: {at}+0={at}이다.\n2단계: {at}+1={at + 1 + at % 2}이다.\n\n#### {at + 1 + at % 2}",
        "reward": 1.0,
        "verdicts": [],
    }
    for at in range(2 * WINDOW + 3)
]


def test_a_killed_run_continues_with_the_same_bytes(tmp_path: Path) -> None:
    """Wherever it was torn; what is whole is not asked again."""
    path = tmp_path / "labels.jsonl"
    label_rows(labeller(), ROWS, path)
    whole = path.read_bytes()
    assert len(lines(path)) == len(ROWS)
    for share in (0, 1, 30, 50, 70, 99):
        path.write_bytes(whole[: len(whole) * share // 100])
        backend = Digits()
        label_rows(labeller(backend), ROWS, path)
        assert path.read_bytes() == whole
        assert len({prompt.partition(">")[0] for prompt in backend.asked}) <= len(ROWS) - share // 50 * WINDOW
    backend = Digits()
    label_rows(labeller(backend), ROWS, path)
    assert (path.read_bytes(), backend.asked) == (whole, [])


def test_more_rows_continue_a_file(tmp_path: Path) -> None:
    """A window that was short is labelled anew, as if all rows had been there."""
    one, two = tmp_path / "one", tmp_path / "two"
    label_rows(labeller(), ROWS, one)
    label_rows(labeller(), ROWS[: WINDOW + 5], two)
    label_rows(labeller(), ROWS, two)
    assert one.read_bytes() == two.read_bytes()


def test_another_labelling_or_other_solutions_are_refused(tmp_path: Path) -> None:
    """Rather than mixed into one file."""
    path = tmp_path / "labels.jsonl"
    label_rows(labeller(), ROWS[:3], path)
    with pytest.raises(ConfigError, match="was begun by"):
        label_rows(labeller(name="another"), ROWS[:3], path)
    with pytest.raises(ConfigError, match="holds other solutions"):
        label_rows(labeller(), ROWS[1:4], path)
    with pytest.raises(ConfigError, match="row 0 of x has no 'completion'"):
        check_solutions([{"prompt": "a"}], "x")


def test_a_line_says_all_that_is_known(tmp_path: Path) -> None:
    """In TRL's format, with Korean steps and their places; what scored lines said of them is left behind."""
    path = tmp_path / "labels.jsonl"
    label_rows(labeller(), ROWS[:4], path)
    found = lines(path)
    for row, line in zip(ROWS, found, strict=False):
        text = row["completion"]
        assert line["completions"] == [each for each in text.split("\n") if each]
        assert [text[start:end] for start, end in line["spans"]] == line["completions"]
        assert line["outcome"] == line["labels"][-1] == (line["soft"][-1] == 1.0)
        assert line["rollouts"] == [4, 4, 1]
        for label, soft, interval in zip(line["labels"], line["soft"], line["soft_interval"], strict=True):
            assert label == (soft > 0)
            assert interval[0] <= soft <= interval[1]
        assert line["rollout_tokens"] == 24
        assert not {"reward", "verdicts"} & set(line)
    assert counted(path)["solutions"] == 4
    assert counted(path)["rollouts"] == 4 * 9


def test_what_cannot_be_judged_is_null(tmp_path: Path) -> None:
    """A reference that is none, thinking told apart, a completion as long as one may be; never false."""
    path = tmp_path / "labels.jsonl"
    thinking = [{"role": "assistant", "content": "so 3", "reasoning_content": "1+2=3."}]
    rows = [{**ROWS[0], "answer": None}, {**ROWS[2], "completion": thinking},
            {**ROWS[2], "completion": "so " * 50, "finished": False}, {**ROWS[2], "completion": ""},
            {**ROWS[2], "completion": "\ud800 1+1=2.\nno"}]  # fmt: skip
    label_rows(labeller(), rows, path)
    found = lines(path)
    assert [line["labels"] for line in found[:4]] == [[None] * 3, [], [None], []]
    assert found[0]["unjudged"] == [4, 4, 1]
    assert found[0]["soft"] == [None] * 3


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1단계: 8+7=15이다.\n2단계: 15+40=56이다.\n3단계: 답은 56이다.", (True, False, None)),
        ("8+7=15.\n15+40=55.", (True, True)),
        ("So.\nSo.", (None, None)),
        ("", ()),
    ],
)
def test_a_verifier_has_opinions_on_steps(text: str, wanted: tuple[bool | None, ...]) -> None:
    """As far as it has any; labels that it shares are kept."""
    row: Row = {"prompt": "8+7+40=?", "completion": text}
    spans = Solution.of(text, Steps(), None).spans
    assert opinions(load_recipe("EquationChain"), row, text, spans) == wanted


def test_a_coarse_opinion_is_right_of_all_or_wrong_of_none() -> None:
    """What is wrong somewhere in a paragraph is not known to be wrong in one of its sentences."""
    text = "8+7=15. 15+40=56.\n\n1+1=2. 2+2=4."
    spans = Solution.of(text, Steps(), None).spans
    row: Row = {"prompt": "8+7+40+1+2?", "completion": text}
    coarse = Pay(EquationChain(by="paragraphs"))
    assert opinions(coarse, row, text, spans) == (None, None, True, True)


def test_consensus_keeps_what_both_say(tmp_path: Path) -> None:
    """And counts the rest."""
    path = tmp_path / "labels.jsonl"
    label_rows(labeller(second=load_recipe("EquationChain")), ROWS, path)
    for line in lines(path):
        pairs = zip(line["by_rollouts"], line["second"], strict=True)
        assert line["labels"] == [one if one == other else None for one, other in pairs]
    found = counted(path)
    told = sum(found[f"second: {each}"] for each in ("agrees", "disagrees", "silent"))
    assert told == found["steps"] == 3 * len(ROWS)
    assert found["second: agrees"] == found["right"] + found["wrong"] > 0
    every = [True, False, None]
    for one, other in itertools.product(every, every):
        assert agreed((one,), (other,)) == ((one,) if one == other else (None,))


LINE = {
    "prompt": [{"role": "user", "content": "비가 온 날은?"}],
    "completions": ["1단계: 1+1=2.", "2단계: 2+2=5.", "3단계: 답은 5."],
    "labels": [True, False, False],
    "soft": [0.5, 0.0, 0.0],
    "outcome": False,
    "steps_by": "marks",
}


@pytest.mark.parametrize("labels", list(itertools.product([True, False, None], repeat=3)))
def test_what_is_written_is_read_again(labels: tuple[bool | None, ...]) -> None:
    """As far as a format can say it; what it cannot say is not written."""
    row = {**LINE, "labels": list(labels)}
    [ours] = read_labels(row)
    assert (ours.labels, ours.soft, ours.outcome, ours.by) == (labels, (0.5, 0.0, 0.0), False, "marks")
    assert ours.question == "비가 온 날은?"
    trl = written_as("trl", row)
    known = next((at for at, each in enumerate(labels) if each is None), 3)
    assert (trl is None) == (known == 0)
    if trl is not None:
        assert read_labels(trl)[0].labels == labels[:known]
        assert all(isinstance(each, bool) for each in trl["labels"])
    rated = written_as("prm800k", row)
    assert rated is not None
    assert read_labels(rated)[-1].labels == labels
    bench = written_as("processbench", row)
    first = next((at for at, each in enumerate(labels) if each is not True), -1)
    assert (bench is None) == (first >= 0 and labels[first] is None)
    if bench is not None:
        assert bench["label"] == first
        [back] = read_labels(bench)
        assert (back.first_error, back.outcome, len(back.steps)) == (first, False, 3)


def test_targets_are_hard_or_soft() -> None:
    """What has no label has no target, whatever its share is."""
    [found] = read_labels({**LINE, "labels": [True, False, None]})
    assert found.targets(soft=False) == (1.0, 0.0, None)
    assert found.targets(soft=True) == (0.5, 0.0, None)
    [shares] = read_labels({"prompt": "?", "completions": ["a", "b"], "labels": [0.25, 0.0]})
    assert (shares.labels, shares.targets(soft=True)) == ((True, False), (0.25, 0.0))
    [masked] = read_labels({"prompt": "?", "completions": ["a", "b"], "labels": [1, -100]})
    assert masked.labels == (True, None)


def step(*rated: tuple[str, int | None], chosen: int | None = 0, human: Any = None) -> dict[str, Any]:
    """A step of PRM800K."""
    made = [{"text": text, "rating": rating, "flagged": None} for text, rating in rated]
    return {"completions": made, "human_completion": human, "chosen_completion": chosen}


@pytest.mark.parametrize(("neutral", "means"), [("positive", True), ("negative", False), ("skip", None)])
def test_prm800k_is_read(neutral: Any, means: bool | None) -> None:
    """The path that was taken, steps that were not, people's own, an error that ended it; 0 as is said."""
    row = {
        "question": {"problem": "2+2?"},
        "label": {
            "finish_reason": "found_error",
            "steps": [
                step(("a", 1), ("b", -1)),
                step(("c", 0)),
                step(("d", -1), chosen=None, human={"text": "e", "rating": None}),
                step(("f", -1), chosen=None),
            ],
        },
    }
    found = [(each.steps, each.labels) for each in read_labels(row, neutral)]
    assert found == [
        (("b",), (False,)),
        (("a", "c", "d"), (True, means, False)),
        (("a", "c", "e", "f"), (True, means, True, False)),
    ]
    assert (
        read_labels({"question": {"problem": "?"}, "label": {"steps": [], "finish_reason": "give_up"}}) == []
    )
    bad = {"question": {"problem": "?"}, "label": {"steps": [step(("a", 1))], "finish_reason": "bad_problem"}}
    assert read_labels(bad) == []
    # Given up in the middle, without another step: what was rated stays.
    bad["label"]["finish_reason"] = "give_up"
    bad["label"]["steps"] += [{"completions": None, "human_completion": None, "chosen_completion": None}]  # type: ignore[operator]
    assert [each.labels for each in read_labels(bad)] == [(True,)]


def shepherd(text: str, marks: str) -> dict[str, str]:
    """A row of Math-Shepherd."""
    signs = iter(marks)
    return {"input": text, "label": "".join(next(signs) if each == "ки" else each for each in _tags(text)), "task": "x"}  # fmt: skip


def _tags(text: str) -> Iterator[str]:
    for place, piece in enumerate(text.split("ки")):
        if place:
            yield "ки"
        yield piece


@pytest.mark.parametrize(
    ("row", "question", "steps", "labels"),
    [
        (shepherd("2+2+1? Step 1: 2+2=4 ки\nStep 2: 4+1=6. The answer is: 6 ки", "+-"), "2+2+1?",
         ("Step 1: 2+2=4", "Step 2: 4+1=6. The answer is: 6"), (True, False)),
        (shepherd("Is it 4? How much? 2+2=4 ки\nSo 4 ки", "++"), "Is it 4? How much?", ("2+2=4", "So 4"), (True, True)),
        (shepherd("Two ки more? Step 1: 2+2=4 ки\n", "-+"), "Two  more?", ("Step 1: 2+2=4",), (True,)),
    ],
)  # fmt: skip
def test_math_shepherd_is_read(
    row: Row, question: str, steps: tuple[str, ...], labels: tuple[bool, ...]
) -> None:
    """The first step stands after the question, and a tag may stand in it."""
    [found] = read_labels(row)
    assert (found.question, found.steps, found.labels) == (question, steps, labels)


def test_rows_without_a_place_for_the_question_are_left_out() -> None:
    """Rather than cut somewhere; and what is no row of any format says which there are."""
    assert read_labels(shepherd("2+2=4 ки so", "+")) == []
    assert read_labels({"input": "nothing", "label": "nothing"}) == []
    for row, says in (
        ({"input": "a ки", "label": "b +"}, "different texts"),
        ({"prompt": "a", "completions": ["b"], "labels": []}, "1 steps have 0 labels"),
        ({"prompt": "a", "completions": ["b"], "labels": ["good"]}, "must be true, false or null"),
        ({"prompt": "a", "completions": [None], "labels": [True]}, "a text is needed"),
        ({"problem": "a", "steps": ["b"], "label": 1}, "number of a step"),
        ({"question": "a", "label": 1}, "question, label"),
        ({"text": "a"}, "the row has: text"),
    ):
        with pytest.raises(NotStepsError, match=says):
            read_labels(row)


def test_no_row_breaks_a_reader() -> None:
    """Whatever JSON it holds: labels, or one error."""
    rng = random.Random(0)
    values: list[Any] = [None, True, 1, -1, 0.5, "", "ки +", [], {}, ["a"], [True], {"steps": None},
                         {"problem": "?"}, [None, 2]]  # fmt: skip
    for names in (("prompt", "completions", "labels"), ("problem", "steps", "label"), ("question", "label"), ("input", "label")):  # fmt: skip
        for _ in range(300):
            row = {name: rng.choice(values) for name in names}
            try:
                found = read_labels(json.loads(json.dumps(row)))
            except NotStepsError:
                continue
            assert all(len(each.steps) == len(each.labels) for each in found)
