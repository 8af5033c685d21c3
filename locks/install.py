"""Make an environment from its lock, or bring one up to date; the Makefile runs this before everything else.

    python -m locks.install dev .venv                        what locks/dev.txt pins, and this project
    python -m locks.install dev .venv-lowest --from lowest   the lowest versions that pyproject.toml allows
    python -m locks.install dev .venv-newest --from newest   the newest ones

An environment that is complete is left alone. One that was interrupted, or that another interpreter made, is
made anew. What goes wrong is one sentence, and pip's own words are in install.log of the environment.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ROOT / "locks"
RESOLVER = ROOT / f".venv-uv-3.{sys.version_info[1]}"
# Where the interpreter is an environment's own, that environment may be the one that is removed.
PYTHON = str(getattr(sys, "_base_executable", sys.executable))
UNREACHABLE = re.compile(
    r"Failed to establish a new connection|NewConnectionError|ConnectTimeout|Connection to \S+ timed out"
    r"|Name or service not known|name resolution|Cannot connect to proxy|ProxyError|Network is unreachable"
    r"|Read timed out|ReadTimeoutError|Could not fetch URL|Failed to fetch|Could not connect",
    re.I,
)
# The second is what pip says where its own configuration constrains the package as well.
NOT_FOUND = re.compile(
    r"No matching distribution found for (\S+)|Cannot install (\S+) because these package versions"
)


def stop(sentence: str) -> NoReturn:
    """End with one sentence, and no traceback."""
    sys.exit(sentence)


def packages(text: str) -> set[str]:
    """A list of requirements as its logical lines, without comments."""
    joined = re.sub(r" \\\n\s+", " ", text)
    return {line for line in joined.splitlines() if line and not line.startswith("#")}


class Environment:
    """A folder with an interpreter and packages.

    Args:
        folder: Where it is.
        name: Of its table in environments.toml.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.table = tomllib.loads((LOCKS / "environments.toml").read_text(encoding="utf-8"))
        if name not in self.table:
            stop(f"locks/environments.toml has no environment {name}, but {', '.join(self.table)}")
        self.name = name
        self.unfinished, self.maker = folder / ".unfinished", folder / ".made-by"

    def lock(self, name: str | None = None) -> str:
        """What it installs, with what it is added to."""
        name = name or self.name
        file, below = LOCKS / f"{name}.txt", self.table[name].get("over")
        if not file.is_file():
            stop(f"locks/{name}.txt is not there: run `make lock`, which writes it")
        return (self.lock(below) if below else "") + file.read_text(encoding="utf-8")

    def trouble(self) -> str:
        """Why it cannot be used as it is; nothing where it can, or where there is none."""
        if not self.folder.exists():
            return ""
        if self.unfinished.exists():
            return "its installation was interrupted"
        asked = [str(self.python), "-c", "import pip, platform; print(platform.python_version())"]
        try:
            said = subprocess.run(asked, capture_output=True, text=True, check=False)
        except OSError:
            return "it has no interpreter that starts"
        if said.returncode:
            return "it is half made: its interpreter does not start, or lacks pip"
        if said.stdout.strip() != platform.python_version():
            return f"it was made by Python {said.stdout.strip()}, and this is {platform.python_version()}"
        return ""

    def prepare(self) -> None:
        """Make it if it is not there, and make it anew if it cannot be used."""
        if trouble := self.trouble():
            if not (self.unfinished.exists() or self.maker.exists()):
                stop(f"{self.folder.name} cannot be used, {trouble}: run `make clean`, and the same again")
            print(f"{self.folder.name} is made anew: {trouble}", file=sys.stderr, flush=True)
            shutil.rmtree(self.folder)
        if self.folder.exists():
            return
        self.folder.mkdir()
        self.unfinished.touch()
        made = subprocess.run(
            [PYTHON, "-m", "venv", self.folder], capture_output=True, text=True, check=False
        )
        if made.returncode:
            shutil.rmtree(self.folder)
            stop(f"{PYTHON} makes no virtual environment: install its venv module (Debian: python3-venv)")
        self.maker.write_text(f"{sys.version}\n", encoding="utf-8")
        self.unfinished.unlink()

    def digest(self, wanted: str) -> str:
        """Of all that decides what the environment has."""
        files = [ROOT / "pyproject.toml", ROOT / "hatch_build.py"] if self.project else []
        parts = [wanted, platform.python_version(), *(file.read_text(encoding="utf-8") for file in files)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @property
    def project(self) -> bool:
        """Whether this project is installed in it."""
        return bool(self.table[self.name].get("project", True))

    def complete(self, wanted: str) -> bool:
        """Whether what is wanted, and maybe more, was installed last."""
        if self.stamp(self.name) == self.digest(wanted):
            return True
        others = [
            name for name in self.table if self.stamp(name) and packages(wanted) <= packages(self.lock(name))
        ]
        return any(self.stamp(name) == self.digest(self.lock(name)) for name in others)

    def stamp(self, name: str) -> str:
        """What was written when an environment of this name was installed; nothing where none was."""
        file = self.folder / f".{name}"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def install(self, wanted: str, *flags: str) -> None:
        """Install a list of requirements, and the project; ends with a sentence if that fails.

        Args:
            wanted: Every package with its version, since nothing else is installed.
            flags: More of pip's.
        """
        self.unfinished.touch()
        for name in self.table:
            (self.folder / f".{name}").unlink(missing_ok=True)
        torch = {line for line in packages(wanted) if line.startswith("torch==")}
        self.get_torch("".join(f"{line}\n" for line in torch))
        # What builds those that have no wheel.
        builder = {line for line in packages(wanted) if line.startswith("setuptools==")}
        self.pip("".join(builder), *flags)
        self.pip("".join(f"{line}\n" for line in sorted(packages(wanted) - torch - builder)), *flags)
        if self.project:
            self.pip("-e .", "--no-build-isolation")
        (self.folder / f".{self.name}").write_text(self.digest(wanted), encoding="utf-8")
        self.unfinished.unlink()

    def get_torch(self, line: str) -> None:
        """The build for CPUs: from where pip looks, else from where uv knows that it is published."""
        failed = self.run_pip(line, "--require-hashes") if line else ""
        if not NOT_FOUND.search(failed) or UNREACHABLE.search(failed):
            self.explain(failed)
            return
        resolver = Environment(RESOLVER, "uv")
        resolver.update(resolver.lock(), "--require-hashes")
        with listed(line) as file:
            asked = ["pip", "install", "--torch-backend", "cpu", "--no-deps", "--require-hashes", "-r", file]
            command = [str(RESOLVER / "bin" / "uv"), *asked, "--python", str(self.python)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            self.log(done.stderr)
            self.unfinished.unlink()
            version = re.split("==|\\s", line)[1]
            stop(
                f"the lock does not fit: pip finds no torch {version} for Python 3.{sys.version_info[1]} on "
                f"{platform.machine()}, and PyTorch's own list of such builds cannot be reached: name a "
                "folder or an index that has it in PIP_FIND_LINKS or PIP_EXTRA_INDEX_URL"
            )

    def pip(self, wanted: str, *flags: str) -> None:
        """Run `pip install`; ends with a sentence if that fails."""
        self.explain(self.run_pip(wanted, *flags))

    def run_pip(self, wanted: str, *flags: str) -> str:
        """Run `pip install`; what it said if it failed."""
        with listed(wanted) as file:
            quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries", "2", "--use-pep517"]
            command = [str(self.python), "-m", "pip", "install", *quiet, "--no-deps", *flags, "-r", file]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        self.log(done.stdout + done.stderr)
        return (done.stdout + done.stderr or "pip failed without a word") if done.returncode else ""

    def log(self, said: str) -> None:
        """Keep what an installer said."""
        (self.folder / "install.log").write_text(said, encoding="utf-8")

    def explain(self, said: str) -> None:
        """End with the sentence for what pip said, if it said that it failed."""
        if not said:
            return
        log = self.folder.name + "/install.log"
        lacking = NOT_FOUND.search(said)
        if "DO NOT MATCH THE HASHES" in said:
            found = re.search(r"^\s+(\S+==\S+|\S+) from \S+", said, re.M)
            problem = (
                f"the lock does not fit: pip was sent other files of {found[1] if found else 'a package'} "
                "than were locked, and installed none: try another index, or run `make lock` to trust it"
            )
        elif UNREACHABLE.search(said):
            problem = "no package index can be reached: check the network, or PIP_INDEX_URL and the proxy"
        elif lacking:
            problem = (
                f"the lock does not fit: where pip looks there is no {lacking[1] or lacking[2]} for Python "
                f"3.{sys.version_info[1]} on {platform.machine()}"
            )
        else:
            errors = re.findall(r"^ *(?:ERROR|error): *(.+)", said, re.M)
            last = errors[-1] if errors else said.strip().splitlines()[-1]
            stop(f"pip could not install into {self.folder.name}: {last} (all of it: {log})")
        # Pip fetches everything before it installs the first, so the environment is as it was.
        self.unfinished.unlink(missing_ok=True)
        stop(f"{problem} ({log})")

    def update(self, wanted: str, *flags: str) -> None:
        """Make it what is wanted, unless it is that already."""
        self.prepare()
        if not self.complete(wanted):
            self.install(wanted, *flags)


@contextmanager
def listed(text: str) -> Iterator[str]:
    """The name of a file with a list of requirements, while the context lasts."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        yield file.name


def resolved(which: str, environment: Environment) -> str:
    """The versions that pyproject.toml allows, the lowest or the newest of what it names."""
    resolver = Environment(RESOLVER, "uv")
    resolver.update(resolver.lock(), "--require-hashes")
    command = [str(resolver.python), "-m", "locks.ranges", which, environment.name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        stop(f"the {which} versions could not be resolved: {done.stderr.strip()}")
    return done.stdout


def main() -> None:
    """Install what is said."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help="a table of locks/environments.toml")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="source", choices=["lock", "lowest", "newest"], default="lock")
    options = parser.parse_args()
    if not sys.platform.startswith("linux") or platform.machine() not in {"x86_64", "aarch64"}:
        here = f"{platform.system()} on {platform.machine()}"
        stop(
            f"the lock is for Linux on x86-64 and arm64, and this is {here}: use `pip install .` in its place"
        )
    environment = Environment((ROOT / options.folder).resolve(), options.name)
    try:
        if options.source == "lock":
            environment.update(environment.lock(), "--require-hashes", "--no-build-isolation")
        else:
            environment.update(resolved(options.source, environment))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
