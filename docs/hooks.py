"""What the site has beyond the pages: the reference, made from the docstrings of all public names."""

from __future__ import annotations

import ast
import re
from html import unescape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_OUTSIDE = re.compile(
    r"\[([^\]\n]+)\]\((?:\.\./)+(?!presets/|hosts/|tutorials/|images/)([\w./-]+)(?:#[\w-]+)?\)"
)
"""A link that leaves the folder of the pages; those that stay are put back by `_kept`."""
ADAPTERS = ("adapters.trl", "adapters.trl_rewards")


def public_names(package: str) -> dict[str, str]:
    """The public names of a package, each with the path of its definition, from the block that lists them."""
    tree = ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))
    return {
        alias.name: f"{package}.{node.module}.{alias.name}"
        for block in tree.body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def _listed(title: str, purpose: str, paths: list[str]) -> str:
    return "\n".join([f"# {title}", "", purpose, "", *(f"::: {path}\n" for path in paths)])


def pages() -> dict[str, str]:
    """The pages of the reference by their addresses."""
    names = public_names("verifiers")
    kinds = {
        "extractors": [path for path in names.values() if ".extract." in path],
        "core": [path for path in names.values() if re.match(r"verifiers\.(core|errors)\.", path)],
    }
    others = [path for path in names.values() if path not in kinds["extractors"] + kinds["core"]]
    return {
        "reference/verifiers.md": _listed(
            "Verifiers",
            "Import each of them from `verifiers`: `from verifiers import MathEquivalence`.",
            [*sorted(others, key=lambda path: path.rpartition(".")[2]), *kinds["core"]],
        ),
        "reference/extractors.md": _listed(
            "Extractors",
            "Import each of them from `verifiers`; [Extraction](../extract.md) says how to choose.",
            kinds["extractors"],
        ),
        "reference/rewards.md": _listed(
            "Rewards", "Import each of them from `rewards`: `from rewards import Pay`.",
            list(public_names("rewards").values()),
        ),
        "reference/adapters.md": _listed(
            "Adapters", "What connects rewards to TRL; the other hosts have a page each.", list(ADAPTERS)
        ),
    }  # fmt: skip


def on_files(files: Any, config: Any) -> Any:
    """Add the reference."""
    from mkdocs.structure.files import File  # which only the site's environment has

    for address, text in pages().items():
        files.append(File.generated(config, address, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A link to what is no page of the site becomes the name of the file."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def kept(found: re.Match[str]) -> str:
        target = (folder / found[0].rpartition("(")[2].rstrip(")").partition("#")[0]).resolve()
        return found[0] if (ROOT / "docs") in target.parents else f"{found[1]} (`{found[2]}`)"

    return _OUTSIDE.sub(kept, markdown)


_PAGES: list[tuple[str, str, str]] = []


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Remember the title, the address and the first sentence of each page."""
    paragraph = re.search(r"<p>(.*?)</p>", html, re.DOTALL)
    plain = unescape(re.sub(r"<[^>]+>", "", paragraph[1])) if paragraph else ""
    first = re.split(r"(?<=[.다])\s", " ".join(plain.split()), maxsplit=1)[0]
    _PAGES.append((str(page.title), page.url, first))
    return html


def on_post_build(config: Any, **_: Any) -> None:
    """Write llms.txt (llmstxt.org): the pages for programs that read the documentation."""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    lines += [f"- [{title}]({url}): {first}" for title, url, first in _PAGES]
    (Path(config.site_dir) / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
