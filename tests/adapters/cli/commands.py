"""``verify-cli`` in a process of its own for each call, without starting Python anew for each.

A small server loads the command line once; each call is a fork of it, with its own folder, environment and
standard streams, that ends as the real program does. Starting Python and importing took most of such a test.
"""

from __future__ import annotations

import atexit
import io
import os
import pickle
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from tests.support import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}


def cli(*arguments: object, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run verify-cli as a user would.

    Args:
        *arguments: Of the command.
        **options: ``cwd``, ``input`` and ``text``, as `subprocess.run` takes them.
    """
    text = options.pop("text", True)
    given = options.pop("input", b"")
    folder = str(Path(options.pop("cwd", ".")).absolute())
    assert not options, options
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    words = list(map(str, arguments))
    pickle.dump((words, folder, given.encode() if isinstance(given, str) else given), server.stdin)
    server.stdin.flush()
    status, *said = pickle.load(server.stdout)
    out, error = (each.decode() if text else each for each in said)
    return subprocess.CompletedProcess(words, status, out, error)


@lru_cache(maxsize=1)
def _server() -> subprocess.Popen[bytes]:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.adapters.cli.commands"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT, cwd=ROOT,
    )  # fmt: skip

    def end() -> None:
        for pipe in (server.stdin, server.stdout):
            assert pipe is not None
            pipe.close()
        server.wait()

    atexit.register(end)
    return server


def _serve(requests: BinaryIO, answers: BinaryIO) -> list[str] | None:
    """Answer until the caller closes its pipe; in a fork, return the words of its command."""
    while True:
        try:
            words, folder, given = pickle.load(requests)
        except EOFError:
            return None
        with (
            tempfile.TemporaryFile() as stdin,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as error,
        ):
            stdin.write(given)
            stdin.seek(0)
            child = os.fork()
            if child == 0:
                answers.close()
                for number, file in enumerate((stdin, out, error)):
                    os.dup2(file.fileno(), number)
                os.chdir(folder)
                return list(words)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said = []
            for file in (out, error):
                file.seek(0)
                said.append(file.read())
        pickle.dump((status, *said), answers)
        answers.flush()


def _main() -> None:
    from adapters.cli import main

    # Standard streams belong to the commands.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    words = _serve(requests, answers)
    if words is None:
        return
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8")
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=True
    )
    sys.argv = ["verify-cli", *words]
    sys.path[0] = os.getcwd()
    main()


if __name__ == "__main__":
    _main()
