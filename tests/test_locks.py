"""The locks hold what pyproject.toml asks for, and what goes wrong with an environment is one sentence."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from locks import install, refresh
from locks.install import Environment, packages
from tests.support import ROOT

LOCKS = ROOT / "locks"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TABLE = tomllib.loads((LOCKS / "environments.toml").read_text(encoding="utf-8"))
PLACES = [(minor, machine) for minor in refresh.MINORS for machine in refresh.MACHINES]


def text_of(name: str) -> str:
    """The lock of an environment, with what it is added to."""
    return Environment(ROOT / ".venv", name).lock()


@cache
def lines_of(name: str) -> list[tuple[Requirement, list[str]]]:
    """Its packages, each with its hashes."""
    found = []
    for line in packages(text_of(name)):
        wanted, *hashes = line.split(" --hash=")
        found.append((Requirement(wanted), hashes))
    return found


@cache
def pinned(name: str, minor: int, machine: str) -> dict[str, Version]:
    """What is installed on CPython 3.MINOR of a machine."""
    surroundings = refresh.surroundings(minor, machine)
    here = [each for each, _ in lines_of(name) if not each.marker or each.marker.evaluate(surroundings)]
    versions = {each.name: Version(str(each.specifier).removeprefix("==")) for each in here}
    assert len(versions) == len(here), "a package is pinned twice"
    return versions


def test_each_environment_has_a_lock_and_no_lock_is_left_over() -> None:
    """`make lock` writes them; none stays when its environment goes."""
    assert {path.stem for path in LOCKS.glob("*.txt")} == {*TABLE}


@pytest.mark.parametrize("name", TABLE)
def test_all_that_is_asked_for_is_pinned_within_its_range(name: str) -> None:
    """For every interpreter and machine; if this fails, run `make lock`."""
    wanted = [Requirement(each) for each in refresh.requirements(name, TABLE, PROJECT)]
    for place in PLACES:
        versions, surroundings = pinned(name, *place), refresh.surroundings(*place)
        for each in wanted:
            if each.marker and not each.marker.evaluate(surroundings):
                continue
            version = versions.get(canonicalize_name(each.name))
            assert version, (
                f"{each} is not in locks/{name}.txt for 3.{place[0]} on {place[1]}: run `make lock`"
            )
            assert version in each.specifier, f"locks/{name}.txt has {version}, and asked for is {each}"


@pytest.mark.parametrize("name", TABLE)
def test_every_file_is_known_by_its_hash_and_none_is_of_cuda(name: str) -> None:
    """And the locks name no host and no folder."""
    for wanted, hashes in lines_of(name):
        assert hashes, f"{wanted.name} has no hash"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes)
        assert not refresh.CUDA.fullmatch(wanted.name)
    assert "://" not in text_of(name)


def test_torch_is_the_build_for_cpus_for_every_interpreter_and_machine() -> None:
    """Any other one brings gigabytes of CUDA, or does not load without them."""
    lines = (LOCKS / "torch-cpu.sha256").read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if not line.startswith("#")]
    files = {file: f"sha256:{digest}" for digest, file in pairs}
    [(torch, hashes)] = [(each, hashes) for each, hashes in lines_of("dev") if each.name == "torch"]
    assert str(torch.specifier).endswith("+cpu")
    ours = {file: each for file, each in files.items() if each in hashes}
    assert sorted(ours.values()) == sorted(hashes)
    assert refresh.lacking(ours, {*PLACES}) == ""


def test_environments_agree() -> None:
    """What one has in common with another has the same version, so that one can become the other."""
    together = [name for name in TABLE if not TABLE[name].get("apart")]
    for place in PLACES:
        seen: dict[str, Version] = {}
        for name in together:
            for package, version in pinned(name, *place).items():
                assert seen.setdefault(package, version) == version, f"{package} in {name}"


def test_python_is_bounded_the_same_everywhere() -> None:
    """In the Makefile, the locks and what the project says of itself."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"(3, {refresh.MINORS[0]}) <= v <= (3, {refresh.MINORS[-1]})" in makefile
    said = re.findall(r"Python :: 3\.(\d+)", str(PROJECT["project"]["classifiers"]))
    assert [int(each) for each in said] == [*refresh.MINORS]


@pytest.mark.parametrize(
    ("places", "marker"),
    [
        ({(m, a) for m in (11, 12, 13, 14) for a in refresh.MACHINES}, ""),
        ({(11, "x86_64"), (11, "aarch64")}, "python_version <= '3.11'"),
        ({(12, "x86_64"), (12, "aarch64")}, "python_version >= '3.12' and python_version <= '3.12'"),
        ({(13, "x86_64"), (14, "x86_64")}, "python_version >= '3.13' and platform_machine == 'x86_64'"),
    ],
)
def test_a_marker_holds_where_it_should(places: set[tuple[int, str]], marker: str) -> None:
    """The shortest one, and it means what it was made of."""
    assert refresh.shortest(places) == marker
    assert refresh.where(marker) == places


@pytest.mark.parametrize(
    ("wheel", "there"),
    [
        ("a-1-py3-none-any.whl", True),
        ("a-1-py2.py3-none-any.whl", True),
        ("a-1-cp312-cp312-manylinux_2_28_x86_64.whl", True),
        ("a-1-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", True),
        ("a-1-cp39-abi3-manylinux_2_17_x86_64.whl", True),
        ("a-1-cp313-abi3-manylinux_2_17_x86_64.whl", False),
        ("a-1-cp312-cp312-manylinux_2_28_aarch64.whl", False),
        ("a-1-cp311-cp311-manylinux_2_28_x86_64.whl", False),
        ("a-1-cp312-cp312-musllinux_1_2_x86_64.whl", False),
        ("a-1-cp314-cp314t-manylinux_2_28_x86_64.whl", False),
        ("a-1-py2-none-any.whl", False),
    ],
)
def test_where_a_wheel_fits(wheel: str, there: bool) -> None:
    """On CPython 3.12 with glibc, x86-64."""
    assert refresh.fits(wheel, 12, "x86_64") is there


