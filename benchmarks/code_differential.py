"""Programs judged apart from their tests, and in plain Python: do the two agree?

    python -m benchmarks.code_differential HumanEval.jsonl MBPP.jsonl [--styles 2] [--isolation full]

Each reference solution, and one mutation of it, is asked in some of the styles of `benchmarks.code_styles`:
once by `CodePassRate`, with tests and program in two sandboxes, once in one plain process. Where the plain
run fails, the score must be 0, and where it passes 1.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.code_datasets import mutants
from benchmarks.code_styles import STYLES, Problem, dressed, humaneval, mbpp
from verifiers import CodePassRate

_PLAIN_SECONDS = 3
_LIMITS = f"""import resource as _r
_r.setrlimit(_r.RLIMIT_AS, (1 << 31,) * 2)
_r.setrlimit(_r.RLIMIT_CPU, ({_PLAIN_SECONDS}, {_PLAIN_SECONDS + 1}))
"""
_TOO_SLOW = ("cpu_time", "wall_time", "memory")


@dataclass(frozen=True)
class Pair:
    """A program and the tests that it is asked."""

    name: str
    style: str
    mutated: bool
    program: str
    tests: str


@dataclass(frozen=True)
class Judged:
    """What a pair scored apart from each other; None where that cannot be compared."""

    score: float | None
    reason: str
    detail: str


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("humaneval", type=Path)
    parser.add_argument("mbpp", type=Path)
    parser.add_argument("--isolation", default="full")
    parser.add_argument("--styles", type=int, default=1, help="of each problem")
    parser.add_argument("--first", type=int, default=0, help="the style of the first problem")
    parser.add_argument("--problems", type=int, default=10_000)
    options = parser.parse_args()
    problems = [
        each
        for path, read in ((options.humaneval, humaneval), (options.mbpp, mbpp))
        for line in path.read_text(encoding="utf-8").splitlines()
        if (each := read(json.loads(line))) is not None
    ][: options.problems]
    pairs = _pairs(problems, options.styles, options.first)
    started = time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        plain = list(threads.map(_plain, pairs))
    seconds = time.perf_counter() - started
    print(f"{len(pairs)} pairs of {len(problems)} problems; plain runs {seconds:.0f} s", flush=True)
    started = time.perf_counter()
    judged = _apart(pairs, options.isolation)
    print(f"apart {time.perf_counter() - started:.0f} s")
    _report(pairs, plain, judged)


def _pairs(problems: list[Problem], count: int, first: int) -> list[Pair]:
    names, found = list(STYLES), []
    for index, each in enumerate(problems):
        changed = list(mutants(each.program))
        for turn in range(count):
            style = names[(first + index * count + turn) % len(names)]
            found.append(Pair(each.name, style, False, *dressed(each, STYLES[style])))
            if changed:
                # Later mutations of a program are other kinds of mistakes than the first.
                program = changed[(7 * index + turn) % len(changed)]
                found.append(Pair(each.name, style, True, *dressed(each, STYLES[style], program)))
    return found


def _plain(pair: Pair) -> bool | None:
    """Whether a plain run passes; None if it takes too much to say."""
    # Each part is a module of its own, and a program that looks at its name is one that tests import.
    joined = f"__name__ = 'solution'\nexec({pair.program!r})\n__name__ = '__main__'\nexec({pair.tests!r})\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.py")
        path.write_text(_LIMITS + joined, encoding="utf-8", newline="")
        command = [sys.executable, "-I", str(path)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=60, check=False, cwd=folder)
        except subprocess.TimeoutExpired:
            return None
    return None if done.returncode < 0 or b"MemoryError" in done.stderr else done.returncode == 0


def _apart(pairs: list[Pair], isolation: str) -> list[Judged]:
    found: dict[int, Judged] = {}
    for modules in sorted({STYLES[pair.style].modules for pair in pairs}):
        verifier = CodePassRate(isolation=isolation, modules=modules, timeout=_PLAIN_SECONDS)
        chosen = [index for index, pair in enumerate(pairs) if STYLES[pair.style].modules == modules]
        verdicts = verifier.verify_batch(
            [f"```python\n{pairs[index].program}\n```" for index in chosen],
            [{"asserts": [pairs[index].tests]} for index in chosen],
        )
        for index, verdict in zip(chosen, verdicts, strict=True):
            score = None if verdict.reason in _TOO_SLOW else verdict.score
            found[index] = Judged(score, verdict.reason, verdict.detail)
    return [found[index] for index in range(len(pairs))]


def _report(pairs: list[Pair], plain: list[bool | None], judged: list[Judged]) -> None:
    compared: Counter[bool] = Counter()
    slow, unjudged, wrong = 0, [], []
    for pair, expected, found in zip(pairs, plain, judged, strict=True):
        said = (
            f"  {pair.name}, {pair.style}, {'mutated' if pair.mutated else 'reference'}: plain {expected}, "
        )
        said += f"apart {found.score} {found.reason} {found.detail[:300]}"
        if expected is None or found.reason in _TOO_SLOW:
            slow += 1
        elif found.score is None:
            unjudged.append(said)
        else:
            compared[expected] += 1
            if found.score != float(expected):
                wrong.append(said)
    print(
        f"{compared.total()} pairs compared ({compared[True]} pass in plain Python, {compared[False]} fail); "
        f"{len(wrong)} wrong scores; {len(unjudged)} not judged; {slow} too slow to compare"
    )
    print(*wrong, *unjudged, sep="\n")


if __name__ == "__main__":
    main()
