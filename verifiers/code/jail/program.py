"""The launcher's child: it puts up the walls, and becomes the program or runs the compiler."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from . import guest, tester
from .world import World

FIRST_SPARE = 64
"""Where descriptors wait until they get the numbers that the program knows."""
_MOST_DESCRIPTORS = 1024
_MODES: dict[str, Callable[..., int]] = {
    "run_script": guest.run_script,
    "answer_calls": guest.answer_calls,
    "serve": guest.serve,
    "run_tests": tester.run_tests,
    "run_visible": tester.run_visible,
}


def become(task: dict[str, Any], descriptors: list[int], world: World, begun: int) -> None:
    """Put up the walls and run the program. Does not return.

    Args:
        task: What to run; see `engine.runs`.
        descriptors: Standard input, output and error, then files, texts and pipes.
        world: Its walls.
        begun: An event that happens once these are up.
    """
    status = 1
    try:
        os.setsid()
        extra = _settle(descriptors)
        world.prepare(task)
        for name, descriptor in zip(task["files"], extra, strict=False):
            _place(os.path.join(world.work(), name), guest.read_all(descriptor))
        extra = extra[len(task["files"]) :]
        data = [guest.read_all(descriptor) for descriptor in extra[: task["texts"]]]
        world.confine(task)
        os.eventfd_write(begun, 1)  # what becomes of the process from here on is the program's affair
        pipes = [os.dup2(pipe, 3 + index) for index, pipe in enumerate(extra[task["texts"] :])]
        os.closerange(3 + len(pipes), _MOST_DESCRIPTORS)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)
    status = 1
    try:
        status = _run(task, data, pipes)
    except BaseException:
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    finally:
        os._exit(status)


def _run(task: dict[str, Any], data: list[bytes], pipes: list[int]) -> int:
    if task["mode"] == "exec":
        os.execve(task["argv"][0], task["argv"], _environment(task))  # noqa: S606
    if task["mode"] == "build":
        return _build(task, pipes[0])
    return int(_MODES[task["mode"]](*data, *pipes))


def _environment(task: dict[str, Any]) -> dict[str, str]:
    return {name: value.format(work=os.getcwd()) for name, value in task["env"].items()}


def _build(task: dict[str, Any], output: int) -> int:
    """Run the commands one after the other, then hand over what they made."""
    for argv in task["argv"]:
        pid = os.fork()
        if pid == 0:
            os.close(output)
            os.execve(argv[0], argv, _environment(task))  # noqa: S606
        _, status, used = os.wait4(pid, 0)
        if status:
            return _blame(status, used.ru_utime + used.ru_stime >= task["cpu"])
    made = _pack(task["output"], task["file_size"])
    while made:
        made = made[os.write(output, made) :]
    return 0


def _blame(status: int, used_up: bool) -> int:
    """The exit status that says why a compiler failed; a driver's is that of helpers which it waited for."""
    by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if used_up or by == signal.SIGXCPU:
        return guest.COMPILER_TIME
    return guest.COMPILER_KILLED if by == signal.SIGKILL else guest.COMPILE_ERROR


def _pack(path: str, most: int) -> bytes:
    """The file that a compiler made, or the folder that it filled, as an archive that Java reads."""
    if not os.path.isdir(path):
        with open(path, "rb") as file:
            return file.read()
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for folder, _, names in os.walk(path):
            for name in sorted(names):
                full = os.path.join(folder, name)
                if packed.tell() + os.path.getsize(full) > most:
                    raise ValueError(f"the compiler made more than {most >> 20} MiB")
                archive.write(full, os.path.relpath(full, path))
    return packed.getvalue()


def _settle(descriptors: list[int]) -> list[int]:
    """Put the first three on 0, 1 and 2, and the others out of their way."""
    high = [os.dup2(each, FIRST_SPARE + index, inheritable=False) for index, each in enumerate(descriptors)]
    for index, descriptor in enumerate(high[:3]):
        os.dup2(descriptor, index)
    return high[3:]


def _place(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
    while content:
        content = content[os.write(descriptor, content) :]
    os.close(descriptor)
