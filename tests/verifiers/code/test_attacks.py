"""Every hostile program, in every mode and in every tier: nothing paid, nothing harmed, nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adapters.cli.sandbox import MODES, Host, assault, host
from tests.support import FIXTURES, first_of_each
from tests.timing import SOAK
from verifiers import CodePassRate
from verifiers.code.engine import local_engine

PROGRAMS = sorted((FIXTURES / "attacks" / "code").glob("*.py"))
TIERS = ("full", "unprivileged")
ONE_OF_EACH = {
    "processes": "01_fork_bomb",
    "memory": "04_memory_bomb",
    "memory that is not address space": "07_memfd_bomb",
    "disk": "08_disk_fill",
    "output": "10_output_flood",
    "waiting": "13_sleep",
    "signals ignored": "14_ignore_signals",
    "an interpreter that is held": "16_gil_hold_regex",
    "what outlives its parent": "17_daemon_double_fork",
    "other processes": "20_kill_all",
    "files of the host": "23_read_passwd",
    "network": "31_net_abstract_unix",
    "namespaces": "34_userns_mount",
    "what stays": "38_sysv_shm_residue",
    "limits": "40_raise_rlimits",
    "arithmetic": "44_bigint_bomb",
    "depth": "49_recursion",
    "bytes that are no text": "50_bad_utf8",
    "an early end": "55_sys_exit0",
    "objects that equal everything": "62_always_equal",
    "a changed interpreter": "67_patch_builtins",
    "frames of the tester": "71_frame_jump",
    "unpickling": "80_pickle_rce",
    "threads": "101_thread_bomb",
    "forged answers": "109_forge_replies",
    "answers that are known": "122_look_for_answers",
    "filters of its own": "128_listening_filter",
    "the kernel's memory": "138_socket_buffers",
}
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
