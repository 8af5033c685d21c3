"""Ctrl-C in the middle of a batch, and Python's end while threads verify: at once, and nothing is left behind."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import forks, timing
from tests.support import ROOT, first_of_each

LIMIT = 120
"""Seconds on the wall. What is interrupted here would take longer, or an hour; on any machine an end does not."""

SCRIPT = """
import sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from verifiers import CodePassRate, ExactMatch, MathEquivalence, verifier

FOR_EVER = "```python\\nwhile True: pass\\n```"
TESTS = {"inputs": ["1\\n"] * 9, "outputs": ["1\\n"] * 9}
WAITS = "```python\\nimport time\\nn = input()\\nt = time.time() + 1\\nwhile time.time() < t: pass\\nprint(n)\\n```"
code = CodePassRate(timeout=3600)


@verifier(isolate=True)
def sleeps(response):
    time.sleep(9)
    return True


@verifier(isolate=True)
def quick(response):
    return True


def formulas(number):
    return (
        [rf"\\boxed{{(\\sin x + {each})^{{30}} - \\cos(x)^{{17}}}}" for each in range(number)],
        [rf"\\int_0^x e^{{-t^{{{each}}}}} \\sin(t)^{{20}} dt" for each in range(number)],
    )


WORK = {
    "function": lambda: sleeps.verify("x"),
    "functions": lambda: sleeps.verify_batch(["x"] * 400),
    "program": lambda: code.verify(FOR_EVER, TESTS),
    "programs": lambda: code.verify_batch([FOR_EVER] * 9, [TESTS] * 9),
    "tests": lambda: code.verify(WAITS, {"inputs": ["1\\n"] * 900, "outputs": ["1\\n"] * 900}),
    "formulas": lambda: MathEquivalence().verify_batch(*formulas(2000)),
}


def right():
    ran = quick.verify_batch(["x"] * 40) + code.verify_batch(
        ["```python\\nprint(input())\\n```"] * 4, [{"inputs": ["1\\n"], "outputs": ["1\\n"]}] * 4
    )
    print(sum(each.score for each in ran), flush=True)


def repeat(work):
    while True:
        work()


name, how = sys.argv[1:]
open("begun", "w").close()
if how == "main":
    WORK[name]()
elif how == "daemons":  # the main thread is done when it is told
    for _ in range(4):
        threading.Thread(target=repeat, args=(WORK[name],), daemon=True).start()
    sys.stdin.readline()
elif how == "threads":
    for _ in range(3):
        threading.Thread(target=lambda: [right() for _ in range(2)]).start()
else:
    executor = ThreadPoolExecutor(3)
    for _ in range(6):
        executor.submit(right)
"""


def _stat(process: int) -> list[str]:
    """What the kernel says of a process, from its state on; nothing of one that is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def below(process: int) -> set[tuple[int, str]]:
    """All processes that a process has started, and those have, each with the moment of its start."""
    children: dict[int, list[tuple[int, str]]] = {}
    for each in os.listdir("/proc"):
        if each.isdigit() and (said := _stat(int(each))):
            children.setdefault(int(said[1]), []).append((int(each), said[19]))
    found: set[tuple[int, str]] = set()
    left = [process]
    while left:
        found.update(more := children.get(left.pop(), []))
        left += [each for each, _ in more]
    return found


