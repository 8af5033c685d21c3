"""Where the stretches of a text that was changed stand in the text as it was."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable


class Stretches:
    """A changed text as a row of stretches, each with its length in the new and in the old text.

    A place in a stretch of one length in both is counted off; elsewhere a place stands for the whole stretch.

    Args:
        lengths: The lengths of each stretch, in characters: in the new text, and in the old one.

    >>> Stretches([(2, 2), (0, 3), (4, 4)]).span(2, 4)
    (5, 7)
    """

    def __init__(self, lengths: Iterable[tuple[int, int]]) -> None:
        self.new, self.old = [0], [0]
        for new, old in lengths:
            self.new.append(self.new[-1] + new)
            self.old.append(self.old[-1] + old)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the new text stands in the old one, without what is left out around it."""
        last = len(self.new) - 2
        if last < 0:
            return 0, 0
        first = min(bisect_right(self.new, start) - 1, last)
        begin = self.within(first, start - self.new[first])[0]
        if end <= start:
            return begin, begin
        final = min(bisect_left(self.new, end) - 1, last)
        return begin, self.within(final, end - 1 - self.new[final])[1]

    def within(self, stretch: int, place: int) -> tuple[int, int]:
        """Where the character at a place of a stretch begins and ends in the old text."""
        start, end = self.old[stretch], self.old[stretch + 1]
        length = self.new[stretch + 1] - self.new[stretch]
        if length == end - start and place < length:
            return start + place, start + place + 1
        return (start, end) if place < length else (end, end)
