"""What a checkpoint has to hold besides what a trainer keeps in it; what is said where some is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .greedy_exams import is_whole
from .run_folder import checkpoint_state

REFERENCE = "reference.pt"
"""The reference model where it moves (``sync_ref_model``): a trainer would begin with the first one."""
ANEW = "a resumed run differs from an uninterrupted one"


def resume_notes(args: Any) -> Iterator[str]:
    """Why a run with these options would not be resumed to the same end.

    Args:
        args: The trainer's options.
    """
    saves = args.save_strategy != "no"
    if saves and args.save_only_model:
        yield "trainer.save_only_model: checkpoints hold no optimizer, so an interrupted run begins anew"
        return
    every = getattr(args, "steps_per_generation", None) or args.gradient_accumulation_steps
    updates = max(1, every * getattr(args, "num_iterations", 1) // args.gradient_accumulation_steps)
    if args.save_strategy == "steps" and args.save_steps >= 1 and int(args.save_steps) % updates:
        yield (
            f"trainer.save_steps {int(args.save_steps)} is not a multiple of {updates}, the steps that one "
            f"generation serves: a resumed run generates anew, and differs from an uninterrupted one"
        )
    if saves and getattr(args, "use_vllm", False):
        yield f"trainer.use_vllm: no checkpoint holds what vLLM draws by; {ANEW}"
    if saves and args.ignore_data_skip:
        yield f"trainer.ignore_data_skip: rows that were trained on come again; {ANEW}"


def keep_reference(trainer: Any, say: Callable[[str], object]) -> None:
    """Let a trainer's checkpoints hold its reference model, where it moves.

    Args:
        trainer: Before training.
        say: Where a line for a person goes.
    """
    if not getattr(trainer.args, "sync_ref_model", False) or getattr(trainer, "ref_model", None) is None:
        return
    if not is_whole(trainer.ref_model):
        say(f"note: trainer.sync_ref_model: the reference is sharded, and no checkpoint holds it; {ANEW}")
        return

    class KeepsReference(type(trainer)):  # type: ignore[misc]
        """With the reference model in each checkpoint, before what says that it is complete."""

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
    """Take the reference model from a checkpoint, where it moves.

    Args:
        trainer: Before training.
        checkpoint: The folder.
        say: Where a line for a person goes.
    """
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
    """What a run that is made longer or shorter than it was to be differs in; empty where it is not.

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
