"""Our code and a user's as type checkers see it: what is right passes `mypy --strict`, and what is wrong is told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from typing import get_type_hints

import pytest

from reward_verifiers import PACKAGES
from tests.support import ROOT
from verifiers.core import Registry

OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
OWN = OPTIONS["packages"]
RIGHT = """
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from reward_verifiers.adapters.trl import trl_reward_func, trl_reward_funcs, trl_reward_weights
from reward_verifiers.rewards import Linear, Max, Pay, Product, RegexParts, Reward, Route, Split, from_callable, from_trl, load_recipe
from reward_verifiers import (
    CompletionWarning, ConfigError, FunctionVerifier, LanguageConsistency, Length, MathEquivalence, Sample, Status,
    TagFormat, Verdict, Verifier, split_completion, verifier,
)


@verifier
def polite(response: str) -> bool:
    return response.endswith("please")


@verifier(low=-1, high=2, isolate=True, version="1")
def graded(completion: str, response: str, thinking: str, reference: str, prompt: str) -> float:
    return float(len(response) == len(reference))


def contains(word: str) -> FunctionVerifier:
    return verifier(lambda response: word in response)


@dataclass(frozen=True, repr=False)
class Long(Verifier):
    reasons: ClassVar[Mapping[str, str]] = {"long": "long enough", "short": "too short"}
    needs_reference: ClassVar[bool] = False

    least: int = 3

    def check(self, sample: Sample) -> Verdict:
        text: str = sample.response + sample.completion + sample.thinking + sample.prompt
        messages: Sequence[Mapping[str, Any]] = sample.messages
        return self.scored(float(len(text) >= self.least), "long", f"{len(messages)} messages")


def as_trl(completions: list[str], **columns: Any) -> list[float]:
    return [0.0 for _ in completions]


accuracy = Pay(MathEquivalence()).named("accuracy")
reward: Reward = accuracy.when(Pay(TagFormat())) + Linear(0.5, 0.1) * Pay(polite).named("polite")
more: Reward = reward + 0.5 * Long(4) + from_trl(as_trl) + from_callable(lambda response: 1.0) - 2
parts_of: Reward = Split(RegexParts("(?P<a>.*), (?P<b>.*)"), {"a": MathEquivalence(), "b": 0.5 * reward})
best: Reward = Max(Product(reward, 2), Route("task", {"a": reward}, Pay(contains("x"))), Pay(graded))
measured = (Length(1, 9, of="response"), LanguageConsistency("ko", of="thinking"))
paid: list[float | None] = reward(["4"], answer=["4"], task=["a"])
value: float | None = reward.explain("4", answer="4").value
verdict: Verdict = MathEquivalence().verify("4", "4", prompt="2+2?")
passed: bool = verdict.passed and verdict.status is Status.SCORED
functions = [*trl_reward_funcs(load_recipe("r1_zero")), trl_reward_func(reward)]
weights: list[float] = trl_reward_weights(reward)
split = split_completion("<think>2+2</think>4")
parts: list[str] = [] if split is None else [split.completion, split.response, split.thinking]
errors: tuple[type[Exception], type[Warning]] = (ConfigError, CompletionWarning)
"""
WRONG = [
    ("Sample('a', 'b').answer", 'has no attribute "answer"'),
    ("Sample('a', 'b').text", 'has no attribute "text"'),
    ("split_completion('a').response", 'has no attribute "response"'),  # it may be None
    ("SplitCompletion('a', 'b', '', False).answer", 'has no attribute "answer"'),
    ("Length(1, 9, of='answer')", 'incompatible type'),
    ("Length(minimun=1)", 'Unexpected keyword argument "minimun"'),
    ("Pay('ExactMatch')", 'incompatible type "str"'),
    ("verifier(lambda response: True).verify('a').pased", 'has no attribute "pased"'),
    ("verifier(lambda response: True, low=-1)", 'No overload variant'),
    ("Route('task', {'a': 3})", 'incompatible type "str": "int"'),
    ("trl_reward_func(ExactMatch())", 'incompatible type "ExactMatch"'),
]  # fmt: skip
HEAD = (
    "from reward_verifiers.adapters.trl import trl_reward_func\nfrom reward_verifiers.rewards import Pay, Route\n"
    "from reward_verifiers import ExactMatch, Length, Sample, SplitCompletion, split_completion, verifier\n"
)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What mypy says of this project and of two files of a user's, with the options that both are checked with.

    In one run: to read what the packages import takes most of it. A user's mypy would say the same of the files.
    """
    folder = tmp_path_factory.mktemp("user")
    for name, text in (("right", RIGHT), ("wrong", HEAD + "".join(f"{line}\n" for line, _ in WRONG))):
        (folder / f"{name}.py").write_text(text)
    command = [sys.executable, "-m", "mypy", *OWN, str(folder / "right.py"), str(folder / "wrong.py")]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "MYPYPATH": str(ROOT)}
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_packages_are_typed(said: str) -> None:
    """Every file of them is checked, and nothing is wrong in any."""
    places = [ROOT / "reward_verifiers", *(ROOT / name for name in PACKAGES)]
    files = sum(1 for place in places for _ in place.rglob("*.py"))
    found = re.search(r"Found (\d+) errors in 1 file \(checked (\d+) source files\)", said)
    assert found is not None, said
    assert (int(found[1]), int(found[2])) == (len(WRONG), files + 2), said


@pytest.mark.slow
def test_code_of_users_is_typed(said: str) -> None:
    """Everything that docs show has a type, and nothing needs a cast."""
    assert "right.py" not in said
    assert f"Found {len(WRONG)} errors in 1 file " in said


@pytest.mark.slow
def test_mistakes_of_users_are_found(said: str) -> None:
    """Old names and wrong values, each on its line."""
    first = HEAD.count("\n") + 1
    for number, (line, wanted) in enumerate(WRONG, start=first):
        found = re.search(rf"/wrong.py:{number}: error: (.*)$", said, re.MULTILINE)
        assert found is not None, f"{line}\n{said}"
        assert wanted in found[1]


def test_the_options_are_no_laxer_than_a_users() -> None:
    """Strict, and no package of ours is left out."""
    others = {name.partition(".")[0] for each in OPTIONS["overrides"] for name in each["module"]}
    assert OPTIONS["strict"] is True
    assert {*OPTIONS} == {"strict", "packages", "overrides"}
    assert not others & {*OPTIONS["packages"]}


def test_registering_a_class_keeps_its_type() -> None:
    """Pyright believes what a decorator of a class says: it would see a base's arguments, and refuse the class's."""
    hints = get_type_hints(Registry.register)
    assert hints["kind"] is hints["return"]
