"""``verify-cli sandbox``: the isolation of programs here, and the effects of hostile ones.

Are hostile programs paid, do they get out, do they leave anything behind? They are run on a machine that has
something to lose: files, a secret in the environment, a private key, another process, open sockets; what
programs take from it as they run (memory, timers and the like) is watched. The folder ``/tmp/host`` in the
text of an attack stands for the one that holds these things here. Its answer (nothing paid, harmed or left
behind) could not be given without something to harm; the tests of the sandbox use the same.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from reward_verifiers.verifiers import CodePassRate, ConfigError, SandboxError, Verdict
from reward_verifiers.verifiers.code.engine.isolation_tiers import CHOICES, TIERS, choose, tier
from reward_verifiers.verifiers.code.engine.local_engine import scratch_folders
from reward_verifiers.verifiers.code.engine.program_languages import LANGUAGES, toolchain

from ..files.scored_output import RunError
from .console import DONE, ROWS_FAILED, failing_clearly, literal, stderr, stdout

MODES = ("stdio", "calls", "asserts")
_HONEST = "```python\ndef solve(a, b):\n    return (31 * a + 17 * b) % 97 + 3\n{}\n```"
_PRINTED = "print(solve(*map(int, input().split())))"
_PAIRS = ((3, 4), (1, 9), (12, 7))
_SECRET = "SECRET_ENV_4242"  # noqa: S105  (what the attacks look for)
_LAUNCHER_USERS = 1 << 30
KERNEL_MIB = 96
"""What the kernel may hold for a program besides its memory: files, buffers, tables."""
_ATTEMPTS = 3
_PLACE = "/tmp/host"  # noqa: S108  (how the attacks name it)


@dataclass(frozen=True)
class Assault:
    """Result of one attack.

    Args:
        name: Name of its file.
        mode: Mode of the run.
        verdict: Its verdict.
        harm: Damage to the host, in any mode; empty for none.
        healthy: Honest programs were paid 1.0 afterwards.
    """

    name: str
    mode: str
    verdict: Verdict
    harm: tuple[str, ...]
    healthy: bool

    @property
    def repelled(self) -> bool:
        """Whether the attack earned nothing, did nothing, and spoiled nothing."""
        return self.verdict.score == 0.0 and not self.harm and self.healthy


def tests_for(mode: str) -> dict[str, Any]:
    """Return tests of ``solve(a, b)`` that no attack passes by chance."""
    wanted = [(a, b, (31 * a + 17 * b) % 97 + 3) for a, b in _PAIRS]
    if mode == "stdio":
        return {"stdio": [{"input": f"{a} {b}\n", "output": f"{c}\n"} for a, b, c in wanted]}
    if mode == "calls":
        return {"calls": [{"function": "solve", "args": [a, b], "expected": c} for a, b, c in wanted]}
    # Not of the form that is turned into calls, so that the tester runs.
    lines = [f"a, b = {a}, {b}\nassert solve(a, b) == {c}" for a, b, c in wanted]
    return {"asserts": lines, "functions": ["solve"]}


def assault(path: Path, verifier: CodePassRate, host: Host, modes: Sequence[str] = MODES) -> list[Assault]:
    """Run one attack in these modes at once, and record its effects."""
    source = path.read_bytes().decode("utf-8", "surrogateescape").replace(_PLACE, str(host.folder))
    before = host.state()
    # Others take memory, too: a loss is the attack's if it comes back each time.
    for _ in range(_ATTEMPTS):
        with watched() as seen, ThreadPoolExecutor(len(modes)) as threads:
            verdicts = list(
                threads.map(lambda mode: verifier.verify(f"```python\n{source}\n```", tests_for(mode)), modes)
            )
        taken = _taken(seen, verifier)
        if not taken:
            break
    healthy = [
        verifier.verify(_HONEST.format(_PRINTED if mode == "stdio" else ""), tests_for(mode)).score == 1.0
        for mode in modes
    ]
    after = host.state()
    harm = tuple(
        f"{what}: {before[what]} -> {after[what]}"[:200] for what in before if before[what] != after[what]
    )
    return [
        Assault(path.stem, mode, verdict, (*harm, *taken), well)
        for mode, verdict, well in zip(modes, verdicts, healthy, strict=True)
    ]


def _taken(seen: Seen, verifier: CodePassRate) -> list[str]:
    """Return the resources that an attack took beyond the limits of the programs of all modes."""
    most = len(MODES) * (verifier.memory + KERNEL_MIB)
    taken = [f"memory: {seen.lost} MiB of at most {most}"] if seen.lost > most else []
    return taken + [f"{what}: {why}" for what, why in seen.refused.items()]


@dataclass
class Host:
    """A host for attacks, with something to lose.

    Args:
        folder: Folder of its files.
    """

    folder: Path
    victim: subprocess.Popen[bytes]
    met: list[str] = field(default_factory=list)

    def state(self) -> dict[str, Any]:
        """Return everything that an attack might change, as it is now."""
        return {
            "files": {
                str(path.relative_to(self.folder)): (path.lstat().st_mode, _digest(path))
                for path in sorted(self.folder.rglob("*"))
            },
            "victim": _process_state(self.victim),
            "connections": list(self.met),
            "shared memory files": _foreign_files("/dev/shm"),  # noqa: S108
            "System V objects": [_lines(f"/proc/sysvipc/{kind}") for kind in ("shm", "sem", "msg")],
            "working folders": [name for each in scratch_folders() for name in os.listdir(each)],
            "temporary files": _foreign_files(tempfile.gettempdir()),
            "processes": _strays(),
        }


@contextlib.contextmanager
def host() -> Iterator[Host]:
    """Provide a host for attacks, and remove all of it afterwards."""
    with tempfile.TemporaryDirectory(prefix="attacked-host-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o777)  # walls must hold it, not permission bits
        for path, text in (("canary", "alive"), ("home/.ssh/id_rsa", "SECRET KEY")):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
            (folder / path).chmod(0o666)
        victim = stack.enter_context(subprocess.Popen(["sleep", "987654"]))  # noqa: S607  (attacks look for it)
        stack.callback(victim.kill)
        found = Host(folder, victim)
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", 4242)),
            (socket.AF_UNIX, "\0atkhost"),
            (socket.AF_UNIX, str(folder / "socket")),
        ):
            _listen(stack, found, family, address)
        os.environ[_SECRET] = _SECRET
        stack.callback(os.environ.pop, _SECRET)
        yield found


def _listen(stack: contextlib.ExitStack, found: Host, family: int, address: Any) -> None:
    listener = stack.enter_context(socket.socket(family))
    with contextlib.suppress(OSError):  # another program has the port: then there is nothing to guard
        listener.bind(address)
        listener.listen()

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                listener.accept()[0].close()
                found.met.append(f"somebody connected to {address!r}")

    threading.Thread(target=accept, daemon=True).start()
    stack.callback(_shut, listener)


def _shut(listener: socket.socket) -> None:
    with contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)


def _digest(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        return ""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _lines(path: str) -> int:
    try:
        return len(Path(path).read_text().splitlines())
    except OSError:
        return 0


def _process_state(process: subprocess.Popen[bytes]) -> str:
    """Return a process's state: sleeping, stopped, or how it ended."""
    if process.poll() is not None:
        return f"ended with {process.returncode}"
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]


