"""A reward server as a user starts it, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STOP = 60
"""Seconds in which it ends."""


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """The address of ``verify-cli serve``.

    Args:
        *arguments: More of the command's.
    """
    command = [str(Path(sys.executable).parent / "verify-cli"), "serve", "--port", "0", *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        lines = iter(process.stderr)
        said = next((line for line in lines if line.startswith("serving ")), "")
        assert said, "the server did not start"
        yield next(word for word in said.split() if word.startswith("http")).rstrip(";")
    finally:
        process.terminate()
        process.communicate(timeout=STOP)
