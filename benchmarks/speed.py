"""How many times faster than Math-Verify, in one run, both sides in turns, by processor time.

    python -m benchmarks.speed DATA                     print the table
    python -m benchmarks.speed DATA --write             put it in docs/measured.md, too
    python -m benchmarks.speed DATA --only pairs think  some of the sets

DATA is a folder with `math_pairs.jsonl`, `completions.jsonl` and `korean_completions.jsonl`; a set whose
file is not there is left out. Every turn takes other rows, so nothing that was remembered of a row helps when
it is measured; within a turn both sides judge the same rows, and who goes first alternates. Time is processor
time, that of workers included. A ratio is theirs by ours: its least, median and largest over the turns are
shown. Both sides start warm: one turn of each set is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.completions import math_verify as of_completion
from benchmarks.hostile_batches import hostile
from verifiers import MathEquivalence
from verifiers.runtime.pool import shared_pool

MEASURED = Path(__file__).parents[1] / "docs" / "measured.md"
TABLE = ("<!-- speed: start -->", "<!-- speed: end -->")
TURNS = 9
_TICKS = os.sysconf("SC_CLK_TCK")

ENGLISH = (
    "Let me set the unknown to x and write down what is given. It’s said that she buys 3 boxes of 12, so "
    "that makes 36. Hmm, the second sentence takes 5 away again, which leaves 31. "
    "Let me check this: 31 + 5 = 36, and 36 / 12 = 3. Fine.\n"
)
KOREAN = (
    "먼저 구하려는 값을 x라고 놓고 주어진 조건을 적어 보자. 한 상자에 12개씩 3상자를 샀으니 모두 36개이다. "
    "그런데 두 번째 문장에서 5개를 나누어 주었으므로 31개가 남는다. "
    "검산하면 31 + 5 = 36이고 조건을 모두 만족한다.\n"
)


class Row(NamedTuple):
    """A completion and its reference."""

    completion: str
    reference: str


def thinking(piece: str, length: int, count: int) -> list[Row]:
    """Long thinking, a short response with a box; every fourth answer is wrong."""
    draw = random.Random(length)
    body = (piece * (length // len(piece) + 1))[:length]
    rows = []
    for number in (draw.randint(2, 9999) for _ in range(count)):
        said = number + (draw.random() < 0.25)
        text = f"<think>\n{body}{number}\n</think>\n\nPutting both together gives the result."
        rows.append(Row(f"{text}\n\n\\boxed{{{said}}}", str(number)))
    return rows


def groups(count: int) -> list[Row]:
    """Groups of 16 completions of one prompt, with 4 different answers among them."""
    draw = random.Random(16)
    rows = []
    for _ in range(count):
        a, b = draw.randint(2, 99), draw.randint(2, 99)
        answers = (
            f"\\frac{{{a}\\sqrt{{{b}}}}}{{{b}}}",
            f"\\frac{{{a}}}{{\\sqrt{{{b}}}}}",
            f"{a}/{b}",
            f"{a}x+{b}",
        )
        for _ in range(16):
            steps = f"We simplify step by step and keep {a} over the root of {b}. "
            rows.append(Row(f"{steps * draw.randint(2, 8)}\n\n\\boxed{{{draw.choice(answers)}}}", answers[0]))
    return rows


def hostile_batch(count: int) -> list[Row]:
    """One answer in sixteen is a formula made to be expensive; the others are honest."""
    draw, expensive = random.Random(8), iter(hostile(count // 16))
    rows = []
    for place in range(count // 16 * 16):
        number = draw.randint(2, 999)
        answer = str(number) if place % 16 else next(expensive)
        rows.append(Row(f"So the answer is \\boxed{{{answer}}}", str(number)))
    return rows


def of_file(data: Path, name: str, reference: str, kind: str | None = None) -> list[Row]:
    """The rows of a file, in a random order that is always the same; none where there is no such file."""
    path = data / name
    if not path.exists():
        return []
    found = [
        row
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        if row.get("kind") == kind
    ]
    random.Random(7).shuffle(found)
    return [Row(row["completion"], str(row[reference])) for row in found]


def pairs(data: Path) -> list[Row]:
    """Labelled pairs of formulas, the answer in a box."""
    path = data / "math_pairs.jsonl"
    if not path.exists():
        return []
    found = [
        row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()) if not row["doubtful"]
    ]
    random.Random(7).shuffle(found)
    boxed = [row["pred"] if row["form"] == "text" else f"\\boxed{{{row['pred']}}}" for row in found]
    return [Row(text, row["gold"]) for text, row in zip(boxed, found, strict=True)]


SETS: dict[str, Callable[[Path], list[Row]]] = {
    "pairs of formulas": pairs,
    "GSM8K completions": lambda data: of_file(data, "completions.jsonl", "gold")[:4000],
    "Korean prose": lambda data: of_file(data, "korean_completions.jsonl", "reference", "math"),
    "thinking, English, 8,000 characters": lambda _: thinking(ENGLISH, 8_000, 1_000),
    "thinking, English, 32,000 characters": lambda _: thinking(ENGLISH, 32_000, 400),
    "thinking, Korean, 8,000 characters": lambda _: thinking(KOREAN, 8_000, 1_000),
    "thinking, Korean, 32,000 characters": lambda _: thinking(KOREAN, 32_000, 400),
    "groups of 16 with 4 answers": lambda _: groups(60),
    "hostile batch": lambda _: hostile_batch(480),
}


def worker_seconds() -> float:
    """Processor time of this process's workers, which go on living."""
    own, total = os.getpid(), 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == own:
            total += sum(map(int, fields[11:15])) / _TICKS
    return total


