"""``verify-cli`` in a process of its own for each call."""

from __future__ import annotations

import subprocess
from typing import Any

from tests import forks
from tests.forks import ENVIRONMENT

__all__ = ["ENVIRONMENT", "cli"]


def cli(*arguments: object, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run verify-cli as a user would.

    Args:
        *arguments: Of the command.
        **options: ``cwd``, ``input`` and ``text``, as `subprocess.run` takes them.
    """
    return forks.run("adapters.cli", *arguments, **options)
