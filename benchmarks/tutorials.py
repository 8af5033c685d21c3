"""Run the commands of the tutorials (docs/tutorials/) from an empty folder, as a reader would, and time them.

    python -m benchmarks.tutorials [NAME ...]

A page's blocks of ``bash`` and ``python`` run in their order, in one folder. Blocks that begin with `GPU` are
left out: tests/training/test_tutorials.py reads their configurations instead.
"""

from __future__ import annotations

import os
import re
import resource
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "tutorials"
GPU = "# on a GPU, with access to the hub"
"""The first line of a block that needs what most readers and no test have."""
_BLOCK = re.compile(
    r"^```(bash|python)\n((?:(?!```).*\n)*)```\n(?:```text\n((?:(?!```).*\n)*)```)?", re.MULTILINE
)
_SHIM = '#!/bin/sh\nexec "{python}" -m {module} "$@"\n'


@dataclass(frozen=True)
class Block:
    """A block of a page.

    Args:
        language: ``bash`` or ``python``.
        code: What it holds.
        output: What the page shows under it; empty if nothing.
    """

    language: str
    code: str
    output: str = ""

    @property
    def on_gpu(self) -> bool:
        """Whether it is marked as one that needs a GPU and the hub."""
        return self.code.startswith(GPU)


def names() -> list[str]:
    """The tutorials, by the names of their English pages."""
    return sorted(path.stem for path in PAGES.glob("*.md") if "." not in path.stem)


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that can be run, in order."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(*each) for each in found]


def main(chosen: list[str]) -> None:
    """Run pages and print how long each took.

    Args:
        chosen: Names of tutorials; none for all.
    """
    for name in chosen or names():
        wall, spent = timed(name)
        print(f"{name}: {wall:.0f} s, {spent:.0f} s of processor time", flush=True)


def timed(name: str) -> tuple[float, float]:
    """Wall and processor seconds that a page's blocks take in an empty folder."""
    with tempfile.TemporaryDirectory() as place:
        programs, folder = Path(place, "bin"), Path(place, "run")
        programs.mkdir()
        folder.mkdir()
        for program, module in (("verify-cli", "adapters.cli"), ("verify-train", "training.cli")):
            shim = programs / program
            shim.write_text(_SHIM.format(python=sys.executable, module=module))
            shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
        environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "120",
        }
        before, started = _children(), time.monotonic()
        for block in blocks(PAGES / f"{name}.md"):
            if block.on_gpu:
                continue
            command = ["bash", "-e", "-c"] if block.language == "bash" else [sys.executable, "-c"]
            begun = time.monotonic()
            subprocess.run(
                [*command, block.code], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL
            )
            print(f"  {time.monotonic() - begun:5.1f} s  {block.code.splitlines()[0]:.80}", flush=True)
        return time.monotonic() - started, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
