"""Ten thousand programs in one process, a fifth of them hostile: does anything leak?

    python -m benchmarks.code_soak [--runs 10000] [--isolation full]

Watched: processes, descriptors, files in the temporary folders and shared memory, and the memory of this
process after a tenth of the runs and at the end. The hostile programs are those of fixtures/attacks/code that
end soon by themselves or by their limits.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from pathlib import Path

from adapters.cli.sandbox import tests_for
from verifiers import CodePassRate
from verifiers.code.engine.local_engine import scratch_folders

ATTACKS = Path(__file__).resolve().parent.parent / "fixtures" / "attacks" / "code"
# These wait for the wall-clock limit, or use a second of processor time: the rest keeps a soak short.
SLOW = (
    "01_ 05_ 13_ 14_ 16_ 42_ 43_ 44_ 46_ 47_ 88_ 103_ 114_ 116_ 118_ 119_ 120_ 122_ 128_ 131_ 136_ 137_"
).split()
HONEST = "def solve(a, b):\n    return (31 * a + 17 * b) % 97 + 3\n"
PRINTING = HONEST + "print(solve(*map(int, input().split())))\n"
BATCH = 50


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--isolation", default="full")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    hostile = [
        path.read_bytes().decode("utf-8", "surrogateescape")
        for path in sorted(ATTACKS.glob("*.py"))
        if not path.name.startswith(tuple(SLOW))
    ]
    chance = random.Random(options.seed)
    verifier = CodePassRate(isolation=options.isolation, timeout=0.3, memory=256)
    shared = set(os.listdir("/dev/shm"))
    first: dict[str, int] = {}
    started, wrong, attacked = time.perf_counter(), 0, 0
    for done in range(0, options.runs, BATCH):
        completions, references, wanted = [], [], []
        for _ in range(BATCH):
            mode = chance.choice(["stdio", "calls", "asserts"])
            cheat = chance.random() < 0.2
            attacked += cheat
            honest = PRINTING if mode == "stdio" else HONEST
            completions.append(f"```python\n{chance.choice(hostile) if cheat else honest}\n```")
            references.append(tests_for(mode))
            wanted.append(0.0 if cheat else 1.0)
        verdicts = verifier.verify_batch(completions, references)
        for verdict, score in zip(verdicts, wanted, strict=True):
            if verdict.score != score:
                wrong += 1
                print(f"  wanted {score}, got {verdict} {verdict.detail}")
        if done == options.runs // 10:
            first = _state()
    last = _state()
    minutes = (time.perf_counter() - started) / 60
    print(
        f"{options.runs} programs, {attacked} of them hostile, isolation {options.isolation}: "
        f"{minutes:.1f} minutes"
    )
    print(f"wrong verdicts: {wrong}")
    for what, now in last.items():
        print(f"{what}: {first[what]} after a tenth, {now} at the end")
    print(f"new files in /dev/shm: {sorted(set(os.listdir('/dev/shm')) - shared)}")


def _state() -> dict[str, int]:
    children = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and _parent(pid) == os.getpid()]
    below = [pid for pid in os.listdir("/proc") if pid.isdigit() and _parent(pid) in children]
    status = Path("/proc/self/status").read_text()
    resident = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return {
        "launchers": len(children),
        "processes below them": len(below),
        "open descriptors": len(os.listdir("/proc/self/fd")),
        "files in working folders": sum(len(os.listdir(folder)) for folder in scratch_folders()),
        "memory of this process in MiB": int(resident) >> 10,
    }


def _parent(pid: str) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


if __name__ == "__main__":
    main()
