"""The one place that runs verifiers."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples
from tests.verifiers import plugins
from verifiers import (
    ConfigError,
    ExactMatch,
    JsonSchema,
    Keywords,
    Length,
    MathEquivalence,
    MissingDependencyError,
    MultipleChoice,
    Regex,
    Repetition,
    Sample,
    Status,
    TagFormat,
    TokenF1,
    Verdict,
    Verifier,
)
from verifiers.errors import SandboxError

BUILT_IN: list[Verifier] = [
    ExactMatch(), Keywords(("x",)), Length(), MathEquivalence(), MultipleChoice(), Regex("x"), TagFormat(), TokenF1(),
]  # fmt: skip
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["assistant", "user", "tool"]), "content": st.text() | st.none()}
    ),
    max_size=3,
)
MARKUP = st.lists(
    st.sampled_from(
        [
            "<think>", "</think>", "<answer>", "</answer>", "\\boxed{", "}", "{", "####", " 7", "답은 ", "\n", "$", "x",
        ]
    ),
    max_size=12,
).map("".join)  # fmt: skip
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


@pytest.mark.parametrize(
    "completion", [[], {"role": "tool", "content": "x"}, {"content": None}, [{"content": [3]}]]
)
def test_an_assistant_that_says_nothing_is_wrong(completion: object) -> None:
    """The completion is the cause: it holds no answer."""
    assert ExactMatch().verify(completion, "x").score == 0.0


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


def test_a_third_party_verifier_can_be_isolated() -> None:
    """What would hang or kill this process costs the completion 0.0."""
    assert plugins.isolated_even.verify("4").passed
    hanging = plugins.hanging.verify("x")
    assert (hanging.score, hanging.reason) == (0.0, "cpu_time")
    dying = plugins.dying.verify("x")
    assert (dying.score, dying.reason) == (0.0, "crash")
    assert plugins.isolated_even.verify("5").score == 0.0


@dataclass(frozen=True, repr=False)
class Telling(Verifier):
    """Does what the completion says, and counts its calls."""

    reasons: ClassVar[Mapping[str, str]] = {"said": "it did"}
    needs_reference: ClassVar[bool] = False
    calls: ClassVar[list[str]] = []

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        self.calls.append(sample.response)
        if sample.response == "once" and self.calls.count("once") == 1:
            raise MemoryError
        if sample.response == "twice":
            raise ValueError("no luck")
        if sample.response == "sandbox":
            raise SandboxError("no isolation")
        if sample.response == "missing":
            raise MissingDependencyError("install x")
        if sample.response == "text":
            return "yes"  # type: ignore[return-value]
        return self.scored(1.0, "said")


def test_a_passing_trouble_is_tried_again_and_a_defect_is_a_fault() -> None:
    """Twice, and not more often; what no completion brings about is raised."""
    Telling.calls.clear()
    once, twice = Telling().verify("once"), Telling().verify("twice")
    assert (once.score, once.reason) == (1.0, "said")
    assert (twice.status, twice.reason) == (Status.FAULT, "exception")
    assert twice.detail.startswith(f"ValueError: no luck, at {__file__}:")
    assert twice.detail.endswith(" in check")
    assert "raise ValueError" in twice.trace or "no luck" in twice.trace.splitlines()[-1]
    assert Telling.calls == ["once", "once", "twice", "twice"]
    missing = Telling().verify("missing")
    assert (missing.status, missing.reason) == (Status.UNSCORED, "missing_dependency")
    assert Telling.calls.count("missing") == 1
    assert Telling().verify("text").reason == "bad_verdict"
    with pytest.raises(SandboxError):
        Telling().verify("sandbox")
    with pytest.raises(SandboxError):
        Telling().verify_batch(["4", "sandbox"])
    batch = Telling().verify_batch(["4", "twice", None, "text", "4"])
    assert [each.reason for each in batch] == ["said", "exception", "not_text", "bad_verdict", "said"]


@dataclass(frozen=True, repr=False)
class Batched(Verifier):
    """Judges a batch at once, in one of several ways."""

    reasons: ClassVar[Mapping[str, str]] = {"alone": "by itself", "together": "with others"}
    needs_reference: ClassVar[bool] = False

    how: str = "well"

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        return self.scored(0.5, "alone", sample.response)

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        """See `Verifier.check_batch`."""
        verdicts = [self.scored(1.0, "together", sample.response) for sample in samples]
        if self.how == "long":
            return [*verdicts, verdicts[0]]
        if self.how == "short":
            return verdicts[1:]
        if self.how == "sandbox":
            raise SandboxError("no isolation")
        if self.how in ("exit", "raise"):
            raise SystemExit(1) if self.how == "exit" else ValueError("boom")
        if self.how == "alien":
            return ["no verdict"] * len(samples)  # type: ignore[list-item]
        return verdicts


@pytest.mark.parametrize(
    ("how", "reason"),
    [("well", "together"), *((how, "alone") for how in ("long", "short", "exit", "raise", "alien"))],
)
def test_each_row_of_a_batch_keeps_its_own_verdict(how: str, reason: str) -> None:
    """Also beside rows that cannot be judged, and where the batch as a whole came to nothing."""
    verdicts = Batched(how).verify_batch(["a", None, "b", 3, "c"])
    assert [each.detail for each in verdicts if each.status is Status.SCORED] == ["a", "b", "c"]
    assert [each.reason for each in verdicts] == [reason, "not_text", reason, "not_text", reason]
    assert all(each.seconds > 0.0 for each in verdicts if each.status is Status.SCORED)
    assert Batched(how).verify_batch([None]) == [verdicts[1]]
    assert Batched(how).verify_batch([]) == []


def test_a_machine_that_cannot_isolate_pays_nobody() -> None:
    """The error goes to the caller; it is not a row's fault."""
    with pytest.raises(SandboxError):
        Batched("sandbox").verify_batch(["a"])


