"""Run the commands of the tutorials from an empty folder, as a reader would, and time them.

    python -m benchmarks.tutorials [NAME ...]

Tutorials are the pages in docs/tutorials/, and the part after `TOGETHER` of any other page. Their blocks of
``bash`` and ``python`` run in order, in one folder. Blocks that begin with `GPU` are left out:
tests/training/test_tutorials.py reads their configurations instead.
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
DOCS = ROOT / "docs"
TOGETHER = "<!-- From here on the blocks build on each other. -->"
"""The line in a page after which its blocks run like those of a tutorial."""
GPU = "# on a GPU, with access to the hub"
"""The first line of a block that needs what most readers and no test have."""
_BLOCK = re.compile(
    r"^```(bash|python)\n((?:(?!```).*\n)*)```\n(?:```text\n((?:(?!```).*\n)*)```)?", re.MULTILINE
)
_ENTERS = re.compile(r"^cd (\S+)$", re.MULTILINE)
# No index is asked, and what a page installs lies beside the environment.
_PIP = """case $1 in
install) shift; exec "{python}" -m pip -q install --no-deps --no-build-isolation --target "{site}" "$@" ;;
*) verb=$1; shift; exec "{python}" -m pip -q "$verb" --no-build-isolation "$@" ;;
esac"""
_SHIMS = {
    "verify-cli": 'exec "{python}" -m adapters.cli "$@"',
    "verify-train": 'exec "{python}" -m training.cli "$@"',
    "pytest": 'exec "{python}" -m pytest -q -p no:cacheprovider "$@"',
    "pip": _PIP,
}


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

    def run(self, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run it as a reader would.

        Args:
            folder: The folder in which it runs.
            environment: What `programs` returns.
        """
        command = ["bash", "-e", "-c"] if self.language == "bash" else [sys.executable, "-c"]
        return subprocess.run(
            [*command, self.code], cwd=folder, env=environment, text=True, capture_output=True, check=False
        )

    def leaves(self, folder: Path) -> Path:
        """Return the folder in which the next block runs: ``cd`` in a block holds for the reader's shell."""
        entered = _ENTERS.findall(self.code) if self.language == "bash" else []
        return folder.joinpath(*entered)


def page(name: str) -> Path:
    """Return the page of a tutorial, in English unless it has no English one."""
    return next(path for path in (DOCS / "tutorials" / f"{name}.md", DOCS / f"{name}.md") if path.exists())


def names() -> list[str]:
    """Return the names of the tutorials."""
    pages = [path for path in DOCS.glob("*.md") if TOGETHER in path.read_text(encoding="utf-8")]
    pages += DOCS.glob("tutorials/*.md")
    return sorted(path.stem for path in pages if "." not in path.stem)


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page that can be run together, in order."""
    before, _, after = page.read_text(encoding="utf-8").partition(TOGETHER)
    return [Block(*each) for each in _BLOCK.findall(after or before)]


def programs(place: Path) -> dict[str, str]:
    """Write the programs that tutorials call, and return the environment in which they are found.

    Args:
        place: A folder for the programs, and for what ``pip install`` installs.
    """
    for name, text in _SHIMS.items():
        shim = place / name
        shim.write_text("#!/bin/sh\n" + text.format(python=sys.executable, site=place / "site") + "\n")
        shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return {
        **os.environ,
        "PATH": f"{place}:{os.environ['PATH']}",
        "PYTHONPATH": f"{ROOT}:{place / 'site'}",
        "COLUMNS": "120",
    }


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
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as empty:
        environment, folder = programs(Path(place)), Path(empty)
        before, started = _children(), time.monotonic()
        for block in blocks(page(name)):
            if block.on_gpu:
                continue
            begun = time.monotonic()
            done = block.run(folder, environment)
            if done.returncode:
                raise SystemExit(f"{name}: {block.code}\n{done.stdout}\n{done.stderr}")
            folder = block.leaves(folder)
            print(f"  {time.monotonic() - begun:5.1f} s  {block.code.splitlines()[0]:.80}", flush=True)
        return time.monotonic() - started, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