def left_of(processes: set[tuple[int, str]]) -> set[tuple[int, str]]:
    """Those that still run after a while."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        running = {
            each
            for each in processes
            if (said := _stat(each[0])) and said[19] == each[1] and said[0] not in "ZX"
        }
        if not running:
            break
        time.sleep(0.05)
    return running


class Started:
    """A program in the middle of its work.

    Args:
        command: The program.
        folder: Where it runs.
        enough: Processes that it has started when it is in the middle.
        begun: A file that is there from then on.
    """

    def __init__(self, command: list[str], folder: Path, enough: int = 1, begun: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._seen: set[tuple[int, str]] = set()
        until = time.monotonic() + LIMIT
        while len(self._seen) < enough and self.process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
            self._seen |= below(self.process.pid)
        if begun is not None:
            timing.until(lambda: begun.exists() or self.process.poll() is not None)

    def end(self, interrupt: bool = True) -> tuple[int, str, str]:
        """Press Ctrl-C, or end its input: its exit status and what it said. What it started is gone, too."""
        self._seen |= below(self.process.pid)
        if interrupt:
            self.process.send_signal(signal.SIGINT)
        try:
            out, problems = self.process.communicate("\n", timeout=LIMIT)
        finally:
            self.process.kill()
        assert not left_of(self._seen)
        return self.process.returncode, out, problems


def _kind(name: str) -> str:
    """One alone is what a batch of them is."""
    return {"function": "functions", "program": "programs"}.get(name, name)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(SCRIPT)
    return path


NAMES = ("functions", "programs", "tests", "formulas", "function", "program")


def _amid(script: Path, name: str, how: str) -> Started:
    in_process = name == "formulas"
    started = Started(
        [sys.executable, str(script), name, how], script.parent, 0 if in_process else 1,
        script.parent / "begun",
    )  # fmt: skip
    time.sleep(random.Random(name).random() + (0.5 if in_process else 0))
    return started


@pytest.mark.parametrize("name", first_of_each(NAMES, _kind))
def test_an_interrupt_ends_a_batch_at_once(script: Path, name: str) -> None:
    """As Python ends by it, and without a process left."""
    status, _, problems = _amid(script, name, "main").end()
    assert status == -signal.SIGINT
    assert problems.strip().endswith("KeyboardInterrupt")


@pytest.mark.parametrize("name", first_of_each(NAMES))
def test_python_ends_while_daemon_threads_verify(script: Path, name: str) -> None:
    """Nothing is waited for, said, or left."""
    assert _amid(script, name, "daemons").end(interrupt=False) == (0, "", "")


@pytest.mark.parametrize("how", first_of_each(["threads", "executor"]))
def test_threads_that_python_waits_for_finish_their_batches(script: Path, how: str) -> None:
    """With right verdicts, though the main thread is at its end and no thread can be started any more."""
    assert Started([sys.executable, str(script), "", how], script.parent).end(interrupt=False) == (
        0, "44.0\n" * 6, "",
    )  # fmt: skip


OWN = """
import os, time
from verifiers import verifier

@verifier
def patient(response):
    while response.endswith("7") and os.path.exists("hold"):
        time.sleep(0.05)
    return len(response) % 2 == 0
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_scoring_goes_on_where_it_was(tmp_path: Path, workers: int) -> None:
    """Status 130, whole rows, no process left; `--resume` ends with the bytes of an uninterrupted run."""
    (tmp_path / "own_patient.py").write_text(OWN)
    (tmp_path / "recipe.yaml").write_text('reward: {FunctionVerifier: "own_patient:patient"}\n')
    with open(tmp_path / "in.jsonl", "w") as file:
        for number in range(3000):
            file.write(
                json.dumps({"completion": "x" * (number % 9) + ("7" if number > 1500 else ""), "answer": ""})
                + "\n"
            )
    score = [
        sys.executable, "-m", "adapters.cli", "score", "in.jsonl", "-r", "recipe.yaml", "--workers",
        str(workers),
    ]  # fmt: skip
    (tmp_path / "hold").touch()
    started = Started([*score, "-o", "out.jsonl"], tmp_path, 0 if workers == 1 else workers)
    until = time.monotonic() + LIMIT
    while (
        not ((tmp_path / "out.jsonl").exists() and (tmp_path / "out.jsonl").stat().st_size)
        and started.process.poll() is None
        and time.monotonic() < until
    ):
        time.sleep(0.05)
    status, _, problems = started.end()
    assert (status, problems.splitlines()[-1:]) == (130, ["interrupted"])
    written = (tmp_path / "out.jsonl").read_bytes()
    assert written.endswith(b"\n")
    assert 0 < len([json.loads(each) for each in written.splitlines()]) < 3000
    (tmp_path / "hold").unlink()
    for target, more in (("out.jsonl", ["--resume"]), ("whole.jsonl", [])):
        done = forks.run(*score[2:], "-o", target, *more, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert (tmp_path / "out.jsonl").read_bytes().startswith(written)
