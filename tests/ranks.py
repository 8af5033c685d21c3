"""Programs that train in several processes, forked from one that has loaded torch already.

Run as a module in the environment that torchrun would give it, with the program's words, it is one of these processes.
"""

from __future__ import annotations

import contextlib
import os
import random
import runpy
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import forks
from tests.adapters import tiny
from tests.training.runs import BASE, write

SUMS = {"MathEquivalence": {"extract": {"Tag": "SOLUTION"}}, "name": "correct"}
_TRL = """
import sys
from pathlib import Path
from tests.adapters.test_trl import REWARD, _trainer
from adapters.trl import trl_reward_funcs, trl_reward_weights

model, folder = sys.argv[1:]
trainer = _trainer("GRPO", model, Path(folder), trl_reward_funcs(REWARD), max_steps=2,
                   per_device_train_batch_size=4, reward_weights=trl_reward_weights(REWARD))
trainer.train()
"""


def _trl(folder: Path) -> list[str]:
    """TRL's own trainer with our rewards."""
    script = folder / "trl_in_ranks.py"
    script.write_text(_TRL)
    return [str(script), str(tiny.build(folder / "tiny")), str(folder)]


def _pipeline(folder: Path) -> list[str]:
    """Groups that are split over both processes, after another stage."""
    lessons = {"source": "training.arithmetic:lessons", "options": {"train": 64, "held": 8}, "format": "text"}
    policy = {**BASE["trainer"], "max_steps": 2, "per_device_train_batch_size": 4, "num_generations": 8}
    file = write(folder / "run.yaml", model={"lora": {"r": 2}},
                 stages=[{"kind": "sft", "data": lessons,
                          "trainer": {"max_steps": 2, "per_device_train_batch_size": 4}},
                         {"kind": "grpo", "trainer": policy}],
                 evaluation={"holdout": 8, "reward": SUMS, "at": ["end"], "max_tokens": 4},
                 resume="never")  # fmt: skip
    return ["training.grpo", "--config", str(file)]


_DIVIDED = """
import json
import os
import sys
from pathlib import Path

from trl import GRPOTrainer
from training.cli import app
from training.stages import step_rewards

folder, rank = Path(sys.argv[1]), os.environ["RANK"]
theirs, ours = GRPOTrainer._compute_loss, step_rewards.StepRewarding._advantages


def note(name, **what):
    with open(folder / f"{name}.rank{rank}.jsonl", "a") as file:
        file.write(json.dumps(what) + "\\n")


def _compute_loss(self, model, inputs):
    note("losses", run=Path(self.args.output_dir).parent.name, advantages=inputs["advantages"].tolist())
    return theirs(self, model, inputs)


def _advantages(self, judged):
    found = ours(self, judged)
    note("steps", judged=judged, found=found)
    return found


GRPOTrainer._compute_loss = _compute_loss
step_rewards.StepRewarding._advantages = _advantages
app(["pipeline", "--config", str(folder / "run.yaml")])
"""


def _divided(folder: Path) -> list[str]:
    """Rewards of steps in groups that are split over both processes, and groups of different sizes."""
    script = folder / "divided.py"
    script.write_text(_DIVIDED)
    policy = {**BASE["trainer"], "max_steps": 1, "num_generations": 8}
    sizes = {"first": 4, "outcome": "digits"}
    write(
        folder / "run.yaml",
        stages=[
            {"kind": "grpo", "name": "steps", "trainer": {**policy, "per_device_train_batch_size": 4},
             "steps": {"by": {"FunctionVerifier": "tests.training.step_marks:runs"}}},
            {"kind": "grpo", "name": "sizes", "trainer": {**policy, "per_device_train_batch_size": 24},
             "group_size": sizes},
        ],
        resume="never",
    )  # fmt: skip
    return [str(script), str(folder)]


_GROUPS = """
import json
import random
import sys
from pathlib import Path

import torch

from adapters.trl import trl_reward_funcs
from rewards import LengthTarget, Rank
from tests.ranks import random_groups

folder, ours = Path(sys.argv[1]), []
torch.distributed.init_process_group("gloo")
rank, count = torch.distributed.get_rank(), torch.distributed.get_world_size()
[function, *_] = trl_reward_funcs(Rank(LengthTarget(0)), num_generations=8)
for prompts, completions in random_groups():
    own = len(completions) // count
    part = slice(rank * own, (rank + 1) * own)
    ours.append(function(completions[part], prompts=prompts[part]))
    assert function(completions[part], prompts=prompts[part]) == ours[-1]
(folder / f"paid.rank{rank}.json").write_text(json.dumps(ours))
"""


def _groups(folder: Path) -> list[str]:
    """Rewards that compare groups, which lie on several processes."""
    script = folder / "groups.py"
    script.write_text(_GROUPS)
    return [str(script), str(folder)]


def random_groups() -> Iterator[tuple[list[str], list[str]]]:
    """Batches of three groups of eight completions, of which neither two nor four processes hold whole ones."""
    chance = random.Random(0)
    for batch in range(334):
        prompts = [f"question {batch} {number // 8}" for number in range(24)]
        yield prompts, ["x" * chance.randrange(1, 30) for _ in prompts]


PROGRAMS: dict[str, Callable[[Path], list[str]]] = {"trl": _trl, "pipeline": _pipeline, "divided": _divided,
                                                    "groups": _groups}  # fmt: skip


def run(name: str, folder: Path, count: int = 2) -> Path:
    """Run a program in some ranks, as torchrun would start them, and return its folder.

    To start two interpreters that load torch, and torchrun, which loads it as well, took a minute of processor time.
    """
    words = PROGRAMS[name](folder)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    with contextlib.ExitStack() as stack:
        ranks = [
            stack.enter_context(
                forks.start(
                    "tests.ranks", *words, loaded=forks.TRAINING, cwd=folder,
                    env={**forks.ENVIRONMENT, "OMP_NUM_THREADS": "1", "MASTER_ADDR": "127.0.0.1",
                         "MASTER_PORT": str(port), "WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count),
                         "RANK": str(rank), "LOCAL_RANK": str(rank)},
                )
            )
            for rank in range(count)
        ]  # fmt: skip
        # One that fails leaves the other waiting for it, so both are asked.
        while (ends := [each.poll() for each in ranks]) != [0] * count:
            if any(ends):
                pytest.fail(
                    "\n".join(each.said(stream).decode()[-3000:] for each in ranks for stream in (1, 2))
                )
            time.sleep(0.05)
    return folder


def _main(words: list[str]) -> None:
    import accelerate

    sys.argv = words
    start = runpy.run_path if words[0].endswith(".py") else runpy.run_module
    try:
        start(words[0], run_name="__main__")
    except SystemExit as error:
        if error.code:
            raise
    # Without a farewell a rank that is still busy may find the other's store gone, and abort.
    accelerate.Accelerator(cpu=True).wait_for_everyone()
    sys.stdout.flush()
    sys.stderr.flush()
    # A fork of what has loaded torch may hang while it takes its process group down.
    os._exit(0)


if __name__ == "__main__":
    _main(sys.argv[1:])
