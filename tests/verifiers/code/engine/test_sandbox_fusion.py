"""Programs on another machine: SandboxFusion's API against a real server that speaks it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from verifiers import CodePassRate, ConfigError, Status
from verifiers.code import Call, Cause, Job, Limits, LocalEngine, SandboxFusion
from verifiers.code.engine import sandbox_fusion
from verifiers.code.engine.run_code import read_answer

from .run_code_server import Server, serving

DOUBLE = "print(int(input()) * 2)"
ADD = "def add(a, b):\n    return a + b"
STDIO = {"stdio": [{"input": "2\n", "output": "4\n"}, {"input": "21\n", "output": "42\n"}]}
CALLS = {"calls": [{"function": "add", "args": [1, n], "expected": 1 + n} for n in range(3)]}


@pytest.fixture(scope="module")
def shared() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def server(shared: Server) -> Iterator[Server]:
    yield shared
    shared.requests.clear()
    shared.before = lambda body: None
    shared.most_at_once = 0


def _engine(server: Server, **fields: Any) -> SandboxFusion:
    return SandboxFusion(server.url, **{"wait": 0.01, "patience": 20.0, **fields})


def _judge(server: Server, code: str, tests: dict[str, Any], **fields: Any) -> Any:
    return CodePassRate(engine=server.url, **fields).verify(f"```python\n{code}\n```", tests)


def test_programs_are_judged_there_as_here(server: Server) -> None:
    """Right and wrong ones, on standard input and by calls."""
    for code, tests in (
        (DOUBLE, STDIO),
        ("print(4)", STDIO),
        ("print(4", STDIO),
        ("import sys\nsys.exit(3)", STDIO),
        ("x = bytearray(1 << 40)", STDIO),
        (ADD, CALLS),
        ("def add(a, b):\n    print('[1, 2, 3]')\n    return a + b", CALLS),
        ("def add(a, b):\n    return 2", CALLS),
        ("def add(a, b):\n    return object()", CALLS),
        ("def add(a, b):\n    return {'x': (a, {b})}", {"calls": [{"function": "add", "args": [1, 2], "expected": 0}]}),
        ("def add(a, b):\n    if b == 1: raise ValueError(b)\n    return a + b", CALLS),
        ("import os\ndef add(a, b):\n    if b == 1: os._exit(0)\n    return a + b", CALLS),
        ("def add(a b): return", CALLS),
        ("def other(): return 1", CALLS),
        ("import os\nos._exit(0)", CALLS),
    ):  # fmt: skip
        there, here = _judge(server, code, tests), CodePassRate().verify(f"```python\n{code}\n```", tests)
        assert (there.score, there.reason) == (here.score, here.reason), (code, there.detail, here.detail)
        assert "isolation: remote" in there.detail


def test_no_expected_value_is_sent(server: Server) -> None:
    """Only programs and what they read."""
    tests = {
        "stdio": [{"input": "1\n", "output": "secret-1"}],
        "calls": [{"function": "f", "expected": "secret-2"}],
    }
    assert _judge(server, "def f(): return 1\nprint(1)", tests).score == 0.0
    assert server.requests
    assert "secret" not in json.dumps(server.requests)


def test_the_limits_go_along(server: Server) -> None:
    """Of the verifier, or of the problem."""
    _judge(server, DOUBLE, {**STDIO, "time_limit": 2.5, "memory_limit": 100})
    assert {body["run_timeout"] for body in server.requests} == {2.5}
    assert {body["memory_limit_MB"] for body in server.requests} == {164}


@pytest.mark.slow
def test_a_loop_ends_and_leaves_the_others(server: Server) -> None:
    """In one of the calls, and in each test on standard input, of which not all are waited for."""
    code = "def add(a, b):\n    while b == 1: pass\n    return a + b"
    [report] = _engine(server).run(
        [Job("python", code, Limits(1.5), calls=tuple(Call("add", (1, n)) for n in range(3)))]
    )
    assert [run.cause for run in report.runs] == [Cause.OK, Cause.WALL_TIME, Cause.OK]
    server.requests.clear()
    [report] = _engine(server).run([Job("python", "while True: pass", Limits(0.2), stdins=(b"",) * 20)])
    assert [run.cause for run in report.runs][:3] == [Cause.WALL_TIME] * 3
    assert {run.cause for run in report.runs[3:]} == {Cause.NOT_RUN}
    assert len(server.requests) <= 14


def test_the_first_failure_can_end_the_rest(server: Server) -> None:
    """Where all tests must be passed, a wrong program costs few of them."""
    tests = {"stdio": [{"input": f"{n}\n", "output": "no"} for n in range(50)]}
    assert _judge(server, DOUBLE, tests, all_or_nothing=True).score == 0.0
    assert len(server.requests) == 1


def test_requests_are_bounded_and_side_by_side(server: Server) -> None:
    """No more at a time than is allowed, and more than one."""

    def slow(_body: dict[str, Any]) -> None:
        time.sleep(0.05)

    server.before = slow
    engine = _engine(server, concurrency=3)
    reports = engine.run([Job("python", DOUBLE, stdins=(b"1\n", b"2\n", b"3\n"))] * 4)
    assert [[run.output for run in report.runs] for report in reports] == [[b"2\n", b"4\n", b"6\n"]] * 4
    assert 1 < server.most_at_once <= 3
    assert engine.run([]) == []


@pytest.mark.parametrize(
    "trouble",
    [
        (500, b"no"),
        (503, b"busy"),
        (429, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b'{"status": "SandboxError", "message": "no pod"}'),
        (200, b'{"status": "Success", "run_result": {"status": "Finished", "return_code": null}}'),
    ],
)
def test_trouble_that_passes_costs_nobody(server: Server, trouble: tuple[int, bytes]) -> None:
    """The request is sent again."""
    left = [trouble, trouble]
    server.before = lambda _body: left.pop() if left else None
    [report] = _engine(server).run([Job("python", DOUBLE, stdins=(b"4\n",))])
    assert report.runs[0].output == b"8\n"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "trouble", [(500, b"no"), (200, b'{"status": "SandboxError"}'), (422, b"wrong"), (404, b"")]
)
def test_a_server_that_breaks_is_a_fault(
    server: Server, trouble: tuple[int, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And never a wrong answer."""
    monkeypatch.setattr(sandbox_fusion, "server_at", lambda _url: None)
    server.before = lambda _body: trouble
    [report] = _engine(server, retries=1).run([Job("python", DOUBLE, stdins=(b"4\n",))])
    assert report.runs == ()
    assert report.error


