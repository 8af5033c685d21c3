"""One word means one thing in functions, samples and fields; what went is refused, what moved is told once."""

from __future__ import annotations

import functools
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards import CallableReward, DuplicatePenalty, LengthTarget, Pay, from_callable, from_trl
from verifiers import (
    CompletionWarning,
    ConfigError,
    Judge,
    LanguageConsistency,
    Length,
    Repetition,
    Sample,
    Verdict,
    Verifier,
    split_completion,
    verifier,
)

WHOLE = "<think>T</think>A"
CHAT = [
    {"role": "assistant", "content": "", "tool_calls": [{"name": "add"}]},
    {"role": "tool", "content": "4"},
    {"role": "assistant", "reasoning_content": "T", "content": "A"},
]
NAMES = ("completion", "response", "thinking", "messages", "reference", "prompt")


class Seen(Verifier):
    """Keeps the sample."""

    needs_reference = False

    def check(self, sample: Sample) -> Verdict:
        kept.append(sample)
        return self.scored(1.0, "seen")


kept: list[Sample] = []


@pytest.mark.parametrize("completion", [WHOLE, CHAT], ids=["text", "chat"])
@pytest.mark.parametrize("question", ["Q", [{"role": "user", "content": "Q"}]], ids=["text", "chat"])
def test_functions_and_classes_see_the_same_under_one_name(completion: Any, question: Any) -> None:
    """Everything, what stands outside thinking, the thinking, the reference, the question."""

    @verifier
    def function(
        completion: str,
        response: str,
        thinking: str,
        messages: Any,
        reference: str,
        prompt: str,
        sample: Sample,
    ) -> bool:
        given = dict(zip(NAMES, (completion, response, thinking, messages, reference, prompt), strict=True))
        assert given == {name: getattr(sample, name) for name in NAMES}
        return given == wanted

    wanted = {
        "completion": WHOLE,
        "response": "A",
        "thinking": "T",
        "messages": CHAT if completion is CHAT else [{"role": "assistant", "content": WHOLE}],
        "reference": "REF",
        "prompt": "Q",
    }
    assert function.verify(completion, "REF", prompt=question).passed
    assert Pay(function)([completion], answer=["REF"], prompts=[question]) == [1.0]
    Seen().verify(completion, "REF", prompt=question)
    assert {name: getattr(kept[-1], name) for name in NAMES} == wanted


@given(st.text(max_size=30), st.text(max_size=30))
def test_an_answer_does_not_hide_in_thinking(hidden: str, shown: str) -> None:
    """What a function takes as the response is never what stands in thinking."""
    sample = split_completion(f"<think>{hidden.replace('<', '')}</think>{shown.replace('<', '')}")
    assert sample is not None
    assert sample.response == shown.replace("<", "")
    assert sample.completion.endswith(sample.response)


