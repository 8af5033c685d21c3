"""A program inside a fenced code block."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor

_FENCE = re.compile(r"(?m)^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<name>[^\s`]*)[^\n`]*$")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class CodeBlock(Extractor):
    """The last fenced code block.

    A fence that was opened last and never closed holds a truncated program, so there is no answer. The
    indentation of a fence, in a list item for example, is taken off its lines.

    Args:
        language: Names that the fence's info string may carry, for example ``("python", "py")``;
            empty for any. Blocks without a name count where none carries one of these.

    >>> CodeBlock("python").extract("```python\\nprint(1)\\n```").text
    'print(1)\\n'
    """

    language: str | tuple[str, ...] = ()

    def extract(self, text: str) -> Extraction | None:
        names = (self.language,) if isinstance(self.language, str) else self.language
        wanted = {name.casefold() for name in names}
        named: Extraction | None = None
        unnamed: Extraction | None = None
        opened: re.Match[str] | None = None
        for fence in _FENCE.finditer(text):
            if opened is None:
                opened = fence
            elif not fence.group("name") and fence.group("mark").startswith(opened.group("mark")):
                if _name(opened) in wanted:
                    named = _block(text, opened, fence)
                elif not wanted or not _name(opened):
                    unnamed = _block(text, opened, fence)
                opened = None
        if opened is not None:
            open_end = Extraction(
                None, (opened.end(), len(text)), "code_block", "the last block is not closed"
            )
            if _name(opened) in wanted:
                named = open_end
            elif not wanted or not _name(opened):
                unnamed = open_end
        return named or unnamed


def _name(fence: re.Match[str]) -> str:
    """The language of a block: ``python`` of ``{.python}``, ``Python:main.py`` and ``python,ignore``."""
    return re.split(r"[:,{}]", fence.group("name").strip("{}."), maxsplit=1)[0].casefold()


def _block(text: str, opened: re.Match[str], closed: re.Match[str]) -> Extraction:
    span = (min(opened.end() + 1, closed.start()), closed.start())
    code = text[slice(*span)]
    if not code.strip():
        return Extraction(None, span, "code_block", "the block is empty")
    if indent := len(opened.group("indent")):
        # Inside a list item the fence's own indentation belongs to the list (CommonMark, section 4.5).
        code = re.sub(rf"(?m)^[ \t]{{1,{indent}}}", "", code)
    return Extraction(code, span, "code_block")
