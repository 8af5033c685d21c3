"""Agreement with labels on completions of real models, by source and kind of answer.

python benchmarks/real_answers.py COMPLETIONS.jsonl [MORE.jsonl ...] [--show] [--kind math]

A row: `id`, `source`, `kind` (`math`, `choice` or `text`), `completion`, `reference`, `label` (true, false
or null), and `prompt`, the question.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from typing import Any

from verifiers import ExactMatch, MathEquivalence, MultipleChoice, Verdict, Verifier
from verifiers.runtime.pool import shared_pool

JUDGES: dict[str, Verifier] = {"math": MathEquivalence(), "choice": MultipleChoice(), "text": ExactMatch()}
_SHOWN = 160
"""Characters of a completion's end that are printed."""


def judged(judge: Verifier, rows: list[dict[str, Any]]) -> list[Verdict]:
    """The verdicts of all rows of one kind, in one batch, each with its question where it has one."""
    texts, references = [row["completion"] for row in rows], [row["reference"] for row in rows]
    return list(judge.verify_batch(texts, references, prompt=[row.get("prompt") for row in rows]))


def source(row: dict[str, Any]) -> str:
    """The repository that a row comes from, without the model."""
    return str(row.get("source", "-")).partition(":")[0]


def main() -> None:
    """Print agreement, and with --show each disagreement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+")
    parser.add_argument("--kind", choices=sorted(JUDGES), action="append", help="only rows of this kind")
    parser.add_argument("--show", action="store_true", help="print each disagreement")
    options = parser.parse_args()
    rows = []
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            rows += [json.loads(line) for line in file]
    table: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    spent = time.process_time()
    for kind in options.kind or JUDGES:
        chosen = [row for row in rows if row["kind"] == kind and row["label"] is not None]
        for row, verdict in zip(chosen, judged(JUDGES[kind], chosen), strict=True):
            counts = table[source(row), kind]
            counts[0] += 1
            counts[1] += verdict.passed == row["label"]
            counts[2] += verdict.passed and not row["label"]
            counts[3] += row["label"] and not verdict.passed
            if options.show and verdict.passed != row["label"]:
                end = row["completion"][-_SHOWN:]
                print(f"label {row['label']!s:5} {row.get('id', '-')}  {verdict}  …{end!r}")
    spent = time.process_time() - spent
    print(f"{'source':40} {'kind':7} {'rows':>6} {'agree':>8} {'wrongly paid':>13} {'wrongly unpaid':>15}")
    for (name, kind), (count, right, paid, unpaid) in sorted(table.items()):
        print(f"{name:40} {kind:7} {count:6} {100 * right / count:7.2f}% {paid:13} {unpaid:15}")
    total = sum(counts[0] for counts in table.values())
    paid = sum(counts[2] for counts in table.values())
    share = 1000 * paid / max(1, total)
    print(
        f"\n{total:,} rows, {paid} wrongly paid ({share:.1f} in 1,000), {spent:.1f} s of processor time here"
    )
    shared_pool().close()


if __name__ == "__main__":
    main()