@pytest.fixture(scope="module")
def made_anew(tmp_path_factory: pytest.TempPathFactory) -> tuple[Environment, str]:
    """An environment that was interrupted and is made anew, and what is said of it."""
    environment = Environment(tmp_path_factory.mktemp("made") / "env", "base")
    environment.folder.mkdir()
    environment.unfinished.touch()
    (environment.folder / "half").touch()
    with redirect_stderr(io.StringIO()) as said:
        environment.prepare()
    return environment, said.getvalue()


@pytest.fixture
def made(made_anew: tuple[Environment, str]) -> Environment:
    """An environment that has nothing installed yet."""
    return made_anew[0]


@pytest.fixture
def pip_sees(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Nothing of this machine's configuration."""
    for name in [each for each in os.environ if each.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return monkeypatch


def sentence_of(environment: Environment, wanted: str, *flags: str) -> str:
    """What is said when it cannot be installed."""
    with pytest.raises(SystemExit) as stopped:
        environment.pip(wanted, *flags)
    said = str(stopped.value)
    assert "\n" not in said
    return said


HASHED = "iniconfig==2.0.0 --hash=sha256:" + "0" * 64 + "\n"


@pytest.mark.slow
def test_no_network_is_said_in_one_sentence(made: Environment, pip_sees: pytest.MonkeyPatch) -> None:
    """Nothing listens there; pip itself prints a page."""
    pip_sees.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert "no package index can be reached" in sentence_of(made, HASHED, "--require-hashes")
    assert made.trouble() == ""


UNRESOLVED = {
    "cause: Failed to fetch: http://127.0.0.1:9/simple/torch/\n  cause: client error (Connect)": "no package index can",
    "cause: Because a>1 depends on b and b==0.1,\n         a cannot be used.\n         And you require a.": "b==0.1, a cannot be used. And you require a.",
    'cause: no such comparison operator "=", must be ==\n         torch=2\n              ^^': "no such comparison operator",
}
"""What uv says below "error: No solution found", and the sentence for it."""


@pytest.mark.parametrize("said", UNRESOLVED)
def test_what_cannot_be_resolved_is_said_in_one_line(said: str) -> None:
    """By `make lock`, `make test-lowest` and `make test-newest`; a hint below a blank line is left out."""
    told = refresh.explained(f"error: No solution found\n  {said}\n\nhint: another\n")
    assert UNRESOLVED[said] in told
    assert not {"\n", "hint"} & {*told.split(" "), *told}


def test_a_lock_that_does_not_fit_is_said_in_one_sentence(
    made: Environment, pip_sees: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No such version for this interpreter; then one with other contents than were locked."""
    pip_sees.setenv("PIP_NO_INDEX", "1")
    pip_sees.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert "the lock does not fit: where pip looks there is no iniconfig==2.0.0" in sentence_of(made, HASHED)
    with zipfile.ZipFile(tmp_path / "iniconfig-2.0.0-py3-none-any.whl", "w") as wheel:
        about = "iniconfig-2.0.0.dist-info/"
        wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\nName: iniconfig\nVersion: 2.0.0\n")
        wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(about + "RECORD", "")
    said = sentence_of(made, HASHED, "--require-hashes")
    assert "the lock does not fit: pip was sent other files of iniconfig==2.0.0" in said


def test_an_interrupted_environment_is_made_anew(made_anew: tuple[Environment, str]) -> None:
    """Whatever is in it: pip writes a package file by file."""
    environment, said = made_anew
    assert said == "env is made anew: its installation was interrupted\n"
    assert environment.trouble() == ""
    assert not (environment.folder / "half").exists()


def test_an_environment_of_somebody_else_is_not_removed(tmp_path: Path) -> None:
    """It may hold work; one sentence says what is wrong and what to do."""
    environment = Environment(tmp_path / "env", "base")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment.folder)], check=True)
    with pytest.raises(SystemExit, match=r"^env cannot be used, it is half made.*run `make clean`"):
        environment.prepare()
    environment.python.unlink()
    assert environment.trouble() == "it has no interpreter that starts"
    environment.python.write_text("#!/bin/sh\necho 3.10.1\n")
    environment.python.chmod(0o755)
    assert environment.trouble().startswith("it was made by Python 3.10.1, and this is 3.1")


def test_what_is_complete_is_left_alone(tmp_path: Path) -> None:
    """So is what holds all that is wanted, and a changed lock is not taken for the one that was installed."""
    environment = Environment(tmp_path, "base")
    wanted = environment.lock()
    assert not environment.complete(wanted)
    (tmp_path / ".dev").write_text(environment.digest(environment.lock("dev")), encoding="utf-8")
    assert environment.complete(wanted)
    assert not environment.complete(wanted + "another==1.0 --hash=sha256:00\n")
    assert not Environment(tmp_path, "page").complete(environment.lock("page"))
    (tmp_path / ".dev").write_text("", encoding="utf-8")
    assert not environment.complete(wanted)


def test_an_unknown_environment_is_said_in_one_sentence(tmp_path: Path) -> None:
    """With the names of those that there are."""
    with pytest.raises(
        SystemExit, match=r"^locks/environments\.toml has no environment deb, but base, train"
    ):
        install.Environment(tmp_path, "deb")
