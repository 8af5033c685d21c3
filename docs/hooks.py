"""What the site has beyond the pages: the reference, made from the docstrings of all public names."""

from __future__ import annotations

import ast
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
_OUTSIDE = re.compile(r"\[([^\]\n]+)\]\((?:\.\./)+(?!tutorials/|images/)([\w./-]+)(?:#[\w-]+)?\)")
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


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _listed(title: str, paths: list[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"::: {path}\n" for path in paths)]


def pages() -> dict[str, str]:
    """The pages of the reference by their addresses."""
    names = public_names("verifiers")
    kinds = {
        "extractors": [path for path in names.values() if ".extract." in path],
        "core": [path for path in names.values() if re.match(r"verifiers\.(core|errors)\.", path)],
    }
    others = [path for path in names.values() if path not in kinds["extractors"] + kinds["core"]]
    return {
        "reference/verifiers.md": "\n".join(
            [
                "# Verifiers and extractors",
                "",
                "Import each of them from `verifiers`, or from `reward_verifiers`.",
                *_listed("Verifiers", sorted(others, key=_last)),
                *_listed("Base classes, verdicts and errors", kinds["core"]),
                *_listed("Extractors", sorted(kinds["extractors"], key=_last)),
            ]
        ),
        "reference/rewards.md": "\n".join(
            [
                "# Rewards and adapters",
                "",
                "Import rewards from `rewards`, or from `reward_verifiers.rewards`.",
                *_listed("Rewards", sorted(public_names("rewards").values(), key=_last)),
                *_listed("Adapters for TRL", list(ADAPTERS)),
            ]
        ),
    }


_RECIPE = re.compile(r"(?m)^<!-- recipe: (\w+) -->$")


def with_recipes(markdown: str) -> str:
    """The page of the presets with their recipes, and with the table of what each rewards."""
    texts = {
        name: (ROOT / "rewards" / "presets" / f"{name}.yaml").read_text(encoding="utf-8").strip()
        for name in _RECIPE.findall(markdown)
    }
    rows = [
        f"| [`{name}`](#{name}) | {escape(' '.join(yaml.safe_load(text)['description'].split()))} |"
        for name, text in texts.items()
    ]
    table = "\n".join(["| preset | reward |", "|---|---|", *rows])
    markdown = markdown.replace("<!-- presets -->", table)
    return _RECIPE.sub(lambda found: f"```yaml\n{texts[found[1]]}\n```", markdown)


_NAMED = re.compile(r"\[[\w-]+\.md\]\((?P<page>(?:\.\./)?[\w-]+\.md)(?:#(?P<part>[\w-]+))?\)")
"""A link whose text is a file's name, as it reads well in the repository."""


def _titled(found: re.Match[str]) -> str:
    """The same link with the title of the page, or of the part of it, which reads well on the site."""
    text = (ROOT / "docs" / found["page"].rpartition("/")[2]).read_text(encoding="utf-8")
    titles = [line.lstrip("#").strip() for line in text.splitlines() if line.startswith("#")]
    slugs = {re.sub(r"[^\w-]", "", title.lower().replace(" ", "-")): title for title in titles}
    return f"[{slugs.get(found['part'] or '', titles[0])}]{found[0].partition(']')[2]}"


def on_files(files: Any, config: Any) -> Any:
    """Add the reference."""
    from mkdocs.structure.files import File  # which only the site's environment has

    for address, text in pages().items():
        files.append(File.generated(config, address, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Recipes are put in, and a link to what is no page of the site becomes the name of the file."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def kept(found: re.Match[str]) -> str:
        target = (folder / found[0].rpartition("(")[2].rstrip(")").partition("#")[0]).resolve()
        return found[0] if (ROOT / "docs") in target.parents else f"{found[1]} (`{found[2]}`)"

    return _NAMED.sub(_titled, _OUTSIDE.sub(kept, with_recipes(markdown)))


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
