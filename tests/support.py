"""What several test files share."""

from __future__ import annotations

import asyncio
import functools
import importlib
import importlib.util
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.timing import HANG

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"
Row = TypeVar("Row")


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL fixture."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def first_of_each(members: Iterable[Row], kind: Callable[[Row], str | None] = lambda member: "") -> list[Any]:
    """Members of a matrix for `pytest.mark.parametrize`: the first of each kind, and the others marked ``slow``.

    CONTRIBUTING.md says what is a matrix. Rows of cases and laws are none: each says something of its own.

    Args:
        members: All of them.
        kind: What a member shows; by default all show the same. None: what others show.
    """
    seen: set[str | None] = {None}
    chosen = []
    for member in members:
        marks = [pytest.mark.slow] if kind(member) in seen else []
        seen.add(kind(member))
        chosen.append(pytest.param(*(member if isinstance(member, tuple) else (member,)), marks=marks))
    return chosen


class Late:
    """A module that is loaded when a test first uses it, not when the test is collected.

    Every process of the suite collects every test, and few run one that needs torch.

    Args:
        name: Of the module. The file's tests are skipped where its package is not installed.
    """

    def __init__(self, name: str) -> None:
        if importlib.util.find_spec(name.partition(".")[0]) is None:
            pytest.skip(f"could not import {name!r}", allow_module_level=True)
        self._name = name

    def __getattr__(self, name: str) -> Any:
        # What collects tests asks every object for such names.
        if name.startswith(("_", "pytest")):
            raise AttributeError(name)
        return getattr(importlib.import_module(self._name), name)


def in_groups(
    rows: Sequence[Row], name: Callable[[Row], str], size: int = 50
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make the test of a row one of groups of rows: to collect and report an item takes longer than most rows.

    All rows are tried, and the message names each that fails. `-k` knows a group by the name of every row.

    Args:
        rows: What the test is given, one by one; a test of several parameters is given a row's parts.
        name: Of a row, in the message.
        size: Of a group.
    """
    starts = range(0, len(rows), size)

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        of_parts = len(inspect.signature(check).parameters) > 1

        # Runners have to agree on the names, and an object's address is another one in each.
        names = [re.sub(r" at 0x[0-9a-f]+", "", name(rows[start]))[:60] for start in starts]

        @pytest.mark.parametrize("start", starts, ids=names)
        def test(start: int) -> None:
            wrong = []
            for row in rows[start : start + size]:
                try:
                    check(*row) if of_parts else check(row)  # type: ignore[misc]
                except Exception as error:
                    wrong.append(f"{name(row)}: {type(error).__name__}: {error}")
            assert not wrong, "\n\n".join([f"{len(wrong)} of these rows fail", *wrong])

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        test.rows_from = {start: [name(row) for row in rows[start : start + size]] for start in starts}  # type: ignore[attr-defined]
        return test

    return decorate


@functools.cache
def tables(file: str) -> dict[str, list[list[Any]]]:
    """The tables of a test file, by name: `fixtures/tables` has a file for each test file that has some.

    A line is the name of a table, a row of it, or a remark that begins with ``#``.

    Args:
        file: The test file.
    """
    path = Path(file).resolve().relative_to(ROOT / "tests")
    text = (FIXTURES / "tables" / path.with_name(path.stem.removeprefix("test_") + ".jsonl")).read_text(
        "utf-8"
    )
    found: dict[str, list[list[Any]]] = {}
    name = ""
    for line in map(json.loads, text.splitlines()):
        if isinstance(line, list):
            found[name].append(line)
        elif not line.startswith("#"):
            found[name := line] = []
    return found


def from_table(*more: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a test one of the rows of its table, which has the test's name without `test_`; see `in_groups`.

    Args:
        more: Rows that are not written out, since they are long.
    """

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        rows = tables(check.__code__.co_filename)[check.__name__.removeprefix("test_")]
        return in_groups([*(row if len(row) > 1 else row[0] for row in rows), *more], repr)(check)

    return decorate


def known(value: Row | None) -> Row:
    """A value that has to be there."""
    assert value is not None
    return value


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test of a coroutine, in an event loop of its own, which fails where it hangs."""

    @functools.wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*given, **named), HANG))

    return run


def python(code: str, *flags: str, **options: Any) -> str:
    """Return what a program of a few lines prints, in an interpreter of its own; it must succeed."""
    command = [sys.executable, *flags, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, **options).stdout


def peak_memory(command: list[str], **options: Any) -> tuple[subprocess.CompletedProcess[str], int]:
    """Run a command; also return the peak memory of its largest process, in bytes.

    A small process starts it: a child's figure never falls below the size of its parent.
    """
    code = (
        "import json, resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024\n"
        "print(json.dumps([done.returncode, done.stdout, done.stderr, peak]))"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", code, *command], capture_output=True, text=True, check=True, **options
    )
    status, stdout, stderr, peak = json.loads(run.stdout)
    return subprocess.CompletedProcess(command, status, stdout, stderr), peak
