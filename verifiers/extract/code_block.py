"""A program inside a fenced code block."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from ..core.extraction import EXTRACTORS, Extraction, Extractor
from ..runtime.patterns import lazy

# The marks of a block quote are possessive: "> > >" could be read in as many ways as it has spaces otherwise.
_FENCE = lazy(
    r"(?m)^(?P<quote>(?:[ \t]{0,3}+>)*+)(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})(?P<name>[ \t]*[^\s`]*)"
    r"[^\n`]*$"
)
_WITHIN = lazy(
    r"(?m)(?P<quote>)(?P<indent>)(?<!`)(?P<mark>```)(?!`)(?P<name>(?:[A-Za-z][\w+#.-]{0,20})?)"
    r"(?P<end>(?:[ \t}]|<[^>\n]{1,40}>){0,9})$"
)
"""A mark within a line that ends with it, but for a language, signs of the end and a closing brace."""

Closes = Callable[[str, int, Iterator[int]], int]
"""Of a block's language, the start of its code and the places where fences could close it: which does, as
a position. It need not look at all of them."""


@dataclass(frozen=True)
class Fenced:
    """A fenced block.

    Args:
        name: The language that its fence names, folded; "" for none.
        found: Its code with its span; without text where the block is empty or never closed.
    """

    name: str
    found: Extraction


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class CodeBlock(Extractor):
    """The last fenced code block.

    If the last fence never closes, the program is truncated and there is no answer. The indentation of a
    fence, for example in a list item, is removed from its lines, and so are the marks of a block quote around
    it.

    Args:
        language: Accepted names of the block, for example ``("python", "py")``; empty accepts any. Blocks
            without a name count if no block has one of these.

    >>> CodeBlock("python").extract("```python\\nprint(1)\\n```").text
    'print(1)\\n'
    """

    language: str | tuple[str, ...] = ()

    def extract(self, text: str) -> Extraction | None:
        names = (self.language,) if isinstance(self.language, str) else self.language
        wanted = {name.casefold() for name in names}
        named: Extraction | None = None
        unnamed: Extraction | None = None
        for block in readable_blocks(text):
            if block.name in wanted:
                named = block.found
            elif not wanted or not block.name:
                unnamed = block.found
        return named or unnamed


def readable_blocks(text: str, closes: Closes | None = None) -> list[Fenced]:
    """All fenced blocks of a text; where they do not end well, marks in the middle of lines count as well.

    ``print(1)``` `` ends a block that nothing else ends, and ``\\boxed{```python`` begins one.

    Args:
        text: The text.
        closes: Which of the fences that could close a block does; None for the first.
    """
    found = fenced_blocks(text, closes)
    if found and found[-1].found.text is not None:
        return found
    looser = fenced_blocks(text, closes, within=True)
    return looser if looser and looser[-1].found.text is not None else found


def fenced_blocks(text: str, closes: Closes | None = None, *, within: bool = False) -> list[Fenced]:
    """All fenced blocks of a text, in order; the last may be one that is never closed.

    Args:
        text: The text.
        closes: Which of the fences that could close a block does; None for the first.
        within: Whether fences may begin in the middle of a line.
    """
    fences = list(_FENCE.finditer(text))
    if within:
        taken = {fence.start("mark") for fence in fences}
        fences += [fence for fence in _WITHIN.finditer(text) if fence.start("mark") not in taken]
        fences.sort(key=lambda fence: fence.start("mark"))
    found: list[Fenced] = []
    at = 0
    while at < len(fences):
        opened, name = fences[at], _name(fences[at])
        end = next(_ends(fences, at), None)
        if end is None:
            span, problem = (opened.end(), len(text)), "the last block is not closed"
            found.append(Fenced(name, Extraction(None, span, "code_block", problem)))
            break
        if closes is not None and (skipped := closes(name, opened.end(), _starts(fences, at))):
            end = next(islice(_ends(fences, at), skipped, None))
        found.append(Fenced(name, _block(text, opened, fences[end])))
        at = end + 1
    return found


def _ends(fences: list[re.Match[str]], at: int) -> Iterator[int]:
    """The fences that could close the one at a position."""
    opened = fences[at]
    depth = opened.group("quote").count(">")
    for later in range(at + 1, len(fences)):
        fence = fences[later]
        if (
            not _OPENS.match(fence.group("name"))
            and fence.group("mark").startswith(opened.group("mark"))
            and fence.group("quote").count(">") == depth
        ):
            yield later


_OPENS = lazy(r"[^\W\d_]|\{\.?[^\W\d_]")
"""What follows a mark directly and names a language: such a fence closes nothing, and any other does,
whatever stands after it: signs of the end, prose, a brace."""


def _starts(fences: list[re.Match[str]], at: int) -> Iterator[int]:
    return (fences[end].start() for end in _ends(fences, at))


def _name(fence: re.Match[str]) -> str:
    """The language of a block: ``python`` of ``{.python}``, ``Python:main.py`` and ``python,ignore``."""
    return re.split(r"[:,{}]", fence.group("name").strip("{}. \t"), maxsplit=1)[0].casefold()


def _block(text: str, opened: re.Match[str], closed: re.Match[str]) -> Extraction:
    span = (min(opened.end() + 1, closed.start()), closed.start())
    code = text[slice(*span)]
    if not code.strip():
        return Extraction(None, span, "code_block", "the block is empty")
    if depth := opened.group("quote").count(">"):
        code = re.sub(rf"(?m)^(?:[ \t]{{0,3}}+>){{1,{depth}}}", "", code)
    if indent := len(opened.group("indent")):
        # Inside a list item the fence's own indentation belongs to the list (CommonMark, section 4.5).
        code = re.sub(rf"(?m)^[ \t]{{1,{indent}}}", "", code)
    return Extraction(code, span, "code_block")
