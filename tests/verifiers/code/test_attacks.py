"""Every hostile program, in every mode and tier: nothing paid, nothing harmed, nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.cli.attacked_host import Host, assault, host
from tests.support import FIXTURES
from verifiers import CodePassRate

PROGRAMS = sorted((FIXTURES / "attacks" / "code").glob("*.py"))
TIERS = ("full", "unprivileged")


@pytest.fixture(scope="module")
def attacked() -> Iterator[Host]:
    with host() as found:
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
