"""Reward functions of a user's that break and stall their worker; `test_server` serves them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.timing import until


def trying(completions: list[str], folder: list[str], **_: object) -> list[float]:
    """The length of each row, except that some kill their worker, or raise, or wait for a file."""
    return [_try(completion, Path(each)) for completion, each in zip(completions, folder, strict=True)]


def _try(completion: str, folder: Path) -> float:
    word, _, name = completion.partition(" ")
    if word == "always":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "raise":
        raise RuntimeError("a defect of the user's")
    if word == "wait":
        (folder / f"{name}.started").touch()
        until((folder / name).exists)
    return float(len(completion))
