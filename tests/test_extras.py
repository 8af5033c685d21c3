"""Each extra has a program that uses what it is for (`make test-extras` runs them), and stands in the documents."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest

from tests.extras import __main__ as runner
from tests.support import ROOT

EXTRAS = runner.extras()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEVELOPERS = {"bench", "mutants", "dev"}
"""For work on the library: what they bring is used in benchmarks/, tests/ and the Makefile."""
OURS = {"verifiers", "rewards", "adapters", "training"}
PROGRAMS = {
    node.name.rstrip("_"): node
    for node in ast.parse(runner.PROGRAMS.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
}


def test_every_extra_has_a_program_and_no_program_is_left_over() -> None:
    """Who declares an extra writes down what it is for."""
    assert {*PROGRAMS} == {*EXTRAS}


@pytest.mark.parametrize("extra", sorted({*EXTRAS} - DEVELOPERS - {"all"}))
def test_an_extra_has_code_behind_it(extra: str) -> None:
    """Its program uses something of ours, and that is what says that the extra is missing."""
    imported = {
        name.partition(".")[0]
        for node in ast.walk(PROGRAMS[extra])
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        )
    }  # fmt: skip
    assert imported & (OURS | {"tests"})
    code = "\n".join(
        path.read_text(encoding="utf-8") for package in OURS for path in (ROOT / package).rglob("*.py")
    )
    assert re.search(rf'"{extra}"|``{extra}``', code), "nothing in the packages names this extra"


def test_all_is_every_extra_for_users() -> None:
    """None is forgotten, and none of the developers' is in it."""
    [everything] = PROJECT["optional-dependencies"]["all"]
    named = set(everything.partition("[")[2].rstrip("]").split(","))
    assert named == {*EXTRAS} - DEVELOPERS - {"all"}


def test_install_md_tells_of_every_extra() -> None:
    """And of none that is not there."""
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == {*EXTRAS}


def test_commands_of_the_documents_name_extras_that_exist() -> None:
    """`pip install ".[train]"` and the like, wherever they stand."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "training").rglob("*.yaml")]:
        text = page.read_text(encoding="utf-8")
        named = re.findall(r"(?:reward-verifiers|install [\"']?\.)\[([\w,]+)\]", text)
        assert {extra for names in named for extra in names.split(",")} <= {*EXTRAS}, page


def test_torch_is_installed_first_where_an_extra_brings_it() -> None:
    """By itself or by another extra; as a dependency pip might take another build."""
    assert {extra for extra in EXTRAS if runner.wants_torch(extra)} == {"metrics", "train", "qlora", "all"}
