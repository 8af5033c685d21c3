"""A line without end costs one sentence, and rows never go to a name that another program would misread."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from adapters.files.scored_output import FOREIGN, Output
from tests import forks
from tests.support import ROOT, first_of_each
from tests.timing import SOAK
from verifiers import ConfigError

SIZE = (1 << 30) if SOAK else (96 << 20)
"""Bytes of the line; `make soak` takes a gibibyte."""
ROW = b'{"completion": "4", "answer": "4"}\n'
RUN = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
print(done.stdout[-2000:], done.stderr[-2000:])
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
"""


def _long(path: Path, before: bytes, after: bytes) -> None:
    opened = partial(gzip.open, compresslevel=1) if path.suffix == ".gz" else open
    with opened(path, "wb") as file:
        file.write(before)
        for _ in range(SIZE >> 20):
            file.write(b"a" * (1 << 20))
        file.write(after)


def _ran(*arguments: str) -> tuple[str, int, int]:
    """What was said, the exit status, and the most MiB that it had in memory."""
    command = [sys.executable, "-S", "-c", RUN, sys.executable, "-m", "adapters.cli", *arguments]
    said = subprocess.run(command, capture_output=True, text=True, timeout=500, check=True, cwd=ROOT).stdout
    *lines, last = said.strip().splitlines()
    status, most = map(int, last.split())
    return "\n".join(lines), status, most


@pytest.mark.parametrize(
    ("name", "before", "after", "status", "words"),
    first_of_each(
        [
            ("a.jsonl", ROW + b'{"completion": "', b'"}\n' + ROW, 1, "a.jsonl:2: longer than 16 MB"),
            ("open.jsonl", ROW + b'{"completion": "', b"", 1, "open.jsonl:2: longer than 16 MB"),
            ("a.jsonl.gz", ROW + b'{"completion": "', b'"}\n' + ROW, 1, "a.jsonl.gz:2: longer than 16 MB"),
            ("a.csv", b'completion,answer\n4,4\n"', b'",4\n4,4\n', 1, "a.csv:3: longer than 16 MB"),
            (
                "a.json",
                b"[" + ROW + b', {"completion": "',
                b'"}]',
                2,
                "item 2 of the JSON array is longer than 16 MB",
            ),
        ]
    ),
)
def test_a_line_without_end_is_told_and_not_held(
    tmp_path: Path, name: str, before: bytes, after: bytes, status: int, words: str
) -> None:
    """The rows around it are scored, where there is a next line."""
    _long(tmp_path / name, before, after)
    out = tmp_path / "out.jsonl"
    said, found, most = _ran("score", str(tmp_path / name), "--recipe", "ExactMatch", "-o", str(out))
    assert words in said
    assert "Traceback" not in said
    assert (found, most < 300) == (status, True), most
    if status == 1:
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert (len(rows), rows[0]["reward"]) == (1 + (after != b""), 1.0)


@pytest.mark.parametrize("ending", sorted(FOREIGN))
def test_rows_are_not_written_to_the_names_of_other_formats(tmp_path: Path, ending: str) -> None:
    """JSON that a spreadsheet takes for CSV is cut at its commas: what a completion wrote may begin a cell."""
    for name in (f"out{ending}", f"out{ending.upper()}"):
        with pytest.raises(ConfigError, match=r"written as JSON Lines.*name it out\.jsonl"):
            Output(str(tmp_path / name))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", ",=HYPERLINK(1)", '"=1"'])
def test_cells_of_formulas_come_back_byte_for_byte(tmp_path: Path, start: str) -> None:
    """What is read of a CSV file, and what is written of it: the completion's own characters, and no quotes added."""
    quoted = '"' + start.replace('"', '""') + '"'
    (tmp_path / "in.csv").write_bytes(f"completion,answer\n{quoted},{quoted}\n".encode())
    out = tmp_path / "out.jsonl"
    done = forks.run("adapters.cli", "score", tmp_path / "in.csv", "--recipe", "ExactMatch", "-o", out)
    assert done.returncode == 0, done.stderr
    [row] = [json.loads(line) for line in out.read_text().splitlines()]
    assert row["completion"] == row["answer"] == start
