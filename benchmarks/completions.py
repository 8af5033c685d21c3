"""Agreement with labels, and speed compared with Math-Verify, on a file of labelled completions.

python benchmarks/completions.py COMPLETIONS.jsonl --reference-field gold
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import defaultdict
from importlib.metadata import version
from typing import Any

from math_verify import (
    ExprExtractionConfig,
    LatexExtractionConfig,
    StringExtractionConfig,
    parse,
    verify,
)

from verifiers import MathEquivalence
from verifiers.runtime.pool import shared_pool


def math_verify(completion: str, gold: str) -> bool:
    """Math-Verify as its documentation says: a gold in a LaTeX environment, letters as strings."""
    if gold.isalpha():
        letters = [StringExtractionConfig()]
        return bool(verify(parse(gold, letters), parse(completion, letters)))
    expected = parse(f"${gold}$", [LatexExtractionConfig(), ExprExtractionConfig()])
    return bool(verify(expected, parse(completion)))


def ours(judge: MathEquivalence, rows: list[dict[str, Any]], field: str) -> tuple[float, list[Any]]:
    """Rows per second of one batch, and the verdicts."""
    started = time.perf_counter()
    verdicts = judge.verify_batch([row["completion"] for row in rows], [row[field] for row in rows])
    return len(rows) / (time.perf_counter() - started), verdicts


def theirs(rows: list[dict[str, Any]], field: str) -> tuple[float, list[bool]]:
    """The same for Math-Verify."""
    started = time.perf_counter()
    answers = [math_verify(row["completion"], row[field]) for row in rows]
    return len(rows) / (time.perf_counter() - started), answers


def main() -> None:
    """Print agreement per source, every disagreement, and the ratio of speeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--reference-field", default="gold")
    parser.add_argument("--disagreements", type=int, default=20, help="how many to print")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    field = options.reference_field
    with open(options.file, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    judge = MathEquivalence()
    judge.verify(r"\boxed{\sqrt{8}}", r"2\sqrt{2}")  # both sides start warm
    math_verify(r"\boxed{\sqrt{8}}", r"2\sqrt{2}")

    ratios, speeds = [], []
    for _ in range(options.repeats):
        fast, verdicts = ours(judge, rows, field)
        slow, peer = theirs(rows, field)
        ratios.append(fast / slow)
        speeds.append((fast, slow))

    agreement: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    shown = 0
    for row, verdict, peer_says in zip(rows, verdicts, peer, strict=True):
        if row["label"] is None:
            continue
        counts = agreement[row["source"]]
        counts[0] += 1
        counts[1] += verdict.passed == row["label"]
        counts[2] += peer_says == row["label"]
        if verdict.passed != row["label"] and shown < options.disagreements:
            shown += 1
            print(f"label {row['label']!s:5}  {verdict}  …{row['completion'][-90:]!r}")

    print(f"\n{'source':50} {'rows':>6} {'ours':>8} {'math-verify':>12}")
    for source, (count, right, peer_right) in sorted(agreement.items()):
        print(f"{source:50} {count:6} {100 * right / count:7.2f}% {100 * peer_right / count:11.2f}%")
    fast, slow = speeds[len(speeds) // 2]
    print(
        f"\nrows/s, one process, {len(rows):,} rows, {options.repeats} paired runs: ours {fast:,.0f}, "
        f"math-verify {version('math-verify')} {slow:,.0f}; ratio median {statistics.median(ratios):.1f} "
        f"(min {min(ratios):.1f}, max {max(ratios):.1f})"
    )
    shared_pool().close()


if __name__ == "__main__":
    main()
