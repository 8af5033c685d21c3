"""How often `InstructionFollowing` agrees with the official verdicts on IFEval, IFBench and M-IFEval rows.

    python -m benchmarks.instructions [FOLDER] [--counting right] [--loose] [--by-kind] [--half 0] [--show ID]

FOLDER (default ../shared/data/field) holds `if_mifeval_official.jsonl.gz` and `if_ifbench_official.jsonl.gz`,
one JSON object a line: completion, instructions, kwargs, strict, loose, and language where it is not English.
The table has a line for each language (and each kind, with --by-kind): instructions, how many of them were
not judged, and the share of the others on which the two agree. With --counting right the disagreements are
the differences that docs/instructions.md lists.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifiers import InstructionFollowing

FILES = ("if_mifeval_official", "if_ifbench_official")


def rows_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of both files, each with its language."""
    for name in FILES:
        path = folder / f"{name}.jsonl.gz"
        if not path.exists():
            sys.exit(f"{path} is not there; name the folder that holds {' and '.join(FILES)}")
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                yield {**row, "language": row.get("language") or "IFBench"}


def half_of(row: dict[str, Any]) -> int:
    """To which random half a row belongs."""
    return hashlib.sha256(("half:" + str(row["id"])).encode()).digest()[0] % 2


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data/field"))
    parser.add_argument("--counting", choices=("official", "right"), default="official")
    parser.add_argument("--loose", action="store_true", help="against the loose verdicts")
    parser.add_argument("--by-kind", action="store_true", help="a line for each kind, too")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only one random half of the rows")
    parser.add_argument("--show", default="", help="print the disagreements of a kind")
    options = parser.parse_args()
    reading = "loose" if options.loose else "strict"
    judge = InstructionFollowing(counting=options.counting, reading=reading)  # type: ignore[arg-type]
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    total, started = 0, time.process_time()
    for row in rows_of(options.folder):
        if options.half is not None and half_of(row) != options.half:
            continue
        total += 1
        reference = {"instruction_id_list": row["instructions"], "kwargs": row["kwargs"]}
        verdict = judge.verify(row["completion"] or "", reference, prompt=row["prompt"])
        for part, name, official in zip(verdict.parts, row["instructions"], row[reading], strict=True):
            what = (
                "not judged"
                if part.score is None
                else "same"
                if bool(part.score) is bool(official)
                else "other"
            )
            for key in ((row["language"], ""), (row["language"], name)):
                counts[key][what] += 1
            if what == "other" and options.show and options.show in name:
                print(f"{row['id']} {name}: ours {part.score}, official {official}: {part.detail}")
                print(f"    {str(row['completion'])[:300]!r}")
    seconds = time.process_time() - started
    print(f"{'':52} {'instructions':>12} {'not judged':>11} {'other':>6} {'agreement':>10}")
    for (language, name), found in sorted(counts.items()):
        if not name or options.by_kind or (found["not judged"] and options.counting == "official"):
            judged = found["same"] + found["other"]
            share = f"{100 * found['same'] / judged:.2f} %" if judged else "-"
            title = f"  {name}" if name else language
            print(f"{title:52} {found.total():12,} {found['not judged']:11,} {found['other']:6,} {share:>10}")
    print(f"{total:,} rows in {seconds:.1f} s of processor time")


if __name__ == "__main__":
    main()
