"""What a release consists of: sdist and wheel, built twice and compared byte by byte, their sums and an SBOM.

    python -m benchmarks.release_check              into dist/
    python -m benchmarks.release_check --lock FILE  with the hashes of a lock in pip's form in the SBOM

The second build starts from the first one's sdist, in another folder and with other times of files: who has
the sdist can build the same wheel. The time is SOURCE_DATE_EPOCH, by default that of the commit. The SBOM
(CycloneDX 1.6) names what is installed here of what pyproject.toml requires, all the way down; its time and
number follow from the content. Nothing is signed: SECURITY.md says so. Exit status 1 if the builds differ.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import uuid
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
NAME = "reward-verifiers"
DEVELOPERS = frozenset({"bench", "dev", "mutants"})
"""Extras for work on the library: no user installs them."""
_LOCKED = re.compile(r"^(?P<name>[\w.-]+)(?:\[[^\]]*\])?==(?P<version>[^\s;\\]+)")


def epoch() -> int:
    """SOURCE_DATE_EPOCH; else the time of the commit; else that of hatchling, the first of February 2020."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    command = ["git", "log", "-1", "--format=%ct"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else 1_580_601_600


def built(source: Path, out: Path, at: int) -> dict[str, bytes]:
    """The sdist and the wheel of a source tree, by their names."""
    command = [sys.executable, "-m", "build", "--sdist", "--wheel", "--no-isolation", "--outdir", str(out)]
    subprocess.run(
        [*command, str(source)], check=True, capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(at)},
    )  # fmt: skip
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def built_twice(source: Path, at: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """From the tree, and from the sdist of the first build as somebody else unpacks it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = built(source, folder / "first", at)
        [sdist] = (folder / "first").glob("*.tar.gz")
        elsewhere = folder / "another folder" / "deeper"
        with tarfile.open(sdist) as archive:
            archive.extractall(elsewhere, filter="data")
        [tree] = elsewhere.iterdir()
        for path in tree.rglob("*"):
            os.utime(path, (at + 12_345, at + 12_345))
        return first, built(tree, folder / "second", at)


def differences(first: Mapping[str, bytes], second: Mapping[str, bytes]) -> list[str]:
    """What is not the same: files of one build only, and members that differ."""
    found = [f"{name}: of one build only" for name in sorted({*first} ^ {*second})]
    for name in sorted({*first} & {*second}):
        if first[name] != second[name]:
            members = [_members(name, each[name]) for each in (first, second)]
            other = {
                key for key in {*members[0]} | {*members[1]} if members[0].get(key) != members[1].get(key)
            }
            found.append(f"{name}: {', '.join(sorted(other)) or 'the archive itself'}")
    return found


def _members(name: str, content: bytes) -> dict[str, Any]:

    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            return {
                each.filename: (each.CRC, each.date_time, each.external_attr) for each in wheel.infolist()
            }
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {
            each.name: (each.mtime, each.mode, each.uname, hashlib.sha256(_read(archive, each)).hexdigest())
            for each in archive.getmembers()
        }


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    found = archive.extractfile(member)
    return b"" if found is None else found.read()


def locked_hashes(lock: str) -> dict[tuple[str, str], list[str]]:
    """The SHA-256 sums of each version in a lock of pip's form (``name==version --hash=sha256:...``)."""
    found: dict[tuple[str, str], list[str]] = {}
    for entry in re.sub(r"\\\n", " ", lock).splitlines():
        if pinned := _LOCKED.match(entry.strip()):
            key = _folded(pinned["name"]), pinned["version"]
            found.setdefault(key, []).extend(re.findall(r"--hash=sha256:([0-9a-f]{64})", entry))
    return found


def bill_of_materials(files: Mapping[str, bytes], at: int, lock: str = "") -> dict[str, Any]:
    """The SBOM: this distribution, what it requires, and what its extras bring, as CycloneDX has it.

    Args:
        files: The sdist and the wheel.
        at: The time that it bears.
        lock: A lock with hashes, in pip's form.
    """
    base = _closure(frozenset())
    everything = _closure(frozenset(_extras() - DEVELOPERS))
    hashes = locked_hashes(lock)
    missing = sorted(name for name, needed in everything.items() if needed is None)
    present = sorted(name for name, needed in everything.items() if needed is not None and name != NAME)
    own = distribution(NAME)
    subject = {
        **_component(NAME),
        "hashes": [_sha256(files[name]) for name in sorted(files) if name.endswith(".whl")],
        "description": own.metadata["Summary"],
    }
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": subject,
            "properties": [
                {"name": "files", "value": " ".join(sorted(files))},
                *({"name": "not-installed-here", "value": name} for name in missing),
            ],
        },
        "components": [
            {
                **_component(name),
                "scope": "required" if name in base else "optional",
                **_hashes(hashes.get((name, distribution(name).version), [])),
            }
            for name in present
        ],
        "dependencies": [
            {
                "ref": _reference(name),
                "dependsOn": [_reference(each) for each in sorted(everything[name] or ()) if each in present],
            }
            for name in (NAME, *present)
        ],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill, sort_keys=True))
    return {**bill, "serialNumber": f"urn:uuid:{number}"}


