"""Resolve each environment anew and write what it installs, with hashes, into NAME.txt: `make lock`.

One resolution holds for Python 3.11 to 3.14 on Linux, x86-64 and arm64: markers say what only some of them
take. The hashes are those of every wheel that one of these interpreters could take, and of the sources.

PyPI's builds of torch bring CUDA, on both machines, so what is locked is the build for CPUs, "+cpu". It is
not on PyPI: uv knows where it is published; where that cannot be reached, the hashes that are listed stay.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .install import UNREACHABLE

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
UV = Path(sys.executable).parent / "uv"
MINORS = (11, 12, 13, 14)
MACHINES = ("x86_64", "aarch64")
CUDA = re.compile(r"(?:nvidia|cuda)-[a-z0-9-]+|triton")
BUILDERS = ["setuptools>=77", "editables>=0.5"]
LOCKED = [
    "--universal",
    "--python-version",
    "3.11",
    "--generate-hashes",
    "--format",
    "pylock.toml",
    "--quiet",
]
HEADER = """\
# Written by `make lock`; what is in it says locks/environments.toml.
# For Python 3.11 to 3.14 on Linux, x86-64 and arm64; install with --no-deps --require-hashes.
"""


def uv(*arguments: str) -> str:
    """What uv prints; ends with a sentence where it fails."""
    done = subprocess.run([UV, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(explained(done.stderr))
    return done.stdout


def explained(said: str) -> str:
    """What uv says that it cannot do, in one line: its first cause, if it names any."""
    if UNREACHABLE.search(said):
        return "no package index can be reached: check the network, or UV_DEFAULT_INDEX and the proxy"
    _, *causes = re.split(r"(?m)^ *cause: ", said.partition("\n\n")[0])
    return f"no versions fit: {' '.join((causes or [said])[0].split())}"


def compile_(wanted: Iterable[str], folder: Path, *more: str) -> dict[str, Any]:
    """The lock of a list of requirements, as PEP 751 has it."""
    listed, out = folder / "wanted.in", folder / "pylock.toml"
    listed.write_text("".join(f"{line}\n" for line in wanted), encoding="utf-8")
    out.unlink(missing_ok=True)
    uv("pip", "compile", str(listed), *LOCKED, *more, "-o", str(out))
    return tomllib.loads(out.read_text(encoding="utf-8"))


def requirements(name: str, table: Mapping[str, Any], project: Mapping[str, Any]) -> list[str]:
    """All that an environment asks for, as requirements.

    Args:
        name: Of the environment.
        table: environments.toml.
        project: pyproject.toml.
    """
    environment = table[name]
    declared = project["project"]
    extras = declared["optional-dependencies"]
    also = [ranged(each, project) for each in environment.get("also", [])]
    if not environment.get("project", True):
        return also
    if unknown := set(environment["extras"]) - set(extras):
        sys.exit(f"locks/environments.toml: [{name}] names {', '.join(sorted(unknown))}, which is no extra")
    below = table.get(environment.get("over", ""), {}).get("extras", [])
    taken = [requirement for extra in [*below, *environment["extras"]] for requirement in extras[extra]]
    # setuptools builds what has no wheel, and hatchling asks for editables to install a tree in place.
    return [*declared["dependencies"], *taken, *project["build-system"]["requires"], *BUILDERS, *also]


def ranged(wanted: str, project: Mapping[str, Any]) -> str:
    """A name alone gets the range that an extra gives it."""
    for listed in project["project"]["optional-dependencies"].values():
        for requirement in listed:
            if canonicalize_name(Requirement(requirement).name) == wanted:
                return str(requirement)
    return wanted


def where(marker: str) -> set[tuple[int, str]]:
    """The interpreters (3.MINOR) and machines for which a marker holds."""
    return {
        (minor, machine)
        for minor in MINORS
        for machine in MACHINES
        if not marker or Marker(marker).evaluate(surroundings(minor, machine))
    }


def surroundings(minor: int, machine: str) -> dict[str, str]:
    """What markers ask of CPython 3.MINOR on Linux."""
    return {
        "python_version": f"3.{minor}",
        "python_full_version": f"3.{minor}.9",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
    }


def shortest(places: set[tuple[int, str]]) -> str:
    """A marker that holds for these interpreters and machines."""
    machines = sorted({machine for _, machine in places})
    minors = sorted({minor for minor, _ in places})
    if len(places) != len(machines) * len(minors) or minors != list(range(minors[0], minors[-1] + 1)):
        return " or ".join(
            f"(python_version == '3.{minor}' and platform_machine == '{machine}')"
            for minor, machine in sorted(places)
        )
    parts = [f"python_version >= '3.{minors[0]}'"] if minors[0] != MINORS[0] else []
    parts += [f"python_version <= '3.{minors[-1]}'"] if minors[-1] != MINORS[-1] else []
    parts += [f"platform_machine == '{machines[0]}'"] if len(machines) != len(MACHINES) else []
    return " and ".join(parts)


def fits(wheel: str, minor: int, machine: str) -> bool:
    """Whether a wheel can be installed on CPython 3.MINOR on Linux."""
    python, abi, platform = wheel.removesuffix(".whl").split("-")[-3:]
    if platform != "any" and not re.search(rf"(?:^|\.)(?:many)?linux\w*_{machine}\b", platform):
        return False
    if abi == "abi3":
        return any(int(tag[3:] or 0) <= minor for tag in python.split(".") if tag.startswith("cp3"))
    pure = abi == "none" and {"py3", f"py3{minor}"} & set(python.split("."))
    return bool(pure) or (f"cp3{minor}" in python.split(".") and abi in {"none", f"cp3{minor}"})


def lacking(files: Iterable[str], places: set[tuple[int, str]]) -> str:
    """For which of these interpreters and machines there is no wheel, in words; else nothing."""
    wheels = [file for file in files if file.endswith(".whl")]
    without = {place for place in places if not any(fits(wheel, *place) for wheel in wheels)}
    if without == places and places:
        return "any of them"
    said = []
    for minor in sorted({minor for minor, _ in without}):
        machines = [machine for machine in MACHINES if (minor, machine) in without]
        said.append(f"3.{minor}" if len(machines) == len(MACHINES) else f"3.{minor} on {machines[0]}")
    return ", ".join(said)


def usable(file: str) -> bool:
    """Not for Windows, other interpreters or free-threaded ones."""
    if not file.endswith(".whl"):
        return True
    python, abi, platform = file.removesuffix(".whl").split("-")[-3:]
    if re.search(r"win32|win_|emscripten|ios_|android|pyodide", platform) or abi.endswith("t"):
        return False
    if abi in {"abi3", "none"}:
        return "py3" in python or "cp3" in python
    return any(f"cp3{minor}" in python.split(".") for minor in MINORS)


def files_of(package: Mapping[str, Any]) -> dict[str, str]:
    """Names and SHA-256 of what a package can be installed from."""
    listed = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    found = {each["url"].rpartition("/")[2].replace("%2B", "+"): each["hashes"]["sha256"] for each in listed}
    return {file: digest for file, digest in found.items() if usable(file)}


def entry(name: str, version: str, marker: str, files: Mapping[str, str], without: str) -> str:
    """The lines of one package."""
    how = "built from the source" if any(not file.endswith(".whl") for file in files) else "so not there"
    said = f"# {name}: no wheel for {without}, {how}\n" if without else ""
    hashes = "".join(f" \\\n    --hash=sha256:{digest}" for digest in sorted(files.values()))
    return f"{said}{name}=={version}{f' ; {marker}' if marker else ''}{hashes}\n"


def entries(lock: Mapping[str, Any], cpu: Mapping[str, str]) -> list[str]:
    """The packages of an environment, each as the lines that its file has."""
    lines = []
    for package in lock["packages"]:
        name, version = package["name"], package["version"]
        if CUDA.fullmatch(name):
            sys.exit(f"`make lock`: {name} is part of CUDA, and something other than torch asks for it")
        places = where(package.get("marker", ""))
        marker, files = shortest(places) if places else "", files_of(package)
        if not places:
            continue
        if name != "torch":
            lines.append(entry(name, version, marker, files, lacking(files, places)))
            continue
        lines.append(entry(name, f"{version}+cpu", marker, cpu, lacking(cpu, places)))
    return lines


def cpu_builds(version: str, folder: Path) -> dict[str, str]:
    """Wheels of torch for CPUs with their SHA-256: as they are published, else as they are listed."""
    listed = FOLDER / "torch-cpu.sha256"
    lines = listed.read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if not line.startswith("#")]
    known = {file: digest for digest, file in pairs if file.startswith(f"torch-{version}+cpu-")}
    wanted, out = folder / "torch.in", folder / "torch.toml"
    wanted.write_text(f"torch=={version}+cpu\n", encoding="utf-8")
    command = [
        str(UV),
        "pip",
        "compile",
        str(wanted),
        "--no-deps",
        "--torch-backend",
        "cpu",
        *LOCKED,
        "-o",
        str(out),
    ]
    if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0:
        [torch] = tomllib.loads(out.read_text(encoding="utf-8"))["packages"]
        found = {file: digest for file, digest in files_of(torch).items() if "linux_" in file}
        if changed := [file for file, digest in known.items() if found.get(file, digest) != digest]:
            sys.exit(f"`make lock`: {changed[0]} is another file than the one that was locked: find out why")
        known |= found
    if not known:
        sys.exit(
            f"`make lock`: the CPU builds of torch {version} cannot be reached: write 'SHA256  FILE' of its "
            f"Linux wheels into {listed.relative_to(ROOT)}, or keep the version that is there (KEEP=torch==V)"
        )
    head = [line for line in lines if line.startswith("#")]
    text = [*head, *(f"{digest}  {file}" for file, digest in sorted(known.items()))]
    listed.write_text("\n".join(text) + "\n", encoding="utf-8")
    return known


def cuda_names(folder: Path, *more: str) -> str:
    """The packages of CUDA, a line each: all that torch asks for on Linux."""
    names = [package["name"] for package in compile_(["torch"], folder, *more)["packages"]]
    return "".join(f"{name}\n" for name in names if CUDA.fullmatch(name))


def main(keep: list[str]) -> None:
    """Write every file.

    Args:
        keep: Requirements that narrow the choice, such as ``torch==2.13.0``.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    table = tomllib.loads((FOLDER / "environments.toml").read_text(encoding="utf-8"))
    wanted = {name: requirements(name, table, project) for name in table}
    with tempfile.TemporaryDirectory(prefix="lock-") as place:
        folder = Path(place)
        narrowed, together, cuda = folder / "keep.txt", folder / "together.txt", folder / "cuda.txt"
        narrowed.write_text("".join(f"{each}\n" for each in keep), encoding="utf-8")
        cuda.write_text(cuda_names(folder, "-c", str(narrowed)), encoding="utf-8")
        more = ["--excludes", str(cuda), "-c", str(narrowed)]
        shared = [line for name in wanted if not table[name].get("apart") for line in wanted[name]]
        lock = compile_(shared, folder, *more)
        pins = [f"{each['name']}=={each['version']} ; {each['marker']}\n" for each in lock["packages"]]
        together.write_text("".join(pins), encoding="utf-8")
        [torch] = {package["version"] for package in lock["packages"] if package["name"] == "torch"}
        cpu = cpu_builds(torch, folder)
        written: dict[str, list[str]] = {}
        for name, lines in wanted.items():
            agreed = ["-c", str(together)] if not table[name].get("apart") else []
            pinned = [*lines, f"torch=={torch}"] if table[name].get("apart") else lines
            found = entries(compile_(pinned, folder, *more, *agreed), cpu)
            written[name] = [
                each for each in found if each not in written.get(table[name].get("over", ""), [])
            ]
            (FOLDER / f"{name}.txt").write_text(HEADER + "".join(written[name]), encoding="utf-8")
            print(f"locks/{name}.txt: {len(written[name])} packages", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
