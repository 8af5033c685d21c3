"""What every extractor shares."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .component import Component
from .registry import Registry


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor found.

    Args:
        text: The answer; None when its marker is there but no answer can be taken from it.
        span: Start and end of the answer in the searched text, in characters.
        method: What found it: "tag", "boxed", "hash_marks" ...
        problem: Why `text` is None, as a clause for a person.
        whole: What `text` was taken from, where that could be an answer, too: "about 5 hours" for 5.
    """

    text: str | None
    span: tuple[int, int]
    method: str
    problem: str = ""
    whole: str | None = None

    def shifted(self, by: int) -> Extraction:
        """The same extraction from a text that begins `by` characters earlier."""
        return replace(self, span=(self.span[0] + by, self.span[1] + by))


class Extractor(Component):
    """Finds the answer in the visible part of a completion. Subclasses are frozen dataclasses."""

    def extract(self, text: str) -> Extraction | None:
        """The last answer of this kind in the text; None when its marker does not occur.

        Must take time linear in the length of the text.
        """
        raise NotImplementedError


EXTRACTORS: Registry[Extractor] = Registry("EXTRACTORS", Extractor, "verifiers")


def trimmed(
    text: str, start: int, end: int, method: str, problem: str, *, keep_stop: bool = False
) -> Extraction:
    """An extraction without surrounding white space and, unless `keep_stop`, one closing full stop."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if not keep_stop and end - start > 1 and text[end - 1] in ".。．" and text[end - 2] not in ".…":
        end -= 1
        while start < end and text[end - 1].isspace():
            end -= 1
    if start == end:
        return Extraction(None, (start, end), method, problem)
    return Extraction(text[start:end], (start, end), method)
