"""The site has every page and every public name; `make docs` itself fails at a warning."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

import rewards
import verifiers
from rewards.recipe import preset_names
from tests.support import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    """docs/hooks.py, which makes the reference."""
    spec = importlib.util.spec_from_file_location("site_hooks", DOCS / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_the_navigation(hooks: ModuleType) -> None:
    """And the navigation has no others."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} | hooks.pages().keys()
    assert sorted(re.findall(r"[\w./-]+\.md", text)) == sorted(there)


def test_every_public_name_is_in_the_reference(hooks: ModuleType) -> None:
    """Once, by the module that defines it."""
    listed = [
        line for page in hooks.pages().values() for line in page.splitlines() if line.startswith("::: ")
    ]
    names = [line.rpartition(".")[2] for line in listed if not line.startswith("::: adapters.")]
    public = [*verifiers.__all__, *rewards.__all__]
    assert sorted(names) == sorted(name for name in public if not name.startswith("_"))


def test_links_out_of_the_pages_become_names(hooks: ModuleType) -> None:
    """The site is served without the repository around it."""

    class Page:
        class file:
            src_uri = "tutorials/gsm8k.md"

    text = "see [training](../training.md#data) and [how to help](../../CONTRIBUTING.md#set-up)"
    assert hooks.on_page_markdown(text, Page()) == (
        "see [training](../training.md#data) and how to help (`CONTRIBUTING.md`)"
    )
    named = "[math.md](../math.md), [rewards.md](../rewards.md#none-is-not-zero)"
    assert hooks.on_page_markdown(named, Page()) == (
        "[Mathematical answers](../math.md), [None is not zero](../rewards.md#none-is-not-zero)"
    )


def test_recipes_are_put_into_their_page(hooks: ModuleType) -> None:
    """With a table of what they reward, tags included."""
    page = (DOCS / "rewards.md").read_text(encoding="utf-8")
    made = hooks.with_recipes(page)
    assert "<!--" not in made
    assert "A right number in &lt;SOLUTION&gt; earns 1" in made
    assert made.count("```yaml") - page.count("```yaml") == len(preset_names())
