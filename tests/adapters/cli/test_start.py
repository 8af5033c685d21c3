"""The list of verbs imports none of them, and each verb is one."""

from __future__ import annotations

import subprocess
import sys

import typer

from adapters.cli import app
from adapters.cli.verbs import VERBS


def test_the_list_of_verbs_imports_none_of_them() -> None:
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom adapters.cli import app\n"
        "assert 'doctor' in CliRunner().invoke(app, ['--help']).stdout\n"
        "print(*(name for name in sys.modules if name.removeprefix('reward_verifiers.').startswith(('rewards.', 'verifiers.maths', 'adapters.serve'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_what_is_listed_is_what_each_verb_says() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert list(commands) == list(VERBS)
    for name, verb in VERBS.items():
        assert commands[name].name == name
        assert verb.listed(name).get_short_help_str() == commands[name].get_short_help_str() != ""
