"""The stages of a run, each as a run of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verifiers import ConfigError

from .config_files import checked
from .run_config import RunConfig

# What belongs to a single stage: another one must not inherit it.
_OWN = ("trainer", "algorithm", "kl", "dynamic_sampling", "curriculum", "steps", "select")
HELDOUT = "heldout.jsonl"
"""Rows that a pipeline holds out, once for all of its stages."""


def stages_of(config: RunConfig) -> dict[str, tuple[str, RunConfig]]:
    """Every stage by its name: its kind, and its own configuration.

    What the file says outside ``stages`` holds for all of them, except for a trainer's own options, which
    differ between kinds. The output of a stage is in a folder of its own below `output_dir`.

    Raises:
        ConfigError: Two stages of one name, or a stage's keys do not fit.
    """
    base = config.model_dump(exclude_unset=True)
    misplaced = next((key for key in _OWN if key in base), None)
    if config.stages and misplaced is not None:
        name = config.stages[-1].name or config.stages[-1].kind
        raise ConfigError(
            f"{misplaced}: in a run of stages each has its own; write it in the stage, such as "
            f"stages.{name}.{misplaced}"
        )
    shared = {key: value for key, value in base.items() if key not in ("stages", "description")}
    if config.evaluation.holdout and config.evaluation.data is None:
        # Drawn anew in every stage, from data that the stages before have selected, they would be others.
        held = {"source": str(Path(config.output_dir) / HELDOUT), "format": "as_is"}
        shared["evaluation"] = {**base["evaluation"], "holdout": 0, "data": held}
    found: dict[str, tuple[str, RunConfig]] = {}
    before: str | None = None
    selected: str | None = None
    for position, stage in enumerate(config.stages):
        own = stage.model_dump(exclude_unset=True, exclude={"kind", "name"})
        name = stage.name or stage.kind
        if name in found:
            raise ConfigError(f"two stages are called {name!r}; give one another name: {{name: ...}}")
        folder = Path(config.output_dir) / f"{position + 1}-{name}"
        merged = _merged(shared, own)
        merged["output_dir"] = str(folder)
        if stage.kind in ("prm", "orm") and "evaluation" not in own:
            merged.pop("evaluation", None)  # which holds out prompts, and not labels
        if before is not None and "name" not in own.get("model", {}):
            merged["model"] = {**merged["model"], "name": before, "options": {}}
        if selected is not None and "data" not in own and stage.kind in ("sft", "dpo"):
            merged["data"] = {"source": selected, "format": "as_is"}
        found[name] = stage.kind, checked(RunConfig, merged, f"stage {name!r}")
        if stage.kind == "select":
            selected = str(folder / "selected.jsonl")
        elif stage.kind not in ("prm", "orm"):  # which judge, and do not write
            before = str(folder / "model")
    return found


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The base with the stage's own keys; ``model`` and ``evaluation`` are merged key by key."""
    merged = {**base, **own}
    for key in ("model", "evaluation", "sample", "watch"):
        if isinstance(base.get(key), dict) and isinstance(own.get(key), dict):
            merged[key] = {**base[key], **own[key]}
    return merged
