"""What the benchmarks on chains of calculations share: the small model, and shares with intervals."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.chains import truth
from training.config import load_config, stages_of
from training.generation import Generated, Sampling, TransformersBackend
from training.stages.offline_stages import train_supervised

CONFIGS = {"en": "chains", "ko": "chains_ko"}
HELD = 200
"""Questions that nothing is trained on."""


def base_model(folder: Path, language: str) -> Path:
    """The model that has learned from the teacher; trained where it is not there yet."""
    config = load_config(CONFIGS[language], [f"output_dir={folder}", "evaluation.at=[]"])
    _, stage = stages_of(config)["sft"]
    train_supervised(stage)
    return Path(stage.output_dir) / "model"


def heldout(language: str) -> list[dict[str, Any]]:
    """The held-out questions."""
    from training.chains import problems

    return list(problems("heldout", train=8000, held=HELD, language="ko" if language == "ko" else "en"))


def backend(model: Path, batch_size: int = 400) -> TransformersBackend:
    """The model, for sampling."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    return TransformersBackend(
        AutoModelForCausalLM.from_pretrained(model),
        AutoTokenizer.from_pretrained(model),
        batch_size=batch_size,
    )


def is_right(row: Mapping[str, Any], text: str) -> bool:
    """Whether a completion has the right answer in its place."""
    return text.endswith(f"<SOLUTION>{row['answer']}</SOLUTION>")


def is_sound(row: Mapping[str, Any], text: str) -> bool:
    """Whether all its steps are right as well."""
    steps = truth(row["question"], text)
    return is_right(row, text) and bool(steps) and steps[-1].right


def answered(
    by: TransformersBackend,
    rows: Sequence[Mapping[str, Any]],
    k: int,
    temperature: float,
    seed: int,
    most: int = 80,
) -> list[list[Generated]]:
    """Completions of each row."""
    sampling = Sampling(k=k, temperature=temperature, max_tokens=most, seed=seed)
    return list(by.generate([row["question"] for row in rows], sampling))


def interval(rows: Sequence[Sequence[float]], rounds: int = 2000) -> dict[str, float]:
    """The mean of rows' figures, and where it lies in 95 of 100 draws of other rows (bootstrap).

    Args:
        rows: The figures of each question: those of all seeds together, which are not independent.
        rounds: Draws.
    """
    rng = random.Random(0)
    sums = [(sum(row), len(row)) for row in rows if row]
    drawn = []
    for _ in range(rounds):
        some = rng.choices(sums, k=len(sums))
        drawn.append(sum(total for total, _ in some) / sum(count for _, count in some))
    drawn.sort()
    return {
        "mean": round(sum(total for total, _ in sums) / sum(count for _, count in sums), 4),
        "low": round(drawn[int(0.025 * rounds)], 4),
        "high": round(drawn[int(0.975 * rounds)], 4),
    }


def kept(path: Path) -> dict[str, Any]:
    """What a benchmark that was interrupted has found."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def keep(path: Path, found: Mapping[str, Any]) -> None:
    """Write what was found until here."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
