"""`verify-cli score` on large files: flat memory, exact resumption after kill -9, and the import time.

python benchmarks/scale.py
"""

from __future__ import annotations

import filecmp
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCORE = [sys.executable, "-m", "adapters.cli", "score"]


def rows_file(path: Path, count: int) -> Path:
    """Rows as GSM8K completions are: some prose, a marked answer, one in three wrong."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = f"She had {number} and got {number} more, twice that day. " * 8 + f"\n#### {2 * number}"
            row = {"id": number, "completion": text, "answer": str(2 * number + (number % 3 == 0))}
            file.write(json.dumps(row) + "\n")
    return path


def peak(command: list[str]) -> int:
    """Peak memory of a command's largest process, in KiB."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    launcher = [sys.executable, "-S", "-c", code, *command]
    return int(subprocess.run(launcher, capture_output=True, check=True).stdout)


def memory(folder: Path) -> None:
    """Peak memory on 10,000 and on 1,000,000 rows."""
    peaks = {}
    for count in (10_000, 1_000_000):
        source = rows_file(folder / f"{count}.jsonl", count)
        started = time.perf_counter()
        peaks[count] = peak([*SCORE, str(source), "-o", f"{source}.scored.jsonl"])
        seconds = time.perf_counter() - started
        print(f"score {count:9,} rows: peak {peaks[count] / 1024:6.1f} MiB, {count / seconds:8,.0f} rows/s")
        source.unlink()
        Path(f"{source}.scored.jsonl").unlink()
    print(f"peak memory, ratio: {peaks[1_000_000] / peaks[10_000]:.3f}")


def resume(folder: Path) -> None:
    """Kill -9 in the middle of 100,000 rows, resume, compare."""
    source = rows_file(folder / "in.jsonl", 100_000)
    whole, parts = folder / "whole.jsonl", folder / "parts.jsonl"
    subprocess.run([*SCORE, str(source), "-o", str(whole)], check=True, stdout=subprocess.DEVNULL)
    run = subprocess.Popen([*SCORE, str(source), "-o", str(parts)], stdout=subprocess.DEVNULL)
    while not parts.exists() or parts.stat().st_size < whole.stat().st_size / 2:
        time.sleep(0.001)
    run.send_signal(signal.SIGKILL)
    run.wait()
    with parts.open("rb") as file:
        killed_at = sum(1 for _ in file)
    subprocess.run([*SCORE, str(source), "-o", str(parts), "--resume"], check=True, stdout=subprocess.DEVNULL)
    same = filecmp.cmp(whole, parts, shallow=False)
    print(
        f"killed (-9) after {killed_at:,} of 100,000 rows, resumed: {'same bytes' if same else 'DIFFERENT'}"
    )
    if not same:
        raise SystemExit(1)


def importing() -> None:
    """How long `import verifiers` takes."""
    times = []
    for _ in range(7):
        command = [sys.executable, "-X", "importtime", "-c", "import verifiers"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        line = next(line for line in said.splitlines() if line.rpartition("|")[2].strip() == "verifiers")
        times.append(int(line.split("|")[1]) / 1000)
    print(f"import verifiers: median {statistics.median(times):.1f} ms of 7")


if __name__ == "__main__":
    importing()
    with tempfile.TemporaryDirectory() as name:
        resume(Path(name))
        memory(Path(name))
