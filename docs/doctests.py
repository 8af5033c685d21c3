"""Sets the examples of docstrings as code: Markdown would take their brackets for links."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?m)^( *)>>> (?:.*\n?(?!\s*\n))*.*\n?")


class Doctests(griffe.Extension):
    """Puts a fence around each block of a docstring that begins with ``>>>``."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of each object that is found."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(found: re.Match[str]) -> str:
    return f"{found[1]}```pycon\n{found[0].rstrip()}\n{found[1]}```\n"
