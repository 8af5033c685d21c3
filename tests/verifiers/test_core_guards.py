"""What every verdict passes through: how a completion is taken apart, and what becomes of a broken verifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from tests.verifiers import plugins
from verifiers import (
    ConfigError,
    ExactMatch,
    Keywords,
    Length,
    MathEquivalence,
    MissingDependencyError,
    Repetition,
    Sample,
    Status,
    Tag,
    Verdict,
    Verifier,
    from_spec,
    split_completion,
)
from verifiers.errors import SandboxError


@pytest.mark.parametrize(
    ("text", "answer", "thinking", "is_open"),
    [
        ("4", "4", "", False),
        ("<think>2</think>4", "4", "2", False),
        ("a<think>2</think>4", "a4", "2", False),
        ("2</think>4", "4", "2", False),
        ("<think>2", "", "2", True),
        ("a<think>2", "", "2", True),
        ("<think>1</think>a<think>2</think>b", "ab", "12", False),
        ("<think>1</think>a<think>2", "", "12", True),
        ("1</think>a</think>b", "b", "1a", False),
        ("<think>1<think>2</think>b", "b", "1<think>2", False),
        ("<THINK>2</Think>4", "4", "2", False),
        ("<thinking>2</thinking>4", "4", "2", False),
        ("<thought>2</thought>4", "4", "2", False),
        ("<reasoning>2</reasoning>4", "4", "2", False),
        ("<think >2</think\n>4", "4", "2", False),
        ("<thinker>2</thinker>4", "<thinker>2</thinker>4", "", False),
        ("<b>4</b>", "<b>4</b>", "", False),
        ("", "", "", False),
        ("analysisWe add.assistantfinal42", "42", "We add.", False),
        ("analysisWe add.", "", "We add.", True),
        ("analysis of 42", "analysis of 42", "", False),
        ("The analysisWe gives 42", "The analysisWe gives 42", "", False),
        ("<|channel|>analysis<|message|>2<|end|><|channel|>final<|message|>4<|return|>", "4", "2", False),
        ("<|channel|>analysis<|message|>2", "", "2", True),
        ("<|channel|>final<|message|>4", "4", "", False),
        ("<|channel|>final<|message|>3<|end|><|channel|>final<|message|>4", "4", "", False),
        ("<|channel|>commentary<|message|>x<|call|><|channel|>final<|message|>4", "4", "x", False),
    ],
)
def test_thinking_is_never_searched_for_an_answer(
    text: str, answer: str, thinking: str, is_open: bool
) -> None:
    """In the forms in which models and their templates write it."""
    split = split_completion(text)
    assert split is not None
    assert (split.completion, split.response, split.thinking, split.open_thinking) == (
        text,
        answer,
        thinking,
        is_open,
    )
    verdict = ExactMatch().verify(text, "42")
    assert verdict.passed == (answer == "42")


@pytest.mark.parametrize(
    ("messages", "answer", "thinking", "separate"),
    [
        ([{"role": "assistant", "content": "4"}], "4", "", False),
        ({"role": "assistant", "content": "4"}, "4", "", False),
        ([{"content": "4"}], "4", "", False),
        ([{"role": "user", "content": "5"}, {"role": "assistant", "content": "4"}], "4", "", False),
        ([{"role": "assistant", "content": "4"}, {"role": "user", "content": "5"}], "4", "", False),
        ([{"role": "assistant", "content": "3"}, {"role": "assistant", "content": "4"}], "4", "", False),
        ([{"role": "assistant", "content": "4"}, {"role": "assistant", "content": " "}], "4", "", False),
        ([{"role": "assistant", "content": "4"}, {"role": "assistant", "content": None}], "4", "", False),
        ([{"role": "assistant", "content": None, "reasoning": "2"}], "", "2", True),
        ([{"role": "assistant", "content": "4", "reasoning_content": "2"}], "4", "2", True),
        ([{"role": "assistant", "content": "4", "thinking": "2"}], "4", "2", True),
        ([{"role": "assistant", "content": "4", "thinking": 2}], "4", "", False),
        ([{"role": "assistant", "content": "<think>1</think>4", "thinking": "2"}], "4", "21", True),
        ([{"role": "assistant", "content": [{"text": "4"}, "2"]}], "42", "", False),
        ([{"role": "assistant", "content": [{"thinking": "2"}, {"text": "4"}]}], "4", "2", True),
        ([{"role": "assistant", "content": [{"image": "x"}, 3]}], "", "", False),
        ([{"role": "assistant", "content": 4}], "", "", False),
        ([{"role": "user", "content": "4"}], "", "", False),
        ([], "", "", False),
    ],
)
def test_the_last_thing_that_the_assistant_said_counts(
    messages: Any, answer: str, thinking: str, separate: bool
) -> None:
    """Whatever fields its server uses for thinking."""
    split = split_completion(messages)
    assert split is not None
    assert (split.response, split.thinking, split.separate_thinking) == (answer, thinking, separate)
    assert split_completion(split) is split
    assert (f"<think>{thinking}" in split.completion) or not separate or "<think>1" in str(messages)


@pytest.mark.parametrize("value", [None, 4, b"4", bytearray(b"4"), ["4"], [{"content": "4"}, 4], {1, 2}])
def test_what_is_neither_text_nor_messages_is_not_judged(value: object) -> None:
    """It is unscored, and says what it got."""
    assert split_completion(value) is None
    verdict = Length().verify(value)
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "not_text")
    assert type(value).__name__ in verdict.detail


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
        if self.how == "exit":
            raise SystemExit(1)
        return verdicts


@pytest.mark.parametrize(
    ("how", "reason"), [("well", "together"), ("long", "alone"), ("short", "alone"), ("exit", "alone")]
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
            ConfigError, match=f"references has {len(references)} rows where completions has 2"
        ):
            ExactMatch().verify_batch(["4", "4"], references)
    with pytest.raises(ConfigError, match="task has 1 rows where completions has 2"):
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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"status": Status.SCORED, "score": None}, "needs a score"),
        ({"status": Status.SCORED, "score": 1.0001}, "needs a score"),
        ({"status": Status.SCORED, "score": -0.0001}, "needs a score"),
        ({"status": Status.SCORED, "score": float("nan")}, "needs a score"),
        ({"status": Status.UNSCORED, "score": 0.0}, "has no score"),
        ({"status": Status.FAULT, "score": 1.0}, "has no score"),
        ({"raw": float("inf")}, "raw must be finite"),
        ({"reason": "Not A Code"}, "snake_case"),
        ({"reason": ""}, "snake_case"),
        ({"reason": "1st"}, "snake_case"),
        ({"reason": "a-b"}, "snake_case"),
    ],
)
def test_a_verdict_that_contradicts_itself_cannot_be_made(given: dict[str, Any], message: str) -> None:
    """Each of its rules."""
    fields: dict[str, Any] = {"verifier": "V", "status": Status.SCORED, "score": 1.0, "reason": "ok", **given}
    with pytest.raises(ConfigError, match=message):
        Verdict(**fields)


def test_a_verdict_is_written_without_what_is_empty() -> None:
    """And read back as it was."""
    inner = Verdict(verifier="P", status=Status.UNSCORED, score=None, reason="none")
    full = Verdict(
        verifier="V", status=Status.SCORED, score=0.5, raw=-2.0, reason="ok", detail="d",
        extracted="", expected="", parts=(inner,), seconds=3.0,
    )  # fmt: skip
    assert full.to_dict() == {
        "verifier": "V", "status": "scored", "score": 0.5, "reason": "ok", "raw": -2.0, "detail": "d",
        "extracted": "", "expected": "", "parts": [inner.to_dict()],
    }  # fmt: skip
    assert inner.to_dict() == {"verifier": "P", "status": "unscored", "score": None, "reason": "none"}
    assert Verdict.from_dict(full.to_dict()) == full
    assert not full.passed
    assert not inner.passed
    text = str(
        Verdict(verifier="V", status=Status.SCORED, score=1.0, reason="ok", extracted="x" * 100, expected="y")
    )
    assert text == f"V 1.00 ok  '{'x' * 77}…' for 'y'"
    short = Verdict(verifier="V", status=Status.SCORED, score=1.0, reason="ok", extracted="x" * 78)
    assert str(short) == f"V 1.00 ok  '{'x' * 78}'"


@pytest.mark.parametrize(
    ("component", "spec", "described"),
    [
        (ExactMatch(), "ExactMatch", "ExactMatch"),
        (Tag("a"), {"Tag": "a"}, 'Tag("a")'),
        (
            Tag("a", ignore_case=False),
            {"Tag": {"name": "a", "ignore_case": False}},
            'Tag({"name":"a","ignore_case":false})',
        ),
        (Keywords(("a", "b")), {"Keywords": ["a", "b"]}, 'Keywords(["a","b"])'),
        (Keywords(isolate=True), {"Keywords": {"isolate": True}}, 'Keywords({"isolate":true})'),
        (Length(2), {"Length": 2}, "Length(2)"),
        (ExactMatch(Tag("정답")), {"ExactMatch": {"Tag": "정답"}}, None),
    ],
)
def test_a_component_is_its_spec(component: Any, spec: Any, described: str | None) -> None:
    """In the shortest form that builds an equal one."""
    if described is not None:
        assert component.to_spec() == spec
        assert component.describe() == described
    assert from_spec(component.to_spec()) == component if isinstance(component, Verifier) else True


@pytest.mark.parametrize(
    "make",
    [
        lambda: Length(True),
        lambda: Length(1.5),
        lambda: Length(3, 2),
        lambda: Length(-1),
        lambda: Length(counter="len"),
        lambda: Keywords((1,)),
        lambda: Keywords(("",)),
        lambda: Keywords((" ",)),
        lambda: Repetition(0),
        lambda: Repetition(51),
        lambda: Repetition(unit="tokens", of="response"),
        lambda: ExactMatch(isolate=1),
        lambda: ExactMatch(ignore_case="yes"),
    ],
)
def test_a_field_that_makes_no_sense_is_refused_at_once(make: Any) -> None:
    """When the verifier is made, and not row by row."""
    with pytest.raises(ConfigError):
        make()
    assert Repetition(50).n == 50
    assert Repetition(1).n == 1
    assert Length(0, 0).maximum == 0
