"""Which runs end as they would have, had nothing killed them: a real kill -9, for one set-up after another.

    OMP_NUM_THREADS=1 python -m benchmarks.resume OUT       all, and the table of docs/training.md
    OMP_NUM_THREADS=1 python -m benchmarks.resume OUT sync_ref_model

Each set-up trains a small model twice: in one process to its end, and in another that is killed after its
second checkpoint and started again. Compared are the bytes of the saved weights, and every kept completion
with its step and what it was paid. What a run says beforehand, or when it goes on, counts as announced.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import forks
from tests.training.runs import lines, write

SAVES = {"max_steps": 24, "save_strategy": "steps", "save_steps": 2}
EQUAL = "bit-equal"


@dataclass(frozen=True)
class SetUp:
    """A run that is killed.

    Args:
        shown: What of it matters, for the table.
        kind: Of the stage.
        trainer: Changes to the trainer's options.
        changes: Other changes to the configuration.
        again: Further ones where it goes on.
    """

    shown: str
    kind: str = "grpo"
    trainer: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    again: dict[str, Any] = field(default_factory=dict)


FALLING = {"Linear": {"start": 1.0, "end": 0.1}}
SETUPS: dict[str, SetUp] = {
    "updates": SetUp(
        "`num_iterations: 2`, `gradient_accumulation_steps: 2`",
        trainer={"num_iterations": 2, "gradient_accumulation_steps": 2},
    ),
    "lora": SetUp("LoRA, `kl: {target}`", trainer={"beta": 0.02},
                  changes={"model": {"lora": {"r": 2}}, "kl": {"target": 0.01}}),
    "rloo": SetUp(
        "RLOO, weights over time", "rloo",
        changes={"reward": {"sum": [{"Keywords": {"words": ["1", "2", "3"], "mode": "any"}, "name": "digits"},
                                    {"Length": {"maximum": 6}, "name": "length", "weight": FALLING}]}},
    ),
    "curriculum": SetUp(
        "`curriculum`, warmup, cosine", trainer={"lr_scheduler_type": "cosine", "warmup_steps": 4},
        changes={"curriculum": {"measure": 2}, "evaluation": {"outcome": "digits", "at": []}},
    ),
    "entropy": SetUp("`use_adaptive_entropy`", trainer={"use_adaptive_entropy": True, "entropy_target": 2.0}),
    "steps": SetUp("`steps`, one generation for two steps",
                   trainer={"steps_per_generation": 2, "gradient_accumulation_steps": 1},
                   changes={"steps": {"by": {"FunctionVerifier": "tests.training.step_marks:runs"}}}),
    "sync_ref_model": SetUp("`sync_ref_model`", trainer={
        "beta": 0.05, "sync_ref_model": True, "ref_model_sync_steps": 3, "ref_model_mixup_alpha": 0.5}),
    "dynamic_sampling": SetUp("`dynamic_sampling`, `kl: {target}`", trainer={"beta": 0.02},
                              changes={"kl": {"target": 0.01},
                                       "dynamic_sampling": {"rounds": 1, "outcome": "digits"}}),
    "group_size": SetUp("`group_size`", trainer={"per_device_train_batch_size": 16},
                        changes={"group_size": {"first": 2, "outcome": "digits"}}),
    "save_steps": SetUp("`save_steps` within a generation", trainer={
        "save_steps": 3, "steps_per_generation": 4, "gradient_accumulation_steps": 1}),
    "save_only_model": SetUp("`save_only_model`", trainer={"save_only_model": True}),
    "longer": SetUp("more `max_steps` than before, linear schedule",
                    trainer={"lr_scheduler_type": "linear"}, again={"max_steps": 32}),
}  # fmt: skip


def outcome(name: str, folder: Path) -> str:
    """What becomes of a set-up: bit-equal, announced with the sentence, or a difference that nobody tells.

    Args:
        name: Of the set-up.
        folder: For both runs.
    """
    set_up = SETUPS[name]
    trainer = {**SAVES, **set_up.trainer}
    longer = {**trainer, **set_up.again}
    killed, whole = folder / "killed", folder / "whole"
    for place, own in ((killed, trainer), (whole, longer)):
        place.mkdir(parents=True)
        write(place / "run.yaml", trainer=own, **set_up.changes)
    said = _kill(set_up.kind, killed)
    write(killed / "run.yaml", trainer=longer, **set_up.changes)
    said += _finish(set_up.kind, killed)
    _finish(set_up.kind, whole)
    if _left(killed) == _left(whole):
        return EQUAL
    notes = dict.fromkeys(line for line in said.splitlines() if line.startswith("note: "))
    return f"announced: {'; '.join(note.removeprefix('note: ') for note in notes)}" if notes else "DIFFERS"


def _kill(kind: str, folder: Path) -> str:
    """Start a run, and kill it when it has written two checkpoints."""
    with _started(kind, folder) as process:
        place = folder / "out" / "trainer"
        while len([*place.glob("checkpoint-*/trainer_state.json")]) < 2:
            if process.poll() is not None:
                raise SystemExit(process.said(2).decode())
            time.sleep(0.005)
        process.kill()
        if process.wait() != -signal.SIGKILL:
            raise SystemExit("it ended before it was killed")
        return process.said(2).decode()


def _finish(kind: str, folder: Path) -> str:
    with _started(kind, folder) as process:
        if process.wait():
            raise SystemExit(process.said(2).decode())
        return process.said(2).decode()


def _started(kind: str, folder: Path) -> forks.Started:
    words = [kind, "--config", str(folder / "run.yaml")]
    return forks.start("training.cli", *words, loaded=forks.TRAINING, cwd=folder)


def _left(folder: Path) -> tuple[bytes, list[tuple[Any, ...]]]:
    """The weights that a run has saved, and the completions that it has kept."""
    [weights] = (folder / "out" / "model").glob("*.safetensors")
    rows = lines(folder / "out" / "completions" / "train.rank0.jsonl")
    kept = ("step", "prompt", "completion", "reward", "progress")
    return weights.read_bytes(), [tuple(json.dumps(row[key]) for key in kept) for row in rows]


def row(name: str, found: str) -> str:
    """A line of the table."""
    return f"| {SETUPS[name].shown} | {found} |"


def main() -> None:
    """Kill what is named, or everything, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", choices=[[], *SETUPS])
    given = parser.parse_args()
    print("| set-up | killed and continued |\n|---|---|")
    for name in given.names or SETUPS:
        print(row(name, outcome(name, given.out / name)), flush=True)


if __name__ == "__main__":
    main()
