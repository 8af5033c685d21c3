"""Rows written by hand before the code was read: how many are judged as a fair reader would.

python -m benchmarks.own_rows fixtures/own_rows/first.jsonl [--show] [--verifier MathEquivalence]

A row has ``verifier``, ``completion``, ``reference``, ``prompt``, ``expected`` (1 or 0), ``kind``, ``lang``.
With ``references``, a list, it is an exploit: at most one of them may pay. For LanguageConsistency the
reference is the language, 1 asks for 0.9 and more, and 0 for less than 0.5; ``parse_number`` is the function.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import Any

import verifiers
from verifiers.korean import parse_number

PAID = 0.999
FLUENT, MIXED = 0.9, 0.5


@cache
def judge(name: str, *arguments: str) -> verifiers.Verifier:
    """The verifier of that name, as it comes."""
    made: verifiers.Verifier = getattr(verifiers, name)(*arguments)
    return made


def score(row: dict[str, Any], reference: Any) -> float:
    """What a row's completion scores; 0.0 where nothing does."""
    fields = {each: row[each] for each in ("prompt", "refuse") if row.get(each) is not None}
    asked = [str(reference)] if row["verifier"] == "LanguageConsistency" else []
    return judge(row["verifier"], *asked).verify(row["completion"], reference, **fields).score or 0.0


def judged(row: dict[str, Any]) -> tuple[bool, bool]:
    """Whether a row is judged rightly, and whether it is paid wrongly."""
    if "references" in row:
        several = sum(score(row, each) >= PAID for each in row["references"]) > 1
        return not several, several
    if row["verifier"] == "parse_number":
        wanted = None if row["reference"] is None else Fraction(row["reference"])
        return (parse_number(row["completion"]) == wanted) == bool(row["expected"]), False
    found = score(row, row.get("reference"))
    if row["verifier"] == "LanguageConsistency":
        return (found >= FLUENT, False) if row["expected"] else (found < MIXED, found >= MIXED)
    return (found >= PAID) == bool(row["expected"]), found >= PAID and not row["expected"]


def main() -> None:
    """Print the shares by verifier, kind and language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--verifier", help="only its rows")
    parser.add_argument("--show", action="store_true", help="print every row that is judged wrongly")
    options = parser.parse_args()
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    with open(options.file, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in rows:
        if options.verifier not in (None, row["verifier"]):
            continue
        right, paid = judged(row)
        for key in (
            "all",
            row["verifier"],
            f"kind {row.get('kind', 'exploit')}",
            f"lang {row.get('lang', '-')}",
        ):
            totals[key][0] += 1
            totals[key][1] += right
            totals[key][2] += paid
        if options.show and not right:
            said = "paid" if paid else "refused"
            print(f"{said} {row['id']}: {row['completion']!r:.200} for {row.get('reference')!r:.80}")
    for key, (count, right, paid) in sorted(totals.items()):
        print(f"{key:26} {count:5} rows  {100 * right / count:5.1f} % right  {paid} wrongly paid")


if __name__ == "__main__":
    main()
