"""What `verify-cli` costs beside parsing the file it reads: processor time of whole processes, in turns.

    python -m benchmarks.command_line DATA              print both tables
    python -m benchmarks.command_line DATA --write      put them in docs/measured.md, too

DATA is a folder with `completions.jsonl`. Its rows are repeated, in groups of eight, and scored by `r1_zero`;
for `diff` one in seven has another completion the second time. "parsing" is `json.loads` of each line of what
a command reads, in a process of its own that does nothing else. Every turn runs everything once, so that what
else the machine does slows all of them; a median and a ratio of medians are shown. The first turn, in which
Python may have to compile the sources, is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MEASURED = Path(__file__).parents[1] / "docs" / "measured.md"
TABLE = ("<!-- command line: start -->", "<!-- command line: end -->")
CLI = (sys.executable, "-m", "reward_verifiers.adapters.cli")
GROUP = 8
"""Completions of a prompt."""
PARSING = (
    "import json, sys\nfor path in sys.argv[1:]:\n    for line in open(path, 'rb'):\n        json.loads(line)"
)
STARTS = {
    "import of MathEquivalence": (sys.executable, "-c", "import verifiers; verifiers.MathEquivalence"),
    "verify-cli --help": (*CLI, "--help"),
    "verify-cli score, one row": (
        *(*CLI, "score", "one.jsonl", "-r", "MathEquivalence"),
        *("-o", "one.out", "--force"),
    ),
}
READING = {
    "groups": ("groups", "a.jsonl"),
    "audit": ("audit", "a.jsonl"),
    "audit, over steps": ("audit", "steps.jsonl"),
    "report (Markdown)": ("report", "a.jsonl", "-o", "a.md", "--force"),
    "report (page)": ("report", "a.jsonl", "-o", "a.html", "--force"),
    "diff": ("diff", "a.jsonl", "b.jsonl"),
}


def make(data: Path, folder: Path, rows: int) -> None:
    """Write the files that the commands read."""
    with (data / "completions.jsonl").open(encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    for name, shifted in (("a", 0), ("b", 11)):
        with (folder / f"{name}.in").open("w", encoding="utf-8") as file:
            for number in range(rows):
                own = found[number % len(found)]
                other = found[(number + shifted) % len(found)] if number % 7 == 0 else own
                row = {
                    "id": number, "prompt": f"Question {number // GROUP}: how many are there?",
                    "completion": other["completion"], "answer": own["gold"], "source": own["source"],
                }  # fmt: skip
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        command = (
            *CLI,
            "score",
            f"{name}.in",
            "--input-format",
            "json",
            "-r",
            "r1_zero",
            "-o",
            f"{name}.jsonl",
        )
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with (folder / "a.jsonl").open(encoding="utf-8") as file, (folder / "steps.jsonl").open("w") as steps:
        for number, line in enumerate(file):
            steps.write(json.dumps({**json.loads(line), "step": number // 256}) + "\n")
    with (folder / "a.jsonl").open("rb") as file:
        (folder / "few.jsonl").write_bytes(b"".join(file.readline() for _ in range(3)))
    (folder / "one.jsonl").write_text('{"completion": "so it is \\\\boxed{3}", "answer": "3"}\n')


def cost(command: tuple[str, ...], folder: Path) -> float:
    """Processor seconds of a process and of those that it starts."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(folder: Path, turns: int) -> dict[str, list[float]]:
    """Costs of everything, by name; of parsing, by the files that are parsed."""
    commands = dict(STARTS)
    for name, said in READING.items():
        files = tuple(each for each in said[1:3] if each.endswith(".jsonl"))
        commands[" ".join(files)] = (sys.executable, "-c", PARSING, *files)
        commands[name] = (*CLI, *said)
        commands[f"{name}: start"] = (*CLI, *("few.jsonl" if each in files else each for each in said))
    found: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(turns + 1):
        for name, command in commands.items():
            seconds = cost(command, folder)
            if turn:
                found[name].append(seconds)
    return found


def tables(found: dict[str, list[float]], rows: int) -> list[str]:
    """The lines of both tables."""
    middle = {name: statistics.median(each) for name, each in found.items()}
    lines = ["| start | s of processor time |", "|---|---|"]
    lines += [f"| `{name}` | {middle[name]:.2f} |" for name in STARTS]
    heads = (f"{rows:,} rows", "parsing, s", "start, s", "the command, s", "by parsing", "less its start")
    lines += ["", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, said in READING.items():
        parsing = middle[" ".join(each for each in said[1:3] if each.endswith(".jsonl"))]
        start, whole = middle[f"{name}: start"], middle[name]
        ratios = f"{whole / parsing:.1f} | {(whole - start) / parsing:.1f}"
        lines.append(f"| `{name}` | {parsing:.2f} | {start:.2f} | {whole:.2f} | {ratios} |")
    return lines


def main() -> None:
    """Measure, print, and write where asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/measured.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        make(options.data.resolve(), Path(name), options.rows)
        lines = "\n".join(tables(measured(Path(name), options.turns), options.rows))
    print(lines)
    if options.write:
        before, rest = MEASURED.read_text(encoding="utf-8").split(TABLE[0])
        MEASURED.write_text(
            f"{before}{TABLE[0]}\n{lines}\n{TABLE[1]}{rest.split(TABLE[1])[1]}", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
