"""Rubrics of OpenEnv's kind, called as its environments do; the package itself is not needed."""

from __future__ import annotations

import asyncio
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.hosts.environments.openenv import openenv_rubric
from adapters.hosts.unscored import MAX_VALUE, UnscoredError
from rewards import Pay
from tests.hosts.common import EXPLODES, ROWS, breaking_reward, comparing_reward, paid_in_a_batch
from tests.support import in_loop
from tests.timing import examples
from verifiers import ConfigError, ExactMatch, verifier


class StandIn:
    """What OpenEnv's Rubric brings: a call is `forward`, and the score is kept."""

    def __init__(self) -> None:
        self.last_score: Any = None

    def __call__(self, action: Any, observation: Any) -> Any:
        result = self.forward(action, observation)
        if asyncio.iscoroutine(result):
            return self._later(result)
        self.last_score = result
        return result

    async def _later(self, result: Any) -> Any:
        self.last_score = await result
        return self.last_score

    def forward(self, action: Any, observation: Any) -> Any:
        raise NotImplementedError


class Together(dict[str, Any]):
    """What OpenEnv's RubricDict brings."""


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module in the place of OpenEnv's."""
    for name in ("openenv", "openenv.core", "openenv.core.rubrics"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    vars(sys.modules["openenv.core.rubrics"]).update(Rubric=StandIn, RubricDict=Together)


def _action(text: object) -> SimpleNamespace:
    return SimpleNamespace(message=text, metadata={"answer": text})


def _seen(truth: object, **fields: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"done": True, "reward": None, "metadata": {"answer": truth}, **fields})


def test_rubrics_of_many_threads_are_paid_as_a_batch_is() -> None:
    """One for each environment; every action gets its own reward."""
    rubric = openenv_rubric("gsm8k_tags")

    def paid(row: Any) -> tuple[float, float]:
        one = rubric()
        return one(_action(row["completion"]), _seen(row["answer"])), one.last_row["unscored"]

    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(paid, [*ROWS] * 8))
    assert found == [(value or 0.0, float(value is None)) for value in paid_in_a_batch()] * 8


@in_loop
async def test_awaited_rubrics_pay_the_same() -> None:
    """In one event loop, together."""
    plain, awaited = openenv_rubric("gsm8k_tags"), openenv_rubric("gsm8k_tags", asynchronous=True)
    calls = [(_action(row["completion"]), _seen(row["answer"])) for row in ROWS]
    assert await asyncio.gather(*(awaited()(*call) for call in calls)) == [plain()(*call) for call in calls]


def test_nothing_that_the_model_sends_is_a_reference() -> None:
    """Metadata of an action come from the client, those of an observation from the environment."""
    rubric = openenv_rubric(Pay(ExactMatch()))()
    assert rubric(_action("5"), _seen("4")) == 0.0
    assert rubric(_action("4"), _seen("4", answer="5")) == 1.0  # hidden goes before shown
    with pytest.raises(ConfigError, match="answer"):
        openenv_rubric(Pay(ExactMatch()))()(_action("5"), SimpleNamespace(metadata={}))


def test_what_the_model_wrote_is_found() -> None:
    reward, seen = Pay(ExactMatch()), _seen("4")
    assert openenv_rubric(reward, completion="text")()(SimpleNamespace(text="4"), seen) == 1.0
    assert openenv_rubric(reward, completion=lambda action, _: action["said"])()({"said": "4"}, seen) == 1.0
    assert openenv_rubric(reward)()("4", {"answer": "4"}) == 1.0
    assert openenv_rubric(reward, columns={"answer": "gold"})()("4", {"gold": "4"}) == 1.0
    counted = openenv_rubric(reward + verifier(lambda messages: len(messages) == 3))()
    said = [
        {"role": "assistant", "content": "5"},
        {"role": "user", "content": "no"},
        {"role": "assistant", "content": "4"},
    ]
    assert counted(_action(said), seen) == 2.0
    with pytest.raises(ConfigError, match=r"no field 'message'.*completion='FIELD', one of text"):
        openenv_rubric(reward)()(SimpleNamespace(text="4"), seen)


def test_rows_without_a_reward() -> None:
    """0, None or an error, as declared; parts that were not judged say None."""
    action, seen = _action(ROWS[4]["completion"]), _seen("")
    one = openenv_rubric("gsm8k_tags")()
    one(_action(ROWS[0]["completion"]), _seen("75"))
    assert [one.parts[name].last_score for name in ("accuracy", "format")] == [1.0, 1.0]
    assert one(action, seen) == 0.0
    assert one.parts["accuracy"].last_score is None
    assert (one.last_row["unscored"], one.last_row["fault"]) == (1.0, 0.0)
    assert openenv_rubric("gsm8k_tags", unscored="mask")()(action, seen) is None
    with pytest.raises(UnscoredError):
        openenv_rubric("gsm8k_tags", unscored="raise")()(action, seen)


def test_a_breaking_verifier_costs_its_row() -> None:
    rubric = openenv_rubric(breaking_reward())
    with ThreadPoolExecutor(8) as threads:
        texts = ["\\boxed{75}", EXPLODES] * 8
        assert list(threads.map(lambda text: rubric()(_action(text), _seen("75")), texts)) == [1.5, 0.0] * 8


def test_what_cannot_be_paid_is_refused_at_the_start() -> None:
    """Groups, tokens, an unknown policy: when the class is made."""
    for reward in (comparing_reward(), "dapo_math"):
        with pytest.raises(ConfigError, match="OpenEnv does not pass"):
            openenv_rubric(reward)
    with pytest.raises(ConfigError, match="zero, mask, raise"):
        openenv_rubric("gsm8k_tags", unscored="group_mean")


def test_whatever_is_written_is_paid_a_finite_number() -> None:
    rubric = openenv_rubric("gsm8k_tags")()
    anything = st.one_of(st.text(), st.none(), st.integers(), st.lists(st.text(), max_size=2))

    @settings(max_examples=examples(30), deadline=None)
    @given(anything, st.one_of(st.text(), st.none()))
    def holds(completion: object, answer: object) -> None:
        assert abs(rubric(_action(completion), _seen(answer))) <= MAX_VALUE
        assert tuple(rubric.last_row) == rubric.calls.logs.names
        assert all(type(value) is float and math.isfinite(value) for value in rubric.last_row.values())

    holds()