def _foreign_files(folder: str) -> list[str]:
    """Return files that programs may have left.

    Those of their own users, which they have where the caller is root; otherwise ours in shared memory.
    """
    found = []
    for entry in os.scandir(folder):
        with contextlib.suppress(OSError):
            owner = entry.stat(follow_symlinks=False).st_uid
            ours = folder == "/dev/shm" and owner == os.geteuid() != 0  # noqa: S108
            if (ours or owner >= _LAUNCHER_USERS) and not entry.name.startswith("reward-verifiers-"):
                found.append(entry.name)
    return sorted(found)


def _strays() -> list[str]:
    """Return processes below this one that are not launchers, and children of launchers."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{entry}/stat") as stat:
                children.setdefault(int(stat.read().rpartition(")")[2].split()[1]), []).append(int(entry))
    launchers = [each for each in children.get(os.getpid(), []) if "jail.launcher" in _command(each)]
    return sorted(_command(each) for launcher in launchers for each in children.get(launcher, []))


def _command(process: int) -> str:
    """Return a process's command line; a question mark where it has ended meanwhile."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:60]
    except (OSError, ValueError):
        return "?"


def sandbox(
    attacks: Annotated[
        Path | None, typer.Option(help="Also run every program of this folder and report what it achieved.")
    ] = None,
    isolation: Annotated[str, typer.Option(help=f"One of: {', '.join(CHOICES)}.")] = "auto",
    timeout: Annotated[float, typer.Option(help="Processor seconds per test of an attack.")] = 1.0,
) -> None:
    """Show which isolation works here and what stops each canary; run attacks on request.

    Exit status 1 if programs cannot be isolated, or an attack succeeds.
    """
    with failing_clearly():
        console = stdout()
        for name in TIERS:
            found = tier(name) if isolation in ("auto", name) else None
            if found is None:
                continue
            facts = found.facts
            said = f"works; Landlock ABI {facts.get('landlock')}, programs run as user {facts.get('uid')}"
            console.print(literal(f"{name}: {found.failed or said}", "red" if found.failed else "bold"))
            table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 2))
            for what, by in found.stopped.items():
                table.add_row(literal(f"cannot {what}"), literal(by, "dim"))
            console.print(table)
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 2))
        for language in LANGUAGES:
            chain = toolchain(language)
            version = (chain.version.splitlines() or [chain.executable])[0]
            table.add_row(literal(language), literal(chain.missing or version, "dim"))
        console.print("languages", style="bold")
        console.print(table)
        try:
            chosen = choose(isolation)
        except SandboxError as error:
            raise RunError(str(error)) from None
        console.print(literal(f"isolation={isolation!r} gives {chosen!r}", "bold"))
        repelled = attacks is None or _attacked(
            attacks, CodePassRate(isolation=isolation, timeout=timeout, memory=256)
        )
    raise typer.Exit(DONE if repelled else ROWS_FAILED)