def test_a_row_without_its_reference_is_unscored() -> None:
    """And one beside it is judged."""
    verdicts = ExactMatch().verify_batch(["4", "4"], [None, "4"])
    assert [each.reason for each in verdicts] == ["no_reference", "equal"]
    assert verdicts[0].status is Status.UNSCORED
    assert ExactMatch().verify("4").reason == "no_reference"
    for references in (["4"], ["4"] * 3, []):
        with pytest.raises(
            ConfigError, match=f"references has {len(references)} rows, but completions has 2"
        ):
            ExactMatch().verify_batch(["4", "4"], references)
    with pytest.raises(ConfigError, match="task has 1 rows, but completions has 2"):
        Keywords(("a",)).verify_batch(["a", "a"], task=["x"])


def test_what_a_verdict_depends_on_is_known_to_a_cache() -> None:
    """Built-in verifiers read no other column unless they say so; a third party's may read any."""
    assert ExactMatch().fields_read() == ()
    assert Length().fields_read() == ()
    assert Length(unit="tokens").fields_read() == ("completion_tokens",)
    assert Repetition(unit="tokens").fields_read() == ("completion_ids",)
    assert MathEquivalence().fields_read() == ("prompt",)
    assert Telling().fields_read() is None
    assert plugins.share.fields_read() == ("weight",)
    assert plugins.share.columns_needed() == ("weight",)
    assert plugins.even.columns_needed() == ()


def test_functions_are_judged_by_what_they_return() -> None:
    """True, false, a share, None; and nothing else."""
    assert plugins.even.verify("4").reason == "passed"
    assert plugins.even.verify("5").reason == "failed"
    assert plugins.even.verify("<think>4</think>5").score == 0.0
    assert plugins.text.verify("x").reason == "bad_verdict"
    assert pickle.loads(pickle.dumps(plugins.even)) == plugins.even
    for weight, score, reason in (
        (1.0, 1.0, "passed"),
        (0.0, 0.0, "failed"),
        (0.25, 0.25, "partial"),
        (1, 1.0, "passed"),
    ):
        verdict = plugins.share.verify("x", weight=weight)
        assert (verdict.score, verdict.reason) == (score, reason)
    for weight in (1.01, -0.01, float("nan"), "1"):
        verdict = plugins.share.verify("x", weight=weight)
        assert (verdict.status, verdict.reason) == (Status.FAULT, "bad_verdict"), weight
    assert (plugins.cannot_say.verify("x").status, plugins.cannot_say.verify("x").reason) == (
        Status.UNSCORED,
        "no_score",
    )
    missing = plugins.share.verify("x")
    assert missing.status is Status.FAULT
    assert "no column 'weight'" in missing.detail
    assert plugins.even("4") is True
