"""`verify-cli diff` of two large scored files: time and peak memory, in the same order and shuffled.

python -m benchmarks.diff_speed --rows 1000000
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GROUP = 8
"""Completions of a prompt."""


def scored_file(path: Path, rows: int, seed: int, shuffled: bool) -> Path:
    """Scored rows as `verify-cli score` writes them: two parts, some 1 kB each."""
    chance = random.Random(seed)
    step = 1
    if shuffled:  # any step without a common factor visits all rows
        step = next(each for each in range(rows // 3 | 1, rows) if rows % each and _coprime(each, rows))
    with path.open("w", encoding="utf-8") as file:
        for place in range(rows):
            number = place * step % rows
            right = (number * 7919) % 10 < 6
            if chance.random() < 0.03:
                right = not right
            text = f"She had {number} and got {number} more, twice that day. " * 8 + f"\n#### {2 * number}"
            verdict = {
                "verifier": "MathEquivalence", "status": "scored", "score": float(right),
                "reason": "equal_text" if right else "not_equal", "extracted": str(2 * number),
                "span": [420, 430], "expected": str(2 * number),
            }  # fmt: skip
            form = {"verifier": "TagFormat", "status": "scored", "score": 1.0, "reason": "well_formed"}
            row = {
                "id": number, "prompt": f"How many has she after day {number // GROUP}?", "completion": text,
                "answer": str(2 * number), "source": "abcd"[number // GROUP % 4], "reward": 1.5 * right,
                "reward_parts": {"accuracy": float(right), "format": 1.0}, "verdicts": [verdict, form],
                "verdict_parts": ["accuracy", "format"], "signature": "r1_zero|reward-verifiers:0.1.0",
            }  # fmt: skip
            file.write(json.dumps(row) + "\n")
    return path


def _coprime(one: int, other: int) -> bool:
    while other:
        one, other = other, one % other
    return one == 1


def measure(first: Path, second: Path) -> tuple[float, float, float, dict[str, object]]:
    """Seconds of wall clock and of processor, peak MiB, and what was found."""
    code = (
        "import resource, subprocess, sys\n"
        "out = subprocess.run(sys.argv[1:], check=True, capture_output=True).stdout\n"
        "use = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "sys.stderr.write(f'{use.ru_maxrss} {use.ru_utime + use.ru_stime}')\n"
        "sys.stdout.buffer.write(out)"
    )
    command = [sys.executable, "-m", "adapters.cli", "diff", str(first), str(second), "--json"]
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-S", "-c", code, *command], capture_output=True, check=True)
    seconds = time.perf_counter() - started
    peak, processor = map(float, done.stderr.split())
    return seconds, processor, peak / 1024, json.loads(done.stdout)


def main() -> None:
    """Measure both orders."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--orders", nargs="+", choices=("same", "shuffled"), default=["same", "shuffled"])
    options = parser.parse_args()
    print(f"{'order':10} {'rows':>10} {'seconds':>8} {'processor':>9} {'MiB':>7}")
    with tempfile.TemporaryDirectory() as folder:
        first = scored_file(Path(folder, "a.jsonl"), options.rows, 1, False)
        for order in options.orders:
            second = scored_file(Path(folder, "b.jsonl"), options.rows, 2, order == "shuffled")
            seconds, processor, peak, found = measure(first, second)
            print(
                f"{order:10} {options.rows:10,} {seconds:8.1f} {processor:9.1f} {peak:7.0f}", found["pairs"]
            )


if __name__ == "__main__":
    main()
