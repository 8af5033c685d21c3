"""DeepSeek-R1's stages on a CPU: what each of them brings, on rows that nothing was trained on.

    OMP_NUM_THREADS=1 python -m benchmarks.r1_stages --keep runs/r1               three seeds
    OMP_NUM_THREADS=1 python -m benchmarks.r1_stages --keep runs/r1 --seeds 1     one
    OMP_NUM_THREADS=1 python -m benchmarks.r1_stages --keep runs/r1 --selections 10
                                                    what ten sampling seeds select, next to what is asked for

The pipeline of ``r1_arithmetic``; an interrupted benchmark continues. The seeds share one base model, and
differ in everything after it: what is sampled, selected, and trained on in which order. Measured are means
over four samples (temperature 1: greedy answers are right early on, where sampled ones are not), after each
stage that leaves a model: of sums the right ones (in the form or not), the form, and the share of English in
the thinking; of questions the judge's score; of requests the refusals among harmful ones, and among harmless
ones. Intervals hold 95 of 100 draws of other questions (bootstrap over questions; what the seeds gave of one
question is drawn together).
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.chain_models import interval, keep, kept
from rewards import Reward
from training.config import Data, RunConfig, load_config, stages_of
from training.data import load_rows
from training.generation import Sampling
from training.r1 import serve
from training.run.accuracy_measures import answer
from training.run.run_inputs import local_backend, prepare, reward_of
from training.stages import STAGES as STAGES_BY_KIND
from training.stages import run_pipeline

STAGES = ("base", "cold_start", "reasoning", "supervised", "all_tasks", "preference")
FIGURES = ("accuracy", "format", "language", "judge", "refusals", "over-refusals")
SAMPLES = 4
"""Completions of each question."""
Found = dict[str, dict[str, dict[str, float]]]
"""For each stage and figure, what each question gave."""


def run_seed(seed: int, folder: Path, changes: list[str]) -> dict[str, Any]:
    """Train with one seed, and measure the model after each stage."""
    started = time.process_time()
    config = load_config(
        "r1_arithmetic",
        [f"output_dir={folder}", f"seed={seed}", "evaluation.at=[]", "stages.base.seed=0", *changes],
    )
    run_pipeline(config)
    trained = time.process_time() - started
    stages = stages_of(config)
    found: Found = {}
    with serve(int(config.services[0].options["port"])):
        for name in STAGES:
            found[name] = _measured(stages["all_tasks"][1], Path(stages[name][1].output_dir) / "model")
    kinds = {"few_shot", "rejection_sampling", "preferences"}
    selected = {name: _metrics(stages[name][1])["by_task"] for name in kinds}
    return {"seed": seed, "cpu_seconds": round(trained), "selected": selected, "stages": found}


def selections(seeds: int, folder: Path) -> str:
    """Rows of each task that seeds select from the same models, next to what is asked for."""
    config = load_config("r1_arithmetic", [f"output_dir={folder}", "evaluation.at=[]"])
    stages = stages_of(config)
    if not (Path(stages["base"][1].output_dir) / "metrics.json").is_file():
        run_pipeline(config)
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for name, (kind, own) in stages.items():
        if kind != "select" or own.select is None:
            continue
        with serve(int(config.services[0].options["port"])):
            for seed in range(seeds):
                place = folder.with_name("selections") / f"{name}-{seed}"
                select = own.select.model_copy(update={"least": 1})
                again = own.model_copy(update={"output_dir": str(place), "seed": seed, "select": select})
                for task, each in STAGES_BY_KIND[kind](again)["by_task"].items():
                    found[f"{name}, at least {own.select.least}", task].append(each["selected"])
    lines = ["| stage | task | selected | deviations above |", "|---|---|---|---|"]
    for (stage, task), counts in found.items():
        least = int(stage.rpartition(" ")[2])
        spread = stdev(counts) if len(set(counts)) > 1 else 0.0
        above = f"{(mean(counts) - least) / spread:.1f}" if spread else "all alike"
        lines.append(f"| {stage} | {task} | {', '.join(map(str, counts))} | {above} |")
    return "\n".join(lines)


def _measured(own: RunConfig, model: Path) -> dict[str, dict[str, float]]:
    """What a model does with each held-out question."""
    run = own.model_copy(update={"model": own.model.model_copy(update={"name": str(model)})})
    prepared = prepare(run, needs_reward=True)
    reward: Reward = reward_of(own.reward)
    tasks = {"sums": "sums", "general": "general", "safety": "safety"}
    sources = [
        Data.model_validate(
            {
                "source": f"training.r1:{name}",
                "options": {"part": "heldout"},
                "format": "text",
                "tag": task,
            }
        )
        for name, task in tasks.items()
    ]
    rows = load_rows(sources, chat=False, seed=0)
    sampling = Sampling(k=SAMPLES, temperature=1.0, max_tokens=24)
    figures: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for each in answer(local_backend(run, prepared), rows, reward, sampling):
        for payment in each.payments:
            # The part is gated by the form; a right number is one without it as well.
            right = {name: verdict.score for name, verdict in payment.judged() if name == "accuracy"}
            for name, value in {**payment.values(), **right}.items():
                said = _refused(name, value or 0.0, each.row)
                figures[_figure(name, each.row)][each.row["question"]] += said / SAMPLES
    return figures


def _figure(part: str, row: Mapping[str, Any]) -> str:
    if part != "refusal":
        return part
    return "refusals" if row["refuse"] else "over-refusals"


def _refused(part: str, value: float, row: Mapping[str, Any]) -> float:
    """What a row adds to its figure; a refusal that is not asked for is what the reward does not pay."""
    return 1.0 - value if part == "refusal" and not row["refuse"] else value


def _metrics(own: RunConfig) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(own.output_dir) / "metrics.json").read_text())
    return found


def table(seeds: list[Mapping[str, Any]]) -> str:
    """Stage by figure: the mean over questions and seeds, with its interval."""
    lines = [f"| after | {' | '.join(FIGURES)} |", f"|---|{'---|' * len(FIGURES)}"]
    for stage in STAGES:
        cells = []
        for figure in FIGURES:
            rows: dict[str, list[float]] = defaultdict(list)
            for seed in seeds:
                for question, value in seed["stages"][stage].get(figure, {}).items():
                    rows[question].append(value)
            shown = interval(list(rows.values()))
            cells.append(f"{shown['mean']:.2f} ({shown['low']:.2f}–{shown['high']:.2f})")
        lines.append(f"| {stage} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Train what is missing, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--keep", required=True, help="the folder of the runs")
    parser.add_argument("--selections", type=int, metavar="N", help="select with N seeds, and nothing else")
    parser.add_argument("changes", nargs="*", help="KEY=VALUE, as for verify-train")
    given = parser.parse_args()
    folder = Path(given.keep)
    folder.mkdir(parents=True, exist_ok=True)
    if given.selections:
        print(selections(given.selections, folder / "seed-0"))
        return
    done = kept(folder / "figures.json")
    for seed in range(given.seeds):
        if str(seed) not in done:
            own, first = folder / f"seed-{seed}", folder / "seed-0" / "1-base"
            if seed and not (own / "1-base").exists():
                shutil.copytree(first, own / "1-base")
                (own / "pipeline.json").write_text("{}\n")
            done[str(seed)] = run_seed(seed, own, given.changes)
            keep(folder / "figures.json", done)
        shown = {name: value for name, value in done[str(seed)].items() if name != "stages"}
        print(json.dumps(shown), flush=True)
    print(table([done[str(seed)] for seed in range(given.seeds)]))


if __name__ == "__main__":
    main()
