"""A pipeline's stages, and what they need from elsewhere, shown before anything is trained."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from reward_verifiers.adapters.cli.console import stdout
from reward_verifiers.verifiers import ConfigError

from ..config import RunConfig, stages_of
from ..run.pipeline_needs import needs_of, running
from ..run.run_inputs import reward_of
from ..stages.pipeline import check_stages, stages_until


def print_pipeline(config: RunConfig, until: str | None = None) -> bool:
    """Print the stages and their needs; whether all of these are there.

    Args:
        config: With ``stages``.
        until: The last stage that is looked at.

    Raises:
        ConfigError: There are no stages, or one of them has a mistake.
    """
    stages = stages_until(stages_of(config), until)
    check_stages(stages)
    console = stdout()
    for number, (name, (kind, own)) in enumerate(stages.items(), 1):
        console.print(f"{number} {name} ({kind}): {'; '.join(_told(kind, own, stages))}", markup=False)
    needs = needs_of(stages)
    console.print("" if needs else "\nnothing is needed from elsewhere")
    there = True
    with running(config.services):
        for need in needs:
            try:
                need.check()
            except ConfigError as error:
                there = False
                console.print(f"missing  {error}", markup=False)
            else:
                console.print(f"there    {need.kind} {need.name}", markup=False)
    return there


def _told(kind: str, own: RunConfig, stages: Mapping[str, tuple[str, RunConfig]]) -> list[str]:
    """What a stage starts from, learns from, and is paid by."""
    left = {Path(each.output_dir) / "model": name for name, (_, each) in stages.items()}
    model = left.get(Path(own.model.name))
    told = [f"model {own.model.name}" if model is None else f"model of {model}"]
    sources = own.data if isinstance(own.data, list) else [own.data]
    named = [
        " ".join(
            [each.source, *([each.name] if each.name else []), *([each.split] if _is_split(each) else [])]
        )
        for each in sources
        if each is not None
    ]
    told += [f"data {', '.join(named)}"] if named else []
    paying = kind in ("grpo", "rloo", "select") and own.reward is not None
    parts = reward_of(own.reward).part_names() if paying else ()
    return told + ([f"pays {', '.join(parts)}"] if parts else [])


def _is_split(data: object) -> bool:
    return getattr(data, "split", "train") != "train"
