"""A program inside a fenced code block."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ._base import Extraction, Extractor

_FENCE = re.compile(r"(?m)^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*$")


@dataclass(frozen=True, repr=False)
class CodeBlock(Extractor):
    """The last fenced code block.

    A fence that was opened last and never closed holds a truncated program, so there is no answer.

    Args:
        language: Names that the fence's info string may carry, for example ``("python", "py")``;
            empty for any. A fence without a name always counts.

    >>> CodeBlock("python").extract("```python\\nprint(1)\\n```").text
    'print(1)\\n'
    """

    language: str | tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.language, str):
            object.__setattr__(self, "language", tuple(self.language))
        super().__post_init__()

    def extract(self, text: str) -> Extraction | None:
        """See `Extractor.extract`."""
        names = (self.language,) if isinstance(self.language, str) else self.language
        wanted = {name.casefold() for name in names}
        found: tuple[int, int] | None = None
        opened: re.Match[str] | None = None
        for fence in _FENCE.finditer(text):
            if opened is None:
                opened = fence
            elif not fence.group(2) and fence.group(1).startswith(opened.group(1)):
                if _counts(opened, wanted):
                    found = (min(opened.end() + 1, fence.start()), fence.start())
                opened = None
        if opened is not None and _counts(opened, wanted):
            return Extraction(None, (opened.end(), len(text)), "code_block", "the last block is not closed")
        if found is None:
            return None
        code = text[slice(*found)]
        if not code.strip():
            return Extraction(None, found, "code_block", "the block is empty")
        return Extraction(code, found, "code_block")


def _counts(fence: re.Match[str], wanted: set[str]) -> bool:
    name = fence.group(2).casefold().strip("{}.")
    return not wanted or not name or name in wanted
