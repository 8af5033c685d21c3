"""The stages of a run, each as a run of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from .config_files import checked
from .run_config import RunConfig, Stage
from .steering_options import Options

# What belongs to a single stage: another one must not inherit it.
_OWN = ("trainer", "algorithm", "kl", "dynamic_sampling", "group_size", "curriculum", "steps", "select")
RATING = ("prm", "orm", "rm")
"""Kinds of stages whose models rate what others write."""
# What belongs to the pipeline.
_WHOLE = ("stages", "services", "description")
_NO_STAGES = ("stages", "services", "output_dir")  # which a stage cannot have of its own
# A stage says what differs in them.
_SECTIONS = {
    name: field.annotation
    for name, field in RunConfig.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Options)
}
EARLIER, START = "stage:", "start"
"""Before the name of an earlier stage whose model a stage starts from, and the name of the run's own."""
HELDOUT = "heldout.jsonl"
"""Rows that a pipeline holds out, once for all of its stages."""


def stages_of(config: RunConfig) -> dict[str, tuple[str, RunConfig]]:
    """Return every stage by its name, with its kind and its own configuration.

    What the file says outside ``stages`` holds for all of them, except for a trainer's own options, which
    differ between kinds. The output of a stage is in a folder of its own below `output_dir`.

    Raises:
        ConfigError: Two stages of one name, a model of a stage that is not there, or keys that do not fit.
    """
    shared = _shared(config)
    found: dict[str, tuple[str, RunConfig]] = {}
    models: dict[str, str] = {}
    ratings: dict[str, str] = {}
    before: str | None = None
    selected: str | None = None
    for position, (stage, name, number) in enumerate(_in_rounds(config.stages)):
        own = _own(stage, name)
        if number:
            own["round"] = number
            own["model"] = {key: value for key, value in own.get("model", {}).items() if key != "name"}
        if name in found:
            raise ConfigError(f"two stages are called {name!r}; give one another name: {{name: ...}}")
        folder = Path(config.output_dir) / f"{position + 1}-{name}"
        # The run's evaluation holds out prompts; what rates is measured on labels.
        unlike = {"evaluation"} if stage.kind in RATING else set()
        merged = _merged({key: value for key, value in shared.items() if key not in unlike}, own)
        merged["output_dir"] = str(folder)
        if before is not None and "name" not in own.get("model", {}):
            merged["model"] = {**merged["model"], "name": before, "options": {}}
        elif (wanted := merged["model"]["name"]).startswith(EARLIER):
            left = {**models, **ratings} if stage.kind in RATING else models
            if left is models and wanted.removeprefix(EARLIER) in ratings:
                raise ConfigError(
                    f"stage {name!r}: model.name: {wanted} only rates texts; only a stage of the kind "
                    f"{', '.join(RATING)} goes on from it"
                )
            merged["model"] = {**merged["model"], **_left_by(wanted, name, left, shared["model"])}
        if selected is not None and "data" not in own and stage.kind in ("sft", "dpo", "rm"):
            merged["data"] = {"source": selected, "format": "as_is"}
        found[name] = stage.kind, checked(RunConfig, merged, f"stage {name!r}")
        if stage.kind == "select":
            selected = str(folder / "selected.jsonl")
        elif stage.kind in RATING:  # which judge, and do not write
            ratings[name] = _saved_in(folder)
        else:
            before = models[name] = _saved_in(folder)
            models[stage.name or stage.kind] = before  # of several rounds the last one
    return found


def _shared(config: RunConfig) -> dict[str, Any]:
    """Return the settings outside ``stages``, as they hold for each of them."""
    base = config.model_dump(exclude_unset=True)
    misplaced = next((key for key in _OWN if key in base), None)
    if config.stages and misplaced is not None:
        name = config.stages[-1].name or config.stages[-1].kind
        raise ConfigError(
            f"{misplaced}: in a run of stages each has its own; write it in the stage, such as "
            f"stages.{name}.{misplaced}"
        )
    shared = {key: value for key, value in base.items() if key not in _WHOLE}
    if config.evaluation.holdout and config.evaluation.data is None:
        # Drawn anew in every stage, from data that the stages before have selected, they would be others.
        held = {"source": str(Path(config.output_dir) / HELDOUT), "format": "as_is"}
        shared["evaluation"] = {**base["evaluation"], "holdout": 0, "data": held}
    return shared


def _saved_in(folder: Path) -> str:
    """Return the path of a stage's saved model, in a form that is no hub name, such as ./1-sft/model."""
    path = folder / "model"
    return f"./{path}" if len(path.parts) == 2 else str(path)


def _left_by(wanted: str, name: str, models: Mapping[str, str], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the model that an earlier stage left, or the run's own."""
    earlier = wanted.removeprefix(EARLIER)
    if earlier in models:
        return {"name": models[earlier], "options": {}}
    if earlier != START:
        raise ConfigError(
            f"stage {name!r}: model.name: {wanted}: no stage before it leaves a model"
            f"{nearest(earlier, [*models, START])}"
        )
    return {"name": own["name"], "options": own.get("options", {})}


def _in_rounds(stages: Iterable[Stage]) -> Iterator[tuple[Stage, str, int]]:
    """Yield the stages with their names and the numbers of their rounds, from 0."""
    for stage in stages:
        name = stage.name or stage.kind
        if stage.rounds == 1:
            yield stage, name, 0
        else:
            yield from ((stage, f"{name}-{number + 1}", number) for number in range(stage.rounds))


def _own(stage: Stage, name: str) -> dict[str, Any]:
    """Return the settings that a stage has of its own.

    Raises:
        ConfigError: One of them belongs to the whole run, or is no mapping and has to be merged.
    """
    own = stage.model_dump(exclude_unset=True, exclude={"kind", "name", "rounds"})
    for key in _NO_STAGES:
        if key in own:
            raise ConfigError(f"stage {name!r}: {key} belongs to the whole run; write it outside stages")
    for key, section in _SECTIONS.items():
        if key in own and not isinstance(own[key], dict):
            first = next(iter(section.model_fields))
            raise ConfigError(
                f"stage {name!r}: {key} is a mapping, such as {{{first}: ...}}, got {own[key]!r:.80}"
            )
    return own


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Merge a stage's own keys into the base; sections such as ``model`` are merged key by key."""
    merged = {**base, **own}
    for key in _SECTIONS:
        if key in base and key in own:
            merged[key] = {**base[key], **own[key]}
    return merged
