"""No test depends on the clock on the wall, and what takes long is marked."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT, first_of_each
from tests.timing import HANG

CLOCKS = {"monotonic", "perf_counter", "time", "monotonic_ns", "perf_counter_ns", "time_ns"}
GIVES_UP = {"HANG", "START", "PATIENCE"}
"""Names of times after which a test says that something hangs: minutes."""
WAITS = {"communicate", "join", "wait", "result", "wait_for", "Barrier"}
FILES = sorted(
    path
    for path in (ROOT / "tests").rglob("*.py")
    # What runs in a browser or beside hosts of its own is no part of the suite.
    if path.relative_to(ROOT).parts[1] not in ("browser", "hosts", "extras")
)


def _reads_a_clock(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr in CLOCKS
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id == "time"
        for each in ast.walk(node)
    )


def _seconds(node: ast.expr) -> float:
    """The least that is waited for, as far as it is written there."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    if names & GIVES_UP:
        return HANG
    numbers = [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, int | float)
    ]
    return float(max(numbers, default=HANG))


def _on_the_clock(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Assertions that something took less than a time, and waiting that is given up before a busy machine is done."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare) and _reads_a_clock(node.test):
            for operator, bound in zip(node.test.ops, node.test.comparators, strict=True):
                if isinstance(operator, ast.Lt | ast.LtE) and _seconds(bound) < 60:
                    yield node.lineno, ast.unparse(node)
        if (
            isinstance(node, ast.Assign)
            and getattr(node.targets[0], "id", "") == "deadline"
            and (_seconds(node.value) < 60)
        ):
            yield node.lineno, ast.unparse(node)
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            given = (
                [each.value for each in node.keywords if each.arg == "timeout"]
                if name in WAITS | {"run"}
                else []
            )
            if name == "join" and node.args and isinstance(node.args[0], ast.Constant):  # of a thread
                given.append(node.args[0])
            if any(_seconds(each) < 60 for each in given):
                yield node.lineno, ast.unparse(node)


def test_no_test_asks_how_late_it_is() -> None:
    """A machine that does other things is late with everything: processor time says what something cost."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {said}"
        for path in FILES
        for line, said in _on_the_clock(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_every_property_draws_more_in_soak() -> None:
    """`examples` says how many; a number of its own would be too many for each change, and too few for the soak."""
    literal = re.compile(r"max_examples=\d")
    assert [path for path in FILES if literal.search(path.read_text(encoding="utf-8"))] == []


def test_what_asks_is_found() -> None:
    """Each of the kinds."""
    asks = "assert time.monotonic() - began < 4\ndeadline = time.time() + 5\nprocess.communicate(timeout=9)\nthread.join(5)"
    assert [line for line, _ in _on_the_clock(ast.parse(asks))] == [1, 2, 3, 4]
    fine = "assert time.monotonic() - began < HANG\nassert time.time() - began >= 0.3\nprocess.wait(timeout=HANG)"
    assert list(_on_the_clock(ast.parse(fine))) == []


LONG = """
import subprocess
import sys
import time

import pytest

def burn():
    began = time.process_time()
    while time.process_time() - began < 0.2:
        pass

def test_long():
    burn()

@pytest.mark.slow
def test_marked():
    burn()

OTHER = "import sys, time\\nwhile time.process_time() < 0.3: pass\\nprint(flush=True)\\nsys.stdin.read()"

def test_starts_another_process():
    pytest.other = subprocess.Popen([sys.executable, "-c", OTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    pytest.other.stdout.readline()

def test_ends_what_was_there_before():
    pytest.other.communicate()

def test_waits_for_a_long_process():
    subprocess.run([sys.executable, "-c", OTHER], input=b"", check=True)
"""


def test_a_long_test_that_is_not_marked_fails(tmp_path: Path) -> None:
    """By itself or by a process of its own. The message says what to do; others pass, marked ones too."""
    (tmp_path / "test_own.py").write_text(LONG)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow: left out\n")
    code = "import pytest, sys; from tests import processor_time as p; p.ALONE = 1e-9; p.LOOKED = 0; p.within = lambda s, most: s < 0.15; "
    code += (
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-p', 'tests.processor_time', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "2 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    assert "test_own.py::test_long" in done.stdout
    assert "test_own.py::test_waits_for_a_long_process" in done.stdout
    assert "it took 0 s of processor time: mark it `slow`" in done.stdout
    assert "processor time: " in done.stdout


def test_the_first_of_each_kind_stays_in_the_gate() -> None:
    """Of a kind that has no name nothing does, as of what others show."""
    found = first_of_each(["a", "b", "aa", "-"], lambda each: None if each == "-" else each[0])
    assert [bool(each.marks) for each in found] == [False, False, True, True]
    assert [bool(each.marks) for each in first_of_each([("x", 1), ("y", 2)])] == [False, True]
    assert [each.values for each in first_of_each([("x", 1), ("y", 2)])] == [("x", 1), ("y", 2)]


@pytest.mark.parametrize("target", ["test", "test-rest", "test-all"])
def test_the_gate_and_the_rest_are_everything(target: str) -> None:
    """Of what is marked, nothing is lost between the two commands, and nothing runs twice."""
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").split(f"\n{target}: ")[1].splitlines()
    wanted = {"test": "-m 'not slow'", "test-rest": "-m slow", "test-all": ""}[target]
    assert lines[1] == f"\t$(PYTEST) --durations 10 {wanted}".rstrip()
