"""The card of a saved model, and its upload, without the rest of the run, to the Hugging Face hub."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Data, RunConfig
from ..config.hub_names import is_local, may_need_hub
from .run_folder import PUSHED, write_json
from .run_inputs import Prepared

CARD = "README.md"
CURVES = "curves.png"
UNMEASURED = (
    "Nothing else was measured: no other task, no other language, no safety. Held-out rows are of the same "
    "kind as those of training."
)
NINETY_FIVE = 1.96
"""Standard errors on either side of a mean within which 95 of 100 draws of other rows lie."""


def model_card(
    kind: str, config: RunConfig, prepared: Prepared | None, metrics: Mapping[str, Any], curves: bool
) -> str:
    """Return the card of a stage's model, which holds no prompt, no answer and no completion.

    Args:
        kind: Kind of the stage.
        config: Configuration of the stage.
        prepared: Its rows and rewards; None for stages that learn labels.
        metrics: Results.
        curves: Whether a picture of them lies beside the card.
    """
    head = {
        "library_name": "peft" if config.model.lora else "transformers",
        "tags": ["reward-verifiers", kind],
    }
    if may_need_hub(config.model.name):
        head["base_model"] = config.model.name
    lines = ["---", yaml.safe_dump(head, sort_keys=False).strip(), "---", ""]
    lines += [f"# {Path(config.output_dir).name}", ""]
    lines += [config.description, ""] if config.description else []
    lines += [*_origin(kind, config, prepared, metrics), ""]
    lines += [*_reward(prepared), *_measured(metrics, prepared)]
    lines += ["![curves](curves.png)", ""] if curves else []
    lines += ["## Not measured", "", UNMEASURED, ""]
    return "\n".join(lines)


def _origin(
    kind: str, config: RunConfig, prepared: Prepared | None, metrics: Mapping[str, Any]
) -> Iterator[str]:
    base, revision = config.model.name, config.model.revision
    # Of a folder no more than where it lies in the run: 3-cold_start/model.
    shown = base if may_need_hub(base) or ":" in base else "/".join(Path(base).parts[-2:])
    yield f"- **Base:** {shown}{f' at {revision}' if revision else ''}"
    algorithm = f" (algorithm {config.algorithm})" if config.algorithm else ""
    yield f"- **Trained by:** {kind}{algorithm}, {metrics['steps']:,} steps, seed {config.seed}"
    sources = config.data if isinstance(config.data, list) else [config.data]
    named = ", ".join(_named(each) for each in sources if each is not None)
    if prepared is None:
        yield f"- **Data:** {named}"
    else:
        yield f"- **Data:** {named}: {len(prepared.train):,} rows, {digest(prepared.train)}"
        if prepared.heldout:
            yield f"- **Held out:** {len(prepared.heldout):,} rows, {digest(prepared.heldout)}"
    versions = metrics.get("versions", {})
    yield f"- **With:** {', '.join(f'{name} {number}' for name, number in versions.items())}"


def _named(data: Data) -> str:
    """Return a source by its name; a file without its folders."""
    source = data.source
    name = Path(source).name if is_local(source) and ":" not in source else source
    return " ".join(each for each in (name, data.name, data.split if data.name else None) if each)


def digest(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a digest of rows, by which others can tell whether theirs are the same.

    >>> digest([{"question": "1+1"}])
    'sha256:20910e86d28c0299'
    """
    found = hashlib.sha256()
    for row in rows:
        found.update(json.dumps(row, sort_keys=True, default=str).encode("utf-8", "backslashreplace") + b"\n")
    return f"sha256:{found.hexdigest()[:16]}"


def _reward(prepared: Prepared | None) -> Iterator[str]:
    for name, each in _rewards(prepared):
        yield from (f"## {name}", "", f"Signature `{each.signature()}`:", "")
        yield from ("```yaml", yaml.safe_dump(each.to_spec(), sort_keys=False, allow_unicode=True).strip())
        yield from ("```", "")


def _rewards(prepared: Prepared | None) -> Iterator[tuple[str, Reward]]:
    if prepared is None:
        return
    if prepared.reward is not None:
        yield "What it was paid for", prepared.reward
    if prepared.strict is not None and prepared.strict is not prepared.reward:
        yield "What measures it", prepared.strict


def _measured(metrics: Mapping[str, Any], prepared: Prepared | None) -> Iterator[str]:
    yield from ("## Before and after", "")
    start, end = (metrics.get(when) or {} for when in ("start", "end"))
    rows = [(name, start.get(name), end.get(name)) for name in ("heldout", "seen")]
    rows = [row for row in rows if row[1] or row[2]]
    if rows:
        part = "" if prepared is None else f" ({prepared.outcome})"
        yield f"Greedy accuracy{part}, with 95 % intervals over rows:"
        yield from ("", "| rows | before | after |", "|---|---|---|")
        names = {"heldout": "held out", "seen": "of training"}
        yield from (f"| {names[name]} | {interval(one)} | {interval(other)} |" for name, one, other in rows)
    else:
        yield "Accuracy was not measured: the run had no held-out rows, or no reward to measure with."
    first, last = metrics.get("reward_first"), metrics.get("reward_last")
    if first is not None and last is not None:
        yield from ("", f"Mean reward of the first and of the last steps: {first:.3f}, {last:.3f}.")
    if "alarms" in metrics:
        raised = ", ".join(f"{each['name']} (step {each['step']})" for each in metrics["alarms"])
        yield from ("", f"Alarms while it trained: {raised or 'none'}.")
    yield ""


def interval(measured: Mapping[str, Any] | None) -> str:
    """Return a mean with the interval that holds 95 of 100 draws of other rows.

    >>> interval({"accuracy": 0.5, "error": 0.05, "n": 100, "unscored": 0})
    '0.500 (0.402–0.598), n = 100'
    """
    if not measured or measured.get("accuracy") is None:
        return "not measured"
    mean, error = measured["accuracy"], measured["error"] * NINETY_FIVE
    low, high = max(0.0, mean - error), min(1.0, mean + error)
    return f"{mean:.3f} ({low:.3f}–{high:.3f}), n = {measured['n'] - measured['unscored']}"


LEFT_OUT = ("training_args.bin",)
"""What a trainer saves beside its model: the machine's own settings."""


def publish(config: RunConfig, model: Path, say: Callable[[str], object]) -> None:
    """Upload the model, its tokenizer and its card once, where the run asks for it.

    Args:
        config: The run; ``trainer.push_to_hub`` and ``trainer.hub_model_id`` say whether and where to.
        model: The folder.
        say: Function that shows a line to a person.

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
