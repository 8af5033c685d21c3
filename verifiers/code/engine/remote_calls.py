"""A program's functions, called where one process can be started and no more is known about the place.

What answers calls in our own sandboxes (`jail.guest`) goes along as text. The answers come back on standard
output, the program's own output goes nowhere; what a program forges there is compared like any other.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .protocol import Call, Cause, Run

_JAIL = Path(__file__).parent.parent / "jail"
_DRIVER = """
import base64, importlib.abc, importlib.util, json, os, sys, zlib

class _Carried(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    sources = json.loads(zlib.decompress(base64.b64decode({sources!r})))

    def find_spec(self, name, path=None, target=None):
        if name not in self.sources:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=self.sources[name][0])

    def exec_module(self, module):
        exec(compile(self.sources[module.__name__][1], module.__name__ + ".py", "exec"), module.__dict__)

sys.meta_path.insert(0, _Carried())
sys.set_int_max_str_digits(0)
_given = json.loads(os.fdopen(0, "rb", closefd=False).read())
_answers = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
from carried_jail.guest import answer_calls
answer_calls(_given["code"].encode("utf-8", "surrogatepass"), json.dumps(_given["calls"]).encode(), _answers)
os._exit(0)
"""


@cache
def driver() -> str:
    """The program that is sent: it reads a program and calls, and writes a line for each answer."""
    sources = {}
    for path in sorted(_JAIL.rglob("*.py")):
        parts = ["carried_jail", *path.relative_to(_JAIL).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        sources[name] = (is_package, path.read_text(encoding="utf-8"))
    packed = base64.b64encode(zlib.compress(json.dumps(sources).encode(), 9)).decode()
    return _DRIVER.format(sources=packed)


def driver_input(code: str, calls: Sequence[Call]) -> str:
    """What the driver reads: a program and the calls that it is to answer."""
    wanted = [
        [call.function, list(call.arguments), [list(pair) for pair in call.keywords], call.truth]
        for call in calls
    ]
    return json.dumps({"code": code, "calls": wanted})


def answer_lines(output: str) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """What the driver wrote: of the program's definition, None if it did not come that far, and of each call.

    A last line without its end is the beginning of an answer that was cut off.
    """
    lines = [_read(line) for line in output.split("\n")[:-1]]
    return (lines[0], lines[1:]) if lines else (None, [])


def raised(line: dict[str, Any]) -> Run:
    """The run of a call, or of a definition, that ended with an exception."""
    name, message = str(line.get("x")), str(line.get("m", ""))
    cause = Cause.RUNTIME_ERROR
    if name in _COMPILE_ERRORS and line.get("b", "") is None:
        cause = Cause.COMPILE_ERROR
    elif name == "MemoryError":
        cause = Cause.MEMORY
    return Run(cause, answer=line, detail=f"{name}: {message}"[:300])


_COMPILE_ERRORS = ("SyntaxError", "IndentationError", "TabError")


def _read(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    return data if isinstance(data, dict) else {"u": "not an answer"}
