"""How often short answers, refusals and a cascade are judged as people judged them.

    python -m benchmarks.answers [FOLDER] [--half 0] [--show short] [--only cascade] [--curve OUT.png]

FOLDER (default ../shared/data/field) holds the four sets of `FILES`, each as .jsonl.gz. Rows are halved by
their question: the first half was looked at while the rules were made, the second one only measured. Beside
each verifier stands what it is compared with (for answers: whether a reference is contained, in five lines,
and `ExactMatch`), each with its processor time. The cascade asks the labels themselves, as the best of judges
would answer, under growing budgets.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from verifiers import Cascade, ExactMatch, Judge, Refusal, ShortAnswer

FILES = ("qa_evouna_human", "qa_nq301_human", "refusal_xstest_human", "refusal_donotanswer_human")
BUDGETS = (0.0, 0.05, 0.1, 0.2, 0.3)
HALVES = ("looked at", "only measured")


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a set that have a label."""
    path = folder / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is not there; see `python -m benchmarks.answers --help`")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [row for row in map(json.loads, file) if row["label"] is not None]


def half_of(row: dict[str, Any]) -> int:
    """To which half a row belongs: all rows of a question to the same."""
    return int(hashlib.sha256(("x" + row["prompt"]).encode()).hexdigest(), 16) % 2


def references(row: dict[str, Any]) -> list[str]:
    """The accepted answers; EVOUNA writes them in one text."""
    found = row["reference"]
    return found.split("/") if isinstance(found, str) else list(found)


def contained(completion: str, accepted: Sequence[str]) -> bool:
    """The five lines that answers are compared with."""

    def plain(text: str) -> str:
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", re.sub(r"[^\w\s]", "", text.lower())).split())

    return any(plain(each) and plain(each) in plain(completion) for each in accepted)


def line(name: str, rows: Sequence[dict[str, Any]], judge: Callable[[], Sequence[bool]]) -> Sequence[bool]:
    """Print how often a judge agrees with the labels, and what it takes."""
    started = time.process_time()
    paid = judge()
    each = (time.process_time() - started) / max(1, len(rows)) * 1e6
    agree = sum(pay == row["label"] for pay, row in zip(paid, rows, strict=True)) / len(rows)
    wrong = [pay for pay, row in zip(paid, rows, strict=True) if not row["label"]]
    share = sum(wrong) / len(wrong)
    print(f"  {name:20} {agree:7.2%} agree", end="  ")
    print(f"{sum(wrong):4} of {len(wrong)} wrong paid ({share:.2%})  {each:5.0f} us")
    return paid


def short_answers(rows: Sequence[dict[str, Any]], show: bool) -> None:
    """`ShortAnswer` beside containment and `ExactMatch`."""
    texts = [row["completion"] for row in rows]
    accepted = [references(row) for row in rows]
    prompts = [row["prompt"] for row in rows]
    line("contained", rows, lambda: [contained(text, due) for text, due in zip(texts, accepted, strict=True)])
    exact = ExactMatch(normalize="squad")
    line("ExactMatch(squad)", rows, lambda: [each.passed for each in exact.verify_batch(texts, accepted)])
    made = []

    def ours() -> list[bool]:
        made.extend(ShortAnswer().verify_batch(texts, accepted, prompt=prompts))
        return [each.passed for each in made]

    paid = line("ShortAnswer", rows, ours)
    for pay, row, verdict in zip(paid, rows, made, strict=True):
        if show and pay != row["label"]:
            said = f"{row['prompt']!r} {references(row)[:3]} {row['completion'][:120]!r}"
            print(f"    {row['label']!s:5} {verdict.reason:16} {said}")


def refusals(name: str, rows: Sequence[dict[str, Any]]) -> None:
    """`Refusal`: refusals that are found, and compliances that are called one."""
    started = time.process_time()
    made = Refusal().verify_batch(
        [row["completion"] for row in rows],
        None,
        refuse=[True] * len(rows),
        prompt=[row["prompt"] for row in rows],
    )
    each = (time.process_time() - started) / max(1, len(rows)) * 1e6
    found = [verdict.reason == "refused" for verdict, row in zip(made, rows, strict=True) if row["label"]]
    wrong = [verdict.reason == "refused" for verdict, row in zip(made, rows, strict=True) if not row["label"]]
    share, called = sum(found) / len(found), sum(wrong) / max(1, len(wrong))
    print(f"  {name:20} {sum(found)} of {len(found)} refusals found ({share:.2%})", end="  ")
    print(f"{sum(wrong)} of {len(wrong)} others called one ({called:.2%})  {each:5.0f} us")


LABELS: dict[str, float] = {}
"""The labels of the rows, for `by_label`."""


def by_label(response: str, prompt: str) -> float | None:
    """The judge of the cascade: what people said."""
    return LABELS.get(f"{prompt}\0{response}")


def cascade(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """Agreement under each budget."""
    LABELS.update({f"{row['prompt']}\0{row['completion']}": float(row["label"]) for row in rows})
    judge = Judge(function="benchmarks.answers:by_label")
    for budget in BUDGETS:
        made = Cascade(ShortAnswer(), judge, budget=budget).verify_batch(
            [row["completion"] for row in rows],
            [references(row) for row in rows],
            prompt=[row["prompt"] for row in rows],
        )
        asked = sum(verdict.reason == "asked" for verdict in made) / len(rows)
        agree = sum(verdict.passed == row["label"] for verdict, row in zip(made, rows, strict=True)) / len(
            rows
        )
        print(f"  budget {budget:4.0%}: {asked:6.2%} of the rows asked, {agree:.2%} agree")
        yield asked, agree


def plot(points: Sequence[tuple[float, float]], out: Path) -> None:
    """The curve of agreement against the share of rows that are asked about."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 3))
    axes.plot([100 * asked for asked, _ in points], [100 * agree for _, agree in points], marker="o")
    axes.set_xlabel("rows that the judge is asked about, %")
    axes.set_ylabel("agreement with people, %")
    figure.tight_layout()
    figure.savefig(out, dpi=120)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data/field"))
    parser.add_argument("--half", type=int, choices=(0, 1), help="only one half of the questions")
    parser.add_argument("--show", choices=("short",), help="print the disagreements of short answers")
    parser.add_argument("--only", choices=("cascade",), help="the cascade's curve alone")
    parser.add_argument("--curve", type=Path, help="where the cascade's curve is drawn")
    options = parser.parse_args()
    halves = (0, 1) if options.half is None else (options.half,)
    for name in () if options.only else FILES:
        rows = rows_of(options.folder, name)
        for half in halves:
            part = [row for row in rows if half_of(row) == half]
            print(f"{name}, {len(part)} rows {HALVES[half]}")
            if name.startswith("qa_"):
                short_answers(part, options.show == "short")
            else:
                refusals("Refusal", part)
    print("cascade on EVOUNA, asking the labels")
    points = list(cascade(rows_of(options.folder, "qa_evouna_human")))
    if options.curve is not None:
        plot(points, options.curve)


if __name__ == "__main__":
    # As the module that `by_label` is looked up in, which is another one than the script.
    from benchmarks.answers import main as run

    run()
