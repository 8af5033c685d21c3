"""OpenEnv's own rubrics, environment, server and clients over our rubric."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from openenv.core import GenericEnvClient
from openenv.core.rubrics import Gate, Sequential, WeightedSum

from adapters.hosts.environments.openenv import openenv_rubric
from adapters.hosts.unscored import UnscoredError
from tests.hosts.common import (
    EXPLODES,
    HOSTILE,
    RECIPE,
    ROWS,
    breaking_reward,
    comparing_reward,
    scored_by_cli,
)  # fmt: skip
from tests.hosts.openenv.sums import Sums, SumsAction, SumsObservation
from verifiers import ConfigError

RIGHT, UNKNOWN = ROWS[0], ROWS[4]
START = PATIENCE = 300.0
"""Seconds for a busy machine: OpenEnv's server imports much before it answers, and its clients give up after 10."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The environment, served over loopback by OpenEnv's own server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = str(Path(__file__).resolve().parents[3])
    start = f"import sys, runpy; sys.path.append({root!r}); runpy.run_module('tests.hosts.openenv.sums', run_name='__main__')"
    server = subprocess.Popen([sys.executable, "-I", "-c", start, str(port)])
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + START
        while not _answers(address):
            assert server.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait(30)


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(f"{address}/health", timeout=5).close()
    except OSError:
        return False
    return True


def _episode(address: str, row: Any) -> Any:
    patient = {"connect_timeout_s": PATIENCE, "message_timeout_s": PATIENCE}
    with GenericEnvClient(base_url=address, **patient).sync() as client:
        asked = client.reset(prompt=row["prompt"])
        assert asked.observation["prompt"] == row["prompt"]
        return client.step({"message": row["completion"]})


def _of(row: Any) -> tuple[SumsAction, SumsObservation]:
    observation = SumsObservation(prompt=row["prompt"], done=True, metadata={"answer": row["answer"]})
    return SumsAction(message=row["completion"]), observation


def test_the_served_batch_is_paid_as_the_command_line_pays_it(address: str, tmp_path: Path) -> None:
    """By sessions at the same time; a row without a reward gets 0, and the observation says so."""
    expected = scored_by_cli(ROWS, tmp_path)
    assert None in expected
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda row: _episode(address, row), [*ROWS] * 3))
    for result, value in zip(results, expected * 3, strict=True):
        assert result.reward == (0.0 if value is None else value)
        assert result.done
        assert result.observation["parts"]["unscored"] == float(value is None)
        assert "answer" not in str(result.observation)  # the reference stays on the server


def test_parts_are_shown_as_openenv_shows_rubrics() -> None:
    """By the names of the recipe's parts, None where a part was not judged."""
    environment = Sums()
    environment.reset(prompt=RIGHT["prompt"])
    environment.step(SumsAction(message=RIGHT["completion"]))
    named = {name: rubric.last_score for name, rubric in environment.rubric.named_rubrics()}
    assert (named["parts.accuracy"], named["parts.format"]) == (1.0, 1.0)
    assert environment.rubric.last_score == 1.5
    environment.reset(prompt=UNKNOWN["prompt"])
    environment.step(SumsAction(message=UNKNOWN["completion"]))
    assert environment.rubric.get_rubric("parts.accuracy").last_score is None


def test_containers_take_it() -> None:
    """A row without a reward breaks none of them: WeightedSum and Gate raise TypeErrors over None."""
    pay = openenv_rubric(RECIPE)
    for row, paid in ((RIGHT, 1.5), (UNKNOWN, 0.0)):
        assert WeightedSum([pay(), pay()], [0.5, 0.5])(*_of(row)) == paid
        assert Gate(pay(), threshold=1.0)(*_of(row)) == paid
        assert Sequential(Gate(pay(), threshold=0.5), pay())(*_of(row)) == paid


def test_none_can_be_passed_on() -> None:
    """By a rubric that stands alone; OpenEnv's observations take it, and its containers do not."""
    pay = openenv_rubric(RECIPE, unscored="mask")
    action, observation = _of(UNKNOWN)
    observation.reward = pay()(action, observation)
    assert observation.reward is None
    with pytest.raises(TypeError):
        WeightedSum([pay()], [1.0])(action, observation)
    with pytest.raises(UnscoredError):
        openenv_rubric(RECIPE, unscored="raise")()(action, observation)


def test_awaited_rubrics_leave_the_event_loop_free() -> None:
    """Those of several environments are awaited together, in OpenEnv's containers, too."""
    pay = openenv_rubric(RECIPE, asynchronous=True)

    async def all_of_them() -> list[float]:
        sums = [WeightedSum([pay(), pay()], [0.5, 0.5])(*_of(row)) for row in [RIGHT, ROWS[1], UNKNOWN] * 4]
        return list(await asyncio.gather(*sums))

    assert asyncio.run(all_of_them()) == [1.5, 0.5, 0.0] * 4


def test_hostile_and_breaking_rows_cost_only_themselves(address: str) -> None:
    """A tower of powers, and a verifier that raises."""
    hostile = {"prompt": RIGHT["prompt"], "completion": HOSTILE}
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda row: _episode(address, row), [hostile, *[RIGHT] * 7]))
    assert [result.reward for result in results] == [0.5, *[1.5] * 7]
    rubric = openenv_rubric(breaking_reward())()
    paid = [rubric(*_of({**RIGHT, "completion": text})) for text in ("\\boxed{75}", EXPLODES, "\\boxed{75}")]
    assert paid == [1.5, 0.0, 1.5]


def test_what_openenv_cannot_pay_is_refused_at_the_start() -> None:
    """When the class is made."""
    with pytest.raises(ConfigError, match=r"OpenEnv does not pass.*judges each completion by itself"):
        openenv_rubric(comparing_reward())
    with pytest.raises(ConfigError, match="completion='FIELD', one of"):
        openenv_rubric(RECIPE, completion="text")()(*_of(RIGHT))
