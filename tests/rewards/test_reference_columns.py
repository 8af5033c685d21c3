"""In data the reference is `answer`; what stands in for it is taken, told once, and never guessed between."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adapters.trl import trl_reward_func, trl_reward_funcs
from rewards import Batch, Pay, Payment, Reward, Split, StatementParts, from_callable, load_recipe
from rewards.tree.payment import same_fault, unopened
from tests.adapters.cli.commands import cli, run
from tests.adapters.cli.test_score import write
from training.run.run_inputs import with_references
from verifiers import (
    CodePassRate,
    ConfigError,
    ExactMatch,
    Judge,
    MathEquivalence,
    Refusal,
    Status,
    TagFormat,
    verifier,
)  # fmt: skip
from verifiers.core import columns_and_faults

STAND_INS = ["reference", "solution", "ground_truth", "target"]
ROWS, GOLD = ["4", "5"], ["4", "4"]
REWARD: Reward = Pay(ExactMatch())


@pytest.fixture(autouse=True)
def _nothing_told() -> Iterator[None]:
    """As in a new process."""
    before = set(columns_and_faults._told)
    columns_and_faults._told.clear()
    yield
    columns_and_faults._told.clear()
    columns_and_faults._told.update(before)


@pytest.mark.parametrize("name", STAND_INS)
def test_what_data_sets_call_it_is_taken_and_told_once(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """In a call, in an explanation, and by a trainer."""
    with caplog.at_level(logging.WARNING, "verifiers"):
        assert REWARD(ROWS, **{name: GOLD}) == [1.0, 0.0]
        assert REWARD(ROWS, **{name: np.array(GOLD)}) == [1.0, 0.0]
        assert REWARD.explain("4", **{name: "4"}).value == 1.0
        assert trl_reward_func(REWARD)(ROWS, prompts=["p"] * 2, **{name: GOLD}) == [1.0, 0.0]
    assert [record.getMessage() for record in caplog.records] == [
        f"the references are taken from the column {name!r}, since there is no 'answer'"
    ]


@pytest.mark.parametrize("name", STAND_INS)
def test_answer_comes_first(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Many data sets have a solution beside the answer; nothing is told."""
    other = {name: ["5", "5"]}
    assert REWARD(ROWS, answer=GOLD, **other) == [1.0, 0.0]
    assert trl_reward_func(REWARD)(ROWS, prompts=["p"] * 2, answer=GOLD, **other) == [1.0, 0.0]
    assert caplog.records == []


def test_two_that_differ_are_not_chosen_between() -> None:
    """And two that agree are one; the cure is the one of the place."""
    same = {"solution": GOLD, "target": list(GOLD)}
    differing = {"solution": GOLD, "target": ["4", "5"]}
    said = "there is no column 'answer', and 'solution' and 'target', which both could hold the references, differ"
    assert REWARD(ROWS, **same) == [1.0, 0.0]
    with pytest.raises(ConfigError, match=f"{said}; say which does: pass it as answer=..."):
        REWARD(ROWS, **differing)
    with pytest.raises(ConfigError, match=said):
        REWARD.explain("4", solution="4", target="5")
    arrays = {
        "solution": [np.array(["4"]), np.array(["4"])],
        "target": [np.array(["4", "5"]), np.array(["4"])],
    }
    with pytest.raises(ConfigError, match=said):
        REWARD(ROWS, **arrays)
    for function in trl_reward_funcs(REWARD):
        with pytest.raises(ConfigError, match=f'{said}.*columns={{"answer": "solution"}}'):
            function(ROWS, prompts=["p"] * 2, **differing)
    chosen = trl_reward_func(REWARD, columns={"answer": "target"})
    assert chosen(ROWS, prompts=["p"] * 2, **differing) == [1.0, 1.0]


def test_a_later_batch_that_is_unclear_masks() -> None:
    """Once a row was judged nothing ends a run."""
    function = trl_reward_func(REWARD)
    assert function(ROWS, prompts=["p"] * 2, solution=GOLD, target=list(GOLD)) == [1.0, 0.0]
    assert function(ROWS, prompts=["p"] * 2, solution=GOLD, target=["4", "5"]) == [None, None]


def test_what_is_no_column_is_told_of_a_stand_in_as_well() -> None:
    """A bare string, or another length."""
    with pytest.raises(ConfigError, match="column 'solution' is one string, '4', but it must be a list"):
        REWARD(ROWS, solution="4")
    with pytest.raises(ConfigError, match="column 'target' has 1 rows, but completions has 2"):
        REWARD(ROWS, target=["4"])
    with pytest.raises(ConfigError, match="needs the references in a column 'answer'"):
        REWARD(ROWS, gold=GOLD)


def test_a_row_without_a_reference_stays_unjudged() -> None:
    assert REWARD(ROWS, solution=["4", None]) == [1.0, None]


@verifier
def by_default(response: str, reference: str = "") -> bool:
    """Can do without."""
    return response == reference


def by_sample(sample: Any) -> bool:
    return bool(sample.response == sample.reference)


