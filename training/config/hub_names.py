"""Hub needs of a configuration; a run that needs nothing from the Hugging Face hub stays offline."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .run_config import RunConfig
from .run_stages import stages_of

_FILES = (".jsonl", ".jsonl.gz", ".parquet")
_OURS = tuple(
    f"{package}training.{module}"
    for package in ("reward_verifiers.", "")
    for module in ("arithmetic:", "chains:", "r1.")
)
"""Functions that make what they return themselves; what other functions load is not known here."""


def hub_names(config: RunConfig) -> list[str]:
    """Return the models, datasets and reports of a run that may need the hub.

    A function of the user's own counts, since it may load anything; so does code that comes with a model.

    >>> hub_names(RunConfig.model_validate({"output_dir": "out", "model": {"name": "Qwen/Qwen2.5-0.5B"}}))
    ['Qwen/Qwen2.5-0.5B']
    >>> hub_names(RunConfig.model_validate({"output_dir": "out", "model": {"name": "/models/qwen"}}))
    []
    """
    runs = [config, *(own for _, own in stages_of(config).values())]
    found = [name for run in runs for name in _of_part(run.model_dump(exclude_unset=True))]
    return list(dict.fromkeys(found))


def may_need_hub(model: str) -> bool:
    """Return whether a model of this name may have to be downloaded.

    Args:
        model: A hub id, a folder, a file or a function, as in a configuration.
    """
    if model.startswith(("package:", "stage:", *_OURS)) or model.endswith(".gguf"):
        return False
    path = Path(model).expanduser()
    if path.is_dir():
        base = _adapter_base(path)
        return base is not None and may_need_hub(base)
    return not (model.startswith((".", "/", "~")) or model.count("/") > 1)


def _of_part(part: Mapping[str, Any]) -> Iterator[str]:
    model = part.get("model") or {}
    for name in (model.get("name"), model.get("tokenizer")):
        if name is not None and (may_need_hub(name) or model.get("trust_remote_code")):
            yield name
    data = part.get("data") or []
    held_out = (part.get("evaluation") or {}).get("data")
    for each in [*(data if isinstance(data, list) else [data]), *([held_out] if held_out else [])]:
        if not is_local(each["source"]):
            yield each["source"]
    trainer = part.get("trainer") or {}
    reporters = trainer.get("report_to") or ()
    reporters = [reporters] if isinstance(reporters, str) else reporters
    if trainer.get("push_to_hub"):
        yield "trainer.push_to_hub"
    if trainer.get("trackio_space_id") or {"trackio", "all"} & set(reporters):
        yield "trainer.report_to"


def is_local(source: str) -> bool:
    """Return whether rows of this source are made or read locally, as far as its name tells."""
    return (
        source.startswith(("reasoning_gym:", *_OURS, ".", "/", "~"))
        or source.endswith(_FILES)
        or "*" in source
        or Path(source).exists()
    )


def _adapter_base(folder: Path) -> str | None:
    """Return the base model of a folder with a LoRA adapter."""
    try:
        base = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
        return str(base["base_model_name_or_path"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
