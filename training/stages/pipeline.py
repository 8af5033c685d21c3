"""Stages one after another, such as DeepSeek-R1's four, with one report; an interrupted one continues."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..config import RunConfig, Select, stages_of
from ..config.run_stages import HELDOUT, RATING
from ..config.trainer_options import lora_config, trainer_config
from ..data import check_source
from ..environment import barrier, main_first, rank, say, world_size
from ..run.pipeline_needs import needs_of, running
from ..run.run_folder import (
    HELDOUT_OF,
    changes,
    clear,
    holds_work,
    is_done,
    read_metrics,
    write_json,
)
from ..run.run_inputs import NO_DATA, prepare, rewards_of
from ..run.sampled_rows import json_line
from ..watch.run_page import falls, write_report
from .offline_stages import train_preference, train_supervised
from .policy_stage import policy_arguments, train_policy
from .rating_stages import train_outcome_model, train_reward_model, train_step_model
from .selection_stage import check_select, select_data, sources_of

STAGES: dict[str, Callable[[RunConfig], dict[str, Any]]] = {
    "sft": train_supervised,
    "grpo": lambda config: train_policy("grpo", config),
    "rloo": lambda config: train_policy("rloo", config),
    "select": select_data,
    "dpo": train_preference,
    "prm": train_step_model,
    "orm": train_outcome_model,
    "rm": train_reward_model,
}
"""Each stage by its name; it gives the metrics that it has written to ``metrics.json``."""


def run_pipeline(config: RunConfig, until: str | None = None) -> dict[str, Any]:
    """Run the stages of a configuration in order; those that are done are not run again.

    Args:
        config: With ``stages``.
        until: The last stage to run, by name or kind; by default the last of all.

    Returns:
        Each stage's metrics by its name, as in ``pipeline.json``.

    Raises:
        ConfigError: There are no stages, or none of that name; something that a stage needs is not there; or
            what a stage says.
    """
    stages = stages_of(config)
    wanted = stages_until(stages, until)
    check_stages(wanted)
    with running(config.services):
        check_needs(wanted)
        return _run_stages(config, stages, len(wanted) - 1)


def stages_until(
    stages: Mapping[str, tuple[str, RunConfig]], until: str | None = None
) -> dict[str, tuple[str, RunConfig]]:
    """Return the stages up to one of them.

    Raises:
        ConfigError: There are none, or none of that name.
    """
    if not stages:
        raise ConfigError(
            "the configuration has no stages: write stages: [{kind: sft, ...}, {kind: grpo, ...}]"
        )
    last = len(stages) - 1 if until is None else _position(stages, until)
    return dict(list(stages.items())[: last + 1])


def check_needs(stages: Mapping[str, tuple[str, RunConfig]]) -> None:
    """Check the stages' external needs: fetch hub models and data, ask judges.

    Raises:
        ConfigError: Something is not there; the message names all that is missing.
    """
    missing = []
    with main_first():
        for need in needs_of(stages):
            try:
                need.check()
            except ConfigError as error:
                missing.append(str(error))
    if missing:
        raise ConfigError("; and ".join(missing))


def _run_stages(config: RunConfig, stages: Mapping[str, tuple[str, RunConfig]], last: int) -> dict[str, Any]:
    folder = Path(config.output_dir)
    with main_first():
        if rank() == 0:
            if config.resume == "never":
                clear(folder)
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / "pipeline.json").is_file():
                write_json(folder / "pipeline.json", {})
    _hold_out(config, stages)
    done: dict[str, Any] = {}
    for number, (name, (kind, own)) in enumerate(stages.items()):
        if number > last:
            break
        say(f"stage {number + 1} of {len(stages)}: {name} ({kind})")
        later = dict(list(stages.items())[number + 1 :])
        known = is_done(own, kind)
        if not known:
            _refuse_what_followed(name, later)
        done[name] = STAGES[kind](own)
        if rank() == 0:
            found = {**done, **_read_done(later)}
            write_json(folder / "pipeline.json", found)
            # A stage that was done before is in the report already, or will be in that of the next one.
            if not known or number == last:
                write_report(config, stages, found)
        if not known and (raised := dict(falls(done, config.watch.off)).get(name)) is not None:
            say(f"{raised.level} {raised.name} after stage {name}: {raised.message}")
            if rank() == 0:
                _keep_alarm(folder / "alarms.jsonl", {**raised.to_dict(), "stage": name})
            if raised.level == "alarm" and config.watch.on_alarm == "stop":
                say(f"stopped after stage {name!r}; the same command goes on with the next one")
                return {**done, name: {**done[name], "alarms": [raised.to_dict()], "stopped": True}}
        if done[name].get("stopped"):
            say(f"stage {name!r} was stopped by an alarm: {own.output_dir}/alarms.jsonl")
            break
    return done


def _keep_alarm(path: Path, raised: Mapping[str, Any]) -> None:
    with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(json_line(raised))


def _read_done(stages: Mapping[str, tuple[str, RunConfig]]) -> dict[str, Any]:
    """Return the metrics of stages that were done before."""
    return {name: read_metrics(own) for name, (kind, own) in stages.items() if is_done(own, kind)}


def _refuse_what_followed(name: str, later: Mapping[str, tuple[str, RunConfig]]) -> None:
    """Refuse to run a stage again from whose model others have gone on: they would stay as they are."""
    stale = [own.output_dir for _, own in later.values() if holds_work(Path(own.output_dir))]
    if stale:
        raise ConfigError(
            f"stage {name!r} must run again, and later stages started from its old output; remove "
            f"{', '.join(stale)} to run them again as well, or set resume=never to start with the first stage"
        )


def check_stages(stages: Mapping[str, tuple[str, RunConfig]]) -> None:
    """Find the errors of any stage before the first one is run: hours may pass in between.

    Raises:
        ConfigError: A trainer's option, a recipe, a part or a file of a stage is not there; or a stage that
            runs in one process is to be run in several.
    """
    written: list[Path] = []
    for name, (kind, own) in stages.items():
        folder = Path(own.output_dir).absolute()
        try:
            if not is_done(own, kind):
                _check_settings(name, kind, own)
                _check_sources(own, [*written, folder.parent / HELDOUT])
        except ConfigError as error:
            raise ConfigError(f"stage {name!r}: {error}") from None
        written.append(folder)


def _check_settings(name: str, kind: str, own: RunConfig) -> None:
    """Check a stage's trainer, rewards and parts."""
    if kind not in RATING:
        reward, _, _ = rewards_of(own, needs_reward=kind in ("select", "grpo", "rloo"))
    if kind == "select":
        check_select(own.select or Select(), reward, sources_of(own))
        if world_size() > 1:
            raise ConfigError(
                "selecting runs in one process: run the pipeline without a launcher until here "
                f"(--until {name}), then launch it again"
            )
    elif kind in ("grpo", "rloo"):
        policy_arguments(kind, own)
    else:
        trainer_config(kind, own)
    if own.model.lora is not None:
        lora_config(own.model.lora)


