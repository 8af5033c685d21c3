"""Witnesses of all verdicts on the rows at hand, and how many of them the independent check confirms.

python -m benchmarks.witnesses [--pairs PAIRS.jsonl] [--cases MATH.jsonl] [--write OUT.jsonl] [--show]

Rows: those of `fixtures/` that MathEquivalence judges, and files of pairs (`benchmarks/math_pairs.py`) or of
cases with ``completion``, ``reference``, ``prompt`` and ``expected``. A proof on a row that is labelled equal
is printed: it is a false proof, or a wrong label.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.witness_check import check
from verifiers import MathEquivalence

FIXTURES = Path(__file__).parent.parent / "fixtures"


class Row(NamedTuple):
    """What is judged, how, and whether it is labelled equal."""

    completion: Any
    reference: Any
    fields: dict[str, Any]
    options: dict[str, Any]
    equal: bool


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def at_hand() -> Iterator[Row]:
    """The rows of `fixtures/`."""
    paths = [*sorted((FIXTURES / "cases").glob("*.jsonl")), *sorted((FIXTURES / "own_rows").glob("*.jsonl"))]
    for path in paths:
        for row in lines(path):
            spec = row.get("spec", {})
            name = row.get("verifier", path.stem)
            options = spec.get("MathEquivalence") if isinstance(spec, dict) else None
            if name not in ("MathEquivalence", "math_equivalence", "units") and options is None:
                continue
            if "reference" not in row or any(
                isinstance(each, dict | list) for each in (options or {}).values()
            ):
                continue
            fields = {"prompt": row["prompt"]} if row.get("prompt") else dict(row.get("fields") or {})
            label = row.get("expected", row.get("score"))
            yield Row(row["completion"], row["reference"], fields, options or {}, label == 1)


def from_pairs(path: Path) -> Iterator[Row]:
    """A file of pairs."""
    for row in lines(path):
        boxed = row["pred"] if row["form"] == "text" else f"\\boxed{{{row['pred']}}}"
        yield Row(boxed, row["gold"], {}, {}, row["equal"] and not row["doubtful"])


def from_cases(path: Path) -> Iterator[Row]:
    """A file of cases."""
    for row in lines(path):
        fields = {"prompt": row["prompt"]} if row["prompt"] else {}
        equal = row["expected"] == 1 and not row["doubtful"]
        yield Row(row["completion"], row["reference"], fields, {}, equal)


def main() -> None:
    """Print the shares by reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, action="append", default=[])
    parser.add_argument("--cases", type=Path, action="append", default=[])
    parser.add_argument("--write", type=Path, help="where the witnesses go, one a line")
    parser.add_argument("--show", action="store_true", help="print what is not confirmed")
    options = parser.parse_args()
    rows = [*at_hand()]
    rows += [row for path in options.pairs for row in from_pairs(path)]
    rows += [row for path in options.cases for row in from_cases(path)]
    counted: Counter[str] = Counter()
    confirmed: Counter[str] = Counter()
    taken = 0.0
    with (options.write or Path("/dev/null")).open("w", encoding="utf-8") as file:
        for row in rows:
            verdict = MathEquivalence(**row.options).verify(
                row.completion, row.reference, witness=True, **row.fields
            )
            if not verdict.reason.startswith(("proved_", "equal_")):
                continue
            counted[verdict.reason] += 1
            about = f"{verdict.expected!r:.60} | {verdict.extracted!r:.60}"
            if verdict.witness is not None:
                file.write(json.dumps(verdict.witness, ensure_ascii=False) + "\n")
            started = time.process_time()
            problem = "no witness" if verdict.witness is None else check(verdict.witness)
            taken += time.process_time() - started
            confirmed[verdict.reason] += not problem
            if problem and options.show:
                print(f"  {verdict.reason}: {problem}: {about}")
            if row.equal and verdict.reason.startswith("proved_"):
                print(f"  labelled equal: {about}")
    print(f"{len(rows):,} rows; the check takes {1e3 * taken / max(1, counted.total()):.1f} ms a witness")
    for reason, count in counted.most_common():
        print(f"{reason}: {confirmed[reason]:,} of {count:,} confirmed")


if __name__ == "__main__":
    main()
