"""Do the intervals of ``verify-cli trust`` hold the truth, and does it find planted wrong references?

python -m benchmarks.trust DATA [--splits 40] [--rows 400] [--labels 100] [--references [--seed 0]]

DATA is a folder with labelled sets: ``completions.jsonl`` (GSM8K), ``korean_completions.jsonl`` (LogicKor),
``chinese_completions.jsonl`` (GAOKAO), and in ``field/`` ``qa_evouna_human.jsonl.gz`` and
``math_mathvista_outputs.jsonl.gz``. A split is a random part of one set, of one system where the set names
systems. Labels are shown only for rows that are asked for. With ``--references`` one reference in ten is
replaced by another question's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from adapters.certify.suspects import suspects
from adapters.certify.trusting import Rollout, judged_by, trust_by
from adapters.certify.witnesses import kind_of_rows, references_of, votes_of
from rewards import load_recipe

RECIPES = {"maths": "MathEquivalence", "choice": "MultipleChoice", "words": "ShortAnswer"}
ROUND = 20
"""Labels that are asked for at a time."""


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file."""
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        yield from map(json.loads, file)


def pools(data: Path) -> dict[str, list[Rollout]]:
    """Labelled rollouts, by set and system or kind."""
    found: dict[str, list[Rollout]] = {}

    def add(name: str, row: dict[str, Any], reference: str, group: object) -> None:
        if row["label"] is not None and row["completion"]:
            # EVOUNA writes several accepted answers in one text.
            gold = row[reference].split("/") if name.startswith("EVOUNA") else row[reference]
            rollout = Rollout(row["completion"], gold, row.get("prompt"), group, bool(row["label"]))
            found.setdefault(name, []).append(rollout)

    for row in read(data / "field" / "qa_evouna_human.jsonl.gz"):
        add(f"EVOUNA {row['system']}", row, "reference", row["prompt"])
    for row in read(data / "field" / "math_mathvista_outputs.jsonl.gz"):
        if not row.get("choices"):
            add("MathVista", row, "reference", row["id"].rpartition("-")[2])
    for row in read(data / "korean_completions.jsonl"):
        if "LogicKor" in row["source"]:
            add(f"LogicKor {row['kind']}", row, "reference", row["prompt"])
    for row in read(data / "chinese_completions.jsonl"):
        add(f"GAOKAO {row['kind']}", row, "reference", row["prompt"])
    seen: Counter[str] = Counter()
    completions = list(read(data / "completions.jsonl"))
    random.Random(0).shuffle(completions)
    for row in completions:
        # The questions are not there: up to eight completions with one reference stand for one question.
        if "gsm8k" in row["source"] or "grade-school" in row["source"]:
            seen[row["gold"]] += 1
            add("GSM8K", row, "gold", (row["gold"], seen[row["gold"]] // 8))
    return {name: rows for name, rows in found.items() if len(rows) >= 150}


def covered(rows: list[Rollout], labels: int) -> dict[str, tuple[bool, float]]:
    """Whether the intervals hold the truth, and how wide they are."""
    kind = kind_of_rows(rows)
    judged = judged_by(load_recipe(RECIPES[kind]), rows)
    votes = votes_of(judged)
    truth = [bool(each.label) for each in judged]
    shown = [replace(each, label=None) for each in judged]
    found = trust_by(shown, votes, min(ROUND, labels))
    known = 0
    while known < labels and found.ask:
        for place in found.ask:
            shown[place] = replace(shown[place], label=truth[place])
        known += len(found.ask)
        found = trust_by(shown, votes, min(ROUND, labels - known))
    verdicts = [
        (each.paid, right) for each, right in zip(judged, truth, strict=True) if each.paid is not None
    ]
    result = {}
    for name, paid in (("wrong_payments", True), ("wrong_refusals", False)):
        share = sum(verdict is paid and right is not paid for verdict, right in verdicts) / len(verdicts)
        interval = getattr(found, name)
        result[name] = (interval.low - 1e-9 <= share <= interval.high + 1e-9, interval.high - interval.low)
    return result


def planted(rows: list[Rollout], seed: int) -> tuple[int, int, int, int]:
    """How many references were replaced, are found at half precision, are named, and could be found at all.

    What agreement can find are questions of which two completions are right, by the labels.
    """
    rng = random.Random(seed)
    by_group: dict[Any, list[int]] = {}
    for place, each in enumerate(rows):
        by_group.setdefault(each.group, []).append(place)
    groups = [group for group, places in by_group.items() if len(places) >= 3]
    chosen = dict.fromkeys(rng.sample(groups, max(1, len(groups) // 10)))  # in an order, unlike a set
    changed = list(rows)
    for group in chosen:
        own = references_of(rows[by_group[group][0]])
        other = next(
            rows[by_group[each][0]].reference
            for each in rng.sample(groups, len(groups))
            if references_of(rows[by_group[each][0]]) != own
        )
        for place in by_group[group]:
            changed[place] = replace(rows[place], reference=other)
    judged = judged_by(
        load_recipe(RECIPES[kind_of_rows(rows)]), [replace(each, label=None) for each in changed]
    )
    named = suspects(judged)
    hits = best = 0
    for count, each in enumerate(named, 1):
        hits += judged[each.row].group in chosen
        if hits * 2 >= count:
            best = hits
    knowable = sum(sum(bool(rows[place].label) for place in by_group[group]) >= 2 for group in chosen)
    return len(chosen), best, len(named), knowable


def main() -> None:
    """Print coverage and widths, or what is found of planted references."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--splits", type=int, default=40)
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--labels", type=int, default=100)
    parser.add_argument("--references", action="store_true")
    parser.add_argument("--seed", type=int, default=0, help="which references are replaced")
    options = parser.parse_args()
    sets = pools(options.data)
    if options.references:
        total = hits = 0
        sets["EVOUNA"] = [each for name, rows in sets.items() if name.startswith("EVOUNA") for each in rows]
        for name, rows in sets.items():
            if name in ("GSM8K", "MathVista", "EVOUNA", "LogicKor math"):
                count, found, named, knowable = planted(rows, options.seed)
                total, hits = total + count, hits + found
                print(f"{name:20} {count} replaced, two or more right answers to {knowable}, "
                      f"{found} found at half precision, {named} named")  # fmt: skip
        print(f"{hits} of {total} found, {hits / total:.0%}")
        return
    names = sorted(sets)
    inside: list[bool] = []
    widths: list[float] = []
    for split in range(options.splits):
        name = names[split % len(names)]
        rows = random.Random(split).sample(sets[name], min(options.rows, len(sets[name])))
        found = covered(rows, options.labels)
        inside += [each[0] for each in found.values()]
        widths += [each[1] for each in found.values()]
        shown = ", ".join(
            f"{key} {'holds' if ok else 'MISSES'} {width:.3f}" for key, (ok, width) in found.items()
        )
        print(f"{name:20} {len(rows)} rows  {shown}", flush=True)
    print(f"{mean(inside):.1%} of {len(inside)} intervals hold the truth, mean width {mean(widths):.3f}")


if __name__ == "__main__":
    main()
