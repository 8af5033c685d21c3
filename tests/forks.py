"""Programs in processes of their own, without starting Python and importing anew for each.

A server loads modules once; each program is a fork of it, with its own folder, environment and standard
streams, that ends as the real program does. Starting Python and importing took most of such a test.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pickle
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

# Not that of tests.support: an environment without pytest runs this file, too.
ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
COMMANDS = ("adapters.cli", "verifiers", "rewards")
"""What ``verify-cli`` and the examples of the pages load."""
TRAINING = (
    "training.cli", "training.stages", "torch", "peft", "datasets", "matplotlib.figure",
    "transformers.trainer", "transformers.models.llama.modeling_llama",
    "trl:GRPOTrainer", "trl:RLOOTrainer", "trl:SFTTrainer", "trl.scripts.utils",
)  # fmt: skip
"""What a run that trains loads; names after a colon are what loads a module's lazy parts."""


class Started:
    """A program that was started, and may still run.

    Args:
        server: Whose child it is.
        number: Of its process.
        streams: The files that hold its standard streams.
    """

    def __init__(self, server: _Server, number: int, streams: Sequence[BinaryIO]) -> None:
        self._server, self._number, self._streams = server, number, streams

    def poll(self) -> int | None:
        """Its exit status, as `subprocess` counts; None while it runs."""
        return self._server.ask("poll", self._number)

    def wait(self) -> int:
        """The same when it has ended."""
        return int(self._server.ask("wait", self._number))

    def kill(self) -> None:
        """End it at once."""
        os.kill(self._number, signal.SIGKILL)

    def said(self, stream: int) -> bytes:
        """What it has written to standard output (1) or standard error (2)."""
        self._streams[stream].seek(0)
        return self._streams[stream].read()

    def __enter__(self) -> Started:
        return self

    def __exit__(self, *_: object) -> None:
        if self.poll() is None:
            self.kill()
            self.wait()
        for each in self._streams:
            each.close()


def start(
    program: str | Path,
    *arguments: object,
    loaded: tuple[str, ...] = COMMANDS,
    python: str | Path = sys.executable,
    cwd: str | Path = ".",
    env: dict[str, str] | None = None,
    input: bytes = b"",
) -> Started:
    """Start a program.

    Args:
        program: A module, as after ``python -m``, or the path of a script.
        *arguments: Of the program.
        loaded: What the server has imported.
        python: The interpreter of the environment that it runs in.
        cwd: The program's folder.
        env: Its environment; by default this process's own, with the repository on its path.
        input: What it reads.
    """
    server = _server(loaded, str(python))
    streams = [tempfile.NamedTemporaryFile() for _ in range(3)]  # noqa: SIM115  (closed when it has ended)
    streams[0].write(input)
    streams[0].flush()
    names = [each.name for each in streams]
    words = [str(program), *map(str, arguments)]
    number = server.ask("start", words, isinstance(program, Path), str(Path(cwd).absolute()),
                        ENVIRONMENT if env is None else env, names)  # fmt: skip
    return Started(server, number, streams)  # type: ignore[arg-type]


