"""Scoring by Ray actors on two nodes of this machine against the local engine, in turns, in one run.

    python -m benchmarks.ray_scoring                     200,000 rows, two cores
    python -m benchmarks.ray_scoring --rows 20000 --turns 2

Both engines are started and warm before anything is measured. The rows are scored in parts, each by one
engine and then by the other. In the middle of one part an actor is killed. It prints rows/s by wall clock and
rows by processor second, of all processes of an engine together, and the ratio of each, over the other parts.
Exit status 1 if any bytes differ.
"""

from __future__ import annotations

import argparse
import contextlib
import filecmp
import json
import logging
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adapters.cluster.ray_engine import RayEngine
from adapters.files.chunk_scorer import Scorer
from adapters.files.engines import Engine, Processes
from adapters.files.file_runner import run
from adapters.files.jsonl import Source
from adapters.files.scored_output import Output
from rewards import load_recipe

RECIPE = "gsm8k_tags"
WARM_ROWS = 4096
TICK = os.sysconf("SC_CLK_TCK")


def rows_file(path: Path, first: int, count: int) -> Path:
    """Rows as GSM8K completions are: some prose, a marked answer, one in three wrong."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(first, first + count):
            said = f"She had {number} and got {number} more, twice that day. " * 8
            answer = 2 * number + (number % 3 == 0)
            text = f"<THINK>{said}</THINK><SOLUTION>{answer}</SOLUTION>"
            file.write(json.dumps({"id": number, "completion": text, "answer": str(2 * number)}) + "\n")
    return path


class Kept:
    """An engine that outlives the runs that close it."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    full = property(lambda self: self.engine.full)

    def submit(self, scorer: Any, lines: Any) -> Any:
        return self.engine.submit(scorer, lines)

    def close(self) -> None:
        pass


def score(source: Path, output: Path, engine: Engine, middle: Any = None, rows: int = 0) -> None:
    """Score a file; call `middle` when half of its rows are done."""
    done = 0

    def progress(more: int) -> None:
        nonlocal done
        if middle is not None and done < rows / 2 <= done + more:
            middle()
        done += more

    with contextlib.closing(Output(str(output), force=True)) as written:
        run(
            Source([str(source)]),
            Scorer(load_recipe(RECIPE)),
            written,
            engine=lambda: engine,
            progress=progress,
        )


def processor_seconds() -> dict[str, float]:
    """Of this process, of the local engine's, and of all that belongs to Ray, since they started."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    named: dict[int, bytes] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            pid = int(path.name)
            parents[pid] = int(fields[1])
            used[pid] = sum(map(int, fields[11:15])) / TICK
            named[pid] = (path / "cmdline").read_bytes()
    me = os.getpid()
    totals = {"driver": 0.0, "local": 0.0, "ray": 0.0}
    for pid in used:
        chain = [pid]
        while chain[-1] in parents and chain[-1] != me:
            chain.append(parents[chain[-1]])
        if chain[-1] != me:
            continue
        ours = len(chain) == 2 and b"verifiers.runtime.worker" in named[pid]
        totals["driver" if pid == me else "local" if ours else "ray"] += used[pid]
    return totals


@contextlib.contextmanager
def two_nodes() -> Iterator[Any]:
    """Ray on two nodes with a core each."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": 200 << 20}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    cluster.add_node(**node)
    ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield ray
    finally:
        ray.shutdown()
        cluster.shutdown()


def measured(rows: int, turns: int) -> tuple[dict[str, dict[str, float]], bool]:
    """Seconds of each engine, by wall clock and by processes, and whether all bytes were the same."""
    part, killing = rows // turns, turns // 2
    spent = {engine: dict.fromkeys(("wall", "driver", "local", "ray"), 0.0) for engine in ("local", "ray")}
    same = True
    with tempfile.TemporaryDirectory() as name, two_nodes() as ray:
        folder = Path(name)
        engines: dict[str, Any] = {"local": Kept(Processes(2)), "ray": Kept(RayEngine())}
        warm = rows_file(folder / "warm.jsonl", 0, WARM_ROWS)
        for engine, kept in engines.items():
            score(warm, folder / f"{engine}.warm", kept)
        people = engines["ray"].engine._crew
        nodes = [node for node in ray.nodes() if node["Alive"]]
        print(f"{len(nodes)} nodes, {people.count} actors; 2 local processes; {rows:,} rows", flush=True)

        def kill() -> None:
            ray.kill(next(iter(people._at_work.values())))
            print("an actor was killed in the middle of this part", flush=True)

        for turn in range(turns):
            source = rows_file(folder / "part.jsonl", turn * part, part)
            for engine in ("local", "ray") if turn % 2 == 0 else ("ray", "local"):
                middle = kill if engine == "ray" and turn == killing else None
                before, started = processor_seconds(), time.perf_counter()
                score(source, folder / engine, engines[engine], middle, part)
                wall, after = time.perf_counter() - started, processor_seconds()
                used = {each: after[each] - before[each] for each in after}
                shown = ", ".join(f"{each} {seconds:.1f}" for each, seconds in used.items())
                print(f"part {turn + 1} {engine:5} {wall:6.1f} s; processor seconds: {shown}", flush=True)
                if turn == killing:  # what a killed process has used is nobody's
                    continue
                spent[engine]["wall"] += wall
                for each, seconds in used.items():
                    spent[engine][each] += max(seconds, 0.0)
            same = same and filecmp.cmp(folder / "local", folder / "ray", shallow=False)
            print(f"part {turn + 1}: {'same bytes' if same else 'DIFFERENT'}", flush=True)
        for kept in engines.values():
            kept.engine.close()
    return spent, same


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--turns", type=int, default=8)
    options = parser.parse_args()
    spent, same = measured(options.rows, options.turns)
    rows = options.rows // options.turns * (options.turns - 1)
    for engine, used in spent.items():
        processor = used["driver"] + used[engine]
        print(
            f"{engine:6} {rows / used['wall']:8,.0f} rows/s; processor time: driver "
            f"{used['driver']:.1f} s, others {used[engine]:.1f} s, {rows / processor:,.0f} rows/s"
        )
    local, there = spent["local"], spent["ray"]
    idle = local["ray"] / local["wall"]
    needed = local["driver"] + local["local"]
    took = there["driver"] + there["ray"]
    print(f"Ray while it has nothing to do: {idle:.2f} cores")
    print(f"ratio by wall clock {local['wall'] / there['wall']:.2f}")
    print(f"ratio by processor time {needed / took:.2f}")
    print(f"the same without what Ray uses when idle {needed / (took - idle * there['wall']):.2f}")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
