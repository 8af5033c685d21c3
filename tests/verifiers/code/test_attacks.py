"""Every hostile program, in every mode and in every tier: nothing paid, nothing harmed, nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adapters.cli.sandbox import MODES, Host, assault, host
from tests.support import FIXTURES, first_of_each, tables
from tests.timing import SOAK
from verifiers import CodePassRate
from verifiers.code.engine import local_engine

PROGRAMS = sorted((FIXTURES / "attacks" / "code").glob("*.py"))
TIERS = ("full", "unprivileged")
ONE_OF_EACH = dict(tables(__file__)["one_of_each"])
"""What attacks are after, and the program that stands for the others in `make test`."""
KINDS = {stem: kind for kind, stem in ONE_OF_EACH.items()}


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
    assert {path.stem for path in PROGRAMS} >= {*KINDS}


def _kind(number: int) -> str | None:
    return KINDS.get(PROGRAMS[number].stem)


def _modes(number: int, tier: str) -> tuple[str, ...]:
    """In `make soak` all; else each program in one mode in the first tier, and in two in the other one."""
    turned = MODES[number % 3 :] + MODES[: number % 3]
    if SOAK:
        return MODES
    return turned[:1] if tier == TIERS[0] else turned[1:]


def test_every_program_is_run_in_every_mode_and_in_every_tier() -> None:
    for number in range(len(PROGRAMS)):
        modes = [_modes(number, tier) for tier in TIERS]
        assert all(modes)
        assert {each for some in modes for each in some} == set(MODES)


@pytest.mark.parametrize("tier", first_of_each(TIERS))
@pytest.mark.parametrize(
    "number", first_of_each(range(len(PROGRAMS)), _kind), ids=[path.stem for path in PROGRAMS]
)
def test_attack_is_repelled(number: int, tier: str, attacked: Host) -> None:
    """Honest programs are paid in full afterwards."""
    verifier = CodePassRate(isolation=tier, timeout=0.3, memory=256)
    for result in assault(PROGRAMS[number], verifier, attacked, _modes(number, tier)):
        assert result.verdict.score == 0.0, f"{result.mode}: {result.verdict} {result.verdict.detail}"
        assert not result.harm
        assert result.healthy, result.mode
