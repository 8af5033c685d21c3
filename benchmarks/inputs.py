"""Reading rows of every format: peak memory against a hundredth of the rows, and speed against JSON Lines.

    python -m benchmarks.inputs --rows 1000000

Each figure is of a process of its own that reads a file through `adapters.files.jsonl.Source` and parses each
line, as scoring does. JSON Lines are read before and after each format, so that the ratio is one of the same
minutes. `gathered` brings groups together that stand apart (`score --group-by`), `scored` is a whole scoring
by `ExactMatch`.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FORMATS = ("json", "csv", "tsv", "jsonl.gz", "jsonl.zst", "csv.gz", "parquet", "arrow", "arrows", "saved")
LESS = 100
"""The small file has one row where the large one has so many."""
WORDS = (
    "the sum of two even numbers is even because each is twice a whole number and so is their total".split()
)


def row(number: int) -> dict[str, Any]:
    """A row of some 600 bytes, the same in every run."""
    text = " ".join(WORDS[(number * 7 + place * place) % len(WORDS)] for place in range(90))
    return {
        "prompt": f"question {number % 5000}",
        "completion": f"{text} The answer is {number % 97}.",
        "answer": str(number % 89),
    }


def batches(rows: int) -> Iterator[list[dict[str, Any]]]:
    """Rows in lists of a thousand."""
    for start in range(0, rows, 1000):
        yield [row(number) for number in range(start, min(start + 1000, rows))]


def write(path: Path, kind: str, rows: int) -> None:
    """A file of one format, written in constant memory as well."""
    import csv

    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([(name, pyarrow.string()) for name in row(0)])
    if kind == "saved":
        path.mkdir()
        (path / "state.json").write_text('{"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}')
        write(path / "data-00000-of-00001.arrow", "arrows", rows)
    elif kind == "parquet":
        with pyarrow.parquet.ParquetWriter(path, schema) as parquet:
            held: list[dict[str, Any]] = []
            for batch in batches(rows):
                held += batch
                if len(held) >= 100_000:  # row groups as large as libraries write them
                    parquet.write_table(pyarrow.Table.from_pylist(held, schema))
                    held = []
            parquet.write_table(pyarrow.Table.from_pylist(held, schema))
    elif kind in ("arrow", "arrows"):
        new = pyarrow.ipc.new_file if kind == "arrow" else pyarrow.ipc.new_stream
        with new(str(path), schema) as writer:
            for batch in batches(rows):
                writer.write_batch(pyarrow.RecordBatch.from_pylist(batch, schema))
    else:
        raw: Any = path.open("wb")
        if kind.endswith(".gz"):
            raw = gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=1)
        elif kind.endswith(".zst"):
            raw = pyarrow.CompressedOutputStream(pyarrow.PythonFile(raw, "wb"), "zstd")
        plain = kind.partition(".")[0]
        first = True
        for batch in batches(rows):
            text = io.StringIO()
            if plain in ("csv", "tsv"):
                table = csv.DictWriter(text, list(batch[0]), delimiter="," if plain == "csv" else "\t")
                if first:
                    table.writeheader()
                table.writerows(batch)
            else:
                lines = [json.dumps(each) for each in batch]
                text.write(
                    ("[" if first else ",\n") + ",\n".join(lines)
                    if plain == "json"
                    else "\n".join(lines) + "\n"
                )
            raw.write(text.getvalue().encode())
            first = False
        if plain == "json":
            raw.write(b"]")
        raw.close()


def read(path: str, how: str) -> None:
    """What a child does: read, and print rows, seconds of processor time and peak memory in MiB."""
    from adapters.files.gathering import gathered
    from adapters.files.jsonl import Source, parse

    started = time.process_time()
    rows = 0
    if how == "scored":
        from adapters.files.chunk_scorer import Scorer
        from adapters.files.file_runner import run
        from adapters.files.scored_output import Output
        from rewards import load_recipe

        output = Output(path + ".scored", force=True)
        tallies, _ = run(Source([path]), Scorer(load_recipe("ExactMatch")), output)
        output.close()
        Path(path + ".scored").unlink()
        rows = tallies["reward"].rows
    else:
        chunks = Source([path]).chunks()
        for chunk in gathered(chunks, "prompt") if how == "gathered" else chunks:
            if isinstance(chunk, list):
                rows += len([parse(line.raw) for line in chunk])
    seconds = time.process_time() - started
    # Not `ru_maxrss`, which a process takes over from the one that started it.
    peak = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    print(json.dumps([rows, seconds, int(peak.split()[1]) / 1024]))


def child(path: Path, how: str = "read") -> tuple[int, float, float]:
    """What a process of its own says of a file."""
    command = [sys.executable, "-m", "benchmarks.inputs", "--child", how, str(path)]
    rows, seconds, peak = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return rows, seconds, peak


def main() -> None:
    """Print one line for each format."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--formats", nargs="*", default=FORMATS)
    options.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.child:
        read(given.child[1], given.child[0])
        return
    print(f"{'format':12} {'rows/s':>9} {'of jsonl':>9} {'peak MiB':>9} {'of 1/100':>9} {'grown':>7}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines, few_lines = folder / "rows.jsonl", folder / "few.jsonl"
        write(lines, "jsonl", given.rows)
        write(few_lines, "jsonl", max(given.rows // LESS, 1))
        before = child(lines)
        tell("jsonl", before, before[1], child(few_lines)[2])
        for kind in given.formats:
            path, few = folder / f"rows.{kind}", folder / f"few.{kind}"
            write(path, kind, given.rows)
            write(few, kind, max(given.rows // LESS, 1))
            found, small = child(path), child(few)[2]
            after = child(lines)
            tell(kind, found, (before[1] + after[1]) / 2, small)
            before = after
            if path.is_file():
                path.unlink()
        for how in ("gathered", "scored"):
            tell(how, child(lines, how), before[1], child(few_lines, how)[2])


def tell(name: str, found: tuple[int, float, float], of_lines: float, small: float) -> None:
    """One line of the table."""
    rows, seconds, peak = found
    speed, ratio, grown = rows / seconds, of_lines / seconds, peak - small
    print(f"{name:12} {speed:9,.0f} {ratio:9.2f} {peak:9.0f} {small:9.0f} {grown:+7.0f}", flush=True)


if __name__ == "__main__":
    main()