def _extras() -> set[str]:
    return {*(distribution(NAME).metadata.get_all("Provides-Extra") or ())}


def _closure(extras: frozenset[str]) -> dict[str, set[str] | None]:
    """What is required all the way down: its own requirements, or None for what is not installed."""
    found: dict[str, set[str] | None] = {}
    done = set()
    todo = [(NAME, extras)]
    while todo:
        wanted = todo.pop()
        if wanted in done:
            continue
        done.add(wanted)
        name, chosen = wanted
        try:
            declared = distribution(name).requires or []
        except PackageNotFoundError:
            found.setdefault(name, None)
            continue
        needed = found.setdefault(name, set())
        for each, more in _needed(declared, chosen):
            assert needed is not None
            needed.add(each)
            todo.append((each, more))
    return found


def _needed(declared: list[str], extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    for each in map(Requirement, declared):
        if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            yield _folded(each.name), frozenset(each.extras)


@cache
def _component(name: str) -> Mapping[str, Any]:
    found = distribution(name)
    return {
        "type": "library",
        "bom-ref": _reference(name),
        "name": name,
        "version": found.version,
        "purl": _reference(name),
        **_license(found.metadata),
    }


def _license(metadata: Any) -> dict[str, Any]:
    if expression := metadata.get("License-Expression"):
        return {"licenses": [{"expression": expression}]}
    named = [
        each.rpartition(" :: ")[2]
        for each in metadata.get_all("Classifier") or ()
        if each.startswith("License :: ") and not each.endswith("OSI Approved")
    ]
    first = (metadata.get("License") or "").strip().splitlines()
    named = named or first[:1]
    return {"licenses": [{"license": {"name": each}} for each in named]} if named else {}


def _hashes(sums: list[str]) -> dict[str, Any]:
    return {"hashes": [{"alg": "SHA-256", "content": each} for each in sums]} if sums else {}


def _sha256(content: bytes) -> dict[str, str]:
    return {"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}


def _reference(name: str) -> str:
    return f"pkg:pypi/{name}@{distribution(name).version}"


def _folded(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def main(arguments: list[str] | None = None) -> int:
    """Build, compare, and write what a release consists of."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write into")
    parser.add_argument("--lock", type=Path, help="a lock with hashes, in pip's form")
    options = parser.parse_args(arguments)
    at = epoch()
    first, second = built_twice(ROOT, at)
    if found := differences(first, second):
        print("the two builds differ:", *found, sep="\n  ")
        return 1
    lock = options.lock.read_text(encoding="utf-8") if options.lock else ""
    bill = bill_of_materials(first, at, lock)
    options.out.mkdir(parents=True, exist_ok=True)
    files = {**first, f"{NAME}.cdx.json": (json.dumps(bill, indent=1) + "\n").encode()}
    for name, content in files.items():
        (options.out / name).write_bytes(content)
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items())
    (options.out / "SHA256SUMS").write_text(sums, encoding="utf-8")
    optional = sum(each["scope"] == "optional" for each in bill["components"])
    print(f"built twice, the same bytes (SOURCE_DATE_EPOCH={at}):", sums, sep="\n", end="")
    print(
        f"{len(bill['components']) - optional} distributions required, {optional} by extras; in {options.out}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
