"""The seccomp filters decide as they should, on both machines, by an interpreter of their instructions."""

from __future__ import annotations

import errno
import struct

import pytest

from verifiers.code.jail.filters import (
    ALLOW,
    AUDIT_ARCHITECTURES,
    ERRNO,
    KILL,
    LAST_NUMBER,
    Rules,
    build,
    with_pid,
)
from verifiers.code.jail.world import PROFILES

PID = 4321
NUMBERS = {
    "x86_64": {"read": 0, "socket": 41, "clone": 56, "fork": 57, "execve": 59, "kill": 62, "openat": 257,
               "prlimit64": 302, "fcntl": 72, "ioctl": 16, "chmod": 90, "socketpair": 53, "clone3": 435, "setsid": 112},
    "aarch64": {"read": 63, "socket": 198, "clone": 220, "execve": 221, "kill": 129, "openat": 56,
                "prlimit64": 261, "fcntl": 25, "ioctl": 29, "fchmodat": 53, "socketpair": 199, "clone3": 435, "setsid": 157},
}  # fmt: skip
REFUSED, ABSENT, NO_TTY = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS, ERRNO | errno.ENOTTY


def _decide(machine: str, rules: Rules, call: str | int, *arguments: int, audit: int | None = None) -> int:
    """What the kernel would do: classic BPF over struct seccomp_data."""
    number = call if isinstance(call, int) else NUMBERS[machine][call]
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, audit or AUDIT_ARCHITECTURES[machine], 0, *padded)
    program = with_pid(build(machine, rules), PID)
    accumulator = position = 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("=HBBI", program, 8 * position)
        position += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif code == 0x54:
            accumulator &= value
        else:
            holds = {0x15: accumulator == value, 0x25: accumulator > value, 0x45: bool(accumulator & value)}[
                code
            ]
            position += if_true if holds else if_false


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_every_program_may_do(machine: str) -> None:
    for profile, rules in PROFILES.items():
        assert _decide(machine, rules, "read") == ALLOW
        assert _decide(machine, rules, "clone", 0x00010000 | 0x100) == ALLOW, "threads"
        assert _decide(machine, rules, "prlimit64", 0) == ALLOW
        assert _decide(machine, rules, "prlimit64", PID) == ALLOW
        assert _decide(machine, rules, "kill", PID, 9) == ALLOW
        assert _decide(machine, rules, "socketpair", 1, 1 | 0o2000000) == ALLOW
        assert _decide(machine, rules, "ioctl", 0, 0x5401) == ALLOW
        may = profile != "python"
        assert _decide(machine, rules, "execve") == (ALLOW if may else REFUSED)


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_no_program_may_do(machine: str) -> None:
    for profile, rules in PROFILES.items():
        assert _decide(machine, rules, "socket") == REFUSED
        assert _decide(machine, rules, "socketpair", 1, 2) == REFUSED, "datagrams"
        assert _decide(machine, rules, "socketpair", 2, 1) == REFUSED
        for flags in (0x10000000, 0x20000, 0x40000000, 0x80):
            assert _decide(machine, rules, "clone", flags | 17) == REFUSED
        assert _decide(machine, rules, "clone3") == ABSENT
        assert _decide(machine, rules, LAST_NUMBER + 1) == ABSENT
        assert _decide(machine, rules, 0x40000000 | 39) == ABSENT, "x32"
        assert _decide(machine, rules, "kill", 1, 9) == REFUSED
        assert _decide(machine, rules, "kill", 0xFFFFFFFF, 9) == REFUSED
        assert _decide(machine, rules, "prlimit64", 1) == REFUSED
        assert _decide(machine, rules, "fcntl", 0, 8) == REFUSED
        assert _decide(machine, rules, "ioctl", 0, 0x5412) == NO_TTY
        assert _decide(machine, rules, "read", audit=0x40000003) == KILL, "32-bit calls"
        family = profile in ("shell", "build")
        assert _decide(machine, rules, "clone", 17) == (ALLOW if family else REFUSED)
        assert _decide(machine, rules, "setsid") == (REFUSED if family else ALLOW)


@pytest.mark.parametrize("machine", NUMBERS)
def test_where_rules_are_loosened_and_tightened(machine: str) -> None:
    assert _decide(machine, Rules(signals=True), "kill", 1, 9) == ALLOW
    change = "chmod" if machine == "x86_64" else "fchmodat"
    assert _decide(machine, Rules(), change) == REFUSED
    assert _decide(machine, Rules(metadata=True), change) == ALLOW
    old = Rules(truncation=False)
    assert _decide(machine, old, "openat", 0, 0, 0o1000) == REFUSED, "O_RDONLY | O_TRUNC"
    assert _decide(machine, old, "openat", 0, 0, 0o1001) == ALLOW, "Landlock decides"
    assert _decide(machine, old, "openat", 0, 0, 0) == ALLOW
    assert _decide(machine, Rules(), "openat", 0, 0, 0o1000) == ALLOW
