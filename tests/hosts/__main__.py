"""Run the tests of each host in an environment of its own, with the packages of its lock file and this tree's wheel.

    python -m tests.hosts                     every host, one after another
    python -m tests.hosts inspect_ai verl     these
    python -m tests.hosts verl --lock         resolve HOST.in anew, test with that, and write HOST.lock if it passes

`make test-hosts HOST=verl` does the same. A folder tests/hosts/HOST has ``HOST.in`` (the packages that are wanted, by
exact version: else a resolver may silently take years-old ones that fit), ``HOST.lock`` (all that came of it) and the tests.
``HOST.nodeps`` has packages that are installed without what they depend on, which is listed in ``HOST.in`` as far as the tests
need it. ``HOST.tree`` says how to get a host that no index has; its place is in the variable HOST_TREE_HOST, and without
that the host is not run, which is no failure.
Environments stay in .hosts/HOST, until the lock changes; they take gigabytes. Exit status 1 if one did not pass.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.extras.__main__ import NAME, ROOT, built_wheel

FOLDER = Path(__file__).parent
PLACE = ROOT / ".hosts"
LONGEST = 1800
"""Seconds that the tests of a host may take."""
START = """
import importlib.util, sys
sys.path.append({root!r})
# Some hosts bring a package called tests.
spec = importlib.util.spec_from_file_location("tests", {root!r} + "/tests/__init__.py")
sys.modules["tests"] = importlib.util.module_from_spec(spec)
import verifiers
assert verifiers.__file__.startswith(sys.prefix), f"{{verifiers.__file__}} is not the wheel's"
import pytest
sys.exit(pytest.main(["-c", {ini!r}, "--rootdir", {root!r}, "--confcutdir", {folder!r}, {tests!r}, *sys.argv[1:]]))
"""


def hosts() -> list[str]:
    """Those that have a folder with a list of packages."""
    return sorted(path.stem for path in FOLDER.glob("*/*.in") if path.stem == path.parent.name)


def lock_of(host: str) -> Path:
    """The packages of a host's environment, with their versions."""
    return FOLDER / host / f"{host}.lock"


def environment(host: str, python: str, *, anew: bool) -> Path:
    """The host's environment, made if it is not there or not what the lock says.

    Args:
        host: Its name.
        python: The interpreter that makes it.
        anew: Resolve the wanted packages instead of taking the locked ones.
    """
    place = PLACE / host
    wanted = FOLDER / host / f"{host}.in"
    listed = wanted if anew else lock_of(host)
    bare = wanted.with_suffix(".nodeps")
    said = listed.read_bytes() + (bare.read_bytes() if anew and bare.is_file() else b"")
    stamp, mark = place / "installed", hashlib.sha256(said).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == mark:
        return place
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(place)], check=True)
    # Torch first of all, and by the version that is listed: as a dependency of others pip may take the build with CUDA.
    pip = [*_pip(place), "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    if re.search(r"^torch==", listed.read_text(encoding="utf-8"), re.M):
        subprocess.run([*pip, _pinned(listed, "torch")], check=True)
    if anew:
        subprocess.run([*pip, "-r", str(wanted)], check=True)
        if bare.is_file():
            subprocess.run([*pip, "--no-deps", "-r", str(bare)], check=True)
    else:
        subprocess.run([*pip, "--no-deps", "-r", str(listed)], check=True)
    stamp.write_text(mark, encoding="utf-8")
    return place


def install_wheel(place: Path, wheel: Path, *, anew: bool) -> None:
    """This tree's wheel; what it depends on is locked, unless a lock is about to be made."""
    pip = [*_pip(place), "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    if anew:
        subprocess.run([*pip, str(wheel)], check=True)
    subprocess.run([*pip, "--no-deps", "--force-reinstall", str(wheel)], check=True)


def frozen(place: Path) -> str:
    """All packages of an environment by version, this library aside."""
    command = [*_pip(place), "freeze", "--disable-pip-version-check"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line for line in said.splitlines() if not line.startswith((f"{NAME} ", f"{NAME}=="))]
    # Which build of a version is taken, such as torch's for CPUs, is the installing machine's affair.
    return "".join(re.sub(r"\+\w+$", "", line.partition(" @ ")[0]) + "\n" for line in lines)


def run_tests(host: str, place: Path, more: list[str]) -> int:
    """The exit status of the host's tests."""
    names = {"ini": str(FOLDER / "pytest.ini"), "folder": str(FOLDER), "tests": str(FOLDER / host)}
    command = [str(place / "bin" / "python"), "-I", "-c", START.format(root=str(ROOT), **names), *more]
    quiet = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    surroundings = {**os.environ, **quiet, "TESTED_HOST": host, "OMP_NUM_THREADS": "1"}
    path = f"{place / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        done = subprocess.run(
            command, check=False, timeout=LONGEST, env={**surroundings, "PATH": path}, cwd=PLACE
        )
    except subprocess.TimeoutExpired:
        return 124
    return done.returncode


def lacking_tree(host: str) -> str:
    """How to get the host's code, where no index has it and its place was not said; else nothing."""
    how, variable = FOLDER / host / f"{host}.tree", f"HOST_TREE_{host.upper()}"
    if not how.is_file() or os.environ.get(variable):
        return ""
    return f"{how.read_text(encoding='utf-8').strip()}, and set {variable} to its folder"


def try_host(host: str, wheel: Path, python: str, more: list[str], *, anew: bool) -> str:
    """Install and test one; what went wrong, in one sentence, or nothing."""
    try:
        place = environment(host, python, anew=anew)
        install_wheel(place, wheel, anew=anew)
    except subprocess.CalledProcessError as error:
        return f"{' '.join(error.cmd[1:4])} ... failed"
    status = run_tests(host, place, more)
    if status:
        return f"its tests ended with status {status}"
    if anew:
        lock_of(host).write_text(frozen(place), encoding="utf-8")
    return ""


def _pip(place: Path) -> list[str]:
    return [str(place / "bin" / "python"), "-m", "pip"]


def _pinned(listed: Path, package: str) -> str:
    """A package as a list of packages has it, with its version if that is said."""
    lines = listed.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith(f"{package}=="))


def main() -> int:
    """Try them, and print how each went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("host", nargs="*", help="hosts; all that have a folder if none is given")
    parser.add_argument("--lock", action="store_true", help="resolve anew, and write the lock if it passes")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the environments")
    options, more = parser.parse_known_args()
    if unknown := {*options.host} - {*hosts()}:
        parser.error(f"there is no host {', '.join(sorted(unknown))}; there are {', '.join(hosts())}")
    PLACE.mkdir(exist_ok=True)
    said: dict[str, str] = {}
    not_run: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="hosts-") as folder:
        wheel = built_wheel(Path(folder))
        for host in options.host or hosts():
            print(f"== {host}", flush=True)
            if how := lacking_tree(host):
                not_run[host] = how
                continue
            started = time.monotonic()
            said[host] = try_host(host, wheel, options.python, more, anew=options.lock)
            print(f"== {host}: {said[host] or 'passed'}, {time.monotonic() - started:.0f} s", flush=True)
    for host, problem in said.items():
        print(f"{host:12} {problem or 'passed'}")
    for host, how in not_run.items():
        print(f"{host:12} not run: {how}")
    return int(any(said.values()))


if __name__ == "__main__":
    sys.exit(main())
