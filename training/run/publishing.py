"""Uploading a run's model, and nothing else of the run, to the Hugging Face hub."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require

from ..config import RunConfig
from .run_folder import PUSHED, write_json

LEFT_OUT = ("training_args.bin",)
"""What a trainer saves beside its model: the machine's own settings."""


def publish(config: RunConfig, model: Path, say: Callable[[str], object]) -> None:
    """Upload the model, its tokenizer and its card, where the run is to; once.

    Args:
        config: The run; ``trainer.push_to_hub`` and ``trainer.hub_model_id`` say whether and where to.
        model: The folder.
        say: Where a line for a person goes.

    Raises:
        ConfigError: The hub cannot be reached, or refuses; the same command tries again.
    """
    options = config.trainer
    if not options.get("push_to_hub"):
        return
    wanted = {"repo": options["hub_model_id"], "revision": options.get("hub_revision")}
    path = Path(config.output_dir) / PUSHED
    if path.is_file() and {**json.loads(path.read_text()), "url": None} == {**wanted, "url": None}:
        return
    hub = require("huggingface_hub", extra="train")
    try:
        api = hub.HfApi()
        made = api.create_repo(repo_id=wanted["repo"], private=options.get("hub_private_repo"), exist_ok=True)
        if wanted["revision"]:
            api.create_branch(made.repo_id, branch=wanted["revision"], exist_ok=True)
        done: Any = api.upload_folder(
            repo_id=made.repo_id,
            folder_path=model,
            revision=wanted["revision"],
            ignore_patterns=list(LEFT_OUT),
            commit_message="The model and its card",
        )
    except (OSError, ValueError) as error:
        said = " ".join(str(error).split())[:300]
        raise ConfigError(
            f"trainer.push_to_hub: {wanted['repo']} was not written: {said}. The run is finished, and its "
            f"model lies in {model}; the same command uploads it"
        ) from None
    write_json(path, {**wanted, "url": str(getattr(done, "commit_url", made))})
    say(f"uploaded {model} to {wanted['repo']}: the model and its card, no rows and no completions")
