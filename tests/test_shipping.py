"""What builds, tests and publishes a release elsewhere does what is done here, and holds no secret."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

from tests.support import ROOT

WORKFLOWS = ROOT / ".github" / "workflows"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def workflow(name: str) -> dict[Any, Any]:
    """As GitHub reads it; YAML makes True of the key `on`."""
    found: dict[Any, Any] = yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))
    return found


def commands(job: dict[str, Any]) -> str:
    """What a job runs."""
    return "\n".join(step.get("run", "") for step in job["steps"])


def test_ci_runs_what_is_run_here() -> None:
    """The same script; the site is built as `make docs` builds it."""
    jobs = workflow("ci.yml")["jobs"]
    assert "./.ci/run" in commands(jobs["test"])
    assert "make docs" in commands(jobs["docs"])
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_a_release_is_published_without_a_secret() -> None:
    """By the identity of the workflow, which one job alone can ask for; it builds nothing, and runs no code of ours."""
    release = workflow("release.yml")
    jobs = release["jobs"]
    assert release[True] == {"push": {"tags": ["v*"]}}
    assert "secrets." not in (WORKFLOWS / "release.yml").read_text(encoding="utf-8")
    assert release["permissions"] == {"contents": "read"}
    asking = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert asking == {"publish": {"id-token": "write"}, "announce": {"contents": "write"}}
    assert not re.search(r"pip|python|make|checkout", commands(jobs["publish"]))
    assert not any("checkout" in step.get("uses", "") for step in jobs["publish"]["steps"])
    assert jobs["publish"]["needs"] == "try"
    assert jobs["try"]["needs"] == "build"
    assert "make release-check" in commands(jobs["build"])


def test_every_supported_python_tries_the_wheel() -> None:
    """Those that the classifiers name."""
    named = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each]
    assert workflow("release.yml")["jobs"]["try"]["strategy"]["matrix"]["python"] == named


def test_the_image_installs_the_wheel_with_extras_that_exist() -> None:
    """For a user without rights; the pages give the arguments that there are."""
    [extras] = re.findall(r"^ARG EXTRAS=(.*)$", DOCKERFILE, re.MULTILINE)
    assert set(extras.split(",")) <= {*PROJECT["optional-dependencies"]}
    assert re.search(r"^USER 1000$", DOCKERFILE, re.MULTILINE)
    arguments = set(re.findall(r"^ARG (\w+)", DOCKERFILE, re.MULTILINE))
    for page in (ROOT / "docs" / "install.md", ROOT / "Dockerfile"):
        assert set(re.findall(r"--build-arg (\w+)=", page.read_text(encoding="utf-8"))) <= arguments
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    needed = {"README.md", "LICENSE", "hatch_build.py", "pyproject.toml", "fixtures", "verifiers", "rewards"}
    assert not needed & set(ignored)
