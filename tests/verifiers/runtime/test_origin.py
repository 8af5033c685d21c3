"""A hint to install an extra names what really installs it: what this installation was made of."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import FIXTURES, ROOT
from verifiers.runtime.packages import install_command, missing_module

COMMIT = "0123456789012345678901234567890123456789"


class _Installed:
    """A distribution with that record of its origin."""

    def __init__(self, record: dict[str, Any] | None) -> None:
        self._record = record

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self._record is None else json.dumps(self._record)


def _said(monkeypatch: pytest.MonkeyPatch, record: dict[str, Any] | None, extra: str | None) -> list[str]:
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: _Installed(record))
    pip, install, *rest = shlex.split(install_command(extra))
    assert [pip, install] == ["pip", "install"]
    return rest


def test_by_name_from_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip leaves no record of an origin there."""
    assert _said(monkeypatch, None, "cache") == ["reward-verifiers[cache]"]
    assert _said(monkeypatch, None, None) == ["reward-verifiers"]


@pytest.mark.parametrize("name", ["clone", "my clone", "클론"])
def test_a_clone_by_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """Editable if it was, and quoted for the shell."""
    clone = tmp_path / name
    clone.mkdir()
    fixed: dict[str, Any] = {"url": clone.as_uri(), "dir_info": {}}
    assert _said(monkeypatch, fixed, "cache") == [f"{clone}[cache]"]
    editable = {**fixed, "dir_info": {"editable": True}}
    assert _said(monkeypatch, editable, "cache") == ["-e", f"{clone}[cache]"]


def test_a_wheel_by_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And a clone where the wheel is gone."""
    wheel = tmp_path / "reward_verifiers-0.1.0-py3-none-any.whl"
    record = {"url": wheel.as_uri(), "archive_info": {}}
    assert _said(monkeypatch, record, "cache") == [".[cache]"]
    wheel.touch()
    assert _said(monkeypatch, record, "cache") == [f"{wheel}[cache]"]


def test_what_lies_elsewhere_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """As PEP 508 writes it."""
    git = {"url": "https://host.example/us/lib.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
    assert _said(monkeypatch, git, "gym") == [
        f"reward-verifiers[gym] @ git+https://host.example/us/lib.git@{COMMIT}"
    ]
    archive = {"url": "https://host.example/lib.zip", "archive_info": {}}
    assert _said(monkeypatch, archive, "gym") == ["reward-verifiers[gym] @ https://host.example/lib.zip"]


def test_a_checkout_that_is_only_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is installed: then the checkout itself."""

    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    assert shlex.split(install_command("train")) == ["pip", "install", "-e", f"{ROOT}[train]"]


def test_a_missing_module_is_told_by_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the declared requirements; what none of them is called stays an error of somebody's code."""
    declared = ["typer>=0.12", "torch>=2.4; extra == 'metrics'", 'bert-score>=0.3; extra == "metrics"',
                "torch>=2.4 ; extra == 'train'", "trl ; extra == 'train'", "reward-verifiers[train]; extra == 'qlora'",
                *(f"{each}; extra == 'all'" for each in ("torch>=2.4", "bert-score>=0.3", "trl"))]  # fmt: skip
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: declared)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: _Installed(None))
    assert missing_module("typer") == "typer is not installed; run: pip install reward-verifiers"
    assert missing_module("bert_score.scorer") == (
        "bert_score is not installed; run: pip install 'reward-verifiers[metrics]'"
    )
    assert missing_module("torch") == (
        "torch is not installed; run: pip install 'reward-verifiers[metrics]' or pip install 'reward-verifiers[train]'"
    )
    assert missing_module("trl").endswith("run: pip install 'reward-verifiers[train]'"), (
        "not [all], which has more"
    )
    assert missing_module("helpers") is missing_module("") is missing_module(None) is None


WITHOUT = (FIXTURES / "scripts" / "without_packages.py").read_text(encoding="utf-8")
HEAVY = "torch,transformers,trl,peft,datasets,accelerate"


@pytest.mark.parametrize(
    ("missing", "words", "named"),
    [
        ("typer", "cli list", "typer is not installed; run: pip install "),
        (HEAVY, "train grpo --config gsm8k_qwen", "datasets is not installed; run: pip install "),
        (HEAVY, "train grpo --config demo_arithmetic --dry-run", "[train]"),
        (HEAVY, "train demo", "[train]"),
    ],
)
def test_a_command_without_its_packages_says_so_in_one_sentence(missing: str, words: str, named: str) -> None:
    """With the command that installs them, and no traceback."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, missing, *words.split()],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert named in done.stderr
