"""Train with TRL's GRPOTrainer on the reward of a recipe: a small model, on a CPU, without a network.

python examples/grpo_trainer.py [STEPS]     needs the extra `train`; 60 steps take half a minute
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import transformers
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from adapters.trl import trl_reward_funcs, trl_reward_weights
from rewards import load_recipe
from training import arithmetic

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 60
SUMS = {"1+1=?\n": "2", "1+2=?\n": "3", "2+3=?\n": "5", "3+4=?\n": "7"}

# The recipe is a file, so that `verify-cli score --recipe examples/sums.yaml` pays the same.
reward = load_recipe(Path(__file__).with_name("sums.yaml"))
rows = [{"prompt": question, "answer": answer} for question, answer in SUMS.items()]

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
with tempfile.TemporaryDirectory() as folder:
    # In your program: model="Qwen/Qwen2.5-0.5B-Instruct", or a folder of yours.
    arithmetic.model(Path(folder) / "model", hidden=64, layers=2)
    trainer = GRPOTrainer(
        model=f"{folder}/model",
        reward_funcs=trl_reward_funcs(reward),  # the total first, then each part, which is only logged
        train_dataset=Dataset.from_list(rows),
        args=GRPOConfig(
            output_dir=f"{folder}/out",
            reward_weights=trl_reward_weights(reward),
            max_steps=STEPS,
            num_generations=16,
            per_device_train_batch_size=64,
            max_completion_length=3,
            learning_rate=1e-2,
            lr_scheduler_type="constant",
            bf16=False,  # TRL's default, which a CPU may not have
            use_cpu=True,
            logging_steps=1,
            report_to="none",
            save_strategy="no",
            disable_tqdm=True,
            seed=0,
        ),
    )
    # It would print every step; the table below is enough.
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train()

# It learns the form first, and one right answer; four need more steps and a larger model.
print("step  reward  accuracy  digit")
history = [row for row in trainer.state.log_history if "reward" in row]
every = max(1, STEPS // 6)
for row in [*history[:-1:every], history[-1]]:
    logged = [row[f"rewards/{name}/mean"] for name in ("reward", "accuracy", "digit")]
    print(f"{row['step']:4}  {logged[0]:6.2f}  {logged[1]:8.2f}  {logged[2]:5.2f}")
