"""Base of all extractors."""

from __future__ import annotations

from ..runtime.records import dataclass
from .component import Component
from .registry import Registry


@dataclass(frozen=True, slots=True)
class Extraction:
    """Result of an extractor.

    Args:
        text: The answer. None if there is a mark but no answer.
        span: Start and end of the answer in the searched text, in characters.
        method: Kind of mark that found it: "tag", "boxed", "hash_marks" ...
        problem: Reason why `text` is None, as a clause for a person.
        whole: Longer text around the answer that could be the answer as well: "about 5 hours" for 5.
    """

    text: str | None
    span: tuple[int, int]
    method: str
    problem: str = ""
    whole: Extraction | None = None

    def shifted(self, by: int) -> Extraction:
        """Return the same extraction for a text that begins `by` characters earlier."""
        if not by:
            return self
        whole = None if self.whole is None else self.whole.shifted(by)
        start, end = self.span
        return Extraction(self.text, (start + by, end + by), self.method, self.problem, whole)

    def inside(self, outer: Extraction, text: str) -> Extraction:
        """Return the same extraction as seen from an outer text.

        Args:
            outer: Extraction that contains this one; its text may lack characters of its span.
            text: Text from which `outer` was extracted.
        """
        start, end = outer.span
        same = text[start:end] == outer.text
        if same and self.whole is None:  # most of them, in one step
            place = (self.span[0] + start, self.span[1] + start)
            return Extraction(self.text, place, self.method, self.problem, outer)
        moved = self.shifted(start) if same else self._found_again(text, start, end)
        return moved._within(outer)

    def _found_again(self, text: str, start: int, end: int) -> Extraction:
        place = -1 if self.text is None else text.find(self.text, start, end)
        span = (start, end) if place < 0 else (place, place + len(self.text or ""))
        whole = None if self.whole is None else self.whole._found_again(text, start, end)
        return Extraction(self.text, span, self.method, self.problem, whole)

    def _within(self, outer: Extraction) -> Extraction:
        whole = outer if self.whole is None else self.whole._within(outer)
        return Extraction(self.text, self.span, self.method, self.problem, whole)


class Answer(str):
    """The text of an answer, as a reader sees it, which knows where it stands.

    Args:
        text: The text.
        span: Its start and end in the completion as it came; None for nowhere.
    """

    __slots__ = ("span",)
    span: tuple[int, int] | None

    def __new__(cls, text: str, span: tuple[int, int] | None = None) -> Answer:
        """A text with its place."""
        made = super().__new__(cls, text)
        made.span = span
        return made

    def __reduce__(self) -> tuple[type[Answer], tuple[str, tuple[int, int] | None]]:
        return Answer, (str(self), self.span)


class Extractor(Component):
    """Finds the answer in the visible part of a completion; subclasses are frozen dataclasses."""

    def extract(self, text: str) -> Extraction | None:
        """Return the last answer of this kind in the text, or None if its mark does not occur.

        Implementations must take time linear in the length of the text.
        """
        raise NotImplementedError

    def is_of_another(self, text: str, found: Extraction, around: str, reference: str) -> bool:
        """Return whether a value that was cut from words is of another thing than an equal reference.

        Args:
            text: The searched text.
            found: Value that was cut from it.
            around: The words that it was cut from, where they could be an answer; else "".
            reference: The accepted answer that has the same value.
        """
        return False


EXTRACTORS: Registry[Extractor] = Registry("EXTRACTORS", Extractor, "reward_verifiers.verifiers")


def trimmed(
    text: str, start: int, end: int, method: str, problem: str, *, keep_stop: bool = False
) -> Extraction:
    """An extraction without surrounding white space and, unless `keep_stop`, one closing full stop."""
    start, end = _stripped(text, start, end)
    if not keep_stop and end - start > 1 and text[end - 1] in ".。．" and text[end - 2] not in ".…":
        start, end = _stripped(text, start, end - 1)
    if start == end:
        return Extraction(None, (start, end), method, problem)
    return Extraction(text[start:end], (start, end), method)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    if start < end and not (text[start].isspace() or text[end - 1].isspace()):
        return start, end
    piece = text[start:end]
    end = start + len(piece.rstrip())
    return max(start, end - len(piece.strip())), end
