"""``verify-cli doctor``: what this environment has, and what it lacks."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, version
from pathlib import Path

import typer
from rich.table import Table

from verifiers._names import PACKAGES
from verifiers._pool import WorkerPool, available_cores

from ._console import DONE, ROWS_FAILED, failing_clearly, literal, stdout

_NAME = "reward-verifiers"
_LANDLOCK_CREATE_RULESET = 444


def doctor() -> None:
    """Check the environment: versions, extras, the worker process, isolation, foreign packages.

    Exit status 1 when something is broken that the installed parts need.
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
    """The distribution and each of its extras: what of it is installed."""
    try:
        requirements = distribution(_NAME).requires or []
        rows: list[tuple[str, bool | None, str]] = [(_NAME, True, version(_NAME))]
    except PackageNotFoundError:
        return [(_NAME, None, "runs from a checkout that is not installed; run: pip install -e .")]
    needed: dict[str, list[str]] = {}
    for requirement in requirements:
        name = re.match(r"[\w.-]+", requirement)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
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
            cure = f'missing {", ".join(absent)}; run: pip install "{_NAME}[{group}]"'
            rows.append((f"[{group}]", None, cure))
        else:
            rows.append(("base", False, f"missing {', '.join(absent)}; run: pip install {_NAME}"))
    return rows


def _worker() -> tuple[str, bool | None, str]:
    pool = WorkerPool(1)
    try:
        outcome = pool.run("verifiers.maths.symbolic:decide", (r"\sqrt{8}", r"2\sqrt{2}"), cpu_seconds=60)
    finally:
        pool.close()
    if outcome.ok and outcome.value == "equal":
        return ("worker process", True, "starts, and decides with sympy")
    return ("worker process", False, outcome.detail or f"answered {outcome.value!r}")


def _isolation() -> list[tuple[str, bool | None, str]]:
    """What the kernel and the installed tools offer for running untrusted programs."""
    if sys.platform != "linux":
        return [("isolation", None, f"{sys.platform}: untrusted programs cannot be isolated locally")]
    bubblewrap = shutil.which("bwrap")
    return [
        ("user namespaces", *_namespaces()),
        ("landlock", *_landlock()),
        ("seccomp", *_seccomp()),
        (
            "bubblewrap",
            True if bubblewrap else None,
            bubblewrap or f'not found; run: pip install "{_NAME}[sandbox]"',
        ),
    ]


def _namespaces() -> tuple[bool | None, str]:
    unshare = shutil.which("unshare")
    if unshare is None:
        return None, "unknown: the unshare command is not installed"
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            [unshare, "-Urmpn", "--fork", "true"], capture_output=True, timeout=10, check=False
        )
        if done.returncode == 0:
            return True, "can be created"
        reason = done.stderr.decode("utf-8", "replace").strip()
        return None, f"refused here ({reason}); containers often do"
    return None, "creating one does not end"


def _landlock() -> tuple[bool | None, str]:
    abi = ctypes.CDLL(None, use_errno=True).syscall(_LANDLOCK_CREATE_RULESET, None, 0, 1)
    if abi > 0:
        return True, f"ABI {abi}"
    return None, f"not available ({os.strerror(ctypes.get_errno())})"


def _seccomp() -> tuple[bool | None, str]:
    actions = Path("/proc/sys/kernel/seccomp/actions_avail")
    if actions.exists():
        return True, "filters available"
    return None, "no filters in this kernel"


def _foreign() -> list[tuple[str, bool | None, str]]:
    """Other distributions that install a top-level package of one of our names."""
    rows: list[tuple[str, bool | None, str]] = []
    owners = packages_distributions()
    for name in PACKAGES:
        others = sorted({owner for owner in owners.get(name, []) if owner != _NAME})
        if others:
            rows.append(
                (
                    f"package {name}",
                    False,
                    f"{', '.join(others)} installs a top-level {name!r} too and overwrites ours; "
                    "use an environment for each",
                )
            )
    return rows or [("package names", True, "nothing else installs " + ", ".join(PACKAGES))]
