"""Programs that train in two processes: all of them one after the other in the same two, which load torch once.

Run as a module by torchrun, with the folder of the run, it is one of these processes.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

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
    file = write(
        folder / "run.yaml",
        model={"lora": {"r": 2}},
        stages=[
            {"kind": "sft", "data": lessons, "trainer": {"max_steps": 2, "per_device_train_batch_size": 4}},
            {"kind": "grpo", "trainer": policy},
        ],
        evaluation={"holdout": 8, "reward": SUMS, "at": ["end"], "max_tokens": 4},
        resume="never",
    )
    return ["training.grpo", "--config", str(file)]


# In this order: the last one needs peft, without which the oldest TRL is tested.
PROGRAMS: dict[str, Callable[[Path], list[str]]] = {"trl": _trl, "pipeline": _pipeline}


def run_all(folder: Path) -> Callable[[str], Path]:
    """Run the programs, and give what says where one of them has worked, if it has come to its end.

    Started anew by torchrun: a fork of what has loaded torch may hang while it takes its process group down.
    """
    words = {}
    for name, made in PROGRAMS.items():
        (folder / name).mkdir()
        words[name] = made(folder / name)
    (folder / "programs.json").write_text(json.dumps(words))
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    done = subprocess.run(
        [*command, "-m", "tests.ranks", str(folder)],
        cwd=folder, env={**forks.ENVIRONMENT, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip

    def ended(name: str) -> Path:
        ends = [(folder / name / f"ended.{rank}").exists() for rank in range(2)]
        assert all(ends), done.stdout[-2000:] + done.stderr[-3000:]
        return folder / name

    return ended


def _main(folder: Path) -> None:
    import accelerate

    rank = os.environ["RANK"]
    for name, words in json.loads((folder / "programs.json").read_text()).items():
        sys.argv = words
        os.chdir(folder / name)
        run = runpy.run_path if words[0].endswith(".py") else runpy.run_module
        try:
            run(words[0], run_name="__main__")
        except SystemExit as error:
            failed = bool(error.code)
        except BaseException:
            traceback.print_exc()
            failed = True
        else:
            failed = False
        if failed:
            sys.stderr.flush()
            os._exit(1)  # torchrun ends the other one, which may wait for this one
        # Without a farewell a rank that is still busy may find the other's store gone, and abort.
        accelerate.Accelerator(cpu=True).wait_for_everyone()
        (folder / name / f"ended.{rank}").touch()
    accelerate.Accelerator(cpu=True).end_training()


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
