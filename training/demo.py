"""The demonstration: warm start, GRPO, and its results on sums that were never trained on."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from .arithmetic import worked
from .config import RunConfig, load_config, stages_of
from .environment import say
from .generation import Sampling
from .run.accuracy_measures import Measured, measure
from .run.run_folder import clear, write_json
from .run.run_inputs import local_backend, prepare
from .stages.pipeline import run_pipeline
from .watch.run_page import write_report

EXAMPLES: Mapping[str, Sequence[str]] = {
    "healthy": (),
    "collapse": (
        "stages.grpo.trainer.learning_rate=1e-3",
        "description=What too high a learning rate does. The format is kept, and the answers are wrong.",
    ),
    "hackable": (
        "reward=recipes/demo_hackable.yaml",
        "description=What a careless reward does. It rises, and fewer answers are right.",
    ),
}
SHORT = (
    # Fewer sums to learn, and two layers less to learn them.
    "data.options={top: 39, held: 100}",
    "evaluation.data.options={part: heldout, top: 39, held: 100}",
    "evaluation.seen=50",
    "model.options={layers: 2}",
    "stages.sft.data.options={top: 39, held: 100}",
    "stages.sft.trainer.max_steps=300",
    "stages.sft.trainer.learning_rate=4e-3",
    "stages.grpo.trainer.max_steps=20",
    "stages.grpo.trainer.learning_rate=3e-4",
)
FORCED = "<THINK>ones"
"""How a completion begins that shows the working: forced to begin so, a model shows what it can do."""


def run_demo(
    output_dir: str,
    *,
    seed: int = 0,
    example: str = "healthy",
    short: bool = False,
    overrides: Sequence[str] = (),
) -> dict[str, Any]:
    """Run the demonstration, and write ``metrics.json``, ``curves.png`` and ``report.md``.

    Args:
        output_dir: The folder for the results; what an earlier demonstration left there is replaced.
        seed: Random seed of the data, the model and the training.
        example: One of `EXAMPLES`.
        short: Fewer steps.
        overrides: Further changes to the configuration ``demo_arithmetic``.

    Returns:
        What ``metrics.json`` holds.

    Raises:
        ConfigError: There is no such example.
    """
    if example not in EXAMPLES:
        raise ConfigError(f"--example {example!r} is not one of them{nearest(example, EXAMPLES)}")
    started = time.monotonic()
    changes = [
        f"output_dir={output_dir}",
        f"seed={seed}",
        *EXAMPLES[example],
        *(SHORT if short else ()),
        *overrides,
    ]
    config = load_config("demo_arithmetic", changes)
    clear(Path(output_dir))
    done = run_pipeline(config)
    stages = stages_of(config)
    warm, trained = (Path(stages[name][1].output_dir) / "model" for name in ("sft", "grpo"))
    before, after = (_examined(stages["grpo"][1], folder) for folder in (warm, trained))
    metrics = {
        "example": example,
        "seed": seed,
        **_found(before, after),
        **{key: done["grpo"][key] for key in ("reward_first", "reward_last", "alarms", "peak_rss_mib")},
        "seconds": round(time.monotonic() - started, 1),
    }
    write_json(Path(output_dir) / "metrics.json", metrics)
    report = write_report(config, stages, done, _notes(metrics))
    say(_summary(metrics))
    say(f"{report}, {report.with_name('curves.png')}, {report.with_name('metrics.json')}")
    return metrics


def _examined(config: RunConfig, folder: Path) -> dict[str, Measured]:
    """Measure held-out and seen sums, and held-out ones with the working forced."""
    own = config.model_copy(update={"model": config.model.model_copy(update={"name": str(folder)})})
    prepared = prepare(own, needs_reward=True)
    backend = local_backend(own, prepared)
    assert prepared.strict is not None  # noqa: S101  (the configuration has a reward)
    sampling = Sampling(k=1, temperature=0.0, max_tokens=own.evaluation.max_tokens or 36)
    forced = [{**row, "prompt": row["prompt"] + FORCED} for row in prepared.heldout]
    return {
        name: measure(backend, rows, prepared.strict, part, sampling)
        for name, rows, part in (
            ("heldout", prepared.heldout, prepared.outcome),
            ("seen", prepared.train[: own.evaluation.seen], prepared.outcome),
            ("forced", forced, prepared.outcome),
        )
    }


def _found(before: Mapping[str, Measured], after: Mapping[str, Measured]) -> dict[str, Any]:
    """Return the results before and after GRPO."""
    return {
        **{
            f"{part}_accuracy_{when}": found[part].accuracy
            for when, found in (("before", before), ("after", after))
            for part in ("seen", "heldout")
        },
        "heldout_n": after["heldout"].n,
        "gain_in_standard_errors": _gain(before["heldout"], after["heldout"]),
        "worked_before": _worked(before["heldout"]),
        "worked_after": _worked(after["heldout"]),
        "forced_working_before": before["forced"].accuracy,
        "forced_working_after": after["forced"].accuracy,
    }


def _worked(measured: Measured) -> float:
    return sum(worked(each.completions[0].text) for each in measured.answered) / measured.n


def _gain(before: Measured, after: Measured) -> float:
    error = math.hypot(before.error or 0.0, after.error or 0.0)
    return round(((after.accuracy or 0.0) - (before.accuracy or 0.0)) / max(error, 1e-9), 1)


def _notes(metrics: Mapping[str, Any]) -> list[str]:
    notes = [
        f"Held-out sums are in no training row, in neither order (n = {metrics['heldout_n']}). Accuracy "
        f"on them went from {metrics['heldout_accuracy_before']:.3f} to "
        f"{metrics['heldout_accuracy_after']:.3f}, which is {metrics['gain_in_standard_errors']} standard "
        "errors.",
        f"The share of completions that show the working went from {metrics['worked_before']:.2f} to "
        f"{metrics['worked_after']:.2f}.",
        f"With the working forced by a prefix the accuracy was {metrics['forced_working_before']:.3f} "
        f"before GRPO and {metrics['forced_working_after']:.3f} after it.",
    ]
    elicited = (
        metrics["gain_in_standard_errors"] > 4 and metrics["worked_after"] > metrics["worked_before"] + 0.3
    )
    if elicited and metrics["forced_working_before"] > 2 * metrics["heldout_accuracy_before"]:
        notes.append(
            "GRPO elicits the working; it does not teach addition: the model could add before, when made to "
            "show its working, and had the habit of not doing so."
        )
    elif metrics["example"] == "healthy":
        notes.append("Nothing was elicited: the gain is within noise, or the working is not shown.")
    return notes


def _summary(metrics: Mapping[str, Any]) -> str:
    alarms = ", ".join(alert["name"] for alert in metrics["alarms"]) or "none"
    return (
        f"held-out accuracy {metrics['heldout_accuracy_before']:.3f} -> "
        f"{metrics['heldout_accuracy_after']:.3f} ({metrics['gain_in_standard_errors']} standard errors), "
        f"shows the working {metrics['worked_before']:.2f} -> {metrics['worked_after']:.2f}, forced working "
        f"{metrics['forced_working_before']:.3f} -> {metrics['forced_working_after']:.3f}; alarms: {alarms}; "
        f"{metrics['seconds']:.0f} s"
    )