def run(
    program: str | Path, *arguments: object, text: bool = True, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end; ``input`` and the other options are those of `start`."""
    given = options.pop("input", b"")
    given = given.encode() if isinstance(given, str) else given
    with start(program, *arguments, input=given, **options) as started:
        status = started.wait()
        out, error = (each.decode() if text else each for each in (started.said(1), started.said(2)))
    return subprocess.CompletedProcess([str(program), *map(str, arguments)], status, out, error)


_LONGEST = 600
"""Seconds after which a program ends that hangs, so that its test fails."""


class _Server:
    def __init__(self, loaded: tuple[str, ...], python: str) -> None:
        self._process = subprocess.Popen(
            [python, "-m", "tests.forks", *loaded],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT, cwd=ROOT,
        )  # fmt: skip
        _PIDS.append(self._process.pid)
        atexit.register(self._end)

    def ask(self, *request: Any) -> Any:
        """What the server answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(request, self._process.stdin)
        self._process.stdin.flush()
        return pickle.load(self._process.stdout)

    def _end(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()


def seconds() -> float:
    """Processor time so far of all servers and of the programs that have ended."""
    used = 0.0
    for pid in _PIDS:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # not on this system
            continue
        used += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return used


_PIDS: list[int] = []
"""Of the servers."""


@cache
def _server(loaded: tuple[str, ...], python: str) -> _Server:
    return _Server(loaded, python)


def _serve(requests: BinaryIO, answers: BinaryIO) -> Callable[[], None] | None:
    """Answer until the caller closes its pipe; in a fork, return what it is to do."""
    ended: dict[int, int] = {}
    while True:
        try:
            kind, *given = pickle.load(requests)
        except EOFError:
            return None
        answer: int | None
        if kind == "start":
            answer = os.fork()
            if answer == 0:
                requests.close()
                answers.close()
                return lambda: _become(*given)
            ended.pop(answer, None)  # numbers of processes come again, after tests that fork by the thousand
        else:
            [number] = given
            if number not in ended:
                found, status = os.waitpid(number, os.WNOHANG if kind == "poll" else 0)
                if found:
                    ended[number] = os.waitstatus_to_exitcode(status)
            answer = ended.get(number)
        pickle.dump(answer, answers)
        answers.flush()


def _become(
    words: list[str], script: bool, folder: str, environment: dict[str, str], streams: list[str]
) -> None:
    for number, name in enumerate(streams):
        file = os.open(name, os.O_RDWR | (os.O_APPEND if number else 0))
        os.dup2(file, number)
        os.close(file)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8")
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=True
    )
    signal.alarm(_LONGEST)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    program, *_ = sys.argv = words
    if script:
        sys.path[0] = str(Path(program).parent)
        runpy.run_path(program, run_name="__main__")
    else:
        sys.path[0] = folder
        runpy.run_module(program, run_name="__main__", alter_sys=True)


def _warm() -> None:
    """Do once what every program does first, and for nearly as long as what it is tested for.

    It searches the installed distributions and the sources for names, and reads the options of all verbs.
    """
    import typer

    from rewards.tree.reward import reward_names
    from verifiers.core.specs import verifier_names

    reward_names(), verifier_names()
    typer.main.get_command = cache(typer.main.get_command)
    for package in ("adapters.cli", "training.cli"):
        if package in sys.modules:
            group: Any = typer.main.get_command(sys.modules[package].app)
            for name in group.commands:
                with contextlib.suppress(ModuleNotFoundError):
                    group.commands[name]  # the verbs of verify-cli are imported when they are asked for
    if "adapters.cli" in sys.modules:
        _score_once()


def _score_once() -> None:
    """Load what scoring loads, and compile its patterns, which programs would do anew, each for a second."""
    from adapters.files.chunk_scorer import Scorer
    from rewards import load_recipe

    said = ("The answer is \\boxed{4}.", "So x = 3/4, right.", "따라서 정답은 4이다.", "#### 4", "(B)")
    lines = [json.dumps({"prompt": "?", "completion": text, "answer": "4"}).encode() for text in said]
    for verifier in ("MathEquivalence", "ExactMatch", "MultipleChoice"):
        Scorer(load_recipe(verifier)).score(lines)
    assert threading.active_count() == 1, "a fork has no other threads"


def _main(loaded: Sequence[str]) -> None:
    # Standard streams belong to the programs.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    for each in loaded:
        module, _, name = each.partition(":")
        # What this environment lacks, its programs do without, too.
        with contextlib.suppress(ModuleNotFoundError):
            found = importlib.import_module(module)
            if name:
                getattr(found, name)
    _warm()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)  # as in the tests' own processes
    program = _serve(requests, answers)
    if program is not None:
        _to_its_end(program)


def _to_its_end(program: Callable[[], None]) -> None:
    """Run a program and end as the interpreter would, but free nothing: that takes longer than most programs."""
    status: Any = 0
    try:
        program()
    except SystemExit as ended:
        status = ended.code or 0
        if not isinstance(status, int):
            raise
    threading._shutdown()  # type: ignore[attr-defined]  # threads that Python waits for
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            return  # the interpreter knows what to say
    os._exit(status & 0xFF)


if __name__ == "__main__":
    _main(sys.argv[1:])
