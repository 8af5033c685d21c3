"""The tool task on a CPU: held-out accuracy before and after GRPO, and how often tools are called.

    OMP_NUM_THREADS=1 python -m benchmarks.tool_task            three seeds
    OMP_NUM_THREADS=1 python -m benchmarks.tool_task --seeds 1  one

A row of the table is a seed: greedy accuracy on held-out questions, the share of these for which a tool
was asked, and processor seconds.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.config import load_config, stages_of
from training.run.accuracy_measures import Measured, measure, measuring_sampling
from training.run.run_inputs import local_backend, prepare
from training.stages import run_pipeline


def run_seed(seed: int, folder: Path) -> dict[str, Any]:
    """Train with one seed, and measure the model before and after GRPO."""
    started = time.process_time()
    config = load_config("demo_tools", [f"output_dir={folder}", f"seed={seed}", "evaluation.at=[]"])
    run_pipeline(config)
    stages = stages_of(config)
    grpo = stages["grpo"][1]
    found: dict[str, Any] = {"seed": seed}
    for when, stage in (("before", "sft"), ("after", "grpo")):
        name = str(Path(stages[stage][1].output_dir) / "model")
        own = grpo.model_copy(update={"model": grpo.model.model_copy(update={"name": name})})
        prepared = prepare(own, needs_reward=True)
        assert prepared.strict is not None
        backend = local_backend(own, prepared)
        measured = measure(
            backend, prepared.heldout, prepared.strict, prepared.outcome, measuring_sampling(own)
        )
        found |= {f"{when}": measured.accuracy, f"error_{when}": measured.error, "n": measured.n}
        found[f"called_{when}"] = _called(measured)
    error = math.hypot(found["error_before"], found["error_after"])
    found["gain_in_errors"] = round((found["after"] - found["before"]) / max(error, 1e-9), 1)
    found["cpu_seconds"] = round(time.process_time() - started, 1)
    return found


def _called(measured: Measured) -> float:
    """The share of rows in whose conversation a tool answered."""
    said = [each.completions[0].messages or () for each in measured.answered]
    return sum(any(message["role"] == "tool" for message in each) for each in said) / len(said)


def _line(found: Mapping[str, Any]) -> str:
    return (
        f"| {found['seed']} | {found['before']:.3f} ± {found['error_before']:.3f} | "
        f"{found['after']:.3f} ± {found['error_after']:.3f} | {found['gain_in_errors']} | "
        f"{found['called_before']:.2f} | {found['called_after']:.2f} | {found['cpu_seconds']:.0f} |"
    )


def main() -> None:
    """Print the table, and each seed's figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    lines = []
    for seed in range(given.first, given.first + given.seeds):
        with tempfile.TemporaryDirectory() as folder:
            found = run_seed(seed, Path(folder) / "run")
        print(json.dumps(found), flush=True)
        lines.append(_line(found))
    print("| seed | before | after | in standard errors | called before | after | CPU s |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
