"""Every hostile program, in every mode and tier: nothing paid, nothing harmed, nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.cli.about.attacked_host import Host, assault, host
from tests.support import FIXTURES
from verifiers import CodePassRate
from verifiers.code.engine import local_engine

PROGRAMS = sorted((FIXTURES / "attacks" / "code").glob("*.py"))
TIERS = ("full", "unprivileged")


@pytest.fixture(scope="module")
def attacked() -> Iterator[Host]:
    with host() as found, pytest.MonkeyPatch.context() as patch:
        # Many attacks do nothing but wait, so the three modes of one wait at the same time.
        patch.setattr(local_engine, "available_cores", lambda: 3)
        patch.setattr(local_engine, "_shared", {})
        for tier in TIERS:
            # Launchers that are there from now on belong to the state before an attack.
            CodePassRate(isolation=tier, timeout=0.3).verify("```python\n1\n```", {"stdio": [{"output": ""}]})
        yield found


def test_the_folder_is_there() -> None:
    """An empty list would pass every test below."""
    assert len(PROGRAMS) >= 93


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_attack_is_repelled(program: Path, tier: str, attacked: Host) -> None:
    """In all three modes; honest programs are paid in full afterwards."""
    verifier = CodePassRate(isolation=tier, timeout=0.3, memory=256)
    for result in assault(program, verifier, attacked):
        assert result.verdict.score == 0.0, f"{result.mode}: {result.verdict} {result.verdict.detail}"
        assert not result.harm
        assert result.healthy, result.mode
