"""Rewards in OpenRLHF, called as its rollout workers call them: a file, one row a call, from threads."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import adapters.hosts.trainers.openrlhf as module
from adapters.hosts.host import RECIPE_VARIABLE
from adapters.hosts.trainers.openrlhf import ENOUGH, openrlhf_reward_func
from adapters.hosts.unscored import UnscoredError
from rewards import Linear, Pay
from tests.hosts.common import EXPLODES, RIGHT, ROWS, breaking_reward, comparing_reward, paid_in_a_batch
from verifiers import ConfigError, ExactMatch, TokenF1

PROMPT = "Say <SOLUTION>7</SOLUTION>. 48+27=?"


def _loaded(path: str | Path) -> Any:
    spec = importlib.util.spec_from_file_location("reward_func", path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.reward_func


def _in_threads(function: Any, rows: Sequence[tuple[str, str, Any]]) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(16) as threads:
        return list(threads.map(lambda row: function([row[0]], [row[1]], [row[2]]), rows))


def test_rows_from_threads_are_paid_what_they_are_paid_in_a_batch() -> None:
    """Hostile and unusable ones beside them; everything is a finite float under the same names."""
    rows = [(row["prompt"] + row["completion"] + "<|im_end|>", row["prompt"], row["answer"]) for row in ROWS]
    found = _in_threads(openrlhf_reward_func("gsm8k_tags"), rows * 4)
    expected = paid_in_a_batch() * 4
    assert [each["rewards"] for each in found] == [value or 0.0 for value in expected]
    assert [each["extra_logs"]["unscored"] for each in found] == [float(value is None) for value in expected]
    assert len({tuple(each["extra_logs"]) for each in found}) == 1
    for each in found:
        assert each["scores"] == each["rewards"]
        assert all(type(value) is float and math.isfinite(value) for value in each["extra_logs"].values())


def test_a_file_of_two_lines_or_the_modules_own_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are loaded by path, outside any package."""
    file = tmp_path / "reward.py"
    file.write_text(
        "from adapters.hosts.trainers.openrlhf import openrlhf_reward_func\n"
        'reward_func = openrlhf_reward_func("gsm8k_tags")\n',
        encoding="utf-8",
    )
    assert _loaded(file)([PROMPT + RIGHT], [PROMPT], ["75"])["rewards"] == 1.5
    monkeypatch.setenv(RECIPE_VARIABLE, "ExactMatch")
    assert module.__file__ is not None
    assert _loaded(module.__file__)([PROMPT + "75"], [PROMPT], ["75"])["rewards"] == 1.0
    monkeypatch.delenv(RECIPE_VARIABLE)
    with pytest.raises(ConfigError, match=RECIPE_VARIABLE):
        _loaded(module.__file__)


def test_several_rows_are_answered_by_lists() -> None:
    """None as well: older versions send batches."""
    function = openrlhf_reward_func("gsm8k_tags")
    found = function([PROMPT + RIGHT, "q"], [PROMPT, "q"], ["75", "75"])
    assert (found["rewards"], found["extra_logs"]["format"]) == ([1.5, 0.0], [1.0, 0.0])
    none = function([], [], [])
    assert none == {"rewards": [], "scores": [], "extra_logs": {name: [] for name in found["extra_logs"]}}
    with pytest.raises(ConfigError, match="1 queries, 2 prompts"):
        function(["q"], ["q", "q"], ["4"])


def test_what_the_prompt_says_is_never_paid() -> None:
    """A cut prompt leaves its row without a reward; where none is ever found, the set-up is at fault."""
    function = openrlhf_reward_func("gsm8k_tags")
    example = "<THINK>a</THINK><SOLUTION>7</SOLUTION> 3+4=?"
    cut = ([example[3:] + " no idea"], [example], ["7"])
    assert function([example + " no idea"], [example], ["7"])["rewards"] == 0.0
    for _ in range(2 * ENOUGH):
        found = function(*cut)
        assert (found["rewards"], found["extra_logs"]["unscored"]) == (0.0, 1.0)
        assert found["extra_logs"]["fault"] == 0.0
    hopeless = openrlhf_reward_func("gsm8k_tags")
    for _ in range(ENOUGH - 1):
        hopeless(*cut)
    with pytest.raises(ConfigError, match="begins with its prompt"):
        hopeless(*cut)


def test_a_verifier_that_breaks_ends_nothing() -> None:
    """Its rows are counted as faults, and the others get theirs."""
    function = openrlhf_reward_func(breaking_reward())
    rows = [("q" + text, "q", "75") for text in ("75", EXPLODES, "75 " + EXPLODES, "3")] * 8
    found = _in_threads(function, rows)
    assert [each["rewards"] for each in found] == [1.5, 0.0, 0.0, 1.0] * 8
    assert [each["extra_logs"]["fault"] for each in found] == [0.0, 1.0, 1.0, 0.0] * 8


def test_rows_without_a_reward_may_raise() -> None:
    function = openrlhf_reward_func("gsm8k_tags", unscored="raise")
    with pytest.raises(UnscoredError, match="bad_reference"):
        function([PROMPT + RIGHT], [PROMPT], [""])
    with pytest.raises(ConfigError, match="choose one of zero, raise"):
        openrlhf_reward_func("gsm8k_tags", unscored="mask")


def test_what_openrlhf_cannot_pay_is_refused_at_the_start() -> None:
    with pytest.raises(ConfigError, match=r"row by row.*--group-rm"):
        openrlhf_reward_func(comparing_reward())
    with pytest.raises(ConfigError, match="overlong_buffer_len"):
        openrlhf_reward_func("dapo_math")
    with pytest.raises(ConfigError, match="progress"):
        openrlhf_reward_func(Linear(0.5, 0.1) * Pay(ExactMatch()))
    assert openrlhf_reward_func(Linear(0.5, 0.1) * Pay(ExactMatch()), progress=1.0) is not None


def test_labels_with_several_columns(caplog: pytest.LogCaptureFixture) -> None:
    """They are objects; one that lacks a column is told, since OpenRLHF swallows what is raised."""
    reward = Pay(ExactMatch()).named("a") + Pay(TokenF1(), reference="gold").named("b")
    function = openrlhf_reward_func(reward, columns={"gold": "final"})
    with pytest.raises(ConfigError, match="final"):
        function(["q4"], ["q"], ["4"])
    assert "final" in caplog.text
    assert function(["q4"], ["q"], [{"answer": "4", "final": "4"}])["rewards"] == 2.0
    late = function(["q4"], ["q"], ["4"])
    assert (late["rewards"], late["extra_logs"]["unscored"]) == (0.0, 1.0)
