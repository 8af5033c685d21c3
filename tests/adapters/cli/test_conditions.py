"""The conditions of `--fail-on`: what they mean, and how wrong ones are refused."""

from __future__ import annotations

import pytest

from adapters.cli.conditions import (
    Figure,
    failures,
    read_conditions,
    score_failures,
    score_figures,
    score_names,
)  # fmt: skip
from adapters.files.tallies import Tally, tally
from verifiers import ConfigError

FIGURES = {
    "accuracy": Figure(0.75), "accuracy.p": Figure(0.01), "unscored": Figure(3, 100), "fault": Figure(0, 100),
    "change": Figure(-0.02), "change.p": Figure(0.2), "nothing": Figure(None),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("accuracy<0.8", True), ("accuracy < .75", False), ("accuracy<=75%", True),
        ("accuracy>=75 points", True), ("unscored>2%", True), ("unscored>3%", False), ("unscored>2", True),
        ("unscored>3", False), ("fault>0", False), ("fault=0", True), ("fault!=0", False),
        ("accuracy<0.8 and unscored>2%", True), ("accuracy<0.8, unscored>5%", False),
        ("change drops by 2 points", True), ("change drops by 2.1 points", False),
        ("change rises by 0.01", False), ("change changes by 1%", True),
        ("change drops by 2 points, p<.05", False), ("change drops by 2 points and p<0.5", True),
        ("accuracy<1e0", True), ("nothing<0.5", True),
    ],
)  # fmt: skip
def test_conditions_mean_what_they_say(text: str, fails: bool) -> None:
    """A figure without a value fails: what was not measured has not passed."""
    assert bool(failures(read_conditions([text]), FIGURES)) is fails


def test_what_failed_is_said_with_its_figure() -> None:
    said = failures(read_conditions(["accuracy<0.8", "fault>0", "unscored>2%"]), FIGURES)
    assert said == ["accuracy<0.8: accuracy is 0.75", "unscored>2%: unscored is 3.00%"]


@pytest.mark.parametrize(
    "text", ["", "accuracy", "accuracy<", "accuracy<high", "<0.5", "a<1 or b<2", "accuracy falls 2", "a<1,"]
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="is no condition; some are accuracy<"):
        read_conditions([text])


def test_unknown_figures_are_refused_with_the_nearest() -> None:
    known = score_names(["accuracy", "format"], ["no_answer", "not_equal"])
    for text in ("accuracy.no_answer>5%", "mean<0.5", "format.passed<0.9", "accuracy.low<0.7", "rejected>0"):
        read_conditions([text])[0].check(known)
    with pytest.raises(ConfigError, match="did you mean 'accuracy'"):
        read_conditions(["acuracy<0.5"])[0].check(known)
    with pytest.raises(ConfigError, match=r"did you mean 'accuracy.no_answer'"):
        read_conditions(["accuracy.no_anser>0"])[0].check(known)


def test_figures_of_a_scoring_are_those_of_its_summary() -> None:
    tallies: dict[str, Tally] = {}
    scores = [1.0, 1.0, 0.0, None]
    for number, score in enumerate(scores):
        status = "unscored" if score is None else "scored"
        verdict = {"status": status, "score": score, "reason": "bad_reference" if score is None else "graded"}
        tally(tallies, status, score, [("accuracy", verdict)], {"accuracy": score}, number)
    figures = score_figures(tallies, rejected=1)
    assert (figures["accuracy"].value, figures["unscored"]) == (pytest.approx(2 / 3), Figure(1, 4))
    assert (figures["rejected"], figures["accuracy.graded"]) == (Figure(1, 5), Figure(3, 4))
    low, high = figures["accuracy.low"].value, figures["accuracy.high"].value
    assert low is not None
    assert high is not None
    assert 0 < low < 2 / 3 < high < 1
    assert not score_failures(read_conditions(["accuracy.no_answer>0"]), tallies, 0)
    assert score_failures(read_conditions(["accuracy.no_answer=0"]), tallies, 0)
    assert score_failures(read_conditions(["format<0.5"]), tallies, 0) == ["format<0.5: format has no value"]
