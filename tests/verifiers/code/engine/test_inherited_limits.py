"""Limits that this process has inherited are never the program's fault: real ones, set by prlimit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests import forks
from tests.support import FIXTURES, first_of_each

PROGRAM = (FIXTURES / "scripts" / "inherited_limits.py").read_text(encoding="utf-8")
WRITES = "open('/tmp/x', 'wb').write(bytes(5_000_000))\nprint(1)"
C = '#include <stdio.h>\nint main(void) { puts("1"); return 0; }'


def _verdicts(folder: Path, option: str, *programs: tuple[str, str]) -> list[list[object]]:
    if shutil.which("prlimit") is None:
        pytest.skip("no prlimit")
    script = folder / "limited.py"
    script.write_text(PROGRAM, encoding="utf-8")
    done = forks.run(script, json.dumps(programs), option)
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[list[object]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("option", "words"),
    first_of_each(
        [
            ("--fsize=1000000", "67108864 bytes in a file, and this process is limited to 1000000"),
            ("--cpu=2", "seconds of processor time, and this process is limited to 2"),
            ("--nofile=64", "256 open files, and this process is limited to 64"),
            ("--nofile=200", "256 open files, and this process is limited to 200"),
            ("--stack=8388608", "bytes of stack, and this process is limited to 8388608"),
            ("--as=1000000000", "bytes of address space, and this process is limited to 1000000000"),
        ]
    ),
)
def test_what_cannot_be_given_is_said(option: str, words: str, tmp_path: Path) -> None:
    """Before a completion is looked at: whether a row can be judged does not depend on it."""
    for status, reason, score, detail in _verdicts(tmp_path, option, ("python", WRITES)):
        assert (status, reason, score) == ("unscored", "unavailable", None), detail
        assert words in str(detail)
        assert f"prlimit {option.partition('=')[0]}=unlimited" in str(detail)


@pytest.mark.parametrize(
    "option",
    first_of_each(["--nofile=100:4096", "--fsize=1000000:unlimited", "--cpu=60", "--as=20000000000"]),
)
def test_what_can_be_given_is_given(option: str, tmp_path: Path) -> None:
    """A soft limit can be raised, and one that is wide enough harms nobody."""
    right, none = _verdicts(tmp_path, option, ("python", WRITES))
    assert right[:3] == ["scored", "all_passed", 1.0], right
    assert none[:3] == ["scored", "no_code", 0.0]


def test_a_compiler_counts_as_well(tmp_path: Path) -> None:
    """Its own limits are wider than those of programs: a Python program runs there, one in C cannot be built."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    python, _, c, none = _verdicts(tmp_path, "--data=2000000000", ("python", WRITES), ("c", C))
    assert python[:3] == ["scored", "all_passed", 1.0]
    assert c[:2] == none[:2] == ["unscored", "unavailable"]
