"""Settings of the process that must be made before torch and tokenizers are loaded, and the machine's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from reward_verifiers.verifiers.runtime.packages import require

Value = TypeVar("Value")

# Waiting threads of OpenMP spin by default; next to another busy process on a small machine that made the
# same training loop 7 to 26 times slower. Tokenizers' threads do not survive the forks of data loaders.
SETTINGS = {"OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false"}

# Hugging Face's libraries read these once, when they are imported. Without them TRL's trainers start a thread
# that reports itself to the hub, and transformers asks there for files that a local folder does not have.
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1",
           "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}  # fmt: skip
"""What keeps the Hugging Face libraries off the network, in this process and in all that it starts."""


def settle() -> None:
    """Set defaults that the user has not set; call it before torch is imported."""
    _set(SETTINGS)


def stay_offline() -> None:
    """Use no network where the user has not said otherwise; call it before huggingface_hub is imported."""
    _set(OFFLINE)


def _set(values: Mapping[str, str]) -> None:
    for name, value in values.items():
        os.environ.setdefault(name, value)


def quiet() -> None:
    """Silence libraries' own reports: loading bars, and warnings that no user can act on.

    Raises:
        MissingDependencyError: One of them is not installed.
    """
    import warnings

    require("datasets", extra="train").disable_progress_bars()
    logging = require("transformers.utils.logging", extra="train")
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")
    warnings.filterwarnings("ignore", category=UserWarning, module="torch.utils.data")


def begin(threads: int | str) -> None:
    """Set up the process for a command that loads a model.

    Args:
        threads: Threads of torch on the CPU; ``auto`` leaves its choice, one for each core.
    """
    quiet()
    if threads != "auto":
        import torch

        torch.set_num_threads(int(threads))


def has_gpu() -> bool:
    """Return whether there is an accelerator that torch can train on."""
    import torch

    return torch.cuda.is_available() or (hasattr(torch, "xpu") and torch.xpu.is_available())


def cpu_options(options: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """Return a trainer's options for a machine without a GPU, where the user has not set them.

    TRL's defaults are those of a GPU: bf16, and gradient checkpointing that halves the speed where memory
    is not a concern.
    """
    chosen = {"use_cpu": True, "bf16": False, "gradient_checkpointing": False,
              "dataloader_pin_memory": False}  # fmt: skip
    return {**{name: value for name, value in chosen.items() if name in known}, **options}


def peak_memory() -> dict[str, float]:
    """Return the peak memory so far, in MiB: of this process, and of the GPU if there is one."""
    import resource
    import sys

    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    peak = {"peak_rss_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)}
    import torch

    if torch.cuda.is_available():
        peak["peak_gpu_mib"] = round(torch.cuda.max_memory_allocated() / (1 << 20), 1)
    return peak


@contextmanager
def main_first() -> Iterator[None]:
    """Let the first process act alone while the others wait, and then find it done.

    For folders: two processes that clear, build or merge one at the same time leave half of it.
    """
    if world_size() == 1:
        yield
        return
    import accelerate  # type: ignore[import-untyped]

    with accelerate.PartialState(cpu=not has_gpu()).main_process_first():
        yield


def barrier() -> None:
    """Wait until all processes are here."""
    if world_size() > 1:
        import accelerate

        accelerate.PartialState(cpu=not has_gpu()).wait_for_everyone()


def gathered(value: Value) -> list[Value]:
    """Return each process's value, in the order of their numbers: the same list in all of them."""
    if world_size() == 1:
        return [value]
    import accelerate

    accelerate.PartialState(cpu=not has_gpu())
    found: list[Value] = accelerate.utils.gather_object([value])
    return found


def joined_rows(rows: list[Value]) -> list[Value]:
    """Return the rows of all processes, in the order of their numbers: the same list in all of them."""
    return [row for each in gathered(rows) for row in each]


def rank() -> int:
    """Return the number of this process among those that train together."""
    return int(os.environ.get("RANK", "0"))


def world_size() -> int:
    """Return the number of processes that train together."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def say(line: str) -> None:
    """Print a line for a person, once for all processes."""
    if rank() == 0:
        print(line, file=sys.stderr, flush=True)
