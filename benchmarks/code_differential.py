"""Programs judged apart from their tests, and in plain Python: do the two agree?

    python -m benchmarks.code_differential HumanEval.jsonl MBPP.jsonl [--styles 2] [--isolation full]

Each reference solution, and one mutation of it, is asked in some of the styles of `benchmarks.code_styles`: once by
`CodePassRate`, with tests and program in two sandboxes, and once in one plain process. Where the plain run fails, the
score must be 0, and where it passes 1.
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

from benchmarks.code_datasets import _mutants
from benchmarks.code_styles import STYLES, Problem, Style, dressed, humaneval, mbpp
from verifiers import CodePassRate

_PLAIN_SECONDS = 3
_LIMITS = (
    "import resource as _r; _r.setrlimit(_r.RLIMIT_AS, (1 << 31,) * 2); _r.setrlimit(_r.RLIMIT_CPU, (3, 4))\n"
)


@dataclass(frozen=True)
class Pair:
    """A program and the tests that it is asked."""

    name: str
    style: str
    mutated: bool
    program: str
    tests: str


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("humaneval", type=Path)
    parser.add_argument("mbpp", type=Path)
    parser.add_argument("--isolation", default="full")
    parser.add_argument("--styles", type=int, default=1, help="of each problem")
    parser.add_argument("--limit", type=int, default=10_000, help="problems")
    parser.add_argument("--start", type=int, default=0, help="the style of the first problem")
    options = parser.parse_args()
    problems = [each for path, read in ((options.humaneval, humaneval), (options.mbpp, mbpp))
                for line in path.read_text(encoding="utf-8").splitlines() if (each := read(json.loads(line)))]  # fmt: skip
    pairs = _pairs(problems[: options.limit], options.styles, options.start)
    started = time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        plain = list(threads.map(_plain, pairs))
    print(
        f"{len(pairs)} pairs of {len(problems)} problems; in plain Python {time.perf_counter() - started:.0f} s",
        flush=True,
    )
    started = time.perf_counter()
    scores = _apart(pairs, options.isolation)
    print(f"apart {time.perf_counter() - started:.0f} s")
    _report(pairs, plain, scores)


def _pairs(problems: list[Problem], count: int, start: int) -> list[Pair]:
    names, found = list(STYLES), []
    for index, each in enumerate(problems):
        mutants = list(_some_mutants(each.program))
        for turn in range(count):
            style = names[(start + index * count + turn) % len(names)]
            # Later mutations of a program are other kinds of mistakes than the first.
            chosen = mutants[(7 * index + turn) % len(mutants)] if mutants else None
            for program in (each.program, chosen):
                if program is not None:
                    code, tests = dressed(each, STYLES[style], program)
                    found.append(Pair(each.name, style, program is chosen, code, tests))
    return found


def _some_mutants(program: str) -> list[str]:
    return list(_mutants(program))


def _plain(pair: Pair) -> bool | None:
    """Whether a plain run passes; None if it takes too long to say."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.py")
        path.write_text(_LIMITS + _joined(pair), encoding="utf-8", newline="")
        try:
            done = subprocess.run(
                [sys.executable, "-I", str(path)], capture_output=True, timeout=3 * _PLAIN_SECONDS, check=False,
                cwd=folder,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return None
    return None if done.returncode < 0 or b"MemoryError" in done.stderr else done.returncode == 0


def _joined(pair: Pair) -> str:
    # `from __future__` may only stand first, and a program that looks at its name is imported by tests.
    return f"__name__ = 'solution'\nexec({pair.program!r})\n__name__ = '__main__'\nexec({pair.tests!r})\n"


def _apart(pairs: list[Pair], isolation: str) -> list[float | None | str]:
    found: dict[int, float | None | str] = {}
    for modules in sorted({STYLES[pair.style].modules for pair in pairs}):
        verifier = CodePassRate(isolation=isolation, modules=modules, timeout=_PLAIN_SECONDS)
        chosen = [index for index, pair in enumerate(pairs) if STYLES[pair.style].modules == modules]
        verdicts = verifier.verify_batch(
            [f"```python\n{pairs[index].program}\n```" for index in chosen],
            [{"asserts": [pairs[index].tests]} for index in chosen],
        )
        for index, verdict in zip(chosen, verdicts, strict=True):
            found[index] = verdict.score if verdict.score is not None else verdict.reason
            if verdict.reason in ("cpu_time", "wall_time", "memory"):
                found[index] = None
            _DETAILS[index] = f"{verdict.reason} {verdict.detail}"
    return [found[index] for index in range(len(pairs))]


_DETAILS: dict[int, str] = {}


def _report(pairs: list[Pair], plain: list[bool | None], scores: list[float | None | str]) -> None:
    slow = unjudged = 0
    wrong: list[int] = []
    passed: Counter[bool] = Counter()
    for index, (expected, score) in enumerate(zip(plain, scores, strict=True)):
        if expected is None or score is None:
            slow += 1
        elif isinstance(score, str):
            unjudged += 1
            print(f"  not judged: {pairs[index].name}, {pairs[index].style}: {_DETAILS[index][:200]}")
        else:
            passed[expected] += 1
            if score != float(expected):
                wrong.append(index)
    print(
        f"{sum(passed.values())} pairs compared ({passed[True]} pass in plain Python, {passed[False]} fail); "
        f"{len(wrong)} wrong scores; {unjudged} not judged; {slow} too slow to compare"
    )
    for index in wrong:
        pair = pairs[index]
        print(
            f"  {pair.name}, {pair.style}, {'mutated' if pair.mutated else 'reference'}: plain {plain[index]}, "
            f"apart {scores[index]}: {_DETAILS[index][:300]}"
        )


if __name__ == "__main__":
    main()