def test_faults_are_faults_in_verdicts(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a server that breaks, and of none at all."""
    monkeypatch.setattr(
        "verifiers.code.pass_rate.server_at", lambda url: SandboxFusion(url, wait=0.0, retries=1)
    )
    server.before = lambda _body: (500, b"no")
    for url in (server.url, "http://127.0.0.1:9"):
        for tests, code in ((STDIO, DOUBLE), (CALLS, ADD)):
            verdict = CodePassRate(engine=url).verify(f"```python\n{code}\n```", tests)
            assert (verdict.status, verdict.score) == (Status.FAULT, None), verdict.detail


def test_a_program_that_breaks_the_server_earns_nothing(server: Server) -> None:
    """Again and again, while others run well: no row is masked by what a program does."""

    def fragile(body: dict[str, Any]) -> tuple[int, bytes] | None:
        return (200, b'{"status": "SandboxError", "message": "gone"}') if "break" in body["code"] else None

    server.before = fragile
    [report] = _engine(server, retries=1).run([Job("python", "break", stdins=(b"", b""))])
    assert [run.cause for run in report.runs] == [Cause.BROKE_SANDBOX] * 2


def test_what_cannot_run_there_is_said(server: Server) -> None:
    """Tests that are code, languages that it lacks, outputs that it would cut."""
    judge = CodePassRate(engine=server.url)
    script = {"asserts": ["x = [2, 1]\nf(x)\nassert x == [1, 2]"]}
    verdict = judge.verify("```python\ndef f(x): x.sort()\n```", script)
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "unavailable")
    assert "without engine=" in verdict.detail
    verdict = CodePassRate(language="c", engine=server.url).verify("```c\nint main() {}\n```", STDIO)
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "unavailable")
    long = judge.verify("```python\nprint(1)\n```", {"stdio": [{"output": "x" * (5 << 20)}]})
    assert (long.status, long.reason) == (Status.UNSCORED, "unavailable")
    assert server.requests == []


def test_compiled_programs(server: Server) -> None:
    """And those that do not compile."""
    judge = CodePassRate(language="cpp", engine=server.url)
    right = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * 2; }"
    assert judge.verify(f"```cpp\n{right}\n```", STDIO).score == 1.0
    wrong = judge.verify("```cpp\nint main( { }\n```", STDIO)
    assert (wrong.score, wrong.reason) == (0.0, "compile_error")


def test_configuration(server: Server) -> None:
    """Found when it is written."""
    for fields in (
        {"concurrency": 0},
        {"retries": -1},
        {"patience": 0.0},
        {"compile_seconds": 0.0},
        {"wait": -1.0},
    ):
        with pytest.raises(ConfigError, match="SandboxFusion"):
            SandboxFusion(server.url, **fields)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="a URL begins"):
        SandboxFusion("localhost:8080")
    assert (
        SandboxFusion("http://x:1/run_code/").url == SandboxFusion("http://x:1").url == "http://x:1/run_code"
    )
    assert CodePassRate(engine=server.url).to_spec() == {"CodePassRate": {"engine": server.url}}


def test_the_key_is_not_shown(server: Server) -> None:
    """Some servers repeat what they were sent."""
    server.before = lambda _body: (500, b"bad token k-123")
    [report] = _engine(server, retries=0, key="k-123").run([Job("python", DOUBLE, stdins=(b"4\n",))])
    assert "***" in report.error
    assert "k-123" not in report.error


@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b"1",
        b'{"status": "Success"}',
        b'{"status": "Success", "run_result": {"status": "Error", "return_code": 1}}',
        b'{"status": "Success", "run_result": 3}',
    ],
)
def test_an_answer_that_says_nothing_is_none(content: bytes) -> None:
    """It must not be taken for an empty output."""
    with pytest.raises(ValueError, match=r"\w"):
        read_answer(content)


def test_it_is_an_engine(server: Server) -> None:
    """Reports as the engine of this machine gives them."""
    job = Job("python", ADD, calls=(Call("add", (1, 2)), Call("add", (1, "x"))))
    local = LocalEngine()
    [there], [here] = _engine(server).run([job]), local.run([job])
    assert [(run.cause, run.answer) for run in there.runs] == [(run.cause, run.answer) for run in here.runs]
    local.close()