@pytest.mark.parametrize(
    "reward",
    [
        Pay(by_default),
        Pay(verifier(by_sample)),
        Pay(Judge(f"{__name__}:by_sample")),
        from_callable(lambda response, reference="": float(response == reference)),
        0.5 * Pay(ExactMatch()) + 0.5 * Pay(by_default),
    ],
)
def test_whoever_would_read_it_gets_it(reward: Reward) -> None:
    assert reward(ROWS, ground_truth=GOLD) == reward(ROWS, answer=GOLD) == [1.0, 0.0]


def test_whoever_reads_none_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Neither told nor asked; a row's own tests stand beside a solution."""
    columns = {"solution": ["1", "2"], "target": ["3", "4"]}
    everything = verifier(lambda response, **columns: sorted(columns) == ["solution", "target"])
    assert (Pay(TagFormat()) + everything)(ROWS, **columns) == [1.0, 1.0]
    assert not Pay(CodePassRate(tests_in="row")).reads_references()
    assert Split(StatementParts(), {"answer": ExactMatch()}).reads_references()
    assert caplog.records == []


def _file(folder: Path, *rows: dict[str, Any]) -> None:
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_files_name_it_as_they_like(tmp_path: Path, workers: str) -> None:
    """One line says what was taken; a row that lacks it is rejected."""
    rows = [
        {"completion": "4", "solution": "4"},
        {"completion": "5", "solution": "4"},
        {"completion": "4", "answer": "4"},
    ]
    _file(tmp_path, *rows)
    score = ["score", "in.jsonl", "-r", "ExactMatch", "-o", "out.jsonl", "--force", "--workers", workers]
    done = cli(*score, cwd=tmp_path, status=1)
    assert [json.loads(row)["reward"] for row in (tmp_path / "out.jsonl").read_text().splitlines()] == [
        1.0,
        0.0,
    ]
    told = (
        "in.jsonl:1: the references are taken from the column 'solution', since there is no 'answer'; choose"
    )
    assert done.stderr.count(told) == 1
    assert "in.jsonl:3: no column 'solution', where the first row has its reference" in done.stderr
    whole = (tmp_path / "out.jsonl").read_bytes()
    (tmp_path / "out.jsonl").write_bytes(whole.splitlines(keepends=True)[0])
    assert cli(*score[:6], "--resume", cwd=tmp_path).returncode == 1
    assert (tmp_path / "out.jsonl").read_bytes() == whole
    chosen = cli(*score, "--reference-field", "answer", cwd=tmp_path)
    assert told in chosen.stderr, "the default may be written out"


def test_the_other_verbs_take_it_too(tmp_path: Path) -> None:
    _file(tmp_path, {"completion": "4", "ground_truth": "4"}, {"completion": "4", "ground_truth": "4"})
    shown = cli("explain", "in.jsonl", "--row", "2", "-r", "ExactMatch", cwd=tmp_path)
    assert (shown.returncode, shown.stdout.count("ExactMatch: 1")) == (0, 1)
    assert "in.jsonl:2: the references are taken from the column 'ground_truth'" in shown.stderr
    classed = cli("references", "in.jsonl", "-r", "ExactMatch", cwd=tmp_path)
    assert (classed.returncode, "2 references" in classed.stdout) == (0, True), classed.stdout
    assert "taken from the column 'ground_truth'" in classed.stderr


def test_a_file_that_is_unclear_is_refused(tmp_path: Path) -> None:
    """With its place and the option that says which."""
    _file(tmp_path, {"completion": "4", "solution": "it is 4", "target": "4"})
    for verb in ("score", "explain", "references"):
        refused = cli(verb, "in.jsonl", "-r", "ExactMatch", cwd=tmp_path, status=2)
        assert "in.jsonl:1: there is no column 'answer', and 'solution' and 'target'" in refused.stderr
        assert "--reference-field NAME" in refused.stderr
    assert (
        cli("score", "in.jsonl", "-r", "ExactMatch", "--reference-field", "target", cwd=tmp_path).returncode
        == 0
    )
    assert cli("score", "in.jsonl", "-r", "TagFormat", cwd=tmp_path).returncode == 0, "nobody reads it"


def test_rows_to_train_on_get_their_references() -> None:
    """Each by what it has, since there may be several sources; unclear ones are refused with their number."""
    rows = [{"prompt": "a", "answer": "1"}, {"prompt": "b", "solution": "2"}, {"prompt": "c", "target": "3"}]
    assert [row["answer"] for row in with_references([REWARD], rows)] == ["1", "2", "3"]
    assert with_references([Pay(TagFormat()), None], rows) == rows
    with pytest.raises(ConfigError, match=r"row 1 of the data: .*data.columns: \{answer: NAME\}"):
        with_references([REWARD], [*rows[:1], {"prompt": "d", "solution": "1", "target": "2"}])


CLOSED = "Half of 84 is 42, so that is it.</think><answer>42</answer>"
OPEN = f"<think>{CLOSED}"


