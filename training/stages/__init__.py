"""The stages of training: each takes a configuration, and leaves a folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..config import RunConfig
from .policy import train_policy
from .preference import train_preference
from .selection import select_data
from .supervised import train_supervised

STAGES: dict[str, Callable[[RunConfig], dict[str, Any]]] = {
    "sft": train_supervised,
    "grpo": lambda config: train_policy("grpo", config),
    "rloo": lambda config: train_policy("rloo", config),
    "select": select_data,
    "dpo": train_preference,
}
"""Each stage by its name; it gives the metrics that it has written to ``metrics.json``."""

__all__ = ["STAGES", "select_data", "train_policy", "train_preference", "train_supervised"]
