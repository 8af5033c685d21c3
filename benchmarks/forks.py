"""Children that are forked at random moments beside threads that verify: does every one of them finish?

    python -m benchmarks.forks --children 200

Data loaders and trainers fork so. Each round is a process of its own, in which eight threads start to judge
at once, cold, while the main thread forks children. A child judges ten rows of every kind of work (formulas,
texts, a schema, a pattern, a function in a worker process, a program in the sandbox) and ends; one that has
not after `LIMIT` seconds hangs, and is ended. Prints how many there were of each and how long they took, and
exits 1 if a child hung, judged otherwise than it should, or ended in another way.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from verifiers import (
    CodePassRate,
    ExactMatch,
    JsonSchema,
    MathEquivalence,
    MultipleChoice,
    Regex,
    TagFormat,
    Verifier,
    verifier,
)

LIMIT = 120.0
"""Seconds on the wall after which a child hangs: a hundred times what one takes on a busy machine."""
CHILDREN = 20
"""Children of a round: each round begins cold, when most is loaded and made for the first time."""
AT_ONCE = 2
"""Children beside each other, and beside the threads."""
THREADS = 8
_FINE, _OTHER = 0, 3
_SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@verifier(isolate=True)
def dies(response: str) -> bool:
    """A function that ends its worker, so that workers start and end all the time."""
    os._exit(1)


@verifier(isolate=True)
def is_short(response: str) -> bool:
    """A function that runs in a worker process."""
    return len(response) < 20


def rows() -> list[tuple[Verifier, str, Any, float]]:
    """A verifier, a completion, its reference and the score that it must get, ten times."""
    code = CodePassRate(timeout=20)
    program = "```python\nprint(int(input()) * 2)\n```"
    return [
        (MathEquivalence(), r"So \boxed{\frac{1}{2}}.", "0.5", 1.0),
        (MathEquivalence(), r"\boxed{(x+1)^2}", "x^2+2x+1", 1.0),
        (MathEquivalence(), "The answer is 43.", "42", 0.0),
        (MultipleChoice(), "The answer is (B).", "B", 1.0),
        (ExactMatch(), r"\boxed{Paris}", "Paris", 1.0),
        (TagFormat(), "<think>a</think>\n<answer>b</answer>", None, 1.0),
        (JsonSchema(), '{"n": 1}', _SCHEMA, 1.0),
        (Regex(r"\d+"), "42", None, 1.0),
        (is_short, "short", None, 1.0),
        (code, program, {"inputs": ["21\n"], "outputs": ["42\n"]}, 1.0),
    ]


def judged(made: Sequence[tuple[Verifier, str, Any, float]]) -> list[str]:
    """What was judged otherwise than it should."""
    verdicts = [(each.verify(text, reference), score) for each, text, reference, score in made]
    return [str(verdict) for verdict, score in verdicts if verdict.score != score]


def one_round(children: int, seed: int) -> dict[str, Any]:
    """Fork children of this process beside threads that verify; what became of them."""
    chance, stop, made = random.Random(seed), threading.Event(), rows()
    threads = [
        threading.Thread(target=_judge_on, args=(made, place, stop.is_set)) for place in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    found: dict[str, Any] = {"fine": 0, "hung": [], "wrong": [], "seconds": []}
    running: dict[int, tuple[float, int]] = {}
    try:
        left = children
        while left or running:
            if left and len(running) < AT_ONCE:
                time.sleep(chance.choice((0.0, 0.001, 0.02, 0.2)) * chance.random())
                left -= 1
                kept = os.memfd_create("said")
                faulthandler.register(signal.SIGUSR1, kept)  # where it hangs, the fork's own hooks included
                child = os.fork()
                if child == 0:
                    _become(made, kept)
                running[child] = time.monotonic(), kept
            else:
                time.sleep(0.005)
            _reap(running, found)
    finally:
        stop.set()
        for child in running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for thread in threads:
            thread.join()
    return found


def _judge_on(made: Sequence[tuple[Verifier, str, Any, float]], place: int, over: Callable[[], bool]) -> None:
    """Judge row after row: some threads all of them, some formulas, and one what ends its worker."""
    formulas, number = place % 2, place
    while not over():
        number += 1
        if place == 0:
            dies.verify(str(number))
        elif formulas:  # of a fresh reference, since what was found of one is kept
            MathEquivalence().verify(rf"\boxed{{{number}+x}}", f"x+{number}")
        else:
            each, text, reference, _ = made[number % len(made)]
            each.verify(f"{' ' * (number % 977)}{text}", reference)


def _become(made: Sequence[tuple[Verifier, str, Any, float]], file: int) -> None:
    """What a child does, whatever the process that it is a copy of was about to do."""
    status = 1
    try:
        wrong = judged(made)
        os.write(file, "; ".join(wrong).encode())
        status = _OTHER if wrong else _FINE
    except BaseException as error:
        os.write(file, f"{type(error).__name__}: {error}".encode())
    finally:
        _close()
        os._exit(status)


def _close() -> None:
    """End what the child has started: it leaves without `atexit`, as children of multiprocessing do."""
    from verifiers.code.engine.local_engine import shared_engine
    from verifiers.runtime.pool import shared_pool

    with contextlib.suppress(Exception):
        shared_pool().close()
        shared_engine().close()


def _reap(running: dict[int, tuple[float, int]], found: dict[str, Any]) -> None:
    for child, (started, file) in list(running.items()):
        ended, status = os.waitpid(child, os.WNOHANG)
        seconds = time.monotonic() - started
        if not ended and seconds < LIMIT:
            continue
        del running[child]
        if not ended:
            os.kill(child, signal.SIGUSR1)
            time.sleep(1)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.lseek(file, 0, os.SEEK_SET)
        said = os.read(file, 1 << 16).decode("utf-8", "replace")
        os.close(file)
        found["seconds"].append(seconds)
        if not ended:
            found["hung"].append(said)
        elif os.waitstatus_to_exitcode(status) == _FINE:
            found["fine"] += 1
        else:
            found["wrong"].append(f"status {os.waitstatus_to_exitcode(status)}: {said}")


def run(children: int, seed: int = 0) -> dict[str, Any]:
    """All rounds, each in a process that starts cold."""
    whole: dict[str, Any] = {"fine": 0, "hung": [], "wrong": [], "seconds": []}
    for start in range(0, children, CHILDREN):
        part = str(min(CHILDREN, children - start))
        command = [sys.executable, "-m", "benchmarks.forks", "--round", part, "--seed", str(seed + start)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        if done.returncode:
            raise RuntimeError(f"a round ended with {done.returncode}: {done.stderr[-2000:]}")
        for name, each in json.loads(done.stdout).items():
            whole[name] += each
    return whole


ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """The command line."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--children", type=int, default=200)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--round", type=int, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.round is not None:
        print(json.dumps(one_round(given.round, given.seed)))
        return
    found = run(given.children, given.seed)
    taken = sorted(found["seconds"])
    print(f"Python {sys.version.split()[0]}: {given.children} children beside {THREADS} threads that verify")
    print(f"finished {found['fine']}, hung {len(found['hung'])}, otherwise {len(found['wrong'])}")
    print(f"seconds of a child: median {taken[len(taken) // 2]:.1f}, most {taken[-1]:.1f}")
    for each in [*found["hung"], *found["wrong"]]:
        print(each)
    sys.exit(1 if found["hung"] or found["wrong"] else 0)


if __name__ == "__main__":
    main()