def took(judge: Callable[[], object]) -> float:
    """Processor seconds of a call, workers included, and what it takes to ask for theirs left out."""
    workers, own = worker_seconds(), time.process_time()
    judge()
    return time.process_time() - own + worker_seconds() - workers


def peer(rows: Sequence[Row]) -> None:
    """Math-Verify on each row; what it raises is its answer."""
    for row in rows:
        try:
            of_completion(row.completion, row.reference)
        except Exception:  # a row that it does not survive costs what it took
            continue


class Ratios(NamedTuple):
    """What a set showed."""

    name: str
    rows: int
    ours: float
    theirs: float
    ratios: list[float]

    def cells(self) -> list[str]:
        """A line of the table."""
        low, middle, high = min(self.ratios), statistics.median(self.ratios), max(self.ratios)
        each = [f"{1e6 * seconds:,.0f}" for seconds in (self.ours, self.theirs)]
        return [self.name, f"{self.rows:,}", *each, f"{low:.1f}", f"**{middle:.1f}**", f"{high:.1f}"]


def measured(name: str, rows: list[Row], turns: int) -> Ratios:
    """Both sides in turns over other rows each time."""
    judge = MathEquivalence()
    size = len(rows) // (turns + 1)
    ratios, ours, theirs = [], [], []
    for turn in range(turns + 1):
        part = rows[turn * size : (turn + 1) * size]
        completions, references = [row.completion for row in part], [row.reference for row in part]
        sides = [lambda: judge.verify_batch(completions, references), lambda: peer(part)]  # noqa: B023
        order = (0, 1) if turn % 2 else (1, 0)
        seconds = dict(zip(order, [took(sides[side]) for side in order], strict=True))
        if turn:
            ours.append(seconds[0] / size)
            theirs.append(seconds[1] / size)
            ratios.append(seconds[1] / seconds[0])
    return Ratios(name, size * turns, statistics.median(ours), statistics.median(theirs), ratios)


def table(found: Sequence[Ratios]) -> Iterator[str]:
    """The lines of the table, in Markdown."""
    peers = f"rows against Math-Verify {version('math-verify')}"
    yield f"| {peers} | rows | ours, µs | theirs, µs | least | median | most |"
    yield "|---|---|---|---|---|---|---|"
    for each in found:
        yield f"| {' | '.join(each.cells())} |"


def main() -> None:
    """Measure, print, and write where asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="beginnings of names of sets")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--write", action="store_true", help="put the table into docs/measured.md")
    options = parser.parse_args()
    found = []
    for name, rows_of in SETS.items():
        if name.startswith(tuple(options.only)) and (rows := rows_of(options.data)):
            found.append(measured(name, rows, options.turns))
            print(*found[-1].cells(), sep="  ", flush=True)
    lines = "\n".join(table(found))
    print(f"\n{lines}")
    if options.write:
        text = MEASURED.read_text(encoding="utf-8")
        before, rest = text.split(TABLE[0])
        MEASURED.write_text(
            f"{before}{TABLE[0]}\n{lines}\n{TABLE[1]}{rest.split(TABLE[1])[1]}", encoding="utf-8"
        )
    shared_pool().close()


if __name__ == "__main__":
    main()
