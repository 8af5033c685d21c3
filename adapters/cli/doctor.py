"""``verify-cli doctor``: the state of this environment and its gaps."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution, version

import typer
from rich.table import Table

from reward_verifiers import PACKAGES, taken_names
from reward_verifiers.verifiers import SandboxError
from reward_verifiers.verifiers.code.engine.isolation_tiers import TIERS, choose, tier
from reward_verifiers.verifiers.code.engine.program_languages import LANGUAGES, toolchain
from reward_verifiers.verifiers.runtime.packages import DISTRIBUTION, install_command
from reward_verifiers.verifiers.runtime.pool import WorkerPool, available_cores

from .console import DONE, ROWS_FAILED, failing_clearly, literal, stdout


def doctor() -> None:
    """Check the environment: versions, extras, the worker process, isolation, foreign packages.

    Exit status 1 if an installed part lacks something that it needs.
    """
    with failing_clearly():
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        healthy = True
        for name, good, said in _checks():
            healthy = healthy and good is not False
            mark = {True: "ok", False: "BROKEN", None: "-"}[good]
            table.add_row(literal(name), literal(mark, "red" if good is False else ""), literal(said))
        stdout().print(table)
    raise typer.Exit(DONE if healthy else ROWS_FAILED)


def _checks() -> list[tuple[str, bool | None, str]]:
    found: list[tuple[str, bool | None, str]] = [
        ("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.platform()}"),
        ("cores", True, f"{available_cores()} usable of {os.cpu_count()}"),
        *_extras(),
        _worker(),
        *_isolation(),
        *_foreign(),
    ]
    return found


def _extras() -> list[tuple[str, bool | None, str]]:
    """Report the distribution and the installed packages of each of its extras."""
    try:
        requirements = distribution(DISTRIBUTION).requires or []
        rows: list[tuple[str, bool | None, str]] = [(DISTRIBUTION, True, version(DISTRIBUTION))]
    except PackageNotFoundError:
        return [(DISTRIBUTION, None, f"runs from a checkout that is not installed; run: {install_command()}")]
    needed: dict[str, list[str]] = {}
    for requirement in requirements:
        name = re.match(r"[\w.-]+", requirement)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        older = re.search(r"python_version < ['\"]3\.(\d+)", requirement)
        if older and sys.version_info >= (3, int(older.group(1))):
            continue  # pip installs it on older interpreters only
        # `all` repeats the others.
        if name and not (extra and extra.group(1) == "all"):
            needed.setdefault(extra.group(1) if extra else "", []).append(name.group())
    for group, names in needed.items():
        present, absent = [], []
        for each in names:
            try:
                present.append(f"{each} {version(each)}")
            except PackageNotFoundError:
                absent.append(each)
        if not absent:
            rows.append((f"[{group}]" if group else "base", True, ", ".join(present)))
        elif group:
            cure = f"missing {', '.join(absent)}; run: {install_command(group)}"
            rows.append((f"[{group}]", None, cure))
        else:
            rows.append(("base", False, f"missing {', '.join(absent)}; run: {install_command()}"))
    return rows


def _worker() -> tuple[str, bool | None, str]:
    pool = WorkerPool(1)
    try:
        outcome = pool.run(
            "reward_verifiers.verifiers.maths.decide.symbolic:decide",
            (r"\sqrt{8}", r"2\sqrt{2}"),
            cpu_seconds=60,
        )
    finally:
        pool.close()
    if outcome.ok and outcome.value == "equal":
        return ("worker process", True, "starts, and decides with sympy")
    return ("worker process", False, outcome.detail or f"answered {outcome.value!r}")


def _isolation() -> list[tuple[str, bool | None, str]]:
    """Report by canaries which tiers can isolate untrusted programs here; one tier is enough."""
    if sys.platform != "linux":
        return [("isolation", None, f"{sys.platform}: untrusted programs cannot be isolated locally")]
    rows: list[tuple[str, bool | None, str]] = []
    for name in TIERS:
        failed = tier(name).failed
        rows.append(
            (f"isolation {name}", None if failed else True, failed or "works: all canaries are stopped")
        )
    try:
        rows.append(("programs", True, f"run in the tier {choose('auto')!r}"))
    except SandboxError as error:
        rows.append(("programs", False, str(error)))
    missing = [name for name in LANGUAGES if toolchain(name).missing]
    present = [name for name in LANGUAGES if name not in missing]
    rows.append(
        (
            "languages",
            None if missing else True,
            ", ".join(present) + (f"; not: {', '.join(missing)}" if missing else ""),
        )
    )
    return rows


def _foreign() -> list[tuple[str, bool | None, str]]:
    """Report the short package names that lead to something else here: a message, not a fault."""
    rows: list[tuple[str, bool | None, str]] = [
        (f"package {name}", None, f"`{name}` is {place}: write `from reward_verifiers.{name} import ...`")
        for name, place in taken_names().items()
    ]
    return rows or [("package names", True, "nothing else is called " + ", ".join(PACKAGES))]