def _attacked(folder: Path, verifier: CodePassRate) -> bool:
    """Run every attack in every mode, and return whether none of them achieved anything."""
    programs = sorted(folder.glob("*.py"))
    if not programs:
        raise ConfigError(f"{folder} holds no attacks: programs named *.py")
    failed: list[Assault] = []
    with host() as attacked:
        verifier.verify(
            "```python\nprint(1)\n```", {"stdio": [{"output": "1"}]}
        )  # launchers are there from now on
        for number, program in enumerate(programs, 1):
            stderr().print(literal(f"{number}/{len(programs)} {program.stem}", "dim"))
            failed += [each for each in assault(program, verifier, attacked) if not each.repelled]
    for each in failed:
        paid = each.verdict.score if each.verdict.score is not None else each.verdict.status
        harm = "; ".join(each.harm) or ("nothing" if each.healthy else "the next program was not paid")
        stdout().print(literal(f"{each.name} ({each.mode}): paid {paid}, harmed: {harm}", "red"))
    count = len(programs) * len(MODES)
    said = f"{count - len(failed)} of {count} attacks repelled: nothing paid, harmed or left behind"
    stdout().print(literal(said, "bold"))
    return not failed


_LOOK_SECONDS = 0.005
_TRY_EVERY = 10
_PIPE_BYTES = 64 << 10
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass
class Seen:
    """Observations of the host during an attack.

    Args:
        before: MiB of memory that were available.
        least: MiB that were available at the worst moment.
        refused: Failed operations of the process, with reasons.
    """

    before: int
    least: int
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def lost(self) -> int:
        """MiB that were taken, by any process."""
        return self.before - self.least


@contextmanager
def watched() -> Iterator[Seen]:
    """Watch the host from a thread while the block runs."""
    now = available()
    seen, done = Seen(now, now), threading.Event()
    before = refusals()

    def look() -> None:
        turn = 0
        while not done.wait(_LOOK_SECONDS):
            seen.least = min(seen.least, available())
            turn += 1
            if turn % _TRY_EVERY == 0:
                seen.refused |= {what: why for what, why in refusals().items() if what not in before}

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        done.set()
        thread.join()


def available() -> int:
    """Return the MiB of memory that the host has to spare."""
    with open("/proc/meminfo") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) >> 10


def refusals() -> dict[str, str]:
    """Return the failures of basic calls that any process can make, as with its user's counters used up."""
    found = {}
    timer = ctypes.c_void_p()
    if _LIBC.timer_create(1, None, ctypes.byref(timer)):
        found["timers"] = os.strerror(ctypes.get_errno())
    else:
        _LIBC.timer_delete(timer)
    with open(os.__file__, "rb") as file:  # programs can read it, too
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # as others may, too
        except OSError as error:
            found["locks"] = str(error)
    try:
        read, write = os.pipe()
        if (size := fcntl.fcntl(write, fcntl.F_GETPIPE_SZ)) < _PIPE_BYTES:
            found["pipes"] = f"a pipe holds {size} bytes"
        os.close(read)
        os.close(write)
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
    except (OSError, RuntimeError) as error:
        found["pipes or threads"] = str(error)
    return found
