"""The one place that runs verifiers."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples
from tests.verifiers import plugins
from verifiers import (
    Boxed,
    ConfigError,
    ExactMatch,
    JsonSchema,
    Keywords,
    Length,
    MathEquivalence,
    MissingDependencyError,
    MultipleChoice,
    Regex,
    Sample,
    Status,
    TagFormat,
    TokenF1,
    Verdict,
    Verifier,
    verifier,
)

BUILT_IN: list[Verifier] = [
    ExactMatch(),
    Keywords(("x",)),
    Length(),
    MathEquivalence(),
    MultipleChoice(),
    Regex("x"),
    TagFormat(),
    TokenF1(),
]

MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["assistant", "user", "tool"]), "content": st.text() | st.none()}
    ),
    max_size=3,
)
MARKUP = st.lists(
    st.sampled_from(
        [
            "<think>",
            "</think>",
            "<answer>",
            "</answer>",
            "\\boxed{",
            "}",
            "{",
            "####",
            " 7",
            "답은 ",
            "\n",
            "$",
            "x",
        ]
    ),
    max_size=12,
).map("".join)
COMPLETIONS = st.text() | MARKUP | MESSAGES


@pytest.mark.parametrize("judge", BUILT_IN, ids=lambda judge: type(judge).__name__)
@settings(max_examples=examples(60), deadline=None)
@given(completions=st.lists(COMPLETIONS, max_size=5), reference=st.text() | st.none())
def test_one_verdict_per_completion_whatever_it_is(
    judge: Verifier, completions: list[Any], reference: str | None
) -> None:
    """Length and order are kept, nothing raises, and a second run says the same."""
    references = [reference] * len(completions)
    verdicts = judge.verify_batch(completions, references)
    assert len(verdicts) == len(completions)
    assert verdicts == [judge.verify(completion, reference) for completion in completions]
    for verdict in verdicts:
        assert verdict.status is not Status.FAULT, verdict
        assert verdict.reason in judge.all_reasons()
        assert Verdict.from_dict(verdict.to_dict()) == verdict


@settings(max_examples=examples(60), deadline=None)
@given(completion=COMPLETIONS)
def test_no_completion_can_bring_about_none(completion: Any) -> None:
    """With a usable reference every text is scored: a masked row would pay more than a wrong one."""
    for judge in BUILT_IN:
        assert judge.verify(completion, "C").status is Status.SCORED


@pytest.mark.parametrize("judge", [*BUILT_IN, JsonSchema()], ids=lambda judge: type(judge).__name__)
def test_a_verifier_is_a_value(judge: Verifier) -> None:
    """It compares, hashes, pickles and prints as its own recipe."""
    assert pickle.loads(pickle.dumps(judge)) == judge
    assert hash(judge) == hash(pickle.loads(pickle.dumps(judge)))
    assert repr(judge).startswith(type(judge).__name__ + "(")


@pytest.mark.parametrize("completion", [None, 17, 1.5, b"bytes", object(), [1, 2], [None]])
def test_what_is_no_text_cannot_be_judged(completion: object) -> None:
    """Its cause is the caller, so it is unscored and not wrong."""
    verdict = ExactMatch().verify(completion, "x")
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "not_text")


@pytest.mark.parametrize(
    "completion", [[], {"role": "tool", "content": "x"}, {"content": None}, [{"content": [3]}]]
)
def test_an_assistant_that_says_nothing_is_wrong(completion: object) -> None:
    """The completion is the cause: it holds no answer."""
    assert ExactMatch().verify(completion, "x").score == 0.0


def test_columns_of_different_lengths_are_refused() -> None:
    """A batch that is off by one shifts every later reward."""
    with pytest.raises(ConfigError, match="references has 1 rows where completions has 2"):
        ExactMatch().verify_batch(["a", "b"], ["a"])


@dataclass(frozen=True, repr=False)
class Raising(Verifier):
    """Breaks as told."""

    error: type[BaseException] = ValueError

    def check(self, sample: Sample) -> Verdict:
        raise self.error("boom")


@pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError, SystemExit, ConfigError])
def test_a_broken_verifier_is_a_fault(error: type[BaseException]) -> None:
    """Never a zero, never an exception."""
    verdict = Raising(error=error).verify("x", "y")
    assert (verdict.status, verdict.score, verdict.reason) == (Status.FAULT, None, "exception")
    assert "boom" in verdict.detail


@pytest.mark.parametrize("extract", [None, "Boxed", [Boxed()], ExactMatch()])
def test_a_field_of_another_type_is_refused_at_once(extract: object) -> None:
    """And not row by row, as a FAULT that masks a whole run."""
    with pytest.raises(ConfigError, match=r"MathEquivalence: extract must be an Extractor, got "):
        MathEquivalence(extract=extract)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="isolate must be True or False, got 'maybe'"):
        ExactMatch(isolate="maybe")  # type: ignore[arg-type]


def test_a_missing_package_is_unscored() -> None:
    """The set-up is the cause, and the message holds the cure."""
    verdict = Raising(error=MissingDependencyError).verify("x", "y")
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "missing_dependency")


_tries = []


@verifier
def passing_trouble(response: str) -> bool:
    """Breaks on the first try only."""
    _tries.append(response)
    if len(_tries) == 1:
        raise OSError("busy")
    return True


def test_a_second_try_can_save_a_verdict() -> None:
    """A passing problem is not a defect."""
    assert passing_trouble.verify("x").passed


@dataclass(frozen=True, repr=False)
class BadBatch(Verifier):
    """Its batch form loses rows or raises; its single form is sound."""

    how: str = "short"

    def check(self, sample: Sample) -> Verdict:
        return self.scored(1.0, "fine", extracted=sample.response)

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        if self.how == "raise":
            raise ValueError("boom")
        if self.how == "short":
            return [self.check(sample) for sample in samples[1:]]
        return ["no verdict"] * len(samples)  # type: ignore[list-item]


@pytest.mark.parametrize("how", ["short", "raise", "alien"])
def test_a_batch_that_loses_rows_is_judged_one_by_one(how: str) -> None:
    """The verdicts still belong to their completions."""
    verdicts = BadBatch(how=how).verify_batch(["a", "b", None], ["r", "r", "r"])
    assert [verdict.extracted for verdict in verdicts] == ["a", "b", None]
    assert verdicts[2].reason == "not_text"


def test_functions_become_verifiers() -> None:
    """Bool, float, None and Verdict are what they say; anything else is a fault."""
    assert plugins.even.verify("4").passed
    assert plugins.even.verify("<think>4</think>5").score == 0.0
    assert plugins.share.verify("abcd", None, weight=0.25).score == 0.25
    assert plugins.share.verify("abcd", None, weight=2.5).status is Status.FAULT
    assert plugins.share.verify("abcd").status is Status.FAULT
    assert plugins.cannot_say.verify("x").status is Status.UNSCORED
    assert plugins.text.verify("x").reason == "bad_verdict"
    assert plugins.even("4") is True
    assert pickle.loads(pickle.dumps(plugins.even)) == plugins.even


def test_a_third_party_verifier_can_be_isolated() -> None:
    """What would hang or kill this process costs the completion 0.0."""
    assert plugins.isolated_even.verify("4").passed
    hanging = plugins.hanging.verify("x")
    assert (hanging.score, hanging.reason) == (0.0, "cpu_time")
    dying = plugins.dying.verify("x")
    assert (dying.score, dying.reason) == (0.0, "crash")
    assert plugins.isolated_even.verify("5").score == 0.0
