"""Services that refuse, hang, break or babble: bounded work, the statuses that the docs name, and nothing left."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from adapters.serve.client import RewardClient, ServerError
from tests.services import BODIES, DOWN, STATUSES, Service
from tests.support import first_of_each
from verifiers import CodePassRate, Judge, Status
from verifiers.code import Job, Limits, SandboxFusion
from verifiers.code.engine import sandbox_fusion
from verifiers.judge import opinions as judging
from verifiers.runtime import server_link
from verifiers.runtime.server_link import PROBES

ROWS = 60
TOGETHER = 4
JOB = Job("python", "print(int(input()) * 2)", Limits(cpu_seconds=0.1), stdins=(b"21\n",))
LONG = 60
"""Seconds that no call needs by far, on a machine that runs other tests: its own limits come to less than 10."""
MODES = first_of_each(
    DOWN, lambda mode: "a status" if mode in STATUSES else "a body" if mode in BODIES else mode
)


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_link, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(judging, "_memory", judging._Memory())
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def same_threads() -> Iterator[None]:
    """No thread is left, but those of the service."""
    before = _threads()
    yield
    deadline = time.monotonic() + LONG
    while _threads() - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _threads() - before


def _threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if "_talk" not in each.name and "_accept" not in each.name}


def _in_time(call: Any) -> Any:
    """What a call returns, which must not hang."""
    done: list[Any] = []

    def run() -> None:
        try:
            done.append(call())
        except Exception as error:
            done.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LONG)
    assert done, "it hangs"
    return done[0]


def _opinion(_: dict[str, Any]) -> Any:
    said = json.dumps({"reason": "Right.", "score": 4})
    return {"choices": [{"message": {"content": said}, "finish_reason": "stop"}]}


def _ran(_: dict[str, Any]) -> Any:
    return {"status": "Success", "run_result": {"status": "Finished", "return_code": 0, "stdout": "42\n"}}


def _rewards(body: dict[str, Any]) -> Any:
    row = {"reward": 1.0, "status": "scored", "reward_parts": {}, "verdicts": []}
    return {"rewards": [1.0] * len(body["rows"]), "rows": [row] * len(body["rows"])}


@pytest.mark.usefixtures("same_threads")
@pytest.mark.parametrize("mode", MODES)
def test_a_judge_that_is_down_leaves_rows_open(mode: str) -> None:
    """All of them, at the cost of a few; and judges again when it is well."""
    with Service(_opinion) as service:
        judge = Judge(
            url=f"{service.url}/v1", model="m", timeout=0.15, retries=1, deadline=0.5, concurrency=TOGETHER
        )
        texts = [f"Text {row}." for row in range(ROWS)]
        service.be(mode)
        verdicts = _in_time(lambda: judge.verify_batch(texts))
        assert {(each.status, each.reason) for each in verdicts} == {(Status.UNSCORED, "service_failed")}
        assert service.asked <= 4 * TOGETHER + 2 * PROBES
        service.be("well")
        patient = replace(judge, timeout=LONG, deadline=LONG)
        assert {each.score for each in _in_time(lambda: patient.verify_batch(texts))} == {0.75}


@pytest.mark.usefixtures("same_threads")
@pytest.mark.parametrize("mode", MODES)
def test_a_sandbox_that_is_down_is_told(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No program is blamed, and not every one of them waits for it."""
    monkeypatch.setattr(sandbox_fusion, "_CANARY", JOB)
    with Service(_ran) as service:
        few = {"retries": 1, "compile_seconds": 0.01, "wait": 0.01, "concurrency": TOGETHER}
        engine = SandboxFusion(service.url, patience=0.05, **few)
        service.be(mode)
        reports = _in_time(lambda: engine.run([JOB] * ROWS))
        assert [bool(each.error) and not each.runs for each in reports] == [True] * ROWS
        assert service.asked <= 4 * TOGETHER + 2 * PROBES
        service.be("well")
        engine.patience = LONG
        assert [each.runs[0].output for each in _in_time(lambda: engine.run([JOB] * 3))] == [b"42\n"] * 3


def test_a_sandbox_that_is_down_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the verdict of a program, which then has no score."""
    monkeypatch.setattr(SandboxFusion.__init__, "__kwdefaults__", {
        **(SandboxFusion.__init__.__kwdefaults__ or {}), "retries": 0, "wait": 0.01,
    })  # fmt: skip
    with Service(_ran) as service:
        service.be("refuses")
        tests = {"stdio": [{"input": "21\n", "output": "42\n"}]}
        verdict = CodePassRate(engine=service.url).verify("```python\nprint(42)\n```", tests)
        assert (verdict.status, verdict.reason) == (Status.FAULT, "sandbox")


@pytest.mark.usefixtures("same_threads")
@pytest.mark.parametrize("mode", MODES)
def test_a_reward_server_that_is_down_is_told_in_time(mode: str) -> None:
    """With what it did; the same client is answered when it is well."""
    with Service(_rewards) as service, RewardClient(service.url, seconds=LONG) as client:
        assert client.rewards(["a", "b"]) == [
            1.0,
            1.0,
        ]  # a first call loads what it needs, which takes a while
        client.seconds = 0.5
        service.be(mode)
        error = _in_time(lambda: client.rewards(["a", "b"]))
        assert isinstance(error, ServerError)
        assert error.status == (int(mode) if mode in STATUSES else None)
        assert service.asked <= 6
        service.be("well")
        client.seconds = LONG
        assert _in_time(lambda: client.rewards(["a", "b"])) == [1.0, 1.0]


def test_a_slow_service_is_waited_for() -> None:
    """Within the limits: slow is not down."""

    def slow(body: dict[str, Any]) -> Any:
        time.sleep(0.2)
        return _opinion(body)

    with Service(slow) as service:
        judge = Judge(url=f"{service.url}/v1", model="m", timeout=LONG, concurrency=TOGETHER)
        assert [each.score for each in judge.verify_batch([f"Text {row}." for row in range(6)])] == [0.75] * 6


def test_a_service_that_comes_back_is_asked_again() -> None:
    """In the middle of a batch, as long as it was not given up."""
    with Service(_opinion) as service:
        judge = Judge(url=f"{service.url}/v1", model="m", timeout=LONG, retries=0, concurrency=1)
        modes = iter(["503", "no json", "429", *["well"] * 3])
        reply = service._reply
        service._reply = lambda connection, _, body: reply(connection, next(modes), body)  # type: ignore[method-assign]
        verdicts = judge.verify_batch([f"Text {row}." for row in range(6)])
        assert [each.score for each in verdicts] == [None, None, None, 0.75, 0.75, 0.75]


def test_closing_a_client_ends_what_it_still_asks() -> None:
    """A call of another thread ends at once, not when its time is over."""
    with Service(_rewards) as service:
        service.be("hangs")
        client = RewardClient(service.url, seconds=20 * LONG)
        asking = threading.Thread(target=lambda: said.append(_error(client)), daemon=True)
        said: list[BaseException | None] = []
        asking.start()
        while not service.asked:
            time.sleep(0.01)
        client.close()
        asking.join(LONG)
        assert said, "it waits for an answer that nobody fetches"
        assert said[0] is not None


def _error(client: RewardClient) -> BaseException | None:
    try:
        client.rewards(["a"])
    except BaseException as error:
        return error
    return None
