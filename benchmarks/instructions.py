"""How often `InstructionFollowing` agrees with the official verdicts on IFEval, IFBench and M-IFEval rows.

    python -m benchmarks.instructions [FOLDER] [--counting right] [--loose] [--by-kind] [--half 0] [--show ID]
    python -m benchmarks.instructions [FOLDER] --differences      the table of docs/instructions.md

FOLDER (default ../shared/data/field) holds `if_mifeval_official.jsonl.gz` and `if_ifbench_official.jsonl.gz`,
one JSON object a line: completion, instructions, kwargs, strict, loose, and language where it is not English.
The table has a line for each language (and each kind, with --by-kind): instructions, how many of them were
not judged, and the share of the others on which the two agree. With --counting right the disagreements are
the differences that docs/instructions.md lists; --differences prints that list with how many there are of
each, and fails where a kind that is not on it disagrees more often than by the official counting.
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

from verifiers import InstructionFollowing, Verdict
from verifiers.instructions.kinds import split_id

DIFFERENCES = Path(__file__).parents[1] / "fixtures" / "instructions" / "differences.jsonl"
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


def judged(
    options: argparse.Namespace, counting: Any, reading: Any
) -> Iterator[tuple[dict[str, Any], str, Verdict, bool]]:
    """Each instruction of each row: the row, its id, our verdict and the official one."""
    judge = InstructionFollowing(counting=counting, reading=reading)
    for row in rows_of(options.folder):
        if options.half is not None and half_of(row) != options.half:
            continue
        reference = {"instruction_id_list": row["instructions"], "kwargs": row["kwargs"]}
        verdict = judge.verify(row["completion"] or "", reference, prompt=row["prompt"])
        for name, part, official in zip(row["instructions"], verdict.parts, row[reading], strict=True):
            yield row, name, part, official


def others(options: argparse.Namespace, counting: str) -> Counter[str]:
    """How many instructions of each kind get another verdict than the official one."""
    return Counter(
        kind_of(name)
        for _, name, part, official in judged(options, counting, "strict")
        if part.score is not None and bool(part.score) is not bool(official)
    )


def kind_of(name: str) -> str:
    """An id without the language in front."""
    return split_id(name)[1]


def print_differences(counts: Counter[str], left: Counter[str]) -> None:
    """The page's table, with how many instructions of each kind get another verdict by the right counting."""
    print("| kind | official | right | rows |\n|---|---|---|---|")
    listed = set()
    for line in DIFFERENCES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kinds = {kind_of(name) for name in row["kinds"]}
        listed |= kinds
        names = ", ".join(f"`{name}`" for name in row["kinds"])
        print(f"| {names} | {row['official']} | {row['right']} | {sum(counts[each] for each in kinds)} |")
    others = [name for name in counts if name not in listed and counts[name] > left[name]]
    if others:
        sys.exit(f"these kinds differ and are not listed: {', '.join(others)}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data/field"))
    parser.add_argument("--counting", choices=("official", "right"), default="official")
    parser.add_argument("--loose", action="store_true", help="against the loose verdicts")
    parser.add_argument("--by-kind", action="store_true", help="a line for each kind, too")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only one random half of the rows")
    parser.add_argument("--show", default="", help="print the disagreements of a kind")
    parser.add_argument("--differences", action="store_true", help="the table of docs/instructions.md")
    options = parser.parse_args()
    if options.differences:
        print_differences(*(others(options, counting) for counting in ("right", "official")))
        return
    reading = "loose" if options.loose else "strict"
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    seen, started = set(), time.process_time()
    for row, name, part, official in judged(options, options.counting, reading):
        seen.add(row["id"])
        what = "other"
        if part.score is None or bool(part.score) is bool(official):
            what = "not judged" if part.score is None else "same"
        for key in ((row["language"], ""), (row["language"], name)):
            counts[key][what] += 1
        if what == "other" and options.show and options.show in name:
            print(f"{row['id']} {name}: ours {part.score}, official {official}: {part.detail}")
            print(f"    {str(row['completion'])[:300]!r}")
    seconds = time.process_time() - started
    print(f"{'':52} {'instructions':>12} {'not judged':>11} {'other':>6} {'agreement':>10}")
    for (language, name), found in sorted(counts.items()):
        if not name or options.by_kind or (found["not judged"] and options.counting == "official"):
            told = found["same"] + found["other"]
            share = f"{100 * found['same'] / told:.2f} %" if told else "-"
            title = f"  {name}" if name else language
            print(f"{title:52} {found.total():12,} {found['not judged']:11,} {found['other']:6,} {share:>10}")
    print(f"{len(seen):,} rows in {seconds:.1f} s of processor time")


if __name__ == "__main__":
    main()
