"""The demonstration on several seeds: what is learned, collapses or is hacked, and which alarms are raised.

    python -m benchmarks.training_demo      # three seeds of three examples, some 25 minutes on two cores
    python -m benchmarks.training_demo --seeds 0 --examples healthy

Each run is ``verify-train demo`` in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Run, and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--examples", nargs="+", default=["healthy", "hackable", "collapse"])
    parser.add_argument("--keep", help="a folder for the runs; by default they are deleted")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        print("| example | seed | held-out | seen | standard errors | worked | forced working | reward "
              "| alarms at step | seconds | MiB |")  # fmt: skip
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        for example in options.examples:
            for seed in options.seeds:
                print(line(example, seed, folder / f"{example}-{seed}"), flush=True)


def line(example: str, seed: int, folder: Path) -> str:
    """A run's figures, before and after."""
    command = [sys.executable, "-m", "training.cli", "demo", "--example", example, "--seed", str(seed)]
    subprocess.run([*command, "--output-dir", str(folder)], check=True, stderr=subprocess.DEVNULL)
    found = json.loads((folder / "metrics.json").read_text())

    def moved(name: str) -> str:
        return f"{found[f'{name}_before']:.3f} → {found[f'{name}_after']:.3f}"

    alarms = ", ".join(f"{alarm['name']} {alarm['step']}" for alarm in found["alarms"]) or "none"
    return (
        f"| {example} | {seed} | {moved('heldout_accuracy')} | {moved('seen_accuracy')} | "
        f"{found['gain_in_standard_errors']} | {moved('worked')} | {moved('forced_working')} | "
        f"{found['reward_first']:.3f} → {found['reward_last']:.3f} | {alarms} | {found['seconds']:.0f} | "
        f"{found['peak_rss_mib']:.0f} |"
    )


if __name__ == "__main__":
    main()