def paid(reward: Reward, completions: Sequence[object], **columns: list[Any]) -> list[Payment]:
    return Batch(completions, columns, 1.0, group_size=1).pay(reward)


def scored(folder: Path, rows: list[dict[str, Any]], *options: str) -> Any:
    return run("score", write(folder / "rows.jsonl", rows), *options)


@pytest.mark.parametrize(
    ("recipe", "answers", "status", "said"),
    [
        ("Judge", ["1", "2"], 3, "nothing was judged: Judge says no_judge of all 2 rows: give url and model"),
        ("ExactMatch", [None, None], 3, "nothing was judged: ExactMatch says"),
        ("ExactMatch", [None, "1"], 0, ""),
        ("MathEquivalence", ["{1", "{2"], 3, "nothing was judged: MathEquivalence says bad_reference"),
        ("Regex", ["1", "1"], 2, "Regex needs a pattern"),
        ("TagFormat", ["1", "1"], 0, ""),
    ],
)
def test_score_says_that_nothing_was_judged(
    recipe: str, answers: list[Any], status: int, said: str, tmp_path: Path
) -> None:
    """With a status, the reason and the cure; rows of which one is judged are nobody's fault."""
    done = scored(tmp_path, [{"completion": "1", "answer": each} for each in answers], "-r", recipe)
    assert done.exit_code == status, done.output
    assert said in done.stderr


def test_a_reference_that_nobody_reads_is_refused(tmp_path: Path) -> None:
    rows = [{"completion": OPEN, "gold": "42"}]
    done = scored(tmp_path, rows, "-r", "TagFormat", "--reference-field", "gold")
    assert done.exit_code == 2
    assert "'gold' would be ignored: no part of TagFormat reads references" in done.stderr
    assert scored(tmp_path, rows, "-r", "ExactMatch", "--reference-field", "gold").exit_code == 0


@pytest.mark.parametrize(("recipe", "status"), [("Judge", 2), ("r1_zero", 0), ("ExactMatch", 0)])
def test_a_recipe_is_checked_for_what_it_lacks(recipe: str, status: int) -> None:
    done = run("recipe", "check", recipe, status=status)
    assert ("can judge nothing" in done.stderr) == bool(status)


def test_the_first_batch_of_a_trainer() -> None:
    """A set-up is refused at once; of one prompt's reference, or of one of several, nothing is said."""
    with pytest.raises(
        ConfigError, match="no row can be judged: of every row of the first batch Judge says no_judge"
    ):
        trl_reward_func(Pay(Judge()))(["a", "b"], prompts=["p", "p"])
    with pytest.raises(ConfigError, match="MathEquivalence says bad_reference"):
        trl_reward_func(Pay(MathEquivalence()))([*"1234"], prompts=[*"pqrs"], answer=["{1", "{2", "{3", "{4"])
    with pytest.raises(ConfigError, match="Refusal says no_label"):
        trl_reward_func(Pay(Refusal()))(["1", "2"], prompts=["p", "q"], refuse=["?", "?"])
    one = trl_reward_func(Pay(MathEquivalence()))
    assert one(["1", "2"], prompts=["p", "p"], answer=["{1", "{1"]) == [None, None]
    assert one(["1", "2"], prompts=["p", "q"], answer=["{1", "{2"]) == [None, None]  # as a few of many may be
    assert one(["1", "2"], prompts=["p", "q"], answer=["{1", "2"]) == [None, 1.0]
    masking = trl_reward_func(Pay(Judge()), on_fault="mask")
    assert masking(["a", "b"], prompts=["p", "q"]) == [None, None]


def test_what_the_template_opens_is_told_once(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """In the log of a trainer and under a scoring: the tag and the field that cures it."""
    reward = load_recipe("r1_zero")
    function = trl_reward_func(reward)
    batch: dict[str, Any] = {"prompts": ["p"] * 10, "answer": ["42"] * 10}
    with caplog.at_level(logging.WARNING):
        function([CLOSED] * 10, **batch)
        function([CLOSED] * 9 + [OPEN], **batch)
    told = [each.message for each in caplog.records if "prefilled" in each.message]
    assert len(told) == 1
    assert "<think> is closed but never opened: does the chat template open it? prefilled='think'" in told[0]
    done = scored(tmp_path, [{"completion": CLOSED, "answer": "42"}] * 5, "-r", "r1_zero")
    assert "hint: format: 5 of 5 rows: <think> is closed but never opened" in done.stderr
    done = scored(tmp_path, [{"completion": OPEN, "answer": "42"}] * 5, "-r", "r1_zero")
    assert "hint" not in done.stderr


def test_when_they_say_it() -> None:
    """Nine in ten is too few, three are too few; another verifier's reason is no hint."""
    form = Pay(TagFormat(("think", "answer")))
    assert unopened(paid(form, [CLOSED] * 10))
    assert not unopened(paid(form, [CLOSED] * 9 + [OPEN]))
    assert not unopened(paid(form, [CLOSED] * 3))
    assert same_fault(paid(Pay(ExactMatch()), ["1"], answer=[None]), Status.UNSCORED) is not None
