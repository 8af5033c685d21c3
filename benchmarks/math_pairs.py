"""Labelled pairs of answers: how often each side is right, how fast it is, and every disagreement.

python benchmarks/math_pairs.py PAIRS.jsonl

Rows: gold, pred, equal, form ("answer" or "text"), source, category, doubtful (left out if true).
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

from verifiers import MathEquivalence, Verdict

WARM = Path(__file__).parent.parent / "fixtures/cases/math_equivalence.jsonl"


def completion(row: dict[str, Any]) -> str:
    """The prediction as a completion: an answer in a box, a text as it is."""
    return str(row["pred"]) if row["form"] == "text" else f"\\boxed{{{row['pred']}}}"


def math_verify(row: dict[str, Any]) -> bool:
    """Math-Verify as its documentation says: the gold in a LaTeX environment, the answer boxed."""
    gold = row["gold"] if "$" in row["gold"] or "\\boxed" in row["gold"] else f"${row['gold']}$"
    configs = [LatexExtractionConfig(), ExprExtractionConfig()]
    return bool(verify(parse(gold, configs), parse(completion(row), configs)))


def timed(
    judge: Callable[[dict[str, Any]], Any], rows: list[dict[str, Any]]
) -> tuple[list[Any], list[float]]:
    """The judgements of all rows, and the seconds of each."""
    found, taken = [], []
    for row in rows:
        started = time.perf_counter()
        found.append(judge(row))
        taken.append(time.perf_counter() - started)
    return found, taken


def report(name: str, right: list[bool], rows: list[dict[str, Any]], taken: list[float]) -> None:
    """Accuracy inside and outside HardVerify-Math, both kinds of error, and the speed."""
    hard = [row["category"].startswith("hard-") for row in rows]
    inside = [one == row["equal"] for one, row, each in zip(right, rows, hard, strict=True) if each]
    outside = [one == row["equal"] for one, row, each in zip(right, rows, hard, strict=True) if not each]
    false_positive = sum(one and not row["equal"] for one, row in zip(right, rows, strict=True))
    false_negative = sum(not one and row["equal"] for one, row in zip(right, rows, strict=True))
    ordered = sorted(taken)
    median, slow = ordered[len(ordered) // 2] * 1e3, ordered[int(len(ordered) * 0.99)] * 1e3
    print(
        f"{name}: {100 * statistics.mean(outside):.2f} % outside HardVerify-Math, "
        f"{100 * statistics.mean(inside):.2f} % in it; {false_positive} false positives, "
        f"{false_negative} false negatives; {len(rows) / sum(taken):,.0f} pairs/s, "
        f"median {median:.2f} ms, p99 {slow:.1f} ms"
    )


def warm(judge: MathEquivalence) -> None:
    """Let both sides load what they load once, with other rows than those that are measured."""
    # Starts the worker, which loads sympy: nobody else reads a sum with a letter for its last term.
    judge.verify(r"\boxed{\sum_{k=1}^n k^3}", r"\frac{n^2(n+1)^2}{4}")
    with open(WARM, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file][::40]
    for case in cases:
        if isinstance(case["completion"], str) and isinstance(case["reference"], str):
            judge.verify(case["completion"], case["reference"])
            math_verify({"gold": case["reference"], "pred": case["completion"], "form": "text"})


def main() -> None:
    """Print both sides' figures, the reasons, and the disagreements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--disagreements", action="store_true", help="print every one")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if not row["doubtful"]]
    judge = MathEquivalence()
    warm(judge)
    verdicts: list[Verdict]
    verdicts, ours = timed(lambda row: judge.verify(completion(row), row["gold"]), rows)
    theirs, other = timed(math_verify, rows)
    report("MathEquivalence", [verdict.passed for verdict in verdicts], rows, ours)
    report("Math-Verify", theirs, rows, other)
    print(f"pairs/s: {sum(other) / sum(ours):.0f} times Math-Verify's")
    unscored = sum(v.score is None and not row["equal"] for v, row in zip(verdicts, rows, strict=True))
    print(f"unequal rows without a score: {unscored}")
    print("reasons:", dict(Counter(verdict.reason for verdict in verdicts).most_common()))
    for verdict, row in zip(verdicts, rows, strict=True) if options.disagreements else ():
        if verdict.passed != row["equal"]:
            print(f"  {row['category']}  {verdict.reason}  {row['gold']!r:.70} | {row['pred']!r:.70}")


if __name__ == "__main__":
    main()
