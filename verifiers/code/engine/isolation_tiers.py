"""Which isolation works here, found out by running canaries in it."""

from __future__ import annotations

import functools
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...errors import ConfigError, SandboxError
from ...runtime.worker_process import temporary_parent
from . import program_runs
from .launcher_process import HostLimitError, Launcher, LauncherError
from .program_languages import toolchain
from .protocol import Cause, Job, Limits

TIERS = ("full", "unprivileged")
"""Strongest first."""
CHOICES = ("auto", *TIERS, "none")
_SECONDS = Limits(cpu_seconds=5.0, wall_seconds=60.0)

# What a program must not be able to do. Each is tried by a program in the sandbox; it must fail there.
CANARIES = {
    "read the host's users": "open('/etc/passwd').read()",
    "list the host's processes": "assert len([*filter(str.isdigit, os.listdir('/proc'))]) > 1",
    "write to a file of the host": "open({file!r}, 'r+').write('x')",
    "empty a file that it may read": "os.open(os.__file__, os.O_RDONLY | os.O_TRUNC)",
    "change flags of a file": "fcntl.ioctl(os.open(os.__file__, os.O_RDONLY), 0x40086602, b'\\0' * 8)",
    "be in its parent's process group": "assert os.getpgrp() != os.getpid()",
    "change a file's mode": "os.chmod({file!r}, 0o777)",
    "delete a file of the host": "os.unlink({file!r})",
    "open a network socket": "socket.socket()",
    "open a local socket": "socket.socket(socket.AF_UNIX)",
    "signal its parent": "os.kill({parent}, 0)",
    "signal everybody": "os.kill(-1, 0)",
    "create a process": "os._exit(0) if os.fork() == 0 else os.wait()",
    "execute another program": "os.execv('/bin/true', ['true'])",
    "create a namespace": "assert ctypes.CDLL(None).unshare(0x10000000) == 0",
    "trace a process": "assert ctypes.CDLL(None).ptrace(16, {parent}, 0, 0) == 0",
    "keep a memory file": "os.memfd_create('x')",
    "share System V memory": "assert ctypes.CDLL(None).shmget(0, 4096, 0o1666) >= 0",
    "use io_uring": "assert ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(120)) >= 0",
    "raise its limits": "resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY,) * 2)",
    "see the caller's environment": "assert 'PATH' in os.environ",
}
_PROGRAM = """
import ctypes, fcntl, json, os, resource, socket
print(json.dumps({'input': int(input()) * 2}), flush=True)
for name, source in json.loads(%r).items():
    try:
        exec(source)
    except BaseException as error:
        by = getattr(error, 'strerror', None) or str(error) or 'refused'
        print(json.dumps({'stopped': name, 'by': by}), flush=True)
    else:
        print(json.dumps({'allowed': name}), flush=True)
"""


@dataclass(frozen=True)
class Tier:
    """The result of trying one tier.

    Args:
        name: "full" or "unprivileged".
        failed: Why it does not work here; "" if it does.
        limited: Whether that is a limit which this process has inherited.
        facts: Facts from the launcher: the Landlock ABI, the user of the programs.
        stopped: Canary -> how it was stopped.
    """

    name: str
    failed: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    limited: bool = False


def choose(isolation: str) -> str:
    """The tier that a setting asks for.

    Args:
        isolation: One of `CHOICES`.

    Raises:
        SandboxError: It does not work here.
        ConfigError: There is no such isolation.
    """
    if isolation not in CHOICES:
        raise ConfigError(f"isolation is one of {', '.join(CHOICES)}; got {isolation!r}")
    if sys.platform != "linux":
        raise SandboxError(
            f"untrusted programs cannot be run on {sys.platform}: isolation is built on features of Linux. "
            "Run on Linux (a virtual machine or a container will do), or give CodePassRate another engine"
        )
    if isolation == "none":
        if failed := _fails_without_walls():
            raise SandboxError(f"programs do not run here: {failed}")
        return "none"
    tried = [tier(name) for name in TIERS if isolation in ("auto", name)]
    for each in tried:
        if not each.failed:
            return each.name
    if tried[-1].limited:
        raise SandboxError(f"programs cannot be run here: {tried[-1].failed}")
    names: dict[str, list[str]] = {}
    for each in tried:
        names.setdefault(each.failed, []).append(each.name)
    reasons = "; ".join(f"{' and '.join(which)}: {failed}" for failed, which in names.items())
    raise SandboxError(
        f"untrusted programs cannot be isolated here ({reasons}). Linux 5.13 or later with Landlock on (boot "
        "parameter lsm=landlock,...) is enough, even in a plain container "
        "without capabilities; `verify-cli sandbox` shows what is missing. isolation='none' runs "
        "trusted programs without walls"
    )


@functools.cache
def tier(name: str) -> Tier:
    """Try a tier with canaries. The answer holds for the life of the process."""
    try:
        launcher = Launcher(name, toolchain("python").reads)
    except LauncherError as error:
        return Tier(name, str(error), limited=isinstance(error, HostLimitError))
    with _file_of_the_host() as file:
        sources = {what: source.format(file=file, parent=launcher.pid) for what, source in CANARIES.items()}
        job = Job("python", _PROGRAM % json.dumps(sources), _SECONDS, stdins=(b"21\n",))
        try:
            [run] = program_runs.program(launcher, job, job.code.encode(), 0).runs
            harmed = bool(file) and os.path.getsize(file) > 0
        except (LauncherError, OSError) as error:
            return Tier(name, str(error), launcher.facts, limited=isinstance(error, HostLimitError))
        finally:
            launcher.end()
    lines = [json.loads(line) for line in run.output.splitlines()]
    stopped = {line["stopped"]: line["by"] for line in lines if "stopped" in line}
    missing = [what for what in CANARIES if what not in stopped]
    if run.cause is not Cause.OK or {"input": 42} not in lines:
        return Tier(
            name,
            f"a program does not run in it: {run.cause} {run.detail} {run.errors[-200:]!r}",
            launcher.facts,
        )
    if missing or harmed:
        return Tier(
            name, f"a program could {missing[0] if missing else 'harm a file'}", launcher.facts, stopped
        )
    return Tier(name, "", launcher.facts, stopped)


@contextmanager
def _file_of_the_host() -> Iterator[str]:
    """An empty file for programs to harm; "" where nobody can write anything."""
    try:
        folder = temporary_parent()
    except OSError:
        yield ""
        return
    with tempfile.NamedTemporaryFile(prefix="reward-verifiers-canary-", dir=folder) as file:
        yield file.name


@functools.cache
def _fails_without_walls() -> str:
    """Why not even an echo runs without isolation; "" if it does."""
    job = Job("python", "print(int(input()) * 2)", _SECONDS, stdins=(b"21\n",))
    try:
        launcher = Launcher("none", toolchain("python").reads)
        try:
            [run] = program_runs.program(launcher, job, job.code.encode(), 0).runs
        finally:
            launcher.end()
    except (LauncherError, OSError) as error:
        return str(error)
    return "" if run.output == b"42\n" else f"{run.cause} {run.detail} {run.errors[-200:]!r}"
