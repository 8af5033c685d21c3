"""Options and checks shared by the verbs of ``verify-train``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.adapters.files.scored_output import refuse_foreign
from reward_verifiers.verifiers import ConfigError

from ..config import RunConfig, hub_names, load_config, may_need_hub, stages_of
from ..config.run_stages import RATING
from ..data import Row
from ..environment import begin, stay_offline
from ..run.run_inputs import Prepared

Config = Annotated[
    str, typer.Option("--config", "-c", help="A YAML file, or a configuration's name (verify-train configs).")
]
Overrides = Annotated[
    list[str] | None,
    typer.Argument(metavar="KEY=VALUE", help="Changes, such as trainer.max_steps=10 or seed=1."),
]

Server = Annotated[str | None, typer.Option(help="Base URL of an OpenAI-compatible server.")]
OfStage = Annotated[str, typer.Option(help="With stages: kind of the stage whose data and model to use.")]
Heldout = Annotated[bool, typer.Option(help="Use the held-out prompts instead of the training prompts.")]


def begun(
    name: str,
    overrides: Sequence[str] | None,
    kind: str,
    server: str | None = None,
    output: str | None = None,
    model: str | None = None,
    *,
    left: bool = False,
) -> RunConfig:
    """Set up the process, and return a stage's configuration as `read_stage`, with a named server.

    Raises:
        ConfigError: As `read_stage`, or as `check_parent` of the output.
    """
    own = read_stage(name, overrides, kind, model, left=left)
    begin(own.threads)
    check_parent(output)
    if server is None:
        return own
    return own.model_copy(update={"sample": own.sample.model_copy(update={"server": server})})


def rows_of(prepared: Prepared, heldout: bool) -> list[Row]:
    """Return the held-out rows, or those to train on.

    Raises:
        ConfigError: There are none.
    """
    rows = prepared.heldout if heldout else prepared.train
    if not rows:
        raise ConfigError("there are no held-out rows: set evaluation.data or evaluation.holdout")
    return rows


def read_config(name: str, overrides: Sequence[str] | None, model: str | None = None) -> RunConfig:
    """Read the configuration with its changes; a run that names nothing on the hub stays offline.

    Args:
        name: A file, or the name of a configuration that comes with the library.
        overrides: ``key=value`` each.
        model: Another model that the command line names.

    Raises:
        ConfigError: As `load_config`.
    """
    config = load_config(name, joined(overrides or ()))
    if not hub_names(config) and (model is None or not may_need_hub(model)):
        stay_offline()
    return config


def joined(tokens: Sequence[str]) -> list[str]:
    """Return ``--key value`` as ``key=value``.

    >>> joined(["--trainer.max_steps", "10", "seed=1"])
    ['trainer.max_steps=10', 'seed=1']
    """
    found: list[str] = []
    waiting = ""
    for token in tokens:
        if waiting:
            found.append(f"{waiting}={token}")
            waiting = ""
        elif token.startswith("--") and "=" not in token:
            waiting = token[2:]
        else:
            found.append(token.removeprefix("--"))
    if waiting:
        raise ConfigError(
            f"--{waiting} is not an option, and has no value; --help shows the options, KEY=VALUE sets a key"
        )
    return found


def check_parent(output: str | None) -> None:
    """Refuse an output in a missing folder, or with another format's name, before any work.

    Raises:
        ConfigError: It is one of these.
    """
    if output is not None:
        refuse_foreign(output)
    if output is not None and not Path(output).absolute().parent.is_dir():
        raise ConfigError(f"{output}: the folder {Path(output).parent} does not exist; create it first")


def stage_of(config: RunConfig, kind: str) -> RunConfig:
    """Return the configuration of the last stage of a kind; of a run without stages its own.

    Raises:
        ConfigError: There is no such stage.
    """
    if not config.stages:
        return config
    found = [own for each, own in stages_of(config).values() if each == kind]
    if not found:
        kinds = ", ".join(dict.fromkeys(each.kind for each in config.stages))
        raise ConfigError(f"the configuration has no stage of kind {kind}; it has: {kinds}")
    return found[-1]


def read_stage(
    name: str, overrides: Sequence[str] | None, kind: str, model: str | None = None, *, left: bool = False
) -> RunConfig:
    """Return the configuration of a stage whose model is to write completions.

    Args:
        name: A file, or the name of a configuration that comes with the library.
        overrides: ``key=value`` each.
        kind: Kind of the stage; the last of its kind is taken.
        model: Another model that the command line names.
        left: Take the model that the stage has left, where it has left one.

    Raises:
        ConfigError: As `load_config`; its model writes nothing, or needs what the pipeline is to write.
    """
    config = read_config(name, overrides, model)
    own = stage_of(config, kind)
    if config.stages and kind in RATING:
        raise ConfigError(f"--stage {kind}: its model only rates texts; name a stage whose model writes")
    saved = Path(own.output_dir) / "model"
    if model is None and left and saved.is_dir():
        model = str(saved)
    if model is not None:
        own = own.model_copy(update={"model": own.model.model_copy(update={"name": model})})
    if config.stages:
        _check_written(config, own)
    return own


def _check_written(config: RunConfig, own: RunConfig) -> None:
    """Refuse a stage that begins with files that the pipeline has still to write."""
    data = [*(own.data if isinstance(own.data, list) else [own.data]), own.evaluation.data]
    folder = Path(config.output_dir).absolute()
    for each in (own.model.name, *(source.source for source in data if source is not None)):
        path = Path(each).expanduser().absolute()
        if path.is_relative_to(folder) and not path.exists() and "*" not in each:
            raise ConfigError(
                f"{each} is not there yet; run verify-train pipeline first (--until STAGE runs a part of it)"
            )
