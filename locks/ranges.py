"""Print the lowest or the newest versions that pyproject.toml allows, for the interpreter that runs this.

    python -m locks.ranges lowest dev      what `make test-lowest` installs
    python -m locks.ranges newest dev      what `make test-newest` installs

Lowest are those that pyproject.toml names; what they need in turn is as new as they allow. Torch is the
locked build for CPUs in both: an index that pip looks at rarely has others.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
from pathlib import Path

from .install import packages
from .refresh import FOLDER, ROOT, cuda_names, requirements, uv

RESOLUTION = {"lowest": "lowest-direct", "newest": "highest"}


def locked_torch() -> str:
    """The line of torch in the lock."""
    [line] = [
        line for line in packages((FOLDER / "dev.txt").read_text("utf-8")) if line.startswith("torch==")
    ]
    return line


def pins(which: str, name: str) -> str:
    """Versions of all that an environment needs, a line each.

    Args:
        which: ``"lowest"`` or ``"newest"``.
        name: A table of environments.toml.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    table = tomllib.loads((FOLDER / "environments.toml").read_text(encoding="utf-8"))
    torch = re.split(r"[\s+]", locked_torch())[0]
    with tempfile.TemporaryDirectory(prefix="ranges-") as place:
        folder = Path(place)
        listed, narrowed, cuda = folder / "direct.in", folder / "torch.txt", folder / "cuda.txt"
        wanted = requirements(name, table, project)
        listed.write_text("".join(f"{line}\n" for line in wanted), encoding="utf-8")
        narrowed.write_text(f"{torch}\n", encoding="utf-8")
        cuda.write_text(cuda_names(folder, "-c", str(narrowed)), encoding="utf-8")
        # The lowest that this interpreter has a wheel of, save those that have none for any.
        sources = re.findall(r"(?m)^# (\S+): no wheel for any", (FOLDER / "dev.txt").read_text("utf-8"))
        wheels = ["--only-binary", ":all:", *(flag for each in sources for flag in ("--no-binary", each))]
        which_ones = ["--resolution", RESOLUTION[which], "--python", sys.executable]
        flags = [*wheels, *which_ones, "--no-header", "--no-annotate", "--quiet"]
        found = uv("pip", "compile", str(listed), "-c", str(narrowed), "--excludes", str(cuda), *flags)
    return re.sub(r"(?m)^torch==.*$", locked_torch(), found)


if __name__ == "__main__":
    print(pins(*sys.argv[1:]), end="")
