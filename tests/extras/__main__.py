"""Run the program of each extra in an environment of its own, which has the wheel with that extra and nothing else.

    python -m tests.extras              every extra, one after another
    python -m tests.extras cache gym    these

`make test-extras EXTRA=cache` does the same. Environments with torch take gigabytes: each is removed after its
run. Exit status 1 if one did not install or did not work.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).with_name("programs.py")
NAME = "reward-verifiers"
LONGEST = 1800
"""Seconds that a program may take."""
START = """
import runpy, sys
sys.path.append({root!r})
import verifiers
assert verifiers.__file__.startswith(sys.prefix), f"{{verifiers.__file__}} is not the wheel's"
runpy.run_path({program!r})[{name!r}]()
"""


def extras() -> list[str]:
    """Those that pyproject.toml declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["optional-dependencies"])


def built_wheel(folder: Path) -> Path:
    """The wheel of this tree."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def try_extra(extra: str, wheel: Path, python: str, folder: Path) -> str:
    """Install and run one; what went wrong, in one sentence, or nothing."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    inside = str(folder / "bin" / "python")
    install = [inside, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    # First of all, and by its version: as a dependency of others pip may take the build with CUDA.
    torch = [locked_torch()] if wants_torch(extra) else []
    for what in [*([torch] if torch else []), [f"{wheel}[{extra}]", *torch]]:
        if subprocess.run([*install, *what], check=False).returncode:
            return f"pip install {what[0]} failed"
    code = START.format(root=str(ROOT), program=str(PROGRAMS), name="all_" if extra == "all" else extra)
    try:
        done = subprocess.run([inside, "-I", "-c", code], check=False, timeout=LONGEST, cwd=folder)
    except subprocess.TimeoutExpired:
        return f"its program did not end within {LONGEST} s"
    return f"its program ended with status {done.returncode}" if done.returncode else ""


def locked_torch() -> str:
    """The version of torch that the suite runs with, whatever its build."""
    found = re.search(r"^torch==[\d.]+", (ROOT / "locks" / "dev.txt").read_text(encoding="utf-8"), re.M)
    assert found, "locks/dev.txt has no torch"
    return found[0]


def wants_torch(extra: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an extra brings torch, by itself or by another extra that it names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in project["optional-dependencies"][extra]:
        if requirement.startswith("torch"):
            return True
        if requirement.startswith(f"{NAME}["):
            named = requirement.partition("[")[2].partition("]")[0].split(",")
            if any(wants_torch(each, seen | {extra}) for each in named if each not in seen):
                return True
    return False


def main() -> int:
    """Try them, and print how each went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("extra", nargs="*", help="extras; all that are declared if none is given")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the environments")
    options = parser.parse_args()
    if unknown := {*options.extra} - {*extras()}:
        parser.error(f"there is no extra {', '.join(sorted(unknown))}; there are {', '.join(extras())}")
    said = {}
    with tempfile.TemporaryDirectory(prefix="extras-") as folder:
        wheel = built_wheel(Path(folder))
        for extra in options.extra or extras():
            print(f"== {extra}", flush=True)
            started = time.monotonic()
            with tempfile.TemporaryDirectory(prefix=f"{extra}-", dir=folder) as place:
                problem = try_extra(extra, wheel, options.python, Path(place))
            said[extra] = problem
            print(f"== {extra}: {problem or 'works'}, {time.monotonic() - started:.0f} s", flush=True)
    for extra, problem in said.items():
        print(f"{extra:10} {problem or 'works'}")
    return int(any(said.values()))


if __name__ == "__main__":
    sys.exit(main())
