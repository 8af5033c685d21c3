"""An environment that has this distribution and what it requires, and none of its extras.

Made of links to what is installed here, so it costs no download and a hundredth of a second. It is a real
environment: worker processes, sandboxes and `importlib.metadata` see no more of the machine than its own folder.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

DISTRIBUTION = "reward-verifiers"


def folded(name: str) -> str:
    """The name of a distribution as all spellings of it are compared."""
    return re.sub(r"[-_.]+", "-", name).casefold()


@cache
def brought(name: str, extras: frozenset[str] = frozenset()) -> frozenset[str]:
    """The distributions that ``pip install name[extras]`` leaves here, itself included, and each by its folded name.

    What is not installed is named, too, but not what it would bring.
    """
    found: set[str] = set()
    todo = [(folded(name), extras)]
    done = set()
    while todo:
        wanted = todo.pop()
        if wanted in done:
            continue
        done.add(wanted)
        found.add(wanted[0])
        todo += [(folded(each.name), frozenset(each.extras)) for each in _requirements(*wanted)]
    return frozenset(found)


def is_here(name: str) -> bool:
    """Whether a distribution is installed."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _requirements(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    try:
        declared = distribution(name).requires or []
    except PackageNotFoundError:
        return
    for each in map(Requirement, declared):
        if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            yield each


def make(folder: Path) -> Path:
    """Make the environment in a folder that is not there yet; return its interpreter."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    packages = folder / "lib" / f"python{version}" / "site-packages"
    packages.mkdir(parents=True)
    python = folder / "bin" / "python"
    python.parent.mkdir()
    real = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    python.symlink_to(real)
    settings = f"home = {real.parent}\ninclude-system-site-packages = false\nversion = {version}\n"
    (folder / "pyvenv.cfg").write_text(settings, encoding="utf-8")
    for name in brought(DISTRIBUTION):
        for entry, place in _entries(distribution(name)).items():
            (packages / entry).symlink_to(place)
    return python


def _entries(found: Distribution) -> dict[str, Path]:
    """What lies of a distribution in the folder of packages itself, and where."""
    root = Path(str(found.locate_file("")))
    tops = {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}
    return {top: root / top for top in tops if (root / top).exists()}
