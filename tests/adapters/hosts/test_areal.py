"""Rewards in AReaL, called as its workflows call them: pickled with each call, for a pool of processes."""

from __future__ import annotations

import pickle
import threading
from functools import partial
from typing import Any

import pytest

import adapters.hosts.trainers.areal as module
from adapters.hosts.host import RECIPE_VARIABLE
from adapters.hosts.trainers.areal import areal_reward_fn
from adapters.hosts.unscored import UnscoredError
from rewards import Pay, from_callable
from tests.hosts.common import EXPLODES, RIGHT, ROWS, breaking_reward, comparing_reward, paid_in_a_batch
from verifiers import ConfigError, ExactMatch


def _paid(function: Any, **row: Any) -> Any:
    call = partial(function, "the prompt", row.pop("completion") + "<|im_end|>", [1], [2, 3], **row)
    try:
        return pickle.loads(pickle.dumps(call))()
    except UnscoredError as error:
        return str(error)


def test_rows_are_paid_what_they_are_paid_in_a_batch() -> None:
    """A row without a reward raises, which AReaL answers by leaving its prompt out."""
    function = areal_reward_fn("gsm8k_tags")
    rows = [{name: value for name, value in row.items() if name != "prompt"} for row in ROWS]
    for value, right in zip([_paid(function, **row) for row in rows], paid_in_a_batch(), strict=True):
        if right is None:
            assert "bad_reference" in value
        else:
            assert value == right


def test_a_process_reads_a_reward_once() -> None:
    """What it has loaded stays; and what travels with every row is small."""
    function = areal_reward_fn("gsm8k_tags")
    written = pickle.dumps(function)
    assert len(written) < 10_000
    assert pickle.loads(written) is pickle.loads(written)
    assert pickle.loads(written)("q", RIGHT, answer="75") == 1.5
    assert pickle.loads(pickle.dumps(areal_reward_fn("gsm8k_tags"))) is pickle.loads(written)


def test_what_cannot_travel_is_refused() -> None:
    lock = threading.Lock()
    with pytest.raises(ConfigError, match="another process"):
        areal_reward_fn(from_callable(lambda response: float(lock.locked())))


def test_rows_without_a_reward_and_broken_verifiers(caplog: pytest.LogCaptureFixture) -> None:
    """Dropped, or paid 0 and told; the next row is none the worse."""
    function = areal_reward_fn(breaking_reward())
    with pytest.raises(UnscoredError, match="unbroken"):
        function("q", EXPLODES, answer="75")
    assert function("q", "75", answer="75") == 1.5
    zero = areal_reward_fn(breaking_reward(), unscored="zero")
    assert zero("q", EXPLODES, answer="75") == 0.0
    assert "0 is paid" in caplog.text
    with pytest.raises(ConfigError, match="choose one of drop, zero"):
        areal_reward_fn("gsm8k_tags", unscored="mask")


def test_what_areal_cannot_pay_is_refused_at_the_start() -> None:
    """With the cure; lengths in tokens it can."""
    with pytest.raises(ConfigError, match="each completion by itself"):
        areal_reward_fn(comparing_reward())
    function = areal_reward_fn("dapo_math")
    assert function("q", "Answer: 75", [1], [2] * 10, answer="75") == 1.0
    assert function("q", "Answer: 75", [1], [2] * 10**6, answer="75") < 1.0


def test_the_question_is_the_conversation_before_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the prompt's text; other columns arrive under their names, or those that the user gives them."""
    asked: list[Any] = []

    def question(response: str, prompt: Any) -> float:
        asked.append(prompt)
        return float(response == "4")

    monkeypatch.setattr(module.pickle, "dumps", lambda value: b"")
    function = areal_reward_fn(from_callable(question))
    messages = [{"role": "user", "content": "2+2=?"}]
    assert function("<|user|>2+2=?", "4", [1], [2], messages=messages) == 1.0
    assert (function("<|user|>2+2=?", "4", [1], [2]), asked) == (1.0, ["2+2=?", "<|user|>2+2=?"])
    renamed = areal_reward_fn(Pay(ExactMatch()), columns={"answer": "final"})
    assert renamed("q", "4", final="4") == 1.0


def test_the_modules_own_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(RECIPE_VARIABLE, "gsm8k_tags")
    assert module.reward_fn("q", RIGHT, [], [], answer="75") == 1.5
    with pytest.raises(AttributeError):
        _ = module.other_fn
