"""The reward server under load: clients of each format, every reply compared with the in-process batch.

    python -m benchmarks.serve_load --rows 5000 --clients 16 64

starts ``verify-cli serve`` and prints, for each format and number of clients, rows a second, the median and
the 99th percentile of the time to an answer, and how many replies were wrong or lost; then the same while one
of the server's workers is killed (SIGKILL) every other second; beside it the in-process batch, in the same
run. Requests are what the trainers' clients send, written to a kept connection. Exit status 1 if a reply was
wrong or lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewards import load_recipe

RECIPE = "gsm8k_tags"
SCORE_ROWS = 64
KILL_SECONDS = 2.0
Row = tuple[str, str, float]


def rows(count: int) -> list[Row]:
    """Completions, answers and what the in-process batch pays; prints how fast it does."""
    texts = [
        (
            f"<THINK>{row} and no more</THINK><SOLUTION>{row + (row % 3 == 0)}</SOLUTION>",
            f"The answer is \\boxed{{{row}}}.",
            f"<THINK>half</THINK><SOLUTION>{row}/{row + 1}</SOLUTION>",
            "",
        )[row % 4]
        for row in range(count)
    ]
    answers = [f"{row}/{row + 1}" if row % 4 == 2 else str(row) for row in range(count)]
    reward = load_recipe(RECIPE)
    reward(texts[:64], answer=answers[:64])
    started = time.perf_counter()
    paid = reward(texts, answer=answers)
    seconds = time.perf_counter() - started
    print(
        f"in-process batch, one process: {count / seconds:,.0f} rows/s, {1e3 * seconds / count:.2f} ms a row"
    )
    return [
        (text, answer, value)
        for text, answer, value in zip(texts, answers, paid, strict=True)
        if value is not None
    ]


@dataclass(frozen=True)
class Format:
    """How a client asks and what it reads."""

    path: str
    size: int
    body: Callable[[list[Row]], Any]
    read: Callable[[Any], list[float]]


FORMATS = {
    "score": Format(
        "/score",
        SCORE_ROWS,
        lambda rows: {"rows": [{"completion": text, "answer": answer} for text, answer, _ in rows]},
        lambda reply: reply["rewards"],
    ),
    "score-1": Format(
        "/score",
        1,
        lambda rows: {"rows": [{"completion": text, "answer": answer} for text, answer, _ in rows]},
        lambda reply: reply["rewards"],
    ),
    "openrlhf": Format(
        "/openrlhf",
        1,
        lambda rows: {
            "query": [f"Question?{text}</s>" for text, _, _ in rows],
            "prompts": ["Question?" for _ in rows],
            "labels": [answer for _, answer, _ in rows],
        },
        lambda reply: [reply["rewards"]],
    ),
    "slime": Format(
        "/slime",
        1,
        lambda rows: {"prompt": "Question?", "response": rows[0][0], "label": rows[0][1]},
        lambda reply: [reply],
    ),
    "verl": Format(
        "/verl",
        1,
        lambda rows: {
            "data_source": "x",
            "solution_str": rows[0][0],
            "ground_truth": rows[0][1],
            "extra_info": {},
        },
        lambda reply: [reply["score"]],
    ),
    "nemo-gym": Format(
        "/verify",
        1,
        lambda rows: {
            "responses_create_params": {"input": "Question?"},
            "response": {
                "output": [{"type": "message", "content": [{"type": "output_text", "text": rows[0][0]}]}]
            },
            "expected_answer": rows[0][1],
        },
        lambda reply: [reply["reward"]],
    ),
}


@contextmanager
def server(log: Callable[[str], object] = lambda line: None) -> Iterator[tuple[int, int]]:
    """``verify-cli serve``: its process and port; what it logs is read line by line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "adapters.cli", "serve", "--recipe", RECIPE, "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    if not said.startswith("serving "):
        raise SystemExit(said + process.stderr.read())
    try:
        # A pipe that nobody reads would be full one day.
        reading = threading.Thread(target=lambda: [log(line) for line in process.stderr or ()], daemon=True)
        reading.start()
        yield process.pid, int(said.split("127.0.0.1:")[1].split(";")[0])
    finally:
        process.terminate()
        process.wait(60)
        reading.join(10)
        print(f"the server ended with status {process.returncode} at SIGTERM")


