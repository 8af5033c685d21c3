"""What the wheel holds, and what happens next to packages of the same names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

import hatch_build
from tests.support import ROOT

OURS = {"verifiers", "rewards", "adapters", "training", "reward_verifiers"}
ANTLR_OLDEST = ROOT / ".venv" / "antlr-4.9.3"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return next(out.glob("*.whl"))


def test_the_wheel_holds_our_packages_and_nothing_else(wheel: Path) -> None:
    """A top-level `tests` or `fixtures` in site-packages would be everybody's."""
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    assert top == OURS
    for package in OURS:
        assert f"{package}/py.typed" in names
    assert any(name.startswith("adapters/cli/completions/") for name in names)
    assets = {path.name for path in (ROOT / "adapters" / "report" / "assets").iterdir()}
    assert {f"adapters/report/assets/{name}" for name in assets} <= set(names)


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    """What an index reads of it."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return message_from_string(archive.read(name).decode("utf-8"))


def test_an_index_shows_no_link_that_leads_nowhere(metadata: Message) -> None:
    """It shows the README without the files around it."""
    shown = str(metadata.get_payload())
    links = re.findall(r"\]\(([^)]+)\)", shown)
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert "docs/install.md" in shown
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_who_made_it_and_where_it_is(metadata: Message) -> None:
    """The addresses are those of the home in pyproject.toml, and none are made up without one."""
    hooks = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["metadata"]["hooks"]
    wanted = hatch_build.addresses(hooks["custom"]["home"])
    assert dict(each.split(", ", 1) for each in metadata.get_all("Project-URL", [])) == wanted
    assert "contributors" in metadata["Author"]


def test_every_link_of_the_readme_leads_to_the_home() -> None:
    """Once there is one: those within the repository, and no others."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    home = "https://host.example/us/lib"
    before = re.findall(r"\]\(([^)]+)\)", text)
    after = re.findall(r"\]\(([^)]+)\)", hatch_build.published(text, home, "1.2.3"))
    assert after == [
        link if link.startswith(("https:", "#")) else f"{home}/blob/v1.2.3/{link}" for link in before
    ]
    assert set(hatch_build.addresses(home)) >= {"Homepage", "Documentation", "Issues", "Changelog"}


def test_a_link_keeps_what_it_says() -> None:
    """Its text, and the file where the text does not name it."""
    given = "[guide](docs/a.md), [`cli`](docs/b.md), [c.md](c.md), [PyPI](https://pypi.org), [up](#top)"
    assert hatch_build.published(given, "", "1.0") == (
        "guide (docs/a.md), `cli` (docs/b.md), c.md, [PyPI](https://pypi.org), [up](#top)"
    )


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel in it; dependencies come from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    packages = next((folder / "lib").glob("python*")) / "site-packages"
    zipfile.ZipFile(wheel).extractall(packages)
    dependencies = [entry for entry in sys.path if entry.endswith("site-packages")]
    # A .pth file comes after site-packages itself; the editable install of the tree must stay out.
    (packages / "dependencies.pth").write_text("\n".join(dependencies))
    return packages


def _run(
    site: Path, code: str, *more_paths: Path, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    python = site.parents[2] / "bin" / "python"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if more_paths:
        environment["PYTHONPATH"] = os.pathsep.join(map(str, more_paths))
    return subprocess.run(
        [python, "-c", code],
        env=environment,
        cwd=cwd or site.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )


CLI = "from verifiers.runtime.console import cli; cli()"


def test_the_installed_wheel_works(site: Path, tmp_path: Path) -> None:
    """From a folder that is not the checkout, the bundled completions included."""
    done = _run(site, "import sys; sys.argv = ['verify-cli', 'demo']\n" + CLI, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "MathEquivalence" in done.stdout
    where = _run(site, "import verifiers; print(verifiers.__file__)", cwd=tmp_path).stdout
    assert str(site) in where


@pytest.mark.parametrize("name", ["rewards", "adapters", "training"])
def test_a_foreign_package_is_named(site: Path, tmp_path: Path, name: str) -> None:
    """One sentence says whose package it is, where it lies and what to do."""
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").write_text("VERSION = '1.3.0'\n")
    done = _run(site, "import sys; sys.argv = ['verify-cli', 'list']\n" + CLI, tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert f"`import {name}` finds" in done.stderr
    assert str(package) in done.stderr
    assert "virtual environment" in done.stderr


def test_a_local_rewards_module_is_named(site: Path, tmp_path: Path) -> None:
    """The most common clash of all: a rewards.py next to the training script."""
    (tmp_path / "rewards.py").write_text("def my_reward(): ...\n")
    done = _run(site, "import sys; sys.path.insert(0, ''); import adapters", cwd=tmp_path)
    assert done.returncode == 1
    assert "ImportError: `import rewards` finds a local module" in done.stderr
    assert "rename the local module" in done.stderr


def test_a_foreign_verifiers_is_named_by_each_package(site: Path, tmp_path: Path) -> None:
    """PrimeIntellect's package: rewards cannot trust anything of it, so it says so itself."""
    package = tmp_path / "verifiers"
    package.mkdir()
    (package / "__init__.py").write_text("__version__ = '0.4.0'\n")
    for name in ("rewards", "adapters", "training"):
        done = _run(site, f"import {name}", tmp_path)
        assert done.returncode == 1
        assert "which is another package and not reward-verifiers's" in done.stderr
        assert str(package) in done.stderr


def test_a_foreign_verifiers_that_overwrote_ours_is_named(site: Path, tmp_path: Path) -> None:
    """pip overwrites the files of the same names; ours that have no counterpart stay."""
    init = site / "verifiers" / "__init__.py"
    ours = init.read_text()
    try:
        init.write_text("__version__ = '0.4.0'\n")
        done = _run(site, "import sys; sys.argv = ['verify-cli', 'list']\n" + CLI, cwd=tmp_path)
    finally:
        init.write_text(ours)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "virtual environment" in done.stderr


@pytest.mark.skipif(not ANTLR_OLDEST.is_dir(), reason="the oldest parser runtime is installed by `make test`")
def test_the_oldest_parser_runtime_works() -> None:
    """hydra and omegaconf hold antlr4 at 4.9.3; the sympy stage must work with them installed."""
    code = (
        "import antlr4, verifiers; from importlib.metadata import version\n"
        "assert version('antlr4-python3-runtime') == '4.9.3', version('antlr4-python3-runtime')\n"
        "from verifiers import MathEquivalence\n"
        "verdict = MathEquivalence().verify(r'\\boxed{\\sum_{k=1}^n k^3}', r'\\frac{n^2(n+1)^2}{4}')\n"
        "assert verdict.reason == 'equal_symbolic', verdict"
    )
    paths = os.pathsep.join([str(ANTLR_OLDEST), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_trl_is_given_as_a_range() -> None:
    """A pin would force every user's trainer."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [trl] = [each for each in project["optional-dependencies"]["train"] if each.startswith("trl")]
    assert ">=" in trl
    assert "==" not in trl