def told(function: Callable[..., Any]) -> list[str]:
    """What is told when a verifier is made of a function."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        verifier(function)
    assert all(each.category is CompletionWarning for each in seen)
    return [f"{each.filename}:{each.lineno}: {each.message}" for each in seen]


class Checks:
    """Methods and calls take it, too."""

    def grade(self, completion: str) -> bool:
        """As a method."""
        return bool(completion)

    def __call__(self, completion: str) -> bool:
        return bool(completion)


def by_word(word: str, completion: str) -> bool:
    """What a partial is made of."""
    return word in completion


def test_what_completion_means_now_is_told_once_for_each_function() -> None:
    """At its own file and line, with the cure, however many verifiers are made of it."""

    def starts(completion: str) -> bool:
        return completion.startswith("A")

    [text] = told(starts)
    line = starts.__code__.co_firstlineno
    assert text.startswith(
        f"{__file__}:{line}: starts takes `completion`, which is everything that the model wrote"
    )
    assert "Take `response` for what stands outside thinking" in text
    assert told(starts) == []
    made = [lambda completion, n=n: len(completion) > n for n in range(3)]
    assert [len(told(each)) for each in made] == [1, 0, 0]
    for function in (Checks().grade, Checks(), functools.partial(by_word, "a")):
        assert len(told(function)) == 1
        assert told(function) == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompletionWarning)
        assert not verifier(starts).verify(WHOLE).passed, "thinking included"


@pytest.mark.parametrize(
    "function",
    [
        lambda response: True,
        lambda completion, response: True,
        lambda completion, sample: True,
        lambda sample: True,
        lambda thinking: True,
        lambda **columns: True,
    ],
)
def test_who_knows_the_names_is_told_nothing(function: Callable[..., Any]) -> None:
    """Both are taken, or the response, or the sample."""
    assert told(function) == []


@pytest.mark.parametrize("make", [verifier, from_callable])
@pytest.mark.parametrize(
    "function",
    [
        lambda response, answer: True,
        lambda answer: True,
        lambda response, answer=None: True,
        functools.partial(lambda word, response, answer: True, "a"),
    ],
)
def test_a_parameter_answer_is_refused_with_its_new_names(make: Any, function: Callable[..., Any]) -> None:
    """It meant the reference in functions, and the response in classes."""
    with pytest.raises(ConfigError, match=r"parameter 'answer'.*write `reference` .*or `response`"):
        make(function)


def test_a_bound_answer_and_a_column_answer_are_nobodys_parameter() -> None:
    """A partial has filled it; ``**columns`` has the names of the data."""
    assert (
        verifier(functools.partial(lambda response, answer: response == answer, answer="A"))
        .verify("A")
        .passed
    )
    everything = verifier(lambda response, **columns: columns == {"answer": "REF"})
    assert Pay(everything)(["A"], answer=["REF"]) == [1.0]


def of_batch(completions: list[str], **columns: Any) -> list[float]:
    """As trainers call it."""
    return [float(len(each)) for each in completions]


def test_a_function_of_batches_is_sent_to_from_trl() -> None:
    """It would be called for one completion."""
    with pytest.raises(ConfigError, match=r"'completions'.*rewards.from_trl\(function\)"):
        verifier(of_batch)
    assert from_trl(of_batch)(["A", "AB"]) == [1.0, 2.0]


def old_judge(response: str, answer: str) -> float:
    """A judge of an earlier version."""
    return float(response == answer)


def test_judges_are_functions_like_others() -> None:
    """Named by a path."""
    with pytest.raises(ConfigError, match=r"Judge: .*old_judge has a parameter 'answer'"):
        Judge(f"{__name__}:old_judge")


@pytest.mark.parametrize(
    ("owner", "name", "now"),
    [
        (Sample(WHOLE, "A", "T"), "answer", "response"),
        (Sample(WHOLE, "A", "T"), "text", "completion"),
        (split_completion(WHOLE), "answer", "response"),
        (split_completion(WHOLE), "text", "completion"),
    ],
)
def test_old_attributes_name_the_new_ones(owner: Any, name: str, now: str) -> None:
    """And what was never there is just not there."""
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'; it is called '{now}' now"):
        getattr(owner, name)
    with pytest.raises(AttributeError, match=r"has no attribute 'anser'$"):
        _ = owner.anser
    assert pickle.loads(pickle.dumps(owner)) == owner


@pytest.mark.parametrize(
    "made",
    [
        lambda of: Length(1, 9, of=of),
        lambda of: Repetition(of=of),
        lambda of: LanguageConsistency("en", of=of),
        lambda of: LengthTarget(5, of=of),
        lambda of: DuplicatePenalty(of=of),
    ],
)
def test_fields_name_parts_by_the_same_words(made: Callable[[str], Any]) -> None:
    """A recipe of an earlier version says ``answer`` for the response, which is one configuration with it."""
    assert made("answer") == made("response") != made("completion")
    assert made("answer").identity() == made("response").identity()
    assert made("answer").of == "response"
    with pytest.raises(ConfigError, match="of must be 'completion', 'response' or 'thinking', got 'answe'"):
        made("answe")


def test_a_function_of_one_completion_takes_the_same_names() -> None:
    """Beside the columns of its row."""

    def longer(response: str, completion: str, reference: str, weight: float) -> float:
        return weight * (len(response) - len(reference)) + len(completion)

    reward: CallableReward = from_callable(longer)
    assert reward([WHOLE], answer=["REF"], weight=[2.0]) == [2.0 * (1 - 3) + len(WHOLE)]


def test_worker_processes_do_not_tell_it_again(tmp_path: Path) -> None:
    """They import the module anew; one line on standard error is enough."""
    (tmp_path / "telling.py").write_text(
        "from verifiers import verifier\n\n@verifier(isolate=True)\ndef mine(completion):\n    return True\n"
    )
    (tmp_path / "run.py").write_text(
        "from telling import mine\nfrom verifiers.runtime.pool import shared_pool\n"
        "assert [each.score for each in mine.verify_batch(['a'] * 8)] == [1.0] * 8\nshared_pool().close()\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "run.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": f"{tmp_path}:{root}", "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("CompletionWarning: mine takes `completion`") == 1
    assert "telling.py:3: CompletionWarning" in done.stderr
