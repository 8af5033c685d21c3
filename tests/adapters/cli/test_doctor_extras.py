"""What `verify-cli doctor` says of the extras."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from adapters.cli import doctor

OLDER, NEWER = sys.version_info[1] - 1, sys.version_info[1] + 1


def test_what_this_interpreter_does_not_get_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extra with a package for older interpreters only is whole without it; the cure would do nothing."""
    declared = [
        "typer>=0.12",
        f"no-such-package; python_version < '3.{OLDER}' and extra == 'one'",
        "typer>=0.12; extra == 'one'",
        f"no-such-package; python_version < '3.{NEWER}' and extra == 'two'",
        "reward-verifiers[one,two]; extra == 'all'",
    ]
    monkeypatch.setattr(doctor, "distribution", lambda name: SimpleNamespace(requires=declared))
    monkeypatch.setattr(doctor, "version", lambda name: _version(name))
    rows = {name: (good, said) for name, good, said in doctor._extras()}
    assert rows["base"] == rows["[one]"] == (True, "typer 0.12")
    good, said = rows["[two]"]
    assert good is None
    assert said.startswith("missing no-such-package; run: pip install ")
    assert "[all]" not in rows


def _version(name: str) -> str:
    if name == "no-such-package":
        raise doctor.PackageNotFoundError(name)
    return "0.12"
