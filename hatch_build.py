"""What of a built package depends on where it is published: its addresses, and the links of its README.

PyPI shows the README away from the repository, where a link to docs/install.md leads nowhere. With a `home`
in pyproject.toml (`tool.hatch.metadata.hooks.custom`) such links lead to the files of this version there, and
the addresses are part of the metadata. Without one there is nothing true to link to: a link becomes its text
and the file's name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?!https?:|#)(?P<path>[^)\s]+)\)")


def addresses(home: str) -> dict[str, str]:
    """Where the published project is found, by what is found there; nothing without a home."""
    if not home:
        return {}
    pages = {
        "Homepage": "",
        "Documentation": "/tree/main/docs",
        "Source": "",
        "Issues": "/issues",
        "Changelog": "/blob/main/CHANGELOG.md",
    }
    return {name: home + path for name, path in pages.items()}


def published(readme: str, home: str, version: str) -> str:
    """The README with links that lead somewhere from wherever it is shown."""

    def link(found: re.Match[str]) -> str:
        text, path = found["text"], found["path"]
        if home:
            return f"[{text}]({home}/blob/v{version}/{path})"
        return text if text.strip("`") == path else f"{text} ({path})"

    return _LINK.sub(link, readme)


class Published(MetadataHookInterface):
    """Fills in `readme` and `urls`, which pyproject.toml calls dynamic."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Called with what pyproject.toml says."""
        home = self.config.get("home", "").rstrip("/")
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = published(readme, home, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses(home)
