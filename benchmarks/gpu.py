"""What training costs on a GPU, in calls of less than ten minutes.

Nothing is downloaded, and a call goes on where the one before stopped.

    python -m benchmarks.gpu OUT              every case that is not measured yet, for nine minutes
    python -m benchmarks.gpu OUT --minutes 4
    python -m benchmarks.gpu OUT --rehearse   the same code with tiny models, on a CPU, as in the suite

The cases are gsm8k_qwen and gpt_oss_20b_gsm8k with models of random weights (`benchmarks.random_models`):
Qwen2.5's shapes of 0.5B and 1.5B with completions by transformers, by vLLM on the same GPU and by a vLLM
server on a second one, gpt-oss' weights in MXFP4, and FSDP2 on one device. Each is a process of its own,
which a limit ends; what fails is a row with the last line of its error (``--again`` tries it once more).
OUT/gpu.json, OUT/gpu.md and OUT/gpu.png say on which device and with which versions. Random weights hardly
ever end a completion: all are as long as allowed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.chain_models import keep, kept
from training.cli.bundled import LAUNCH
from training.config import load_config
from training.config.trainer_options import lora_config
from training.dry_run.run_sizes import standing_memory
from training.run.run_inputs import prepare
from training.stages import train_policy

WARM = 2
"""Steps at the beginning that no figure is taken from: kernels are chosen and memory is reserved."""
STEPS = 6
LIMIT = 170
"""Seconds that a case may take: three of them fit into a call."""
LORA = "model.lora={r: 16, lora_alpha: 32, target_modules: all-linear}"
BATCH = ["trainer.per_device_train_batch_size=8", "trainer.gradient_accumulation_steps=4",
         "trainer.num_generations=8", "trainer.max_completion_length=256"]  # fmt: skip
SMALL = ["trainer.per_device_train_batch_size=4", "trainer.gradient_accumulation_steps=2",
         "trainer.num_generations=4", "trainer.max_completion_length=8"]  # fmt: skip
ALONE = "trainer.use_vllm=false"


@dataclass(frozen=True)
class Case:
    """What is measured.

    Args:
        config: Of those that come with the library.
        model: The function of `benchmarks.random_models`, and the shape.
        changes: To the configuration.
        needs: Why it cannot be measured here: ``vllm``, ``gpu``, ``gpus`` for two of them.
        launcher: Started by accelerate with this configuration of its own.
        server: Completions come from a vLLM server on the second GPU.
    """

    config: str
    model: tuple[str, str]
    changes: Sequence[str] = ()
    needs: Sequence[str] = ()
    launcher: str = ""
    server: bool = False


def _qwen(shape: str, *changes: str, **more: Any) -> Case:
    return Case("gsm8k_qwen", ("qwen", shape), changes, **more)


CASES = {
    "0.5B, full, float32": _qwen("0.5B", "model.lora=null", "model.dtype=float32", ALONE),
    "0.5B, LoRA, bfloat16": _qwen("0.5B", LORA, ALONE),
    "1.5B, LoRA, bfloat16": _qwen("1.5B", LORA, ALONE),
    "0.5B, LoRA, vLLM colocate": _qwen("0.5B", LORA, needs=["gpu", "vllm"]),
    "1.5B, LoRA, vLLM colocate": _qwen("1.5B", LORA, needs=["gpu", "vllm"]),
    "0.5B, full, FSDP2 on one device": _qwen(
        "0.5B", "model.lora=null", "model.dtype=float32", ALONE, needs=["gpu"], launcher="fsdp2"
    ),
    "gpt-oss part, MXFP4, LoRA": Case("gpt_oss_20b_gsm8k", ("gpt_oss", "part")),
    "0.5B, LoRA, vLLM server": _qwen(
        "0.5B", LORA, "trainer.vllm_mode=server", needs=["gpu", "vllm", "gpus"], server=True
    ),
}


def run_config(case: Case, folder: Path, steps: int, *, rehearsal: bool) -> Any:
    """The configuration of a case."""
    function, shape = case.model
    changes = [
        f"output_dir={folder}", "resume=never", "threads=auto", "evaluation={at: []}",
        f"model.name=benchmarks.random_models:{function}",
        f"model.options={{shape: {'rehearsal' if rehearsal else shape}}}",
        'data={source: "benchmarks.random_models:questions", format: chat, system: Show how.}',
        f"trainer.max_steps={steps}", 'trainer.save_strategy="no"',
        *(SMALL if rehearsal else BATCH), *case.changes,
    ]  # fmt: skip
    return load_config(case.config, [*changes, *(["model.dtype=auto"] if rehearsal else [])])


def train(case: Case, folder: Path, steps: int, *, rehearsal: bool) -> dict[str, Any]:
    """Train for some steps in this process, and say what they cost."""
    import torch

    config = run_config(case, folder, steps, rehearsal=rehearsal)
    on_gpu = torch.cuda.is_available()
    started = time.time()
    train_policy("grpo", config)
    lora = lora_config(config.model.lora) if config.model.lora else None
    dtype = config.model.dtype if config.model.dtype != "auto" else "float32"
    standing = standing_memory(prepare(config, needs_reward=False).place, lora=lora, dtype=dtype)
    unit = 1 << 30
    return {
        **figures(_lines(folder / "history.jsonl"), _lines(folder / "completions" / "train.rank0.jsonl")),
        "seconds": round(time.time() - started, 1),
        "standing_gib": round(standing.total / unit, 3),
        "peak_gib": round(torch.cuda.max_memory_allocated() / unit, 3) if on_gpu else None,
        "reserved_gib": round(torch.cuda.max_memory_reserved() / unit, 3) if on_gpu else None,
    }


def figures(history: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What steps cost, by the completions that were kept of each.

    Args:
        history: The log.
        rows: The kept completions.
    """
    every = [line for line in history if line.get("step_time")]
    steps = every[WARM:] or every
    of_step = Counter(row["step"] for row in rows)
    completions = median(of_step.values())
    tokens = sum(row["completion_tokens"] for row in rows) / len(rows)
    seconds = median(line["step_time"] for line in steps)
    return {
        "steps": len(every),
        "step_seconds": round(seconds, 3),
        "completions": completions,
        "completions_per_second": round(completions / seconds, 2),
        "tokens_per_second": round(completions * tokens / seconds, 1),
        "reward_share": round(median(line["reward_seconds"] / line["step_time"] for line in steps), 6),
    }


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def lacking(case: Case) -> str:
    """What this machine lacks for a case; empty for nothing."""
    import torch

    found = {
        "gpu": "" if torch.cuda.is_available() else "a GPU",
        "vllm": "" if importlib.util.find_spec("vllm") else "vllm",
        "gpus": "" if torch.cuda.device_count() > 1 else "a second GPU",
    }
    missing = [found[need] for need in case.needs if found[need]]
    return f"needs {' and '.join(missing)}" if missing else ""


