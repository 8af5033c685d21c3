"""A fault in another process says what it says in this one: file, line, function, and the lines of source."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.support import FIXTURES, ROOT
from tests.timing import examples
from tests.verifiers.core.faulty_script import FORGETFUL

SCRIPT = (FIXTURES / "scripts" / "faulty.py").read_text(encoding="utf-8")
HEAD, *_PARTS, _, TAIL = re.split(r"\n# kind: (\w+)", SCRIPT)
KINDS = dict(zip(_PARTS[::2], _PARTS[1::2], strict=True))
"""A function of every kind, each of which faults."""
FAULTY = re.compile(r"\{\}\[(key|.missing.)\]|raise KeyError")
"""What the line that faults looks like."""


@pytest.mark.parametrize("cloudpickle", FORGETFUL)
@settings(max_examples=examples(4), deadline=None, phases=[Phase.generate])  # each takes seconds
@given(
    gaps=st.lists(st.integers(0, 40), min_size=len(KINDS), max_size=len(KINDS)),
    order=st.permutations(sorted(KINDS)),
)
def test_a_fault_says_the_same_wherever_it_arose(
    tmp_path_factory: pytest.TempPathFactory, cloudpickle: str, gaps: list[int], order: list[str]
) -> None:
    """Of every kind of function, at any line of a script; and it is the same function there."""
    path = tmp_path_factory.mktemp("script") / "own.py"
    parts = [HEAD]
    for gap, name in zip(gaps, order, strict=True):
        parts += ["\n# nothing\n" * gap, KINDS[name]]
    path.write_text("".join([*parts, TAIL]))
    done = subprocess.run(
        [sys.executable, str(path), cloudpickle],
        capture_output=True, text=True, check=False, cwd=tmp_path_factory.getbasetemp(),
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told) == set(KINDS)
    lines = path.read_text().splitlines()
    for name, (here, apart, trace, away, ours, theirs) in told.items():
        assert apart == here, name
        assert away == trace, name
        assert theirs == ours, name
        if name != "executed":
            _, _, place = here.rpartition(f"at {path}:")
            assert FAULTY.search(lines[int(place.split()[0]) - 1]), (name, here)
        assert FAULTY.search(trace), (name, trace)


def test_the_script_is_what_a_user_would_write() -> None:
    """It compiles, each part by itself."""
    for each in KINDS.values():
        compile(HEAD + each, str(Path("own.py")), "exec")
