"""Start of the console scripts: one sentence names a missing package and the command that installs it."""

from __future__ import annotations

import importlib
import sys

from .packages import missing_module, uncollected


def cli() -> None:
    """``verify-cli``."""
    _start("reward_verifiers.adapters.cli")


def train() -> None:
    """``verify-train``."""
    _start("reward_verifiers.training.cli")


def _start(module: str) -> None:
    # By name, since this lies below the command lines.
    try:
        main = uncollected(importlib.import_module, module).main
    except ImportError as error:
        said = missing_module(error.name) if isinstance(error, ModuleNotFoundError) else None
        print(f"error: {said or error}", file=sys.stderr)
        raise SystemExit(2) from None
    main()