def _check_sources(own: RunConfig, written: Sequence[Path]) -> None:
    """Check a stage's rows, except those that earlier stages are still to write."""
    if not own.data:
        raise ConfigError(NO_DATA)
    held = own.evaluation.data
    for data in [*sources_of(own), *([held] if held else [])]:
        path = Path(data.source).expanduser().absolute()
        if not any(path.is_relative_to(each) for each in written):
            check_source(data)


def _hold_out(config: RunConfig, stages: Mapping[str, tuple[str, RunConfig]]) -> None:
    """Keep the rows that are held out of the whole pipeline, with their prompts.

    Raises:
        ConfigError: Stages have gone on with other ones.
    """
    if not config.evaluation.holdout or config.evaluation.data is not None:
        return
    folder = Path(config.output_dir)
    path, mark = folder / HELDOUT, folder / HELDOUT_OF
    of = {
        **config.model_dump(mode="json", include={"seed", "model", "data"}, exclude_unset=True),
        "evaluation": config.evaluation.model_dump(mode="json", include={"holdout", "limit"}),
    }
    before = json.loads(mark.read_text(encoding="utf-8")) if mark.is_file() else None
    changed = [] if before is None else list(changes(before, of))
    used = any(holds_work(Path(own.output_dir)) for _, own in stages.values())
    barrier()  # all have looked before one of them writes
    if path.is_file() and used and changed:
        raise ConfigError(
            f"{path} was held out with other settings: {'; '.join(changed[:3])}. Choose another output_dir, "
            "or set resume=never to start again there"
        )
    if path.is_file() and (used or before == of):
        return
    prepared = prepare(config, needs_reward=False)
    if rank() == 0:
        lines = "".join(json_line(row) for row in prepared.heldout)
        path.write_bytes(lines.encode("utf-8", "backslashreplace"))
        write_json(mark, of)
    barrier()


def _position(stages: Mapping[str, tuple[str, RunConfig]], until: str) -> int:
    names = list(stages)
    kinds = [kind for kind, _ in stages.values()]
    if until in names:
        return names.index(until)
    if until in kinds:
        return len(kinds) - 1 - kinds[::-1].index(until)
    raise ConfigError(f"there is no stage {until!r}{nearest(until, {*names, *kinds})}")
