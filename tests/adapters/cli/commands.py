"""``verify-cli`` in a process of its own for each call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from adapters.cli import app
from tests import forks
from tests.forks import ENVIRONMENT
from tests.support import ROOT

__all__ = ["ENVIRONMENT", "cli", "ran_by_pytest", "run"]


def cli(*arguments: object, status: int | None = None, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run verify-cli as a user would.

    Args:
        *arguments: Of the command.
        status: What it has to end with, if that is known.
        **options: ``cwd``, ``input`` and ``text``, as `subprocess.run` takes them.
    """
    done = forks.run("adapters.cli", *arguments, **options)
    assert status in (None, done.returncode), f"{done.returncode}: {done.stdout!r} {done.stderr!r}"
    return done


def run(*arguments: object, status: int | None = None) -> Result:
    """A verb in this process, which takes milliseconds; the status it has to end with, if that is known."""
    done = CliRunner().invoke(app, [*map(str, arguments)])
    assert status in (None, done.exit_code), f"{done.exit_code}: {done.output}"
    return done


def ran_by_pytest(folder: Path, *arguments: str) -> str:
    """What pytest says in a folder, with the plug-in for case files and no other."""
    words = f"{sys.executable} -m pytest -q -p no:cacheprovider -p adapters.cases.pytest_plugin".split()
    env = {"PYTHONPATH": f"{ROOT}:{folder}", "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [*words, *arguments], cwd=folder, capture_output=True, text=True, check=False, env=env
    )
    return done.stdout + done.stderr
