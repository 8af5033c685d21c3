"""What the wheel holds, and what happens next to packages of the same names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

import hatch_build
from tests.support import ROOT, first_of_each

SHORT = ("verifiers", "rewards", "adapters", "training")
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
    assert top == {"reward_verifiers", *(f"{name}.py" for name in SHORT)}
    for place in ("", *(f"{name}/" for name in SHORT)):
        assert f"reward_verifiers/{place}py.typed" in names
    inside = {name.removeprefix("reward_verifiers/") for name in names}
    assert any(name.startswith("adapters/cli/completions/") for name in inside)
    sources = {str(path.relative_to(ROOT)) for name in SHORT for path in (ROOT / name).rglob("*.py")}
    assert sources <= inside
    assets = {path.name for path in (ROOT / "adapters" / "report" / "assets").iterdir()}
    assert {f"adapters/report/assets/{name}" for name in assets} <= inside


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
    return subprocess.run([python, "-c", code], env=environment, cwd=cwd or site.parents[2],
                          capture_output=True, text=True, check=False)  # fmt: skip


CLI = "from reward_verifiers.verifiers.runtime.console_scripts import {0}; {0}()"
SCRIPT = """
import concurrent.futures, multiprocessing, rewards, training, verifiers
from reward_verifiers import MathEquivalence, verifier
from reward_verifiers.adapters.trl import trl_reward_func
from reward_verifiers.rewards import Pay, load_recipe

if __name__ == "__main__":
    isolated = verifier(lambda response, reference: response == reference, isolate=True, version="1")
    reward = Pay(MathEquivalence()) + Pay(isolated)
    print(trl_reward_func(reward)(completions=["42", "41"], answer=["42", "42"], prompts=["", ""]))
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        print(pool.submit(MathEquivalence().verify, "42", "42").result().reason)
    print(verifiers.__file__, rewards.__file__, training.__file__, sep="\\n")
"""
STRANGER = "def MathEquivalence(): raise SystemExit('not ours')\n"


def test_the_installed_wheel_works(site: Path, tmp_path: Path) -> None:
    """From a folder that is not the checkout, the bundled completions included."""
    done = _run(site, "import sys; sys.argv = ['verify-cli', 'demo']\n" + CLI.format("cli"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "MathEquivalence" in done.stdout
    same = (
        "import adapters.trl, rewards, verifiers.core, reward_verifiers.rewards, training.environment\n"
        "assert rewards.Pay is reward_verifiers.rewards.Pay\n"
        "assert verifiers.ExactMatch is reward_verifiers.ExactMatch\n"
        "print(verifiers.__file__)"
    )
    assert str(site / "reward_verifiers") in _run(site, same, cwd=tmp_path).stdout


@pytest.fixture(scope="module")
def crowded(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a rewards.py and a folder training, in an environment with another `verifiers`."""
    project = tmp_path_factory.mktemp("project")
    (project / "rewards.py").write_text(STRANGER)
    (project / "training").mkdir()
    (project / "training" / "__init__.py").write_text(STRANGER)
    (site / "verifiers").mkdir()
    (site / "verifiers" / "__init__.py").write_text(STRANGER)
    yield project
    shutil.rmtree(site / "verifiers")


def test_another_package_of_a_short_name_is_no_obstacle(site: Path, crowded: Path) -> None:
    """The long name works in this process, in workers and by pickles; each short name leads where it led."""
    (crowded / "script.py").write_text(SCRIPT)
    run = "import runpy, sys; sys.path.insert(0, ''); runpy.run_path('script.py', run_name='__main__')"
    done = _run(site, run, cwd=crowded)
    assert done.returncode == 0, done.stderr
    paid, reason, *files = done.stdout.split("\n")
    assert (paid, reason) == ("[2.0, 0.0]", "equal_text")
    wanted = [
        site / "verifiers" / "__init__.py",
        crowded / "rewards.py",
        crowded / "training" / "__init__.py",
    ]
    assert [Path(crowded, file) for file in files if file] == wanted


def test_it_is_said_once_who_has_a_short_name(site: Path, crowded: Path) -> None:
    """With the file and what to write instead; not again in processes that this one starts."""
    code = (
        "import subprocess, sys; sys.path.insert(0, '')\n"
        "import reward_verifiers, reward_verifiers.rewards\n"
        "subprocess.run([sys.executable, '-c', 'import reward_verifiers'], check=True)\n"
    )
    done = _run(site, code, cwd=crowded)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("NameTakenWarning: ") == 1
    for name, place in (
        ("verifiers", site / "verifiers" / "__init__.py"),
        ("rewards", crowded / "rewards.py"),
        ("training", crowded / "training" / "__init__.py"),
    ):
        assert f"`{name}` is {place}" in done.stderr
    assert "`adapters`" not in done.stderr
    assert "write `from reward_verifiers import ...`" in done.stderr


@pytest.mark.parametrize(
    "command", first_of_each(["verify-cli list", "verify-cli doctor", "verify-train --help"])
)
def test_commands_work_beside_strangers(site: Path, crowded: Path, command: str) -> None:
    """They import by the long name alone."""
    start = CLI.format("train" if "train" in command else "cli")
    done = _run(
        site, f"import sys; sys.path.insert(0, ''); sys.argv = {command.split()}\n" + start, cwd=crowded
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


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
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths},
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