def measured(name: str, folder: Path, seconds: float) -> dict[str, Any]:
    """A case in a process of its own, which ends in time."""
    case = CASES[name]
    words = ["-m", "benchmarks.gpu", str(folder), "--only", name]
    command = [sys.executable, *words]
    if case.launcher:
        launch = [sys.executable, "-m", "accelerate.commands.launch", "--config_file"]
        command = [*launch, str(LAUNCH / f"{case.launcher}.yaml"), "--num_processes", "1", *words]
    server = _serve(case, folder) if case.server else None
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, check=False,
            env={**os.environ, **({"CUDA_VISIBLE_DEVICES": "0"} if case.server else {})},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"error": f"more than {seconds:.0f} s"}
    finally:
        if server is not None:
            server.kill()
            server.wait()
    said = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines() or ["nothing"]
    found: dict[str, Any] = json.loads(said[-1]) if done.returncode == 0 else {"error": said[-1][:200]}
    return found


def _serve(case: Case, folder: Path) -> subprocess.Popen[bytes]:
    """A vLLM server with the case's model, on the second GPU."""
    config = run_config(case, folder / "served", 1, rehearsal=False)
    place = prepare(config, needs_reward=False).place
    return subprocess.Popen(
        [sys.executable, "-m", "trl.scripts.vllm_serve", "--model", place],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def device() -> dict[str, Any]:
    """What this is measured on."""
    import torch

    on_gpu = torch.cuda.is_available()
    return {
        "device": torch.cuda.get_device_name() if on_gpu else f"{platform.machine()} CPU",
        "versions": {name: version(name) for name in ("torch", "transformers", "trl", "peft")},
    }


def table(found: Mapping[str, Any]) -> str:
    """The figures as Markdown."""
    on = found["on"]
    lines = [
        f"On {on['device']}, {', '.join(f'{name} {number}' for name, number in on['versions'].items())}.",
        "",
        "| model, weights | completions a step | s a step | completions/s | tokens/s | rewards' share | "
        "held, estimated, GiB | peak, GiB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, run in found["runs"].items():
        if "error" in run:
            lines.append(f"| {name} | {run['error']} | | | | | | |")
            continue
        peak = "not measured" if run["peak_gib"] is None else f"{run['peak_gib']:.2f}"
        cells = [
            name,
            f"{run['completions']:g}",
            f"{run['step_seconds']:.2f}",
            f"{run['completions_per_second']:.1f}",
            f"{run['tokens_per_second']:,.0f}",
            f"{run['reward_share']:.3%}",
            f"{run['standing_gib']:.2f}",
            peak,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(found: Mapping[str, Any], path: Path) -> bool:
    """Tokens a second, and memory next to its estimate, of what was measured; whether there was anything."""
    runs = {name: run for name, run in found["runs"].items() if "error" not in run}
    if not runs or importlib.util.find_spec("matplotlib") is None:
        return False
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 0.5 * len(runs) + 1.5), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    places = range(len(runs))
    left.barh(places, [run["tokens_per_second"] for run in runs.values()])
    left.set_yticks(places, list(runs))
    left.set_xlabel("tokens generated and learned from, each second")
    for shift, key, label in ((-0.2, "standing_gib", "held, estimated"), (0.2, "peak_gib", "peak, measured")):
        right.barh(
            [place + shift for place in places], [run[key] or 0 for run in runs.values()], 0.4, label=label
        )
    right.set_xlabel("GiB")
    right.legend()
    figure.savefig(path, dpi=120)
    return True


def measure(folder: Path, minutes: float, *, rehearsal: bool, again: bool) -> dict[str, Any]:
    """Measure what is missing, as long as there is time for it; what was found so far is in the folder."""
    until = time.monotonic() + 60 * minutes
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {"runs": {}, **kept(folder / "gpu.json"), "on": device()}
    for number, (name, case) in enumerate(CASES.items()):
        known = found["runs"].get(name)
        if known is not None and not (again and "error" in known):
            continue
        left = until - time.monotonic()
        if left < 30 and not rehearsal:
            print(f"the time is over; {name} and what follows is left for the next call", flush=True)
            break
        lacks = lacking(case)
        own = folder / f"run-{number}"
        if lacks:
            found["runs"][name] = {"error": lacks}
        elif rehearsal:
            found["runs"][name] = train(case, own, 2, rehearsal=True)
        else:
            found["runs"][name] = measured(name, folder, min(left, LIMIT))
        keep(folder / "gpu.json", found)
        print(name, json.dumps(found["runs"][name]), flush=True)
    (folder / "gpu.md").write_text(table(found) + "\n", encoding="utf-8")
    draw(found, folder / "gpu.png")
    return found


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=9.0, help="that this call may take")
    parser.add_argument("--rehearse", action="store_true", help="two small steps of each, in this process")
    parser.add_argument("--again", action="store_true", help="try once more what has failed")
    parser.add_argument("--only", help="train one case in this process, and print what it costs")
    given = parser.parse_args()
    if given.only:
        case = CASES[given.only]
        own = given.out / f"run-{list(CASES).index(given.only)}"
        print(json.dumps(train(case, own, STEPS, rehearsal=False)))
        return
    print(table(measure(given.out, given.minutes, rehearsal=given.rehearse, again=given.again)))


if __name__ == "__main__":
    main()
