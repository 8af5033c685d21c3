"""The rows of fixtures/attacks/maths.jsonl, and judging them in a child that was forked."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from typing import Any

from tests.support import FIXTURES, rows
from verifiers import MathEquivalence, Verdict

ROWS: list[dict[str, Any]] = rows(FIXTURES / "attacks" / "maths.jsonl")
JUDGE = MathEquivalence()


def written_out(row: dict[str, Any], field: str, pieces: str) -> str:
    """A field of a row, or what its pieces make: long texts are kept as [text, how often]."""
    return str(row[field]) if field in row else "".join(text * times for text, times in row[pieces])


def judge(row: dict[str, Any]) -> tuple[Verdict, float]:
    """The verdict on a row, and the processor time that it took in this process."""
    answer = written_out(row, "answer", "pieces")
    reference = written_out(row, "reference", "reference_pieces")
    started = time.process_time()
    verdict = JUDGE.verify(f"<answer>{answer}</answer>", reference)
    return verdict, time.process_time() - started


def main() -> None:
    """Fork, judge every row in the child, and print what differs and the peak of memory."""
    judge(ROWS[0])
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        wrong = [row["id"] for row in ROWS if judge(row)[0].score != row["score"]]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        os.write(writing, json.dumps({"wrong": wrong, "megabytes": peak}).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        sys.stdout.write(pipe.read().decode())
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
