"""GRPO with step rewards against GRPO that is paid for the answer alone, on chains of three calculations.

    python -m benchmarks.step_rewards OUT                   the model learns from the teacher first: minutes
    python -m benchmarks.step_rewards OUT --language ko     the same task in Korean

All runs begin with the same model and are measured on questions that none was trained on, against what is
known to be true of each step (`training.chains.truth`), which no reward reads. An interrupted benchmark
continues.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.chain_models import (
    CONFIGS,
    answered,
    backend,
    base_model,
    heldout,
    interval,
    is_right,
    is_sound,
    keep,
    kept,
)
from training.config import load_config, stages_of
from training.stages import train_policy

VARIANTS: dict[str, list[str]] = {
    "outcome only": [],
    "steps: errors": ["stages.grpo.steps={by: EquationChain, weight: 1.0, pays: errors}"],
    "steps: all": ["stages.grpo.steps={by: EquationChain, weight: 1.0, pays: all}"],
}
SAMPLED = 4


def measured(model: Path, language: str, seed: int) -> dict[str, Any]:
    """For each held-out question: greedy and sampled completions that are right, and right by right steps."""
    rows, by = heldout(language), backend(model)
    found: dict[str, Any] = {}
    for name, k, temperature in (("greedy", 1, 0.0), ("sampled", SAMPLED, 1.0)):
        made = answered(by, rows, k, temperature, seed)
        pairs = list(zip(rows, made, strict=True))
        found[f"{name} right"] = [[is_right(row, one.text) for one in each] for row, each in pairs]
        found[f"{name} sound"] = [[is_sound(row, one.text) for one in each] for row, each in pairs]
        found[f"{name} tokens"] = [[one.tokens for one in each] for each in made]
    return found


def trained(folder: Path, base: Path, language: str, changes: Sequence[str], seed: int, steps: int) -> Path:
    """A model after GRPO; a run that was finished before is not run again."""
    config = load_config(
        CONFIGS[language],
        [
            f"output_dir={folder}",
            f"seed={seed}",
            f"stages.grpo.model.name={base}",
            f"stages.grpo.trainer.max_steps={steps}",
            "evaluation.at=[]",
            *changes,
        ],
    )
    kind, stage = stages_of(config)["grpo"]
    train_policy(kind, stage)
    return Path(stage.output_dir) / "model"


def summary(found: dict[str, Any], name: str) -> dict[str, Any]:
    """A variant's figures over all seeds."""
    runs = [value for key, value in found["runs"].items() if key.startswith(f"{name}/")]
    shown: dict[str, Any] = {"seeds": len(runs)}
    for way in ("greedy", "sampled"):
        right = [
            list(chain.from_iterable(each))
            for each in zip(*(run[f"{way} right"] for run in runs), strict=True)
        ]
        sound = [
            list(chain.from_iterable(each))
            for each in zip(*(run[f"{way} sound"] for run in runs), strict=True)
        ]
        shown[f"{way} accuracy"] = interval(right)
        shown[f"{way} sound of right"] = interval(
            [
                [good for good, is_answer in zip(both, answers, strict=True) if is_answer]
                for both, answers in zip(sound, right, strict=True)
            ]
        )
        tokens = [one for run in runs for each in run[f"{way} tokens"] for one in each]
        shown[f"{way} tokens"] = round(sum(tokens) / len(tokens), 1)
    return shown


def main() -> None:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", choices=sorted(CONFIGS), default="en")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=30, help="of GRPO")
    options = parser.parse_args()
    folder: Path = options.out / options.language
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "step_rewards.json"
    base = base_model(folder / "base", options.language)
    found = {"runs": {}, **kept(path)}
    if "before/0" not in found["runs"]:
        found["runs"]["before/0"] = measured(base, options.language, 0)
    # What is compared first is there first, should it be interrupted.
    for names in (list(VARIANTS)[:2], list(VARIANTS)[2:]):
        for seed in range(options.seeds):
            for name in names:
                if f"{name}/{seed}" not in found["runs"]:
                    run = folder / f"{name.replace(': ', '_').replace(' ', '_')}_{seed}"
                    model = trained(run, base, options.language, VARIANTS[name], seed, options.steps)
                    found["runs"][f"{name}/{seed}"] = measured(model, options.language, seed)
                    keep(path, found)
    found["figures"] = {
        name: summary(found, name)
        for name in ("before", *VARIANTS)
        if any(key.startswith(f"{name}/") for key in found["runs"])
    }
    keep(path, found)
    for name, figures in found["figures"].items():
        print(name)
        for key, value in figures.items():
            print(f"  {key}: {value}")


if __name__ == "__main__":
    main()
