"""Where the console scripts start: first the names are checked, then the command line is loaded.

This is the one module of `verifiers` that reaches upwards; it does so by name, after the check, since a
foreign `adapters` could not tell anybody what went wrong.
"""

from __future__ import annotations

import importlib
import sys


def cli() -> None:
    """``verify-cli``."""
    _start("adapters.cli")


def train() -> None:
    """``verify-train``."""
    _start("training.cli")


def _start(module: str) -> None:
    try:
        # A foreign `verifiers` may have replaced ours around this file, so nothing is taken on trust.
        names = importlib.import_module("verifiers.runtime.namesakes")
        for package in names.PACKAGES:
            names.require_ours(package)
        main = importlib.import_module(module).main
    except ImportError as error:
        print(f"error: {_missing(error) or error}", file=sys.stderr)
        raise SystemExit(2) from None
    main()


def _missing(error: ImportError) -> str | None:
    """What installs a package that is not there; None for any other error, and among strangers."""
    try:
        origin = importlib.import_module("verifiers.runtime.origin")
    except ImportError:
        return None
    said: str | None = origin.missing_module(error.name) if isinstance(error, ModuleNotFoundError) else None
    return said
