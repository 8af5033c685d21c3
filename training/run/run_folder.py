"""Continuing an interrupted run where it stopped, and refusing to mix two runs in one folder.

A checkpoint has to hold more than what a trainer keeps in it; where some of it is missing, that is said.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..config import RunConfig
from ..config.trainer_options import PUSH, TRAINER
from .accuracy_measures import is_whole

PROGRESS = "progress.json"
"""Figures of a run that has not ended; ``metrics.json`` is there when it has."""
RATES = "pass_rates.json"
"""What a curriculum has measured, once."""
HELDOUT_OF = "heldout_of.json"
"""The settings by which a pipeline has held rows out."""
PUSHED = "pushed.json"
"""Where the model was uploaded to."""
WRITTEN = (
    PROGRESS,
    *(
        "config.json",
        "rewards.json",
        "metrics.json",
        "history.jsonl",
        "alarms.jsonl",
        "pipeline.json",
        "start.json",
    ),
    *("report.md", "curves.png", "completions", "model", "model-merged", "initial-model", "heldout.jsonl"),
    *("sampled.jsonl", "hinted.jsonl", "selected.jsonl", RATES, HELDOUT_OF),
    *(TRAINER, PUSHED),
)
"""What runs write in their folder; what else is there is not ours to delete."""

# May differ between a run and its continuation: how long it continues, and how it reports.
_FREE = {"resume", "threads", "description", "output_dir", "watch", "save_completions"}
_FREE_TRAINER = {
    *("max_steps", "num_train_epochs", "logging_steps", "report_to", "run_name", "disable_tqdm"),
    *("save_steps", "save_total_limit", "eval_steps", "eval_strategy", "dataloader_num_workers"),
    *PUSH,
}
# A select stage chooses anew from what it has sampled: `sample_rows` looks at model, prompts and reward.
_FREE_CHOICE = {"select", "data"}


def open_folder(config: RunConfig, kind: str) -> Path | None:
    """Prepare the run's folder, and return the checkpoint to continue from, if there is one.

    Raises:
        ConfigError: The folder holds a run with other settings, or files that are not a run's.
    """
    folder = Path(config.output_dir)
    if config.resume == "never":
        clear(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"output_dir: {folder} cannot be made: {error.strerror}") from None
    settings = _settings(config, kind)
    before = _saved(folder)
    changed = [] if before is None else list(changes(before, settings, free=_free(kind)))
    if changed and not holds_work(folder):
        # What the run with the other settings has measured would be taken for this one's.
        (folder / RATES).unlink(missing_ok=True)
    elif before is not None and holds_work(folder):
        if changed:
            raise ConfigError(
                f"{folder} holds a run with other settings: {'; '.join(changed[:3])}. Choose another "
                f"output_dir, or remove {folder}; resume=never starts again, a pipeline with its first stage"
            )
        if (folder / "metrics.json").is_file() and not finished(folder, config, kind):
            # It is to continue for longer, or after an alarm: its metrics are no longer final.
            (folder / "metrics.json").unlink()
    if before is not None and _choice(before) != _choice(settings):
        (folder / "hinted.jsonl").unlink(missing_ok=True)  # of those that the other choice had left over
    write_json(folder / "config.json", settings)
    return last_checkpoint(folder)


def finished(folder: Path, config: RunConfig, kind: str) -> bool:
    """Return whether a run with exactly these settings has come to its end."""
    before = _saved(folder)
    if before is None or not (folder / "metrics.json").is_file():
        return False
    now = json.loads(json.dumps(_settings(config, kind), default=str))
    lengths = ("max_steps", "num_train_epochs")
    same = [before.get("trainer", {}).get(key) == now.get("trainer", {}).get(key) for key in lengths]
    if not all(same) or (kind == "select" and _choice(before) != _choice(now)):
        return False
    # What an alarm has stopped goes on where another alarm is asked for; what has come to its end does not.
    return not read_metrics(config).get("stopped") or before.get("watch") == now.get("watch")


def _free(kind: str) -> set[str]:
    """Return the settings that a stage of this kind may change, besides those that all may."""
    return _FREE_CHOICE if kind == "select" else set()


def _choice(settings: Mapping[str, Any]) -> list[Any]:
    """Return the settings that decide which sampled rows are kept, without their required number."""
    kept = json.loads(json.dumps({name: settings.get(name) for name in sorted(_FREE_CHOICE)}, default=str))
    return [{**(kept.pop("select") or {}), "least": None}, kept]


def read_metrics(config: RunConfig) -> dict[str, Any]:
    """Return the metrics of a run that has ended."""
    text = (Path(config.output_dir) / "metrics.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def is_done(config: RunConfig, kind: str) -> bool:
    """Return whether a run would find itself at its end, and do nothing."""
    return config.resume != "never" and finished(Path(config.output_dir), config, kind)


def _saved(folder: Path) -> dict[str, Any] | None:
    """Return the settings of the run that a folder holds; None if it holds none."""
    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and {"kind", "output_dir"} <= set(found) else None


def seconds_spent(folder: Path) -> float:
    """Return the seconds that the parts of a folder's run took, as far as recorded; 0.0 for a new one."""
    for name in (PROGRESS, "metrics.json"):
        try:
            return float(json.loads((folder / name).read_text(encoding="utf-8"))["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return 0.0


def holds_work(folder: Path) -> bool:
    """Return whether there is anything that a run with other settings would overwrite."""
    kept = ("metrics.json", "sampled.jsonl", "hinted.jsonl")
    return last_checkpoint(folder) is not None or any((folder / name).is_file() for name in kept)


def clear(folder: Path) -> None:
    """Remove the files of an earlier run; other files stay.

    Raises:
        ConfigError: The folder is not empty, and no run's.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if _saved(folder) is None and not (folder / "pipeline.json").is_file():
        raise ConfigError(f"{folder} holds files that no run has written; choose another output_dir")
    stages = [path for path in folder.glob("[0-9]*-*") if _saved(path) is not None]
    numbered = [path for name in ("checkpoint", "initial-model") for path in folder.glob(f"{name}-*")]
    for path in [*(folder / name for name in WRITTEN), *numbered, *stages]:
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last checkpoint that was written to its end, as a kill may have interrupted one.

    Runs of earlier versions have theirs beside the run's own files.
    """
    found = []
    for path in (*folder.glob(f"{TRAINER}/checkpoint-*"), *folder.glob("checkpoint-*")):
        number = path.name.rpartition("-")[2]
        # The trainer's state is what a trainer writes last.
        if number.isdigit() and _readable(path / "trainer_state.json") and any(path.glob("rng_state*.pth")):
            found.append((int(number), path))
    return max(found)[1] if found else None


def checkpoint_state(checkpoint: Path) -> dict[str, Any]:
    """Return a checkpoint's ``trainer_state.json``."""
    state: dict[str, Any] = json.loads((checkpoint / "trainer_state.json").read_text())
    return state


def write_json(path: Path, data: Any) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    text = json.dumps(data, indent=2, ensure_ascii=False, default=str) + "\n"
    # A lone surrogate in the data has no UTF-8, but JSON can escape it.
    part.write_bytes(text.encode("utf-8", "backslashreplace"))
    os.replace(part, path)


def _readable(path: Path) -> bool:
    try:
        json.loads(path.read_text())
    except (OSError, ValueError):
        return False
    return True


def _settings(config: RunConfig, kind: str) -> dict[str, Any]:
    data = config.model_dump(mode="json", exclude_unset=True)
    return {"kind": kind, **data}


def changes(
    before: Mapping[str, Any], now: Mapping[str, Any], path: str = "", free: Set[str] = frozenset()
) -> Iterator[str]:
    """Yield the differences between two runs' settings, except those that a continued run may change."""
    free = {*_FREE, *free} if not path else _FREE_TRAINER if path == "trainer." else set()
    for key in sorted({*before, *now} - free):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from changes(old, new, f"{path}{key}.")
        elif old != new:
            yield f"{path}{key} was {old!r:.60}, now {new!r:.60}"


REFERENCE = "reference.pt"
"""The reference model where it moves (``sync_ref_model``): a trainer would begin with the first one."""
ANEW = "a resumed run differs from an uninterrupted one"


def resume_notes(args: Any) -> Iterator[str]:
    """Yield why a run with these options would not be resumed to the same end."""
    saves = args.save_strategy != "no"
    if saves and args.save_only_model:
        yield "trainer.save_only_model: checkpoints hold no optimizer, so an interrupted run begins anew"
        return
    every = getattr(args, "steps_per_generation", None) or args.gradient_accumulation_steps
    updates = max(1, every * getattr(args, "num_iterations", 1) // args.gradient_accumulation_steps)
    if args.save_strategy == "steps" and args.save_steps >= 1 and int(args.save_steps) % updates:
        yield (
            f"trainer.save_steps {int(args.save_steps)} is not a multiple of {updates}, the steps that one "
            f"generation serves: a resumed run generates again, and differs from an uninterrupted one"
        )
    if saves and getattr(args, "use_vllm", False):
        yield f"trainer.use_vllm: no checkpoint holds what vLLM draws by; {ANEW}"
    if saves and args.ignore_data_skip:
        yield f"trainer.ignore_data_skip: rows that were trained on come again; {ANEW}"


def keep_reference(trainer: Any, say: Callable[[str], object]) -> None:
    """Let a trainer's checkpoints hold its reference model, where it moves."""
    if not getattr(trainer.args, "sync_ref_model", False) or getattr(trainer, "ref_model", None) is None:
        return
    if not is_whole(trainer.ref_model):
        say(f"note: trainer.sync_ref_model: the reference is sharded, and no checkpoint holds it; {ANEW}")
        return

    class KeepsReference(type(trainer)):  # type: ignore[misc]
        """Saves the reference model in each checkpoint, before the mark of completeness."""

        def _save_checkpoint(self, *given: Any, **named: Any) -> None:
            if self.args.should_save:
                import torch

                folder = Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}"
                folder.mkdir(parents=True, exist_ok=True)
                part = folder / f"{REFERENCE}.part"
                torch.save(self.accelerator.unwrap_model(self.ref_model).state_dict(), part)
                part.replace(folder / REFERENCE)
            super()._save_checkpoint(*given, **named)

    trainer.__class__ = KeepsReference


def restore_reference(trainer: Any, checkpoint: Path, say: Callable[[str], object]) -> None:
    """Take the reference model from a checkpoint, where it moves."""
    if not getattr(trainer.args, "sync_ref_model", False) or getattr(trainer, "ref_model", None) is None:
        return
    path = checkpoint / REFERENCE
    if not path.is_file():
        say(f"note: trainer.sync_ref_model: {checkpoint} holds no reference, so it is the first one; {ANEW}")
        return
    import torch

    model = trainer.accelerator.unwrap_model(trainer.ref_model)
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))


def length_note(checkpoint: Path, steps: int | None) -> str:
    """Return a note on a continued run's other length; empty where it is the same.

    Args:
        checkpoint: The folder.
        steps: That the run is to take; None where that is not known.
    """
    before = checkpoint_state(checkpoint).get("max_steps")
    if steps is None or not before or before == steps:
        return ""
    return (
        f"note: the run was to take {before} steps and is to take {steps}: what follows a run's length (the "
        "learning rate's schedule, weights over time, a curriculum) does so by the new one from here on"
    )
