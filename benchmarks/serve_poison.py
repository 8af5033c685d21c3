"""Poisoning clients beside honest ones: whatever some send, the others' requests are answered, and right.

    python -m benchmarks.serve_poison --seconds 60 --clients 8

starts ``verify-cli serve`` and lets honest clients send 64 rows at a time, with the columns that the poison
has, too, so that their rows share batches. Beside them one client of each kind sends rows that are nested 900
deep, rows that JSON has no place for, bodies that are none, and 500 rows at a time without waiting for the
answer. It prints what became of the requests of each, what the server logged, and how many rows waited at the
end. Exit status 1 if an honest request failed or was answered wrongly.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

from benchmarks.serve_load import Row, ask, rows, server

SCORE_ROWS, LEFT_ROWS = 64, 500
DEEP = 900
PAUSE = 0.02
"""Seconds between two requests of a poisoning client, so that they are many and not the load itself."""


def nested(depth: int) -> str:
    """A list in a list ..., as JSON."""
    return "[" * depth + "]" * depth


def _row(row: Row, z: str = "1") -> str:
    return f'{{"completion": {json.dumps(row[0])}, "answer": {json.dumps(row[1])}, "z": {z}}}'


def _body(*rows: str) -> bytes:
    return f'{{"rows": [{", ".join(rows)}]}}'.encode()


def poisons(judged: list[Row]) -> dict[str, list[bytes]]:
    """Bodies by their kinds."""
    row, other = judged[0], _row(judged[1])
    deep = [
        f'{{"completion": "x", "answer": {nested(DEEP)}, "z": 1}}',
        f'{{"completion": "x", "z": 1, "solution": {nested(DEEP)}, "target": {nested(DEEP)}}}',
    ]
    return {
        "nested 900 deep": [_body(_row(row, nested(DEEP)), other), *(_body(each, other) for each in deep)],
        "surrogates, NaN": [
            _body(_row(row, z), '{"completion": "\\ud800\\u0000", "answer": "\\udfff", "z": NaN}')
            for z in ('"\\udfff"', "NaN", "-Infinity", "1e999", "9" * 4000)
        ],
        "no bodies": [
            b'{"rows": [',
            b"\xff\xfe" + b"{}" * 50,
            b"[" * 100_000,
            _body(_row(row, "9" * 5000)),
            _body('{"completion": "x", "completion": "y", "answer": "1", "z": 1}'),
            _body(_row(row, nested(5000))),
        ],
    }


async def honest(
    port: int, judged: list[Row], until: float, became: Counter[str], waits: list[float]
) -> None:
    """Ask for all rows again and again, and compare every reply with the in-process batch."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    start = 0
    while time.monotonic() < until:
        part = judged[start : start + SCORE_ROWS]
        start = (start + SCORE_ROWS) % (len(judged) - SCORE_ROWS)
        asked = time.perf_counter()
        status, reply = await ask(reader, writer, "/score", _body(*map(_row, part)))
        waits.append(time.perf_counter() - asked)
        if status != 200:
            became[str(status)] += 1
        else:
            right = json.loads(reply)["rewards"] == [value for _, _, value in part]
            became["right" if right else "wrong"] += 1
    writer.close()


async def poisoning(port: int, bodies: list[bytes], until: float, became: Counter[str]) -> None:
    """Send one body after the other; every reply must have the shape that the docs describe."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = 0
    while time.monotonic() < until:
        status, reply = await ask(reader, writer, "/score", bodies[number % len(bodies)])
        number += 1
        said = json.loads(reply)
        shaped = "rewards" in said if status == 200 else said["error"]["status"] == status
        became[str(status) if shaped else "no shape"] += 1
        await asyncio.sleep(PAUSE)
    writer.close()


async def leaving(port: int, judged: list[Row], until: float, became: Counter[str]) -> None:
    """Send many rows and go away at once."""
    body = _body(*(_row(judged[number % len(judged)]) for number in range(LEFT_ROWS)))
    head = f"POST /score HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    while time.monotonic() < until:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head + body)
        await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        became["left"] += 1
        await asyncio.sleep(PAUSE)


async def measured(port: int, judged: list[Row], clients: int, seconds: float, poison: bool) -> int:
    """Both beside each other; how many honest requests failed."""
    until = time.monotonic() + seconds
    good: Counter[str] = Counter()
    waits: list[float] = []
    bad: dict[str, Counter[str]] = {}
    work: list[Awaitable[Any]] = [honest(port, judged, until, good, waits) for _ in range(clients)]
    if poison:
        for name, bodies in poisons(judged).items():
            work.append(poisoning(port, bodies, until, bad.setdefault(name, Counter())))
        work.append(leaving(port, judged, until, bad.setdefault("leaves at once", Counter())))
    await asyncio.gather(*work)
    waits.sort()
    p50, p99 = (1e3 * waits[int(share * (len(waits) - 1))] for share in (0.5, 0.99))
    named = "with" if poison else "without"
    print(f"{named} poison: {clients} honest clients, {sum(good.values()):,} requests in {seconds:g} s:")
    print(f"  {_told(good)}; p50 {p50:.0f} ms, p99 {p99:.0f} ms")
    for name, became in bad.items():
        print(f"  {name}: {_told(became)}")
    return sum(count for name, count in good.items() if name != "right") + sum(
        became["no shape"] for became in bad.values()
    )


def _told(became: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in became.most_common()) or "none"


async def queued(port: int) -> int:
    """Rows that wait."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
    said = await reader.read()
    writer.close()
    found: int = json.loads(said.partition(b"\r\n\r\n")[2])["queued_rows"]
    return found


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=8)
    arguments = parser.parse_args()
    judged = rows(5000)
    logged: list[str] = []
    with server(logged.append) as (_, port):
        failed = 0
        for poison, seconds in ((False, arguments.seconds / 4), (True, arguments.seconds)):
            failed += asyncio.run(measured(port, judged, arguments.clients, seconds, poison))
        print(f"rows that wait afterwards: {asyncio.run(queued(port))}")
    print(f"lines that the server logged: {len(logged)}")
    for line in logged[:20]:
        print(f"  {line.rstrip()[:160]}")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
