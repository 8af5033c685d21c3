"""Set-ups that judge nothing say so, in whatever runs them; and what a chat template opens is told once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adapters.trl import trl_reward_func
from rewards import Batch, Pay, Payment, Reward, load_recipe
from rewards.tree.payment import same_fault, unopened
from tests.adapters.cli.commands import run
from tests.adapters.cli.test_score import write
from verifiers import ConfigError, ExactMatch, Judge, MathEquivalence, Refusal, Status, TagFormat

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
    done = run("recipe", "check", recipe)
    assert done.exit_code == status, done.output
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