def workers(pid: int) -> list[int]:
    """The processes that judge."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread or a child that has just ended
            found += [int(child) for child in path.read_text().split() if _judges(child)]
    return found


def _judges(child: str) -> bool:
    return b"runtime.worker" in Path(f"/proc/{child}/cmdline").read_bytes()


async def ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: bytes
) -> tuple[int, bytes]:
    """One request on a kept connection."""
    head = (
        f"POST {path} HTTP/1.1",
        "host: 127.0.0.1",
        "content-type: application/json",
        f"content-length: {len(body)}",
        "\r\n",
    )
    writer.write("\r\n".join(head).encode() + body)
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = int(answer.split("content-length:")[1].split("\r\n")[0])
    return int(answer.split()[1]), await reader.readexactly(length)


async def load(port: int, name: str, judged: list[Row], clients: int) -> tuple[str, int]:
    """What came of asking for all rows: a line, and how many replies were wrong or lost."""
    asked = FORMATS[name]
    parts = iter([judged[start : start + asked.size] for start in range(0, len(judged), asked.size)])
    seconds: list[float] = []
    wrong = lost = 0

    async def client() -> None:
        nonlocal wrong, lost
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for part in parts:
            body = json.dumps(asked.body(part)).encode()
            started = time.perf_counter()
            status, reply = await ask(reader, writer, asked.path, body)
            seconds.append(time.perf_counter() - started)
            if status != 200:
                lost += len(part)
            else:
                paid = asked.read(json.loads(reply))
                wrong += sum(value != row[2] for value, row in zip(paid, part, strict=True))
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    took = time.perf_counter() - started
    seconds.sort()
    p50, p99 = (1e3 * seconds[int(share * (len(seconds) - 1))] for share in (0.5, 0.99))
    line = (
        f"{name:9} {asked.size:3} rows a request {clients:4} clients {len(judged) / took:8,.0f} rows/s  "
        f"p50 {p50:7.1f} ms  p99 {p99:7.1f} ms  wrong {wrong}  lost {lost}"
    )
    return line, wrong + lost


async def killing(pid: int, killed: list[int]) -> None:
    """Kill a worker every other second."""
    while True:
        await asyncio.sleep(KILL_SECONDS)
        for worker in workers(pid)[:1]:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
                killed.append(worker)


async def measured(pid: int, port: int, arguments: argparse.Namespace, judged: list[Row]) -> int:
    """All formats with all numbers of clients; the number of replies that were wrong or lost."""
    failed = 0
    for clients in arguments.clients:
        for name in arguments.formats:
            line, bad = await load(port, name, judged, clients)
            print(line, flush=True)
            failed += bad
    for name in arguments.formats if arguments.kill else ():
        killed: list[int] = []
        killer = asyncio.create_task(killing(pid, killed))
        line, bad = await load(port, name, judged, max(arguments.clients))
        killer.cancel()
        print(f"{line}  workers killed {len(killed)}", flush=True)
        failed += bad
    return failed


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=5000, help="for each format and number of clients")
    parser.add_argument("--clients", type=int, nargs="+", default=[16, 64])
    parser.add_argument("--formats", nargs="+", default=list(FORMATS), choices=list(FORMATS))
    parser.add_argument("--no-kill", dest="kill", action="store_false")
    arguments = parser.parse_args()
    judged = rows(arguments.rows)
    with server() as (pid, port):
        failed = asyncio.run(measured(pid, port, arguments, judged))
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
