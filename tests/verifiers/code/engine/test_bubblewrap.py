"""``engine="bwrap"``: programs behind an audited tool."""

from __future__ import annotations

import shutil

import pytest

from verifiers import CodePassRate

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
TESTS = {"stdio": [{"input": "2\n", "output": "4\n"}]}
CALLS = {"calls": [{"function": "dbl", "args": [2], "expected": 4}]}
REFUSED = {
    "forks": "import os\nos.fork()\nprint(4)",
    "runs others": "import subprocess\nsubprocess.run(['true'])\nprint(4)",
    "reads the host": "open('/etc/passwd')\nprint(4)",
    "connects": "import socket\nsocket.create_connection(('127.0.0.1', 22), 1)\nprint(4)",
    "does not compile": "print(4",
    "is wrong": "print(5)",
}


def _score(program: str, tests: object) -> float | None:
    return CodePassRate(engine="bwrap", timeout=2).verify(f"```python\n{program}\n```", tests).score


@needs_bwrap
def test_honest_programs_are_paid() -> None:
    assert _score("print(int(input()) * 2)", TESTS) == 1.0
    assert _score("def dbl(n):\n    return 2 * n", CALLS) == 1.0
    assert _score("open('/tmp/x', 'w').write('4')\nprint(open('/tmp/x').read())", TESTS) == 1.0


@needs_bwrap
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_others_are_not(name: str) -> None:
    assert _score(REFUSED[name], TESTS) == 0.0


@needs_bwrap
def test_what_it_cannot_run_is_unavailable() -> None:
    judge = CodePassRate(engine="bwrap")
    found = judge.verify("```python\ndef f(x):\n    return x\n```", {"asserts": ["assert f(1).real > 0"]})
    assert (found.score, found.reason) == (None, "unavailable")


def test_a_host_without_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    found = CodePassRate(engine="bwrap").verify("```python\nprint(4)\n```", TESTS)
    assert (found.score, found.reason) == (None, "unavailable")
    assert "apt-get install bubblewrap" in found.detail
