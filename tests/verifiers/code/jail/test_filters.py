"""The seccomp filters decide as they should, on both machines, by an interpreter of their instructions."""

from __future__ import annotations

import errno
import struct

import pytest

from verifiers.code.jail import filters
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
               "prlimit64": 302, "fcntl": 72, "ioctl": 16, "chmod": 90, "socketpair": 53, "clone3": 435, "setsid": 112,
               "mmap": 9, "sendmsg": 46, "prctl": 157, "flock": 73, "fsync": 74, "seccomp": 317, "setsockopt": 54},
    "aarch64": {"read": 63, "socket": 198, "clone": 220, "execve": 221, "kill": 129, "openat": 56,
                "prlimit64": 261, "fcntl": 25, "ioctl": 29, "fchmodat": 53, "socketpair": 199, "clone3": 435, "setsid": 157,
                "mmap": 222, "sendmsg": 211, "prctl": 167, "flock": 32, "fsync": 82, "seccomp": 277, "setsockopt": 208},
}  # fmt: skip
REFUSED, ABSENT, NO_TTY = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS, ERRNO | errno.ENOTTY
IGNORED, NO_MEMORY = ERRNO, ERRNO | errno.ENOMEM
THREAD = 0x3D0F00  # what pthread_create asks for
CLOSE_RANGE, LANDLOCK = 436, (444, 445, 446)
SHARED, PRIVATE, ANONYMOUS, HUGE = 0x1, 0x2, 0x20, 0x40000


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
        elif code == 0x05:
            position += value
        else:
            holds = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            position += if_true if holds else if_false


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_every_program_may_do(machine: str) -> None:
    for profile, rules in PROFILES.items():
        assert _decide(machine, rules, "read") == ALLOW
        assert _decide(machine, rules, "clone", THREAD) == ALLOW, "threads"
        assert _decide(machine, rules, "prlimit64", 0) == ALLOW
        assert _decide(machine, rules, "prlimit64", PID) == ALLOW
        assert _decide(machine, rules, "kill", PID, 9) == ALLOW
        may = profile != "shell"
        assert _decide(machine, rules, "socketpair", 1, 1 | 0o2000000) == (ALLOW if may else REFUSED)
        assert _decide(machine, rules, "ioctl", 0, 0x5401) == ALLOW
        for command in (0, 1, 2, 3, 4, 1030):
            assert _decide(machine, rules, "fcntl", 3, command) == ALLOW
        assert _decide(machine, rules, CLOSE_RANGE, 3, 9, 4) == ALLOW
        assert _decide(machine, rules, "mmap", 0, 4096, 3, PRIVATE | ANONYMOUS) == ALLOW
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
        assert _decide(machine, rules, "fcntl", 0, 1031) == REFUSED, "larger pipes"
        assert _decide(machine, rules, "sendmsg") == REFUSED, "descriptors in flight"
        assert _decide(machine, rules, CLOSE_RANGE, 3, 9, 2) == REFUSED, "descriptors of its own"
        assert _decide(machine, rules, "prctl", 22, 2) == REFUSED, "filters of its own"
        assert {_decide(machine, rules, call) for call in (*LANDLOCK, "seccomp")} == {ABSENT}
        assert _decide(machine, rules, "mmap", 0, 1 << 21, 3, PRIVATE | ANONYMOUS | HUGE) == NO_MEMORY
        for command in (6, 7, 37, 38):
            assert _decide(machine, rules, "fcntl", 0, command) == IGNORED, "locks"
        assert {_decide(machine, rules, call) for call in ("flock", "fsync", "setsockopt")} == {IGNORED}
        family = profile in ("shell", "build")
        assert _decide(machine, rules, "clone", THREAD & ~0x400) == (ALLOW if family else REFUSED)
        assert _decide(machine, rules, "clone", 17) == (ALLOW if family else REFUSED)
        assert _decide(machine, rules, "setsid") == (REFUSED if family else ALLOW)


@pytest.mark.parametrize("machine", NUMBERS)
def test_shared_memory_is_refused_where_no_limit_counts_it(machine: str) -> None:
    anonymous, file = SHARED | ANONYMOUS, SHARED
    for profile, expected in {
        "python": (ALLOW, ALLOW),
        "native": (ALLOW, ALLOW),
        "runtime": (NO_MEMORY, ALLOW),
        "build": (NO_MEMORY, ALLOW),
        "shell": (NO_MEMORY, NO_MEMORY),
    }.items():
        rules = PROFILES[profile]
        assert (
            tuple(_decide(machine, rules, "mmap", 0, 1, 3, flags) for flags in (anonymous, file)) == expected
        )
        assert _decide(machine, rules, "mmap", 0, 1, 3, anonymous | 2) == expected[0], "MAP_SHARED_VALIDATE"


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


@pytest.mark.parametrize("machine", NUMBERS)
def test_every_call_has_the_answer_of_its_table(machine: str) -> None:
    """Whatever way the filter takes to find it: no number is off by one, and what is in no table is allowed."""
    column = list(AUDIT_ARCHITECTURES).index(machine)
    tables = {
        name: set(filters._numbers(table, column).values())
        for name, table in {
            "denied": f"{filters._DENIED}|{filters._METADATA}|{filters._PROCESSES}|{filters._EXECUTION}",
            "absent": filters._ABSENT,
            "ignored": filters._IGNORED,
            "ruled": filters._RULED,
        }.items()
    }
    assert sum(map(len, tables.values())) == len(set().union(*tables.values())), "each call is in one table"
    for number in range(LAST_NUMBER + 1):
        answer = _decide(machine, Rules(), number)
        if number in tables["denied"]:
            assert answer == REFUSED, number
        elif number in tables["absent"]:
            assert answer == ABSENT, number
        elif number in tables["ignored"]:
            assert answer == IGNORED, number
        elif number not in tables["ruled"]:
            assert answer == ALLOW, number
