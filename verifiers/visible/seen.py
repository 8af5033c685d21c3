"""A text as a reader sees it, with a map of spans back to the text as it came."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Literal

from ..runtime.forks import cached_property
from .characters import CharacterStretches, Stretches, characters, fold_width_but_stops, is_plain
from .markup import applied, has_markup, markup_edits

Form = Literal["visible", "characters", "raw"]
"""Amount of a text settled before anything is looked for in it: all that a reader does not see
(invisible characters, composition, width, HTML that only dresses); the first two of these; or nothing."""


class Seen:
    """A text as a reader sees it.

    Args:
        text: The text.
        before: The text that it was made from; None for the text as it came.
        is_placed: Whether the text as it came stands where its spans say; a part that was cut out does not.

    >>> seen = see("<b>answer:</b>\\u200b 4\\u200b2")
    >>> seen.text, seen.span(8, 10)
    ('answer: 42', (16, 19))
    """

    goes_on: bool = False
    """Whether it was picked out of a text that begins earlier."""

    def __init__(self, text: str, before: Seen | None = None, *, is_placed: bool = True) -> None:
        self.text = text
        self.before = before
        self.is_placed = is_placed

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Map a span of this text to the original one, in characters; None if that is unknown."""
        if self.before is None:
            return (start, end) if self.is_placed else None
        return self.before.span(*self._stretches.span(start, end))

    def picked(self, spans: Sequence[tuple[int, int]]) -> Seen:
        """A text made of pieces of this one, which are given in order."""
        if len(spans) == 1 and spans[0] == (0, len(self.text)):
            return self
        return _Picked(self, spans)

    @cached_property
    def _stretches(self) -> Stretches:
        assert self.before is not None  # noqa: S101
        # Composed characters; a text of another width has its characters where they were.
        return CharacterStretches(self.before.text)


class _Same(Seen):
    """A text of other characters, one for one."""

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        assert self.before is not None  # noqa: S101
        return self.before.span(start, end)


class _Picked(Seen):
    def __init__(self, before: Seen, spans: Sequence[tuple[int, int]]) -> None:
        super().__init__("".join([before.text[start:end] for start, end in spans]), before)
        self.spans = spans
        self.goes_on = next((start > 0 for start, end in spans if start < end), False)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        if len(self.spans) == 1 and start < end and self.before is not None:  # as most are
            first = self.spans[0][0]
            return self.before.span(start + first, end + first)
        return super().span(start, end)

    @cached_property
    def _stretches(self) -> Stretches:
        lengths, position = [], 0
        for start, end in self.spans:
            lengths += [(0, start - position), (end - start, end - start)]
            position = end
        return Stretches(lengths)


class _Undressed(Seen):
    def __init__(self, before: Seen, edits: Sequence[tuple[int, int, str]]) -> None:
        super().__init__(applied(before.text, edits), before)
        self.edits = edits

    @cached_property
    def _stretches(self) -> Stretches:
        assert self.before is not None  # noqa: S101
        lengths, position = [], 0
        for start, end, sign in self.edits:
            lengths += [(start - position, start - position), (len(sign), end - start)]
            position = end
        rest = len(self.before.text) - position
        return Stretches([*lengths, (rest, rest)])


def see(
    text: str | Seen, form: Form = "visible", *, keep: Container[str] = (), is_placed: bool = True
) -> Seen:
    r"""A text as a reader sees it, in linear time; plain ASCII is told to be itself at hardly any cost.

    Args:
        text: Any text, or one that was picked out of another.
        form: Degree of normalisation; see `Form`.
        keep: Names of tags, in lower case, that somebody looks for and that are no clothes therefore.
        is_placed: Whether its spans are worth knowing; see `Seen`.

    >>> see("Ｘ＝１&nbsp;<i>cm</i>").text, see("a<b>c, <answer>").text
    ('X=1\xa0cm', 'a<b>c, <answer>')
    """
    seen = text if isinstance(text, Seen) else Seen(text, is_placed=is_placed)
    text = seen.text
    if form == "raw" or (text.isascii() and (form == "characters" or not has_markup(text))):
        return seen
    goes_on = seen.goes_on
    plain = is_plain(text)
    seen = seen if plain else _with_characters(seen)
    if form == "characters":
        return seen
    seen = seen if plain else _with_width(seen)
    if has_markup(seen.text) and (edits := markup_edits(seen.text, keep=keep, goes_on=goes_on)):
        # Named signs may be invisible, or of another width, too.
        seen = _with_width(_with_characters(_Undressed(seen, edits)))
    return seen


def visible(text: str) -> str:
    """The text that `see` shows."""
    return see(text).text


def _with_characters(seen: Seen) -> Seen:
    text = characters(seen.text)
    return seen if text == seen.text else Seen(text, seen)


def _with_width(seen: Seen) -> Seen:
    text = fold_width_but_stops(seen.text)
    return seen if text == seen.text else _Same(text, seen)
